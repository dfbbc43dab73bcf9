//! Signals between the two threads while a search is running or waiting.

use std::{
    sync::{
        Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{
            AtomicBool,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    time::{Duration, Instant},
};

/// Whether, and how soon, a search is expected to end on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExpectedEnd {
    /// Within about a minute, because its time, nodes or depth are limited tightly.
    Soon,
    /// Eventually.
    Later,
    /// Never, as far as is known.
    Never,
}

/// The conditions under which a search begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub(super) end: ExpectedEnd,
    /// Whether the search starts only when an earlier one is over.
    pub(super) waits: bool,
    /// Whether the answer is withheld, and the clock is stopped, until the opponent has played.
    pub(super) is_pondering: bool,
    /// Whether the answer is withheld until the search is stopped, even if the search ends earlier.
    pub(super) is_infinite: bool,
}

/// The state of a search.
#[derive(Debug)]
pub(super) struct Signals {
    /// Read often by the search, which must not wait for a lock.
    stop: AtomicBool,
    /// The time by which the search must end, set at the end of the input.
    deadline: OnceLock<Instant>,
    /// Set before the answer is written, because the program that reads it may send the next command
    /// immediately.
    is_over: AtomicBool,
    end: ExpectedEnd,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Whether the answer must be withheld: while pondering, and in an infinite search.
    is_withheld: bool,
    started: Instant,
    /// The start of the engine's own clock; `None` while pondering.
    clock_started: Option<Instant>,
    /// Whether the answer is still withheld after `ponderhit`, until the search is stopped.
    is_infinite: bool,
    /// Whether the search starts only when an earlier one is over. Its clock then starts again.
    waits: bool,
}

impl Signals {
    /// Returns the signals for a search that is requested now.
    pub(super) fn new(schedule: Schedule) -> Self {
        let Schedule { end, waits, is_pondering, is_infinite } = schedule;
        let started = Instant::now();
        Self {
            stop: AtomicBool::new(false),
            deadline: OnceLock::new(),
            is_over: AtomicBool::new(false),
            end,
            state: Mutex::new(State {
                is_withheld: is_pondering || is_infinite,
                started,
                clock_started: (!is_pondering).then_some(started),
                is_infinite,
                waits,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is consistent even if a thread panicked while holding the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Records that the search begins. If it waited for an earlier one, its clock starts now.
    pub(super) fn begin(&self) {
        self.change(|state| {
            if state.waits {
                state.started = Instant::now();
                state.clock_started = state.clock_started.map(|_| state.started);
            }
        });
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.change(|state| state.is_withheld = false);
    }

    /// Stops the search if it has no limits, or if its answer is withheld.
    pub(super) fn stop_if_infinite(&self) {
        if self.end == ExpectedEnd::Never || self.state().is_withheld {
            self.stop();
        }
    }

    /// Stops the search immediately, or, if it is expected to end soon on its own, after this time.
    pub(super) fn stop_within(&self, time: Duration) {
        if self.end == ExpectedEnd::Soon && !self.state().is_withheld {
            // Only the first deadline counts.
            let _ = self.deadline.set(Instant::now() + time);
        } else {
            self.stop();
        }
    }

    /// Starts the engine's own clock, because the pondered turn was played.
    pub(super) fn ponder_hit(&self) {
        self.change(|state| {
            if state.clock_started.is_none() {
                state.clock_started = Some(Instant::now());
                state.is_withheld = state.is_infinite;
            }
        });
    }

    /// Returns `true` if the search must stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.deadline.get().is_some_and(|&deadline| Instant::now() >= deadline)
    }

    pub(super) fn finish(&self) {
        self.is_over.store(true, Release);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Acquire)
    }

    /// Returns the time on the engine's own clock.
    pub(super) fn elapsed_on_clock(&self) -> Duration {
        self.state().clock_started.map_or(Duration::ZERO, |started| started.elapsed())
    }

    /// Returns the time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.state().started.elapsed()
    }

    /// Waits until the answer may be written.
    pub(super) fn wait_until_released(&self) {
        let mut state = self.state();
        while state.is_withheld {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
