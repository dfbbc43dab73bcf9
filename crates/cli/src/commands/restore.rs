use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Args;

use super::data::{Logs, in_runtime};
use crate::settings::{Chosen, Settings};

/// Put a copy where the data is to be; no server may run meanwhile
///
/// Data that is there already is kept beside it; then prints its name. A copy in which something is damaged is refused.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    #[command(flatten)]
    chosen: Chosen,
    /// The copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Take the copy although something in it is damaged; it is named
    #[arg(long)]
    accept_damaged: bool,
}

pub(crate) fn run(arguments: &Restore, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
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
