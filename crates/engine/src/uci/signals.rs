//! What one thread says to the other while a search runs, or waits for its turn.

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

/// When a search ends without being told to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Within a minute or so: it has little time, or few nodes, or a depth that is soon reached.
    Soon,
    /// Sooner or later.
    Later,
    /// Never, as far as is known.
    Never,
}

/// The state of one search.
#[derive(Debug)]
pub(super) struct Signals {
    /// For the search, which looks often and must not wait.
    stop: AtomicBool,
    /// When the search ends at the latest, once the input has ended.
    deadline: OnceLock<Instant>,
    /// Set before the answer is given, because its reader may ask again at once.
    is_over: AtomicBool,
    end: End,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Whether nothing may be answered until told so: while pondering, and in an infinite search.
    is_held: bool,
    begun: Instant,
    /// When the own clock began to run; not while pondering.
    clock_begun: Option<Instant>,
    /// Whether the search goes on until it is stopped, whatever it has found.
    is_infinite: bool,
    /// Whether time does not run yet, because a search before it may take as long as it likes.
    waits: bool,
}

impl Signals {
    /// A search is asked for now. One that `waits` for another begins when that one is over.
    pub(super) fn new(is_pondering: bool, is_infinite: bool, end: End, waits: bool) -> Self {
        let begun = Instant::now();
        Self {
            stop: AtomicBool::new(false),
            deadline: OnceLock::new(),
            is_over: AtomicBool::new(false),
            end,
            state: Mutex::new(State {
                is_held: is_pondering || is_infinite,
                begun,
                clock_begun: (!is_pondering).then_some(begun),
                is_infinite,
                waits,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that has failed while it held the lock has left nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// The search begins.
    pub(super) fn begin(&self) {
        self.change(|state| {
            if state.waits {
                state.begun = Instant::now();
                state.clock_begun = state.clock_begun.map(|_| state.begun);
            }
        });
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.change(|state| state.is_held = false);
    }

    /// Stops the search if it would not end by itself.
    pub(super) fn stop_if_endless(&self) {
        if self.end == End::Never || self.state().is_held {
            self.stop();
        }
    }

    /// Stops the search, unless it ends soon: then it has this much time left.
    pub(super) fn stop_within(&self, time: Duration) {
        if self.end == End::Soon && !self.state().is_held {
            // Only the first deadline counts.
            let _ = self.deadline.set(Instant::now() + time);
        } else {
            self.stop();
        }
    }

    /// What was pondered on has happened: from now on the own clock runs.
    pub(super) fn ponder_hit(&self) {
        self.change(|state| {
            if state.clock_begun.is_none() {
                state.clock_begun = Some(Instant::now());
                state.is_held = state.is_infinite;
            }
        });
    }

    /// Returns `true` if the search was told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.deadline.get().is_some_and(|&deadline| Instant::now() >= deadline)
    }

    pub(super) fn finish(&self) {
        self.is_over.store(true, Release);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Acquire)
    }

    /// Returns the time that counts on the clock.
    pub(super) fn on_clock(&self) -> Duration {
        self.state().clock_begun.map_or(Duration::ZERO, |begun| begun.elapsed())
    }

    /// Returns the time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.state().begun.elapsed()
    }

    /// Waits until the answer may be given.
    pub(super) fn wait_until_released(&self) {
        let mut state = self.state();
        while state.is_held {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
