use std::{io::Write, path::Path};

use adoube_server::{Clock as _, SystemClock};
use adoube_store::GameStore as _;
use adoube_store_sqlite::{SqliteStore, count_old};
use anyhow::{Context as _, ensure};
use clap::Args;

use crate::{
    commands::data::in_runtime,
    settings::{Chosen, EARLIEST, Settings},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// For so long no server was here, at most, when something is deleted.
const LONGEST_PAUSE_MS: i64 = 60 * DAY_MS;

/// Delete what is older than the settings `keep.*` say
///
/// A server does so by itself, a little every hour. Prints `COUNT KIND` for each kind.
#[derive(Args, Debug)]
pub(crate) struct Tidy {
    /// Only count, and delete nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    chosen: Chosen,
}

pub(crate) fn run(arguments: &Tidy, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    ensure!(data.is_file(), "there is no data in {}", data.display());
    let retention = settings.retention()?;
    let now = SystemClock::new().now();
    ensure!(now >= EARLIEST, "the system's clock shows a time before this program was written; set it first");
    let ages = retention.ages(now);
    let tidied = in_runtime(async {
        if arguments.dry_run {
            return Ok(count_old(data, &ages).await?);
        }
        let store = SqliteStore::open(data).await?;
        let newest = store.newest().await?.unwrap_or(now);
        let tidied = if now.0.saturating_sub(newest.0) > LONGEST_PAUSE_MS {
            // By a clock that is ahead, everything would be too old.
            Err(anyhow::anyhow!(
                "no server was here for {} days, or the system's clock is ahead; set it, or start a server first",
                (now.0 - newest.0) / DAY_MS
            ))
        } else {
            adoube_server::tidy(&store, &retention, now).await.map_err(Into::into)
        };
        store.close().await;
        tidied
    })??;
    for (kind, count) in tidied.counts() {
        writeln!(out, "{count} {kind}")?;
    }
    Ok(())
}
