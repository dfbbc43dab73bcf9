use std::{io::Write, path::PathBuf};

use anyhow::ensure;
use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Layers, SettingFlags};

/// Copy the data to a new file, as it is at one moment; servers may go on meanwhile
///
/// Prints the name of the copy. All that is copied is looked through: if games are damaged, the copy is made all the same, they are
/// named, and the command ends with 2.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    #[command(flatten)]
    settings: SettingFlags,
    /// The copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(arguments: &Backup, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.data()?;
    let findings = in_runtime(adoube_store_sqlite::backup(data, &arguments.file, &Logs))??;
    writeln!(out, "{}", arguments.file.display())?;
    out.flush()?;
    ensure!(findings.is_whole(), "the copy was made, but {findings}");
    Ok(())
}
