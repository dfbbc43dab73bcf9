//! What one thread says to the other while a search runs.

use std::{
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{
            AtomicBool,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    time::{Duration, Instant},
};

/// The state of one search.
#[derive(Debug)]
pub(super) struct Signals {
    /// For the search, which looks often and must not wait.
    stop: AtomicBool,
    /// Set before the answer is given: whoever reads that may ask again at once.
    is_over: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
    begun: Instant,
}

#[derive(Debug)]
struct State {
    /// Whether nothing may be answered until told so: while pondering, and in an infinite search.
    is_held: bool,
    /// When the own clock began to run; not while pondering.
    clock_begun: Option<Instant>,
    /// Whether the search goes on until it is stopped, whatever it has found.
    is_infinite: bool,
}

impl Signals {
    /// A search begins now.
    pub(super) fn new(is_pondering: bool, is_infinite: bool) -> Self {
        let begun = Instant::now();
        Self {
            stop: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            state: Mutex::new(State {
                is_held: is_pondering || is_infinite,
                clock_begun: (!is_pondering).then_some(begun),
                is_infinite,
            }),
            changed: Condvar::new(),
            begun,
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        // A thread that has failed while it held the lock has left nothing half done.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.change(|state| state.is_held = false);
    }

    /// Stops the search if it would not end by itself.
    pub(super) fn stop_if_held(&self) {
        if self.state.lock().unwrap_or_else(PoisonError::into_inner).is_held {
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

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub(super) fn finish(&self) {
        self.is_over.store(true, Release);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Acquire)
    }

    /// Returns the time that counts on the clock.
    pub(super) fn on_clock(&self) -> Duration {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clock_begun.map_or(Duration::ZERO, |begun| begun.elapsed())
    }

    /// Returns the time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Waits until the answer may be given.
    pub(super) fn wait_until_released(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.is_held {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
