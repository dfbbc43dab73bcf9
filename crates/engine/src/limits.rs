//! How long a search goes on.

/// The limits of one search.
///
/// Nodes, not seconds, so that a busy machine does not play worse; the caller's closure is there for the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes (steps tried) after which the search stops.
    pub nodes: u64,
    /// Depth in turns at which the search stops.
    pub depth: u32,
    /// Largest deviation of an evaluation from what the evaluation says, in hundredths of a pawn.
    pub noise: u16,
    /// What the deviations are drawn from.
    pub seed: u64,
}

impl Limits {
    /// The deepest search there is.
    pub const MAX_DEPTH: u32 = 64;

    /// Returns the limits of a search to a depth, without noise.
    pub const fn depth(depth: u32) -> Self {
        Self { nodes: u64::MAX, depth, noise: 0, seed: 0 }
    }

    /// Returns the limits of a search of so many nodes, without noise.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, depth: Self::MAX_DEPTH, noise: 0, seed: 0 }
    }
}
