//! Detects which steps give check, playing as few of them as possible.

use super::{Chess, role};
use crate::{attacks, moves::Step, position::Position as _, square_set::SquareSet};

/// Returns a predicate that tells whether a legal step gives check. Work that does not depend on the step is
/// done once.
pub(super) fn checks(position: &Chess) -> impl Fn(Step) -> bool {
    let (board, us) = (&position.board, position.side_to_move);
    let (own, occupied, king) = (board.color(us), board.occupied(), position.king(!us));
    let (straight, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
    // The squares from which a man of each role attacks the king.
    let attacking_squares = [
        attacks::pawn(!us, king),
        attacks::knight(king),
        diagonal,
        straight,
        straight | diagonal,
        SquareSet::EMPTY,
    ];
    // Men of the side to move, each the only man between the enemy king and a slider of its own side.
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
        // Castling, promotions and en passant do more than move one man, so they are played on a copy.
        let is_en_passant = role == role::PAWN && Some(to) == position.en_passant;
        if own.contains(to) || step.promotion().is_some() || is_en_passant {
            return position.after(step).is_check();
        }
        attacking_squares[role.index()].contains(to)
            || shields.contains(from) && !attacks::line(king, from).contains(to)
    }
}
