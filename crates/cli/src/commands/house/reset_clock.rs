use std::io::Write;

use clap::Args;

use crate::{
    commands::data::{Logs, in_runtime, system_time},
    settings::{Layers, SettingFlags},
};

/// Take out of the data what a wrong clock has written into it
///
/// Every time that has not come yet, by the system's clock, becomes the present one; so set that first. Turns, results and the clocks
/// of the players stay as they are. Prints `FILE: N games, N rows`: where the data is kept as it was before, and what was changed.
#[derive(Args, Debug)]
pub(crate) struct ResetClock {
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &ResetClock, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.data()?;
    let now = system_time()?;
    let reset = in_runtime(adoube_store_sqlite::reset_clock(data, now, &Logs))??;
    writeln!(out, "{}: {} games, {} rows", reset.before.display(), reset.games, reset.rows)?;
    Ok(())
}
