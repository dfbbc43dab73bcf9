//! The contract test on `SQLite`, and tests of what is specific to a database in a single file.

mod backup;
mod opening;
mod versions;
mod writing;

use std::{error::Error as _, fs, path::Path, sync::Arc};

use adoube_store::{
    Append, Appended, CommandRecord, Created, GameStore as _, NewEvent, NewGame, Phase, ReadModel, Seat,
    StoreError,
};
use adoube_store_sqlite::{CheckLog, SqliteStore};
use adoube_vocabulary::{Color, CommandId, GameId, Millis, PlayerId, Version};

async fn open(path: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(path).await.unwrap())
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
        command: CommandRecord {
            player: PlayerId::from_random(number),
            id: CommandId("00000000-0000-4000-8000-000000000001".parse().unwrap()),
            answer: "created".into(),
        },
        proposal: None,
    }
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

/// Accepts any log without the event `unreadable`, because the games in these tests are not real.
struct AcceptAnyLog;

impl CheckLog for AcceptAnyLog {
    fn check(&self, bodies: &[String]) -> Result<(), String> {
        if bodies.iter().any(|body| body == "unreadable") { Err("unreadable event".into()) } else { Ok(()) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_contract_test() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data.sqlite")).await;
    adoube_store::check_contract(store.clone()).await;
    // Only one server opens a file, but many of its tasks use it concurrently.
    adoube_store::check_concurrency(store.clone(), store).await;
}
