//! The files of a package, as they are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::repository::{Repository, output_of, run};

/// Files in the repository and their paths in the package.
const FILES: [(&str, &str); 32] = [
    ("deploy/package/adoube.toml", "etc/adoube/adoube.toml"),
    ("deploy/package/backup", "usr/lib/adoube/backup"),
    ("deploy/systemd/adoube.service", "usr/lib/systemd/system/adoube.service"),
    ("deploy/systemd/adoube.socket", "usr/lib/systemd/system/adoube.socket"),
    ("deploy/systemd/adoube-backup.service", "usr/lib/systemd/system/adoube-backup.service"),
    ("deploy/systemd/adoube-backup.timer", "usr/lib/systemd/system/adoube-backup.timer"),
    ("deploy/systemd/adoube.sysusers", "usr/lib/sysusers.d/adoube.conf"),
    ("deploy/systemd/adoube.tmpfiles", "usr/lib/tmpfiles.d/adoube.conf"),
    ("README.md", "usr/share/doc/adoube/README.md"),
    ("CHANGELOG.md", "usr/share/doc/adoube/CHANGELOG.md"),
    ("LICENSE-APACHE", "usr/share/doc/adoube/LICENSE-APACHE"),
    ("LICENSE-MIT", "usr/share/doc/adoube/LICENSE-MIT"),
    ("docs/deployment.md", "usr/share/doc/adoube/deployment.md"),
    ("docs/installation.md", "usr/share/doc/adoube/installation.md"),
    ("docs/administration.md", "usr/share/doc/adoube/administration.md"),
    ("docs/guide-administrateur.md", "usr/share/doc/adoube/guide-administrateur.md"),
    ("docs/upgrading.md", "usr/share/doc/adoube/upgrading.md"),
    ("docs/operating.md", "usr/share/doc/adoube/operating.md"),
    ("docs/postgresql.md", "usr/share/doc/adoube/postgresql.md"),
    ("deploy/proxy/Caddyfile", "usr/share/doc/adoube/examples/Caddyfile"),
    ("deploy/proxy/Caddyfile-path", "usr/share/doc/adoube/examples/Caddyfile-path"),
    ("deploy/proxy/nginx-site.conf", "usr/share/doc/adoube/examples/nginx-site.conf"),
    ("deploy/proxy/nginx-path.conf", "usr/share/doc/adoube/examples/nginx-path.conf"),
    ("deploy/fail2ban/filter.conf", "usr/share/doc/adoube/examples/fail2ban/filter.conf"),
    ("deploy/fail2ban/jail.conf", "usr/share/doc/adoube/examples/fail2ban/jail.conf"),
    ("deploy/grafana/adoube.json", "usr/share/doc/adoube/examples/grafana/adoube.json"),
    ("deploy/Containerfile", "usr/share/doc/adoube/examples/Containerfile"),
    ("deploy/Containerfile", "usr/share/doc/adoube/examples/several-machines/Containerfile"),
    ("deploy/adoube.toml", "usr/share/doc/adoube/examples/several-machines/adoube.toml"),
    ("deploy/compose.yaml", "usr/share/doc/adoube/examples/several-machines/compose.yaml"),
    ("deploy/nginx.conf", "usr/share/doc/adoube/examples/several-machines/nginx.conf"),
    ("deploy/README.md", "usr/share/doc/adoube/examples/several-machines/README.md"),
];

/// Bills of materials, in the build folder.
const BILLS: [&str; 2] = ["adoube.cdx.json", "web.cdx.json"];

/// Installed files and folders, and their paths in the archive.
const IN_ARCHIVE: [(&str, &str); 9] = [
    ("usr/bin/adoube", "adoube"),
    ("usr/lib/adoube/backup", "systemd/backup"),
    ("usr/lib/systemd/system", "systemd"),
    ("usr/lib/sysusers.d", "systemd/sysusers.d"),
    ("usr/lib/tmpfiles.d", "systemd/tmpfiles.d"),
    ("usr/share/man/man1", "man"),
    ("usr/share/doc/adoube", "."),
    ("etc/adoube/adoube.toml", "adoube.toml"),
    ("usr/share/bash-completion/completions", "completions"),
];

/// The files of a package under a root folder, at the paths where they will be installed.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    /// Paths relative to the root, sorted.
    files: Vec<PathBuf>,
}

impl Tree {
    /// Collects the files of a release in a new folder.
    pub(super) fn collect(repository: &Repository, binary: &Path, root: &Path) -> Result<Tree> {
        let destination = |path: &str| -> Result<PathBuf> {
            let file = root.join(path);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            Ok(file)
        };
        let program = destination("usr/bin/adoube")?;
        fs::copy(binary, &program).with_context(|| format!("{} cannot be copied", binary.display()))?;
        for (from, to) in FILES {
            fs::copy(repository.path(from), destination(to)?)
                .with_context(|| format!("{from} cannot be copied"))?;
        }
        for bill in BILLS {
            let from = repository.target("sbom").join(bill);
            // The bill of materials for the page is missing if npm is too old to write it.
            if from.is_file() {
                fs::copy(from, destination(&format!("usr/share/doc/adoube/sbom/{bill}"))?)?;
            }
        }
        let manual = destination("usr/share/man/man1/adoube.1")?;
        let folder = manual.parent().unwrap_or(root);
        run(Command::new(&program).arg("manual").arg(folder))?;
        let pages = fs::read_dir(folder)?.flatten().map(|page| page.path()).collect::<Vec<_>>();
        ensure!(
            pages.iter().any(|page| page.ends_with("adoube-serve.1")),
            "the manual has no page for `serve`"
        );
        run(Command::new("gzip").args(["--best", "--no-name"]).args(pages))?;
        for (shell, path) in [
            ("bash", "usr/share/bash-completion/completions/adoube"),
            ("zsh", "usr/share/zsh/vendor-completions/_adoube"),
            ("fish", "usr/share/fish/vendor_completions.d/adoube.fish"),
        ] {
            let text = output_of(Command::new(&program).args(["completions", shell]));
            fs::write(destination(path)?, text.context("`adoube completions` failed")? + "\n")?;
        }
        let mut files = Vec::new();
        list(root, root, &mut files)?;
        files.sort();
        let tree = Tree { root: root.to_owned(), files };
        for file in &tree.files {
            set_mode(&root.join(file), mode(file))?;
            // The user's umask may have given new folders other permissions.
            for folder in file.ancestors().skip(1) {
                set_mode(&root.join(folder), 0o755)?;
            }
        }
        Ok(tree)
    }

    /// Returns the folder that contains the files.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the paths relative to the root.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns a tree with these files, sorted, for tests that read none.
    #[cfg(test)]
    pub(super) fn of_files(files: &[&str]) -> Tree {
        Tree { root: "/root".into(), files: files.iter().map(PathBuf::from).collect() }
    }

    /// Copies the files into a folder, in the layout that users expect of an archive.
    pub(super) fn arrange_archive(&self, repository: &Repository, folder: &Path) -> Result<()> {
        for file in &self.files {
            let to = IN_ARCHIVE.iter().find_map(|(from, to)| Some((file.strip_prefix(from).ok()?, to)));
            let to = match to {
                Some((rest, to)) if rest.as_os_str().is_empty() => folder.join(to),
                Some((rest, to)) => folder.join(to).join(rest),
                None if file.starts_with("usr/share/zsh") => folder.join("completions/_adoube"),
                None if file.starts_with("usr/share/fish") => folder.join("completions/adoube.fish"),
                None => continue,
            };
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::copy(self.root.join(file), to)?;
        }
        // The Containerfile builds an image from its own folder, so it goes next to the binary.
        fs::copy(repository.path("deploy/Containerfile"), folder.join("Containerfile"))?;
        Ok(())
    }
}

/// Returns the permissions of a file.
pub(super) fn mode(file: &Path) -> u32 {
    if file.starts_with("usr/bin") || file.starts_with("usr/lib/adoube") { 0o755 } else { 0o644 }
}

fn list(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else {
            files.push(path.strip_prefix(root)?.to_owned());
        }
    }
    Ok(())
}

#[cfg(unix)]
pub(super) fn set_mode(file: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(file, fs::Permissions::from_mode(mode))?)
}

#[cfg(not(unix))]
pub(super) fn set_mode(_: &Path, _: u32) -> Result<()> {
    Ok(())
}
