//! The content of a diagram or a FEN, not yet checked to be playable.

use std::{fmt, ops::RangeInclusive};

use crate::{
    board::Board,
    color::{ByColor, Color},
    fen,
    role::{Piece, Role},
    square::Square,
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};

/// The maximum number of men per side, including those in reserve.
pub(crate) const MAX_MEN: usize = 16;

/// A placement of men and everything else that a FEN contains. It may be unplayable.
///
/// [`Position::from_setup`](crate::Position::from_setup) is the only way to create a position from a setup;
/// it returns the reasons why a setup cannot be played. Create a setup with [`Setup::empty`] or
/// [`fen::parse`].
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Setup {
    /// The game to which the roles of the men belong.
    pub variant: Variant,
    /// The man on each square, a1 first. A role that the game lacks is refused by
    /// [`Position::from_setup`](crate::Position::from_setup).
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub side_to_move: Color,
    /// The rooks that may still castle.
    pub castling: SquareSet,
    /// The pawn that has just advanced two squares, and the square it crossed.
    pub en_passant: Option<EnPassant>,
    /// The men in each side's reserve, counted by role; the side's pawns can promote to them (I11).
    pub reserves: ByColor<[u8; Role::MAX]>,
    /// The number of turns since the last one that counts as progress for the fifty-move rule (C21).
    pub halfmove_clock: u16,
    /// The move number: 1 at the start, and one more after each of Black's turns.
    pub fullmove_number: u16,
}

/// A pawn's two-square advance, after which it may be captured en passant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct EnPassant {
    /// The square that the pawn crossed.
    pub crossed: Square,
    /// The square where the pawn stands.
    pub pawn: Square,
}

impl Setup {
    /// Returns the empty board of a game, White to move.
    pub const fn empty(variant: Variant) -> Self {
        Self {
            variant,
            pieces: [None; 64],
            side_to_move: Color::White,
            castling: SquareSet::EMPTY,
            en_passant: None,
            reserves: ByColor { white: [0; Role::MAX], black: [0; Role::MAX] },
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Refuses a setup for another game, or one with men that the expected game lacks, on the board or in reserve.
    pub(crate) fn check_variant(&self, expected: Variant) -> Result<(), PositionError> {
        if self.variant != expected {
            return Err(PositionError(vec![SetupProblem::Variant { expected, found: self.variant }]));
        }
        let is_unknown = |role: Role| role.index() >= expected.roles().len();
        let unknown = self.men().filter(|(_, man)| is_unknown(man.role));
        let unknown = unknown.map(|(square, man)| SetupProblem::UnknownRole {
            variant: expected,
            square,
            role: man.role,
        });
        let reserve_roles = expected.reserve_roles();
        let has_stray_reserve = |color: &Color| {
            let mut counts = self.reserves[*color].iter().enumerate();
            counts.any(|(index, &count)| count > 0 && !reserve_roles.contains(&Role::new(index)))
        };
        let stray = Color::ALL.into_iter().filter(has_stray_reserve);
        PositionError::check(unknown.chain(stray.map(|color| SetupProblem::Reserve { color })).collect())
    }

    /// Returns a board with the men on it, and the key that covers the men and the side to move.
    ///
    /// [`Setup::check_variant`] must have accepted the roles.
    pub(crate) fn to_board<const N: usize>(&self) -> (Board<N>, u64) {
        let mut board = Board::EMPTY;
        let mut key = if self.side_to_move == Color::Black { zobrist::black_to_move() } else { 0 };
        for (square, piece) in self.men() {
            board.toggle(square, piece);
            key ^= zobrist::piece(piece, square);
        }
        (board, key)
    }

    /// Returns a setup with only the men of a board.
    pub(crate) fn from_board<const N: usize>(variant: Variant, board: &Board<N>) -> Self {
        let mut setup = Self::empty(variant);
        for (square, piece) in board.pieces() {
            setup.pieces[square.index()] = Some(piece);
        }
        setup
    }

    /// Returns the men with their squares, a1 first.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::ALL.into_iter().filter_map(|square| Some((square, self.pieces[square.index()]?)))
    }

    /// Returns the squares of all men equal to `piece`.
    pub fn squares_of(&self, piece: Piece) -> SquareSet {
        Square::ALL.into_iter().filter(|square| self.pieces[square.index()] == Some(piece)).collect()
    }
}

/// Names each man, for example `pieces: {E1: white king, …}`.
impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Men<'a>(&'a Setup);
        impl fmt::Debug for Men<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut map = f.debug_map();
                for (square, Piece { color, role }) in self.0.men() {
                    let name = match self.0.variant.roles().get(role.index()) {
                        Some(info) => format!("{color} {}", info.name),
                        None => format!("{color} {role:?}"),
                    };
                    map.entry(&square, &format_args!("{name}"));
                }
                map.finish()
            }
        }
        let Self {
            variant,
            pieces: _,
            side_to_move,
            castling,
            en_passant,
            reserves,
            halfmove_clock,
            fullmove_number,
        } = self;
        f.debug_struct("Setup")
            .field("variant", variant)
            .field("pieces", &Men(self))
            .field("side_to_move", side_to_move)
            .field("castling", castling)
            .field("en_passant", en_passant)
            .field("reserves", reserves)
            .field("halfmove_clock", halfmove_clock)
            .field("fullmove_number", fullmove_number)
            .finish()
    }
}

/// Writes the FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&fen::write(self))
    }
}

/// One reason why a setup cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupProblem {
    /// The setup is for another game.
    #[error("the setup is for {found}, not for {expected}")]
    Variant {
        /// The expected game.
        expected: Variant,
        /// The setup's game.
        found: Variant,
    },
    /// A man of a role that the game lacks.
    #[error("the man on {square} does not belong to {variant}: the game has no {role:?}")]
    UnknownRole {
        /// The game.
        variant: Variant,
        /// The square where the man stands.
        square: Square,
        /// The man's role.
        role: Role,
    },
    /// A side has the wrong number of kings.
    #[error("{color} has {found} kings; there must be {}", numbers(.expected))]
    Kings {
        /// The side.
        color: Color,
        /// The number of kings that the side has.
        found: usize,
        /// The numbers of kings that it may have.
        expected: RangeInclusive<usize>,
    },
    /// Both sides have lost a king.
    #[error("both sides have lost a king; the game ends with the first one taken")]
    BothKingsMissing,
    /// A side has more than sixteen men.
    #[error("{color} has {found} men; a side can have at most {MAX_MEN}")]
    TooManyMen {
        /// The side.
        color: Color,
        /// The number of its men, including those in reserve.
        found: usize,
    },
    /// A pawn stands where no pawn can stand.
    #[error("a pawn cannot stand on {0}")]
    PawnRank(Square),
    /// The side that has just moved left its king in check.
    #[error("{0} has just moved and its king can be taken")]
    OpponentInCheck(Color),
    /// A castling right whose king or rook is not in place.
    #[error("the rook on {0} cannot castle: it and its king must be unmoved, on their own first rank")]
    Castling(Square),
    /// Castling rights for two rooks on the same side of the king, of which at most one can be unmoved. Names
    /// the inner rook.
    #[error(
        "the rook on {0} cannot castle: of two rooks on one side of the king, at most one can be unmoved"
    )]
    CastlingTwice(Square),
    /// Castling rights in a game without castling.
    #[error("there is no castling in {0}")]
    NoCastling(Variant),
    /// An en passant field that no two-square advance explains.
    #[error("no pawn can have crossed {0} with its last move")]
    EnPassant(Square),
    /// A reserve holds a man of a role that cannot come back, or too many men of one role.
    #[error("{color}'s reserve holds men that do not come back, or too many of one kind")]
    Reserve {
        /// The side.
        color: Color,
    },
}

/// Returns a range of numbers in words, such as `exactly 1`, `at most 2` or `1 to 3`.
fn numbers(range: &RangeInclusive<usize>) -> String {
    match (*range.start(), *range.end()) {
        (min, max) if min == max => format!("exactly {max}"),
        (0, max) => format!("at most {max}"),
        (min, max) => format!("{min} to {max}"),
    }
}

/// Returns the problems of two armies that must have one king each and at most [`MAX_MEN`] men.
pub(crate) fn army_problems<const N: usize>(board: &Board<N>, king: Role) -> Vec<SetupProblem> {
    let mut problems = Vec::new();
    for color in Color::ALL {
        let kings = board.piece(color, king).len();
        if kings != 1 {
            problems.push(SetupProblem::Kings { color, found: kings, expected: 1..=1 });
        }
        let men = board.color(color).len();
        if men > MAX_MEN {
            problems.push(SetupProblem::TooManyMen { color, found: men });
        }
    }
    problems
}

/// The reasons why a setup cannot be played. Later checks are skipped if earlier ones fail.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct PositionError(Vec<SetupProblem>);

impl PositionError {
    /// Returns `Ok` if there are no problems, the error otherwise.
    pub(crate) fn check(problems: Vec<SetupProblem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }

    /// Returns the reasons, at least one.
    pub fn problems(&self) -> &[SetupProblem] {
        &self.0
    }
}
