//! Sets the version that the program reports: the package version and, in a release build inside a Git
//! repository, the commit.
//!
//! Development builds omit the commit, because otherwise every commit would rebuild the program.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && let Some(commit) = git(&["rev-parse", "--short=10", "HEAD"])
    {
        version = format!("{version} ({commit})");
        if let Some(log) =
            git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
        {
            println!("cargo::rerun-if-changed={log}");
        }
    }
    println!("cargo::rustc-env=ADOUBE_VERSION={version}");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu")
    {
        // These options save 2 MB: the linker that Rust uses for this target merges identical functions, and
        // packs relocations in a form that glibc has supported since 2.36.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all,-z,pack-relative-relocs");
    }
}

/// Returns the trimmed output of a git command, or `None` if the command fails or prints nothing.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!line.is_empty()).then_some(line)
}
