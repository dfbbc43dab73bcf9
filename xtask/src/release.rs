//! `cargo xtask release`: builds the files that users install. These are an archive, a package for Debian and
//! one for Fedora, all with a static binary if possible, and their checksums.
//!
//! All files are first collected in one folder as they are to be installed; each package is made from it.

mod deb;
mod musl;
mod rpm;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repository::{Repository, output_of, run};
use crate::serve::{self, Profile};
use crate::{supply, tools, web};
use tree::Tree;

/// The files of a release.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) deb: PathBuf,
    pub(crate) rpm: PathBuf,
    pub(crate) archive: PathBuf,
    /// The checksums of the other three files.
    pub(crate) checksums: PathBuf,
}

/// Builds everything into `target/release-files`. With `--binary FILE`, packages that binary.
pub(crate) fn release(repository: &Repository, arguments: &[String]) -> Result<()> {
    // Compiling takes minutes, so what is missing is reported first.
    check_programs()?;
    let binary = match arguments {
        [] => build(repository)?,
        [option, file] if option == "--binary" => std::path::absolute(file)?,
        _ => bail!("expected `release` or `release --binary FILE`"),
    };
    supply::sbom(repository)?;
    let release = package(repository, &binary, Compression::Best)?;
    for file in [&release.deb, &release.rpm, &release.archive, &release.checksums] {
        println!("{}", file.display());
    }
    Ok(())
}

/// Builds the binary: static if possible, otherwise linked to this machine's C library.
fn build(repository: &Repository) -> Result<PathBuf> {
    web::build(repository)?;
    let library = match musl::prepare(repository) {
        Ok(library) => library,
        Err(why) => {
            eprintln!(
                "xtask: the binary is not statically linked, and needs a C library as new as this machine's: {why:#}"
            );
            return serve::build(repository, Profile::Release);
        }
    };
    let binary = musl::compile(repository, &library)?;
    if has_interpreter(&fs::read(&binary)?) != Some(false) {
        bail!("{} is not statically linked", binary.display());
    }
    Ok(binary)
}

/// Returns `Some(true)` if a 64-bit ELF program needs a dynamic loader, and `Some(false)` if it
/// is static; `None` for any other file.
fn has_interpreter(file: &[u8]) -> Option<bool> {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, length: usize| {
        let bytes = file.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (begin, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut kinds = (0..count).map(|index| number(usize::try_from(begin + index * size).ok()?, 4));
    Some(kinds.any(|kind| kind == Some(u64::from(INTERPRETER))))
}

/// The compression of the packages: as small as possible, or as fast as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Best,
    Fast,
}

/// What the packages say about the program.
#[derive(Debug)]
struct About {
    version: String,
    /// One line.
    summary: String,
    /// Lines that fit a terminal.
    description: String,
    /// Whether the program is statically linked. If it is not, its packages declare the libraries it needs.
    is_static: bool,
}

impl About {
    fn read(repository: &Repository, binary: &Path) -> Result<About> {
        let text = fs::read_to_string(repository.path("deploy/package/description.txt"))?;
        let (summary, description) = text.split_once('\n').context("the package has no description")?;
        Ok(About {
            version: version(repository)?,
            summary: summary.to_owned(),
            description: description.trim_end().to_owned(),
            is_static: has_interpreter(&fs::read(binary)?) == Some(false),
        })
    }
}

/// What goes into the packages, and how.
#[derive(Debug)]
struct Contents {
    about: About,
    tree: Tree,
    compression: Compression,
    /// The time of all files, in Unix seconds.
    source_date: String,
}

/// Checks that the programs are installed that make the packages.
fn check_programs() -> Result<()> {
    tools::debian_program("dpkg-deb", "dpkg")?;
    tools::debian_program("rpmbuild", "rpm")
}

/// Packages a binary. It must run on this machine, because it writes its own manual.
pub(crate) fn package(repository: &Repository, binary: &Path, compression: Compression) -> Result<Release> {
    check_programs()?;
    let folder = repository.target("release-files");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("{} cannot be emptied", folder.display()))?;
    }
    let contents = Contents {
        about: About::read(repository, binary)?,
        tree: Tree::collect(repository, binary, &folder.join("root"))?,
        compression,
        source_date: source_date(repository),
    };

    let version = &contents.about.version;
    let base = format!("adoube-{version}-x86_64-linux");
    let release = Release {
        deb: folder.join(format!("adoube_{version}-1_amd64.deb")),
        rpm: folder.join(format!("adoube-{version}-1.x86_64.rpm")),
        archive: folder.join(format!("{base}.tar.gz")),
        checksums: folder.join("SHA256SUMS"),
    };
    deb::build(repository, &contents, &release.deb)?;
    rpm::build(repository, &contents, &release.rpm)?;

    contents.tree.arrange_archive(repository, &folder.join(&base))?;
    run(Command::new("tar")
        .current_dir(&folder)
        .args([
            "--create",
            "--gzip",
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            &format!("--mtime=@{}", contents.source_date),
            "--file",
        ])
        .arg(&release.archive)
        .arg(&base))?;
    let names =
        [&release.deb, &release.rpm, &release.archive].map(|file| file.file_name().unwrap_or_default());
    let sums = output_of(Command::new("sha256sum").current_dir(&folder).args(names));
    fs::write(&release.checksums, sums.context("`sha256sum` failed")? + "\n")?;
    Ok(release)
}

/// Returns the version of the workspace.
fn version(repository: &Repository) -> Result<String> {
    let manifest = fs::read_to_string(repository.path("Cargo.toml"))?;
    let package = manifest.split_once("[workspace.package]").map_or("", |(_, rest)| rest);
    let line = package.lines().find_map(|line| line.strip_prefix("version = \""));
    Ok(line.context("the workspace has no version")?.trim_end_matches('"').to_owned())
}

/// Returns the commit's time in Unix seconds. All files are given this time, so that builds are reproducible.
fn source_date(repository: &Repository) -> String {
    output_of(repository.command("git").args(["log", "-1", "--format=%ct"])).unwrap_or_else(|| "0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_programs_are_distinguished_from_others() {
        let mut program = vec![0; 64 + 2 * 56];
        program[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (program[32], program[54], program[56]) = (64, 56, 2);
        assert_eq!(has_interpreter(&program), Some(false));
        program[64 + 56] = 3;
        assert_eq!(has_interpreter(&program), Some(true));
        assert_eq!(has_interpreter(&program[..70]), Some(false));
        assert_eq!(has_interpreter(b"#!/bin/sh\n"), None);
        assert_eq!(has_interpreter(b""), None);
    }

    #[test]
    fn uses_the_workspace_version() {
        assert_eq!(version(&Repository::find().unwrap()).unwrap(), env!("CARGO_PKG_VERSION"));
    }
}
