//! `adoube backup`, `adoube restore` and `adoube house`.

use std::{io::Write, path::Path};

use adoube_protocol::Millis;
use adoube_server::{Clock as _, SystemClock, maintenance};
use adoube_store_sqlite::SetBack;
use anyhow::{Context as _, ensure};
use tokio::runtime;

use crate::{
    arguments::{Chosen, Copy},
    settings::{EARLIEST, Settings},
};

pub(crate) fn backup(arguments: &Copy, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    in_runtime(adoube_store_sqlite::backup(data, &arguments.file))??;
    writeln!(out, "{}", arguments.file.display())?;
    Ok(())
}

pub(crate) fn restore(arguments: &Copy, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    if let Some(before) = in_runtime(adoube_store_sqlite::restore(&arguments.file, data))?? {
        writeln!(out, "{}", before.display())?;
    }
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

/// What the logs of the games mean, for the store.
struct Logs;

impl SetBack for Logs {
    fn log(&self, bodies: &mut [String], latest: Millis) -> Result<(), String> {
        maintenance::set_log_back(bodies, latest)
    }

    fn summary(&self, summary: &str, latest: Millis) -> Result<String, String> {
        maintenance::set_summary_back(summary, latest)
    }
}

fn in_runtime<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    Ok(runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}
