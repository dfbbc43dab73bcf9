//! The server, built and run with the data in one file of the checkout.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::house::{House, run, shown};
use crate::web;

pub(crate) fn serve(house: &House, arguments: &[String]) -> Result<()> {
    web::build(house)?;
    let binary = build(house, Profile::Release)?;
    let data = house.path("data");
    fs::create_dir_all(&data).with_context(|| format!("{} cannot be made", data.display()))?;
    let mut server = house.here(binary);
    server.arg("serve").arg("--data").arg(data.join("adoube.sqlite")).args(arguments);
    become_it(&mut server)
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// Compiles the binary `adoube`, and returns where it is.
pub(crate) fn build(house: &House, profile: Profile) -> Result<PathBuf> {
    let (name, folder) = match profile {
        Profile::Dev => ("dev", "debug"),
        Profile::Release => ("release", "release"),
    };
    run(house.cargo().args(["build", "--package", "adoube-cli", "--bin", "adoube", "--profile", name]))?;
    Ok(house.target(folder).join(format!("adoube{}", std::env::consts::EXE_SUFFIX)))
}

/// Puts the server in the place of this process, so that a signal meant for it reaches it.
#[cfg(unix)]
fn become_it(server: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;

    eprintln!("$ {}", shown(server));
    Err(server.exec()).with_context(|| format!("`{}` could not be started", shown(server)))
}

#[cfg(not(unix))]
fn become_it(server: &mut Command) -> Result<()> {
    run(server)
}
