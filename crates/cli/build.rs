//! Lists the crates of the program, which a log filter can name. Sets linker options for release builds on
//! x86-64 Linux. Sets the version that the program reports: the package version and, in a release build
//! inside a Git repository, the commit.
//!
//! Development builds omit the commit, because otherwise every commit would rebuild the program.

use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

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
    list_crates();
    if env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu")
    {
        // These options save 2 MB: the linker that Rust uses for this target merges identical functions, and
        // packs relocations in a form that glibc has supported since 2.36.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all,-z,pack-relative-relocs");
    }
}

/// Writes the names of the program and of all crates in the lock file, as they appear in the log, to the file
/// `crates`.
fn list_crates() {
    let lock = Path::new("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(lock).expect("the workspace has a lock file");
    let names = text.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let names: BTreeSet<String> = names.chain(["adoube"]).map(|name| name.replace('-', "_")).collect();
    let file = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("crates");
    fs::write(file, names.into_iter().collect::<Vec<_>>().join("\n")).expect("the folder is writable");
}

/// Returns the trimmed output of a git command, or `None` if the command fails or prints nothing.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!line.is_empty()).then_some(line)
}
