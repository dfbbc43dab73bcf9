use std::io::Write;

use clap::Args;

use crate::{
    commands::data::{Logs, in_runtime, system_time},
    settings::{Layers, SettingFlags},
};

/// Correct times that were recorded while the clock was wrong
///
/// Sets recorded times in the future to the current time, so set the system clock first. Deletes recovery and
/// confirmation links that have not expired. Turns, results, the players' clocks and the audit log are not
/// changed. Prints `FILE: N games, N rows`: the name of the copy made before the change, the number of games
/// changed, and the number of changes to other rows.
#[derive(Args, Debug)]
pub(crate) struct ResetClock {
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &ResetClock, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.existing_data()?;
    let data = data.file("restore a copy from before the clock was wrong")?;
    let now = system_time()?;
    let reset = in_runtime(adoube_store_sqlite::reset_clock(data, now, &Logs))??;
    writeln!(out, "{}: {} games, {} rows", reset.before.display(), reset.games, reset.rows)?;
    Ok(())
}
