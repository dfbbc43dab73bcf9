//! The server under load: a process of our own, so that it can be killed and weighed.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::PathBuf,
    process::Stdio,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use tokio::{
    process::{Child, Command},
    time::Instant,
};

use crate::{flags::Flags, http::Visitor};

/// For a server to answer.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    binary: PathBuf,
    folder: PathBuf,
    preload: Option<PathBuf>,
    process: Mutex<Option<Child>>,
}

impl Server {
    pub(crate) async fn start(flags: &Flags) -> Result<Self> {
        if flags.folder.exists() {
            fs::remove_dir_all(&flags.folder)?;
        }
        fs::create_dir_all(&flags.folder)?;
        // The port is free again when the listener is dropped at the end of the line.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let server = Self {
            address,
            binary: flags.adoube.clone(),
            folder: flags.folder.clone(),
            preload: flags.preload.clone(),
            process: Mutex::default(),
        };
        server.run().await?;
        Ok(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts the process, and returns how long it took until it answered.
    async fn run(&self) -> Result<f64> {
        let begun = Instant::now();
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("server.log"))?;
        let mut command = Command::new(&self.binary);
        command
            .arg("serve")
            .args(["--listen", &self.address.to_string()])
            .arg("--data")
            .arg(self.folder.join("games.sqlite"))
            // All visitors come from one address here.
            .args(["--set", "limits.connections=60000", "--set", "limits.connections_per_address=60000"])
            .args(["--set", "limits.creations=1000000", "--set", "log=warn"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .kill_on_drop(true);
        if let Some(preload) = &self.preload {
            command.env("LD_PRELOAD", preload);
        }
        let child = command.spawn().with_context(|| format!("{} does not start", self.binary.display()))?;
        *self.process.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        while Visitor::default().ask(self.address, "GET", "/api/hall", None).await.is_err() {
            if begun.elapsed() > PATIENCE {
                bail!("the server does not answer; see {}", self.folder.join("server.log").display());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    fn take(&self) -> Result<Child> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).take().context("the server is gone")
    }

    /// Kills it as a loss of power would, and returns how long the next one took until it answered.
    pub(crate) async fn kill_and_restart(&self) -> Result<f64> {
        self.take()?.kill().await?;
        self.run().await
    }

    pub(crate) async fn stop(&self) -> Result<()> {
        Ok(self.take()?.kill().await?)
    }

    /// Memory of the process, where the system tells it this way.
    pub(crate) fn memory_mib(&self) -> f64 {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let status = process
            .as_ref()
            .and_then(Child::id)
            .and_then(|id| fs::read_to_string(format!("/proc/{id}/status")).ok())
            .unwrap_or_default();
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = kib.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }

    /// The most memory until then, looked at every now and then.
    pub(crate) async fn peak_memory(self: std::sync::Arc<Self>, until: Instant) -> f64 {
        let mut peak = 0.0f64;
        while Instant::now() < until {
            peak = peak.max(self.memory_mib());
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        peak
    }
}
