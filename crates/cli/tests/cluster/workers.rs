//! Tests workers that die, and houses without workers.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use adoube_rules::Variant;
use adoube_test_services::free_port;
use serde_json::{Value, json};

use crate::house::{House, Process, Visitor, eventually};

/// The maximum delay of a turn after its worker has died, with a margin for a busy machine.
const TAKEOVER: Duration = Duration::from_secs(5);

const WORKERS_ONLY: [&str; 2] = ["--set", "thinking=workers"];

/// Begins a game in which the machine is to move.
fn begin(visitor: &mut Visitor, variant: Variant) -> String {
    let created = visitor.create(variant.name(), "black", &json!({ "type": "machine", "level": 10 }));
    created["id"].as_str().unwrap().into()
}

/// Begins games until it can pause `worker` while the worker computes a turn. Returns the game of that turn.
fn pause_in_search(house: &House, visitor: &mut Visitor, worker: &Process, variant: Variant) -> String {
    for _ in 0..20 {
        let game = begin(visitor, variant);
        let claimed = format!(
            "SELECT count(*) FROM games WHERE id = '{game}' AND awaits_machine IS NOT NULL AND thinking_version = version"
        );
        eventually("the turn is claimed or played", || {
            (house.query(&claimed) == "1" || !visitor.turns(&game).is_empty()).then_some(())
        });
        worker.pause();
        // Messages sent before the pause may still be in transit.
        std::thread::park_timeout(Duration::from_millis(100));
        if visitor.turns(&game).is_empty() {
            return game;
        }
        worker.resume();
    }
    panic!("the worker was never paused during a search");
}

#[track_caller]
fn assert_played_within(limit: Duration, since: Instant, visitor: &mut Visitor, game: &str) {
    eventually("the machine has played", || (!visitor.turns(game).is_empty()).then_some(()));
    let elapsed = since.elapsed();
    println!("the turn came after {elapsed:?}");
    assert!(elapsed < limit, "the turn took {elapsed:?}");
    assert_eq!(visitor.turns(game).len(), 1);
}

#[test]
fn in_each_game_another_worker_takes_over_a_killed_workers_turn() {
    let Some(house) = House::start() else { return };
    let node = house.node(free_port().unwrap(), None, &WORKERS_ONLY);
    let mut anna = Visitor::at(node.port);
    let mut other = house.worker();
    for variant in Variant::ALL {
        let mut worker = house.worker();
        other.pause();
        let game = pause_in_search(&house, &mut anna, &worker, variant);
        worker.kill();
        let killed = Instant::now();
        other.resume();
        assert_played_within(TAKEOVER, killed, &mut anna, &game);
    }
    assert_eq!(node.metric("adoube_machine_turns_total "), 0, "the node leaves all turns to the workers");
    // A worker that is told to stop ends its lease, and thereby its claims, immediately.
    other.stop();
    assert_eq!(
        house.query("SELECT count(*) FROM workers WHERE valid_until > extract(epoch FROM now()) * 1000"),
        "0"
    );
}

#[test]
fn a_node_on_standby_takes_over_from_the_last_worker() {
    let Some(house) = House::start() else { return };
    let node = house.node(free_port().unwrap(), None, &["--set", "thinking=standby"]);
    let mut anna = Visitor::at(node.port);
    let mut worker = house.worker();
    let game = pause_in_search(&house, &mut anna, &worker, Variant::ALL[0]);
    worker.kill();
    assert_played_within(TAKEOVER, Instant::now(), &mut anna, &game);
    // If there is no worker at all, the node computes the turn after two seconds.
    let game = begin(&mut anna, Variant::ALL[0]);
    assert_played_within(TAKEOVER, Instant::now(), &mut anna, &game);
    // A node on standby also computes proofs.
    assert_eq!(prove(&mut anna)["type"], "proved");
    assert_eq!(node.metric("adoube_job_proofs_total "), 1);
}

/// Requests a proof that takes some time to compute.
fn prove(visitor: &mut Visitor) -> Value {
    let proved = visitor.post("/api/problems/chess/proof", &composition());
    assert_eq!(proved.status, 200, "{proved:?}");
    proved.json()
}

fn composition() -> Value {
    json!({ "fen": "8/k7/8/1RK1N3/8/8/8/8 w - - 0 1", "goal": "win", "turns": 2, "lines": [] })
}

#[test]
fn a_proof_is_computed_once_by_a_worker_and_refused_in_time_without_one() {
    let Some(house) = House::start() else { return };
    let start = || {
        house.node(free_port().unwrap(), None, &["--set", "thinking=workers", "--set", "limits.proof_s=4"])
    };
    let nodes = [start(), start()];
    let mut visitors = nodes.each_ref().map(|node| Visitor::at(node.port));
    let started = Instant::now();
    let refused = visitors[0].post("/api/problems/chess/proof", &composition());
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (503, &json!("busy")));
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());

    let workers = [house.worker(), house.worker()];
    // No visitor is waiting for the proof any more, so it was abandoned. An invalid request is refused
    // without a worker.
    assert_eq!(house.query("SELECT count(*) FROM jobs WHERE attempts > 0"), "0");
    let unfit = json!({ "fen": "8/k7/8/1RK1N3/8/8/8/8 w - - 0 1", "goal": "win", "turns": 0, "lines": [] });
    assert_eq!(visitors[0].post("/api/problems/chess/proof", &unfit).json()["type"], "unfit");
    // Two visitors make the request at the same time, on different nodes. A repeated request finds the
    // result.
    let found = std::thread::scope(|scope| {
        let proofs = visitors.each_mut().map(|visitor| scope.spawn(|| prove(visitor)));
        proofs.map(|proof| proof.join().unwrap())
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0]["type"], "proved", "{found:?}");
    assert_eq!(prove(&mut visitors[1]), found[0]);
    let proof_count = |process: &Process| process.metric("adoube_job_proofs_total ");
    assert_eq!(workers.iter().map(proof_count).sum::<u64>(), 1);
    assert_eq!(nodes.iter().map(proof_count).sum::<u64>(), 0);
}

/// Workers and servers exit with status 2 and print one line.
#[test]
fn settings_without_a_database_and_a_bus_are_refused() {
    let refused = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_adoube")).args(arguments).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        message
    };
    let message = refused(&["work", "--data", "games.sqlite", "--bus", "nats://127.0.0.1:1"]);
    assert!(
        message.contains("the data is in the file games.sqlite") && message.contains("PostgreSQL"),
        "{message}"
    );
    let message = refused(&["work", "--data", "postgres://me@127.0.0.1:1/games"]);
    assert!(message.contains("a worker needs the bus of its servers (--bus"), "{message}");
    for thinking in ["standby", "workers"] {
        let message = refused(&["serve", "--data", "games.sqlite", "--set", &format!("thinking={thinking}")]);
        assert!(
            message.contains(&format!("thinking = {thinking} leaves"))
                && message.contains("set thinking = here"),
            "{message}"
        );
    }
    let message = refused(&["serve", "--set", "thinking=elsewhere"]);
    assert!(
        message.contains("thinking must be one of here, standby, workers, not \"elsewhere\""),
        "{message}"
    );
}
