//! The opponent as the rest of the house sees it.

use adoube_rules::{AnyPosition, Position, Turn, with_position};

use crate::{engine::search, levels::Level};

/// A machine that chooses turns.
pub trait Opponent: Send + Sync {
    /// Returns the turn to play, or `None` if there is no legal one.
    ///
    /// `history` holds the keys of the earlier positions of the game, the oldest first, one per turn; repetitions
    /// are judged by it. `stop` is asked again and again; once it answers `true` the best turn found so far is
    /// returned without delay.
    fn choose(
        &self,
        position: &AnyPosition,
        history: &[u64],
        level: Level,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Turn>;
}

/// The opponent that searches with alpha-beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlphaBeta {
    most_nodes: Option<u64>,
}

impl AlphaBeta {
    /// Returns an opponent that searches at most so many nodes, whatever the level allows.
    pub const fn with_most_nodes(nodes: u64) -> Self {
        Self { most_nodes: Some(nodes) }
    }
}

impl Opponent for AlphaBeta {
    fn choose(
        &self,
        position: &AnyPosition,
        history: &[u64],
        level: Level,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Turn> {
        let mut limits = level.limits(position.variant(), seed);
        limits.nodes = self.most_nodes.map_or(limits.nodes, |most| most.min(limits.nodes));
        with_position!(position, position => search(position, history, &limits, stop))
            .map(|report| report.turn)
    }
}
