//! The simulated world: processes that start and stop, their shared disk and bus, and the record of the run.

mod faults;
mod record;
mod visits;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use adoube_protocol::GameId;
use adoube_store::Phase;
use tokio::time::{Instant, sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(super) use self::record::{ActName, Credential, Record, Sent, Span};
use super::{bus::SimBus, check, client, fault::Fault, hall, process::Process, rng::SeededRng, store::Disk};
use crate::{Config, app::App};

/// The time within which every game must end and every client be up to date after the last fault.
const SETTLING_TIME: Duration = Duration::from_secs(400);
/// The number of processes that share a database.
pub(super) const NODES: usize = 3;
/// The time after which a client gives up on a process that does not respond.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(3);

/// A running process.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) app: App,
    pub(super) process: Process,
}

pub(super) struct World {
    pub(super) rng: SeededRng,
    hall_rng: SeededRng,
    started: Instant,
    config: Config,
    pub(super) disk: Arc<Disk>,
    bus: Arc<SimBus>,
    nodes: Mutex<Vec<Option<Node>>>,
    /// The tasks that run the faults that end on their own.
    temporary_faults: TaskTracker,
    /// The time during which faults are injected.
    fault_period: Duration,
    record: Mutex<Record>,
    /// Cancelled when faults and new commands end.
    pub(super) faults_ended: CancellationToken,
    pub(super) done: CancellationToken,
    clock_shift_ms: Mutex<i64>,
    reports_pauses: bool,
}

/// The outcome of a simulation.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Outcome {
    pub(super) violations: Vec<String>,
    /// A digest of the run, which is always the same for a given seed and fault.
    pub(super) trace: u64,
    pub(super) accepted: u64,
    pub(super) events: u64,
    pub(super) starts: u64,
    pub(super) stalls: u64,
    /// The numbers of events and of endings in all games, by name.
    pub(super) counts: BTreeMap<String, u64>,
}

/// Runs one simulation to its end.
pub(super) fn simulate(seed: u64, fault: Option<Fault>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    // The world is created inside the runtime, because time is paused only there.
    runtime.unwrap().block_on(async { World::new(seed, fault).run().await })
}

impl World {
    fn new(seed: u64, fault: Option<Fault>) -> Arc<Self> {
        let rng = SeededRng::new(seed);
        let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        config.machine_threads = Some(1);
        // The clock is moved by days, and the games must survive that.
        config.clock.accept = true;
        if fault == Some(Fault::RememberNames) {
            config.name_lifetime = Duration::from_hours(1);
        }
        let count = if rng.percent(50) { NODES } else { 1 };
        // In some runs the faults last long enough for a player to be away for a minute.
        let fault_period = if count > 1 && rng.percent(30) {
            Duration::from_secs(80) + rng.ms(50_000)
        } else {
            Duration::from_secs(6) + rng.ms(20_000)
        };
        let disk = Disk::new(rng.fork(), fault, count > 1);
        let record = Record { longest_sync_ms: disk.longest_sync_ms(), ..Record::default() };
        Arc::new(Self {
            started: Instant::now(),
            config,
            disk,
            bus: Arc::new(SimBus::new(rng.fork(), fault)),
            nodes: Mutex::new(vec![None; count]),
            temporary_faults: TaskTracker::new(),
            fault_period,
            record: Mutex::new(record),
            faults_ended: CancellationToken::new(),
            done: CancellationToken::new(),
            clock_shift_ms: Mutex::default(),
            reports_pauses: fault != Some(Fault::IgnoreStalls),
            rng,
            hall_rng: SeededRng::new(!seed),
        })
    }

    /// Returns the time by the database's clock.
    pub(super) fn now_ms(&self) -> i64 {
        self.disk.now_ms()
    }

    /// Returns `true` if notices that concern all processes may be lost without a report.
    pub(super) fn loses_changes(&self) -> bool {
        self.bus.loses_changes
    }

    /// Returns `true` if the faults last long enough for players to be away for more than a minute.
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
    pub(super) fn report_violation(&self, violation: String) {
        self.record().violations.push(violation);
    }

    /// Adds a string and the current time to the digest of the run.
    pub(super) fn trace(&self, text: &str) {
        let at = self.started.elapsed().as_millis() as u64;
        let mut record = self.record();
        for byte in at.to_le_bytes().iter().chain(text.as_bytes()) {
            // FNV-1a.
            record.trace = (record.trace ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Returns the process with the preferred index, if it is running; otherwise a random one, if any.
    pub(super) fn preferred_node(&self, preferred: Option<usize>, rng: &SeededRng) -> Option<Node> {
        if let Some(preferred) = preferred
            && let Some(node) = self.nodes().get(preferred).and_then(Clone::clone)
        {
            return Some(node);
        }
        self.node(rng)
    }

    /// Returns a random process that is running, if any.
    pub(super) fn node(&self, rng: &SeededRng) -> Option<Node> {
        let nodes = self.nodes();
        let running: Vec<_> = nodes.iter().flatten().collect();
        if running.is_empty() { None } else { Some((*rng.pick(&running)).clone()) }
    }

    /// Returns all processes that are running.
    pub(super) fn all_nodes(&self) -> Vec<Node> {
        self.nodes().iter().flatten().cloned().collect()
    }

    /// Returns `true` if there is never more than one process.
    pub(super) fn has_one_process(&self) -> bool {
        self.nodes().len() == 1
    }

    async fn run(self: Arc<Self>) -> Outcome {
        let games = 1 + self.rng.below(2);
        for number in 0..games {
            tokio::spawn(client::create(Arc::clone(&self), self.rng.fork(), number));
        }
        if !self.has_one_process() {
            tokio::spawn(hall::visit(Arc::clone(&self), self.hall_rng.fork()));
        }
        self.inject_faults().await;
        self.faults_ended.cancel();
        self.temporary_faults.close();
        self.temporary_faults.wait().await;
        self.disk.end_faults();
        let count = self.nodes().len();
        if self.rng.percent(if self.has_one_process() { 50 } else { 70 }) {
            // Processes crash once more after some visitors have left permanently. No client then requests
            // the games of these visitors.
            sleep(Duration::from_secs(5)).await;
            for index in 0..count {
                if self.has_one_process() || self.rng.percent(60) {
                    self.crash(index);
                }
            }
        }
        // The remaining processes take over from those that are not restarted.
        let others_take_over = self.rng.percent(70) && self.nodes().iter().any(Option::is_some);
        for index in 0..count {
            while !others_take_over && self.nodes()[index].is_none() {
                self.start(index).await;
            }
        }
        let deadline = Instant::now() + SETTLING_TIME;
        while !self.is_idle(games as usize) {
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

    fn is_idle(&self, games: usize) -> bool {
        let record = self.record();
        let settled = |id: &GameId| {
            let Some((version, phase)) = self.disk.standing(id) else { return false };
            let mut clients = record.at_rest.values().filter(|(game, _)| game == id);
            phase == Phase::Over && clients.all(|(_, at)| *at == version)
        };
        record.games.len() == games && record.games.iter().all(settled)
    }
}
