use std::{io::Write, path::PathBuf};

use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Layers, SettingFlags};

/// Replace the data by a copy; no server may run meanwhile
///
/// Existing data is renamed, and its new name is printed. A damaged copy is refused.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    #[command(flatten)]
    settings: SettingFlags,
    /// The copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Accept a copy in which games are damaged; they are named
    #[arg(long)]
    accept_damaged: bool,
}

pub(crate) fn run(arguments: &Restore, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.data()?;
    let data = data.file("pg_restore puts a copy of pg_dump back")?;
    let restore = adoube_store_sqlite::restore(&arguments.file, data, &Logs, arguments.accept_damaged);
    let restored = in_runtime(restore)??;
    if let Some(before) = &restored.before {
        writeln!(out, "{}", before.display())?;
    }
    if !restored.findings.is_whole() {
        writeln!(out, "{}", restored.findings)?;
    }
    Ok(())
}
