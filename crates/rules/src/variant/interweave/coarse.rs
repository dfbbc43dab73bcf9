//! Computes the men that a man could take in a chain, each as if it were the only one there to take.

use super::{Interweave, role, steps};
use crate::{
    role::{Piece, Role},
    square::Square,
    square_set::SquareSet,
};

/// The board for one man during a whole chain: men of its own side and enemies on its own shade stay (I2);
/// the other enemies may have been taken.
pub(crate) struct CoarseBoard {
    /// The position without the man itself and without the men that it can take.
    fixed: Interweave,
    victims: SquareSet,
}

impl Interweave {
    /// Returns the board for a man of the side to move, given its square.
    pub(crate) fn coarse_board(&self, mover: Square) -> CoarseBoard {
        let victims = self.men.color(!self.side_to_move) - SquareSet::same_shade(mover);
        let mut fixed = self.clone();
        for square in victims | SquareSet::of(mover) {
            if let Some(piece) = fixed.men.piece_at(square) {
                fixed.men.toggle(square, piece);
            }
        }
        CoarseBoard { fixed, victims }
    }
}

impl CoarseBoard {
    /// Calls `visit` with each man that the mover could take from a square, and the mover's role and square
    /// afterwards. Returns the number of boards that were examined, at least 1.
    ///
    /// No taking in the middle of a chain is missed. With fewer men on the board, no line becomes shorter and
    /// no empty square becomes occupied. The mover lands only on its own shade, where it takes no men. Men
    /// that one step takes together could also be taken one by one, except those that a pawn encloses as it
    /// leaps over another man; these are added separately.
    pub(crate) fn for_each_taking(
        &self,
        role_index: usize,
        from: Square,
        mut visit: impl FnMut(Square, usize, Square),
    ) -> usize {
        let us = self.fixed.side_to_move;
        let mover = Piece { color: us, role: Role::new(role_index) };
        // The role of an enemy makes no difference to how it is taken.
        let enemy = Piece { color: !us, role: role::PAWN };
        let mut board = self.fixed.clone();
        board.men.toggle(from, mover);
        board.chain = Some(from);
        let mut all = board.men.clone();
        for victim in self.victims {
            all.toggle(victim, enemy);
        }
        for victim in self.victims {
            board.men.toggle(victim, enemy);
            for to in steps::takings(&board, mover.role, from) {
                if mover.role != role::PAWN {
                    visit(victim, role_index, to);
                    continue;
                }
                for taken in SquareSet::of(victim) | steps::custodian(&all, us, from, to) {
                    self.for_each_role(to, |role| visit(taken, role.index(), to));
                }
            }
            board.men.toggle(victim, enemy);
        }
        self.victims.len().max(1)
    }

    /// Calls `visit` with each role that a pawn may have after landing on a square (I11).
    fn for_each_role(&self, to: Square, mut visit: impl FnMut(Role)) {
        let us = self.fixed.side_to_move;
        let must_promote = steps::rank_from_last(us, 0).contains(to);
        if !must_promote {
            visit(role::PAWN);
        }
        if must_promote || steps::rank_from_last(us, 1).contains(to) {
            self.fixed.promotions(us).for_each(visit);
        }
    }
}
