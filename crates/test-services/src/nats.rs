use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{Cleanup, StartError, find_program, free_port, program};

const PROGRAM: &str = "nats-server";
const INSTALL: &str = "apt-get install nats-server";
/// The maximum time until the server answers.
const START_TIME: Duration = Duration::from_secs(20);
/// Maximum number of attempts. Each uses different ports, because another process may take a free one.
const ATTEMPTS: usize = 5;

/// A NATS server.
///
/// It listens on two ports of the loopback interface, for clients and for monitoring
/// ([`request`](Self::request)), and keeps both when it is restarted.
#[derive(Debug)]
pub struct Nats {
    /// The process, while it is running.
    process: Mutex<Option<Child>>,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    monitor: u16,
    /// Kills the server, if it is still running, and deletes the folder.
    _cleanup: Cleanup,
}

impl Nats {
    /// Starts a server and waits until it answers.
    pub fn start() -> Result<Self, StartError> {
        Self::start_with(|_| String::new())
    }

    /// Starts a server with additional settings, in the format of its configuration file. The callback
    /// receives a folder for files that the settings name, and returns the settings. The folder is deleted
    /// with the server.
    pub fn start_with(settings: impl FnOnce(&Path) -> String) -> Result<Self, StartError> {
        let failed = |error: io::Error| StartError::failed(PROGRAM, error);
        let program = find_program(PROGRAM, ["/usr/sbin".into(), "/usr/local/bin".into()])
            .ok_or(StartError::Missing { program: PROGRAM, install: INSTALL })?;
        let folder = tempfile::Builder::new().prefix("adoube-nats-").tempdir().map_err(failed)?.keep();
        let kill = r#"[ ! -f "$1" ] || kill -s KILL "$(cat "$1")""#;
        let pid = folder.join("pid");
        let stop = ["/bin/sh".into(), "-c".into(), kill.into(), "sh".into(), pid.into_os_string()];
        let cleanup = Cleanup::new(&folder, stop, None).map_err(failed)?;
        fs::write(folder.join("settings"), settings(&folder)).map_err(failed)?;
        let process = Mutex::default();
        let mut server = Self { process, program, folder, port: 0, monitor: 0, _cleanup: cleanup };
        let mut attempt = 1;
        loop {
            server.port = free_port().map_err(failed)?;
            server.monitor = free_port().map_err(failed)?;
            match server.restart() {
                Err(error) if attempt < ATTEMPTS && error.to_string().contains("address already in use") => {
                    attempt += 1;
                }
                Err(error) => return Err(error),
                Ok(()) => return Ok(server),
            }
        }
    }

    /// Starts the server on its old ports after [`kill`](Self::kill), and waits until it answers.
    pub fn restart(&self) -> Result<(), StartError> {
        let failed = |error: io::Error| StartError::failed(PROGRAM, error);
        let log = self.folder.join("log");
        // A log from an earlier start would be misleading.
        let _ = fs::remove_file(&log);
        let mut command = Command::new(&self.program);
        command.arg("--config").arg(self.folder.join("settings"));
        command.args(["--addr", "127.0.0.1", "--port", &self.port.to_string()]);
        command.args(["--http_port", &self.monitor.to_string()]);
        command.arg("--pid").arg(self.pid_file()).arg("--log").arg(&log);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
        let mut process = command.spawn().map_err(failed)?;
        let start = Instant::now();
        let reason = loop {
            // Once the server sends its greeting, it can serve clients.
            if self.greeting().is_ok_and(|greeting| greeting.starts_with("INFO ")) {
                *self.process() = Some(process);
                return Ok(());
            }
            if let Some(status) = process.try_wait().map_err(failed)? {
                break status.to_string();
            }
            if start.elapsed() > START_TIME {
                break "it is not responding".to_owned();
            }
            std::thread::park_timeout(Duration::from_millis(10));
        };
        let _ = process.kill();
        let _ = process.wait();
        let log = fs::read_to_string(&log).unwrap_or_default();
        let mut tail: Vec<_> = log.lines().rev().take(3).collect();
        tail.reverse();
        Err(StartError::failed(PROGRAM, format!("{reason}: {}", tail.join(" / "))))
    }

    fn greeting(&self) -> io::Result<String> {
        let stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line)?;
        Ok(line)
    }

    /// Kills the server (`SIGKILL`).
    pub fn kill(&self) {
        if let Some(mut process) = self.process().take() {
            // It may have exited already.
            let _ = process.kill();
            let _ = process.wait();
            // The process id may be reused from now on.
            let _ = fs::remove_file(self.pid_file());
        }
    }

    /// Suspends the server (`SIGSTOP`) until [`resume`](Self::resume). Connections stay open and get no
    /// response.
    pub fn pause(&self) -> Result<(), StartError> {
        self.signal("STOP")?;
        let id = self.process().as_ref().map(Child::id);
        if id.is_none_or(program::wait_until_stopped) {
            Ok(())
        } else {
            Err(StartError::failed(PROGRAM, "it is still running after SIGSTOP"))
        }
    }

    /// Resumes the server after [`pause`](Self::pause).
    pub fn resume(&self) -> Result<(), StartError> {
        self.signal("CONT")
    }

    fn signal(&self, name: &str) -> Result<(), StartError> {
        let process = self.process();
        let id = process.as_ref().map(Child::id);
        let id = id.ok_or_else(|| StartError::failed(PROGRAM, "it is not running"))?;
        let mut kill = Command::new("/bin/sh");
        kill.args(["-c", r#"kill -s "$1" "$2""#, "sh", name, &id.to_string()]);
        match kill.status() {
            Ok(status) if status.success() => Ok(()),
            other => Err(StartError::failed(PROGRAM, format!("SIG{name} was not sent: {other:?}"))),
        }
    }

    /// Returns the address for clients.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Requests a monitoring page, for instance `/connz?subs=1` for the clients and their subscriptions.
    /// Returns JSON.
    pub fn request(&self, path: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.monitor))?;
        stream.set_read_timeout(Some(START_TIME))?;
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n")?;
        let mut response = String::new();
        stream.read_to_string(&mut response)?;
        let body = response.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        body.ok_or_else(|| io::Error::other(format!("not an HTTP response: {response:?}")))
    }

    fn pid_file(&self) -> PathBuf {
        self.folder.join("pid")
    }

    fn process(&self) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
