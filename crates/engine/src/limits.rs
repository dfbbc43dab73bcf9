//! Limits of a search, and its control from outside.

use std::time::Duration;

use adoube_rules::Turn;

use crate::search::Info;

/// The limits of one search. The search ends at the first one that it reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes (positions looked at) after which the search stops.
    ///
    /// Unlike with [`time`](Self::time), a busy machine does not play worse.
    pub nodes: u64,
    /// Until the first depth is complete, neither [`nodes`](Self::nodes) nor time nor the caller end the search
    /// before this many nodes. A turn that was not compared with others is not worth playing.
    pub first_depth: u64,
    /// Nodes after which no deeper search is begun.
    pub enough_nodes: u64,
    /// Depth in turns at which the search stops.
    pub depth: u32,
    /// Time after which the search stops, if the clock matters.
    pub time: Option<Budget>,
    /// The search stops when it has proved a win within this many moves of the winner.
    pub mate: Option<u32>,
    /// The turns to consider at the root; all if empty.
    pub turns: Vec<Turn>,
    /// The number of lines wanted, the best ones first.
    pub lines: usize,
    /// Largest deviation of an evaluation from what the evaluation says, in units of the search.
    pub noise: u16,
    /// The seed of the noise.
    pub seed: u64,
}

/// What may be spent on a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// About as much as the turn is worth; less if it is easy, more if it is not.
    pub soft: Duration,
    /// Never more than this.
    pub hard: Duration,
}

impl Budget {
    /// Returns the budget that is used up to its end.
    pub const fn exactly(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: u64::MAX,
            first_depth: 0,
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
    /// The deepest search there is.
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

/// What the search asks, and tells, while it runs. All are called on the thread that has called the search.
pub struct Control<'a> {
    /// Returns `true` if the search must end now. Asked about a thousand times a second.
    pub stop: &'a dyn Fn() -> bool,
    /// Returns the time since the turn began. The crate reads no clock of its own: in a browser there is none to
    /// read, and while an engine ponders it stands still.
    pub elapsed: &'a dyn Fn() -> Duration,
    /// Receives progress reports, if wanted: reports are not free, and searches of a hundred nodes are many.
    pub report: Option<&'a dyn Fn(&Info)>,
}

impl Control<'_> {
    /// No control: the search is neither stopped nor observed.
    pub const NONE: Self = Self { stop: &|| false, elapsed: &|| Duration::ZERO, report: None };
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}
