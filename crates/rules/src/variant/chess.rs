//! Chess (rules C1–C23).
//!
//! The generator produces legal steps directly: pins and the mask of squares that parry a check are computed
//! once per position, pawn moves are generated in bulk by shifts, and each en passant capture is tested
//! separately for the king's safety. Castling rights are the set of rooks that may still castle, so the same
//! code serves shuffled starts ([`shuffle`](crate::shuffle)).
//!
//! The initial position (C1):
//!
//! ```
//! use adoube_rules::{Chess, Position};
//!
//! let position = Chess::default();
//! assert_eq!(position.diagram(), "\
//! 8 r n b q k b n r
//! 7 p p p p p p p p
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 P P P P P P P P
//! 1 R N B Q K B N R
//!   a b c d e f g h
//! ");
//! assert_eq!(position.legal_steps().len(), 20);
//! ```
//!
//! # En passant
//!
//! En passant is the only taking that does not land on the man taken (C8). A FEN names the crossed square
//! after every double advance. For repetition, that square matters only if a pawn can legally take there
//! (C22): see [`possible_en_passant`](Chess::possible_en_passant).
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/8/3p4/8/4P3/4K3")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . k . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . p . . . .
//! 3 . . . . . . . .
//! 2 . . . . P . . .
//! 1 . . . . K . . .
//!   a b c d e f g h
//! ");
//! for turn in ["e2e4", "d4e3"] {
//!     position.try_play(&coordinate::parse(&position, turn)?)?;
//! }
//! assert_eq!(position.diagram(), "\
//! 8 . . . . k . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . p . . .
//! 2 . . . . . . . .
//! 1 . . . . K . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Castling
//!
//! The king moves two squares towards the rook, and the rook moves to the king's other side (C10). As a
//! [`Step`], castling goes from the king's square to the rook's, which is unambiguous in every shuffled
//! start; the coordinate notation is `e1g1`.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, Step, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Chess, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 r . . . k . . r
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 R . . . K . . R
//!   a b c d e f g h
//! ");
//! assert_eq!(coordinate::parse(&position, "e1g1")?.steps(), [Step::new(Square::E1, Square::H1)]);
//! for turn in ["e1g1", "e8c8"] {
//!     position.try_play(&coordinate::parse(&position, turn)?)?;
//! }
//! assert_eq!(position.diagram(), "\
//! 8 . . k r . . . r
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 R . . . . R K .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The king may not cross an attacked square; here the bishop attacks f1. [`explain`](crate::explain) names
//! every obstacle.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, Variant};
//! use adoube_rules::explain::{self, CastlingObstacle, Reason};
//!
//! let position = AnyPosition::from_fen(Variant::Chess, "4k3/8/b7/8/8/8/8/4K2R w K - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . k . . .
//! 7 . . . . . . . .
//! 6 b . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . K . . R
//!   a b c d e f g h
//! ");
//! let reasons = explain::step(&position, Square::E1, Square::G1, None).unwrap_err();
//! let [Reason::Castling { rook: Square::H1, obstacle }] = reasons[..] else { panic!("{reasons:?}") };
//! let CastlingObstacle::Crosses { square: Square::F1, by } = obstacle else { panic!("{obstacle:?}") };
//! assert_eq!(by.square, Square::A6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Pins and checks
//!
//! A pinned man may move along the line of the pin (C11): the rook on e4 may move along the e-file, and may
//! take the queen on e7.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! use adoube_rules::explain::{self, Reason};
//!
//! let position = AnyPosition::from_fen(Variant::Chess, "7k/4q3/8/8/4R3/8/8/4K3 w - - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . q . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . R . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . K . . .
//!   a b c d e f g h
//! ");
//! let rook = explain::man(&position, Square::E4).expect("a man on e4");
//! let [Reason::Pinned { by, line, .. }] = rook.holding[..] else { panic!("{rook:?}") };
//! assert_eq!(by.square, Square::E7);
//! assert_eq!(line.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . x . . .
//! 6 . . . . x . . .
//! 5 . . . . x . . .
//! 4 . . . . x . . .
//! 3 . . . . x . . .
//! 2 . . . . x . . .
//! 1 . . . . x . . .
//!   a b c d e f g h
//! ");
//! let destinations: SquareSet = rook.steps.iter().map(|legal| legal.to).collect();
//! assert_eq!(destinations.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . x . . .
//! 6 . . . . x . . .
//! 5 . . . . x . . .
//! 4 . . . . . . . .
//! 3 . . . . x . . .
//! 2 . . . . x . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Promotion and the end
//!
//! The pawn on g7 becomes a queen and mates (C9, C16).
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! use adoube_rules::{Color, DrawRules, Outcome, Win};
//!
//! let mut position = AnyPosition::from_fen(Variant::Chess, "k7/6P1/1K6/8/8/8/8/8 w - - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . .
//! 7 . . . . . . P .
//! 6 . K . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! for turn in ["g7g8q"] {
//!     position.try_play(&coordinate::parse(&position, turn)?)?;
//! }
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . Q .
//! 7 . . . . . . . .
//! 6 . K . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! let mate = Outcome::Decisive { winner: Color::White, reason: Win::Checkmate };
//! assert_eq!(position.outcome(DrawRules::Club), Some(mate));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checks;
mod generate;
mod info;
mod play;
mod search;
mod setup;
mod sink;

use crate::{
    attacks,
    board::Board,
    color::Color,
    moves::{Step, StepList},
    outcome::{Draw, DrawRules, Outcome, Win},
    position::{Position, SearchPosition},
    role::{Piece, Role},
    setup::{PositionError, Setup},
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};
pub use info::{INFO, INITIAL_FEN, PROMOTIONS, role};
use sink::SuccessorSink;

/// A playable chess position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chess {
    board: Board<6>,
    /// The key of everything except en passant, which counts only where it is possible (C22).
    hash: u64,
    /// The rooks that may still castle.
    castling: SquareSet,
    side_to_move: Color,
    /// The square that a pawn has just crossed, whether or not a pawn can take there.
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

// Two positions fit in three cache lines.
const _: () = assert!(size_of::<Chess>() == 88);

impl Chess {
    /// The game.
    pub const VARIANT: Variant = Variant::Chess;

    /// Returns the men on their squares, as sets of squares by role and by colour.
    #[inline]
    pub const fn board(&self) -> &Board<6> {
        &self.board
    }

    /// Returns the square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // A position has exactly one king per side, so the default is never used.
        self.board.piece(color, role::KING).first().unwrap_or(Square::A1)
    }

    /// Returns the men of a side that attack a square, given the occupied squares.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: SquareSet) -> SquareSet {
        let board = &self.board;
        let queens = board.role(role::QUEEN);
        (attacks::pawn(!by, square) & board.role(role::PAWN)
            | attacks::knight(square) & board.role(role::KNIGHT)
            | attacks::king(square) & board.role(role::KING)
            | attacks::bishop(square, occupied) & (board.role(role::BISHOP) | queens)
            | attacks::rook(square, occupied) & (board.role(role::ROOK) | queens))
            & board.color(by)
    }

    /// Returns the men that give check to the side to move.
    pub fn checkers(&self) -> SquareSet {
        self.attackers(self.king(self.side_to_move), !self.side_to_move, self.board.occupied())
    }

    /// Returns `true` if taking en passant from a square leaves the side's own king safe (C8: both pawns
    /// leave the rank).
    fn en_passant_is_safe(&self, from: Square, crossed: Square) -> bool {
        let taken = SquareSet::of(en_passant_pawn(crossed, self.side_to_move));
        let occupied = (self.board.occupied() - taken - SquareSet::of(from)) | SquareSet::of(crossed);
        (self.attackers(self.king(self.side_to_move), !self.side_to_move, occupied) & occupied).is_empty()
    }

    /// Returns the square that a pawn has just crossed, whether or not a pawn can take there.
    pub(crate) fn crossed(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the position with the other side to move, as after a pass. Passing is illegal (C2), but
    /// searches use it. In check the result is not a legal position.
    #[must_use]
    pub fn after_passing(&self) -> Self {
        let hash = self.hash ^ zobrist::black_to_move();
        Self { side_to_move: !self.side_to_move, en_passant: None, hash, ..self.clone() }
    }

    /// Returns the crossed square if a pawn of the side to move can legally take there.
    pub fn possible_en_passant(&self) -> Option<Square> {
        let crossed = self.en_passant?;
        let pawns =
            attacks::pawn(!self.side_to_move, crossed) & self.board.piece(self.side_to_move, role::PAWN);
        pawns.into_iter().any(|from| self.en_passant_is_safe(from, crossed)).then_some(crossed)
    }

    /// Returns the rooks that may still castle.
    #[inline]
    pub fn castling_rooks(&self) -> SquareSet {
        self.castling
    }

    /// Resets state that does not affect the turns that can follow: the two counters, and an en passant
    /// square where no pawn can take. Positions that are equal afterwards allow the same continuations.
    #[inline]
    pub fn reset_history(&mut self) {
        self.halfmove_clock = 0;
        self.fullmove_number = 1;
        if self.en_passant.is_some() {
            self.en_passant = self.possible_en_passant();
        }
    }

    /// Returns the squares where king and rook land when the king castles with that rook (C10).
    #[inline]
    pub fn castling_destinations(king: Square, rook: Square) -> (Square, Square) {
        let (king_file, rook_file) =
            if rook.file() > king.file() { (File::G, File::F) } else { (File::C, File::D) };
        (Square::new(king_file, king.rank()), Square::new(rook_file, king.rank()))
    }

    /// Returns `true` if this step, which must be legal, castles.
    pub fn is_castling(&self, step: Step) -> bool {
        self.castling.contains(step.to())
            && self.board.color(self.side_to_move).contains(step.to())
            && self.board.role(role::KING).contains(step.from())
    }

    fn insufficient_material(&self, rules: DrawRules) -> bool {
        let board = &self.board;
        if (board.role(role::PAWN) | board.role(role::ROOK) | board.role(role::QUEEN)).any() {
            return false;
        }
        let (knights, bishops) = (board.role(role::KNIGHT), board.role(role::BISHOP));
        if knights.is_empty() {
            return (bishops & SquareSet::LIGHT).is_empty() || (bishops & SquareSet::DARK).is_empty();
        }
        let one_sided = Color::ALL.into_iter().any(|color| (knights - board.color(color)).is_empty());
        let allowed = if rules == DrawRules::Club { 2 } else { 1 };
        bishops.is_empty() && one_sided && knights.len() <= allowed
    }
}

/// Returns the square of the pawn that has just crossed a square; `side_to_move` is the side that may take
/// it.
#[inline]
pub(crate) fn en_passant_pawn(crossed: Square, side_to_move: Color) -> Square {
    let index = crossed.index();
    Square::from_index(match side_to_move {
        Color::White => index.wrapping_sub(8),
        Color::Black => index + 8,
    })
}

impl Position for Chess {
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup::from_setup(setup)
    }

    fn to_setup(&self) -> Setup {
        setup::to_setup(self)
    }

    fn variant(&self) -> Variant {
        Variant::Chess
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline]
    fn men(&self, color: Color) -> SquareSet {
        self.board.color(color)
    }

    #[inline]
    fn men_of_role(&self, role: Role) -> SquareSet {
        self.board.role(role)
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    #[inline]
    fn key(&self) -> u64 {
        match self.en_passant {
            None => self.hash,
            Some(_) => match self.possible_en_passant() {
                None => self.hash,
                Some(crossed) => self.hash ^ zobrist::en_passant(crossed),
            },
        }
    }

    #[inline]
    fn legal_steps(&self) -> StepList {
        let mut steps = StepList::default();
        self.add_legal_steps(&mut steps);
        steps
    }

    #[inline]
    fn taken(&self, step: Step) -> SquareSet {
        let to = SquareSet::of(step.to());
        if Some(step.to()) == self.en_passant
            && self.board.role(role::PAWN).contains(step.from())
            && step.from().file() != step.to().file()
        {
            return SquareSet::of(en_passant_pawn(step.to(), self.side_to_move));
        }
        to & self.board.color(!self.side_to_move)
    }

    #[inline]
    fn play_unchecked(&mut self, step: Step) {
        self.play_any(step);
    }

    fn checked_kings(&self) -> SquareSet {
        if self.checkers().any() { SquareSet::of(self.king(self.side_to_move)) } else { SquareSet::EMPTY }
    }

    fn destination(&self, step: Step) -> Square {
        if self.is_castling(step) { Self::castling_destinations(step.from(), step.to()).0 } else { step.to() }
    }

    fn castles_onto_rook(&self) -> bool {
        self.castling.into_iter().any(|rook| {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            self.king(color).file() != File::E || !matches!(rook.file(), File::A | File::H)
        })
    }

    fn outcome(&self, rules: DrawRules) -> Option<Outcome> {
        if self.count_steps() == 0 {
            return Some(if self.is_check() {
                Outcome::Decisive { winner: !self.side_to_move, reason: Win::Checkmate }
            } else {
                INFO.stalemate.outcome(self.side_to_move)
            });
        }
        self.insufficient_material(rules).then_some(Outcome::Draw { reason: Draw::InsufficientMaterial })
    }
}
