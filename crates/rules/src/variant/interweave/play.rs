//! Plays steps.

use super::{Interweave, RESERVE_ROLES, role, steps};
use crate::{
    color::Color,
    moves::Step,
    role::{Piece, Role},
    setup::EnPassant,
    square::Square,
    square_set::SquareSet,
    zobrist,
};

impl Interweave {
    #[inline]
    pub(super) fn toggle(&mut self, square: Square, piece: Piece) {
        self.men.toggle(square, piece);
        self.hash ^= zobrist::piece(piece, square);
    }

    #[inline]
    pub(super) fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        self.men.shift(from, to, piece);
        self.hash ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    }

    pub(super) fn set_reserve(&mut self, color: Color, role: Role, count: u8) {
        let current = &mut self.reserves[color][role.index()];
        self.hash ^= zobrist::reserve(color, role, *current) ^ zobrist::reserve(color, role, count);
        *current = count;
    }

    /// Removes from the reserve the man that a pawn promotes to (I11).
    pub(super) fn take_from_reserve(&mut self, color: Color, role: Role) {
        // An illegal step may name any role.
        if let Some(&current) = self.reserves[color].get(role.index()) {
            self.set_reserve(color, role, current.saturating_sub(1));
        }
    }

    /// Removes the men on some squares; all but pawns and kings enter their side's reserve (I11).
    pub(super) fn capture(&mut self, squares: SquareSet) {
        for square in squares {
            let Some(piece) = self.men.piece_at(square) else { continue };
            self.toggle(square, piece);
            if RESERVE_ROLES.contains(&piece.role) {
                let count = self.reserves[piece.color][piece.role.index()].saturating_add(1);
                self.set_reserve(piece.color, piece.role, count);
            }
        }
    }

    /// Ends the turn: the other side is to move.
    #[inline]
    pub(super) fn end_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(self.side_to_move as u16);
        self.side_to_move = !self.side_to_move;
        self.hash ^= zobrist::black_to_move();
    }

    /// Moves a man other than a pawn, taking nothing.
    #[inline]
    pub(super) fn play_quiet(&mut self, role: Role, from: Square, to: Square) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.en_passant = None;
        self.shift(from, to, Piece { color: self.side_to_move, role });
        self.end_turn();
    }

    /// Moves a pawn, taking nothing.
    #[inline]
    pub(super) fn play_quiet_pawn(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let us = self.side_to_move;
        self.halfmove_clock = 0;
        self.en_passant = steps::crossed(from, to).map(|crossed| EnPassant { crossed, pawn: to });
        match promotion {
            None => self.shift(from, to, Piece { color: us, role: role::PAWN }),
            Some(role) => {
                self.toggle(from, Piece { color: us, role: role::PAWN });
                self.toggle(to, Piece { color: us, role });
                self.take_from_reserve(us, role);
            }
        }
        self.end_turn();
    }

    /// Plays a step of any kind.
    pub(super) fn play_any(&mut self, step: Step) {
        let (from, to, us) = (step.from(), step.to(), self.side_to_move);
        let Some(moved) = self.men.role_at(from) else { return };
        let taken = steps::taken(self, from, to);
        let man = Piece { color: us, role: moved };

        if self.chain.is_none() {
            self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        }
        if taken.any() {
            self.capture(taken);
            self.halfmove_clock = 0;
        }
        if from != to {
            self.toggle(from, man);
            match step.promotion() {
                None => self.toggle(to, man),
                Some(role) => {
                    self.toggle(to, Piece { color: us, role });
                    self.take_from_reserve(us, role);
                }
            }
        }
        // A double advance allows en passant, unless the pawn moves on in the same turn (I10).
        self.en_passant = None;
        if moved == role::PAWN {
            self.halfmove_clock = 0;
            self.en_passant = steps::crossed(from, to).map(|crossed| EnPassant { crossed, pawn: to });
        }
        let goes_on = taken.any() && !self.king_captured() && steps::can_take(self, to);
        self.set_chain(goes_on.then_some(to));
        if !goes_on {
            self.end_turn();
        }
    }

    #[inline]
    pub(super) fn set_chain(&mut self, chain: Option<Square>) {
        for square in [self.chain, chain].into_iter().flatten() {
            self.hash ^= zobrist::chain(square);
        }
        self.chain = chain;
    }
}
