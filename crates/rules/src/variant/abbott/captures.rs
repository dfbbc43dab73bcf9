//! The men that a move takes, as a function of its origin and its destination (B6–B11).

use super::{Men, king, role};
use crate::{
    attacks::{self, DIRECTIONS, ORTHOGONAL},
    color::Color,
    role::Role,
    square::Square,
    square_set::SquareSet,
};

/// Returns the squares whose men are taken by a move that follows the rules.
#[inline]
pub(super) fn taken(men: &Men, us: Color, role: Role, from: Square, to: Square) -> SquareSet {
    let enemies = men.color(!us);
    match role {
        role::PINCER_PAWN => pincered(men, us, from, to) & enemies,
        role::LONG_LEAPER => attacks::between(from, to) & enemies,
        role::COORDINATOR => coordinated(men, us, to) & enemies,
        role::WITHDRAWER => withdrawn_from(from, to) & enemies,
        role::KING => SquareSet::of(to) & enemies,
        role::CHAMELEON => by_chameleon(men, us, from, to) & enemies,
        // B5: the immobilizer takes nothing.
        _ => SquareSet::EMPTY,
    }
}

/// Returns the squares of enemies caught between the destination and a friend in a straight line (B6).
#[inline]
fn pincered(men: &Men, us: Color, from: Square, to: Square) -> SquareSet {
    let friends = men.color(us) - SquareSet::of(from);
    let enemies = attacks::adjacent(to) & men.color(!us);
    if enemies.is_empty() {
        return SquareSet::EMPTY;
    }
    let landing = SquareSet::of(to);
    let mut taken = SquareSet::EMPTY;
    for (files, ranks) in ORTHOGONAL {
        let next = landing.step(files, ranks) & enemies;
        if (next.step(files, ranks) & friends).any() {
            taken |= next;
        }
    }
    taken
}

/// Returns the two other corners of the rectangle between the square reached and the mover's king (B7).
#[inline]
fn coordinated(men: &Men, us: Color, to: Square) -> SquareSet {
    let king = king(men, us);
    if king.file() == to.file() || king.rank() == to.rank() {
        return SquareSet::EMPTY;
    }
    SquareSet::of(Square::new(to.file(), king.rank())) | SquareSet::of(Square::new(king.file(), to.rank()))
}

/// Returns the square directly behind the one that the man leaves (B9).
#[inline]
fn withdrawn_from(from: Square, to: Square) -> SquareSet {
    match attacks::direction(to, from) {
        Some(direction) => {
            let (files, ranks) = DIRECTIONS[direction];
            SquareSet::of(from).step(files, ranks)
        }
        None => SquareSet::EMPTY,
    }
}

/// Returns the squares where a chameleon takes each kind of man in that kind's own way, all combined (B10,
/// B11). Squares of men of its own side are not excluded.
#[inline]
fn by_chameleon(men: &Men, us: Color, from: Square, to: Square) -> SquareSet {
    let straight = from.file() == to.file() || from.rank() == to.rank();
    let mut taken = attacks::between(from, to) & men.role(role::LONG_LEAPER)
        | coordinated(men, us, to) & men.role(role::COORDINATOR)
        | withdrawn_from(from, to) & men.role(role::WITHDRAWER)
        | SquareSet::of(to) & men.role(role::KING);
    if straight {
        taken |= pincered(men, us, from, to) & men.role(role::PINCER_PAWN);
    }
    taken
}

/// Returns the squares reached by leaping over one or more of `victims`, each with an empty square right
/// behind it (B8). A square that holds any other man stops the leap.
#[inline]
pub(super) fn leaps(from: Square, occupied: SquareSet, victims: SquareSet) -> SquareSet {
    // The first man in each direction is the first to be leapt over.
    let candidates = attacks::queen(from, occupied) & victims;
    let mut reached = SquareSet::EMPTY;
    for first in candidates {
        let Some(direction) = attacks::direction(from, first) else { continue };
        let (files, ranks) = DIRECTIONS[direction];
        let mut current = first;
        // A victim is on `current`. The square behind it must be empty; then continue to the next man.
        while let Some(behind) = current.offset(files, ranks).filter(|&square| !occupied.contains(square)) {
            reached.insert(behind);
            current = behind;
            let next = loop {
                match current.offset(files, ranks) {
                    None => break None,
                    Some(square) if occupied.contains(square) => break Some(square),
                    Some(square) => {
                        reached.insert(square);
                        current = square;
                    }
                }
            };
            match next {
                Some(square) if victims.contains(square) => current = square,
                _ => break,
            }
        }
    }
    reached
}
