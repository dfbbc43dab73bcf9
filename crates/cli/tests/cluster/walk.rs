//! Moves a house from one machine to three and back, as `docs/deployment.md` describes, while a game is being
//! played.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use adoube_test_services::{Nginx, free_port, or_skip};
use serde_json::{Value, json};

use crate::{
    house::{House, Process, Socket, Visitor, eventually},
    layout::{configuration, game_sockets},
};

const INITIAL_MS: i64 = 600_000;
/// The maximum time in milliseconds that a player may be charged beyond the thinking time.
const MAX_OVERCHARGE_MS: i64 = 100;
/// The maximum thinking time in milliseconds that an interruption may refund: the time since a server's last
/// heartbeat, and a margin for a busy machine.
const MAX_REFUND_MS: i64 = 1_500;
/// The maximum lag compensation, in milliseconds.
const MAX_LAG_COMPENSATION_MS: i64 = 500;
/// The duration of each interruption. It is long enough for the test to notice if it is charged.
const INTERRUPTION: Duration = Duration::from_secs(2);

/// Bounds on the thinking time of the side to move, without the interruptions. Only the server knows the
/// exact time.
#[derive(Debug)]
struct Thinking {
    min: Duration,
    max: Duration,
    /// The latest and the earliest possible start of the time that has not been counted yet. `None` during an
    /// interruption.
    since: Option<(Instant, Instant)>,
    interruptions: i64,
}

impl Thinking {
    fn begin(latest: Instant, earliest: Instant) -> Self {
        Self { min: Duration::ZERO, max: Duration::ZERO, since: Some((latest, earliest)), interruptions: 0 }
    }

    fn pause(&mut self, earliest: Instant, latest: Instant) {
        let (began_latest, began_earliest) = self.since.take().unwrap();
        self.min += earliest.saturating_duration_since(began_latest);
        self.max += latest.duration_since(began_earliest);
    }

    fn resume(&mut self, latest: Instant, earliest: Instant) {
        self.since = Some((latest, earliest));
        self.interruptions += 1;
    }
}

/// A game between two players, with spectators.
struct Table {
    game: String,
    version: u64,
    turns: Vec<&'static str>,
    left_ms: [i64; 2],
    players: [Visitor; 2],
    spectators: [Visitor; 2],
    /// The sockets of the players, followed by those of the spectators.
    sockets: Vec<Socket>,
    thinking: Thinking,
}

impl Table {
    fn new(mut players: [Visitor; 2], spectators: [Visitor; 2]) -> Self {
        let created = players[0].create_with(&json!({
            "variant": "chess",
            "color": "white",
            "opponent": { "type": "friend" },
            "timeControl": { "type": "fischer", "initialMs": INITIAL_MS, "incrementMs": 0 },
        }));
        let invitation = format!("/api/invitations/{}", created["invitation"].as_str().unwrap());
        assert_eq!(players[1].post(&invitation, &Value::Null).status, 200);
        let now = Instant::now();
        Self {
            game: created["id"].as_str().unwrap().into(),
            version: 2,
            turns: Vec::new(),
            left_ms: [INITIAL_MS; 2],
            players,
            spectators,
            sockets: Vec::new(),
            thinking: Thinking::begin(now, now),
        }
    }

    fn path(&self) -> String {
        format!("/api/games/{}/socket?version={}", self.game, self.version)
    }

    /// Connects the players and the spectators through the proxy. Each is connected to the node at the same
    /// index in `nodes`, or to any node if `nodes` is too short.
    fn connect(&mut self, nodes: &[&Process]) {
        let path = self.path();
        let visitors = self.players.iter().chain(&self.spectators);
        let sockets = visitors.enumerate().map(|(place, visitor)| match nodes.get(place) {
            Some(node) => connect_to(visitor, &path, node),
            None => visitor.socket(&path),
        });
        self.sockets = sockets.collect();
    }

    /// Stops all servers, copies the house, and starts new servers.
    fn interrupt<T>(&mut self, stop: impl FnOnce(), copy: impl FnOnce(), start: impl FnOnce() -> T) -> T {
        let stopping = Instant::now();
        stop();
        self.thinking.pause(stopping, Instant::now());
        self.sockets.clear();
        std::thread::park_timeout(INTERRUPTION);
        copy();
        let starting = Instant::now();
        let started = start();
        self.thinking.resume(Instant::now(), starting);
        started
    }

    /// Plays a turn that all sockets receive, and checks the clock.
    fn play(&mut self, turn: &'static str) {
        let mover = self.turns.len() % 2;
        let sent = Instant::now();
        self.sockets[mover].play(self.version, turn);
        let (played, version) = self.sockets[mover].wait_for_event("played");
        let received = Instant::now();
        assert_eq!(played["turn"], turn);
        self.version = version;
        for (place, socket) in self.sockets.iter_mut().enumerate() {
            if place != mover {
                socket.wait_for_version(version);
            }
        }
        self.thinking.pause(sent, received);
        let left_ms = played["clock"][["white", "black"][mover]].as_i64().unwrap();
        let charged_ms = self.left_ms[mover] - left_ms;
        let Thinking { min, max, interruptions, .. } = self.thinking;
        println!("{turn}: thought for {min:?} to {max:?}, charged {charged_ms} ms");
        // The first turns are not charged.
        if self.turns.len() >= 2 {
            let [min, max] = [min, max].map(|time| i64::try_from(time.as_millis()).unwrap());
            assert!(charged_ms <= max + MAX_OVERCHARGE_MS, "{turn}: {charged_ms} ms for {max} ms");
            let refunded = interruptions * MAX_REFUND_MS + MAX_LAG_COMPENSATION_MS;
            assert!(charged_ms >= min - refunded, "{turn}: {charged_ms} ms for {min} ms");
        }
        self.left_ms[mover] = left_ms;
        self.turns.push(turn);
        self.thinking = Thinking::begin(received, sent);
        assert_eq!(self.players[1 - mover].turns(&self.game), self.turns, "no turn is lost");
    }
}

/// Connects through the proxy repeatedly until it chooses this node. Each attempt reaches the next node.
fn connect_to(visitor: &Visitor, path: &str, node: &Process) -> Socket {
    let connected = eventually("the proxy forwards to the node", || {
        let before = game_sockets(node);
        let mut socket = visitor.socket(path);
        socket.wait_for("presence");
        (game_sockets(node) > before).then_some(socket)
    });
    connected.0
}

/// Runs `adoube copy`. Returns its output.
fn copy(from: &str, to: &str) -> String {
    let mut copy = Command::new(env!("CARGO_BIN_EXE_adoube"));
    let output = copy.args(["copy", "--from", from, "--to", to]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_continues_from_one_machine_to_three_and_back() {
    let Some(house) = House::start() else { return };
    let ports = [0; 3].map(|_| free_port().unwrap());
    let Some(proxy) = or_skip(Nginx::start(|folder, port| configuration(folder, port, &ports))) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let [before, after] = ["games.sqlite", "back.sqlite"].map(|name| folder.path().join(name));
    let text = |path: &Path| path.display().to_string();
    let assert_anna_is_signed_in = |table: &mut Table| {
        let account = eventually("the server answers", || {
            Some(table.players[0].request("GET", "/api/account", ""))
                .filter(|response| response.status == 200)
        });
        assert_eq!(account.0.json()["account"]["name"], "Anna", "Anna is still signed in");
    };

    // The house starts on one machine.
    let mut single = house.single(ports[0], proxy.port(), &before);
    let visitor = || Visitor::at(proxy.port());
    let (mut anna, ben) = (visitor(), visitor());
    let registered = anna.post("/api/account", &json!({ "name": "Anna", "password": "correct horse" }));
    assert_eq!(registered.status, 201, "{registered:?}");
    let mut table = Table::new([anna, ben], [visitor(), visitor()]);
    table.connect(&[]);
    for turn in ["e2e4", "e7e5"] {
        table.play(turn);
    }

    // Most of the copy is made from a backup while the server is running.
    let backup = folder.path().join("backup.sqlite");
    let mut backing_up = Command::new(env!("CARGO_BIN_EXE_adoube"));
    backing_up.arg("backup").arg(&backup).arg("--data").arg(&before);
    assert!(backing_up.status().unwrap().success());
    assert!(copy(&text(&backup), house.data()).contains("the two are equal"));
    table.play("f1c4");

    // The house moves to three machines. The copy can be repeated.
    let mut nodes = table.interrupt(
        || single.stop(),
        || {
            let copied = copy(&text(&before), house.data());
            assert!(copied.contains("the two are equal"), "{copied}");
            let again = copy(&text(&before), house.data());
            assert!(again.contains("; 0 rows written, 0 deleted; the two are equal"), "{again}");
        },
        || ports.map(|port| house.node(port, Some(proxy.port()), &[])),
    );
    let mut worker = house.worker();
    assert_anna_is_signed_in(&mut table);
    // Only White is connected to the node that will die.
    table.connect(&[&nodes[0], &nodes[1], &nodes[1], &nodes[2]]);
    table.play("b8c6");
    let mut carla = visitor();
    let against_machine = carla.create("chess", "black", &json!({ "type": "machine", "level": 2 }));
    let against_machine = against_machine["id"].as_str().unwrap().to_owned();
    eventually("the worker has played", || (!carla.turns(&against_machine).is_empty()).then_some(()));
    let machine_turns = |process: &Process| process.metric("adoube_machine_turns_total ");
    assert_eq!((machine_turns(&worker), nodes.iter().map(machine_turns).sum::<u64>()), (1, 0));

    // White's node dies during White's turn, and White reconnects after a while. The other sockets stay open.
    let killing = Instant::now();
    nodes[0].kill();
    table.thinking.pause(killing, Instant::now());
    std::thread::park_timeout(INTERRUPTION);
    let back = Instant::now();
    table.sockets[0] = table.players[0].socket(&table.path());
    table.thinking.resume(Instant::now(), back);
    let (refund, version) = table.sockets[0].wait_for_event("interrupted");
    let given_ms = refund["until"].as_i64().unwrap() - refund["from"].as_i64().unwrap();
    assert!(given_ms >= INTERRUPTION.as_millis() as i64 - MAX_OVERCHARGE_MS, "{refund}");
    table.version = version;
    for turn in ["d1h5", "g8f6"] {
        table.play(turn);
    }

    // The house moves back to one machine.
    let _single = table.interrupt(
        || {
            for process in nodes[1..].iter_mut().chain([&mut worker]) {
                process.stop();
            }
        },
        || assert!(copy(house.data(), &text(&after)).contains("the two are equal")),
        || house.single(ports[0], proxy.port(), &after),
    );
    assert_anna_is_signed_in(&mut table);
    assert_eq!(carla.turns(&against_machine).len(), 1);
    table.connect(&[]);
    table.play("h5f7");
    for socket in &mut table.sockets {
        let (ended, _) = socket.wait_for_event("ended");
        assert_eq!((&ended["result"], &ended["reason"]), (&json!("1-0"), &json!("checkmate")));
    }
}
