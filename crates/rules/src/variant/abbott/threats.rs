//! The men that could take a king, computed from the king's square (B12).
//!
//! Playing all the enemy's moves would be about thirty times slower. Each way of taking in B3–B11 is
//! reversed: the squares from which a man could take the king are computed, and then intersected with the men
//! that can move.

use super::{Men, Rules, immobilized, king, role};
use crate::{
    attacks::{self, DIRECTIONS, ORTHOGONAL},
    color::Color,
    square::Square,
    square_set::SquareSet,
};

/// The threats to a king, and the squares where a quiet move of its side could change them.
pub(super) struct KingThreats {
    /// The enemy men that could take the king.
    pub(super) threats: SquareSet,
    /// A move that leaves one of these squares or lands on one may change whether the king can be taken. Moves
    /// of the king itself and of immobilizers, which may free enemies, are not covered.
    pub(super) squares: SquareSet,
}

impl KingThreats {
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: two games call it, and without inlining perft is two per cent slower"
    )]
    pub(super) fn new<R: Rules>(men: &Men, color: Color) -> Self {
        let target = king(men, color);
        let occupied = men.occupied();
        let enemies = men.color(!color);
        let movable = enemies - immobilized::<R>(men, !color);
        let around = attacks::king(target) & movable;
        let mut squares = SquareSet::EMPTY;
        for from in around & men.role(role::WITHDRAWER) {
            if let Some(direction) = attacks::direction(target, from) {
                let (files, ranks) = DIRECTIONS[direction];
                squares |= SquareSet::of(from).step(files, ranks);
            }
        }
        for from in movable & men.role(role::LONG_LEAPER) {
            if let Some(direction) = attacks::direction(from, target) {
                let (files, ranks) = DIRECTIONS[direction];
                let between = attacks::between(from, target);
                if (between & enemies).is_empty() {
                    squares |= between | SquareSet::of(target).step(files, ranks);
                }
            }
        }
        let coordinators = movable & men.role(role::COORDINATOR);
        if corner_line(target, king(men, !color)).any() {
            for from in coordinators {
                squares |= attacks::queen(from, occupied);
            }
        }
        let pawns = movable & men.role(role::PINCER_PAWN);
        if pawns.any() {
            for partner in attacks::adjacent(target) & enemies {
                if let Some(direction) = attacks::direction(partner, target) {
                    let (files, ranks) = DIRECTIONS[direction];
                    if let Some(landing) = target.offset(files, ranks) {
                        squares |= SquareSet::of(landing) | attacks::rook(landing, occupied);
                    }
                }
            }
        }
        Self { threats: king_threats_by(men, color, movable), squares }
    }
}

/// Returns the enemy men that have a move that takes a side's king.
///
/// An immobilised man has no moves and makes no threats.
#[inline]
pub(super) fn king_threats<R: Rules>(men: &Men, color: Color) -> SquareSet {
    king_threats_by(men, color, men.color(!color) - immobilized::<R>(men, !color))
}

/// Returns the same squares as [`king_threats`], given the enemies that can move.
#[inline]
fn king_threats_by(men: &Men, color: Color, movable: SquareSet) -> SquareSet {
    let target = king(men, color);
    let occupied = men.occupied();
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

/// Returns the withdrawers next to the target that can move directly away from it (B9).
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

/// Returns the leapers that can leap over the target (B8), possibly after leaping over others on the way.
#[inline]
fn leaping(men: &Men, target: Square, leapers: SquareSet, color: Color) -> SquareSet {
    let occupied = men.occupied();
    leapers
        .into_iter()
        .filter(|&from| {
            let Some(direction) = attacks::direction(from, target) else { return false };
            let (files, ranks) = DIRECTIONS[direction];
            let on_the_way = attacks::between(from, target) & occupied;
            // A leaper never leaps over a friend, or over two men in a row.
            let leapt = on_the_way | SquareSet::of(target);
            (on_the_way - men.color(color)).is_empty()
                && (leapt.step(files, ranks) & occupied).is_empty()
                && target.offset(files, ranks).is_some()
        })
        .collect()
}

/// Returns the coordinators that can move so that the target is a corner of the rectangle that they form with
/// their king (B7).
#[inline]
fn coordinating(target: Square, king: Square, occupied: SquareSet, coordinators: SquareSet) -> SquareSet {
    let landings = corner_line(target, king);
    if landings.is_empty() {
        return SquareSet::EMPTY;
    }
    let landings = landings - occupied;
    coordinators.into_iter().filter(|&from| (attacks::queen(from, occupied) & landings).any()).collect()
}

/// Returns the file or rank on which a coordinator must land to have the target at a corner of its rectangle
/// with that king; empty if there is none.
#[inline]
fn corner_line(target: Square, king: Square) -> SquareSet {
    // One corner is on the coordinator's file and the king's rank, the other on the king's file and the
    // coordinator's rank.
    if king.rank() == target.rank() {
        SquareSet::file(target.file())
    } else if king.file() == target.file() {
        SquareSet::rank(target.rank())
    } else {
        SquareSet::EMPTY
    }
}

/// Returns the pawns that can enclose the target from the side opposite one of their friends (B6).
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
        // The target itself blocks the partner's own way to that square.
        if let Some(landing) = target.offset(-files, -ranks).filter(|&square| !occupied.contains(square)) {
            threats |= attacks::rook(landing, occupied) & pawns;
        }
    }
    threats
}
