use std::{io::Write, path::Path};

use adoube_server::{Clock as _, SystemClock};
use anyhow::{Context as _, ensure};
use clap::Args;

use crate::{
    commands::data::{Logs, in_runtime},
    settings::{Chosen, EARLIEST, Settings},
};

/// Take out of the data what a wrong clock has written into it
///
/// Every time that has not come yet, by the system's clock, becomes the present one; so set that first. Turns, results and the clocks
/// of the players stay as they are. Prints `FILE: N games, N rows`: where the data is kept as it was before, and what was changed.
#[derive(Args, Debug)]
pub(crate) struct ResetClock {
    #[command(flatten)]
    chosen: Chosen,
}

pub(crate) fn run(arguments: &ResetClock, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    let now = SystemClock::new().now();
    ensure!(now >= EARLIEST, "the system's clock shows a time before this program was written; set it first");
    let reset = in_runtime(adoube_store_sqlite::reset_clock(data, now, &Logs))??;
    writeln!(out, "{}: {} games, {} rows", reset.before.display(), reset.games, reset.rows)?;
    Ok(())
}
