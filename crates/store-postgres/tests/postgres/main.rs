//! The contract test on PostgreSQL, and tests of a database that is shared and can become unreachable.

mod copy;
mod equivalence;
mod faults;
mod full_disk;
mod kills;
mod opening;
mod proxy;
mod tls;

use std::sync::Arc;

use adoube_store::{Append, CommandRecord, NewEvent, NewGame, Phase, ReadModel, Seat};
use adoube_store_postgres::{Limits, PostgresStore};
use adoube_test_services::{Durability, Postgres, or_skip};
use adoube_vocabulary::{Color, CommandId, GameId, Millis, PlayerId, Version};

/// Starts a server with an empty database. Returns `None` if PostgreSQL is not installed.
fn start() -> Option<(Postgres, String)> {
    let server = or_skip(Postgres::start(Durability::Off))?;
    let address = server.create_database().unwrap();
    Some((server, address))
}

async fn open(address: &str) -> Arc<PostgresStore> {
    Arc::new(PostgresStore::open(address).await.unwrap())
}

async fn open_with_short_timeouts(address: &str) -> Arc<PostgresStore> {
    use std::time::Duration;
    let limits = Limits {
        acquire_timeout: Duration::from_secs(1),
        statement_timeout: Duration::from_millis(1_500),
        reconnect_timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    Arc::new(PostgresStore::open_with(address, limits).await.unwrap())
}

/// Returns the name of the database in an address.
fn database(address: &str) -> &str {
    address.rsplit('/').next().unwrap()
}

fn read_model() -> ReadModel {
    ReadModel {
        phase: Phase::Playing,
        turn: Some(Color::White),
        result: None,
        deadline: None,
        awaits_machine: None,
        summary: String::new(),
    }
}

fn command(player: u128, number: u128) -> CommandRecord {
    CommandRecord {
        player: PlayerId::from_random(player),
        id: CommandId(uuid::Uuid::from_u128(number)),
        answer: format!("answer {number}"),
    }
}

fn new_game(number: u128) -> NewGame {
    NewGame {
        id: GameId::from_random(number),
        created_at: Millis(1),
        variant: "chess".into(),
        public: false,
        in_match: None,
        events: vec![NewEvent { at: Millis(1), body: "created".into() }],
        seats: vec![Seat { color: Color::White, player: PlayerId::from_random(number) }],
        invitation: None,
        read_model: read_model(),
        command: command(number, 1),
        proposal: None,
    }
}

fn append(game: u128, based_on: u64) -> Append {
    Append {
        game: GameId::from_random(game),
        based_on: Version(based_on),
        events: vec![NewEvent { at: Millis(2), body: format!("turn {based_on}") }],
        seats: Vec::new(),
        read_model: read_model(),
        command: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_contract_test() {
    let Some((_server, address)) = start() else { return };
    let store = open(&address).await;
    adoube_store::check_contract(store.clone()).await;
    adoube_store::check_concurrency(store, open(&address).await).await;
}
