//! Times in which no server was there, or stood still: they are charged to nobody.
//!
//! A process that is stopped, a machine that is paused and a disk that does not answer keep players from playing as
//! a server does that is down. So the process looks at the clock every [`PULSE`]; a look that comes more than
//! [`LATE_MS`] after the one before, or finds a heartbeat that has been on its way to the disk for as long, has found
//! such a time. Whoever decides anything about a game looks first: after a pause, the timer of a flag may be quicker
//! than the next pulse, and so may a turn.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::Downtime;

use crate::clock::Clock;

/// How often the process looks whether it still goes.
pub(crate) const PULSE: Duration = Duration::from_millis(250);
/// A process that was silent for longer stood still, and a disk that was silent for longer too, in milliseconds.
pub(crate) const LATE_MS: i64 = 1_000;

/// All times without a server that are known.
#[derive(Debug)]
pub(crate) struct Downtimes {
    clock: Arc<dyn Clock>,
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    /// In their order; none touches another one that was found by this process.
    all: Vec<Downtime>,
    /// How many of them, from the first on, are on the disk as they are.
    saved: usize,
    seen: Moment,
    /// Since when a heartbeat is on its way to the disk.
    writing: Option<Moment>,
    /// The disk is known not to answer: all time counts until it does.
    is_stuck: bool,
}

#[derive(Clone, Copy, Debug)]
struct Moment {
    at: Millis,
    /// By the clock that tells pauses.
    steady_ms: i64,
}

impl Downtimes {
    /// `known` are the times before this process.
    pub(crate) fn new(clock: Arc<dyn Clock>, mut known: Vec<Downtime>) -> Self {
        let seen = here(&*clock);
        // A pause that was written down just before a crash is part of the time until the next start.
        known.sort_by_key(|downtime| downtime.from);
        let mut all: Vec<Downtime> = Vec::with_capacity(known.len());
        for downtime in known {
            match all.last_mut() {
                Some(last) if downtime.from <= last.until => last.until = last.until.max(downtime.until),
                _ => all.push(downtime),
            }
        }
        let saved = all.len();
        let inside = Inside { all, saved, seen, writing: None, is_stuck: false };
        Self { clock, inside: Mutex::new(inside) }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks whether the server stood still until now. All times without a server before the returned one are known.
    pub(crate) fn look(&self) -> Millis {
        // The lock comes first: two looks must not overtake each other.
        let mut inside = self.inside();
        let here = here(&*self.clock);
        inside.look(here);
        here.at
    }

    /// A heartbeat goes to the disk.
    pub(crate) fn begin_write(&self) {
        let mut inside = self.inside();
        let here = here(&*self.clock);
        inside.look(here);
        inside.writing.get_or_insert(here);
    }

    /// The heartbeat is on the disk. One that is refused is not: without room on the disk nobody can play.
    pub(crate) fn end_write(&self) {
        let mut inside = self.inside();
        let here = here(&*self.clock);
        inside.look(here);
        inside.writing = None;
        inside.is_stuck = false;
    }

    /// Returns the times that are not on the disk yet.
    pub(crate) fn unsaved(&self) -> Vec<Downtime> {
        let inside = self.inside();
        inside.all.get(inside.saved..).unwrap_or_default().to_vec()
    }

    /// Takes in that these times are on the disk.
    pub(crate) fn set_saved(&self, saved: &[Downtime]) {
        let mut inside = self.inside();
        for downtime in saved {
            // One that has grown meanwhile has to be saved again.
            if inside.all.get(inside.saved) == Some(downtime) {
                inside.saved += 1;
            }
        }
    }

    /// Returns the times that are not over before this moment.
    pub(crate) fn after(&self, at_ms: i64) -> Vec<Downtime> {
        let inside = self.inside();
        let first = inside.all.partition_point(|downtime| downtime.until.0 <= at_ms);
        inside.all[first..].to_vec()
    }

    pub(crate) fn are_any_after(&self, at_ms: i64) -> bool {
        self.inside().all.last().is_some_and(|downtime| downtime.until.0 > at_ms)
    }

    /// Returns for how long no server was there from one moment until another, in milliseconds.
    pub(crate) fn within_ms(&self, from_ms: i64, until_ms: i64) -> i64 {
        let overlap = |down: &Downtime| (down.until.0.min(until_ms) - down.from.0.max(from_ms)).max(0);
        self.after(from_ms).iter().map(overlap).sum()
    }
}

fn here(clock: &dyn Clock) -> Moment {
    Moment { at: clock.now(), steady_ms: clock.steady_ms() }
}

impl Inside {
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
                // It has grown, and is to be saved again.
                self.saved = self.saved.min(self.all.len() - 1);
            }
        } else if until > from {
            tracing::warn!(ms = until.0 - from.0, "the server stood still; that time is charged to nobody");
            self.all.push(Downtime { from, until });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

    use super::*;

    #[derive(Debug, Default)]
    struct Hand(AtomicI64);

    impl Hand {
        fn goes(&self, ms: i64) {
            self.0.fetch_add(ms, Relaxed);
        }
    }

    impl Clock for Hand {
        fn now(&self) -> Millis {
            Millis(self.0.load(Relaxed))
        }
    }

    fn down(from: i64, until: i64) -> Downtime {
        Downtime { from: Millis(from), until: Millis(until) }
    }

    #[test]
    fn a_late_look_finds_the_time_in_which_nothing_went() {
        let clock = Arc::new(Hand::default());
        let downtimes = Downtimes::new(Arc::clone(&clock) as _, vec![down(-50, -20)]);
        for _ in 0..10 {
            clock.goes(LATE_MS);
            downtimes.look();
        }
        assert!(!downtimes.are_any_after(0));
        clock.goes(15_000);
        assert_eq!(downtimes.look(), Millis(25_000));
        assert_eq!(downtimes.after(0), [down(10_000, 25_000)]);
        assert_eq!(downtimes.after(-30), [down(-50, -20), down(10_000, 25_000)]);
        assert_eq!(downtimes.within_ms(-30, 12_000), 10 + 2_000);
        assert_eq!(downtimes.unsaved(), [down(10_000, 25_000)]);
        // Another pause begins where the last look was.
        clock.goes(2_000);
        downtimes.look();
        assert_eq!(downtimes.unsaved(), [down(10_000, 27_000)]);
        downtimes.set_saved(&downtimes.unsaved());
        assert_eq!(downtimes.unsaved(), []);
        clock.goes(500);
        downtimes.look();
        clock.goes(1_500);
        downtimes.look();
        assert_eq!(downtimes.unsaved(), [down(27_500, 29_000)]);
    }

    #[test]
    fn a_disk_that_does_not_answer_is_no_server_until_it_does() {
        let clock = Arc::new(Hand::default());
        let downtimes = Downtimes::new(Arc::clone(&clock) as _, Vec::new());
        let go = |ms: i64| {
            for _ in 0..ms / 100 {
                clock.goes(100);
                downtimes.look();
            }
        };
        // In time.
        downtimes.begin_write();
        go(900);
        downtimes.end_write();
        assert_eq!(downtimes.after(0), []);
        // Late; what was found out meanwhile is the same time, and the next attempt is none of its own.
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
        // What was saved in a shorter form is not taken for it.
        downtimes.set_saved(&[down(900, 2_400)]);
        assert_eq!(downtimes.unsaved().len(), 1);
    }
}
