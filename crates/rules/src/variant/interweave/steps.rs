//! The moves and takings of the men of Interweave (I2–I11).

use super::{Interweave, Men, role, starting_rank};
use crate::{
    attacks::{self, DIRECTIONS, ORTHOGONAL},
    color::Color,
    role::Role,
    setup::EnPassant,
    square::{Rank, Square},
    square_set::SquareSet,
};

/// The first halves of the eight double knight leaps (I7), as (files, ranks).
const HALF_LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static DOUBLE_LEAPS: [SquareSet; 64] = double_leap_table();

const fn double_leap_table() -> [SquareSet; 64] {
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut leap = 0;
        while leap < 8 {
            let (files, ranks) = HALF_LEAPS[leap];
            if let Some(square) = Square::from_index(index).offset(2 * files, 2 * ranks) {
                table[index].insert(square);
            }
            leap += 1;
        }
        index += 1;
    }
    table
}

/// Returns the number of ranks by which a side's pawns advance: 1 or −1.
#[inline]
fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Returns the square midway between two squares that are an even number of files and ranks apart.
#[inline]
fn midpoint(from: Square, to: Square) -> Square {
    let file = usize::midpoint(from.index() & 7, to.index() & 7);
    let rank = usize::midpoint(from.index() >> 3, to.index() >> 3);
    Square::from_index(rank * 8 + file)
}

/// Returns the square that a pawn crosses in a two-square advance, or `None` for any other step.
#[inline]
pub(super) fn crossed(from: Square, to: Square) -> Option<Square> {
    let files = (from.index() & 7).abs_diff(to.index() & 7);
    let ranks = (from.index() >> 3).abs_diff(to.index() >> 3);
    (files == 2 && ranks == 2).then(|| midpoint(from, to))
}

/// Returns the square of the pawn, if any, that can take en passant over a crossed square (I10).
#[inline]
pub(super) fn en_passant_from(men: &Men, us: Color, crossed: Square) -> Option<Square> {
    let from = crossed.offset(0, -forward(us))?;
    let to = crossed.offset(0, forward(us))?;
    let pawn = men.piece(us, role::PAWN).contains(from);
    (pawn && !men.occupied().contains(to)).then_some(from)
}

/// Checks that a pawn of the side that moved last could have made this double advance.
pub(super) fn en_passant_is_plausible(
    men: &Men,
    moved: Color,
    EnPassant { crossed: over, pawn }: EnPassant,
) -> bool {
    // The pawn came from the other side of the crossed square, on its starting rank.
    let (file, rank) = ((over.index() & 7) as i8, (over.index() >> 3) as i8);
    let (pawn_file, pawn_rank) = ((pawn.index() & 7) as i8, (pawn.index() >> 3) as i8);
    let origin = over.offset(file - pawn_file, rank - pawn_rank);
    men.piece(moved, role::PAWN).contains(pawn)
        && !men.occupied().contains(over)
        && origin.is_some_and(|from| {
            from.rank() == starting_rank(moved)
                && crossed(from, pawn) == Some(over)
                && !men.occupied().contains(from)
        })
}

/// Returns the diagonal neighbours (I5).
#[inline]
pub(super) fn king_moves(from: Square) -> SquareSet {
    attacks::king(from) - attacks::adjacent(from)
}

/// Returns the empty squares right behind orthogonally adjacent enemies (I5).
#[inline]
fn short_leaps(from: Square, occupied: SquareSet, enemies: SquareSet) -> SquareSet {
    if (attacks::adjacent(from) & enemies).is_empty() {
        return SquareSet::EMPTY;
    }
    let center = SquareSet::of(from);
    let mut reached = SquareSet::EMPTY;
    for (files, ranks) in ORTHOGONAL {
        reached |= (center.step(files, ranks) & enemies).step(files, ranks);
    }
    reached - occupied
}

/// Returns the squares where a smasher stops in front of an enemy and takes it (I6).
#[inline]
fn smashes(from: Square, occupied: SquareSet, enemies: SquareSet) -> SquareSet {
    // The nearest man in each line, if it is an enemy on the other shade, that is, at an odd distance.
    let targets = attacks::rook(from, occupied) & (enemies - SquareSet::same_shade(from));
    targets.into_iter().fold(SquareSet::EMPTY, |stops, target| {
        // The smasher stops next to the target, unless it already stands there: it must move to take.
        stops | attacks::adjacent(target) & attacks::between(from, target)
    })
}

/// Returns the squares that smashers and leapers can reach without taking, except by double leaps: any
/// distance diagonally, an even one orthogonally (I6, I7). Those where a smasher would take are included.
#[inline]
pub(super) fn slides(from: Square, occupied: SquareSet) -> SquareSet {
    let straight = attacks::rook(from, occupied) & SquareSet::same_shade(from);
    (attacks::bishop(from, occupied) | straight) - occupied
}

/// Returns the squares where a leaper lands beyond the first man in a line, if that is an enemy at an odd
/// distance (I7).
#[inline]
fn long_leaps(men: &Men, us: Color, from: Square) -> SquareSet {
    let occupied = men.occupied();
    let even = SquareSet::same_shade(from);
    let victims = attacks::rook(from, occupied) & (men.color(!us) - even);
    let landings = victims.into_iter().fold(SquareSet::EMPTY, |landings, victim| {
        attacks::direction(from, victim).map_or(landings, |direction| {
            landings | attacks::rook(victim, occupied) & attacks::ray(direction, victim)
        })
    });
    landings & (even - occupied)
}

/// Returns the squares that a leaper can reach by a double knight leap, with and without taking the man in
/// the middle (I7).
#[inline]
pub(super) fn double_leaps(men: &Men, us: Color, from: Square) -> (SquareSet, SquareSet) {
    let (own, enemies) = (men.color(us), men.color(!us));
    let (mut takings, mut quiet) = (SquareSet::EMPTY, SquareSet::EMPTY);
    for to in DOUBLE_LEAPS[from.index()] - men.occupied() {
        let over = midpoint(from, to);
        if enemies.contains(over) {
            takings.insert(to);
        } else if !own.contains(over) {
            quiet.insert(to);
        }
    }
    (takings, quiet)
}

/// Returns the squares that a pawn can reach by taking, except en passant (I9, I10); on the last rank only if
/// there is a man in reserve (I11).
#[inline]
fn pawn_takings(position: &Interweave, from: Square) -> SquareSet {
    let men = &position.men;
    let us = position.side_to_move;
    let moves = PawnMoves::new(men, us, SquareSet::of(from));
    let takings =
        moves.leaps(men.occupied(), men.color(!us), None) | moves.all() & custodian_squares(men, us);
    takings & reachable_ranks(position)
}

/// The squares that a side's pawns, or some of them, reach without leaping. In each direction, at most one
/// pawn can reach a given square.
pub(super) struct PawnMoves {
    pawns: SquareSet,
    ahead: i8,
    /// One square diagonally, to the left and to the right.
    pub(super) single: [SquareSet; 2],
    /// Two squares from the starting rank.
    pub(super) double: [SquareSet; 2],
}

impl PawnMoves {
    #[inline]
    pub(super) fn new(men: &Men, us: Color, pawns: SquareSet) -> Self {
        let empty = !men.occupied();
        let ahead = forward(us);
        let starting = pawns & SquareSet::rank(starting_rank(us));
        let one = |pawns: SquareSet, side| pawns.step(side, ahead) & empty;
        Self {
            pawns,
            ahead,
            single: [one(pawns, -1), one(pawns, 1)],
            double: [one(one(starting, -1), -1), one(one(starting, 1), 1)],
        }
    }

    #[inline]
    fn all(&self) -> SquareSet {
        self.single[0] | self.single[1] | self.double[0] | self.double[1]
    }

    /// Returns the squares reached by a leap straight forward over an enemy, or over a crossed square.
    #[inline]
    pub(super) fn leaps(
        &self,
        occupied: SquareSet,
        enemies: SquareSet,
        crossed: Option<Square>,
    ) -> SquareSet {
        let leapt = enemies | crossed.map_or(SquareSet::EMPTY, SquareSet::of);
        (self.pawns.step(0, self.ahead) & leapt).step(0, self.ahead) - occupied
    }

    /// Returns the differences between the indices of destination and origin: for a one-square move to the
    /// left and to the right, and for a leap. For a two-square move, the difference is twice as large.
    #[inline]
    pub(super) fn differences(&self) -> ([i8; 2], i8) {
        ([8 * self.ahead - 1, 8 * self.ahead + 1], 16 * self.ahead)
    }
}

/// Returns the squares that a single enemy separates from a friend, along a rank or file: a pawn that moves
/// there without leaping takes the enemy (I9). The friend is never the pawn itself, which comes diagonally.
#[inline]
pub(super) fn custodian_squares(men: &Men, us: Color) -> SquareSet {
    let (own, enemies) = (men.color(us), men.color(!us));
    ORTHOGONAL.into_iter().fold(SquareSet::EMPTY, |squares, (files, ranks)| {
        squares | (own.step(files, ranks) & enemies).step(files, ranks)
    })
}

/// Returns the squares that a pawn may go to: not its last rank if the reserve is empty (I11).
#[inline]
pub(super) fn reachable_ranks(position: &Interweave) -> SquareSet {
    let us = position.side_to_move;
    if position.promotions(us).next().is_some() { SquareSet::FULL } else { !rank_from_last(us, 0) }
}

/// Returns the enemies that stand between the square `to` and a friend, next to both (I9).
#[inline]
pub(super) fn custodian(men: &Men, us: Color, from: Square, to: Square) -> SquareSet {
    let enemies = attacks::adjacent(to) & men.color(!us);
    if enemies.is_empty() {
        return SquareSet::EMPTY;
    }
    let friends = men.color(us) - SquareSet::of(from);
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

/// Returns the square that a pawn has just crossed, if the next step is the first of a turn: only then is en
/// passant possible (I10).
#[inline]
pub(super) fn en_passant_target(position: &Interweave) -> Option<Square> {
    match position.chain {
        None => position.en_passant.map(|en_passant| en_passant.crossed),
        Some(_) => None,
    }
}

/// Returns the squares of a rank, given by its distance from the last rank of a side.
#[inline]
pub(super) fn rank_from_last(color: Color, ranks: usize) -> SquareSet {
    SquareSet::rank(Rank::from_index(match color {
        Color::White => 7 - ranks,
        Color::Black => ranks,
    }))
}

/// Returns `true` if the man on a square can take again, after a taking that ended there.
#[inline]
pub(super) fn can_take(position: &Interweave, square: Square) -> bool {
    let Some(role) = position.men.role_at(square) else { return false };
    // En passant is possible only as a first step (I10).
    takings(position, role, square).any()
}

/// Returns the squares that the man on a square can reach by taking, except en passant; for a remover, that is
/// its own square.
#[inline]
pub(super) fn takings(position: &Interweave, role: Role, from: Square) -> SquareSet {
    let men = &position.men;
    let us = position.side_to_move;
    let (occupied, enemies) = (men.occupied(), men.color(!us));
    match role {
        role::KING => short_leaps(from, occupied, enemies),
        role::SMASHER => smashes(from, occupied, enemies),
        role::LEAPER => long_leaps(men, us, from) | double_leaps(men, us, from).0,
        role::REMOVER if (attacks::adjacent(from) & enemies).any() => SquareSet::of(from),
        role::PAWN => pawn_takings(position, from),
        _ => SquareSet::EMPTY,
    }
}

/// Returns the squares of the men that a step takes.
#[inline]
pub(super) fn taken(position: &Interweave, from: Square, to: Square) -> SquareSet {
    let men = &position.men;
    let us = position.side_to_move;
    let enemies = men.color(!us);
    let Some(role) = men.role_at(from) else { return SquareSet::EMPTY };
    match role {
        role::KING => attacks::between(from, to) & enemies,
        role::SMASHER => match attacks::direction(from, to) {
            // Only along files and ranks: the first four directions.
            Some(direction @ 0..4) => {
                let (files, ranks) = DIRECTIONS[direction];
                SquareSet::of(to).step(files, ranks) & enemies
            }
            _ => SquareSet::EMPTY,
        },
        role::LEAPER => {
            if DOUBLE_LEAPS[from.index()].contains(to) {
                SquareSet::of(midpoint(from, to)) & enemies
            } else {
                attacks::between(from, to) & enemies
            }
        }
        role::REMOVER if from == to => attacks::adjacent(from) & enemies,
        role::PAWN => taken_by_pawn(position, us, from, to),
        _ => SquareSet::EMPTY,
    }
}

#[inline]
fn taken_by_pawn(position: &Interweave, us: Color, from: Square, to: Square) -> SquareSet {
    let men = &position.men;
    let mut taken = custodian(men, us, from, to);
    if from.file() == to.file() {
        let over = midpoint(from, to);
        taken |= SquareSet::of(over) & men.color(!us);
        if let (Some(crossed), Some(en_passant)) = (en_passant_target(position), position.en_passant)
            && crossed == over
        {
            taken.insert(en_passant.pawn);
        }
    }
    taken
}
