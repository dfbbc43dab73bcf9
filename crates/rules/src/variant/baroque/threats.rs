//! Who could take a king, asked from the king's square (B12).
//!
//! Playing all the enemy's moves would answer the same question some thirty times more slowly. Each of the ways
//! of B3–B11 is turned round: from where would a man have to come, and is there one that may move?

use super::{Men, captures::rank_of, immobilized, king, role};
use crate::{
    attacks::{self, DIRECTIONS, ORTHOGONAL},
    color::Color,
    square::Square,
    square_set::SquareSet,
};

/// Returns the enemy men that have a move which takes the king of a side.
///
/// An immobilised man has no moves and threatens nobody.
#[inline]
pub(super) fn king_threats(men: &Men, color: Color) -> SquareSet {
    let target = king(men, color);
    let occupied = men.occupied();
    let movable = men.color(!color) - immobilized(men, !color);
    // B3, B11: king and chameleon take by landing.
    let mut threats = attacks::king(target) & movable & (men.role(role::KING) | men.role(role::CHAMELEON));
    threats |= withdrawing(target, occupied, attacks::king(target) & movable & men.role(role::WITHDRAWER));
    let leapers = movable & men.role(role::LONG_LEAPER);
    if leapers.any() {
        threats |= leaping(men, target, leapers, color);
    }
    let coordinators = movable & men.role(role::COORDINATOR);
    if coordinators.any() {
        threats |= coordinating(target, king(men, !color), occupied, coordinators);
    }
    threats | pincering(target, men.color(!color), occupied, movable & men.role(role::PINCER_PAWN))
}

/// Returns the withdrawers next to the target that can move straight away from it (B9).
#[inline]
fn withdrawing(target: Square, occupied: SquareSet, withdrawers: SquareSet) -> SquareSet {
    withdrawers
        .into_iter()
        .filter(|&from| {
            attacks::direction(target, from).is_some_and(|direction| {
                let (files, ranks) = DIRECTIONS[direction];
                from.offset(files, ranks).is_some_and(|to| !occupied.contains(to))
            })
        })
        .collect()
}

/// Returns the leapers that can leap over the target (B8), maybe after others on the way.
#[inline]
fn leaping(men: &Men, target: Square, leapers: SquareSet, color: Color) -> SquareSet {
    let occupied = men.occupied();
    leapers
        .into_iter()
        .filter(|&from| {
            let Some(direction) = attacks::direction(from, target) else { return false };
            let (files, ranks) = DIRECTIONS[direction];
            let on_the_way = attacks::between(from, target) & occupied;
            // It never jumps a friend, nor two men in a row.
            let leapt = on_the_way | SquareSet::of(target);
            (on_the_way - men.color(color)).is_empty()
                && (leapt.step(files, ranks) & occupied).is_empty()
                && target.offset(files, ranks).is_some()
        })
        .collect()
}

/// Returns the coordinators that can make the target a corner of the rectangle with their king (B7).
#[inline]
fn coordinating(target: Square, king: Square, occupied: SquareSet, coordinators: SquareSet) -> SquareSet {
    // The corners are on the king's rank under the coordinator, and on the king's file beside it.
    let landings = if king.rank() == target.rank() {
        SquareSet::file(target.file())
    } else if king.file() == target.file() {
        rank_of(target)
    } else {
        return SquareSet::EMPTY;
    };
    let landings = landings - occupied;
    coordinators.into_iter().filter(|&from| (attacks::queen(from, occupied) & landings).any()).collect()
}

/// Returns the pawns that can close on the target from the side opposite to one of their friends (B6).
#[inline]
fn pincering(target: Square, enemies: SquareSet, occupied: SquareSet, pawns: SquareSet) -> SquareSet {
    let mut threats = SquareSet::EMPTY;
    let partners = attacks::adjacent(target) & enemies;
    if partners.is_empty() || pawns.is_empty() {
        return threats;
    }
    let center = SquareSet::of(target);
    for (files, ranks) in ORTHOGONAL {
        if (center.step(files, ranks) & partners).is_empty() {
            continue;
        }
        // The partner's own way to that square is barred by the target itself.
        if let Some(landing) = target.offset(-files, -ranks).filter(|&square| !occupied.contains(square)) {
            threats |= attacks::rook(landing, occupied) & pawns;
        }
    }
    threats
}
