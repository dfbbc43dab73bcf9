//! The load client of `crates/load` against a server that it starts itself, both in release.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::house::{House, run};
use crate::serve::{self, Profile};

pub(crate) fn load(house: &House, arguments: &[String]) -> Result<()> {
    let (slow_sync, rest) = match arguments {
        [flag, ms, rest @ ..] if flag == "--slow-sync" => (Some(ms), rest),
        [flag] if flag == "--slow-sync" => bail!("--slow-sync wants a number of milliseconds"),
        rest => (None, rest),
    };
    let binary = serve::build(house, Profile::Release)?;
    let mut client = house.cargo();
    client.args(["run", "--release", "--quiet", "--package", "adoube-load", "--"]);
    client.arg("--adoube").arg(binary).arg("--folder").arg(house.target("load")).args(rest);
    if let Some(ms) = slow_sync {
        client.arg("--preload").arg(shim(house)?).env("SLOW_SYNC_MS", ms);
    }
    run(&mut client)
}

/// Compiles the library that slows the syncs of the server.
fn shim(house: &House) -> Result<PathBuf> {
    let library = house.target("slow_sync.so");
    fs::create_dir_all(house.target("")).context("the folder of build results cannot be made")?;
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library);
    run(compiler.arg(house.path("crates/load/shim/slow_sync.c")).arg("-ldl"))?;
    Ok(library)
}
