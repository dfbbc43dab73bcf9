//! Decides whether any mate is possible on the squares that each man can ever reach.
//!
//! [`Reach`] gives a superset of all positions that can follow. If none of them is a mate, no mate can be
//! reached. A mate needs, for some square of the losing king's set,
//!
//! * one of the winner's men, the checker, to attack that square, and
//! * for every adjacent square, one of the loser's men to block it or an attack on it by the winner. A square
//!   with one of the winner's men has to be attacked as well, or the king could capture that man.
//!
//! Each man has to be on a square of its set, no two may be on the same square, and the kings may not be next
//! to each other. [`mate_is_conceivable`] looks for such a placement of as many men as the mate needs, and
//! returns `false` only if there is none. It ignores most men in lines of attack, most ways to parry the
//! check, and the side to move; taking these into account would only make mates rarer.
//!
//! A line of attack is obstructed only by stuck men other than the losing king, because only these are
//! certain to stay.
//!
//! # Parrying
//!
//! Parrying is considered only if a double check is impossible, that is, if only one of the winner's men
//! can ever attack the mating square, or only bishops can. Then a man that blocks a flight square parries the
//! check if it could capture the checker or interpose. There are three exceptions: it may be a promoted pawn,
//! whose role is then unknown; another of the winner's men behind it may pin it; or a third man may be in its
//! way, which is assumed whenever one may be there.
//!
//! Bishops alone cannot give double check. If one uncovered another, it would have to leave the other's
//! diagonal and give check on the second diagonal through the king; but a bishop gets from one diagonal to
//! the other only across the king. A turn of any other man would have to open both diagonals, but it vacates
//! only one square. There are two exceptions. Castling vacates two squares, but no bishop can stand behind
//! them. En passant vacates two adjacent squares on a rank, but the two diagonals contain at most one of
//! them.

mod placement;

use arrayvec::ArrayVec;

use placement::Search;
pub(super) use placement::steps;

use super::reach::{Reach, single_steps};
use adoube_rules::{Color, Role, Square, SquareSet, variant::chess::role};

/// The maximum number of placements tried before the answer is "conceivable".
const MAX_PLACEMENTS: u32 = 30_000;

/// Squares of the losing king where a mate is conceivable. The search ends at the first such square, so
/// `coverable` may also contain squares where no mate is conceivable.
pub(super) struct MatingSquares {
    /// Squares where every adjacent square, considered separately, can be blocked or attacked.
    pub(super) coverable: SquareSet,
    /// The first square found where all adjacent squares can be covered at the same time; `None` if there is
    /// none.
    pub(super) jointly_coverable: Option<Square>,
}

/// A man in a target mate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post {
    pub(super) color: Color,
    /// The role of the man on this post, after a promotion if one is needed.
    pub(super) role: Role,
    pub(super) square: Square,
    /// Whether a pawn has to be promoted to this man first.
    pub(super) promoted: bool,
}

/// A target mate: the losing king's square and the men that matter.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) target: Square,
    pub(super) posts: ArrayVec<Post, 12>,
    pub(super) cost: u32,
}

/// The number of placements tried per square, and in total, when constructing target mates.
const EFFORT_PER_SQUARE: u32 = 300;
const TOTAL_EFFORT: u32 = 6_000;

const CORNERS: SquareSet = SquareSet::CORNERS;
const EDGE: SquareSet = SquareSet(0xff81_8181_8181_81ff);

/// The maximum number of target mates for one square if `is_thorough`.
const TARGETS_PER_SQUARE: usize = 4;
/// The factor by which the number of placements grows if `is_thorough`.
const THOROUGH: u32 = 4;

/// Returns target mates for a search, nearest first: at most `N`, and for each square of the losing king at
/// most one, or [`TARGETS_PER_SQUARE`] if `is_thorough`. They may be unreachable.
pub(super) fn patterns<const N: usize>(
    reach: &Reach,
    winner: Color,
    squares: SquareSet,
    is_thorough: bool,
) -> ArrayVec<Pattern, N> {
    let mut search = Search::new(reach, winner);
    search.collects_targets = true;
    search.max_targets = if is_thorough { TARGETS_PER_SQUARE } else { 1 };
    let times = if is_thorough { THOROUGH } else { 1 };
    let mut found: ArrayVec<Pattern, N> = ArrayVec::new();
    let Some(king) = reach.men.iter().find(|man| man.color != winner && man.role == role::KING) else {
        return found;
    };
    let mut total_budget = TOTAL_EFFORT * times;
    // First try the squares where kings are usually mated and the fewest men are needed. Try other squares
    // only if none of these yields a mate.
    for (zone, effort) in
        [(CORNERS, EFFORT_PER_SQUARE), (EDGE - CORNERS, EFFORT_PER_SQUARE), (!EDGE, EFFORT_PER_SQUARE / 3)]
    {
        if zone == !EDGE && !found.is_empty() {
            break;
        }
        let mut front = SquareSet::of(king.home);
        let mut seen = SquareSet::EMPTY;
        let mut distance = 0;
        while front.any() && total_budget > 0 {
            for target in front & squares & zone {
                search.budget = (effort * times).min(total_budget);
                let before = search.budget;
                search.best.clear();
                search.bound = if found.is_full() { found[N - 1].cost } else { u32::MAX };
                search.bound = search.bound.saturating_sub(3 * distance);
                search.can_mate_on(target);
                total_budget -= before - search.budget;
                for mut pattern in search.best.take() {
                    pattern.cost += 3 * distance;
                    if found.is_full() {
                        if found[N - 1].cost <= pattern.cost {
                            break;
                        }
                        found.pop();
                    }
                    let at = found.partition_point(|other| other.cost <= pattern.cost);
                    found.insert(at, pattern);
                }
            }
            seen |= front;
            front = single_steps(role::KING, front) & king.squares;
            front -= seen;
            distance += 1;
        }
    }
    found
}

/// Returns the squares on which the loser's king could be mated. `jointly_coverable` is `None` only if
/// that king cannot be mated anywhere.
pub(super) fn mating_squares(reach: &Reach, winner: Color) -> MatingSquares {
    mating_squares_within(reach, winner, MAX_PLACEMENTS)
}

fn mating_squares_within(reach: &Reach, winner: Color, max_placements: u32) -> MatingSquares {
    let loser = !winner;
    let mut king_squares = SquareSet::EMPTY;
    let mut attacked = SquareSet::EMPTY;
    let mut attacked_by_king = SquareSet::EMPTY;
    let mut blocked = SquareSet::EMPTY;
    for man in &reach.men {
        if man.color == loser {
            if man.role == role::KING {
                king_squares = man.squares;
            } else {
                blocked |= man.reachable();
            }
        } else if man.role == role::KING {
            attacked_by_king = man.attacked();
        } else {
            attacked |= man.attacked();
        }
    }
    // A king that never moves hides the squares behind it from the steps of `attacked`, but does not protect
    // them from attack.
    let behind =
        if king_squares.more_than_one() { SquareSet::EMPTY } else { single_steps(role::KING, king_squares) };
    let open = !(attacked | attacked_by_king | blocked | behind);
    // The king cannot be mated next to a square that can neither be blocked nor attacked.
    let coverable = (king_squares & attacked) - single_steps(role::KING, open);
    let mut search = Search::new(reach, winner);
    search.budget = max_placements;
    // Corners first, then edges, because mates are usually found there.
    let mut jointly_coverable = None;
    for zone in [CORNERS, EDGE - CORNERS, !EDGE] {
        jointly_coverable = jointly_coverable
            .or_else(|| (coverable & zone).into_iter().find(|&square| search.can_mate_on(square)));
    }
    MatingSquares { coverable, jointly_coverable }
}

/// Returns `true` unless a limited search proves that the loser's king cannot be mated anywhere.
pub(super) fn mate_is_conceivable(reach: &Reach, winner: Color) -> bool {
    mating_squares_within(reach, winner, 500).jointly_coverable.is_some()
}
