//! Processes that start and stop over one disk and one bus, and the record of what happened.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use adoube_protocol::{CommandId, GameId, Millis, PlayerId};
use adoube_store::{GameStore as _, Phase};
use tokio::time::{Instant, sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    bus::{End, SimBus},
    chance::Chance,
    check, client,
    fault::Fault,
    line::{ClientEnd, line},
    store::{Disk, SimStore},
};
use crate::{
    Clock, Config, NoMailer, Opponent, OpponentRequest, Services,
    app::{App, app},
    housekeeping::finish,
    limits::Connections,
    metrics::Socket as SocketKind,
    socket::{Connection, SocketOwner, game::Admission, run_session},
};

/// Start of every simulation, in milliseconds since 1970.
const BEGIN_MS: i64 = 1_700_000_000_000;
/// Time within which all must come to rest after the last fault.
const REST: Duration = Duration::from_secs(400);

/// A clock that follows the paused time of the runtime, with an offset for each process.
#[derive(Clone, Copy, Debug)]
struct SimClock {
    begun: Instant,
    set_by_ms: i64,
    tells_pauses: bool,
}

impl Clock for SimClock {
    fn now(&self) -> Millis {
        Millis(BEGIN_MS + self.set_by_ms + self.begun.elapsed().as_millis() as i64)
    }

    fn steady_ms(&self) -> i64 {
        if self.tells_pauses { self.now().0 } else { 0 }
    }
}

/// Stands in for the machine, which does not play here.
struct Nobody;

impl Opponent for Nobody {
    fn choose(&self, _: OpponentRequest) -> Option<String> {
        None
    }
}

/// A process.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) app: App,
    crashed: CancellationToken,
}

/// The act of a command, as far as it can be recognised in the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Wish {
    Play(String),
    Other(&'static str),
}

/// A command of a client.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) game: GameId,
    /// `None` for a spectator.
    pub(super) by: Option<adoube_rules::Color>,
    pub(super) wish: Wish,
    pub(super) accepted: Option<u64>,
    /// How often it was sent, and how often it was finally refused.
    pub(super) copies: u32,
    pub(super) refused: u32,
}

/// Everything that is recorded for the checks at the end.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) sent: BTreeMap<CommandId, Sent>,
    /// Every event as it was published, by game and version.
    pub(super) told: BTreeMap<(GameId, u64), String>,
    /// Downtimes, by the server's time.
    pub(super) down: Vec<(i64, i64)>,
    /// Number of starts of a process, and of pauses of all processes.
    pub(super) starts: u64,
    pub(super) stalls: u64,
    pub(super) games: Vec<GameId>,
    pub(super) broken: Vec<String>,
    /// A digest of all messages to the clients and their times.
    trace: u64,
    since_when_down_ms: Option<i64>,
    /// Clients that are up to date and have no command in progress.
    pub(super) at_rest: BTreeMap<u64, (GameId, u64)>,
}

pub(super) struct World {
    pub(super) chance: Chance,
    begun: Instant,
    config: Config,
    pub(super) disk: Arc<Disk>,
    bus: Arc<SimBus>,
    nodes: Mutex<Vec<Option<Node>>>,
    record: Mutex<Record>,
    /// Cancelled when faults and new commands end.
    pub(super) calm: CancellationToken,
    pub(super) done: CancellationToken,
    set_by_ms: Mutex<i64>,
    tells_pauses: bool,
}

/// The outcome of a simulation.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Outcome {
    pub(super) broken: Vec<String>,
    /// Digest of the run; equal for equal seeds.
    pub(super) trace: u64,
    pub(super) accepted: u64,
    pub(super) events: u64,
    pub(super) starts: u64,
    pub(super) stalls: u64,
}

/// Runs one simulation to its end.
pub(super) fn simulate(seed: u64, fault: Option<Fault>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    // Created inside the runtime, because outside time is not paused.
    runtime.unwrap().block_on(async { World::new(seed, fault).run().await })
}

impl World {
    fn new(seed: u64, fault: Option<Fault>) -> Arc<Self> {
        let chance = Chance::new(seed);
        let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        config.machine_round = Duration::from_hours(1);
        // The clock is set by days, and the games must survive that.
        config.clock.accept = true;
        let count = if chance.percent(25) { 2 } else { 1 };
        Arc::new(Self {
            begun: Instant::now(),
            config,
            disk: Disk::new(chance.fork(), fault, count > 1),
            bus: Arc::new(SimBus::new(chance.fork(), fault)),
            nodes: Mutex::new(vec![None; count]),
            record: Mutex::default(),
            calm: CancellationToken::new(),
            done: CancellationToken::new(),
            set_by_ms: Mutex::default(),
            tells_pauses: fault != Some(Fault::IgnoreStalls),
            chance,
        })
    }

    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap()
    }

    fn nodes(&self) -> MutexGuard<'_, Vec<Option<Node>>> {
        self.nodes.lock().unwrap()
    }

    /// Records a broken promise.
    pub(super) fn blame(&self, what: String) {
        self.record().broken.push(what);
    }

    /// Adds to the digest.
    pub(super) fn trace(&self, text: &str) {
        let at = self.begun.elapsed().as_millis() as u64;
        let mut record = self.record();
        for byte in at.to_le_bytes().iter().chain(text.as_bytes()) {
            // FNV-1a.
            record.trace = (record.trace ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Returns a random process that is running, if any.
    pub(super) fn node(&self, chance: &Chance) -> Option<Node> {
        let nodes = self.nodes();
        let here: Vec<_> = nodes.iter().flatten().collect();
        if here.is_empty() { None } else { Some((*chance.pick(&here)).clone()) }
    }

    /// Tells whether there is never more than one process.
    pub(super) fn is_alone(&self) -> bool {
        self.nodes().len() == 1
    }

    async fn run(self: Arc<Self>) -> Outcome {
        let games = 1 + self.chance.below(2);
        for number in 0..games {
            tokio::spawn(client::create(Arc::clone(&self), self.chance.fork(), number));
        }
        self.trouble().await;
        self.calm.cancel();
        self.disk.calm();
        let count = self.nodes().len();
        if self.chance.percent(50) {
            // Once more, after some visitors have gone for good: no client asks for their games any more.
            sleep(Duration::from_secs(5)).await;
            for index in 0..count {
                self.crash(index);
            }
        }
        for index in 0..count {
            while self.nodes()[index].is_none() {
                self.start(index).await;
            }
        }
        let rest = Instant::now() + REST;
        while !self.is_at_rest(games as usize) {
            if Instant::now() > rest {
                let record = self.record();
                let standing: Vec<_> = record.games.iter().map(|id| (id, self.disk.standing(id))).collect();
                let what = format!("no rest: games {standing:?}, clients {:?}", record.at_rest);
                drop(record);
                self.blame(what);
                break;
            }
            sleep(Duration::from_secs(2)).await;
        }
        self.done.cancel();
        check::check(&self).await;
        let logs = self.disk.logs();
        for event in logs.iter().flat_map(|(_, log)| log) {
            self.trace(&event.body);
        }
        let record = self.record();
        Outcome {
            broken: record.broken.clone(),
            trace: record.trace,
            accepted: record.sent.values().filter(|sent| sent.accepted.is_some()).count() as u64,
            events: logs.iter().map(|(_, log)| log.len() as u64).sum(),
            starts: record.starts,
            stalls: record.stalls,
        }
    }

    /// Starts and stops processes for a while.
    async fn trouble(self: &Arc<Self>) {
        let end = Instant::now() + Duration::from_secs(6) + self.chance.ms(20_000);
        let pace_ms = *self.chance.pick(&[1_500, 5_000, 15_000]);
        let count = self.nodes().len();
        for index in 0..count {
            self.start(index).await;
        }
        while Instant::now() < end {
            sleep(self.chance.ms(pace_ms)).await;
            if self.chance.percent(20) {
                self.stall().await;
                continue;
            }
            let index = self.chance.below(count as u64) as usize;
            let here = self.nodes()[index].clone();
            match here {
                None => self.start(index).await,
                Some(_) if self.chance.percent(60) => self.crash(index),
                Some(node) if self.chance.percent(30) => self.stop(index, node).await,
                Some(_) => {}
            }
        }
    }

    /// Starts a process, unless it fails to start.
    async fn start(&self, index: usize) {
        if self.is_alone() && self.chance.percent(20) {
            // The system's clock was set while no process was running.
            let hour = 3_600_000;
            *self.set_by_ms.lock().unwrap() = *self.chance.pick(&[0, hour, -hour, 72 * hour, -72 * hour]);
        }
        let clock = SimClock {
            begun: self.begun,
            set_by_ms: *self.set_by_ms.lock().unwrap(),
            tells_pauses: self.tells_pauses,
        };
        let crashed = CancellationToken::new();
        let store = SimStore::open(&self.disk, crashed.clone());
        let newest = store.latest_write().await.unwrap();
        let begins_ms = newest.map_or(0, |newest| newest.0).max(clock.now().0);
        let services = Services {
            store: Arc::new(store),
            bus: Arc::new(End { bus: Arc::clone(&self.bus), crashed: crashed.clone() }),
            clock: Arc::new(clock),
            entropy: Arc::new(self.chance.fork()),
            opponent: Arc::new(Nobody),
            mailer: Arc::new(NoMailer),
        };
        let stop = CancellationToken::new();
        let connections = Connections::new(1_000, 1_000);
        let lives = if self.calm.is_cancelled() || self.chance.percent(90) {
            Duration::from_hours(1)
        } else {
            self.chance.ms(100)
        };
        // Each process has a place of its own, where it starts again.
        let listen = ([127, 0, 0, 1], 1 + index as u16).into();
        let config = Config { listen, ..self.config.clone() };
        let begun = app(config, &services, connections, stop.clone(), TaskTracker::new());
        let Ok(Ok(app)) = tokio::time::timeout(lives, begun).await else {
            // Refused, or crashed before it was ready.
            crashed.cancel();
            stop.cancel();
            return;
        };
        let mut record = self.record();
        record.starts += 1;
        // The system's clock was set back, and the disk does not know the last moments: they are repeated.
        for (from, until) in &mut record.down {
            *from = begins_ms.min(*from);
            *until = begins_ms.min(*until);
        }
        if let Some(from) = record.since_when_down_ms.take() {
            record.down.push((from.min(begins_ms), begins_ms));
        }
        drop(record);
        self.nodes()[index] = Some(Node { app, crashed });
    }

    /// Pauses all processes for a while, as when the machine is suspended. Everything that was due is then due
    /// at once.
    async fn stall(&self) {
        let Some(clock) = self.nodes().iter().flatten().next().map(|node| Arc::clone(&node.app.clock)) else {
            return;
        };
        let from = clock.now().0;
        tokio::time::advance(Duration::from_millis(1_100) + self.chance.ms(12_000)).await;
        let mut record = self.record();
        record.stalls += 1;
        record.down.push((from, clock.now().0));
    }

    fn crash(&self, index: usize) {
        let Some(node) = self.nodes()[index].take() else { return };
        node.crashed.cancel();
        self.disk.crash();
        node.app.stop.cancel();
        self.is_down(&node);
    }

    /// Stops a process gracefully.
    async fn stop(&self, index: usize, node: Node) {
        self.nodes()[index] = None;
        let stopped_at = node.app.clock.now();
        node.app.nodes.stop(stopped_at).await;
        node.app.stop.cancel();
        node.app.sockets.close();
        node.app.sockets.wait().await;
        // Everything in progress until now was answered.
        self.is_down(&node);
        finish(&*node.app.store, node.app.games.ledger.downtimes(), stopped_at).await;
        node.crashed.cancel();
    }

    fn is_down(&self, node: &Node) {
        if self.nodes().iter().all(Option::is_none) {
            self.record().since_when_down_ms = Some(node.app.clock.now().0);
        }
    }

    fn is_at_rest(&self, games: usize) -> bool {
        let record = self.record();
        let settled = |id: &GameId| {
            let Some((version, phase)) = self.disk.standing(id) else { return false };
            let mut clients = record.at_rest.values().filter(|(game, _)| game == id);
            phase == Phase::Over && clients.all(|(_, at)| *at == version)
        };
        record.games.len() == games && record.games.iter().all(settled)
    }

    /// Opens the socket of a game.
    pub(super) async fn connect(
        &self,
        node: &Node,
        game: &GameId,
        player: &PlayerId,
        since: u64,
        chance: &Chance,
    ) -> Option<ClientEnd> {
        let entry = Admission::of(&node.app, game.clone(), player.clone());
        let entry = tokio::select! {
            biased;
            () = node.crashed.cancelled() => return None,
            () = node.app.stop.cancelled() => return None,
            entry = entry => entry.ok()?,
        };
        let (client, server) = line(&node.crashed, chance);
        let address = [127, 0, 0, 1].into();
        let slot = Arc::new(node.app.connections.enter(address, false)?);
        let owner = SocketOwner { player: player.clone(), address, slot };
        let line = Connection::new(node.app.clone(), Box::new(server), owner, SocketKind::Game, None);
        tokio::spawn(run_session(line, move |line| entry.run(line, adoube_protocol::Version(since))));
        Some(client)
    }

    /// Calls a process outside of the sockets. It may crash before it answers.
    pub(super) async fn ask<T>(&self, node: &Node, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = node.crashed.cancelled() => None,
            done = work => Some(done),
        }
    }
}
