//! The engine, which keeps state from one search to the next: the transposition table, and each thread's
//! histories.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use adoube_rules::{AnyPosition, Variant, with_position};

use crate::{
    eval::{DefaultEvaluator, Evaluator, Material, NoisyEvaluator, Searchable},
    helpers::{Help, Helpers, Job, lock},
    history::Histories,
    limits::{Control, Limits},
    network::{self, Network},
    search::{Info, Parameters, SearchReport, ThreadResult, line_of},
    transposition::{OutOfMemory, Table},
};

/// An engine that remembers what it has learned from the earlier searches of a game.
#[derive(Debug)]
pub struct Engine {
    table: Arc<Table>,
    threads: Vec<Histories>,
    /// The caller's waiting threads, and the maximum number of them that may help.
    helpers: Option<(Arc<Helpers>, usize)>,
    /// The network of each variant; `None` for the hand-crafted evaluation.
    networks: [Option<Arc<Network>>; Variant::COUNT],
    /// The search parameters of each variant.
    parameters: [Parameters; Variant::COUNT],
}

impl Engine {
    /// Returns an engine with a table of `mebibytes` that searches with `threads` threads, at least one and
    /// at most [`max_threads`](Self::max_threads).
    pub fn new(mebibytes: usize, threads: usize) -> Result<Self, OutOfMemory> {
        let mut engine = Self::of_table(Table::new(mebibytes)?);
        engine.set_threads(threads);
        Ok(engine)
    }

    /// Returns an engine for a single search of this many nodes.
    pub(crate) fn for_nodes(nodes: u64) -> Result<Self, OutOfMemory> {
        let mut engine = Self::of_table(Table::for_nodes(nodes)?);
        engine.set_threads(1);
        Ok(engine)
    }

    fn of_table(table: Table) -> Self {
        let networks = Variant::ALL.map(network::embedded);
        let parameters = Variant::ALL.map(Parameters::of);
        Self { table: Arc::new(table), threads: Vec::new(), helpers: None, networks, parameters }
    }

    /// Sets the network that evaluates the positions of a variant; `None`, or a network for another variant,
    /// selects the hand-crafted evaluation. A new engine uses the built-in network, if any.
    pub fn set_network(&mut self, variant: Variant, network: Option<Arc<Network>>) {
        self.networks[variant.index()] = network.filter(|network| network.variant() == variant);
    }

    /// Returns the network that evaluates the positions of a variant, or `None` if the hand-crafted
    /// evaluation does.
    pub fn network(&self, variant: Variant) -> Option<&Arc<Network>> {
        self.networks[variant.index()].as_ref()
    }

    /// Sets the search parameters of a variant.
    pub fn set_parameters(&mut self, variant: Variant, parameters: Parameters) {
        self.parameters[variant.index()] = parameters;
    }

    /// Changes the size of the table, which clears it. If there is not enough memory, the table gets its old
    /// size back, if possible, but is cleared too.
    pub fn set_table(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        let before = self.table.size();
        // Free the old table first, because there may not be enough memory for both.
        self.table = Arc::new(Table::new(1)?);
        let result = Table::new(mebibytes).map(|table| self.table = Arc::new(table));
        if result.is_err()
            && let Ok(table) = Table::new(before)
        {
            self.table = Arc::new(table);
        }
        result
    }

    /// Returns the size of the table in mebibytes.
    pub fn table_size(&self) -> usize {
        self.table.size()
    }

    /// Changes the number of threads, at least one and at most [`max_threads`](Self::max_threads).
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.clamp(1, Self::max_threads()), Histories::new);
    }

    /// Returns the number of threads that search, not counting helpers.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Returns the maximum number of threads: four times as many as the computer can run at once. More
    /// threads do not improve the result, and starting and halting them can take longer than the search: with
    /// 256 threads on two cores, a turn of 200 ms took 985 ms.
    pub fn max_threads() -> usize {
        thread::available_parallelism().map_or(usize::MAX, |cores| cores.get().saturating_mul(4))
    }

    /// Lets up to `max` of the threads that wait in [`Helpers::help`] join each search, in addition to those
    /// that the engine starts.
    pub fn set_helpers(&mut self, helpers: Arc<Helpers>, max: usize) {
        self.helpers = Some((helpers, max));
    }

    /// Forgets all earlier searches, for example before a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        if let Some((helpers, _)) = &self.helpers {
            helpers.forget();
        }
        for histories in &mut self.threads {
            histories.clear();
        }
    }

    /// Searches for the best turn using the variant's evaluation. Returns `None` if there is no legal turn.
    ///
    /// `history` contains the keys of the earlier positions of the game, oldest first, one per turn. With one
    /// thread and no time limit, the same searches in the same order give the same results.
    pub fn search(
        &mut self,
        position: &AnyPosition,
        history: &[u64],
        limits: &Limits,
        control: &Control<'_>,
    ) -> Option<SearchReport> {
        with_position!(position, position => self.search_game(position, history, limits, control))
    }

    /// Searches for the best turn like [`search`](Self::search), but evaluates only material. Serves as an
    /// opponent in tests of the evaluation.
    pub fn search_on_material(
        &mut self,
        position: &AnyPosition,
        history: &[u64],
        limits: &Limits,
        control: &Control<'_>,
    ) -> Option<SearchReport> {
        with_position!(position, position => {
            self.search_with(position, history, limits, control, &Material)
        })
    }

    /// Searches a position of one variant. Callers outside this crate pass an [`AnyPosition`], so this
    /// generic search is compiled only in this crate, at its optimisation level: once for each variant and
    /// evaluator.
    pub(crate) fn search_game<P: Searchable>(
        &mut self,
        position: &P,
        history: &[u64],
        limits: &Limits,
        control: &Control<'_>,
    ) -> Option<SearchReport> {
        let own = DefaultEvaluator::new(self.network(position.variant()));
        if limits.noise == 0 {
            return self.search_with(position, history, limits, control, &own);
        }
        let noisy = NoisyEvaluator { inner: own, noise: limits.noise, seed: limits.seed };
        self.search_with(position, history, limits, control, &noisy)
    }

    fn search_with<P: Searchable, E: Evaluator<P>>(
        &mut self,
        position: &P,
        history: &[u64],
        limits: &Limits,
        control: &Control<'_>,
        evaluator: &E,
    ) -> Option<SearchReport> {
        self.table.grow_older();
        let max_helpers = self.helpers.as_ref().map_or(0, |&(_, max)| max);
        let slots = self.threads.len() + max_helpers;
        let job = Arc::new(Job {
            position: position.clone(),
            history: history.to_vec(),
            limits: limits.clone(),
            parameters: self.parameters[position.variant().index()],
            evaluator: evaluator.clone(),
            table: Arc::clone(&self.table),
            halt: AtomicBool::new(false),
            nodes: (0..slots).map(|_| AtomicU64::new(0)).collect(),
            found: Mutex::default(),
        });
        let first_helper = self.threads.len();
        let (first, started) = self.threads.split_first_mut()?;
        let found = thread::scope(|scope| {
            // Halt the other threads even if this one panics.
            let _halting = HaltOnDrop(&*job);
            for (thread, histories) in (1..).zip(started) {
                let job = &*job;
                let work = move || job.help(thread, histories);
                // In a debug build, a deep line needs more than the default stack. If a thread cannot be
                // started, the search continues without it.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
            let _open = self.helpers.as_ref().filter(|_| max_helpers > 0).map(|(helpers, _)| {
                helpers.open(Arc::clone(&job) as Arc<dyn Help>, first_helper, max_helpers)
            });
            job.run(0, control, first)
        })?;
        let others = std::mem::take(&mut *lock(&job.found));
        let reported = found.reported.clone();
        let found = better_of(found, others, limits);
        let nodes = || job.nodes.iter().map(|nodes| nodes.load(Relaxed));
        let report = SearchReport {
            pv: line_of(position, &found.best),
            turn: found.best.turn,
            score: found.best.score,
            depth: found.depth,
            nodes: nodes().sum(),
            threads: nodes().filter(|&nodes| nodes > 0).count().max(1),
        };
        if let Some(report_info) = control.report.filter(|_| reported.as_ref() != Some(&report.turn)) {
            // The last report must name the turn to play, and so far it does not: the best turn changed
            // before the search was stopped, a helper searched deeper, or nothing was reported.
            let depth = report.depth.max(1);
            report_info(&Info {
                depth,
                selective_depth: depth.max(report.pv.len() as u32),
                line: 1,
                score: report.score,
                bound: None,
                nodes: report.nodes,
                threads: report.threads,
                elapsed: (control.elapsed)(),
                table_fullness: self.table.fullness(),
                pv: report.pv.clone(),
            });
        }
        Some(report)
    }
}

/// Halts the other threads of a search on drop, including those that the engine started.
struct HaltOnDrop<'a>(&'a dyn Help);

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        self.0.halt();
    }
}

/// The stack size of a thread, in bytes: room for the nodes of the longest line, with the steps of each.
pub const STACK: usize = 8 << 20;

/// Returns the first thread's result, or another thread's if it has a greater depth and at least the same
/// score.
fn better_of(first: ThreadResult, others: Vec<ThreadResult>, limits: &Limits) -> ThreadResult {
    if limits.lines > 1 {
        return first;
    }
    others.into_iter().fold(first, |best, other| {
        if other.depth > best.depth && other.best.score >= best.best.score { other } else { best }
    })
}

/// Searches for the best turn using a new engine, which does not remember earlier searches. Returns `None` if
/// there is no legal turn or not enough memory.
///
/// `history` contains the keys of the earlier positions of the game, oldest first, one per turn. `stop` is
/// called every few hundred nodes; once it returns `true`, the search ends with the result so far.
pub fn search(
    position: &AnyPosition,
    history: &[u64],
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Option<SearchReport> {
    let mut engine = Engine::for_nodes(limits.nodes).ok()?;
    engine.search(position, history, limits, &Control { stop, ..Control::NONE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_search_releases_its_data() {
        let position = AnyPosition::initial(Variant::Chess);
        let mut engine = Engine::new(1, 2).expect("a table");
        let helpers = Arc::new(Helpers::default());
        engine.set_helpers(Arc::clone(&helpers), 2);
        thread::scope(|scope| {
            for _ in 0..2 {
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, || helpers.help())
                    .expect("a thread");
            }
            for _ in 0..200 {
                engine.search(&position, &[], &Limits::nodes(2_000), &Control::NONE).expect("a legal turn");
                assert_eq!(Arc::strong_count(&engine.table), 1);
            }
            helpers.dismiss();
        });
    }
}
