//! Plays many games at once against a server, and prints latencies and violated guarantees as JSON.
//!
//! The load is open-loop: each turn is due at a fixed instant, regardless of what happened to the turns
//! before it, and its latency is measured from that instant. Therefore a stalled server cannot hide its
//! latency by making its clients wait.
//!
//! With `--kill-every`, the server is stopped at random moments in the way given by `--by`, and restarted.
//! The clients reconnect automatically. At the end, the acknowledged turns are compared with the server's
//! data.
//!
//! With `--nodes`, several servers share a database and a bus, and a player may connect to any of them. The
//! servers, the database and the bus can be killed (`--kills`, `--kill-data`, `--kill-bus`) and suspended
//! (`--suspend`), and the servers restarted (`--rolling-restarts`). Additional visitors measure the delays of
//! features that must work on every node (`--probes`).

mod chaos;
mod cluster;
mod game;
pub mod hostile;
mod http;
mod nodes;
mod player;
mod probes;
mod report;
mod server;
mod spectators;

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    chaos::Plan,
    cluster::{Bus, Cluster, Data, Services},
    game::{Table, Terms},
    nodes::Nodes,
    report::Tally,
};

pub use crate::{report::Report, server::StopMethod};

/// Maximum number of games that are created, or compared, at the same time.
const MAX_CONCURRENT_GAMES: usize = 64;
/// Time after the end of play within which the last turn of every game must be complete.
const FINISHING_TIME: Duration = Duration::from_secs(20);
/// Time at the end of play during which nothing is killed.
const KILL_FREE_END: Duration = Duration::from_secs(4);

/// Command-line arguments.
#[derive(Clone, Debug, Parser)]
#[command(about, version)]
pub struct Arguments {
    /// The `adoube` program; it is started for this run with its own data
    #[arg(long, value_name = "FILE", conflicts_with = "address", required_unless_present = "address")]
    server: Option<PathBuf>,
    /// A server that is already running, such as 127.0.0.1:8787
    #[arg(long)]
    address: Option<SocketAddr>,
    /// Where the servers keep their data: a folder, the address of a PostgreSQL database, or `postgres` to start
    /// a PostgreSQL server for this run; by default a temporary folder
    #[arg(long, value_name = "WHERE", requires = "server")]
    data: Option<Data>,
    /// Bus between several servers: the address of a NATS server, or `nats` to start one for this
    /// run
    #[arg(long, value_name = "WHERE", requires = "server")]
    bus: Option<Bus>,
    /// Number of servers that share the data; several servers need a database and a bus
    #[arg(long, default_value_t = 1, requires = "server")]
    nodes: usize,
    /// Program for every other server until its first rolling restart, such as the previous release
    #[arg(long, value_name = "FILE", requires = "server")]
    alternate_binary: Option<PathBuf>,
    /// Kill a server (SIGKILL) this many times, and start it again up to six seconds later
    #[arg(long, default_value_t = 0, requires = "server")]
    kills: usize,
    /// Kill the database of `--data postgres` this many times (`pg_ctl stop -m immediate`)
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    kill_data: usize,
    /// Kill the bus of `--bus nats` this many times (SIGKILL)
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    kill_bus: usize,
    /// Suspend each server, the database and the bus this many times (SIGSTOP)
    #[arg(long, value_name = "TIMES", default_value_t = 0, requires = "server")]
    suspend: usize,
    /// Length of a suspension
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    suspend_seconds: u64,
    /// Restart all servers one after the other, this many times (SIGTERM)
    #[arg(long, value_name = "TIMES", default_value_t = 0, requires = "server")]
    rolling_restarts: usize,
    /// Number of additional visitors of each kind; they measure the delays of flags, machine turns, seeks and
    /// sign-outs
    #[arg(long, value_name = "VISITORS", default_value_t = 0)]
    probes: usize,
    /// First run the same load on one server with an SQLite file, without faults, and print both reports
    #[arg(long, requires = "server")]
    with_baseline: bool,
    /// Number of games played at the same time, each by two players with their own sockets
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Number of turns due per second, in all games together
    #[arg(long, default_value_t = 50.0)]
    turns_per_second: f64,
    /// Length of the run
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Number of sockets that only watch the first game
    #[arg(long, default_value_t = 0)]
    watchers: usize,
    /// Mean time in seconds between random moments at which the server is stopped and started again
    #[arg(long, requires = "server")]
    kill_every: Option<f64>,
    /// Method of stopping the server
    #[arg(long, value_enum, default_value_t = StopMethod::Kill)]
    by: StopMethod,
    /// Initial time of each side in seconds; without this option there are no clocks
    #[arg(long)]
    clock: Option<u32>,
    /// Mean time in seconds after which a player disconnects without a close frame, and reconnects
    #[arg(long, value_name = "SECONDS")]
    churn: Option<f64>,
    /// Variant to play
    #[arg(long, default_value = "chess")]
    variant: adoube_rules::Variant,
    /// Seed for the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Library that the server preloads, to make its disk slow or faulty
    #[arg(long, value_name = "FILE", requires = "server")]
    preload: Option<PathBuf>,
    /// Environment variable for the library, such as `FSYNC_DELAY_US=3000`; can be given several times
    #[arg(long = "with", value_name = "NAME=VALUE", requires = "preload")]
    environment: Vec<String>,
}

impl Arguments {
    /// Returns the arguments of the baseline run, if `--with-baseline` is set: one server with an SQLite file,
    /// and no faults.
    pub fn baseline(&self) -> Option<Self> {
        self.with_baseline.then(|| Self {
            data: None,
            bus: None,
            nodes: 1,
            alternate_binary: None,
            kills: 0,
            kill_data: 0,
            kill_bus: 0,
            suspend: 0,
            rolling_restarts: 0,
            kill_every: None,
            by: StopMethod::Kill,
            preload: None,
            environment: Vec::new(),
            ..self.clone()
        })
    }
}

/// Plays the games and returns the measurements and findings. Fails if the arguments contradict each other or
/// a server cannot be started.
pub async fn run(arguments: &Arguments) -> Result<Report> {
    ensure!(arguments.games > 0 && arguments.games <= 20_000, "--games must be from 1 to 20000");
    ensure!(arguments.turns_per_second > 0.0, "--turns-per-second must be more than 0");
    ensure!(
        arguments.churn.is_none_or(|churn| (0.1..=86_400.0).contains(&churn)),
        "--churn must be from 0.1 to 86400"
    );
    ensure!(
        arguments.kill_every.is_none_or(|every| (0.1..=86_400.0).contains(&every)),
        "--kill-every must be from 0.1 to 86400"
    );
    let needs_library = matches!(arguments.by, StopMethod::PowerCut | StopMethod::SyncFailure);
    ensure!(
        !needs_library || arguments.preload.is_some(),
        "--by power-cut and --by sync-failure need --preload with fsync-shim"
    );
    ensure!((1..=16).contains(&arguments.nodes), "--nodes must be from 1 to 16");
    let is_shared =
        matches!(arguments.data, Some(Data::Temporary | Data::Address(_))) && arguments.bus.is_some();
    ensure!(arguments.nodes == 1 || is_shared, "--nodes above 1 needs PostgreSQL (--data) and a bus (--bus)");
    let folder = tempfile::tempdir()?;
    let data = match &arguments.data {
        Some(Data::Folder(folder)) => folder.clone(),
        _ => folder.path().to_owned(),
    };
    let plan = Plan::new(arguments, arguments.nodes)?;
    let services = Services::start(arguments.data.as_ref(), arguments.bus.as_ref())?;
    // The servers must stop before the services that they use, so `cluster` is declared after `services`.
    let mut cluster = Cluster::start(arguments, data, &services).await?;
    let nodes = cluster.nodes();
    let mut report = Report { nodes: nodes.len(), server_idle_mb: cluster.memory_mb(), ..Report::default() };

    eprintln!("creating {} games", arguments.games);
    let tally = Arc::new(Tally::default());
    let tables = create(arguments, &nodes, &tally).await?;
    let watching = spectators::watch(&nodes, &tables[0], arguments.watchers, &tally).await?;
    report.server_open_mb = cluster.memory_mb();

    eprintln!("playing for {} s", arguments.seconds);
    let start = Instant::now() + Duration::from_millis(500);
    let end = start + Duration::from_secs(arguments.seconds);
    let pace = Duration::from_secs_f64(f64::from(arguments.games) / arguments.turns_per_second);
    let playing: Vec<_> = tables
        .into_iter()
        .zip(0_u32..)
        .map(|(table, number)| {
            // Spread the turns evenly, so that the server gets a steady stream.
            let first = start + pace.mul_f64(f64::from(number) / f64::from(arguments.games));
            tokio::spawn(table.play(first, pace, end))
        })
        .collect();
    let mut probes = probes::start(&nodes, arguments.probes, arguments.seed, end, &tally);
    plan.carry_out(&mut cluster, &services, (start, end), (&mut report, &tally)).await?;
    if let Some(every) = arguments.kill_every {
        stop_at_random(&mut cluster, (every, arguments.seed), end, &mut report).await?;
    }
    for minute in 0.. {
        let time = start + Duration::from_mins(1) * minute;
        if time > end {
            break;
        }
        // Skip the samples that were due more than a second before the last fault ended.
        if time + Duration::from_secs(1) < Instant::now() {
            continue;
        }
        sleep_until(time).await;
        report.over_time.extend(cluster.sample(minute));
    }
    sleep_until(end).await;
    report.server_playing_mb = cluster.memory_mb();
    let mut finished = Vec::with_capacity(playing.len());
    for game in playing {
        match tokio::time::timeout_at(end + FINISHING_TIME, game).await {
            Ok(table) => finished.push(table?),
            Err(_) => report.unanswered_games += 1,
        }
    }
    watching.stop().await;
    probes.shutdown().await;
    report.exits += cluster.restart_exited().await?;
    // A server that has just started knows only what was stored.
    let nodes = if is_shared { cluster.restart_one().await? } else { nodes };

    eprintln!("comparing the acknowledged turns with the server's data");
    compare(finished, &nodes, &mut report).await?;
    report.incomplete_logs = services.incomplete_logs()?;
    report.add(&tally, arguments.seconds);
    Ok(report)
}

/// Stops and restarts random servers at random moments, on average `every` seconds apart.
async fn stop_at_random(
    cluster: &mut Cluster,
    (every, seed): (f64, u64),
    end: Instant,
    report: &mut Report,
) -> Result<()> {
    let mut rng = player::SeededRng::new(seed ^ 0x6b69_6c6c);
    loop {
        let wait = Duration::from_secs_f64(every * (0.5 + rng.fraction()));
        // Leave enough time to reconnect after the last stop.
        if Instant::now() + wait + KILL_FREE_END > end {
            return Ok(());
        }
        sleep(wait).await;
        let server = rng.below(cluster.servers.len());
        report.start_ms.push(cluster.servers[server].stop_and_restart().await?);
        report.kills += 1;
    }
}

/// Compares the games, as the players know them, with the server's data.
async fn compare(finished: Vec<Table>, nodes: &Nodes, report: &mut Report) -> Result<()> {
    let limit = Arc::new(Semaphore::new(MAX_CONCURRENT_GAMES));
    let checks: Vec<_> = finished
        .into_iter()
        .map(|table| {
            let (limit, address) = (Arc::clone(&limit), nodes.get(0));
            tokio::spawn(async move {
                let _permit = limit.acquire_owned().await?;
                table.compare(address).await
            })
        })
        .collect();
    for check in checks {
        let found = check.await??;
        report.lost += found.lost;
        report.unasked += found.unasked;
        report.illegal += found.illegal;
        report.wrong_results += found.wrong_results;
    }
    Ok(())
}

async fn create(arguments: &Arguments, nodes: &Nodes, tally: &Arc<Tally>) -> Result<Vec<Table>> {
    let limit = Arc::new(Semaphore::new(MAX_CONCURRENT_GAMES));
    let tables: Vec<_> = (0..arguments.games)
        .map(|number| {
            let (limit, tally) = (Arc::clone(&limit), Arc::clone(tally));
            let seed = arguments.seed;
            let terms = Terms {
                variant: arguments.variant,
                clock: arguments.clock,
                churn: arguments.churn.map(Duration::from_secs_f64),
                // Without suspensions, a broken connection is noticed anyway, and pings would only add load.
                has_heartbeat: arguments.suspend > 0,
            };
            let nodes = nodes.clone();
            tokio::spawn(async move {
                let _permit = limit.acquire_owned().await?;
                Table::create(&nodes, number as usize, terms, seed, tally).await
            })
        })
        .collect();
    let mut created = Vec::with_capacity(tables.len());
    for table in tables {
        created.push(table.await?.context("a game could not be created")?);
    }
    Ok(created)
}
