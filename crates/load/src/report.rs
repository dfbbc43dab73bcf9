//! Measurements and findings.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Result, ensure};
use serde::Serialize;
use tokio::time::Instant;

use crate::chaos::Affected;

/// How long a fault still excuses delays after it has ended.
const AFTERMATH: Duration = Duration::from_secs(5);

/// A quantity that the probes measure.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProbeKind {
    /// From the instant when a player's time ran out until the notice of the game's end.
    Deadline,
    /// From the acknowledgement of a turn until the machine's reply.
    MachineTurn,
    /// Once for each node: from the request to sign out until the session's socket on that node was closed.
    SignOut,
    /// Once for each node: from the request that created a seek until that node announced it in the hall.
    Seek,
}

impl ProbeKind {
    /// Returns `true` if a fault excuses a delay. Without the database nothing works; without the bus, or
    /// after a node has died, notices arrive late.
    fn is_excused_by(self, affected: Affected) -> bool {
        match self {
            Self::Deadline | Self::MachineTurn => affected == Affected::Data,
            Self::SignOut | Self::Seek => true,
        }
    }
}

/// The measurements of all probes of one kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProbeSummary {
    /// The measurements that no fault excuses, in milliseconds.
    undisturbed_ms: Option<Percentiles>,
    all_ms: Option<Percentiles>,
    /// The number of measurements that were abandoned.
    unanswered: u64,
}

/// The measurements of all games and probes of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<Sums>);

#[derive(Debug, Default)]
struct Sums {
    acknowledgement_latencies: Vec<Duration>,
    delivery_latencies: Vec<Duration>,
    completion_latencies: Vec<Duration>,
    spectator_latencies: Vec<Duration>,
    reconnection_times: Vec<Duration>,
    clock_losses: Vec<Duration>,
    probes: BTreeMap<ProbeKind, Vec<(Instant, Instant)>>,
    unanswered: BTreeMap<ProbeKind, u64>,
    early_flags: u64,
    faults: Vec<(Affected, Instant, Instant)>,
    refused: BTreeMap<String, u64>,
    ended: BTreeMap<String, u64>,
    contradictions: u64,
}

impl Tally {
    fn update(&self, add: impl FnOnce(&mut Sums)) {
        add(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn record_acknowledgement(&self, latency: Duration) {
        self.update(|sums| sums.acknowledgement_latencies.push(latency));
    }

    pub(crate) fn record_delivery(&self, latency: Duration) {
        self.update(|sums| sums.delivery_latencies.push(latency));
    }

    /// Records a turn that was acknowledged and seen by the opponent, even if a connection broke in between.
    pub(crate) fn record_completion(&self, latency: Duration) {
        self.update(|sums| sums.completion_latencies.push(latency));
    }

    /// Returns the latencies of all completed turns.
    pub(crate) fn completed_latencies(&self) -> Vec<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).completion_latencies.clone()
    }

    pub(crate) fn record_spectator_latency(&self, latency: Duration) {
        self.update(|sums| sums.spectator_latencies.push(latency));
    }

    pub(crate) fn record_reconnection(&self, after: Duration) {
        self.update(|sums| sums.reconnection_times.push(after));
    }

    /// Records the time that a turn cost on the clock beyond the time that its player took.
    pub(crate) fn record_clock_loss(&self, time: Duration) {
        self.update(|sums| sums.clock_losses.push(time));
    }

    /// Records a measurement that began at `start` and ends now.
    pub(crate) fn record_probe(&self, kind: ProbeKind, start: Instant) {
        self.record_probe_until(kind, start, Instant::now());
    }

    fn record_probe_until(&self, kind: ProbeKind, start: Instant, end: Instant) {
        self.update(|sums| sums.probes.entry(kind).or_default().push((start, end)));
    }

    /// Records a measurement that was abandoned.
    pub(crate) fn count_unanswered(&self, kind: ProbeKind) {
        self.update(|sums| *sums.unanswered.entry(kind).or_default() += 1);
    }

    /// Records a flag that fell too early, or a probe's game that did not end with White's flag.
    pub(crate) fn count_early_flag(&self) {
        self.update(|sums| sums.early_flags += 1);
    }

    pub(crate) fn record_fault(&self, affected: Affected, from: Instant, until: Instant) {
        self.update(|sums| sums.faults.push((affected, from, until)));
    }

    pub(crate) fn count_refusal(&self, code: &str) {
        self.update(|sums| *sums.refused.entry(code.to_owned()).or_default() += 1);
    }

    pub(crate) fn count_end(&self, reason: &str) {
        self.update(|sums| *sums.ended.entry(reason.to_owned()).or_default() += 1);
    }

    /// Records an event that the server sent twice, left out, or changed, or a message that cannot be read.
    pub(crate) fn count_contradiction(&self) {
        self.update(|sums| sums.contradictions += 1);
    }
}

/// The measurements and findings of a run.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The number of servers.
    pub nodes: usize,
    /// Turns acknowledged without being sent again, and without a broken connection in the meantime, in total
    /// and per second.
    pub turns: usize,
    pub turns_per_second: f64,
    /// The time from when a turn was due until it was acknowledged, in milliseconds.
    pub acknowledged_ms: Option<Percentiles>,
    /// The time from when a turn was due until the other player saw it, in milliseconds.
    pub delivery_ms: Option<Percentiles>,
    /// The time from when a turn was due until a spectator saw it, in milliseconds.
    pub spectator_ms: Option<Percentiles>,
    /// Time that players lost on their clocks beyond the time they used, for each turn, in milliseconds.
    pub clock_lost_ms: Option<Percentiles>,
    /// Measurements of the probes.
    pub(crate) probes: BTreeMap<ProbeKind, ProbeSummary>,
    /// Faults by name, faults for which there was no time, servers that exited on their own, and servers that
    /// the run killed or, with `--kill-every`, stopped.
    pub faults: BTreeMap<&'static str, u64>,
    pub faults_skipped: usize,
    pub exits: u64,
    pub kills: u64,
    /// For each server that the run killed or stopped during play: the time from its restart until it
    /// answered, in milliseconds.
    pub start_ms: Vec<u64>,
    /// From the loss of a connection until the client has reconnected, in milliseconds.
    pub reconnect_ms: Option<Percentiles>,
    /// Turns that were acknowledged but are missing.
    pub lost: u64,
    /// Stored turns that no client sent, or that are stored twice.
    pub unasked: u64,
    /// Stored turns that are not legal.
    pub illegal: u64,
    /// Games that ended for no valid reason, and flags that fell too early.
    pub wrong_results: u64,
    /// Games with gaps in the numbers of their stored events; `None` without `--data postgres`.
    pub incomplete_logs: Option<u64>,
    /// Events that were sent twice, left out, or changed, and messages that cannot be read.
    pub contradictions: u64,
    /// Games in which a turn never completed.
    pub unanswered_games: u64,
    /// Games that ended before the run did, by reason.
    pub ended: BTreeMap<String, u64>,
    /// Refusals by code.
    pub refused: BTreeMap<String, u64>,
    /// Resident memory of all servers together in MB: at the beginning, with all sockets open, and at the end
    /// of play.
    pub server_idle_mb: Option<f64>,
    pub server_open_mb: Option<f64>,
    pub server_playing_mb: Option<f64>,
    /// Memory and open files of all servers together at the beginning of each minute. Samples that were due
    /// more than a second before the last fault ended are left out.
    pub over_time: Vec<Sample>,
}

/// Memory and open files, of one server or of all together, at an instant.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    pub minute: u32,
    pub server_mb: f64,
    /// Open files, sockets included.
    pub server_files: usize,
}

/// Latencies in milliseconds.
#[derive(Debug, Serialize)]
pub struct Percentiles {
    count: usize,
    p50: f64,
    p90: f64,
    p99: f64,
    p999: f64,
    max: f64,
}

impl Percentiles {
    fn of(mut all: Vec<Duration>) -> Option<Self> {
        all.sort_unstable();
        let last = all.len().checked_sub(1)?;
        let at = |thousandths: usize| {
            let value = all[last * thousandths / 1000].as_secs_f64() * 1000.0;
            (value * 100.0).round() / 100.0
        };
        Some(Self {
            count: all.len(),
            p50: at(500),
            p90: at(900),
            p99: at(990),
            p999: at(999),
            max: at(1000),
        })
    }
}

impl Report {
    /// Returns an error if the run found anything wrong.
    pub fn check(&self) -> Result<()> {
        let violations =
            self.lost + self.unasked + self.illegal + self.contradictions + self.unanswered_games;
        ensure!(
            violations == 0,
            "the server violated its guarantees: see lost, unasked, illegal, contradictions, unansweredGames"
        );
        ensure!(self.wrong_results == 0, "{} games have a wrong result", self.wrong_results);
        let incomplete_logs = self.incomplete_logs.unwrap_or(0);
        ensure!(incomplete_logs == 0, "{incomplete_logs} games have incomplete logs");
        ensure!(self.exits == 0, "{} servers exited on their own", self.exits);
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "the counts of one run are small")]
    pub(crate) fn add(&mut self, tally: &Tally, seconds: u64) {
        tally.update(|sums| {
            let sums = std::mem::take(sums);
            self.turns = sums.acknowledgement_latencies.len();
            self.turns_per_second = self.turns as f64 / seconds as f64;
            self.acknowledged_ms = Percentiles::of(sums.acknowledgement_latencies);
            self.delivery_ms = Percentiles::of(sums.delivery_latencies);
            self.spectator_ms = Percentiles::of(sums.spectator_latencies);
            self.reconnect_ms = Percentiles::of(sums.reconnection_times);
            self.clock_lost_ms = Percentiles::of(sums.clock_losses);
            self.wrong_results += sums.early_flags;
            let mut unanswered = sums.unanswered;
            for (kind, all) in sums.probes {
                let faults = sums.faults.iter().filter(|(affected, ..)| kind.is_excused_by(*affected));
                // After a restart, the other processes need a moment to reconnect.
                let faults = faults.map(|(_, from, until)| (*from, *until + AFTERMATH)).collect::<Vec<_>>();
                let is_undisturbed = |(start, end): &&(Instant, Instant)| {
                    faults.iter().all(|(from, until)| end < from || until < start)
                };
                let duration = |(start, end): &(Instant, Instant)| *end - *start;
                let summary = ProbeSummary {
                    undisturbed_ms: Percentiles::of(
                        all.iter().filter(is_undisturbed).map(duration).collect(),
                    ),
                    all_ms: Percentiles::of(all.iter().map(duration).collect()),
                    unanswered: unanswered.remove(&kind).unwrap_or(0),
                };
                self.probes.insert(kind, summary);
            }
            for (kind, unanswered) in unanswered {
                self.probes.insert(kind, ProbeSummary { undisturbed_ms: None, all_ms: None, unanswered });
            }
            self.contradictions = sums.contradictions;
            self.ended = sums.ended;
            self.refused = sums.refused;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database outage excuses a late flag, but a dead node does not. Any fault excuses a late seek.
    #[test]
    fn undisturbed_measurements_exclude_those_that_a_fault_excuses() {
        let tally = Tally::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        tally.record_fault(Affected::Node, at(0), at(1));
        tally.record_fault(Affected::Data, at(21), at(22));
        for kind in [ProbeKind::Deadline, ProbeKind::Seek] {
            tally.record_probe_until(kind, at(0), at(1));
            tally.record_probe_until(kind, at(20), at(22));
        }
        tally.record_probe_until(ProbeKind::Seek, at(30), at(33));
        tally.count_unanswered(ProbeKind::MachineTurn);
        let mut report = Report::default();
        report.add(&tally, 1);
        let figures = |kind| {
            let probe: &ProbeSummary = &report.probes[&kind];
            let count_and_max = |all: &Option<Percentiles>| all.as_ref().map(|all| (all.count, all.max));
            (count_and_max(&probe.undisturbed_ms), count_and_max(&probe.all_ms), probe.unanswered)
        };
        assert_eq!(figures(ProbeKind::Deadline), (Some((1, 1_000.0)), Some((2, 2_000.0)), 0));
        assert_eq!(figures(ProbeKind::Seek), (Some((1, 3_000.0)), Some((3, 3_000.0)), 0));
        assert_eq!(figures(ProbeKind::MachineTurn), (None, None, 1));
    }
}
