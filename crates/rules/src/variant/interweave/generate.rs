//! The generator of legal steps: takings first, because they are compulsory (I4).

use super::{Interweave, role, steps};
use crate::{
    attacks,
    moves::{Step, StepList},
    role::Role,
    square::Square,
    square_set::SquareSet,
};

/// The consumer of generated steps: lists them, counts them, or plays them.
pub(super) trait Sink {
    /// Receives the moves of one man, other than a pawn, to several squares. They take nothing.
    fn quiet(&mut self, role: Role, from: Square, targets: SquareSet);
    /// Receives a pawn's move that takes nothing.
    fn quiet_pawn(&mut self, from: Square, to: Square, promotion: Option<Role>);
    /// Receives pawn moves that take nothing and do not promote, all with the same difference between the
    /// indices of destination and origin. A move of two ranks makes en passant possible (I10).
    fn quiet_pawns(&mut self, difference: i8, targets: SquareSet) {
        for to in targets {
            self.quiet_pawn(origin(to, difference), to, None);
        }
    }
    /// Receives a taking.
    fn taking(&mut self, step: Step);
}

/// Lists the steps.
impl Sink for StepList {
    #[inline]
    fn quiet(&mut self, _: Role, from: Square, targets: SquareSet) {
        for to in targets {
            self.push(Step::new(from, to));
        }
    }

    #[inline]
    fn quiet_pawn(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        self.push(step(from, to, promotion));
    }

    #[inline]
    fn taking(&mut self, step: Step) {
        self.push(step);
    }
}

/// Counts the steps.
#[derive(Default)]
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline]
    fn quiet(&mut self, _: Role, _: Square, targets: SquareSet) {
        self.0 += targets.len();
    }

    #[inline]
    fn quiet_pawn(&mut self, _: Square, _: Square, _: Option<Role>) {
        self.0 += 1;
    }

    #[inline]
    fn quiet_pawns(&mut self, _: i8, targets: SquareSet) {
        self.0 += targets.len();
    }

    #[inline]
    fn taking(&mut self, _: Step) {
        self.0 += 1;
    }
}

/// Counts the turns: a taking that must continue counts once for each way to continue.
pub(super) struct CountTurns<'a> {
    pub(super) position: &'a Interweave,
    pub(super) count: u64,
}

impl Sink for CountTurns<'_> {
    #[inline]
    fn quiet(&mut self, _: Role, _: Square, targets: SquareSet) {
        self.count += targets.len() as u64;
    }

    #[inline]
    fn quiet_pawn(&mut self, _: Square, _: Square, _: Option<Role>) {
        self.count += 1;
    }

    #[inline]
    fn quiet_pawns(&mut self, _: i8, targets: SquareSet) {
        self.count += targets.len() as u64;
    }

    fn taking(&mut self, step: Step) {
        let mut next = self.position.clone();
        next.play_any(step);
        self.count += if next.chain.is_none() { 1 } else { count_turns(&next) };
    }
}

/// Returns the number of legal turns.
pub(super) fn count_turns(position: &Interweave) -> u64 {
    let mut turns = CountTurns { position, count: 0 };
    generate(position, &mut turns);
    turns.count
}

/// Plays each step on a copy.
pub(super) struct SuccessorSink<'a, F> {
    pub(super) position: &'a Interweave,
    pub(super) visit: &'a mut F,
}

impl<F: FnMut(&Interweave)> Sink for SuccessorSink<'_, F> {
    #[inline]
    fn quiet(&mut self, role: Role, from: Square, targets: SquareSet) {
        for to in targets {
            let mut next = self.position.clone();
            next.play_quiet(role, from, to);
            (self.visit)(&next);
        }
    }

    #[inline]
    fn quiet_pawn(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let mut next = self.position.clone();
        next.play_quiet_pawn(from, to, promotion);
        (self.visit)(&next);
    }

    #[inline]
    fn taking(&mut self, step: Step) {
        let mut next = self.position.clone();
        next.play_any(step);
        (self.visit)(&next);
    }
}

#[inline]
fn origin(to: Square, difference: i8) -> Square {
    Square::from_index((to.index() as i8 - difference) as usize)
}

#[inline]
fn step(from: Square, to: Square, promotion: Option<Role>) -> Step {
    match promotion {
        None => Step::new(from, to),
        Some(role) => Step::promoting(from, to, role),
    }
}

/// Passes to the sink all legal steps of the side to move.
#[inline]
pub(super) fn generate<S: Sink>(position: &Interweave, sink: &mut S) {
    if position.king_captured() {
        return;
    }
    match position.chain {
        // The man that has taken must continue (I4).
        Some(from) => {
            if let Some(role) = position.men.role_at(from) {
                takings_of(position, sink, role, from, steps::takings(position, role, from));
            }
        }
        None => {
            if !all_takings(position, sink) {
                all_quiet(position, sink);
            }
        }
    }
}

/// Passes the takings of one man to the sink.
#[inline]
fn takings_of<S: Sink>(position: &Interweave, sink: &mut S, role: Role, from: Square, targets: SquareSet) {
    for to in targets {
        if role == role::PAWN {
            pawn_taking(position, sink, from, to);
        } else {
            sink.taking(Step::new(from, to));
        }
    }
}

/// Passes to the sink a pawn's taking that lands on a square: once for each role that it may promote to, and
/// once without promotion, unless it must promote (I11).
#[inline]
fn pawn_taking<S: Sink>(position: &Interweave, sink: &mut S, from: Square, to: Square) {
    let us = position.side_to_move;
    let must_promote = steps::rank_from_last(us, 0).contains(to);
    if must_promote || steps::rank_from_last(us, 1).contains(to) {
        for role in position.promotions(us) {
            sink.taking(Step::promoting(from, to, role));
        }
    }
    if !must_promote {
        sink.taking(Step::new(from, to));
    }
}

/// Passes all takings to the sink. Returns `false` if there are none.
#[inline]
fn all_takings<S: Sink>(position: &Interweave, sink: &mut S) -> bool {
    let men = &position.men;
    let us = position.side_to_move;
    let (own, enemies, occupied) = (men.color(us), men.color(!us), men.occupied());
    let mut any = false;

    let pawns = own & men.role(role::PAWN);
    let moves = steps::PawnMoves::new(men, us, pawns);
    let ([left, right], leap) = moves.differences();
    let reachable = steps::reachable_ranks(position);
    let custodian = steps::custodian_squares(men, us) & reachable;
    let leaps = moves.leaps(occupied, enemies, steps::en_passant_target(position)) & reachable;
    for (difference, targets) in [
        (left, moves.single[0] & custodian),
        (right, moves.single[1] & custodian),
        (2 * left, moves.double[0] & custodian),
        (2 * right, moves.double[1] & custodian),
        (leap, leaps),
    ] {
        any |= targets.any();
        for to in targets {
            pawn_taking(position, sink, origin(to, difference), to);
        }
    }
    for role in [role::LEAPER, role::REMOVER, role::SMASHER, role::KING] {
        for from in men.role(role) & own {
            let targets = steps::takings(position, role, from);
            any |= targets.any();
            takings_of(position, sink, role, from, targets);
        }
    }
    any
}

/// Passes to the sink all steps that take nothing. They are legal only if there is nothing to take.
#[inline]
fn all_quiet<S: Sink>(position: &Interweave, sink: &mut S) {
    let men = &position.men;
    let us = position.side_to_move;
    let (own, occupied) = (men.color(us), men.occupied());

    let moves = steps::PawnMoves::new(men, us, own & men.role(role::PAWN));
    let ([left, right], _) = moves.differences();
    let (last, next_to_last) = (steps::rank_from_last(us, 0), steps::rank_from_last(us, 1));
    for (difference, targets) in [(left, moves.single[0]), (right, moves.single[1])] {
        sink.quiet_pawns(difference, targets - last);
        let promoting = targets & (last | next_to_last);
        if promoting.any() {
            for role in position.promotions(us) {
                for to in promoting {
                    sink.quiet_pawn(origin(to, difference), to, Some(role));
                }
            }
        }
    }
    sink.quiet_pawns(2 * left, moves.double[0]);
    sink.quiet_pawns(2 * right, moves.double[1]);
    for from in own & men.role(role::LEAPER) {
        let targets = steps::slides(from, occupied) | steps::double_leaps(men, us, from).1;
        sink.quiet(role::LEAPER, from, targets);
    }
    for from in own & men.role(role::REMOVER) {
        sink.quiet(role::REMOVER, from, attacks::bishop(from, occupied) - occupied);
    }
    for from in own & men.role(role::SMASHER) {
        sink.quiet(role::SMASHER, from, steps::slides(from, occupied));
    }
    for from in own & men.role(role::KING) {
        sink.quiet(role::KING, from, steps::king_moves(from) - occupied);
    }
}
