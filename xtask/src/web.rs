//! Installs the packages of the web client, and builds it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::fresh::Step;
use crate::repository::{Repository, run};
use crate::{tools, wasm};

/// Installs the packages at the versions in the lock file, unless they are up to date.
pub(crate) fn packages(repository: &Repository) -> Result<()> {
    let inputs = vec![repository.path("web/package.json"), repository.path("web/package-lock.json")];
    let outputs = vec![repository.path("web/node_modules")];
    Step::new(repository, "web-packages", inputs, outputs).run_if_stale(|| {
        tools::node()?;
        // `npm ci` would refuse a lock file that lacks the optional packages for another platform, as happens
        // if the registry does not have them. This command leaves the lock file unchanged, too.
        run(repository.npm().args(["install", "--no-save", "--no-audit", "--no-fund"]))
    })
}

/// Builds `web/dist` from the sources, the messages and the WebAssembly modules.
pub(crate) fn build(repository: &Repository) -> Result<()> {
    wasm::build(repository)?;
    packages(repository)?;
    let mut inputs = settings(repository)?;
    inputs.extend(
        ["web/src", "web/public", "locales", "games", "crates/engine/networks"]
            .map(|folder| repository.path(folder)),
    );
    Step::new(repository, "web", inputs, vec![repository.path("web/dist/index.html")])
        .run_if_stale(|| run(repository.npm().args(["run", "--silent", "build"])))
}

/// Returns the files at the top of `web/`: the page, the list of packages and the settings of the tools.
fn settings(repository: &Repository) -> Result<Vec<PathBuf>> {
    let folder = repository.path("web");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}
