//! The web client: its packages and its build.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::fresh::Step;
use crate::house::{House, run};
use crate::{tools, wasm};

/// Installs the versions of the lock file, unless they are installed.
pub(crate) fn packages(house: &House) -> Result<()> {
    let inputs = vec![house.path("web/package.json"), house.path("web/package-lock.json")];
    let outputs = vec![house.path("web/node_modules")];
    Step::new(house, "web-packages", inputs, outputs).unless_fresh(|| {
        tools::node()?;
        // Not `npm ci`: it refuses a lock file that lacks the optional packages of a platform other than
        // this one, as happens if the registry does not have them. This leaves the lock file as it is, too.
        run(house.npm().args(["install", "--no-save", "--no-audit", "--no-fund"]))
    })
}

/// Makes `web/dist` from the sources, the messages and the WebAssembly module.
pub(crate) fn build(house: &House) -> Result<()> {
    wasm::build(house)?;
    packages(house)?;
    let mut inputs = settings(house)?;
    inputs.extend(
        ["web/src", "web/public", "locales", "games", "crates/engine/networks"]
            .map(|folder| house.path(folder)),
    );
    Step::new(house, "web", inputs, vec![house.path("web/dist/index.html")])
        .unless_fresh(|| run(house.npm().args(["run", "--silent", "build"])))
}

/// The files at the top of `web/`: the page, the packages, the settings of the tools.
fn settings(house: &House) -> Result<Vec<PathBuf>> {
    let folder = house.path("web");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}
