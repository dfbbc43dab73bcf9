//! Processes that start and stop over one disk and one bus, and the record of what happened.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use adoube_protocol::{CommandId, GameId, PlayerId, SessionId};
use adoube_store::{GameStore as _, Phase};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    bus::{End, SimBus},
    chance::Chance,
    check, client,
    fault::Fault,
    hall,
    line::{ClientEnd, line},
    opponent::{Search, SimOpponent},
    process::{Process, SimClock},
    store::{Availability, Disk, SimStore},
    trouble::{Kind, Troubles},
};
use crate::{
    Clock as _, Config, NoMailer, Services,
    app::{App, app},
    auth::Visitor,
    changes::Change,
    housekeeping::finish,
    limits::Connections,
    metrics::Socket as SocketKind,
    socket::{Connection, CredentialWatch, SocketOwner, game::Admission, run_session},
};

/// Time within which every game must end and every client be up to date after the last fault.
const SETTLING_TIME: Duration = Duration::from_secs(400);
/// Number of processes that share a database.
pub(super) const NODES: usize = 3;
/// Time after which a client gives up on a process that does not respond.
const HANDSHAKE: Duration = Duration::from_secs(3);

/// A process that serves.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) app: App,
    pub(super) process: Process,
}

/// The act of a command, as far as the log shows it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum ActName {
    Play(String),
    Other(&'static str),
}

/// A command of a client.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) game: GameId,
    /// `None` for a spectator.
    pub(super) by: Option<adoube_rules::Color>,
    pub(super) act: ActName,
    pub(super) accepted: Option<u64>,
    /// Number of times that it was sent, and that it was finally refused.
    pub(super) copies: u32,
    pub(super) refused: u32,
}

/// The period of a visitor's connection, as both sides see it. By the server's time, in milliseconds;
/// `i64::MAX` if it has not ended.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) client: u64,
    pub(super) game: GameId,
    /// `None` for a spectator.
    pub(super) side: Option<adoube_rules::Color>,
    pub(super) node: usize,
    /// When the client received the first message.
    pub(super) from: i64,
    /// When the client gave up the connection, or its process crashed.
    pub(super) until: i64,
    /// When the process noticed the end of the connection.
    pub(super) gone: i64,
    /// The versions of the game that the client learned, and when.
    pub(super) heard: Vec<(u64, i64)>,
}

/// Everything that is recorded for the checks at the end.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) sent: BTreeMap<CommandId, Sent>,
    /// Every event as it was published, by game and version.
    pub(super) published: BTreeMap<(GameId, u64), String>,
    /// When the events of games were stored, by game and version.
    pub(super) stored_at: BTreeMap<(GameId, u64), i64>,
    /// Downtimes, by the server's time: no process ran, all were stopped, or the database was out of reach.
    pub(super) downtimes: Vec<(i64, i64)>,
    /// All troubles, for the checks of a house with several processes.
    pub(super) troubles: Troubles,
    /// The connections of all visitors.
    pub(super) spans: Vec<Span>,
    /// The times when processes admitted players, by game: the client may have given up the connection before
    /// it received anything.
    pub(super) admissions: Vec<(GameId, adoube_rules::Color, i64)>,
    /// The seeks whose creation was confirmed.
    pub(super) seeks: Vec<hall::Made>,
    /// The searches of the machine.
    pub(super) searches: Vec<Search>,
    /// When credentials ended, by the server's time.
    pub(super) ended: BTreeMap<Credential, i64>,
    /// Number of starts of a process, and of pauses of all processes.
    pub(super) starts: u64,
    pub(super) stalls: u64,
    pub(super) games: Vec<GameId>,
    pub(super) violations: Vec<String>,
    /// A digest of all messages to the clients and their times.
    trace: u64,
    down_since_ms: Option<i64>,
    /// Whether White and Black are connected, according to the last message to each client.
    pub(super) presence: BTreeMap<u64, (bool, bool)>,
    /// Clients that are up to date and have no command in progress.
    pub(super) at_rest: BTreeMap<u64, (GameId, u64)>,
}

pub(super) struct World {
    pub(super) chance: Chance,
    chance_of_hall: Chance,
    begun: Instant,
    config: Config,
    pub(super) disk: Arc<Disk>,
    bus: Arc<SimBus>,
    nodes: Mutex<Vec<Option<Node>>>,
    /// Tasks of faults that end by themselves.
    temporary_faults: TaskTracker,
    /// The time during which faults are injected.
    fault_period: Duration,
    record: Mutex<Record>,
    /// Cancelled when faults and new commands end.
    pub(super) faults_ended: CancellationToken,
    pub(super) done: CancellationToken,
    set_by_ms: Mutex<i64>,
    reports_pauses: bool,
}

/// The outcome of a simulation.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Outcome {
    pub(super) violations: Vec<String>,
    /// Digest of the run; equal for equal seeds.
    pub(super) trace: u64,
    pub(super) accepted: u64,
    pub(super) events: u64,
    pub(super) starts: u64,
    pub(super) stalls: u64,
    /// Number of events and of endings in all games, by name.
    pub(super) counts: BTreeMap<String, u64>,
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
        config.machine_threads = Some(1);
        // The clock is changed by days, and the games must survive that.
        config.clock.accept = true;
        if fault == Some(Fault::RememberNames) {
            config.name_lifetime = Duration::from_hours(1);
        }
        let count = if chance.percent(50) { NODES } else { 1 };
        // In some runs the faults last long enough for a player to be away for a minute.
        let fault_period = if count > 1 && chance.percent(30) {
            Duration::from_secs(80) + chance.ms(50_000)
        } else {
            Duration::from_secs(6) + chance.ms(20_000)
        };
        Arc::new(Self {
            begun: Instant::now(),
            config,
            disk: Disk::new(chance.fork(), fault, count > 1),
            bus: Arc::new(SimBus::new(chance.fork(), fault)),
            nodes: Mutex::new(vec![None; count]),
            temporary_faults: TaskTracker::new(),
            fault_period,
            record: Mutex::default(),
            faults_ended: CancellationToken::new(),
            done: CancellationToken::new(),
            set_by_ms: Mutex::default(),
            reports_pauses: fault != Some(Fault::IgnoreStalls),
            chance,
            chance_of_hall: Chance::new(!seed),
        })
    }

    /// Returns the time by the clock of the database.
    pub(super) fn now_ms(&self) -> i64 {
        self.disk.now_ms()
    }

    /// Returns `true` if changes that concern all processes may be lost permanently.
    pub(super) fn loses_changes(&self) -> bool {
        self.bus.loses_changes
    }

    /// Returns `true` if the faults last so long that players leave for more than a minute.
    pub(super) fn is_long(&self) -> bool {
        self.fault_period > Duration::from_mins(1)
    }

    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap()
    }

    fn nodes(&self) -> MutexGuard<'_, Vec<Option<Node>>> {
        self.nodes.lock().unwrap()
    }

    /// Records a violated guarantee.
    pub(super) fn report_violation(&self, what: String) {
        self.record().violations.push(what);
    }

    /// Adds a text and the present time to the digest of the run.
    pub(super) fn trace(&self, text: &str) {
        let at = self.begun.elapsed().as_millis() as u64;
        let mut record = self.record();
        for byte in at.to_le_bytes().iter().chain(text.as_bytes()) {
            // FNV-1a.
            record.trace = (record.trace ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Returns the process with the preferred index, if it is running; otherwise a random one, if any.
    pub(super) fn preferred_node(&self, preferred: Option<usize>, chance: &Chance) -> Option<Node> {
        if let Some(preferred) = preferred
            && let Some(node) = self.nodes().get(preferred).and_then(Clone::clone)
        {
            return Some(node);
        }
        self.node(chance)
    }

    /// Returns a random process that is running, if any.
    pub(super) fn node(&self, chance: &Chance) -> Option<Node> {
        let nodes = self.nodes();
        let here: Vec<_> = nodes.iter().flatten().collect();
        if here.is_empty() { None } else { Some((*chance.pick(&here)).clone()) }
    }

    /// Returns all processes that are running.
    pub(super) fn all_nodes(&self) -> Vec<Node> {
        self.nodes().iter().flatten().cloned().collect()
    }

    /// Returns `true` if there is never more than one process.
    pub(super) fn is_alone(&self) -> bool {
        self.nodes().len() == 1
    }

    async fn run(self: Arc<Self>) -> Outcome {
        let games = 1 + self.chance.below(2);
        for number in 0..games {
            tokio::spawn(client::create(Arc::clone(&self), self.chance.fork(), number));
        }
        if !self.is_alone() {
            tokio::spawn(hall::visit(Arc::clone(&self), self.chance_of_hall.fork()));
        }
        self.inject_faults().await;
        self.faults_ended.cancel();
        self.temporary_faults.close();
        self.temporary_faults.wait().await;
        self.disk.end_faults();
        let count = self.nodes().len();
        if self.chance.percent(if self.is_alone() { 50 } else { 70 }) {
            // Another crash after some visitors have left permanently, so that no client requests their
            // games.
            sleep(Duration::from_secs(5)).await;
            for index in 0..count {
                if self.is_alone() || self.chance.percent(60) {
                    self.crash(index);
                }
            }
        }
        // The remaining processes take over from those that are not restarted.
        let is_enough = self.chance.percent(70) && self.nodes().iter().any(Option::is_some);
        for index in 0..count {
            while !is_enough && self.nodes()[index].is_none() {
                self.start(index).await;
            }
        }
        let deadline = Instant::now() + SETTLING_TIME;
        while !self.is_at_rest(games as usize) {
            if Instant::now() > deadline {
                let record = self.record();
                let standing: Vec<_> = record.games.iter().map(|id| (id, self.disk.standing(id))).collect();
                let message =
                    format!("the games did not settle: games {standing:?}, clients {:?}", record.at_rest);
                drop(record);
                self.report_violation(message);
                break;
            }
            sleep(Duration::from_secs(2)).await;
        }
        check::check_names(&self).await;
        check::check_presence(&self).await;
        hall::check(&self).await;
        self.done.cancel();
        check::check(&self).await;
        let logs = self.disk.logs();
        for event in logs.iter().flat_map(|(_, log)| log) {
            self.trace(&event.body);
        }
        let record = self.record();
        Outcome {
            violations: record.violations.clone(),
            trace: record.trace,
            accepted: record.sent.values().filter(|sent| sent.accepted.is_some()).count() as u64,
            events: logs.iter().map(|(_, log)| log.len() as u64).sum(),
            starts: record.starts,
            stalls: record.stalls,
            counts: check::count_events(&logs),
        }
    }

    /// Starts and stops processes for a while, and interrupts the database and the bus.
    async fn inject_faults(self: &Arc<Self>) {
        let end = Instant::now() + self.fault_period;
        let paces_ms: &[u64] =
            if self.is_long() { &[5_000, 15_000, 40_000] } else { &[1_500, 5_000, 15_000, 60_000] };
        let pace_ms = *self.chance.pick(paces_ms);
        let count = self.nodes().len();
        for index in 0..count {
            self.start(index).await;
        }
        while Instant::now() < end {
            sleep(self.chance.ms(pace_ms)).await;
            if self.chance.percent(if self.is_alone() { 20 } else { 5 }) {
                self.stall().await;
                continue;
            }
            let index = self.chance.below(count as u64) as usize;
            let here = self.nodes()[index].clone();
            let Some(node) = here else {
                self.start(index).await;
                continue;
            };
            if self.is_alone() {
                match self.chance.below(100) {
                    0..60 => self.crash(index),
                    60..72 => self.stop(index, node).await,
                    _ => {}
                }
                continue;
            }
            match self.chance.below(100) {
                0..30 => self.crash(index),
                30..40 => self.stop(index, node).await,
                40..58 => self.run_fault(Arc::clone(self).suspend(node)),
                58..72 => self.run_fault(Arc::clone(self).outage()),
                72..82 => self.run_fault(Arc::clone(self).bus_outage(index)),
                82..85 => (0..count).for_each(|index| self.crash(index)),
                _ => {}
            }
        }
    }

    fn run_fault(self: &Arc<Self>, fault: impl Future<Output = ()> + Send + 'static) {
        self.temporary_faults.spawn(fault);
    }

    /// Stops a process for a while, as by `SIGSTOP`.
    async fn suspend(self: Arc<Self>, node: Node) {
        let leaves_clock_behind = self.chance.percent(40);
        if !node.process.suspend(leaves_clock_behind) {
            return;
        }
        let (length, index) = (Duration::from_millis(1_100) + self.chance.ms(9_000), node.process.index());
        let number = self.begin_trouble(Kind::Stall, Some(index));
        tokio::select! {
            biased;
            () = node.process.crashed() => {}
            () = sleep(length) => {}
        }
        self.record().stalls += 1;
        self.end_trouble(number);
        node.process.resume();
    }

    /// Makes the database unreachable or slow for a while.
    async fn outage(self: Arc<Self>) {
        let availability = match self.chance.below(3) {
            0 => Availability::Refusing,
            1 => Availability::Silent,
            _ => Availability::Slow(300),
        };
        if !self.disk.begin_outage(availability) {
            return;
        }
        let kind = if let Availability::Slow(_) = availability { Kind::Slow } else { Kind::Outage };
        let from = self.now_ms();
        let number = self.begin_trouble(kind, None);
        sleep(Duration::from_millis(200) + self.chance.ms(8_000)).await;
        self.disk.end_outage();
        self.end_trouble(number);
        if kind == Kind::Outage {
            let until = self.now_ms();
            self.record().downtimes.push((from, until));
        }
    }

    async fn bus_outage(self: Arc<Self>, index: usize) {
        if !self.bus.cut_off(index) {
            return;
        }
        let number = self.begin_trouble(Kind::BusOutage, Some(index));
        sleep(self.chance.ms(8_000)).await;
        self.bus.reconnect(index);
        self.end_trouble(number);
    }

    fn begin_trouble(&self, kind: Kind, node: Option<usize>) -> usize {
        let now = self.now_ms();
        self.record().troubles.begin(kind, node, now)
    }

    fn end_trouble(&self, number: usize) {
        let now = self.now_ms();
        self.record().troubles.end(number, now);
    }

    fn add_trouble(&self, kind: Kind, index: usize) {
        let now = self.now_ms();
        self.record().troubles.add(kind, Some(index), now);
    }

    /// Starts a process, unless it fails to start.
    async fn start(self: &Arc<Self>, index: usize) {
        if self.is_alone() && self.chance.percent(20) {
            // The system's clock was changed while no process was running.
            let hour = 3_600_000;
            *self.set_by_ms.lock().unwrap() = *self.chance.pick(&[0, hour, -hour, 72 * hour, -72 * hour]);
        }
        // The clocks of several machines differ a little.
        let differs_ms =
            if self.is_alone() { 0 } else { *self.chance.pick(&[0, 0, 300, -300, 1_500, -1_500]) };
        let process = Process::new(index);
        let clock = SimClock {
            process: process.clone(),
            begun: self.begun,
            offset_ms: *self.set_by_ms.lock().unwrap() + differs_ms,
            reports_pauses: self.reports_pauses,
            newest_ms: i64::MIN.into(),
        };
        let store = SimStore::open(&self.disk, process.clone());
        let Ok(newest) = store.latest_write().await else { return };
        let begins_ms = newest.map_or(0, |newest| newest.0).max(clock.now().0);
        let services = Services {
            store: Arc::new(store),
            bus: Arc::new(End { bus: Arc::clone(&self.bus), process: process.clone() }),
            clock: Arc::new(clock),
            entropy: Arc::new(self.chance.fork()),
            opponent: Arc::new(SimOpponent { world: Arc::clone(self), process: process.clone() }),
            mailer: Arc::new(NoMailer),
        };
        let stop = CancellationToken::new();
        let connections = Connections::new(1_000, 1_000);
        let lives = if self.faults_ended.is_cancelled() || self.chance.percent(90) {
            Duration::from_hours(1)
        } else {
            self.chance.ms(100)
        };
        // Each process has its own address, which it keeps when it restarts.
        let listen = ([127, 0, 0, 1], 1 + index as u16).into();
        let config = Config { listen, ..self.config.clone() };
        let begun = app(config, &services, connections, stop.clone(), TaskTracker::new());
        let Ok(Ok(app)) = tokio::time::timeout(lives, begun).await else {
            // It was refused, or crashed before it was ready.
            process.crash();
            stop.cancel();
            self.add_trouble(Kind::Crash, index);
            return;
        };
        self.add_trouble(Kind::Start, index);
        let mut record = self.record();
        record.starts += 1;
        if self.is_alone() {
            // The system's clock was set back, and the disk does not contain the last moments, which are
            // repeated.
            for (from, until) in &mut record.downtimes {
                *from = begins_ms.min(*from);
                *until = begins_ms.min(*until);
            }
        }
        let now = if self.is_alone() { begins_ms } else { self.now_ms() };
        if let Some(from) = record.down_since_ms.take() {
            record.downtimes.push((from.min(now), now));
        }
        drop(record);
        self.nodes()[index] = Some(Node { app, process });
    }

    /// Pauses all processes for a while, as when the machine is suspended. Everything that was due is then
    /// due at once.
    async fn stall(&self) {
        let Some(node) = self.nodes().iter().flatten().next().cloned() else { return };
        let from = self.time_of(&node);
        let number = self.begin_trouble(Kind::Stall, None);
        tokio::time::advance(Duration::from_millis(1_100) + self.chance.ms(12_000)).await;
        self.end_trouble(number);
        let until = self.time_of(&node);
        let mut record = self.record();
        record.stalls += 1;
        record.downtimes.push((from, until));
    }

    /// Returns the server's time: that of the database, or of the only process.
    fn time_of(&self, node: &Node) -> i64 {
        if self.is_alone() { node.app.clock.now().0 } else { self.now_ms() }
    }

    fn crash(&self, index: usize) {
        let Some(node) = self.nodes()[index].take() else { return };
        node.process.crash();
        self.disk.crash();
        node.app.stop.cancel();
        self.add_trouble(Kind::Crash, index);
        self.note_if_all_down(&node);
    }

    /// Stops a process gracefully.
    async fn stop(&self, index: usize, node: Node) {
        self.nodes()[index] = None;
        self.add_trouble(Kind::Leave, index);
        let stopped_at = node.app.clock.now();
        node.app.nodes.stop(stopped_at).await;
        node.app.stop.cancel();
        node.app.sockets.close();
        node.app.sockets.wait().await;
        // Everything in progress until now was answered.
        self.note_if_all_down(&node);
        finish(&*node.app.store, node.app.games.ledger.downtimes(), stopped_at).await;
        node.process.crash();
        self.add_trouble(Kind::Leave, index);
    }

    fn note_if_all_down(&self, node: &Node) {
        if self.nodes().iter().all(Option::is_none) {
            let now = self.time_of(node);
            self.record().down_since_ms.get_or_insert(now);
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

    /// Opens the socket of a game, unless the process does not respond or no longer accepts the credential.
    pub(super) async fn connect(
        &self,
        node: &Node,
        game: &GameId,
        visitor: &Visitor,
        since: u64,
        chance: &Chance,
    ) -> Option<ClientEnd> {
        let handshake = async {
            node.process.running().await;
            if !node.app.accounts.is_valid(visitor).await.ok()? {
                return None;
            }
            let entry = Admission::of(&node.app, game.clone(), visitor.player.clone()).await.ok()?;
            let credential = CredentialWatch::of(&node.app, visitor);
            Some((entry, credential))
        };
        let (entry, credential) = tokio::select! {
            biased;
            () = node.process.crashed() => return None,
            () = node.app.stop.cancelled() => return None,
            opened = timeout(HANDSHAKE, handshake) => opened.ok()??,
        };
        let (client, server) = line(&node.process, chance);
        let address = [127, 0, 0, 1].into();
        let slot = Arc::new(node.app.connections.enter(address, false)?);
        let owner = SocketOwner { player: visitor.player.clone(), address, slot };
        let line =
            Connection::new(node.app.clone(), Box::new(server), owner, SocketKind::Game, Some(credential));
        tokio::spawn(run_session(line, move |line| entry.run(line, adoube_protocol::Version(since))));
        Some(client)
    }

    /// Calls a process without a socket. Returns `None` if it crashes or is stopped before it answers.
    pub(super) async fn ask<T>(&self, node: &Node, work: impl Future<Output = T>) -> Option<T> {
        let asked = async {
            node.process.running().await;
            work.await
        };
        tokio::select! {
            biased;
            () = node.process.crashed() => None,
            done = timeout(HANDSHAKE, asked) => done.ok(),
        }
    }

    /// Ends a session at a random process, and repeats that until it is done.
    pub(super) async fn sign_out(&self, visitor: &Visitor, chance: &Chance) {
        let Some(session) = &visitor.session else { return };
        loop {
            if let Some(node) = self.node(chance) {
                let ended = self.ask(&node, node.app.accounts.end(visitor, session)).await;
                if let Some(Ok(_)) = ended {
                    break;
                }
            }
            sleep(chance.ms(500)).await;
        }
        let now = self.now_ms();
        self.record().ended.insert(Credential::Session(session.clone()), now);
    }

    /// Opens a session. The first one turns an anonymous identity into an account.
    pub(super) async fn sign_in(&self, visitor: &Visitor, chance: &Chance) -> Visitor {
        let (player, session) = (visitor.player.clone(), SessionId::from_random(chance.wide()));
        self.disk.add_session(&player, &format!("name of {player}"), session.clone());
        if visitor.session.is_none()
            && !self.record().ended.contains_key(&Credential::Identity(player.clone()))
        {
            loop {
                if let Some(node) = self.node(chance) {
                    let change = Change::Registered { player: player.clone() };
                    if self.ask(&node, node.app.accounts.changes.publish(change)).await.is_some() {
                        break;
                    }
                }
                sleep(chance.ms(500)).await;
            }
            let now = self.now_ms();
            self.record().ended.insert(Credential::Identity(player.clone()), now);
        }
        Visitor { player, session: Some(session), until: None }
    }
}

/// The credentials that identify a visitor to the server.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Credential {
    Identity(PlayerId),
    Session(SessionId),
}

impl Credential {
    pub(super) fn of(visitor: &Visitor) -> Self {
        match &visitor.session {
            Some(session) => Self::Session(session.clone()),
            None => Self::Identity(visitor.player.clone()),
        }
    }
}
