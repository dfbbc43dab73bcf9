use std::{io::Write, path::PathBuf};

use anyhow::ensure;
use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Layers, SettingFlags};

/// Copy the data to a new file, as of one moment; servers may be running
///
/// Prints the name of the copy. The copy is checked: if games in it are damaged, they are named and the
/// command ends with status 2, but the copy is kept.
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
    let data = data.file("pg_dump copies it, also while servers run")?;
    let findings = in_runtime(adoube_store_sqlite::backup(data, &arguments.file, &Logs))??;
    writeln!(out, "{}", arguments.file.display())?;
    out.flush()?;
    ensure!(findings.is_whole(), "the copy was made, but {findings}");
    Ok(())
}
