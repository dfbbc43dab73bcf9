//! `adoube backup`, `adoube restore` and `adoube house`.

use std::{io::Write, path::Path, time::Duration};

use adoube_protocol::Millis;
use adoube_server::{Clock as _, SystemClock, SystemEntropy, maintenance, rotate_cookie_key};
use adoube_store::GameStore as _;
use adoube_store_sqlite::{CheckLog, SetBack, SqliteStore, count_old};
use anyhow::{Context as _, ensure};
use tokio::runtime;

use crate::{
    arguments::{Chosen, Copy, Restore, RotateKey, Tidy},
    settings::{EARLIEST, Settings},
};

pub(crate) fn backup(arguments: &Copy, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    let findings = in_runtime(adoube_store_sqlite::backup(data, &arguments.file, &Logs))??;
    writeln!(out, "{}", arguments.file.display())?;
    out.flush()?;
    ensure!(findings.is_whole(), "the copy was made, but {findings}");
    Ok(())
}

pub(crate) fn restore(arguments: &Restore, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.copy.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    let restore = adoube_store_sqlite::restore(&arguments.copy.file, data, &Logs, arguments.accept_damaged);
    let restored = in_runtime(restore)??;
    if let Some(before) = &restored.before {
        writeln!(out, "{}", before.display())?;
    }
    if !restored.findings.is_whole() {
        writeln!(out, "{}", restored.findings)?;
    }
    Ok(())
}

pub(crate) fn check(chosen: &Chosen, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    ensure!(data.exists(), "{} is not there", data.display());
    let findings = in_runtime(adoube_store_sqlite::check_data(data, &Logs))??;
    for (game, problem) in &findings.damaged {
        writeln!(out, "{game}: {problem}")?;
    }
    writeln!(
        out,
        "{} games, {} damaged, {} without a chain",
        findings.games,
        findings.damaged.len(),
        findings.unchained
    )?;
    out.flush()?;
    ensure!(findings.is_whole(), "{}: {findings}", data.display());
    Ok(())
}

pub(crate) fn reset_clock(chosen: &Chosen, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    let now = SystemClock::new().now();
    ensure!(now >= EARLIEST, "the system's clock shows a time before this program was written; set it first");
    let reset = in_runtime(adoube_store_sqlite::reset_clock(data, now, &Logs))??;
    writeln!(out, "{}: {} games, {} rows", reset.before.display(), reset.games, reset.rows)?;
    Ok(())
}

/// For how long what the old key has signed is believed.
const BELIEVED: Duration = Duration::from_hours(30 * 24);

pub(crate) fn rotate_key(arguments: &RotateKey, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    ensure!(data.is_file(), "there is no data in {}", data.display());
    let now = SystemClock::new().now();
    ensure!(now >= EARLIEST, "the system's clock shows a time before this program was written; set it first");
    let believed = (!arguments.at_once).then_some(BELIEVED);
    in_runtime(async {
        let store = SqliteStore::open(data).await?;
        let rotated = rotate_cookie_key(&store, &SystemEntropy, now, believed).await;
        store.close().await;
        anyhow::Ok(rotated?)
    })??;
    match believed {
        Some(_) => writeln!(out, "the old key is accepted for 30 days")?,
        None => writeln!(out, "the old key is forgotten")?,
    }
    Ok(())
}

pub(crate) fn tidy(arguments: &Tidy, out: &mut impl Write) -> anyhow::Result<()> {
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

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// For so long no server was here, at most, when something is deleted.
const LONGEST_PAUSE_MS: i64 = 60 * DAY_MS;

/// What the logs of the games mean, for the store.
struct Logs;

impl CheckLog for Logs {
    fn check(&self, bodies: &[String]) -> Result<(), String> {
        maintenance::check_log(bodies.iter().map(String::as_str))
    }
}

impl SetBack for Logs {
    fn log(&self, bodies: &mut [String], latest: Millis) -> Result<(), String> {
        maintenance::set_log_back(bodies, latest)
    }

    fn summary(&self, summary: &str, latest: Millis) -> Result<String, String> {
        maintenance::set_summary_back(summary, latest)
    }
}

pub(super) fn in_runtime<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    Ok(runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}
