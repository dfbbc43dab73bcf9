//! The Fedora package, which `rpmbuild` makes from a generated spec file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::tree::{Tree, mode};
use super::{About, Compression, Contents};
use crate::repository::{Repository, run};

/// Settings of `rpmbuild`. With them, the files are packaged as they are, and the package depends only on its
/// files and on `SOURCE_DATE_EPOCH`.
const MACROS: [&str; 7] = [
    "debug_package %{nil}",
    "__os_install_post %{nil}",
    "_build_id_links none",
    "_buildhost localhost",
    "use_source_date_epoch_as_buildtime 1",
    "clamp_mtime_to_source_date_epoch 1",
    "_builddir %{_topdir}",
];

/// The scripts of the package, with the names of their sections in a spec file.
const SCRIPTS: [&str; 3] = ["post", "preun", "postun"];

/// Makes the package `package`. Its folder also gets the files from which it is made.
pub(super) fn build(repository: &Repository, contents: &Contents, package: &Path) -> Result<()> {
    let Contents { about, tree, compression, source_date } = contents;
    let folder = package.parent().context("the package has no folder")?;
    let name = package.file_name().and_then(|name| name.to_str()).context("the package has no name")?;
    let mut scripts = Vec::new();
    for section in SCRIPTS {
        let script = fs::read_to_string(repository.path(&format!("deploy/package/rpm/{section}")))?;
        scripts.push((section, script));
    }
    let spec = folder.join("adoube.spec");
    fs::write(&spec, text(about, tree, &scripts))?;
    let payload = match compression {
        Compression::Best => "w19.zstdio",
        Compression::Fast => "w.ufdio",
    };
    let mut build = Command::new("rpmbuild");
    build.current_dir(folder).env("SOURCE_DATE_EPOCH", source_date);
    build.args(["-bb", "--quiet", "--target", "x86_64-linux"]);
    let own = [
        format!("_topdir {}", folder.join("rpmbuild").display()),
        format!("_rpmdir {}", folder.display()),
        format!("_rpmfilename {name}"),
        format!("_binary_payload {payload}"),
    ];
    for definition in MACROS.map(str::to_owned).iter().chain(&own) {
        build.args(["--define", definition]);
    }
    fs::create_dir_all(folder.join("rpmbuild"))?;
    run(build.arg(&spec))
}

fn text(about: &About, tree: &Tree, scripts: &[(&str, String)]) -> String {
    let About { version, summary, description, is_static } = about;
    // A hyphen separates the version from the release.
    let version = version.replace('-', "~");
    let mut text = format!(
        "Name: adoube\nVersion: {version}\nRelease: 1\nSummary: {}\nLicense: MIT OR Apache-2.0\n\
         Requires: systemd\nRecommends: ca-certificates\n",
        escaped(summary)
    );
    // Otherwise `rpmbuild` finds the libraries that the program needs.
    if *is_static {
        text.push_str("AutoReq: no\n");
    }
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\n%description\n{}\n\n%install\nmkdir -p %{{buildroot}}\ncp -R --preserve=mode '{}/.' %{{buildroot}}\n",
        escaped(description),
        tree.root().display(),
    );
    let moved: Vec<_> =
        tree.files().iter().filter(|file| place(file) != file.display().to_string()).collect();
    for file in moved {
        let _ = write!(
            text,
            "install -D --mode={:o} '%{{buildroot}}/{from}' '%{{buildroot}}/{to}'\nrm '%{{buildroot}}/{from}'\n",
            mode(file),
            from = file.display(),
            to = place(file),
        );
    }
    for (section, script) in scripts {
        let _ = write!(text, "\n%{section}\n{}", escaped(script));
    }
    text.push_str("\n%files\n%defattr(-,root,root)\n");
    for folder in folders(tree) {
        let _ = writeln!(text, "%dir /{folder}");
    }
    for file in tree.files() {
        let kind = if file.starts_with("etc") { "%config(noreplace) " } else { "" };
        let _ = writeln!(text, "{kind}%attr({:o},root,root) /{}", mode(file), place(file));
    }
    text
}

/// Returns the text of a spec file that stands for this text, in which nothing is a macro.
fn escaped(text: &str) -> String {
    text.replace('%', "%%")
}

/// Returns the path of a file on Fedora, which looks for zsh's completions in another folder than Debian.
fn place(file: &Path) -> String {
    file.display().to_string().replace("zsh/vendor-completions", "zsh/site-functions")
}

/// Returns the folders that belong to the package: those named `adoube`, and all folders in them.
fn folders(tree: &Tree) -> BTreeSet<String> {
    let parents = tree.files().iter().flat_map(|file| file.ancestors().skip(1));
    let own = parents.filter(|folder| folder.iter().any(|name| name == "adoube"));
    own.map(|folder| folder.display().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spec_has_all_files_and_scripts_and_keeps_the_settings() {
        let files = ["etc/adoube/adoube.toml", "usr/bin/adoube", "usr/share/zsh/vendor-completions/_adoube"];
        let tree = Tree::of_files(&files);
        let about = About {
            version: "1.0.0-rc.1".to_owned(),
            summary: "plays".to_owned(),
            description: "at 100 %".to_owned(),
            is_static: true,
        };
        let scripts = [("post", "printf '%s' 1\n".to_owned())];
        let spec = text(&about, &tree, &scripts);
        for line in [
            "Version: 1.0.0~rc.1",
            "AutoReq: no",
            "at 100 %%",
            "%post",
            "printf '%%s' 1",
            "%dir /etc/adoube",
            "%config(noreplace) %attr(644,root,root) /etc/adoube/adoube.toml",
            "%attr(755,root,root) /usr/bin/adoube",
            "%attr(644,root,root) /usr/share/zsh/site-functions/_adoube",
            "rm '%{buildroot}/usr/share/zsh/vendor-completions/_adoube'",
        ] {
            assert!(spec.lines().any(|each| each == line), "`{line}` is missing:\n{spec}");
        }
        assert!(!text(&About { is_static: false, ..about }, &tree, &[]).contains("AutoReq"));
    }
}
