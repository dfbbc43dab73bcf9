use std::{io::Write, path::PathBuf};

use anyhow::ensure;
use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Layers, SettingFlags};

/// Copy the data to a new file as a consistent snapshot; servers may be running
///
/// Prints the name of the copy. The new file is checked: if any games in it are damaged, the first few are
/// listed and the command exits with status 2, but the copy is kept.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    #[command(flatten)]
    settings: SettingFlags,
    /// The new file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(arguments: &Backup, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.existing_data()?;
    let data = data.file("use pg_dump, which also works while servers are running")?;
    let findings = in_runtime(adoube_store_sqlite::backup(data, &arguments.file, &Logs))??;
    writeln!(out, "{}", arguments.file.display())?;
    out.flush()?;
    ensure!(findings.is_intact(), "the copy was written, but {findings}");
    Ok(())
}
