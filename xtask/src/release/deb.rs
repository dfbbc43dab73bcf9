//! The Debian package, which `dpkg-deb` makes from a folder.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::tree::{Tree, set_mode};
use super::{About, Compression, Contents};
use crate::repository::{Repository, format_command, output_of, run};
use crate::tools;

/// The file that Debian requires in addition to those of the tree.
const COPYRIGHT: &str = "usr/share/doc/adoube/copyright";
/// The scripts that `dpkg` runs.
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

/// Makes the package `package`. Its folder also gets the files from which it is made.
pub(super) fn build(repository: &Repository, contents: &Contents, package: &Path) -> Result<()> {
    let Contents { about, tree, compression, source_date } = contents;
    let folder = package.with_file_name("deb");
    run(Command::new("cp").args(["--recursive", "--link", "--preserve=mode"]).arg(tree.root()).arg(&folder))?;
    let own = |name: &str| repository.path(&format!("deploy/package/debian/{name}"));
    copy(&own("copyright"), &folder.join(COPYRIGHT), 0o644)?;

    let sums = output_of(Command::new("md5sum").args(tree.files()).arg(COPYRIGHT).current_dir(&folder));
    let sums = sums.context("`md5sum` failed")? + "\n";
    let mut settings = String::new();
    for file in tree.files().iter().filter(|file| file.starts_with("etc")) {
        // Writing to a string cannot fail.
        let _ = writeln!(settings, "/{}", file.display());
    }
    let depends = if about.is_static { None } else { Some(libraries(&folder)?) };
    let control = control(about, depends.as_deref(), size_kib(&folder, tree)?);
    let information = folder.join("DEBIAN");
    fs::create_dir(&information)?;
    set_mode(&information, 0o755)?;
    for (name, text) in [("control", control), ("conffiles", settings), ("md5sums", sums)] {
        let file = information.join(name);
        fs::write(&file, text)?;
        set_mode(&file, 0o644)?;
    }
    for name in SCRIPTS {
        copy(&own(name), &information.join(name), 0o755)?;
    }
    run(Command::new("dpkg-deb")
        .env("SOURCE_DATE_EPOCH", source_date)
        .args(match compression {
            Compression::Best => ["-Zxz", "-z9"],
            Compression::Fast => ["-Zgzip", "-z1"],
        })
        .args(["--root-owner-group", "--build"])
        .arg(&folder)
        .arg(package))
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    set_mode(to, mode)
}

/// Returns the total size of the files in KiB, each rounded up.
fn size_kib(folder: &Path, tree: &Tree) -> Result<u64> {
    let sizes = tree.files().iter().map(|file| Ok(fs::metadata(folder.join(file))?.len().div_ceil(1024)));
    sizes.sum()
}

/// Returns the packages of the libraries that the program needs, as the value of `Depends`.
fn libraries(folder: &Path) -> Result<String> {
    tools::debian_program("dpkg-shlibdeps", "dpkg-dev")?;
    // `dpkg-shlibdeps` works only beside the sources of a package.
    let sources = folder.with_file_name("sources");
    fs::create_dir_all(sources.join("debian"))?;
    fs::write(sources.join("debian/control"), "Source: adoube\n\nPackage: adoube\nArchitecture: amd64\n")?;
    let mut find = Command::new("dpkg-shlibdeps");
    find.current_dir(&sources).args(["-O", "-e"]).arg(folder.join("usr/bin/adoube"));
    let Some(found) = output_of(&mut find) else { bail!("`{}` failed", format_command(&find)) };
    let found = found.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    Ok(found.context("`dpkg-shlibdeps` found no libraries")?.to_owned())
}

fn control(about: &About, libraries: Option<&str>, size_kib: u64) -> String {
    let About { version, summary, description, .. } = about;
    // A hyphen separates the version from the revision.
    let version = version.replace('-', "~");
    let libraries = libraries.map_or_else(String::new, |libraries| format!(", {libraries}"));
    let description = description.replace('\n', "\n ");
    format!(
        "Package: adoube\nVersion: {version}-1\nArchitecture: amd64\nMaintainer: The adoube founders\n\
         Installed-Size: {size_kib}\nDepends: adduser | systemd | systemd-standalone-sysusers{libraries}\n\
         Recommends: ca-certificates\nSuggests: nginx | caddy\nSection: games\nPriority: optional\n\
         Description: {summary}\n {description}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_that_needs_libraries_depends_on_them() {
        let about = About {
            version: "1.0.0-rc.1".to_owned(),
            summary: "plays".to_owned(),
            description: "One line,\nand another.".to_owned(),
            is_static: true,
        };
        let text = control(&about, None, 7);
        for line in [
            "Version: 1.0.0~rc.1-1",
            "Installed-Size: 7",
            "Depends: adduser | systemd | systemd-standalone-sysusers",
            "Description: plays",
            " One line,",
            " and another.",
        ] {
            assert!(text.lines().any(|each| each == line), "`{line}` is missing:\n{text}");
        }
        let text = control(&about, Some("libc6 (>= 2.35)"), 7);
        assert!(text.contains("systemd-standalone-sysusers, libc6 (>= 2.35)\n"), "{text}");
    }
}
