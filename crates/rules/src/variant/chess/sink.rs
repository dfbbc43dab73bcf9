//! Consumers of generated steps: one lists them, one counts them, and one plays each.

use super::{Chess, PROMOTIONS};
use crate::{
    moves::{Step, StepList},
    role::Role,
    square::Square,
    square_set::SquareSet,
};

/// The consumer of generated steps.
pub(super) trait Sink {
    /// Receives a man's moves to each of several squares.
    fn man(&mut self, role: Role, from: Square, targets: SquareSet);
    /// Receives pawn moves to these squares, all with the same difference between the indices of destination
    /// and origin.
    fn pawns(&mut self, difference: i8, targets: SquareSet);
    /// Receives pawn moves of two squares, in the same form.
    fn double_advances(&mut self, difference: i8, targets: SquareSet);
    /// Receives pawn moves onto the last rank, in the same form.
    fn promotions(&mut self, difference: i8, targets: SquareSet);
    /// Receives an en passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// Receives a castling move with one of the rooks.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Lists the steps.
impl Sink for StepList {
    #[inline]
    fn man(&mut self, _: Role, from: Square, targets: SquareSet) {
        for to in targets {
            self.push(Step::new(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, difference: i8, targets: SquareSet) {
        for to in targets {
            self.push(Step::new(origin(to, difference), to));
        }
    }

    #[inline]
    fn double_advances(&mut self, difference: i8, targets: SquareSet) {
        self.pawns(difference, targets);
    }

    #[inline]
    fn promotions(&mut self, difference: i8, targets: SquareSet) {
        for to in targets {
            for role in PROMOTIONS {
                self.push(Step::promoting(origin(to, difference), to, role));
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Step::new(from, to));
    }

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Step::new(king, rook));
    }
}

/// Counts the steps.
#[derive(Default)]
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline]
    fn man(&mut self, _: Role, _: Square, targets: SquareSet) {
        self.0 += targets.len();
    }

    #[inline]
    fn pawns(&mut self, _: i8, targets: SquareSet) {
        self.0 += targets.len();
    }

    #[inline]
    fn double_advances(&mut self, _: i8, targets: SquareSet) {
        self.0 += targets.len();
    }

    #[inline]
    fn promotions(&mut self, _: i8, targets: SquareSet) {
        self.0 += PROMOTIONS.len() * targets.len();
    }

    #[inline]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Plays each step on a copy. The generator passes the moving man and the kind of step, so neither is looked
/// up again.
pub(super) struct SuccessorSink<'a, F> {
    pub(super) position: &'a Chess,
    pub(super) visit: &'a mut F,
}

impl<F: FnMut(&Chess)> SuccessorSink<'_, F> {
    #[inline]
    fn after(&mut self, play: impl FnOnce(&mut Chess)) {
        let mut next = self.position.clone();
        play(&mut next);
        (self.visit)(&next);
    }
}

impl<F: FnMut(&Chess)> Sink for SuccessorSink<'_, F> {
    #[inline]
    fn man(&mut self, role: Role, from: Square, targets: SquareSet) {
        for to in targets {
            self.after(|next| next.move_man(role, from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, difference: i8, targets: SquareSet) {
        for to in targets {
            self.after(|next| next.move_pawn(origin(to, difference), to));
        }
    }

    #[inline]
    fn double_advances(&mut self, difference: i8, targets: SquareSet) {
        for to in targets {
            self.after(|next| next.advance_two(origin(to, difference), to));
        }
    }

    #[inline]
    fn promotions(&mut self, difference: i8, targets: SquareSet) {
        for to in targets {
            for role in PROMOTIONS {
                self.after(|next| next.promote(origin(to, difference), to, role));
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.after(|next| next.take_en_passant(from, to));
    }

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        self.after(|next| next.castle(king, rook));
    }
}

#[inline]
fn origin(to: Square, difference: i8) -> Square {
    Square::from_index((to.index() as i8 - difference) as usize)
}
