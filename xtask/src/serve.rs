//! Runs the server, either with its data in the checkout or, for tests, with temporary data.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{self, Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::repository::{Repository, format_command, run};
use crate::test::TESTED;
use crate::web;

pub(crate) fn serve(repository: &Repository, arguments: &[String]) -> Result<()> {
    web::build(repository)?;
    let binary = build(repository, Profile::Local)?;
    let data = repository.path("data");
    fs::create_dir_all(&data).with_context(|| format!("{} cannot be created", data.display()))?;
    let mut server = repository.command(binary);
    server.arg("serve").arg("--data").arg(data.join("adoube.sqlite")).args(arguments);
    exec(&mut server)
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Profile {
    Dev,
    /// Optimised, but without link-time optimisation.
    Local,
    Release,
}

/// The maximum size of the stripped release binary, in bytes.
const MAX_RELEASE_BYTES: u64 = 32_000_000;

/// Compiles the `adoube` binary, and returns its path. Warns if a release binary has become too large,
/// because CI, which does not build one, would not notice.
pub(crate) fn build(repository: &Repository, profile: Profile) -> Result<PathBuf> {
    let folder = match profile {
        // Builds the binary by building one of its tests. The binary alone would be compiled with fewer
        // features of its dependencies than the tests of the whole workspace, so some forty crates would be
        // compiled twice.
        Profile::Dev => {
            run(repository.cargo().args(["test", "--no-run"]).args(TESTED).args(["--test", "nodes"]))?;
            "debug"
        }
        Profile::Local => build_binary(repository, "local")?,
        Profile::Release => build_binary(repository, "release")?,
    };
    let binary = repository.target(folder).join(format!("adoube{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::metadata(&binary).with_context(|| format!("{} is missing", binary.display()))?.len();
    if matches!(profile, Profile::Release) && bytes > MAX_RELEASE_BYTES {
        eprintln!(
            "warning: {} is {bytes} bytes long, more than the {MAX_RELEASE_BYTES} allowed; \
             [profile.release.package] in Cargo.toml says which crates are optimised for size",
            binary.display()
        );
    }
    Ok(binary)
}

/// Compiles the binary with a profile that has a folder of the same name, and returns that name.
fn build_binary(repository: &Repository, profile: &'static str) -> Result<&'static str> {
    let binary = ["--package", "adoube-cli", "--bin", "adoube"];
    run(repository.cargo().args(["build", "--profile", profile]).args(binary))?;
    Ok(profile)
}

/// A server on a free port with its own data. Dropping it stops the server and deletes the data.
#[derive(Debug)]
pub(crate) struct TemporaryServer {
    process: Child,
    data: PathBuf,
    address: SocketAddr,
}

impl TemporaryServer {
    /// Starts the binary, and waits until it reports that it is healthy.
    pub(crate) fn start(repository: &Repository, binary: PathBuf) -> Result<TemporaryServer> {
        let data = repository.target(&format!("xtask/served-{}", process::id()));
        fs::create_dir_all(&data).with_context(|| format!("{} cannot be created", data.display()))?;
        // The port is free again when the listener is dropped at the end of the line.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr())?;
        let mut command = repository.command(binary);
        command.arg("serve").arg("--listen").arg(address.to_string());
        command.arg("--data").arg(data.join("games.sqlite"));
        // Otherwise every turn would add a log line to the output of the tests.
        command.env("ADOUBE_LOG", "warn");
        eprintln!("$ {} &", format_command(&command));
        let process = command
            .spawn()
            .with_context(|| format!("`{}` could not be started", format_command(&command)))?;
        let mut server = TemporaryServer { process, data, address };
        server.wait_until_it_answers()?;
        Ok(server)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn wait_until_it_answers(&mut self) -> Result<()> {
        const TIMEOUT: Duration = Duration::from_secs(30);
        let start = Instant::now();
        while !is_healthy(self.address) {
            if let Some(status) = self.process.try_wait()? {
                bail!("the test server exited: {status}");
            }
            if start.elapsed() > TIMEOUT {
                bail!("the test server does not answer at {}/api/health", self.url());
            }
            #[expect(clippy::disallowed_methods, reason = "another process: there is no event to wait for")]
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for TemporaryServer {
    fn drop(&mut self) {
        // It may already have exited. Files that cannot be removed stay with the build results.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.data);
    }
}

/// Returns `true` if the server at this address reports that it is healthy.
fn is_healthy(address: SocketAddr) -> bool {
    let status_line = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        let request = format!("GET /api/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut line = [0; 12];
        stream.read_exact(&mut line)?;
        std::io::Result::Ok(line)
    };
    status_line().is_ok_and(|line| &line == b"HTTP/1.1 200")
}

/// Replaces this process with the server, so that signals reach it.
#[cfg(unix)]
fn exec(server: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;

    eprintln!("$ {}", format_command(server));
    Err(server.exec()).with_context(|| format!("`{}` could not be started", format_command(server)))
}

#[cfg(not(unix))]
fn exec(server: &mut Command) -> Result<()> {
    run(server)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    /// Starts a server that sends these bytes in response to one request. Returns its address.
    fn responding(response: &'static [u8]) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // Read the whole request, because unread data would reset the connection before the response
            // arrives.
            let request = BufReader::new(&stream).lines().map_while(Result::ok);
            let request: Vec<String> = request.take_while(|line| !line.is_empty()).collect();
            assert_eq!(request[0], "GET /api/health HTTP/1.1");
            stream.write_all(response).unwrap();
        });
        address
    }

    #[test]
    fn only_status_200_is_healthy() {
        assert!(is_healthy(responding(b"HTTP/1.1 200 OK\r\n\r\nok\n")));
        assert!(!is_healthy(responding(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")));
        assert!(!is_healthy(responding(b"")));
    }

    #[test]
    fn a_server_that_exits_is_reported() {
        let repository = Repository::find().unwrap();
        let error = TemporaryServer::start(&repository, "false".into()).unwrap_err().to_string();
        assert!(error.starts_with("the test server exited"), "{error}");
    }
}
