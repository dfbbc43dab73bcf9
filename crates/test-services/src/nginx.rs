use std::{
    fs, io,
    net::{Ipv4Addr, TcpStream},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{Cleanup, StartError, find_program, free_port};

const PROGRAM: &str = "nginx";
const INSTALL: &str = "apt-get install nginx";
/// The maximum time until nginx accepts connections.
const START_TIME: Duration = Duration::from_secs(20);
/// Maximum number of attempts. Each uses a different port, because another process may take a free port
/// before nginx does.
const ATTEMPTS: usize = 5;

/// An nginx server on the loopback interface, with a given configuration.
#[derive(Debug)]
pub struct Nginx {
    port: u16,
    /// Stops the server and deletes the folder.
    _cleanup: Cleanup,
}

impl Nginx {
    /// Starts nginx and waits until it accepts connections.
    ///
    /// `configuration` receives a folder and a port, and returns the whole configuration file. The file must
    /// name `FOLDER/pid` as its `pid`. The folder may contain other files too; it is deleted with the server.
    pub fn start(configuration: impl Fn(&Path, u16) -> String) -> Result<Self, StartError> {
        let failed = |error: io::Error| StartError::failed(PROGRAM, error);
        let program = find_program(PROGRAM, ["/usr/sbin".into(), "/usr/local/sbin".into()])
            .ok_or(StartError::Missing { program: PROGRAM, install: INSTALL })?;
        let mut attempt = 1;
        loop {
            let folder = tempfile::Builder::new().prefix("adoube-nginx-").tempdir().map_err(failed)?.keep();
            let (pid, log, file) = (folder.join("pid"), folder.join("log"), folder.join("nginx.conf"));
            let quit = r#"[ ! -f "$1" ] || kill -s TERM "$(cat "$1")""#;
            let stop =
                ["/bin/sh".into(), "-c".into(), quit.into(), "sh".into(), pid.clone().into_os_string()];
            let cleanup = Cleanup::new(&folder, stop, None).map_err(failed)?;
            let port = free_port().map_err(failed)?;
            fs::write(&file, configuration(&folder, port)).map_err(failed)?;
            let mut command = Command::new(&program);
            // nginx goes into the background once it is listening.
            command.arg("-p").arg(&folder).arg("-e").arg(&log).arg("-c").arg(&file);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
            let status = command.status().map_err(failed)?;
            let start = Instant::now();
            while status.success() && start.elapsed() < START_TIME {
                // The background process writes its pid file after the command has ended.
                if pid.is_file() && TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                    return Ok(Self { port, _cleanup: cleanup });
                }
                std::thread::park_timeout(Duration::from_millis(10));
            }
            let log = fs::read_to_string(&log).unwrap_or_default();
            if attempt == ATTEMPTS || !log.contains("Address already in use") {
                return Err(StartError::failed(PROGRAM, format!("{status}: {}", log.trim_end())));
            }
            attempt += 1;
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}
