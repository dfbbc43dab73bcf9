//! Where the men of Interweave go and what they take (I2–I11).

use super::{Interweave, Men, role, starting_rank};
use crate::{
    attacks::{self, DIRECTIONS, ORTHOGONAL},
    color::Color,
    role::Role,
    setup::EnPassant,
    square::{Rank, Square},
    square_set::SquareSet,
};

/// The eight double knight leaps (I7), as halves.
const HALF_LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static DOUBLE_LEAPS: [SquareSet; 64] = double_leaps();

const fn double_leaps() -> [SquareSet; 64] {
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

/// Returns the rank direction in which a side's pawns move.
#[inline]
fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Returns the square in the middle between two squares an even distance apart.
#[inline]
fn midpoint(from: Square, to: Square) -> Square {
    let file = usize::midpoint(from.index() & 7, to.index() & 7);
    let rank = usize::midpoint(from.index() >> 3, to.index() >> 3);
    Square::from_index(rank * 8 + file)
}

/// Returns the square a pawn crosses when it advances two squares diagonally, if that is what it does.
#[inline]
pub(super) fn crossed(from: Square, to: Square) -> Option<Square> {
    let files = (from.index() & 7).abs_diff(to.index() & 7);
    let ranks = (from.index() >> 3).abs_diff(to.index() >> 3);
    (files == 2 && ranks == 2).then(|| midpoint(from, to))
}

/// Returns from where a pawn of the side to move takes over a crossed square, if one does (I10).
#[inline]
pub(super) fn en_passant_from(men: &Men, us: Color, crossed: Square) -> Option<Square> {
    let from = crossed.offset(0, -forward(us))?;
    let to = crossed.offset(0, forward(us))?;
    let pawn = men.piece(us, role::PAWN).contains(from);
    (pawn && !men.occupied().contains(to)).then_some(from)
}

/// Returns whether a pawn of the side that moved last can have made this double advance.
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

/// What a man may do: squares reached without taking and squares reached by a taking.
///
/// A remover's taking reaches its own square.
#[derive(Clone, Copy)]
struct Reach {
    quiet: SquareSet,
    takings: SquareSet,
}

impl Reach {
    const NONE: Self = Self { quiet: SquareSet::EMPTY, takings: SquareSet::EMPTY };
}

/// Returns where the man of a square may go. `en_passant` is the crossed square, where it may be used.
#[inline]
fn reach(men: &Men, us: Color, role: Role, from: Square, en_passant: Option<Square>) -> Reach {
    let occupied = men.occupied();
    match role {
        role::KING => {
            Reach { quiet: king_walk(from) - occupied, takings: short_leaps(from, occupied, men.color(!us)) }
        }
        role::SMASHER => smasher(from, occupied, men.color(!us)),
        role::LEAPER => leaper(men, us, from),
        role::REMOVER => {
            let victims = attacks::adjacent(from) & men.color(!us);
            Reach {
                quiet: attacks::bishop(from, occupied) - occupied,
                takings: if victims.any() { SquareSet::of(from) } else { SquareSet::EMPTY },
            }
        }
        role::PAWN => pawn(men, us, from, en_passant),
        _ => Reach::NONE,
    }
}

/// Returns the diagonal neighbours (I5).
#[inline]
fn king_walk(from: Square) -> SquareSet {
    attacks::king(from) - attacks::adjacent(from)
}

/// Returns the squares right behind an orthogonally adjacent enemy, if empty (I5).
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

/// Smasher (I6): it takes the man that stops it right where it stops.
#[inline]
fn smasher(from: Square, occupied: SquareSet, enemies: SquareSet) -> Reach {
    let even = SquareSet::same_shade(from);
    let straight = attacks::rook(from, occupied);
    let empty = (straight - occupied) & even;
    // The first enemies in line; at an odd distance when they stand on the other shade.
    let targets = straight & (enemies - even);
    let mut takings = SquareSet::EMPTY;
    for target in targets {
        // Next to it is the square to stop on, unless it is the smasher's own: it must move to take.
        takings |= attacks::adjacent(target) & (attacks::between(from, target));
    }
    Reach { quiet: (attacks::bishop(from, occupied) - occupied) | (empty - takings), takings }
}

/// Leaper (I7).
#[inline]
fn leaper(men: &Men, us: Color, from: Square) -> Reach {
    let occupied = men.occupied();
    let (own, enemies) = (men.color(us), men.color(!us));
    let even = SquareSet::same_shade(from);
    let straight = attacks::rook(from, occupied);
    let mut quiet = (attacks::bishop(from, occupied) - occupied) | (straight - occupied) & even;
    let mut takings = SquareSet::EMPTY;
    // The long leap over the first man of a line, an enemy at an odd distance.
    for victim in straight & (enemies - even) {
        if let Some(direction) = attacks::direction(from, victim) {
            takings |= attacks::rook(victim, occupied) & attacks::ray(direction, victim) & even;
        }
    }
    takings -= occupied;
    // The double knight leap over whatever is not a friend.
    for to in DOUBLE_LEAPS[from.index()] - occupied {
        let over = midpoint(from, to);
        if enemies.contains(over) {
            takings.insert(to);
        } else if !own.contains(over) {
            quiet.insert(to);
        }
    }
    Reach { quiet, takings }
}

/// Pawn (I9, I10). Squares of the last rank are reached only with a man in reserve; the caller sees to that.
#[inline]
fn pawn(men: &Men, us: Color, from: Square, en_passant: Option<Square>) -> Reach {
    let occupied = men.occupied();
    let ahead = forward(us);
    let here = SquareSet::of(from);
    let mut moves = SquareSet::EMPTY;
    let doubles = from.rank() == starting_rank(us);
    for side in [-1, 1] {
        let single = here.step(side, ahead) - occupied;
        moves |= single;
        if doubles {
            moves |= single.step(side, ahead) - occupied;
        }
    }
    let front = here.step(0, ahead);
    let leapt = front & men.color(!us)
        | if en_passant.is_some_and(|crossed| front.contains(crossed)) { front } else { SquareSet::EMPTY };
    let mut takings = leapt.step(0, ahead) - occupied;
    for to in moves {
        if custodian(men, us, from, to).any() {
            takings.insert(to);
        }
    }
    Reach { quiet: moves - takings, takings }
}

/// Returns the enemies next to the square reached that have a friend right behind them in the same line (I9).
#[inline]
fn custodian(men: &Men, us: Color, from: Square, to: Square) -> SquareSet {
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

/// Returns the crossed square that the side to move may use: only in the first step of its turn (I10).
#[inline]
fn usable_en_passant(position: &Interweave) -> Option<Square> {
    match position.chain {
        None => position.en_passant.map(|en_passant| en_passant.crossed),
        Some(_) => None,
    }
}

/// Returns the squares of a rank of promotion, counted from the last one of a side.
#[inline]
fn rank_from_last(color: Color, ranks: usize) -> SquareSet {
    SquareSet::rank(Rank::from_index(match color {
        Color::White => 7 - ranks,
        Color::Black => ranks,
    }))
}

/// Takes the last rank out of a pawn's reach where nothing is there to become (I11).
#[inline]
fn promotable(position: &Interweave, us: Color, reach: Reach) -> Reach {
    let last = rank_from_last(us, 0);
    if ((reach.quiet | reach.takings) & last).is_empty() || position.promotions(us).next().is_some() {
        return reach;
    }
    Reach { quiet: reach.quiet - last, takings: reach.takings - last }
}

#[inline]
fn legal_reach(position: &Interweave, role: Role, from: Square) -> Reach {
    let us = position.turn;
    let reach = reach(&position.men, us, role, from, usable_en_passant(position));
    if role == role::PAWN { promotable(position, us, reach) } else { reach }
}

/// Gives each man that may move now, with its reach, to `visit`.
#[inline]
fn each_man(position: &Interweave, mut visit: impl FnMut(Role, Square, Reach)) {
    if position.king_captured() {
        return;
    }
    let men = &position.men;
    let movers = match position.chain {
        // The man that has taken must go on (I4).
        Some(square) => SquareSet::of(square),
        None => men.color(position.turn),
    };
    for role in [role::PAWN, role::LEAPER, role::REMOVER, role::SMASHER, role::KING] {
        for from in men.role(role) & movers {
            visit(role, from, legal_reach(position, role, from));
        }
    }
}

/// Returns whether a taking is compulsory now (I4).
pub(super) fn must_take(position: &Interweave) -> bool {
    let mut found = position.chain.is_some();
    each_man(position, |_, _, reach| found |= reach.takings.any());
    found
}

/// Returns whether the man of a square, which has just taken, can take again.
#[inline]
pub(super) fn can_take(position: &Interweave, square: Square) -> bool {
    let Some(role) = position.men.role_at(square) else { return false };
    let us = position.turn;
    // En passant is a first step only.
    let reach = reach(&position.men, us, role, square, None);
    let reach = if role == role::PAWN { promotable(position, us, reach) } else { reach };
    reach.takings.any()
}

/// Gives every legal step to `visit`: from, to, promotion.
pub(super) fn legal(position: &Interweave, mut visit: impl FnMut(Square, Square, Option<Role>)) {
    let us = position.turn;
    let mut reaches = [(role::PAWN, Square::A1, Reach::NONE); 64];
    let mut count = 0;
    let mut must_take = false;
    each_man(position, |role, from, reach| {
        must_take |= reach.takings.any();
        reaches[count] = (role, from, reach);
        count += 1;
    });
    let (may, must) = (rank_from_last(us, 1), rank_from_last(us, 0));
    for &(role, from, reach) in &reaches[..count] {
        let targets = if must_take { reach.takings } else { reach.quiet };
        for to in targets {
            if role == role::PAWN && (may | must).contains(to) {
                for promotion in position.promotions(us) {
                    visit(from, to, Some(promotion));
                }
                if may.contains(to) {
                    visit(from, to, None);
                }
            } else {
                visit(from, to, None);
            }
        }
    }
}

/// Returns the number of legal steps.
pub(super) fn count(position: &Interweave) -> usize {
    let us = position.turn;
    let choices = position.promotions(us).count();
    let (may, must) = (rank_from_last(us, 1), rank_from_last(us, 0));
    let (mut quiet, mut takings) = (0, 0);
    each_man(position, |role, _, reach| {
        let number = |targets: SquareSet| {
            if role == role::PAWN {
                (targets - may - must).len()
                    + (targets & may).len() * (choices + 1)
                    + (targets & must).len() * choices
            } else {
                targets.len()
            }
        };
        quiet += number(reach.quiet);
        takings += number(reach.takings);
    });
    if takings > 0 { takings } else { quiet }
}

/// Returns what a step takes.
#[inline]
pub(super) fn taken(position: &Interweave, from: Square, to: Square) -> SquareSet {
    let men = &position.men;
    let us = position.turn;
    let enemies = men.color(!us);
    let Some(role) = men.role_at(from) else { return SquareSet::EMPTY };
    match role {
        role::KING => attacks::between(from, to) & enemies,
        role::SMASHER => match attacks::direction(from, to) {
            // Only straight on: the first four directions.
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
        if let (Some(crossed), Some(en_passant)) = (usable_en_passant(position), position.en_passant)
            && crossed == over
        {
            taken.insert(en_passant.pawn);
        }
    }
    taken
}
