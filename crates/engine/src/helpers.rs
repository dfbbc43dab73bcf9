//! Threads that help a search (lazy SMP). All search the same position, and share results through the
//! transposition table.
//!
//! Where possible, the engine starts the threads for each search. In a browser it cannot, so the page creates
//! workers, which wait in [`Helpers::help`] until a search needs them. A [`Job`] owns all its data, so a
//! worker that starts or ends late never accesses freed data.

use std::sync::{
    Arc, Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use crate::{
    eval::{Evaluator, Searchable},
    history::Histories,
    limits::{Control, Limits},
    search::{self, Parameters, Shared, Task, ThreadResult},
    transposition::Table,
};

/// A search, as seen by all of its threads.
#[derive(Debug)]
pub(crate) struct Job<P, E> {
    pub(crate) position: P,
    /// The keys of the earlier positions, oldest first.
    pub(crate) history: Vec<u64>,
    pub(crate) limits: Limits,
    pub(crate) parameters: Parameters,
    pub(crate) evaluator: E,
    pub(crate) table: Arc<Table>,
    /// Set when thread 0 has finished, to stop the others.
    pub(crate) halt: AtomicBool,
    /// The nodes reported by each thread, with an element for every possible thread.
    pub(crate) nodes: Vec<AtomicU64>,
    /// The results of the helpers.
    pub(crate) found: Mutex<Vec<ThreadResult>>,
}

impl<P: Searchable, E: Evaluator<P>> Job<P, E> {
    /// Searches as one of the threads.
    pub(crate) fn run(
        &self,
        thread: usize,
        control: &Control<'_>,
        histories: &mut Histories,
    ) -> Option<ThreadResult> {
        let shared = Shared { table: &self.table, halt: &self.halt, nodes: &self.nodes };
        let task = Task {
            position: &self.position,
            history: &self.history,
            limits: &self.limits,
            parameters: self.parameters,
            shared: &shared,
            thread,
            control,
        };
        search::run(&task, self.evaluator.clone(), histories)
    }
}

/// A search in any variant, as seen by its helpers.
pub(crate) trait Help: Send + Sync {
    /// Searches as the thread with this number until the search is halted, or until its own result needs no
    /// deeper search.
    fn help(&self, thread: usize, histories: &mut Histories);

    /// Makes all helpers stop searching.
    fn halt(&self);
}

impl<P: Searchable, E: Evaluator<P>> Help for Job<P, E> {
    fn help(&self, thread: usize, histories: &mut Histories) {
        if let Some(found) = self.run(thread, &Control::NONE, histories) {
            lock(&self.found).push(found);
        }
    }

    fn halt(&self) {
        self.halt.store(true, Relaxed);
    }
}

/// Threads that wait for searches to help with, for programs in which the engine cannot start its own. They
/// help only one engine.
#[derive(Debug, Default)]
pub struct Helpers {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The running search, if there is one.
    current: Option<OpenSearch>,
    /// The number of searches so far, so that no thread helps the same search twice.
    number: u64,
    /// The number of busy threads.
    busy: usize,
    /// The number of times that the helpers were told to clear their histories.
    clears: u64,
    is_shut_down: bool,
}

/// A search that accepts helpers.
struct OpenSearch {
    job: Arc<dyn Help>,
    /// The number of the next thread.
    next: usize,
    /// The number of further helpers that it accepts.
    slots: usize,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("number", &self.number)
            .field("busy", &self.busy)
            .finish_non_exhaustive()
    }
}

impl Helpers {
    /// Helps with one search after another, including one that is already running. Returns when the helpers
    /// are dismissed. Each helper thread must call this, with a stack of [`STACK`](crate::STACK) bytes in a
    /// debug build, or half of that in a release build.
    pub fn help(&self) {
        let mut histories = Histories::new();
        let (mut last, mut cleared) = (0, None);
        let mut state = lock(&self.state);
        while !state.is_shut_down {
            let number = state.number;
            let open = state.current.as_mut().filter(|open| number != last && open.slots > 0);
            let Some(open) = open else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            open.slots -= 1;
            let (job, thread) = (Arc::clone(&open.job), open.next);
            open.next += 1;
            state.busy += 1;
            last = number;
            let must_clear = cleared.replace(state.clears) != Some(state.clears);
            drop(state);
            let busy_guard = BusyGuard(self);
            if must_clear {
                histories.clear();
            }
            job.help(thread, &mut histories);
            // Release the job before leaving: callers waiting for the helpers rely on its data being freed.
            drop(job);
            drop(busy_guard);
            state = lock(&self.state);
        }
    }

    /// Dismisses the threads, now or when the running search is over.
    pub fn dismiss(&self) {
        lock(&self.state).is_shut_down = true;
        self.changed.notify_all();
    }

    /// Opens a search to `slots` helpers, numbered from `first`. Dropping the returned guard halts the search
    /// and waits for the helpers to leave.
    pub(crate) fn open(&self, job: Arc<dyn Help>, first: usize, slots: usize) -> impl Drop {
        let mut state = lock(&self.state);
        state.number += 1;
        state.current = Some(OpenSearch { job, next: first, slots });
        drop(state);
        self.changed.notify_all();
        OpenGuard(self)
    }

    /// Makes each thread clear its histories before its next search.
    pub(crate) fn forget(&self) {
        lock(&self.state).clears += 1;
    }
}

struct OpenGuard<'a>(&'a Helpers);

impl Drop for OpenGuard<'_> {
    fn drop(&mut self) {
        let Self(helpers) = self;
        let mut state = lock(&helpers.state);
        if let Some(open) = state.current.take() {
            open.job.halt();
        }
        while state.busy > 0 {
            state = helpers.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Counts a helper as busy until this is dropped, even during a panic.
struct BusyGuard<'a>(&'a Helpers);

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).busy -= 1;
        self.0.changed.notify_all();
    }
}

/// Locks a mutex, ignoring poison: the data is valid after each statement, so a panic elsewhere does not
/// corrupt it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
