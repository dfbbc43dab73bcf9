//! Limits of a search, and how its caller controls it.

use std::time::Duration;

use adoube_rules::Turn;

use crate::search::Info;

/// The limits of a search, which ends at the first one that it reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The number of nodes (visited positions) after which the search stops.
    ///
    /// Unlike [`time`](Self::time), this limit does not make the engine play worse on a busy computer.
    pub nodes: u64,
    /// The number of nodes guaranteed to the first iteration (depth 1): until they are used up, neither
    /// [`nodes`](Self::nodes) nor time nor the caller ends the search before that iteration is complete. A
    /// turn that was not compared with the others is not worth playing.
    pub first_depth_nodes: u64,
    /// The soft node limit: the number of nodes after which no new iteration is started.
    pub enough_nodes: u64,
    /// The depth in turns at which the search stops.
    pub depth: u32,
    /// The time after which the search stops, if any.
    pub time: Option<Budget>,
    /// The search stops when it has proved a win within this number of the winner's moves.
    pub mate: Option<u32>,
    /// The turns to consider at the root; all if empty.
    pub turns: Vec<Turn>,
    /// The number of lines to report, best first.
    pub lines: usize,
    /// The largest deviation added to an evaluation, in units of the search.
    pub noise: u16,
    /// The seed for the noise.
    pub seed: u64,
}

/// The time to spend on a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The time for an average turn. The search uses less for an easy turn and more for a difficult one.
    pub soft: Duration,
    /// The maximum time.
    pub hard: Duration,
}

impl Budget {
    /// Returns a budget that is used completely.
    pub const fn exactly(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: u64::MAX,
            first_depth_nodes: 0,
            enough_nodes: u64::MAX,
            depth: Self::MAX_DEPTH,
            time: None,
            mate: None,
            turns: Vec::new(),
            lines: 1,
            noise: 0,
            seed: 0,
        }
    }
}

impl Limits {
    /// The largest possible depth of a search, in turns.
    pub const MAX_DEPTH: u32 = 120;

    /// Returns the limits of a search to a depth.
    pub fn depth(depth: u32) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Returns the limits of a search of this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }
}

/// Callbacks of a running search. All are called on the thread that called the search.
pub struct Control<'a> {
    /// Returns `true` if the search must end now. Called every few hundred nodes.
    pub stop: &'a dyn Fn() -> bool,
    /// Returns the time since the turn began. The search does not read a clock itself, because Rust's
    /// standard library does not have one in WebAssembly, and because the time does not advance while an
    /// engine ponders.
    pub elapsed: &'a dyn Fn() -> Duration,
    /// Receives progress reports. It is optional because reports take time, and many searches have only a
    /// hundred nodes.
    pub report: Option<&'a dyn Fn(&Info)>,
}

impl Control<'_> {
    /// Neither stops nor observes the search.
    pub const NONE: Self = Self { stop: &|| false, elapsed: &|| Duration::ZERO, report: None };
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}
