//! Measures how an attack from one address affects other visitors, how much an attacker can make the server
//! write and e-mail, and whether a class behind one address can sign in.
//!
//! Each script gets a new server with default settings, and attacks it from one address for a few seconds.
//! Meanwhile, on a separate thread, an honest visitor requests `/api/health` and two others play a game. The
//! attacker runs on the same machine, so the figures include the cost of attacking.

mod quantities;
mod scripts;
mod table;
mod visitor;

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::{Parser, ValueEnum as _};
use tokio::time::{Instant, sleep};

use crate::{
    game::{Table, Terms},
    hostile::{scripts::Script, table::markdown, visitor::Visitor},
    nodes::Nodes,
    report::Tally,
    server::{Launch, Server},
};

/// Interval at which the honest visitor requests `/api/health`.
const REQUEST_INTERVAL: Duration = Duration::from_millis(20);
/// Interval at which a turn is due in the honest game.
const TURN_INTERVAL: Duration = Duration::from_millis(200);
/// Grace period for an attack or a game that does not end in time.
const FINISHING_TIME: Duration = Duration::from_secs(40);

/// Command-line arguments.
#[derive(Debug, Parser)]
#[command(about = "Attacks a server and reports how that affects other visitors", version)]
pub struct Arguments {
    /// The `adoube` program; it is started for this run with its own data
    #[arg(long, value_name = "FILE")]
    server: PathBuf,
    /// Duration of each attack
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Seconds for which one address writes as much as it can; the amount is extrapolated to an hour
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(10..=3600))]
    writing: u64,
    /// Run only these scripts, and do not measure the quantities
    #[arg(long = "script", value_enum)]
    scripts: Vec<Script>,
    /// Measure only the quantities, and run no scripts
    #[arg(long, conflicts_with = "scripts")]
    quantities: bool,
}

/// Runs the attacks and prints the figures as Markdown tables.
pub async fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.quantities {
        run_scripts(arguments).await?;
    }
    if arguments.scripts.is_empty() {
        let server = &arguments.server;
        let mut rows = quantities::bytes(server, Duration::from_secs(arguments.writing)).await?;
        rows.extend(quantities::emails(server).await?);
        rows.extend(quantities::pupils(server).await?);
        println!("{}", markdown(&["quantity", "figure"], &rows));
    }
    Ok(())
}

async fn run_scripts(arguments: &Arguments) -> Result<()> {
    let chosen = if arguments.scripts.is_empty() { Script::value_variants() } else { &arguments.scripts };
    let headings =
        ["script", "accepted", "refused", "health p99", "health worst", "turn p99", "turn worst", "memory"];
    let mut rows = Vec::new();
    for (number, &script) in chosen.iter().enumerate() {
        eprintln!("{script}");
        rows.push(run_attack(arguments, script, number).await.with_context(|| script.to_string())?);
    }
    println!("Latencies in ms, memory at the end in MB.\n\n{}", markdown(&headings, &rows));
    Ok(())
}

/// A server with its own data. Dropping this deletes the data.
struct TestServer {
    server: Server,
    folder: tempfile::TempDir,
}

impl TestServer {
    async fn open(binary: &Path, settings: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        let server = Server::start(Launch::with_settings(binary, folder.path(), settings)).await?;
        Ok(Self { server, folder })
    }

    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    async fn close(self) -> Result<()> {
        self.server.stop().await
    }
}

/// Runs one script against a new server, and returns its row of the table.
async fn run_attack(arguments: &Arguments, script: Script, number: usize) -> Result<Vec<String>> {
    let test_server = TestServer::open(&arguments.server, &[]).await?;
    let address = test_server.address();
    let attacker = Visitor::new(address, Ipv4Addr::new(127, 3, u8::try_from(number)?, 1));
    let attack = script.prepare(attacker).await?;
    let duration = Duration::from_secs(arguments.seconds);
    // Honest visitors have their own thread, so that the attacker's work in this process does not delay them.
    let honest = thread::spawn(move || measure_honest_visitors(address, duration));
    // The honest visitors start first.
    sleep(Duration::from_millis(500)).await;
    let end = Instant::now() + duration;
    let counts = tokio::time::timeout(duration + FINISHING_TIME, attack.run(end)).await;
    let counts = counts.context("the attack did not finish in time")??;
    let latencies = tokio::task::spawn_blocking(move || honest.join()).await?;
    let latencies = latencies.map_err(|_| anyhow!("the honest visitors panicked"))??;
    let memory = test_server.server.memory_mb();
    test_server.close().await?;
    let mut row = vec![script.to_string(), counts.accepted.to_string(), counts.refused.to_string()];
    row.extend(table::p99_and_max(latencies.health));
    row.extend(table::p99_and_max(latencies.turns));
    row.push(memory.map_or_else(|| "–".to_owned(), |memory| format!("{memory:.0}")));
    Ok(row)
}

/// Latencies of the honest visitors.
struct HonestLatencies {
    health: Vec<Duration>,
    turns: Vec<Duration>,
}

/// Sends requests and plays for a while, on a runtime used only by this thread.
fn measure_honest_visitors(address: SocketAddr, duration: Duration) -> Result<HonestLatencies> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let tally = Arc::new(Tally::default());
        let variant = adoube_rules::Variant::DEFAULT;
        let terms = Terms { variant, clock: None, churn: None, has_heartbeat: false };
        let table = Table::create(&Nodes::single(address), 0, terms, 1, Arc::clone(&tally)).await?;
        // Both players should have received the game by then.
        let start = Instant::now() + Duration::from_millis(300);
        let end = start + duration;
        let playing = tokio::spawn(table.play(start, TURN_INTERVAL, end));
        let mut visitor = Visitor::new(address, Ipv4Addr::new(127, 2, 0, 1));
        let mut health = Vec::new();
        let mut due = start;
        while due < end {
            tokio::time::sleep_until(due).await;
            visitor.get("/api/health").await?.json()?;
            // Latency is measured from when the request was due, because the requests after a stall are sent
            // late.
            health.push(due.elapsed());
            due += REQUEST_INTERVAL;
        }
        tokio::time::timeout(FINISHING_TIME, playing)
            .await
            .context("the honest game did not finish in time")??;
        let turns = tally.completed_latencies();
        ensure!(!turns.is_empty(), "no turn of the honest game was completed: {tally:?}");
        Ok(HonestLatencies { health, turns })
    })
}
