//! Faults: processes that start, stop, crash and are suspended, and outages of the database and of the bus.

use std::{sync::Arc, time::Duration};

use adoube_store::GameStore as _;
use tokio::time::{Instant, sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    super::{
        bus::BusHandle,
        disruption::DisruptionKind,
        opponent::SimOpponent,
        process::{Process, SimClock},
        store::{Availability, SimStore},
    },
    Node, World,
};
use crate::{Clock as _, Config, NoMailer, Services, app::app, housekeeping::finish, limits::Connections};

impl World {
    /// Starts and stops processes during the fault period, and interrupts the database and the bus.
    pub(super) async fn inject_faults(self: &Arc<Self>) {
        let end = Instant::now() + self.fault_period;
        let paces_ms: &[u64] =
            if self.is_long() { &[5_000, 15_000, 40_000] } else { &[1_500, 5_000, 15_000, 60_000] };
        let pace_ms = *self.rng.pick(paces_ms);
        let count = self.nodes().len();
        for index in 0..count {
            self.start(index).await;
        }
        while Instant::now() < end {
            sleep(self.rng.ms(pace_ms)).await;
            if self.rng.percent(if self.has_one_process() { 20 } else { 5 }) {
                self.stall().await;
                continue;
            }
            let index = self.rng.below(count as u64) as usize;
            let slot = self.nodes()[index].clone();
            let Some(node) = slot else {
                self.start(index).await;
                continue;
            };
            if self.has_one_process() {
                match self.rng.below(100) {
                    0..60 => self.crash(index),
                    60..72 => self.stop(index, node).await,
                    _ => {}
                }
                continue;
            }
            match self.rng.below(100) {
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

    /// Stops a process for a while, as `SIGSTOP` does.
    async fn suspend(self: Arc<Self>, node: Node) {
        let leaves_clock_behind = self.rng.percent(40);
        if !node.process.suspend(leaves_clock_behind) {
            return;
        }
        let (length, index) = (Duration::from_millis(1_100) + self.rng.ms(9_000), node.process.index());
        let number = self.begin_disruption(DisruptionKind::Stall, Some(index));
        tokio::select! {
            biased;
            () = node.process.crashed() => {}
            () = sleep(length) => {}
        }
        self.record().stalls += 1;
        self.end_disruption(number);
        node.process.resume();
    }

    /// Makes the database unreachable or slow for a while.
    async fn outage(self: Arc<Self>) {
        let availability = match self.rng.below(3) {
            0 => Availability::Refusing,
            1 => Availability::Silent,
            _ => Availability::Slow(300),
        };
        if !self.disk.begin_outage(availability) {
            return;
        }
        let kind = if let Availability::Slow(_) = availability {
            DisruptionKind::Slow
        } else {
            DisruptionKind::Outage
        };
        let from = self.now_ms();
        let number = self.begin_disruption(kind, None);
        sleep(Duration::from_millis(200) + self.rng.ms(8_000)).await;
        self.disk.end_outage();
        self.end_disruption(number);
        if kind == DisruptionKind::Outage {
            let until = self.now_ms();
            self.record().downtimes.push((from, until));
        }
    }

    /// Cuts a process off from the bus for a while.
    async fn bus_outage(self: Arc<Self>, index: usize) {
        if !self.bus.cut_off(index) {
            return;
        }
        let number = self.begin_disruption(DisruptionKind::BusOutage, Some(index));
        sleep(self.rng.ms(8_000)).await;
        self.bus.reconnect(index);
        self.end_disruption(number);
    }

    fn begin_disruption(&self, kind: DisruptionKind, node: Option<usize>) -> usize {
        let now = self.now_ms();
        self.record().disruptions.begin(kind, node, now)
    }

    fn end_disruption(&self, number: usize) {
        let now = self.now_ms();
        self.record().disruptions.end(number, now);
    }

    fn add_disruption(&self, kind: DisruptionKind, index: usize) {
        let now = self.now_ms();
        self.record().disruptions.add(kind, Some(index), now);
    }

    /// Starts a process. The start may fail, or be interrupted by a crash.
    pub(super) async fn start(self: &Arc<Self>, index: usize) {
        if self.has_one_process() && self.rng.percent(20) {
            // The system clock was changed while no process was running.
            let hour = 3_600_000;
            *self.clock_shift_ms.lock().unwrap() = *self.rng.pick(&[0, hour, -hour, 72 * hour, -72 * hour]);
        }
        // The clocks of different computers differ slightly.
        let clock_offset_ms =
            if self.has_one_process() { 0 } else { *self.rng.pick(&[0, 0, 300, -300, 1_500, -1_500]) };
        let process = Process::new(index);
        let clock = SimClock {
            process: process.clone(),
            started: self.started,
            offset_ms: *self.clock_shift_ms.lock().unwrap() + clock_offset_ms,
            reports_pauses: self.reports_pauses,
            newest_ms: i64::MIN.into(),
        };
        let store = SimStore::open(&self.disk, process.clone());
        let Ok(newest) = store.latest_write().await else { return };
        let begin_ms = newest.map_or(0, |newest| newest.0).max(clock.now().0);
        let services = Services {
            store: Arc::new(store),
            bus: Arc::new(BusHandle { bus: Arc::clone(&self.bus), process: process.clone() }),
            clock: Arc::new(clock),
            entropy: Arc::new(self.rng.fork()),
            opponent: Arc::new(SimOpponent { world: Arc::clone(self), process: process.clone() }),
            mailer: Arc::new(NoMailer),
        };
        let stop = CancellationToken::new();
        let connections = Connections::new(1_000, 1_000);
        let lifetime = if self.faults_ended.is_cancelled() || self.rng.percent(90) {
            Duration::from_hours(1)
        } else {
            self.rng.ms(100)
        };
        // Each process has its own address, which it keeps when it restarts.
        let listen = ([127, 0, 0, 1], 1 + index as u16).into();
        let config = Config { listen, ..self.config.clone() };
        let starting = app(config, &services, connections, stop.clone(), TaskTracker::new());
        let Ok(Ok(app)) = tokio::time::timeout(lifetime, starting).await else {
            // The start was refused, or the process crashed before it was ready.
            process.crash();
            stop.cancel();
            self.add_disruption(DisruptionKind::Crash, index);
            return;
        };
        self.add_disruption(DisruptionKind::Start, index);
        let mut record = self.record();
        record.starts += 1;
        if self.has_one_process() {
            // If the system clock was set back, the server's time repeats the last moments before the process
            // ended, because the disk does not contain them.
            for (from, until) in &mut record.downtimes {
                *from = begin_ms.min(*from);
                *until = begin_ms.min(*until);
            }
        }
        let now = if self.has_one_process() { begin_ms } else { self.now_ms() };
        if let Some(from) = record.down_since_ms.take() {
            record.downtimes.push((from.min(now), now));
            record.restarted_at.push(now);
        }
        drop(record);
        self.nodes()[index] = Some(Node { app, process });
    }

    /// Pauses all processes for a while, as when the computer is suspended. All timers that came due in the
    /// meantime then fire at once.
    async fn stall(&self) {
        let Some(node) = self.nodes().iter().flatten().next().cloned() else { return };
        let from = self.time_of(&node);
        let number = self.begin_disruption(DisruptionKind::Stall, None);
        tokio::time::advance(Duration::from_millis(1_100) + self.rng.ms(12_000)).await;
        self.end_disruption(number);
        let until = self.time_of(&node);
        let mut record = self.record();
        record.stalls += 1;
        record.downtimes.push((from, until));
    }

    /// Returns the server's time, by the clock of the database or of the only process.
    pub(in super::super) fn time_of(&self, node: &Node) -> i64 {
        if self.has_one_process() { node.app.clock.now().0 } else { self.now_ms() }
    }

    pub(super) fn crash(&self, index: usize) {
        let Some(node) = self.nodes()[index].take() else { return };
        node.process.crash();
        self.disk.crash();
        node.app.stop.cancel();
        self.add_disruption(DisruptionKind::Crash, index);
        self.note_if_all_down(&node);
    }

    /// Stops a process gracefully.
    async fn stop(&self, index: usize, node: Node) {
        self.nodes()[index] = None;
        self.add_disruption(DisruptionKind::Leave, index);
        let stopped_at = node.app.clock.now();
        node.app.nodes.stop(stopped_at).await;
        node.app.stop.cancel();
        node.app.sockets.close();
        node.app.sockets.wait().await;
        // All requests that were in progress have been answered.
        self.note_if_all_down(&node);
        finish(&*node.app.store, node.app.games.ledger.downtimes(), stopped_at).await;
        node.process.crash();
        self.add_disruption(DisruptionKind::Leave, index);
    }

    fn note_if_all_down(&self, node: &Node) {
        if self.nodes().iter().all(Option::is_none) {
            let now = self.time_of(node);
            self.record().down_since_ms.get_or_insert(now);
        }
    }
}
