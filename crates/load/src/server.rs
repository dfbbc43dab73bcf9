//! The server under load: started for the run, or running already.

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
pub enum By {
    /// SIGKILL: bytes already given to the system stay
    Kill,
    /// SIGTERM: the server says goodbye
    Terminate,
    /// SIGKILL, and every byte that was not synced is lost; needs `--preload`
    PowerCut,
    /// The disk refuses to sync, and the server ends by itself; needs `--preload`
    SyncFailure,
}

/// Syncs until the disk refuses one: more than a start needs.
const SYNCS: &str = "80";
/// Time within which a server must end by itself.
const ENDS_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    own: Option<(Own, Child)>,
}

/// A server started for the run.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    binary: PathBuf,
    /// The program of a rolling restart.
    newest: PathBuf,
    data: PathBuf,
    /// The address of the database, if the data is not in a file of that folder.
    database: Option<String>,
    /// The address of the bus, if the server is not alone.
    bus: Option<String>,
    by: By,
    preload: Option<PathBuf>,
    environment: Vec<(String, String)>,
    /// Settings, each as `name=value`.
    settings: Vec<String>,
}

impl Own {
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
            by: arguments.by,
            preload: arguments.preload.clone(),
            environment: arguments.environment.iter().map(pair).collect(),
            // Fifty visitors come from one address.
            settings: vec!["limits=club".to_owned()],
        }
    }

    /// A server with settings of its own, which is asked to end.
    pub(crate) fn with_settings(binary: &Path, data: &Path, settings: Vec<String>) -> Self {
        Self {
            binary: binary.to_owned(),
            newest: binary.to_owned(),
            data: data.to_owned(),
            database: None,
            bus: None,
            by: By::Terminate,
            preload: None,
            environment: Vec::new(),
            settings,
        }
    }

    /// Shares a database and a bus with other servers.
    pub(crate) fn sharing(self, database: Option<String>, bus: Option<String>) -> Self {
        Self { database, bus, ..self }
    }

    /// Folder in which the library keeps the synced bytes.
    fn synced(&self) -> PathBuf {
        self.data.join("synced")
    }

    /// Replaces the written bytes by the synced ones.
    fn lose_what_was_not_synced(&self) -> Result<()> {
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
        // Logging a line for every turn would be measured, too.
        command.env("ADOUBE_LOG", "warn").stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        if let Some(preload) = &self.preload {
            command.env("LD_PRELOAD", preload).envs(self.environment.iter().cloned());
            match self.by {
                By::PowerCut => {
                    std::fs::create_dir_all(self.synced())?;
                    command.env("FSYNC_KEEP", self.synced());
                }
                By::SyncFailure => {
                    // It logs the reason each time.
                    command.env("FSYNC_FAIL_EVERY", SYNCS).stderr(Stdio::null());
                }
                By::Kill | By::Terminate => {}
            }
        }
        command.spawn().with_context(|| format!("{} could not be started", self.binary.display()))
    }
}

async fn terminate(process: &mut Child) -> Result<()> {
    let id = process.id().context("the server has ended already")?;
    let asked = Command::new("kill").arg(id.to_string()).status().await?;
    ensure!(asked.success(), "the server could not be asked to stop");
    let status = timeout(ENDS_WITHIN, process.wait()).await??;
    ensure!(status.success(), "the server failed on shutdown: {status}");
    Ok(())
}

impl Server {
    pub(crate) fn running(address: SocketAddr) -> Self {
        Self { address, own: None }
    }

    pub(crate) async fn start(own: Own) -> Result<Self> {
        // Free again when the listener is dropped at the end of the line.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let process = own.spawn(address)?;
        let mut server = Self { address, own: Some((own, process)) };
        server.wait().await?;
        Ok(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops the server and starts it again; returns the milliseconds until it answered.
    pub(crate) async fn end_and_restart(&mut self) -> Result<u64> {
        let (own, process) = self.started()?;
        match own.by {
            By::Kill | By::PowerCut => process.kill().await?,
            By::Terminate => terminate(process).await?,
            By::SyncFailure => {
                let status = timeout(ENDS_WITHIN, process.wait()).await;
                let status = status.context("the server goes on although the disk refused to sync")??;
                ensure!(!status.success(), "the server ended as if all were well");
            }
        }
        if own.by == By::PowerCut {
            own.lose_what_was_not_synced()?;
        }
        self.start_again().await
    }

    /// Kills the process (`SIGKILL`).
    pub(crate) async fn kill(&mut self) -> Result<()> {
        Ok(self.started()?.1.kill().await?)
    }

    /// Asks the process to end (`SIGTERM`), and waits until it has.
    pub(crate) async fn terminate(&mut self) -> Result<()> {
        terminate(self.started()?.1).await
    }

    /// Starts a server that has ended, at its old address; returns the milliseconds until it answered.
    pub(crate) async fn start_again(&mut self) -> Result<u64> {
        let begin = Instant::now();
        let address = self.address;
        let (own, process) = self.started()?;
        *process = own.spawn(address)?;
        self.wait().await?;
        Ok(u64::try_from(begin.elapsed().as_millis())?)
    }

    /// The same with the newest program.
    pub(crate) async fn start_newest(&mut self) -> Result<u64> {
        let (own, _) = self.started()?;
        own.binary.clone_from(&own.newest);
        self.start_again().await
    }

    /// Sends a signal to the process.
    pub(crate) async fn signal(&mut self, name: &str) -> Result<()> {
        let id = self.started()?.1.id().context("the server has ended")?;
        let sent = Command::new("kill").args(["-s", name]).arg(id.to_string()).status().await?;
        ensure!(sent.success(), "SIG{name} was not sent");
        Ok(())
    }

    /// Tells whether the process has ended by itself.
    pub(crate) fn has_ended(&mut self) -> Result<bool> {
        Ok(self.started()?.1.try_wait()?.is_some())
    }

    fn started(&mut self) -> Result<(&mut Own, &mut Child)> {
        let (own, process) =
            self.own.as_mut().context("only a server that was started here can be stopped")?;
        Ok((own, process))
    }

    /// Stops a server that was started here, and waits for its end.
    pub(crate) async fn end(mut self) -> Result<()> {
        match &mut self.own {
            Some((_, process)) => terminate(process).await,
            None => Ok(()),
        }
    }

    /// Removes the faults: from now on the disk works.
    pub(crate) async fn be_calm(&mut self) -> Result<()> {
        let Some((own, process)) = &mut self.own else { return Ok(()) };
        if own.by == By::SyncFailure {
            process.kill().await?;
            own.preload = None;
            *process = own.spawn(self.address)?;
            self.wait().await?;
        }
        Ok(())
    }

    async fn wait(&mut self) -> Result<()> {
        let begin = Instant::now();
        loop {
            if let Some((_, process)) = &mut self.own
                && let Some(status) = process.try_wait()?
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

    /// Returns the resources that the process holds now, if the system reports them.
    pub(crate) fn sample(&self, minute: u32) -> Option<Sample> {
        let process = self.own.as_ref()?.1.id()?;
        let server_files = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        Some(Sample { minute, server_mb: self.memory_mb()?, server_files })
    }

    /// Returns the resident memory, if the system reports it.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        let process = self.own.as_ref()?.1.id()?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some((kib * 1.024 / 10.0).round() / 100.0)
    }
}
