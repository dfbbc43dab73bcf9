//! The server under load: started for the run, or running already.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use hyper::Method;
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep},
};

use crate::http;

#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    own: Option<Own>,
}

#[derive(Debug)]
struct Own {
    binary: PathBuf,
    data: PathBuf,
    preload: Option<PathBuf>,
    process: Child,
}

impl Server {
    pub(crate) fn running(address: SocketAddr) -> Self {
        Self { address, own: None }
    }

    pub(crate) async fn start(binary: &Path, data: &Path, preload: Option<&Path>) -> Result<Self> {
        // Free again when the listener is dropped at the end of the line.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let process = spawn(binary, data, preload, address)?;
        let own = Own {
            binary: binary.to_owned(),
            data: data.to_owned(),
            preload: preload.map(Path::to_owned),
            process,
        };
        let mut server = Self { address, own: Some(own) };
        server.wait().await?;
        Ok(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Kills the server as a crash would, and starts it again; returns how many milliseconds it took to answer.
    pub(crate) async fn kill_and_restart(&mut self) -> Result<u64> {
        let Some(own) = &mut self.own else { bail!("a server that was not started here is not killed") };
        own.process.kill().await?;
        let begin = Instant::now();
        own.process = spawn(&own.binary, &own.data, own.preload.as_deref(), self.address)?;
        self.wait().await?;
        Ok(u64::try_from(begin.elapsed().as_millis())?)
    }

    async fn wait(&mut self) -> Result<()> {
        let begin = Instant::now();
        loop {
            if let Some(own) = &mut self.own
                && let Some(status) = own.process.try_wait()?
            {
                bail!("the server ended: {status}");
            }
            if http::ask(self.address, 0, Method::GET, "/api/health", None, None).await.is_ok() {
                return Ok(());
            }
            if begin.elapsed() > Duration::from_secs(30) {
                bail!("the server does not answer http://{}/api/health", self.address);
            }
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// The memory that is really used, where the system tells it.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        let process = self.own.as_ref()?.process.id()?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some((kib * 1.024 / 10.0).round() / 100.0)
    }
}

fn spawn(binary: &Path, data: &Path, preload: Option<&Path>, address: SocketAddr) -> Result<Child> {
    let mut command = Command::new(binary);
    command.arg("serve").arg("--listen").arg(address.to_string());
    command.arg("--data").arg(data.join("load.sqlite"));
    // A line for every turn would be measured, too.
    command.env("ADOUBE_LOG", "warn").stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    if let Some(preload) = preload {
        command.env("LD_PRELOAD", preload);
    }
    command.spawn().with_context(|| format!("{} could not be started", binary.display()))
}
