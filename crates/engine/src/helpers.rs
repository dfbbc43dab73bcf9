//! Threads that help a search (lazy SMP): each searches the same position by itself, and what one finds the others
//! read in the table.
//!
//! Where threads can be started, the engine starts them for each search. In a browser they cannot be: there the page
//! makes workers, which wait in [`Helpers::help`] until a search takes them in. A [`Job`] owns all that it is
//! about, so that a worker that comes late, or leaves late, never looks at what is gone.

use std::sync::{
    Arc, Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use crate::{
    eval::{Evaluator, Searchable},
    history::Histories,
    limits::{Control, Limits},
    search::{self, Found, Parameters, Shared, Task},
    transposition::Table,
};

/// One search, as all of its threads see it.
#[derive(Debug)]
pub(crate) struct Job<P, E> {
    pub(crate) position: P,
    /// Keys of the positions before, the oldest first.
    pub(crate) history: Vec<u64>,
    pub(crate) limits: Limits,
    pub(crate) parameters: Parameters,
    pub(crate) evaluator: E,
    pub(crate) table: Arc<Table>,
    /// Set when the first thread is done.
    pub(crate) halt: AtomicBool,
    /// Nodes of each thread, as far as it has told; as many as there can be threads.
    pub(crate) nodes: Vec<AtomicU64>,
    /// What the helpers have found.
    pub(crate) found: Mutex<Vec<Found>>,
}

impl<P: Searchable, E: Evaluator<P>> Job<P, E> {
    /// Searches as one of the threads.
    pub(crate) fn run(
        &self,
        thread: usize,
        control: &Control<'_>,
        histories: &mut Histories,
    ) -> Option<Found> {
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

/// A search of whatever game, as its helpers see it.
pub(crate) trait Help: Send + Sync {
    /// Searches as the thread of that number until the search is halted.
    fn help(&self, thread: usize, histories: &mut Histories);

    /// Ends the search of all helpers.
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

/// Threads that wait for searches to help with, for programs in which the engine cannot start its own. They belong to
/// the searches of one engine.
#[derive(Debug, Default)]
pub struct Helpers {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The search under way, if there is one.
    open: Option<Open>,
    /// The number of searches so far: no thread helps the same search twice.
    number: u64,
    /// How many threads are at work.
    busy: usize,
    /// How often everything was forgotten.
    forgotten: u64,
    is_dismissed: bool,
}

/// A search that takes helpers in.
struct Open {
    job: Arc<dyn Help>,
    /// The number of the next thread.
    next: usize,
    /// How many more are taken in.
    places: usize,
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
    /// Helps with one search after the other, also with one that is under way; returns when all are dismissed. To be
    /// called by each of the threads, which needs a stack of [`STACK`](crate::STACK) in a debug build, half of it
    /// in a release build.
    pub fn help(&self) {
        let mut histories = Histories::new();
        let (mut last, mut forgotten) = (0, None);
        let mut state = lock(&self.state);
        while !state.is_dismissed {
            let number = state.number;
            let open = state.open.as_mut().filter(|open| number != last && open.places > 0);
            let Some(open) = open else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            open.places -= 1;
            let (job, thread) = (Arc::clone(&open.job), open.next);
            open.next += 1;
            state.busy += 1;
            last = number;
            let is_new = forgotten.replace(state.forgotten) != Some(state.forgotten);
            drop(state);
            let at_work = AtWork(self);
            if is_new {
                histories.clear();
            }
            job.help(thread, &mut histories);
            // Code that waits for the helpers relies on it that nothing of the search is kept.
            drop(job);
            drop(at_work);
            state = lock(&self.state);
        }
    }

    /// Lets the threads go, now or when the search under way is over.
    pub fn dismiss(&self) {
        lock(&self.state).is_dismissed = true;
        self.changed.notify_all();
    }

    /// Opens a search to this many helpers, of which the first is the thread with this number, until the guard is
    /// dropped. Then it is halted, and no helper is at it any more.
    pub(crate) fn open(&self, job: Arc<dyn Help>, first: usize, places: usize) -> impl Drop {
        let mut state = lock(&self.state);
        state.number += 1;
        state.open = Some(Open { job, next: first, places });
        drop(state);
        self.changed.notify_all();
        Opened(self)
    }

    /// What the threads have learnt is forgotten before the next search.
    pub(crate) fn forget(&self) {
        lock(&self.state).forgotten += 1;
    }
}

struct Opened<'a>(&'a Helpers);

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        let Self(helpers) = self;
        let mut state = lock(&helpers.state);
        if let Some(open) = state.open.take() {
            open.job.halt();
        }
        while state.busy > 0 {
            state = helpers.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A helper at work: also one that panics has left when this is dropped.
struct AtWork<'a>(&'a Helpers);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).busy -= 1;
        self.0.changed.notify_all();
    }
}

/// What is locked is whole after each statement: a panic elsewhere has not broken it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
