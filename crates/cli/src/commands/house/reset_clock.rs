use std::io::Write;

use clap::Args;

use crate::{
    commands::data::{Logs, in_runtime, system_time},
    settings::{Layers, SettingFlags},
};

/// Correct times in the data that a wrong clock has written
///
/// Every time that is in the future by the system's clock becomes the current time, so set that clock first.
/// Turns, results and the clocks of the players are not changed. Prints `FILE: N games, N rows`: a copy of
/// the data before the change, and the number of changes.
#[derive(Args, Debug)]
pub(crate) struct ResetClock {
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &ResetClock, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.data()?;
    let data = data.file("restore a copy from before the clock was wrong")?;
    let now = system_time()?;
    let reset = in_runtime(adoube_store_sqlite::reset_clock(data, now, &Logs))??;
    writeln!(out, "{}: {} games, {} rows", reset.before.display(), reset.games, reset.rows)?;
    Ok(())
}
