//! Which steps give check, without playing them.

use super::{Chess, role};
use crate::{attacks, moves::Step, position::Position as _, square_set::SquareSet};

/// Returns what tells of legal steps whether the enemy is in check after them. What does not depend on the step is looked up
/// once.
pub(super) fn checks(position: &Chess) -> impl Fn(Step) -> bool {
    let (board, us) = (&position.board, position.side_to_move);
    let (own, occupied, king) = (board.color(us), board.occupied(), position.king(!us));
    let (straight, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
    // From where a man of each role looks at the king.
    let looking = [
        attacks::pawn(!us, king),
        attacks::knight(king),
        diagonal,
        straight,
        straight | diagonal,
        SquareSet::EMPTY,
    ];
    // Own men that alone stand between the king and one that would look at it.
    let queens = board.role(role::QUEEN);
    let behind = attacks::rook(king, occupied - (straight & own)) & (board.role(role::ROOK) | queens)
        | attacks::bishop(king, occupied - (diagonal & own)) & (board.role(role::BISHOP) | queens);
    let mut shields = SquareSet::EMPTY;
    for far in behind & own {
        shields |= attacks::between(king, far) & own;
    }
    move |step| {
        let (from, to) = (step.from(), step.to());
        let Some(role) = board.role_at(from) else { return false };
        // What changes more than two squares is asked by playing it.
        let crosses = role == role::PAWN && Some(to) == position.en_passant;
        if own.contains(to) || step.promotion().is_some() || crosses {
            return position.after(step).is_check();
        }
        looking[role.index()].contains(to)
            || shields.contains(from) && !attacks::line(king, from).contains(to)
    }
}
