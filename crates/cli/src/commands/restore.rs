use std::{io::Write, path::PathBuf};

use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Layers, SettingFlags};

/// Put a copy where the data is to be; no server may run meanwhile
///
/// Data that is there already is kept beside it; then prints its name. A copy in which something is damaged is refused.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    #[command(flatten)]
    settings: SettingFlags,
    /// The copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Take the copy although something in it is damaged; it is named
    #[arg(long)]
    accept_damaged: bool,
}

pub(crate) fn run(arguments: &Restore, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.data()?;
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
