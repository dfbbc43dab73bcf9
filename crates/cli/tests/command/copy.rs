//! Tests `adoube copy`, which copies a house from one database to another.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use adoube_protocol::{Color, CommandId, GameId, Millis, PlayerId};
use adoube_store::{CommandRecord, GameStore as _, NewEvent, NewGame, Phase, ReadModel, Seat};
use adoube_store_sqlite::SqliteStore;
use adoube_test_services::{Durability, Postgres, or_skip};

use super::{adoube, refused, stdout_of};

/// Returns the path of a copy of a house with schema 25.
pub(crate) fn old_house(folder: &Path) -> PathBuf {
    let house = folder.join("house.sqlite");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store-sqlite/tests/data/schema-25.db");
    fs::copy(old, &house).unwrap();
    house
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

const GAMES: u128 = 400;
const EVENTS: usize = 60;

/// Creates a house so large that copying it can be interrupted. Returns its path.
pub(crate) fn large_house(folder: &Path) -> PathBuf {
    let house = folder.join("large.sqlite");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = std::sync::Arc::new(SqliteStore::open(&house).await.unwrap());
        let mut adding = tokio::task::JoinSet::new();
        for number in 0..GAMES {
            let store = std::sync::Arc::clone(&store);
            adding.spawn(async move { store.add_game(game(number)).await.unwrap() });
        }
        adding.join_all().await;
        store.close().await;
    });
    house
}

fn game(number: u128) -> NewGame {
    let event = |event| NewEvent { at: Millis(event), body: format!("event {event} of game {number}, é") };
    NewGame {
        id: GameId::from_random(number),
        created_at: Millis(1),
        variant: "chess".into(),
        public: true,
        in_match: None,
        events: (0..EVENTS as i64).map(event).collect(),
        seats: vec![Seat { color: Color::White, player: PlayerId::from_random(number) }],
        invitation: None,
        read_model: ReadModel {
            phase: Phase::Playing,
            turn: Some(Color::White),
            result: None,
            deadline: None,
            awaits_machine: None,
            summary: String::new(),
        },
        command: CommandRecord {
            player: PlayerId::from_random(number),
            id: CommandId(serde_json::from_str(&format!("\"{:032x}\"", number + 1)).unwrap()),
            answer: "answer".into(),
        },
        proposal: None,
    }
}

#[test]
fn a_house_moves_to_postgresql_and_back() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (house, back) = (old_house(folder.path()), folder.path().join("back.sqlite"));
    let address = server.create_database().unwrap();
    let message = copied(text(&house), &address);
    assert!(
        message.starts_with("41 games, 197 events, ") && message.ends_with(" 0 deleted; the two are equal\n"),
        "{message}"
    );
    let message = copied(text(&house), &address);
    assert!(message.ends_with("; 0 rows written, 0 deleted; the two are equal\n"), "{message}");
    let message = copied(&address, text(&back));
    assert!(message.starts_with("41 games, 197 events, "), "{message}");
    assert_eq!(
        stdout_of(&["house", "check", "--data", text(&back)]),
        "41 games, 0 damaged, 0 without a chain\n"
    );

    // Two names for the same file or database are recognised.
    let link = folder.path().join("link.sqlite");
    std::os::unix::fs::symlink(&house, &link).unwrap();
    let message = refused(&["copy", "--from", text(&house), "--to", text(&link)]);
    assert!(
        message.contains("house.sqlite is both the source and the target: choose another target"),
        "{message}"
    );
    let same = address.replace("127.0.0.1", "localhost");
    let message = refused(&["copy", "--from", &address, "--to", &same]);
    assert!(message.contains(" is both the source and the target"), "{message}");
}

#[test]
fn data_that_cannot_be_copied_is_reported_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (house, to) = (old_house(folder.path()), folder.path().join("to.sqlite"));
    let absent = folder.path().join("absent.sqlite");
    let junk = folder.path().join("junk.sqlite");
    fs::write(&junk, "junk ".repeat(1_000)).unwrap();
    for (from, to, expected) in [
        (text(&absent), text(&to), "absent.sqlite cannot be opened: "),
        (text(&junk), text(&to), "junk.sqlite cannot be opened: "),
        (text(&house), text(&junk), "junk.sqlite cannot be opened: "),
        (text(folder.path()), text(&to), "it is a folder"),
        (
            text(&house),
            "/nowhere/to.sqlite",
            "--to: the data file /nowhere/to.sqlite cannot be used: its folder",
        ),
        ("", text(&to), "--from: data is not set"),
        (
            "mysql://me:open-sesame@localhost/x",
            text(&to),
            "--from: data cannot be stored at a mysql:// address",
        ),
        (text(&house), "sqlite:///to.sqlite", "--to: data cannot be stored at a sqlite:// address"),
        (
            text(&house),
            "postgres://me:open-sesame@localhost:port/x",
            "--to: the database address must look like",
        ),
        (
            text(&house),
            "postgres://me:open-sesame@127.0.0.1:1/x",
            "postgres://me@127.0.0.1:1/x cannot be reached: ",
        ),
    ] {
        let message = refused(&["copy", "--from", from, "--to", to]);
        assert!(message.contains(expected) && !message.contains("sesame"), "{from} {to}: {message}");
    }
    assert!(!absent.exists());
    // Other commands refuse such data too.
    let message = refused(&["serve", "--data", "mysql://me:open-sesame@localhost/x"]);
    assert!(
        message.contains("data cannot be stored at a mysql:// address") && !message.contains("sesame"),
        "{message}"
    );
}

/// Runs the command and kills it, repeatedly, until a run completes. Returns the number of runs that were
/// killed after the copy had begun, and what the last run printed.
#[expect(clippy::disallowed_methods, reason = "there is no runtime here, and a kill can come at any moment")]
fn copy_with_kills(from: &str, to: &str, has_begun: impl Fn() -> bool) -> (u32, String) {
    let mut kills = 0;
    // Each run gets more time than the one before.
    for run in 0..30 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
        command.args(["copy", "--from", from, "--to", to]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(100).mul_f64(1.4_f64.powi(run)));
        if let Some(status) = process.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return (kills, String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap());
        }
        // This sends SIGKILL.
        process.kill().unwrap();
        process.wait().unwrap();
        kills += u32::from(has_begun());
    }
    panic!("the copy was never finished");
}

/// Copies a house. Returns the command's standard output. On a slow machine, the command also reports its
/// progress on standard error.
#[track_caller]
fn copied(from: &str, to: &str) -> String {
    let output = adoube(&["copy", "--from", from, "--to", to]);
    let error = String::from_utf8_lossy(&output.stderr);
    let is_progress = |line: &str| line.starts_with("adoube: ") && line.ends_with(" rows");
    assert!(output.status.success() && error.lines().all(is_progress), "{from} {to}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the number of rows that a copy has written, from what it printed.
fn written_rows(message: &str) -> usize {
    let (before, _) = message.split_once(" rows written").expect("a finished copy");
    before.rsplit(' ').next().unwrap().parse().expect("a number")
}

#[test]
fn a_copy_that_was_killed_is_consistent_and_can_be_completed() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = large_house(folder.path());
    let (address, back) = (server.create_database().unwrap(), folder.path().join("back.sqlite"));
    let database = address.rsplit('/').next().unwrap();
    let rows = |table: &str| {
        let count = format!("SELECT count(*) FROM {table}");
        server.psql(database, &count).ok().and_then(|count| count.parse::<usize>().ok()).unwrap_or_default()
    };
    let all = GAMES as usize * EVENTS;
    let has_begun = || {
        let events = rows("events");
        // Every game has its log: both are written in one transaction.
        assert_eq!(events, rows("games") * EVENTS);
        // Run another command only while the copy is unfinished: opening a finished copy would turn it into a
        // house.
        if events > 0 && server.psql(database, "SELECT is_finished FROM copied_from").unwrap() == "f" {
            let message = refused(&["house", "reports", "--data", &address]);
            assert!(
                message.contains("is an unfinished copy of") && message.contains("large.sqlite"),
                "{message}"
            );
        }
        events > 0
    };
    // The rows that a run finds are those that the runs before it have committed.
    let found = Cell::new(0);
    let (kills, message) = copy_with_kills(text(&house), &address, || {
        let has_begun = has_begun();
        found.set(rows("events"));
        has_begun
    });
    println!("killed {kills} times while copying");
    assert!(kills >= 1);
    // The last run did not write again what earlier runs had written.
    let written = written_rows(&message);
    let other = server.create_database().unwrap();
    let whole = written_rows(&copied(text(&house), &other));
    let found = found.get();
    assert!(found > 0 && whole >= all && written <= whole - found, "{written} of {whole}, {found} found");
    let (kills, _) = copy_with_kills(&address, text(&back), || back.exists());
    println!("killed {kills} times while copying back");
    assert!(kills >= 1);
    let message = copied(&address, text(&back));
    assert!(
        message.starts_with(&format!("{GAMES} games, {all} events, "))
            && message.contains("; 0 rows written, 0 deleted"),
        "{message}"
    );
}
