//! What lasts from one search to the next: the table, and what each thread has learnt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use adoube_rules::{Position, Variant};

use crate::{
    eval::{Evaluator, Noisy, Own, Searchable},
    history::Histories,
    limits::{Control, Limits},
    network::{self, Network},
    search::{self, Found, SearchReport, Shared, Task, line_of},
    transposition::{OutOfMemory, Table},
};

/// An engine that remembers: for a whole game, or for many questions about one.
#[derive(Debug)]
pub struct Engine {
    table: Table,
    threads: Vec<Histories>,
    /// What evaluates the positions of each game, if it is not the hand-made evaluation.
    networks: [Option<Arc<Network>>; Variant::ALL.len()],
}

impl Engine {
    /// Returns an engine with a table of so many mebibytes, that searches with so many threads, at least one.
    pub fn new(mebibytes: usize, threads: usize) -> Result<Self, OutOfMemory> {
        let mut engine = Self::of_table(Table::new(mebibytes)?);
        engine.set_threads(threads);
        Ok(engine)
    }

    /// Returns an engine for a single search of so many nodes.
    pub(crate) fn for_nodes(nodes: u64) -> Result<Self, OutOfMemory> {
        let mut engine = Self::of_table(Table::for_nodes(nodes)?);
        engine.set_threads(1);
        Ok(engine)
    }

    fn of_table(table: Table) -> Self {
        Self { table, threads: Vec::new(), networks: Variant::ALL.map(network::embedded) }
    }

    /// Chooses what evaluates the positions of a game: a network of that game, or the hand-made evaluation. In a new
    /// engine it is the network that comes with the program, if there is one. A network of another game is not taken.
    pub fn set_network(&mut self, variant: Variant, network: Option<Arc<Network>>) {
        self.networks[variant as usize] = network.filter(|network| network.variant() == variant);
    }

    /// Returns what evaluates the positions of a game, if it is not the hand-made evaluation.
    pub fn network(&self, variant: Variant) -> Option<&Arc<Network>> {
        self.networks[variant as usize].as_ref()
    }

    /// Changes the size of the table, which forgets everything. If there is not so much memory, the table stays.
    pub fn set_table(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        // The old one makes room first, unless the new one cannot be had: then the old size can be had again.
        self.table = Table::new(mebibytes)?;
        Ok(())
    }

    /// Returns the size of the table in mebibytes.
    pub fn table_size(&self) -> usize {
        self.table.size()
    }

    /// Changes the number of threads, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.max(1), Histories::new);
    }

    /// Forgets everything, as before a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        for histories in &mut self.threads {
            histories.clear();
        }
    }

    /// Searches for the best turn with the evaluation of the game; returns `None` if there is no legal one.
    ///
    /// `history` holds the keys of the earlier positions of the game, the oldest first, one per turn. With one thread
    /// and no limit of time, the same searches in the same order give the same answers.
    pub fn search<P: Searchable>(
        &mut self,
        position: &P,
        history: &[u64],
        limits: &Limits,
        control: &Control<'_>,
    ) -> Option<SearchReport> {
        let own = Own::new(self.network(position.variant()));
        if limits.noise == 0 {
            return self.search_with(position, history, limits, control, &own);
        }
        let noisy = Noisy { inner: own, noise: limits.noise, seed: limits.seed };
        self.search_with(position, history, limits, control, &noisy)
    }

    /// Searches for the best turn as [`search`](Self::search) does, with an evaluator of the caller's choice.
    pub fn search_with<P: Searchable, E: Evaluator<P>>(
        &mut self,
        position: &P,
        history: &[u64],
        limits: &Limits,
        control: &Control<'_>,
        evaluator: &E,
    ) -> Option<SearchReport> {
        self.table.grow_older();
        let halt = AtomicBool::new(false);
        let nodes: Vec<AtomicU64> = self.threads.iter().map(|_| AtomicU64::new(0)).collect();
        let shared = Shared { table: &self.table, halt: &halt, nodes: &nodes };
        let (first, helpers) = self.threads.split_first_mut()?;
        let found = thread::scope(|scope| {
            let helpers: Vec<_> = (1..)
                .zip(helpers)
                .filter_map(|(thread, histories)| {
                    let (shared, evaluator) = (&shared, evaluator.clone());
                    let work = move || {
                        let control = &Control::NONE;
                        let task = Task { position, history, limits, shared, thread, control };
                        search::run(&task, evaluator, histories)
                    };
                    // The frames of a deep line in a debug build need more than the usual stack.
                    thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                })
                .collect();
            let task = Task { position, history, limits, shared: &shared, thread: 0, control };
            let found = search::run(&task, evaluator.clone(), first);
            halt.store(true, Relaxed);
            let others = helpers.into_iter().filter_map(|helper| helper.join().ok().flatten());
            found.map(|found| better_of(found, others, limits))
        })?;
        let nodes = nodes.iter().map(|nodes| nodes.load(Relaxed)).sum();
        Some(SearchReport {
            pv: line_of(position, &found.best),
            turn: found.best.turn,
            score: found.best.score,
            depth: found.depth,
            nodes,
        })
    }
}

/// What a thread's stack holds: the nodes of the longest line, with the steps of each.
pub const STACK: usize = 8 << 20;

/// Returns what the first thread has found, or what a helper has that has looked deeper and likes it no less.
fn better_of(first: Found, others: impl Iterator<Item = Found>, limits: &Limits) -> Found {
    if limits.lines > 1 {
        return first;
    }
    others.fold(first, |best, other| {
        if other.depth > best.depth && other.best.score >= best.best.score { other } else { best }
    })
}

/// Searches for the best turn with an empty memory; returns `None` if there is no legal one.
///
/// `history` holds the keys of the earlier positions of the game, the oldest first, one per turn. `stop` is asked
/// every few hundred nodes, and ends the search at once with what has been found.
pub fn search<P: Searchable + Position>(
    position: &P,
    history: &[u64],
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Option<SearchReport> {
    let mut engine = Engine::for_nodes(limits.nodes).ok()?;
    engine.search(position, history, limits, &Control { stop, ..Control::NONE })
}
