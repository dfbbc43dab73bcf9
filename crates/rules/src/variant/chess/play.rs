//! Plays steps, with one function for each kind of step, because the generator knows the kind.

use super::{Chess, en_passant_pawn, role};
use crate::{
    moves::Step,
    role::{Piece, Role},
    square::Square,
    square_set::SquareSet,
    zobrist,
};

impl Chess {
    #[inline]
    pub(super) fn toggle(&mut self, square: Square, piece: Piece) {
        self.board.toggle(square, piece);
        self.hash ^= zobrist::piece(piece, square);
    }

    #[inline]
    pub(super) fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        self.board.shift(from, to, piece);
        self.hash ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    }

    /// Removes the castling rights of the given rooks.
    #[inline]
    pub(super) fn lose_castling(&mut self, rooks: SquareSet) {
        let lost = self.castling & rooks;
        if lost.any() {
            self.castling -= lost;
            for rook in lost {
                self.hash ^= zobrist::castling(rook);
            }
        }
    }

    /// Removes the enemy man on a square, if there is one.
    #[inline]
    pub(super) fn capture(&mut self, square: Square) {
        if self.board.color(!self.side_to_move).contains(square) {
            let role = self.board.role_of_man_at(square);
            self.toggle(square, Piece { color: !self.side_to_move, role });
            self.halfmove_clock = 0;
        }
    }

    /// Ends the turn: the other side is to move.
    #[inline]
    pub(super) fn end_turn(&mut self, en_passant: Option<Square>) {
        self.en_passant = en_passant;
        self.fullmove_number = self.fullmove_number.saturating_add(self.side_to_move as u16);
        self.side_to_move = !self.side_to_move;
        self.hash ^= zobrist::black_to_move();
    }

    /// Moves a man other than a pawn, without castling.
    #[inline]
    pub(super) fn move_man(&mut self, role: Role, from: Square, to: Square) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.capture(to);
        self.shift(from, to, Piece { color: self.side_to_move, role });
        let mut touched = SquareSet::of(from) | SquareSet::of(to);
        if role == role::KING {
            touched |= SquareSet::rank(from.rank()) & self.board.color(self.side_to_move);
        }
        self.lose_castling(touched);
        self.end_turn(None);
    }

    /// Moves a pawn one square forward, or diagonally to take a man there, without promoting it.
    #[inline]
    pub(super) fn move_pawn(&mut self, from: Square, to: Square) {
        self.capture(to);
        self.halfmove_clock = 0;
        self.shift(from, to, Piece { color: self.side_to_move, role: role::PAWN });
        self.end_turn(None);
    }

    #[inline]
    pub(super) fn advance_two(&mut self, from: Square, to: Square) {
        self.halfmove_clock = 0;
        self.shift(from, to, Piece { color: self.side_to_move, role: role::PAWN });
        self.end_turn(Some(Square::from_index(usize::midpoint(from.index(), to.index()))));
    }

    #[inline]
    pub(super) fn promote(&mut self, from: Square, to: Square, role: Role) {
        self.capture(to);
        self.halfmove_clock = 0;
        self.toggle(from, Piece { color: self.side_to_move, role: role::PAWN });
        self.toggle(to, Piece { color: self.side_to_move, role });
        self.lose_castling(SquareSet::of(to));
        self.end_turn(None);
    }

    #[inline]
    pub(super) fn take_en_passant(&mut self, from: Square, to: Square) {
        self.toggle(
            en_passant_pawn(to, self.side_to_move),
            Piece { color: !self.side_to_move, role: role::PAWN },
        );
        self.move_pawn(from, to);
    }

    /// Moves the king to its castling square and the rook to the king's other side (C10).
    #[inline]
    pub(super) fn castle(&mut self, king_from: Square, rook_from: Square) {
        let king = Piece { color: self.side_to_move, role: role::KING };
        let rook = Piece { color: self.side_to_move, role: role::ROOK };
        let (king_to, rook_to) = Self::castling_destinations(king_from, rook_from);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        // Both are removed before either is placed: in shuffled starts, one may land on the other's square.
        self.toggle(king_from, king);
        self.toggle(rook_from, rook);
        self.toggle(king_to, king);
        self.toggle(rook_to, rook);
        self.lose_castling(SquareSet::rank(king_from.rank()));
        self.end_turn(None);
    }

    /// Plays a step of any kind.
    #[inline]
    pub(super) fn play_any(&mut self, step: Step) {
        let (from, to) = (step.from(), step.to());
        let Some(moved) = self.board.role_at(from) else { return };
        if moved == role::PAWN {
            let crossed = self.en_passant;
            if let Some(promotion) = step.promotion() {
                self.promote(from, to, promotion);
            } else if Some(to) == crossed && from.file() != to.file() {
                self.take_en_passant(from, to);
            } else if from.index().abs_diff(to.index()) == 16 {
                self.advance_two(from, to);
            } else {
                self.move_pawn(from, to);
            }
        } else if moved == role::KING && self.board.color(self.side_to_move).contains(to) {
            self.castle(from, to);
        } else {
            self.move_man(moved, from, to);
        }
    }
}
