use std::io::Write;

use anyhow::ensure;
use clap::Args;

use crate::{
    commands::data::{Logs, in_runtime},
    settings::{Layers, SettingFlags},
};

/// Check the data, with or without a running server
///
/// Checks the file with SQLite, then checks every game against its hash chain and replays it. Prints
/// `GAME: REASON` for each damaged game, then `N games, N damaged, N without a chain`. Games written by an
/// older version have no chain until a server has processed them. Exits with status 2 if anything is damaged.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &Check, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.existing_data()?;
    let data = data.file("use pg_amcheck to look for damage")?;
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
    ensure!(findings.is_intact(), "{}: {findings}", data.display());
    Ok(())
}
