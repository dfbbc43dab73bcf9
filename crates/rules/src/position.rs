//! The interface of every game: the trait [`Position`], and [`AnyPosition`], a position of any game.

mod any;

use std::{fmt, hash::Hash};

use crate::{
    color::Color,
    coordinate::{self, TurnError},
    diagram, fen,
    moves::{Step, StepList, Turn},
    outcome::{DrawRules, Outcome},
    role::{Piece, Role},
    setup::{PositionError, Setup},
    square::Square,
    square_set::SquareSet,
    turns::Turns,
    variant::Variant,
};

pub use any::AnyPosition;

/// A playable position of one game.
///
/// [`SearchPosition`] adds what a search needs.
///
/// A position advances by steps. In Interweave the side to move stays the same while a chain continues, and
/// [`chain`](Self::chain) returns the square of the man that must continue; in the other games every step is
/// a whole turn.
///
/// Draws by repetition depend on the history of the game; see [`arbiter`](crate::arbiter).
///
/// # Equality
///
/// `Eq` and `Hash` cover everything in a FEN, both counters included, and the man that must continue a
/// chain. To compare positions by the rules of repetition, compare [`key`](Self::key).
///
/// ```
/// use adoube_rules::{Chess, Position};
///
/// let once = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
/// let again = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 4 3")?;
/// assert_ne!(once, again, "the counters differ");
/// assert_eq!(once.key(), again.key(), "but it is the same position");
///
/// // An en passant square where no pawn can take is part of the FEN, but does not matter for repetition.
/// let crossed = Chess::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")?;
/// let quiet = Chess::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")?;
/// assert!(crossed != quiet && crossed.key() == quiet.key());
/// # Ok::<(), adoube_rules::ReadPositionError>(())
/// ```
///
/// The trait is sealed: only the games in this crate implement it, so that methods can be added in minor
/// versions.
pub trait Position: sealed::Sealed + Clone + Eq + Hash + fmt::Debug + fmt::Display {
    /// Converts a setup to a position, or returns the reasons why it cannot be played. Later checks are
    /// skipped if earlier ones fail.
    fn from_setup(setup: &Setup) -> Result<Self, PositionError>;

    /// Returns the position as a setup, the content of a FEN. An unfinished chain is not part of a setup.
    fn to_setup(&self) -> Setup;

    /// Returns the game.
    fn variant(&self) -> Variant;

    /// Returns the side to move.
    #[doc(alias = "turn")]
    fn side_to_move(&self) -> Color;

    /// Returns the squares of all men of a side.
    #[doc(alias("pieces", "occupied"))]
    fn men(&self, color: Color) -> SquareSet;

    /// Returns the squares of all men of a role, of either side.
    fn men_of_role(&self, role: Role) -> SquareSet;

    /// Returns the man on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;

    /// Returns the number of men of a role in a side's reserve; the side's pawns can promote to them (I11).
    #[doc(alias("pocket", "hand"))]
    fn reserve(&self, _color: Color, _role: Role) -> u8 {
        0
    }

    /// Returns the number of turns since the last one that counts as progress (C21).
    fn halfmove_clock(&self) -> u16;

    /// Returns the move number, 1 at the start.
    fn fullmove_number(&self) -> u16;

    /// Returns a hash that is equal for positions that are the same by the rules of repetition (C22, I13).
    /// Different positions have the same key with probability 2⁻⁶⁴. Unlike [equality](Self#equality), the key
    /// ignores the counters and an en passant square where no pawn can take.
    #[doc(alias("hash", "zobrist"))]
    fn key(&self) -> u64;

    /// Returns the square of the man that must continue to take, in the middle of a turn (I4).
    fn chain(&self) -> Option<Square> {
        None
    }

    /// Returns all legal steps, without allocation. A draw by material or by a counter does not remove any.
    #[doc(alias("legal_moves", "generate_moves"))]
    fn legal_steps(&self) -> StepList;

    /// Returns the squares of the men that a legal step takes.
    #[doc(alias("captures", "capture"))]
    fn taken(&self, step: Step) -> SquareSet;

    /// Returns `true` if a legal step gives up the man on its square (U14).
    fn gives_up(&self, _step: Step) -> bool {
        false
    }

    /// Returns `true` if a step is legal. [`explain::step`](crate::explain::step) gives the reasons if it is
    /// not.
    fn is_legal(&self, step: Step) -> bool {
        self.legal_steps().contains(&step)
    }

    /// Returns the position after a turn, if it is legal.
    ///
    /// ```
    /// use adoube_rules::{Chess, Color, Position, Square, Step, TurnError};
    ///
    /// let start = Chess::default();
    /// let next = start.play(&Step::new(Square::E2, Square::E4).into())?;
    /// assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    ///
    /// let again = Step::new(Square::E4, Square::E5);
    /// let refusal = TurnError::NotYourMan { square: Square::E4, owner: Color::White };
    /// assert_eq!(next.play(&again.into()), Err(refusal));
    /// # Ok::<(), TurnError>(())
    /// ```
    #[doc(alias("make_move", "do_move"))]
    fn play(&self, turn: &Turn) -> Result<Self, TurnError> {
        let mut position = self.clone();
        for &step in turn.steps() {
            if position.side_to_move() != self.side_to_move() || !position.is_legal(step) {
                coordinate::check_start(&position, self.side_to_move(), step.from())?;
                let text = coordinate::write_step(&position, step);
                return Err(TurnError::Illegal { text, from: step.from(), to: step.to() });
            }
            position.play_unchecked(step);
        }
        if turn.steps().is_empty() {
            return Err(TurnError::Pass);
        }
        if let Some(square) = position.chain() {
            return Err(TurnError::Unfinished(square));
        }
        Ok(position)
    }

    /// Plays a turn if it is legal; otherwise the position remains unchanged. See [`play`](Self::play).
    fn try_play(&mut self, turn: &Turn) -> Result<(), TurnError> {
        *self = self.play(turn)?;
        Ok(())
    }

    /// Plays a legal step. An illegal step leaves an invalid position, but does not panic.
    #[doc(alias("make_move", "push"))]
    fn play_unchecked(&mut self, step: Step);

    /// Returns the squares of those kings of the side to move that are in check.
    fn checked_kings(&self) -> SquareSet;

    /// Returns the square where the moving man ends up; it differs from [`Step::to`] only in castling.
    fn destination(&self, step: Step) -> Square {
        step.to()
    }

    /// Returns `true` if a castling step is written as the king taking its rook. This is so if the king or a
    /// rook that may still castle is not on its usual file, because the king's destination can then be
    /// ambiguous.
    fn castles_onto_rook(&self) -> bool {
        false
    }

    /// Returns the outcome of the game on the board, if it is over. Ignores turns without progress (C21) and
    /// repetition (C22).
    #[doc(alias("is_game_over", "result"))]
    fn outcome(&self, rules: DrawRules) -> Option<Outcome>;

    /// Returns `true` if the side to move is in check.
    #[doc(alias = "in_check")]
    fn is_check(&self) -> bool {
        self.checked_kings().any()
    }

    /// Returns the position after a legal step.
    #[must_use]
    fn after(&self, step: Step) -> Self {
        let mut next = self.clone();
        next.play_unchecked(step);
        next
    }

    /// Plays all steps of a legal turn.
    fn play_turn_unchecked(&mut self, turn: &Turn) {
        for &step in turn.steps() {
            self.play_unchecked(step);
        }
    }

    /// Returns an iterator over the legal turns, in which each chain is complete.
    fn turns(&self) -> Turns<Self> {
        Turns::new(self.clone())
    }

    /// Returns all legal turns, in which each chain is complete.
    ///
    /// Interweave has positions with millions of turns. For untrusted positions, prefer
    /// [`turns`](Self::turns) with a limit, or [`capture::can_take`](crate::capture::can_take).
    #[doc(alias = "legal_moves")]
    fn legal_turns(&self) -> Vec<Turn> {
        self.turns().collect()
    }

    /// Returns the position after a null move, as annotators write it: the other side is to move, and the
    /// right to take en passant lapses. `None` in check, in the middle of a chain, and if the result would
    /// not be a playable position.
    ///
    /// A null move is not legal in any game (C2).
    fn after_null_move(&self) -> Option<Self> {
        if self.chain().is_some() || self.is_check() {
            return None;
        }
        let mut setup = self.to_setup();
        setup.fullmove_number =
            setup.fullmove_number.saturating_add(u16::from(setup.side_to_move == Color::Black));
        setup.halfmove_clock = setup.halfmove_clock.saturating_add(1);
        setup.side_to_move = !setup.side_to_move;
        setup.en_passant = None;
        Self::from_setup(&setup).ok()
    }

    /// Returns the position as a FEN with six fields.
    #[doc(alias = "to_fen")]
    fn fen(&self) -> String {
        fen::write(&self.to_setup())
    }

    /// Returns the board drawn as text, White at the bottom, with the letters used in a FEN.
    ///
    /// ```
    /// use adoube_rules::{AnyPosition, Position, Variant};
    ///
    /// let drawn = AnyPosition::initial(Variant::Chess).diagram();
    /// assert_eq!(drawn, "\
    /// 8 r n b q k b n r
    /// 7 p p p p p p p p
    /// 6 . . . . . . . .
    /// 5 . . . . . . . .
    /// 4 . . . . . . . .
    /// 3 . . . . . . . .
    /// 2 P P P P P P P P
    /// 1 R N B Q K B N R
    ///   a b c d e f g h
    /// ");
    /// ```
    fn diagram(&self) -> String {
        let mut text = String::with_capacity(9 * 18);
        let char_at = |square| self.piece_at(square).map(|piece| fen::man_char(self.variant(), piece));
        // Writing to a string cannot fail.
        let _ = diagram::draw(&mut text, char_at);
        text
    }
}

/// Additions to [`Position`] for searches: the same results, faster or in other forms.
///
/// The defaults use the methods of [`Position`]; a game overrides each method that it can implement faster.
///
/// ```
/// use adoube_rules::{Chess, Position, SearchPosition};
///
/// let position = Chess::from_fen("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")?;
/// assert_eq!(position.count_steps(), position.legal_steps().len());
///
/// let gives_check = position.gives_check();
/// let checks: Vec<_> = position.legal_steps().into_iter().filter(|&step| gives_check(step)).collect();
/// assert_eq!(checks.len(), 1, "Rh1-h8, and not {checks:?}");
/// # Ok::<(), adoube_rules::ReadPositionError>(())
/// ```
pub trait SearchPosition: Position {
    /// Adds all legal steps to a list.
    ///
    /// [`StepList`] is large; a list that is passed in is filled in place instead of being moved.
    fn add_legal_steps(&self, steps: &mut StepList);

    /// Adds to a list the legal steps that take or promote. Games that cannot find these faster add all legal
    /// steps.
    #[doc(alias = "captures")]
    fn add_loud_steps(&self, steps: &mut StepList) {
        self.add_legal_steps(steps);
    }

    /// Returns the number of legal steps. A game that can count them faster does so without listing them.
    fn count_steps(&self) -> usize {
        self.legal_steps().len()
    }

    /// Returns the number of legal turns.
    fn count_turns(&self) -> u64 {
        self.count_steps() as u64
    }

    /// Returns a predicate that tells whether a legal step gives check. Work that does not depend on the step
    /// is done once.
    fn gives_check(&self) -> impl Fn(Step) -> bool {
        |step| {
            let next = self.after(step);
            next.side_to_move() != self.side_to_move() && next.is_check()
        }
    }

    /// Calls `visit` with the position after each legal step.
    fn for_each_successor(&self, visit: &mut impl FnMut(&Self)) {
        for step in self.legal_steps() {
            visit(&self.after(step));
        }
    }

    /// Looks for a turn whose second or later step takes the man on `enemy`; see
    /// [`can_take`](crate::capture::can_take).
    #[doc(hidden)]
    fn can_capture_later(&self, _own: Option<Square>, _enemy: Square, _steps: &mut u32) -> Option<bool> {
        Some(false)
    }
}

pub(crate) mod sealed {
    /// Implemented only by the games in this crate.
    pub trait Sealed {}
}

/// The reason why a position cannot be read from text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadPositionError {
    /// The FEN cannot be read.
    #[error(transparent)]
    Fen(#[from] fen::FenError),
    /// The FEN describes a position that cannot be played.
    #[error(transparent)]
    Position(#[from] PositionError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c2_a_null_move_passes_the_turn() {
        for (variant, fen, expected) in [
            (
                Variant::Chess,
                "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2",
                Some("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 3"),
            ),
            // A null move is impossible in check.
            (Variant::Chess, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", None),
            (
                Variant::Baroque,
                "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 3 9",
                Some("7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 b - - 4 9"),
            ),
            (
                Variant::Interweave,
                "rbnkknbr/pp1ppppp/8/8/4P3/8/PP1PPPPP/RBNKKNBR[] b - d3e4 0 3",
                Some("rbnkknbr/pp1ppppp/8/8/4P3/8/PP1PPPPP/RBNKKNBR[] w - - 1 4"),
            ),
        ] {
            let position = AnyPosition::from_fen(variant, fen).unwrap();
            let after = position.after_null_move().map(|position| position.fen());
            assert_eq!(after.as_deref(), expected, "{fen}");
        }
        let mut chain =
            AnyPosition::from_fen(Variant::Interweave, "6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1").unwrap();
        while chain.chain().is_none() {
            let step = chain.legal_steps().into_iter().find(|&step| chain.taken(step).any()).unwrap();
            chain.play_unchecked(step);
        }
        assert_eq!(chain.after_null_move(), None);
    }
}
