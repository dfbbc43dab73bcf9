//! Measurements and findings.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Result, ensure};
use serde::Serialize;

/// Measurements that all games add to.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<Sums>);

#[derive(Debug, Default)]
struct Sums {
    acknowledged: Vec<Duration>,
    seen: Vec<Duration>,
    done: Vec<Duration>,
    watched: Vec<Duration>,
    back: Vec<Duration>,
    refused: BTreeMap<String, u64>,
    ended: BTreeMap<String, u64>,
    contradictions: u64,
}

impl Tally {
    fn with(&self, add: impl FnOnce(&mut Sums)) {
        add(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn acknowledged(&self, latency: Duration) {
        self.with(|sums| sums.acknowledged.push(latency));
    }

    pub(crate) fn seen(&self, latency: Duration) {
        self.with(|sums| sums.seen.push(latency));
    }

    /// A turn that is acknowledged and seen by the other player, also over a connection that broke meanwhile.
    pub(crate) fn done(&self, latency: Duration) {
        self.with(|sums| sums.done.push(latency));
    }

    /// Returns the latencies of all turns that are done.
    pub(crate) fn all_done(&self) -> Vec<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).done.clone()
    }

    pub(crate) fn watched(&self, latency: Duration) {
        self.with(|sums| sums.watched.push(latency));
    }

    pub(crate) fn back(&self, after: Duration) {
        self.with(|sums| sums.back.push(after));
    }

    pub(crate) fn refused(&self, code: &str) {
        self.with(|sums| *sums.refused.entry(code.to_owned()).or_default() += 1);
    }

    pub(crate) fn ended(&self, reason: &str) {
        self.with(|sums| *sums.ended.entry(reason.to_owned()).or_default() += 1);
    }

    /// Events that the server sent twice, left out, or changed.
    pub(crate) fn contradiction(&self) {
        self.with(|sums| sums.contradictions += 1);
    }
}

/// The measurements and findings of a run.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Turns acknowledged, in all and per second.
    pub turns: usize,
    pub turns_per_second: f64,
    /// From the instant when a turn was due to its acknowledgement, in milliseconds.
    pub acknowledged_ms: Option<Percentiles>,
    /// From the instant when a turn was due until the other player saw it, in milliseconds.
    pub seen_ms: Option<Percentiles>,
    /// The same for watchers.
    pub watched_ms: Option<Percentiles>,
    pub kills: u64,
    /// From the start of the server until it answered, for each start after a kill.
    pub start_ms: Vec<u64>,
    /// From the break of a connection until it was back, in milliseconds.
    pub back_ms: Option<Percentiles>,
    /// Turns that were acknowledged and are missing.
    pub lost: u64,
    /// Turns that were never sent, or are stored twice.
    pub unasked: u64,
    /// Stored turns that are not legal.
    pub illegal: u64,
    /// Events that were sent twice, left out, or changed.
    pub contradictions: u64,
    /// Games whose players wait in vain for an answer, or for the game itself.
    pub restless: u64,
    /// Games that came to their end, after which their turns were no longer due, by the reason.
    pub ended: BTreeMap<String, u64>,
    /// Refusals by code.
    pub refused: BTreeMap<String, u64>,
    /// Memory of the server in MB: at first, with all sockets open, and at the end of play.
    pub server_idle_mb: Option<f64>,
    pub server_open_mb: Option<f64>,
    pub server_playing_mb: Option<f64>,
    /// Memory and open files of the server at the beginning of each minute.
    pub over_time: Vec<Sample>,
}

/// Memory and open files of a server at an instant.
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
    /// Returns an error if there is any finding.
    pub fn judge(&self) -> Result<()> {
        ensure!(
            self.lost + self.unasked + self.illegal + self.contradictions + self.restless == 0,
            "the server broke its word: see lost, unasked, illegal, contradictions and restless"
        );
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of one run")]
    pub(crate) fn take(&mut self, tally: &Tally, seconds: u64) {
        tally.with(|sums| {
            let sums = std::mem::take(sums);
            self.turns = sums.acknowledged.len();
            self.turns_per_second = self.turns as f64 / seconds as f64;
            self.acknowledged_ms = Percentiles::of(sums.acknowledged);
            self.seen_ms = Percentiles::of(sums.seen);
            self.watched_ms = Percentiles::of(sums.watched);
            self.back_ms = Percentiles::of(sums.back);
            self.contradictions = sums.contradictions;
            self.ended = sums.ended;
            self.refused = sums.refused;
        });
    }
}
