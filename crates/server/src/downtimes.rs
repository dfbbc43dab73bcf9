//! Downtimes: times in which no server ran, or the server stood still. They are charged to neither side.
//!
//! A stopped process, a paused machine and a disk that does not answer prevent players from playing just as a
//! server that is down. So the process checks the clock every [`PULSE`]. A check that comes more than
//! [`LATE_MS`] after the previous one, or finds a heartbeat that has been on its way to the disk for that long,
//! has found a downtime. Every decision about a game checks first: after a pause, the timer of a flag or a turn
//! may come before the next pulse.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::Downtime;

use crate::clock::Clock;

/// Interval of the checks.
pub(crate) const PULSE: Duration = Duration::from_millis(250);
/// Silence of the process, or of the disk, in milliseconds, above which it counts as downtime.
pub(crate) const LATE_MS: i64 = 1_000;

/// All known downtimes.
#[derive(Debug)]
pub(crate) struct Downtimes {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// In order. Those found by this process do not touch each other.
    all: Vec<Downtime>,
    /// Number of downtimes, from the first on, that are stored in their current form.
    saved: usize,
    seen: Moment,
    /// Start of the heartbeat that is on its way to the disk.
    writing: Option<Moment>,
    /// Whether the disk does not answer: then all time counts as downtime until it does.
    is_stuck: bool,
}

#[derive(Clone, Copy, Debug)]
struct Moment {
    at: Millis,
    /// By the clock that goes on during pauses.
    steady_ms: i64,
}

impl Downtimes {
    /// `known` are the downtimes before this process.
    pub(crate) fn new(clock: Arc<dyn Clock>, known: Vec<Downtime>) -> Self {
        let seen = here(&*clock);
        let all = merged(known);
        let saved = all.len();
        let state = State { all, saved, seen, writing: None, is_stuck: false };
        Self { clock, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks whether the server has stood still. Returns the present time, before which all downtimes are
    /// known.
    pub(crate) fn look(&self) -> Millis {
        // The lock comes first: two checks must not overtake each other.
        let mut state = self.state();
        let here = here(&*self.clock);
        state.look(here);
        here.at
    }

    /// Marks a heartbeat as on its way to the disk.
    pub(crate) fn begin_write(&self) {
        let mut state = self.state();
        let here = here(&*self.clock);
        state.look(here);
        state.writing.get_or_insert(here);
    }

    /// Marks the heartbeat as stored. A refused heartbeat is not stored: with a full disk no game can continue.
    pub(crate) fn end_write(&self) {
        let mut state = self.state();
        let here = here(&*self.clock);
        state.look(here);
        state.writing = None;
        state.is_stuck = false;
    }

    /// Adds downtimes that others have found and stored.
    pub(crate) fn learn(&self, stored: &[Downtime]) {
        if stored.is_empty() {
            return;
        }
        let mut state = self.state();
        let all = state.all.iter().chain(stored).copied().collect();
        state.all = merged(all);
        // With several nodes, downtimes found by this one concern it alone.
        state.saved = state.all.len();
    }

    /// Returns the downtimes that are not stored yet.
    pub(crate) fn unsaved(&self) -> Vec<Downtime> {
        let state = self.state();
        state.all.get(state.saved..).unwrap_or_default().to_vec()
    }

    /// Marks downtimes as stored.
    pub(crate) fn set_saved(&self, saved: &[Downtime]) {
        let mut state = self.state();
        for downtime in saved {
            // A downtime that has grown in the meantime must be stored again.
            if state.all.get(state.saved) == Some(downtime) {
                state.saved += 1;
            }
        }
    }

    /// Returns the downtimes that end after this time.
    pub(crate) fn after(&self, at_ms: i64) -> Vec<Downtime> {
        let state = self.state();
        let first = state.all.partition_point(|downtime| downtime.until.0 <= at_ms);
        state.all[first..].to_vec()
    }

    pub(crate) fn are_any_after(&self, at_ms: i64) -> bool {
        self.state().all.last().is_some_and(|downtime| downtime.until.0 > at_ms)
    }

    /// Returns the sum of the downtimes between two times, in milliseconds.
    pub(crate) fn within_ms(&self, from_ms: i64, until_ms: i64) -> i64 {
        let overlap = |down: &Downtime| (down.until.0.min(until_ms) - down.from.0.max(from_ms)).max(0);
        self.after(from_ms).iter().map(overlap).sum()
    }
}

/// Sorts downtimes, and joins those that touch: a pause that was stored just before a crash is part of the time
/// until the next start.
fn merged(mut downtimes: Vec<Downtime>) -> Vec<Downtime> {
    downtimes.sort_by_key(|downtime| downtime.from);
    let mut all: Vec<Downtime> = Vec::with_capacity(downtimes.len());
    for downtime in downtimes {
        match all.last_mut() {
            Some(last) if downtime.from <= last.until => last.until = last.until.max(downtime.until),
            _ => all.push(downtime),
        }
    }
    all
}

fn here(clock: &dyn Clock) -> Moment {
    Moment { at: clock.now(), steady_ms: clock.steady_ms() }
}

impl State {
    fn look(&mut self, here: Moment) {
        let is_late = |since: Moment| here.steady_ms - since.steady_ms > LATE_MS;
        let paused = Some(self.seen).filter(|seen| is_late(*seen));
        let stuck = self.writing.filter(|writing| self.is_stuck || is_late(*writing));
        let from = [paused, stuck].into_iter().flatten().map(|since| since.at).min();
        if let Some(from) = from {
            self.add(from, here.at);
        }
        if stuck.is_some() {
            self.is_stuck = true;
            self.writing = Some(here);
        }
        self.seen = here;
    }

    fn add(&mut self, from: Millis, until: Millis) {
        let begins = self.all.last().map_or(i64::MIN, |last| last.until.0);
        if let Some(last) = self.all.last_mut().filter(|_| from.0 <= begins) {
            if until.0 > begins {
                last.until = until;
                // It has grown and must be stored again.
                self.saved = self.saved.min(self.all.len() - 1);
            }
        } else if until > from {
            tracing::warn!(
                ms = until.0 - from.0,
                "the server stood still; that time is charged to neither side"
            );
            self.all.push(Downtime { from, until });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

    use super::*;

    #[derive(Debug, Default)]
    struct ManualClock(AtomicI64);

    impl ManualClock {
        fn advance(&self, ms: i64) {
            self.0.fetch_add(ms, Relaxed);
        }
    }

    impl Clock for ManualClock {
        fn now(&self) -> Millis {
            Millis(self.0.load(Relaxed))
        }
    }

    fn down(from: i64, until: i64) -> Downtime {
        Downtime { from: Millis(from), until: Millis(until) }
    }

    #[test]
    fn a_late_check_finds_the_pause() {
        let clock = Arc::new(ManualClock::default());
        let downtimes = Downtimes::new(Arc::clone(&clock) as _, vec![down(-50, -20)]);
        for _ in 0..10 {
            clock.advance(LATE_MS);
            downtimes.look();
        }
        assert!(!downtimes.are_any_after(0));
        clock.advance(15_000);
        assert_eq!(downtimes.look(), Millis(25_000));
        assert_eq!(downtimes.after(0), [down(10_000, 25_000)]);
        assert_eq!(downtimes.after(-30), [down(-50, -20), down(10_000, 25_000)]);
        assert_eq!(downtimes.within_ms(-30, 12_000), 10 + 2_000);
        assert_eq!(downtimes.unsaved(), [down(10_000, 25_000)]);
        // Another pause begins at the last check.
        clock.advance(2_000);
        downtimes.look();
        assert_eq!(downtimes.unsaved(), [down(10_000, 27_000)]);
        downtimes.set_saved(&downtimes.unsaved());
        assert_eq!(downtimes.unsaved(), []);
        clock.advance(500);
        downtimes.look();
        clock.advance(1_500);
        downtimes.look();
        assert_eq!(downtimes.unsaved(), [down(27_500, 29_000)]);
    }

    #[test]
    fn a_disk_that_does_not_answer_is_downtime() {
        let clock = Arc::new(ManualClock::default());
        let downtimes = Downtimes::new(Arc::clone(&clock) as _, Vec::new());
        let go = |ms: i64| {
            for _ in 0..ms / 100 {
                clock.advance(100);
                downtimes.look();
            }
        };
        // In time.
        downtimes.begin_write();
        go(900);
        downtimes.end_write();
        assert_eq!(downtimes.after(0), []);
        // Late. What was found in the meantime is the same downtime, and the next attempt does not begin
        // another.
        downtimes.begin_write();
        go(1_500);
        assert_eq!(downtimes.after(0), [down(900, 2_400)]);
        downtimes.set_saved(&[down(900, 2_400)]);
        go(300);
        downtimes.begin_write();
        go(200);
        downtimes.end_write();
        go(5_000);
        assert_eq!(downtimes.after(0), [down(900, 2_900)]);
        assert_eq!(downtimes.unsaved(), [down(900, 2_900)]);
        // A shorter form of a downtime that was stored does not count as the grown one.
        downtimes.set_saved(&[down(900, 2_400)]);
        assert_eq!(downtimes.unsaved().len(), 1);
    }
}
