//! Checks the packages of a release as users get them: installs the `.deb` in a clean Debian system, starts
//! the server from it, and waits for its first page.
//!
//! The binary is the one used by the tests, because these checks do not depend on optimisation, and a release
//! build would take longer than everything else.

use std::env;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::release::{self, Compression, Release};
use crate::repository::{Repository, output_of, run};
use crate::serve::{self, Profile};
use crate::{supply, tools};

/// Files that users of the packages expect.
const EXPECTED: [&str; 8] = [
    "/usr/bin/adoube",
    "/usr/lib/systemd/system/adoube.service",
    "/usr/lib/systemd/system/adoube-backup.timer",
    "/usr/lib/sysusers.d/adoube.conf",
    "/usr/share/man/man1/adoube-serve.1.gz",
    "/usr/share/bash-completion/completions/adoube",
    "/usr/share/doc/adoube/deployment.md",
    "/etc/adoube/adoube.toml",
];

/// Builds the packages and tests them. If this is not possible on this machine, prints a message and skips
/// the tests, or fails if the `CI` variable is set.
pub(crate) fn test(repository: &Repository) -> Result<()> {
    if let Err(why) = tools::clean_debian() {
        if env::var_os("CI").is_some() {
            return Err(why);
        }
        eprintln!("xtask: the installation of the package was not tested: {why:#}");
        return Ok(());
    }
    let built = serve::build(repository, Profile::Dev)?;
    // Half of the binary is line numbers for backtraces.
    let binary = repository.target("release-binary");
    run(Command::new("strip").arg("--output-file").arg(&binary).arg(&built))?;
    supply::sbom(repository)?;
    let release = release::package(repository, &binary, Compression::Fast)?;
    check_checksums(&release)?;
    check_rpm(&release.rpm)?;
    verify_units(repository)?;

    let root = Root::new(repository)?;
    let start = Instant::now();
    root.install(&release.deb)?;
    let installed = start.elapsed();
    root.check_files()?;
    let address = root.first_page()?;
    println!(
        "installed in {:.1} s; the first page was served after {:.1} s at {address}",
        installed.as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
    root.back_up()?;
    root.remove()
}

fn check_checksums(release: &Release) -> Result<()> {
    let folder = release.checksums.parent().context("the checksum file has no parent folder")?;
    run(Command::new("sha256sum").current_dir(folder).args(["--check", "--quiet"]).arg(&release.checksums))?;
    let files = output_of(Command::new("tar").arg("--list").arg("--file").arg(&release.archive));
    let files = files.context("the archive cannot be listed")?;
    let paths: Vec<_> = files.lines().filter_map(|line| Some(line.split_once('/')?.1)).collect();
    for path in [
        "adoube",
        "man/adoube-serve.1.gz",
        "completions/adoube",
        "systemd/adoube.service",
        "sbom/adoube.cdx.json",
        "Containerfile",
    ] {
        ensure!(paths.contains(&path), "the archive has no {path}:\n{files}");
    }
    Ok(())
}

/// Checks only the contents of the Fedora package, because it cannot be installed on Debian.
fn check_rpm(package: &Path) -> Result<()> {
    let query = |what: &str| output_of(Command::new("rpm").args(["--query", "--package", what]).arg(package));
    let files = query("--list").with_context(|| format!("`rpm` cannot read {}", package.display()))?;
    for name in EXPECTED {
        ensure!(files.lines().any(|line| line == name), "the .rpm has no {name}:\n{files}");
    }
    let scripts = query("--scripts").unwrap_or_default();
    ensure!(scripts.contains("systemd-sysusers adoube.conf"), "the .rpm does not create a user:\n{scripts}");
    let configuration = query("--configfiles").unwrap_or_default();
    ensure!(
        configuration == "/etc/adoube/adoube.toml",
        "an upgrade of the .rpm would overwrite adoube.toml; configuration files: {configuration}"
    );
    Ok(())
}

/// Has systemd check the units, if it is installed.
fn verify_units(repository: &Repository) -> Result<()> {
    if tools::find_on_path("systemd-analyze").is_none() {
        eprintln!("xtask: systemd-analyze is not installed, so the units were not checked");
        return Ok(());
    }
    for unit in ["adoube.service", "adoube.socket", "adoube-backup.service", "adoube-backup.timer"] {
        // Neither the manual pages nor the programs that the units name are installed on this machine.
        let output = Command::new("systemd-analyze")
            .args(["verify", "--man=no"])
            .arg(repository.path("deploy/systemd").join(unit))
            .output()?;
        let output_text = String::from_utf8_lossy(&output.stderr);
        let problems: Vec<&str> = output_text
            .lines()
            .filter(|line| line.contains("adoube") && !line.contains("is not executable: No such file"))
            .collect();
        ensure!(problems.is_empty(), "{unit}:\n{}", problems.join("\n"));
    }
    Ok(())
}

/// A Debian system with only the essential packages and `adduser`. Dropping it deletes the folder.
struct Root {
    folder: PathBuf,
}

impl Root {
    fn new(repository: &Repository) -> Result<Root> {
        let folder = repository.target("release-root");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let root = Root { folder };
        let release = fs::read_to_string("/etc/os-release")?;
        let name = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
        let name = name.context("/etc/os-release has no VERSION_CODENAME")?;
        run(Command::new("mmdebstrap")
            .args(["--quiet", "--mode=root", "--variant=essential", "--include=adduser", name])
            .arg(&root.folder))?;
        // As in a container, installing a package must not start services. Status 101 forbids it.
        let policy = root.folder.join("usr/sbin/policy-rc.d");
        fs::write(&policy, "#!/bin/sh\nexit 101\n")?;
        run(Command::new("chmod").arg("755").arg(&policy))?;
        Ok(root)
    }

    /// Returns a command that runs a program in this system.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.folder).arg(program).env_clear();
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    /// Returns the output of a shell command in this system, or an error if it fails.
    fn shell(&self, line: &str) -> Result<String> {
        let output = self.command("/bin/sh").args(["-ec", line]).output()?;
        let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "`{line}` in the clean root: {}\n{out}{error}", output.status);
        Ok(out.trim().to_owned())
    }

    fn install(&self, package: &Path) -> Result<()> {
        fs::copy(package, self.folder.join("adoube.deb"))?;
        run(self.command("dpkg").args(["--install", "/adoube.deb"]))
    }

    fn check_files(&self) -> Result<()> {
        for name in EXPECTED {
            ensure!(self.folder.join(&name[1..]).is_file(), "the .deb did not install {name}");
        }
        let owners = self.shell(
            "stat --format='%U:%G %a' /etc/adoube/adoube.toml /var/lib/adoube /var/lib/adoube/backups",
        )?;
        ensure!(
            owners == "root:adoube 640\nadoube:adoube 750\nadoube:adoube 700",
            "owners and permissions are wrong:\n{owners}"
        );
        let changed = self.shell("dpkg --verify adoube")?;
        ensure!(changed.is_empty(), "these files differ from the sums in the .deb:\n{changed}");
        self.shell("test -L /etc/systemd/system/multi-user.target.wants/adoube.service")?;
        let output_text = self.shell("adoube version && adoube help serve | head -1")?;
        ensure!(
            output_text.starts_with("adoube ") && output_text.contains("Serve the games"),
            "{output_text}"
        );
        Ok(())
    }

    /// Checks the configuration, starts the server as the user that its unit names, and waits for the first
    /// page. Returns the server's address.
    fn first_page(&self) -> Result<String> {
        // The port is free again when the listener is dropped at the end of the line.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr())?;
        self.shell(&format!("sed -i 's/^listen = .*/listen = \"{address}\"/' /etc/adoube/adoube.toml"))?;
        let line = "adoube config --check && adoube doctor && exec adoube serve";
        let mut server = Server(
            self.command("setpriv")
                .args([
                    "--reuid=adoube",
                    "--regid=adoube",
                    "--init-groups",
                    "--no-new-privs",
                    "/bin/sh",
                    "-c",
                ])
                .arg(line)
                .env("ADOUBE_LOG", "warn")
                .stdin(Stdio::null())
                .spawn()?,
        );
        let start = Instant::now();
        while start.elapsed() < Duration::from_mins(1) {
            if let Some(status) = server.0.try_wait()? {
                bail!("the installed server exited: {status}");
            }
            if let Some(page) = get(&address.to_string(), "/") {
                ensure!(page.contains("<title>"), "the first page is not HTML:\n{page}");
                let mode = self.shell("stat --format='%U %a' /var/lib/adoube/games.sqlite")?;
                ensure!(mode == "adoube 600", "games.sqlite has the wrong owner or permissions: {mode}");
                return Ok(address.to_string());
            }
            #[expect(clippy::disallowed_methods, reason = "another process: there is no event to wait for")]
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the installed server does not answer at http://{address}/")
    }

    /// Runs the timer's backup command twice, with a limit of one copy.
    fn back_up(&self) -> Result<()> {
        let backup =
            "setpriv --reuid=adoube --regid=adoube --init-groups env COPIES=1 /usr/lib/adoube/backup";
        let output_text =
            self.shell(&format!("{backup} && sleep 1.1 && {backup} && ls /var/lib/adoube/backups | wc -l"))?;
        ensure!(
            output_text.lines().next_back().map(str::trim) == Some("1"),
            "expected one copy, found: {output_text}"
        );
        Ok(())
    }

    /// Removes the package, and checks that the data remains.
    fn remove(&self) -> Result<()> {
        run(self.command("dpkg").args(["--purge", "adoube"]))?;
        ensure!(!self.folder.join("usr/bin/adoube").exists(), "the package left its program behind");
        ensure!(!self.folder.join("etc/adoube").exists(), "the package left its configuration behind");
        ensure!(self.folder.join("var/lib/adoube/games.sqlite").is_file(), "the package removed the data");
        Ok(())
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // If this fails, the folder stays in the target directory until the next run removes it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A server that is stopped when this is dropped. The shell that starts it replaces itself with the server
/// (`exec`), so the child process is the server itself.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the response to a GET request, if there is one and its status is 200.
fn get(address: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: text/html\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response).ok()?;
    let response = String::from_utf8_lossy(&response).into_owned();
    response.starts_with("HTTP/1.1 200").then_some(response)
}
