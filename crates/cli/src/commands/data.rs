//! `adoube backup` and `adoube restore`.

use std::{io::Write, path::Path};

use anyhow::Context as _;
use tokio::runtime;

use crate::{arguments::Copy, settings::Settings};

pub(crate) fn backup(arguments: &Copy, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    in_runtime(adoube_store_sqlite::backup(data, &arguments.file))??;
    writeln!(out, "{}", arguments.file.display())?;
    Ok(())
}

pub(crate) fn restore(arguments: &Copy, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::read(&arguments.chosen)?;
    let data = Path::new(settings.text("data").context("data is not set")?);
    if let Some(before) = in_runtime(adoube_store_sqlite::restore(&arguments.file, data))?? {
        writeln!(out, "{}", before.display())?;
    }
    Ok(())
}

fn in_runtime<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    Ok(runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}
