//! The manifest from which `cargo deb` and `cargo generate-rpm` make their packages.
//!
//! They read it from a `Cargo.toml`. The workspace's own is not used, because some of the packaged files are
//! generated, and because one list of files serves both tools.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::tree::{Tree, mode};
use crate::repository::Repository;

/// Writes the manifest and its scripts into the package folder.
///
/// If the program is not statically linked, its package declares the libraries it needs.
pub(super) fn write(
    repository: &Repository,
    folder: &Path,
    version: &str,
    tree: &Tree,
    is_static: bool,
) -> Result<()> {
    let script = |name: &str| fs::read_to_string(repository.path(&format!("deploy/package/{name}")));
    fs::create_dir_all(folder.join("debian"))?;
    for name in ["postinst", "prerm", "postrm"] {
        fs::write(folder.join("debian").join(name), script(&format!("debian/{name}"))?)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    let rpm = [
        ("post_install_script", script("rpm/post")?),
        ("pre_uninstall_script", script("rpm/preun")?),
        ("post_uninstall_script", script("rpm/postun")?),
    ];
    let description = script("description.txt")?;
    let (summary, description) = description.split_once('\n').context("the package has no description")?;
    let about = About { version, summary, description: description.trim_end(), is_static };
    fs::write(folder.join("Cargo.toml"), text(&about, tree, &rpm))?;
    Ok(())
}

struct About<'a> {
    version: &'a str,
    summary: &'a str,
    description: &'a str,
    is_static: bool,
}

fn text(about: &About<'_>, tree: &Tree, rpm_scripts: &[(&str, String)]) -> String {
    let About { version, summary, description, is_static } = *about;
    let mut text = format!(
        "[workspace]\n\n[package]\nname = \"adoube\"\nversion = \"{version}\"\nedition = \"2024\"\n\
         description = \"{summary}\"\nlicense = \"MIT OR Apache-2.0\"\n\n\
         [package.metadata.deb]\nmaintainer = \"The adoube founders\"\nsection = \"games\"\n\
         priority = \"optional\"\nextended-description = \"\"\"\n{description}\"\"\"\n\
         depends = \"$auto, adduser | systemd | systemd-standalone-sysusers\"\nrecommends = \"ca-certificates\"\n\
         suggests = \"nginx | caddy\"\nmaintainer-scripts = \"debian/\"\nassets = [\n"
    );
    for file in tree.files() {
        let (path, mode) = (file.display(), mode(file));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    [\"root/{path}\", \"{path}\", \"{mode:o}\"],");
    }
    text.push_str("]\n\n[package.metadata.generate-rpm]\n");
    if is_static {
        text.push_str("auto-req = \"disabled\"\n");
    }
    for (name, script) in rpm_scripts {
        let _ = writeln!(text, "{name} = '''\n{script}'''");
    }
    text.push_str("assets = [\n");
    for file in tree.files() {
        let (path, mode) = (file.display(), mode(file));
        let place = path.to_string().replace("zsh/vendor-completions", "zsh/site-functions");
        let config = if file.starts_with("etc") { ", config = \"noreplace\"" } else { "" };
        let _ = writeln!(
            text,
            "    {{ source = \"root/{path}\", dest = \"/{place}\", mode = \"{mode:o}\"{config} }},"
        );
    }
    text.push_str("]\n\n[package.metadata.generate-rpm.requires]\nsystemd = \"*\"\n\n[package.metadata.generate-rpm.recommends]\nca-certificates = \"*\"\n");
    text
}
