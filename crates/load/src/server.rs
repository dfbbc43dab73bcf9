//! The server under load, which is either started for the run or already running.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use hyper::Method;
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};

use crate::{Arguments, http, report::Sample};

/// The way a server is stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum StopMethod {
    /// SIGKILL: bytes already handed to the operating system are kept
    Kill,
    /// SIGTERM: the server closes its connections and its database
    Terminate,
    /// SIGKILL, and all bytes that were not synced are lost; needs `--preload`
    PowerCut,
    /// The disk refuses to sync, and the server exits on its own; needs `--preload`
    SyncFailure,
}

/// The interval at which a sync is made to fail until the server exits. One failure may not be enough,
/// because not every sync stores data.
const SYNC_FAILURE_INTERVAL: Duration = Duration::from_secs(2);
/// The maximum time until a server exits after SIGTERM or a failed sync.
const EXIT_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    started: Option<(Launch, Child)>,
}

/// Settings for starting and stopping a server during this run.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    binary: PathBuf,
    /// The program that a rolling restart starts.
    newest: PathBuf,
    /// The folder for the data.
    data: PathBuf,
    /// The address of the database, if it is not a file in the folder `data`.
    database: Option<String>,
    /// The address of the bus, if there is one.
    bus: Option<String>,
    stop_method: StopMethod,
    preload: Option<PathBuf>,
    environment: Vec<(String, String)>,
    /// Settings, each as `name=value`.
    settings: Vec<String>,
}

impl Launch {
    pub(crate) fn new(binary: &Path, data: &Path, arguments: &Arguments) -> Self {
        let pair = |text: &String| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            (name.to_owned(), value.to_owned())
        };
        Self {
            binary: binary.to_owned(),
            newest: arguments.server.clone().unwrap_or_else(|| binary.to_owned()),
            data: data.to_owned(),
            database: None,
            bus: None,
            stop_method: arguments.by,
            preload: arguments.preload.clone(),
            environment: arguments.environment.iter().map(pair).collect(),
            // All visitors come from this machine.
            settings: vec!["limits=club".to_owned()],
        }
    }

    /// Returns a launch with the given settings. The server is stopped with `SIGTERM`.
    pub(crate) fn with_settings(binary: &Path, data: &Path, settings: Vec<String>) -> Self {
        Self {
            binary: binary.to_owned(),
            newest: binary.to_owned(),
            data: data.to_owned(),
            database: None,
            bus: None,
            stop_method: StopMethod::Terminate,
            preload: None,
            environment: Vec::new(),
            settings,
        }
    }

    /// Sets the database and the bus that this server shares with others.
    pub(crate) fn sharing(self, database: Option<String>, bus: Option<String>) -> Self {
        Self { database, bus, ..self }
    }

    /// Returns the folder in which the preloaded library keeps a copy of the synced bytes.
    fn synced(&self) -> PathBuf {
        self.data.join("synced")
    }

    /// Returns the file that makes the preloaded library refuse one sync.
    fn sync_failure(&self) -> PathBuf {
        self.data.join("sync-failure")
    }

    /// Replaces the written files with their synced content, as after a power cut.
    fn discard_unsynced(&self) -> Result<()> {
        for name in ["load.sqlite", "load.sqlite-wal", "load.sqlite-shm"] {
            let (written, synced) = (self.data.join(name), self.synced().join(name));
            if synced.exists() {
                std::fs::copy(&synced, &written)?;
            } else if written.exists() {
                std::fs::remove_file(&written)?;
            }
        }
        Ok(())
    }

    fn spawn(&self, address: SocketAddr) -> Result<Child> {
        let mut command = Command::new(&self.binary);
        command.arg("serve").arg("--listen").arg(address.to_string());
        match &self.database {
            Some(address) => command.arg("--data").arg(address),
            None => command.arg("--data").arg(self.data.join("load.sqlite")),
        };
        if let Some(bus) = &self.bus {
            command.arg("--bus").arg(bus);
        }
        for setting in &self.settings {
            command.arg("--set").arg(setting);
        }
        // A log line for every turn would distort the measurement.
        command.env("ADOUBE_LOG", "warn").stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        if let Some(preload) = &self.preload {
            command.env("LD_PRELOAD", preload).envs(self.environment.iter().cloned());
            match self.stop_method {
                StopMethod::PowerCut => {
                    std::fs::create_dir_all(self.synced())?;
                    command.env("FSYNC_KEEP", self.synced());
                }
                StopMethod::SyncFailure => {
                    // Discard the log: before each exit, the server reports the failed sync there.
                    command.env("FSYNC_FAIL_ONCE", self.sync_failure()).stderr(Stdio::null());
                }
                StopMethod::Kill | StopMethod::Terminate => {}
            }
        }
        command.spawn().with_context(|| format!("{} could not be started", self.binary.display()))
    }
}

async fn terminate(process: &mut Child) -> Result<()> {
    let id = process.id().context("the server has already exited")?;
    let status = Command::new("kill").arg(id.to_string()).status().await?;
    ensure!(status.success(), "SIGTERM could not be sent to the server");
    let status = timeout(EXIT_TIMEOUT, process.wait()).await??;
    ensure!(status.success(), "the server failed on shutdown: {status}");
    Ok(())
}

/// Makes syncs fail, one at a time, until one failure makes the server exit.
async fn fail_syncs(launch: &Launch, process: &mut Child) -> Result<()> {
    let (trigger, start) = (launch.sync_failure(), Instant::now());
    let status = loop {
        std::fs::write(&trigger, b"")?;
        if let Ok(status) = timeout(SYNC_FAILURE_INTERVAL, process.wait()).await {
            break status?;
        }
        ensure!(
            start.elapsed() < EXIT_TIMEOUT,
            "the server is still running although the disk refused to sync"
        );
    };
    ensure!(!status.success(), "the server reported success although the disk refused to sync");
    // The server may have exited before it noticed the file that was written last.
    if trigger.exists() {
        std::fs::remove_file(&trigger)?;
    }
    Ok(())
}

impl Server {
    pub(crate) fn running(address: SocketAddr) -> Self {
        Self { address, started: None }
    }

    pub(crate) async fn start(launch: Launch) -> Result<Self> {
        // The listener is dropped immediately, which frees the port for the server.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let process = launch.spawn(address)?;
        let mut server = Self { address, started: Some((launch, process)) };
        server.wait().await?;
        Ok(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops the server with its stop method, and restarts it. Returns the milliseconds from the restart
    /// until it answered.
    pub(crate) async fn stop_and_restart(&mut self) -> Result<u64> {
        let (launch, process) = self.process()?;
        match launch.stop_method {
            StopMethod::Kill | StopMethod::PowerCut => process.kill().await?,
            StopMethod::Terminate => terminate(process).await?,
            StopMethod::SyncFailure => fail_syncs(launch, process).await?,
        }
        if launch.stop_method == StopMethod::PowerCut {
            launch.discard_unsynced()?;
        }
        self.restart().await
    }

    /// Kills the process (`SIGKILL`).
    pub(crate) async fn kill(&mut self) -> Result<()> {
        Ok(self.process()?.1.kill().await?)
    }

    /// Tells the process to stop (`SIGTERM`), and waits until it has exited.
    pub(crate) async fn terminate(&mut self) -> Result<()> {
        terminate(self.process()?.1).await
    }

    /// Starts a server that has exited, at its old address. Returns the milliseconds until it answered.
    pub(crate) async fn restart(&mut self) -> Result<u64> {
        let start = Instant::now();
        let address = self.address;
        let (launch, process) = self.process()?;
        *process = launch.spawn(address)?;
        self.wait().await?;
        Ok(u64::try_from(start.elapsed().as_millis())?)
    }

    /// Starts the newest program in place of a server that has exited. Returns the milliseconds until it
    /// answered.
    pub(crate) async fn start_newest(&mut self) -> Result<u64> {
        let (launch, _) = self.process()?;
        launch.binary.clone_from(&launch.newest);
        self.restart().await
    }

    /// Sends a signal to the process.
    pub(crate) async fn signal(&mut self, name: &str) -> Result<()> {
        let id = self.process()?.1.id().context("the server has exited")?;
        let sent = Command::new("kill").args(["-s", name]).arg(id.to_string()).status().await?;
        ensure!(sent.success(), "SIG{name} was not sent");
        Ok(())
    }

    /// Returns `true` if the process was started for this run and has exited.
    pub(crate) fn has_exited(&mut self) -> Result<bool> {
        let Some((_, process)) = &mut self.started else { return Ok(false) };
        Ok(process.try_wait()?.is_some())
    }

    fn process(&mut self) -> Result<(&mut Launch, &mut Child)> {
        let (launch, process) =
            self.started.as_mut().context("this run did not start the server, so it cannot control it")?;
        Ok((launch, process))
    }

    /// Stops a server that was started for this run, and waits until it has exited.
    pub(crate) async fn stop(mut self) -> Result<()> {
        match &mut self.started {
            Some((_, process)) => terminate(process).await,
            None => Ok(()),
        }
    }

    async fn wait(&mut self) -> Result<()> {
        let start = Instant::now();
        loop {
            if let Some((_, process)) = &mut self.started
                && let Some(status) = process.try_wait()?
            {
                bail!("the server exited: {status}");
            }
            if http::request(self.address, 0, Method::GET, "/api/health", None, None).await.is_ok() {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(30) {
                bail!("the server did not answer at http://{}/api/health within 30 s", self.address);
            }
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Returns the process's memory and open files, if the system reports them.
    pub(crate) fn sample(&self, minute: u32) -> Option<Sample> {
        let process = self.started.as_ref()?.1.id()?;
        let server_files = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        Some(Sample { minute, server_mb: self.memory_mb()?, server_files })
    }

    /// Returns the resident memory in MB, if the system reports it.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        let process = self.started.as_ref()?.1.id()?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some((kib * 1.024 / 10.0).round() / 100.0)
    }
}
