//! The legal step generator.
//!
//! Most moves take nothing and do not affect the safety of their side's king. Each man's destinations are
//! therefore split in two: those where it may take something are tried one by one; the others are tested as a
//! set. To make this possible, the threats to the king are computed once, together with the squares where a
//! man's departure or arrival could change them ([`threats::KingThreats`]).

use std::marker::PhantomData;

use super::{AbbottPosition, Men, Rules, captures, immobilized, king, role, threats};
use crate::{
    attacks::{self, ORTHOGONAL},
    color::Color,
    moves::{Step, StepList},
    role::{Piece, Role},
    square::Square,
    square_set::SquareSet,
};

/// The consumer of generated steps: lists them, counts them, or plays them.
pub(super) trait Sink {
    /// Receives a man's moves that take nothing, one to each of several squares.
    fn quiet(&mut self, role: Role, from: Square, targets: SquareSet);
    /// Receives a man's move that takes the men on `taken`.
    fn taking(&mut self, role: Role, from: Square, to: Square, taken: SquareSet);
    /// Receives the step by which a man leaves the board (U14).
    fn giving_up(&mut self, role: Role, square: Square);
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
    fn taking(&mut self, _: Role, from: Square, to: Square, _: SquareSet) {
        self.push(Step::new(from, to));
    }

    #[inline]
    fn giving_up(&mut self, _: Role, square: Square) {
        self.push(Step::new(square, square));
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
    fn taking(&mut self, _: Role, _: Square, _: Square, _: SquareSet) {
        self.0 += 1;
    }

    #[inline]
    fn giving_up(&mut self, _: Role, _: Square) {
        self.0 += 1;
    }
}

/// Plays each step on a copy. The generator knows which man moves and what it takes.
pub(super) struct SuccessorSink<'a, R, F> {
    pub(super) position: &'a AbbottPosition<R>,
    pub(super) visit: &'a mut F,
}

impl<R: Rules, F: FnMut(&AbbottPosition<R>)> Sink for SuccessorSink<'_, R, F> {
    #[inline]
    fn quiet(&mut self, role: Role, from: Square, targets: SquareSet) {
        for to in targets {
            let mut next = self.position.clone();
            next.play_with_taken(role, from, to, SquareSet::EMPTY);
            (self.visit)(&next);
        }
    }

    #[inline]
    fn taking(&mut self, role: Role, from: Square, to: Square, taken: SquareSet) {
        let mut next = self.position.clone();
        next.play_with_taken(role, from, to, taken);
        (self.visit)(&next);
    }

    #[inline]
    fn giving_up(&mut self, role: Role, square: Square) {
        let mut next = self.position.clone();
        next.play_giving_up(role, square);
        (self.visit)(&next);
    }
}

/// Supersets of the squares on which landing takes something by pincer or by coordination.
struct TakingSquares {
    /// Next to an enemy with a friend behind it (B6).
    pincer: SquareSet,
    /// Next to an enemy pawn with a friend behind it (B10).
    pincer_pawns: SquareSet,
    /// On the file of an enemy on the king's rank, or the rank of an enemy on the king's file (B7).
    corners: SquareSet,
    /// The same for enemy coordinators only (B10).
    corners_of_coordinators: SquareSet,
}

impl TakingSquares {
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: two games call it, and without inlining perft is two per cent slower"
    )]
    fn new(men: &Men, us: Color) -> Self {
        let (own, enemies) = (men.color(us), men.color(!us));
        let king = king(men, us);
        let pincer = |victims: SquareSet| {
            ORTHOGONAL.into_iter().fold(SquareSet::EMPTY, |squares, (files, ranks)| {
                squares | (own.step(files, ranks) & victims).step(files, ranks)
            })
        };
        let corners = |victims: SquareSet| {
            files_of(victims & SquareSet::rank(king.rank()))
                | ranks_of(victims & SquareSet::file(king.file()))
        };
        Self {
            pincer: pincer(enemies),
            pincer_pawns: pincer(enemies & men.role(role::PINCER_PAWN)),
            corners: corners(enemies),
            corners_of_coordinators: corners(enemies & men.role(role::COORDINATOR)),
        }
    }
}

/// Returns the files that contain any of these squares, which are all on one rank.
#[inline]
fn files_of(squares: SquareSet) -> SquareSet {
    squares.into_iter().fold(SquareSet::EMPTY, |files, square| files | SquareSet::file(square.file()))
}

/// Returns the ranks that contain any of these squares, which are all on one file.
#[inline]
fn ranks_of(squares: SquareSet) -> SquareSet {
    squares.into_iter().fold(SquareSet::EMPTY, |ranks, square| ranks | SquareSet::rank(square.rank()))
}

/// Returns a superset of the squares that a man reaches by moving directly away from an adjacent victim (B9).
#[inline]
fn withdrawals(from: Square, victims: SquareSet) -> SquareSet {
    (attacks::king(from) & victims).into_iter().fold(SquareSet::EMPTY, |squares, victim| {
        attacks::direction(victim, from).map_or(squares, |direction| squares | attacks::ray(direction, from))
    })
}

/// Passes to the sink all legal steps of the side to move.
#[inline]
pub(super) fn generate<R: Rules, S: Sink>(position: &AbbottPosition<R>, sink: &mut S) {
    let men = &position.men;
    let us = position.side_to_move;
    let occupied = men.occupied();
    let (own, enemies) = (men.color(us), men.color(!us));
    let frozen = immobilized::<R>(men, us);
    let movable = own - frozen;
    let takings = TakingSquares::new(men, us);
    let mut judge = SafeStepSink {
        men,
        us,
        watch: threats::KingThreats::new::<R>(men, us),
        sink,
        rules: PhantomData::<R>,
    };

    for from in men.role(role::PINCER_PAWN) & movable {
        let targets = attacks::rook(from, occupied) - occupied;
        judge.man(role::PINCER_PAWN, from, targets, takings.pincer);
    }
    for from in men.role(role::LONG_LEAPER) & movable {
        let leaps = captures::leaps(from, occupied, enemies);
        let targets = attacks::queen(from, occupied) - occupied;
        judge.man(role::LONG_LEAPER, from, targets | leaps, leaps);
    }
    for from in men.role(role::CHAMELEON) & movable {
        let leaps = captures::leaps(from, occupied, enemies & men.role(role::LONG_LEAPER));
        let king = attacks::king(from) & enemies & men.role(role::KING);
        let targets = attacks::queen(from, occupied) - occupied;
        let taking = leaps
            | king
            | takings.pincer_pawns
            | takings.corners_of_coordinators
            | withdrawals(from, enemies & men.role(role::WITHDRAWER));
        judge.man(role::CHAMELEON, from, targets | leaps | king, taking);
    }
    for from in men.role(role::COORDINATOR) & movable {
        let targets = attacks::queen(from, occupied) - occupied;
        judge.man(role::COORDINATOR, from, targets, takings.corners);
    }
    for from in men.role(role::WITHDRAWER) & movable {
        let targets = attacks::queen(from, occupied) - occupied;
        judge.man(role::WITHDRAWER, from, targets, withdrawals(from, enemies));
    }
    for from in men.role(role::IMMOBILIZER) & movable {
        let targets = attacks::queen(from, occupied) - occupied;
        judge.quiet(role::IMMOBILIZER, from, targets);
    }
    for from in men.role(role::KING) & movable {
        // The threats depend on where the king lands.
        for to in attacks::king(from) - own {
            judge.pass_if_safe(role::KING, from, to, SquareSet::of(to) & enemies);
        }
    }
    if R::FREEZING.gives_up {
        for square in frozen - men.role(role::KING) {
            judge.giving_up(men.role_of_man_at(square), square);
        }
    }
}

/// Passes on the steps that leave their side's king safe (B12, U12).
struct SafeStepSink<'a, R, S> {
    men: &'a Men,
    us: Color,
    watch: threats::KingThreats,
    sink: &'a mut S,
    rules: PhantomData<R>,
}

impl<R: Rules, S: Sink> SafeStepSink<'_, R, S> {
    /// Tests all moves of a man; only those to `maybe_taking` may take something.
    #[inline]
    fn man(&mut self, role: Role, from: Square, targets: SquareSet, maybe_taking: SquareSet) {
        self.quiet(role, from, targets - maybe_taking);
        for to in targets & maybe_taking {
            self.pass_if_safe(role, from, to, captures::taken(self.men, self.us, role, from, to));
        }
    }

    /// Tests moves that take nothing, by any man but the king.
    ///
    /// An additional man never adds a threat to its own king: no enemy needs that man to take the king, and
    /// no enemy is freed by it. So if the king is safe with the man removed, every destination is safe.
    #[inline]
    fn quiet(&mut self, role: Role, from: Square, targets: SquareSet) {
        let leaving_matters = self.leaving_matters(role, from);
        let safe = if leaving_matters { self.is_safe_without(from) } else { self.watch.threats.is_empty() };
        if safe {
            self.sink.quiet(role, from, targets);
            return;
        }
        let parries = if leaving_matters { targets } else { targets & self.watch.squares };
        for to in parries {
            self.pass_if_safe(role, from, to, SquareSet::EMPTY);
        }
    }

    /// Tests giving up a man. Removing a man never removes a threat.
    #[inline]
    fn giving_up(&mut self, role: Role, square: Square) {
        let safe = self.watch.threats.is_empty()
            && (!self.leaving_matters(role, square) || self.is_safe_without(square));
        if safe {
            self.sink.giving_up(role, square);
        }
    }

    /// Returns `true` if removing a man may change the threats to the king.
    #[inline]
    fn leaving_matters(&self, role: Role, square: Square) -> bool {
        role == role::IMMOBILIZER || self.watch.squares.contains(square)
    }

    /// Returns `true` if the king is safe with the man on a square removed.
    #[inline]
    fn is_safe_without(&self, square: Square) -> bool {
        let mut men = self.men.clone();
        men.clear(SquareSet::of(square));
        threats::king_threats::<R>(&men, self.us).is_empty()
    }

    /// Tests one move by playing it.
    #[inline]
    fn pass_if_safe(&mut self, role: Role, from: Square, to: Square, taken: SquareSet) {
        let mut men = self.men.clone();
        if taken.any() {
            men.clear(taken);
        }
        men.shift(from, to, Piece { color: self.us, role });
        if threats::king_threats::<R>(&men, self.us).is_empty() {
            if taken.any() {
                self.sink.taking(role, from, to, taken);
            } else {
                self.sink.quiet(role, from, SquareSet::of(to));
            }
        }
    }
}
