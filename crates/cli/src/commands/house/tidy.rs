use std::io::Write;

use adoube_store_sqlite::count_old;
use clap::Args;

use crate::{
    commands::data::{in_runtime, system_time},
    settings::{Data, Layers, SettingFlags},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// No data is deleted if the last recorded write by a server was longer ago than this.
const MAX_PAUSE_MS: i64 = 60 * DAY_MS;

/// Delete data that is older than the `keep.*` settings allow
///
/// A running server does this automatically every hour, in small batches. Prints `COUNT KIND` for each kind.
#[derive(Args, Debug)]
pub(crate) struct Tidy {
    /// Only count, without deleting
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &Tidy, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.existing_data()?;
    let retention = layers.retention()?;
    let now = system_time()?;
    let cutoffs = retention.cutoffs(now);
    let tidied = in_runtime(async {
        if let (true, Data::File(path)) = (arguments.dry_run, &data) {
            // A running server may have locked the file, but this only reads it.
            return Ok(count_old(path, &cutoffs).await?);
        }
        let store = data.open().await?;
        let newest = store.latest_write().await?.unwrap_or(now);
        let tidied = if arguments.dry_run {
            store.tidy(&cutoffs, 0, true).await.map_err(Into::into)
        } else if now.0.saturating_sub(newest.0) > MAX_PAUSE_MS {
            // If the clock is far ahead, all data seems too old.
            Err(anyhow::anyhow!(
                "no server has run for {} days, or the system clock is ahead; set the clock, or start a server first",
                (now.0 - newest.0) / DAY_MS
            ))
        } else {
            adoube_server::tidy(&*store, &retention, now).await.map_err(Into::into)
        };
        store.close().await;
        tidied
    })??;
    for (kind, count) in tidied.counts() {
        writeln!(out, "{count} {kind}")?;
    }
    Ok(())
}
