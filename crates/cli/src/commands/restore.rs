use std::{io::Write, path::PathBuf};

use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Layers, SettingFlags};

/// Replace the data with a copy; no server may be running
///
/// Keeps existing data under a name that ends in `.before`, and prints that name. If an earlier restore left
/// a file with that name, move or delete it first. Rejects a copy that has been changed or is damaged.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    #[command(flatten)]
    settings: SettingFlags,
    /// The copy to restore
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Accept a copy that has been changed or has damaged games, and print what is wrong with it
    #[arg(long)]
    accept_damaged: bool,
}

pub(crate) fn run(arguments: &Restore, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.data()?;
    let data = data.file("use pg_restore with a dump made by pg_dump")?;
    let restore = adoube_store_sqlite::restore(&arguments.file, data, &Logs, arguments.accept_damaged);
    let restored = in_runtime(restore)??;
    if let Some(before) = &restored.before {
        writeln!(out, "{}", before.display())?;
    }
    if !restored.findings.is_intact() {
        writeln!(out, "{}", restored.findings)?;
    }
    Ok(())
}
