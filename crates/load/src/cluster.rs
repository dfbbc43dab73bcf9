//! The servers under load, and the database and the bus that they share.

use std::{convert::Infallible, path::PathBuf, str::FromStr, time::Duration};

use adoube_test_services::{Durability, Nats, Postgres};
use anyhow::{Context as _, Result, bail};
use tokio::{task::block_in_place, time::sleep};

use crate::{
    Arguments,
    nodes::Nodes,
    report::Sample,
    server::{Launch, Server},
};

/// The data that the servers use.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// A file in this folder.
    Folder(PathBuf),
    /// A PostgreSQL server that is started for the run.
    Temporary,
    /// The address of a database.
    Address(String),
}

impl FromStr for Data {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "postgres" => Self::Temporary,
            address if address.contains("://") => Self::Address(address.to_owned()),
            folder => Self::Folder(folder.into()),
        })
    }
}

/// The bus between the servers.
#[derive(Clone, Debug)]
pub(crate) enum Bus {
    /// A NATS server that is started for the run.
    Temporary,
    /// The address of a NATS server.
    Address(String),
}

impl FromStr for Bus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "nats" => Ok(Self::Temporary),
            address if address.contains("://") => Ok(Self::Address(address.to_owned())),
            other => Err(format!("`{other}` is neither `nats` nor an address such as nats://127.0.0.1:4222")),
        }
    }
}

/// The services that were started for the run. Dropping this stops them.
#[derive(Debug, Default)]
pub(crate) struct Services {
    postgres: Option<(Postgres, String)>,
    nats: Option<Nats>,
}

impl Services {
    pub(crate) fn start(data: Option<&Data>, bus: Option<&Bus>) -> Result<Self> {
        block_in_place(|| {
            let mut services = Self::default();
            if matches!(data, Some(Data::Temporary)) {
                let server = Postgres::start(Durability::Full)?;
                let address = server.create_database()?;
                services.postgres = Some((server, address));
            }
            if matches!(bus, Some(Bus::Temporary)) {
                services.nats = Some(Nats::start()?);
            }
            Ok(services)
        })
    }

    pub(crate) fn postgres(&self) -> Result<&Postgres> {
        let (server, _) = self.postgres.as_ref().context("database faults need `--data postgres`")?;
        Ok(server)
    }

    pub(crate) fn nats(&self) -> Result<&Nats> {
        self.nats.as_ref().context("bus faults need `--bus nats`")
    }

    /// Counts the games whose events are not numbered from 1 to the game's version. Returns `None` unless the
    /// database was started for the run.
    pub(crate) fn incomplete_logs(&self) -> Result<Option<u64>> {
        const QUERY: &str = "SELECT count(*) FROM games FULL JOIN \
            (SELECT game, count(*) AS count, min(version) AS first, max(version) AS last FROM events GROUP BY game) AS logs \
            ON logs.game = games.id \
            WHERE (games.version, 1, games.version) IS DISTINCT FROM (logs.count, logs.first, logs.last)";
        let Some((server, address)) = &self.postgres else { return Ok(None) };
        let database = address.rsplit('/').next().unwrap_or_default();
        Ok(Some(block_in_place(|| server.psql(database, QUERY))?.parse()?))
    }
}

/// The servers of a run.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) servers: Vec<Server>,
    nodes: Nodes,
}

impl Cluster {
    pub(crate) async fn start(arguments: &Arguments, folder: PathBuf, services: &Services) -> Result<Self> {
        let servers = match (&arguments.server, arguments.address) {
            (Some(binary), _) => {
                let database = match (&arguments.data, &services.postgres) {
                    (Some(Data::Address(address)), _) | (_, Some((_, address))) => Some(address.clone()),
                    _ => None,
                };
                let bus = match (&arguments.bus, &services.nats) {
                    (Some(Bus::Address(address)), _) => Some(address.clone()),
                    (_, Some(nats)) => Some(nats.address()),
                    _ => None,
                };
                let mut servers = Vec::with_capacity(arguments.nodes);
                for number in 0..arguments.nodes {
                    let program = match &arguments.alternate_binary {
                        Some(other) if number % 2 == 1 => other,
                        _ => binary,
                    };
                    let launch =
                        Launch::new(program, &folder, arguments).sharing(database.clone(), bus.clone());
                    servers.push(Server::start(launch).await?);
                }
                servers
            }
            (None, Some(address)) => vec![Server::running(address)],
            (None, None) => bail!("--server or --address is required"),
        };
        let nodes = Nodes::new(servers.iter().map(Server::address)).context("--nodes must be at least 1")?;
        Ok(Self { servers, nodes })
    }

    pub(crate) fn nodes(&self) -> Nodes {
        self.nodes.clone()
    }

    /// Returns the resident memory of all servers together.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        self.servers.iter().map(Server::memory_mb).sum()
    }

    /// Returns the memory and the open files of all servers together.
    pub(crate) fn sample(&self, minute: u32) -> Option<Sample> {
        let add = |sum: Sample, one: Sample| Sample {
            minute,
            server_mb: sum.server_mb + one.server_mb,
            server_files: sum.server_files + one.server_files,
        };
        self.servers
            .iter()
            .map(|server| server.sample(minute))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .reduce(add)
    }

    /// Restarts the servers that have exited on their own. Returns their number.
    pub(crate) async fn restart_exited(&mut self) -> Result<u64> {
        let mut exited = 0;
        for server in &mut self.servers {
            if server.has_exited()? {
                server.restart().await?;
                exited += 1;
            }
        }
        Ok(exited)
    }

    /// Kills all servers and restarts the first one, which then knows only what was stored. Returns its
    /// address.
    pub(crate) async fn restart_one(&mut self) -> Result<Nodes> {
        for server in &mut self.servers {
            server.kill().await?;
        }
        // This is shorter than a lease, so the killed servers may still count as alive.
        sleep(Duration::from_secs(1)).await;
        let first = &mut self.servers[0];
        first.restart().await?;
        Ok(Nodes::single(first.address()))
    }
}
