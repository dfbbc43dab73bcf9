//! Measures how many turns per second can be stored in `SQLite` and in PostgreSQL, in alternating runs on
//! the same disk.
//!
//! Each client plays its own game and waits for each acknowledgement. Both databases wait for the disk
//! before they acknowledge a turn. The argument is the duration of each run in seconds, three by default.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use adoube_store::{Append, Appended, CommandRecord, NewEvent, NewGame, Phase, ReadModel, Seat, Store};
use adoube_store_postgres::PostgresStore;
use adoube_store_sqlite::SqliteStore;
use adoube_test_services::{Durability, Postgres};
use adoube_vocabulary::{Color, CommandId, GameId, Millis, PlayerId, Version};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const CLIENTS: [u64; 4] = [1, 16, 64, 256];
/// The number of runs; the median run is printed.
const ROUNDS: usize = 3;

fn read_model() -> ReadModel {
    ReadModel {
        phase: Phase::Playing,
        turn: Some(Color::White),
        result: None,
        deadline: Some(Millis(1_000_000)),
        awaits_machine: None,
        // As long as a summary written by the server.
        summary: "s".repeat(180),
    }
}

fn command(game: u64, number: u64) -> CommandRecord {
    let id = CommandId(uuid::Uuid::from_u64_pair(game, number));
    CommandRecord { player: PlayerId::from_random(game.into()), id, answer: "{\"version\":1234}".into() }
}

/// Plays a game until `until`. Returns the latencies of the turns.
async fn play(store: Arc<dyn Store>, game: u64, until: Instant) -> Outcome<Vec<Duration>> {
    let id = GameId::from_random(game.into());
    let new = NewGame {
        id: id.clone(),
        created_at: Millis(1),
        variant: "chess".into(),
        public: true,
        in_match: None,
        events: vec![NewEvent { at: Millis(1), body: "created".into() }],
        seats: vec![Seat { color: Color::White, player: PlayerId::from_random(game.into()) }],
        invitation: None,
        read_model: read_model(),
        command: command(game, 0),
        proposal: None,
    };
    store.add_game(new).await?;
    let mut latencies = Vec::new();
    for version in 1.. {
        let start = Instant::now();
        if start > until {
            break;
        }
        let append = Append {
            game: id.clone(),
            based_on: Version(version),
            events: vec![NewEvent { at: Millis(2), body: "e".repeat(90) }],
            seats: Vec::new(),
            read_model: read_model(),
            command: Some(command(game, version)),
        };
        let appended = store.append(append).await?;
        if appended != Appended::Done(Version(version + 1)) {
            return Err(format!("{appended:?}").into());
        }
        latencies.push(start.elapsed());
    }
    Ok(latencies)
}

/// The results of one run: turns per second, and the median and 99th percentile of the latency in ms.
type Figures = (f64, f64, f64);

async fn measure(store: &Arc<dyn Store>, first: u64, clients: u64, time: Duration) -> Outcome<Figures> {
    let until = Instant::now() + time;
    let games = (first..first + clients).map(|game| tokio::spawn(play(Arc::clone(store), game, until)));
    let mut latencies = Vec::new();
    for game in games.collect::<Vec<_>>() {
        latencies.extend(game.await??);
    }
    latencies.sort_unstable();
    let percentile = |share: usize| {
        latencies.get(latencies.len() * share / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let turns = f64::from(u32::try_from(latencies.len())?);
    Ok((turns / time.as_secs_f64(), percentile(50), percentile(99)))
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    let server = Postgres::start(Durability::Full)?;
    let folder = tempfile::tempdir()?;
    let stores: [(&str, Arc<dyn Store>); 2] = [
        ("SQLite", Arc::new(SqliteStore::open(&folder.path().join("data.sqlite")).await?)),
        ("PostgreSQL", Arc::new(PostgresStore::open(&server.create_database()?).await?)),
    ];
    println!("| clients | | turns/s | p50 ms | p99 ms |\n|--:|---|--:|--:|--:|");
    let mut first = 0;
    for clients in CLIENTS {
        let mut figures = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for ((_, store), figures) in stores.iter().zip(&mut figures) {
                figures.push(measure(store, first, clients, Duration::from_secs(seconds)).await?);
                first += clients;
            }
        }
        for ((name, _), figures) in stores.iter().zip(&mut figures) {
            figures.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (turns, p50_ms, p99_ms) = figures[ROUNDS / 2];
            println!("| {clients} | {name} | {turns:.0} | {p50_ms:.2} | {p99_ms:.2} |");
        }
    }
    Ok(())
}
