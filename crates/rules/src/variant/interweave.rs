//! Interweave (Peter Aronson, 2002; rules I1–I13).
//!
//! Men stay on squares of the colour they started on, and take men on the other colour (I2), so each side has
//! two interwoven teams. Kings are not royal: the side that takes one wins (I3). Takings are compulsory and
//! continue in chains (I4); in the middle of a chain the same side is still to move, and [`Position::chain`]
//! returns the man that must continue.
//!
//! # The men
//!
//! The initial position (I1). `R` is the smasher, `B` the remover, `N` the leaper. All men except the pawn
//! can move like bishops if they take nothing; the king moves only one square.
//!
//! ```
//! use adoube_rules::{Interweave, Position};
//!
//! let position = Interweave::default();
//! assert_eq!(position.diagram(), "\
//! 8 r b n k k n b r
//! 7 p p p p p p p p
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 P P P P P P P P
//! 1 R B N K K N B R
//!   a b c d e f g h
//! ");
//! ```
//!
//! The [`role`] page shows how each man moves and what it takes.
//!
//! # Chains
//!
//! The king leaps over e6 to e7, and must continue over d7 to c7. In the middle of the chain the same side is
//! still to move; [`explain`](crate::explain) gives the reason why the turn cannot end there.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Color, Position, Square, Variant, coordinate};
//! use adoube_rules::explain::{self, Reason};
//!
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/3p4/4p3/4K3/8/8/8/7K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . p . . . .
//! 6 . . . . p . . .
//! 5 . . . . K . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! let chain = coordinate::parse(&position, "e5e7c7")?;
//! let middle = position.after(chain.steps()[0]);
//! assert_eq!((middle.side_to_move(), middle.chain()), (Color::White, Some(Square::E7)));
//! assert_eq!(middle.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . p K . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! let refusal = explain::turn(&position, &chain.steps()[0].into()).unwrap_err();
//! assert!(
//!     matches!(refusal.reasons[..], [Reason::ChainMustContinue { with, .. }] if with.square == Square::E7)
//! );
//!
//! let after = middle.after(chain.steps()[1]);
//! assert_eq!(after.side_to_move(), Color::Black);
//! assert_eq!(after.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . K . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod capture;
mod coarse;
mod generate;
mod info;
mod play;
pub mod role;
mod setup;
mod steps;

use crate::{
    board::Board,
    color::{ByColor, Color},
    moves::{Step, StepList},
    outcome::{DrawRules, Outcome, Win},
    position::{Position, SearchPosition},
    role::{Piece, Role},
    setup::{EnPassant, PositionError, Setup},
    square::{Rank, Square},
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};
use capture::takes_in_chain;
use generate::{Count, SuccessorSink};
pub(crate) use info::RESERVE_ROLES;
pub use info::{INFO, INITIAL_FEN};

/// The Interweave men on their squares.
type Men = Board<5>;

/// A playable Interweave position, possibly in the middle of a chain.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interweave {
    men: Men,
    /// The key of everything except en passant, which counts only where it is possible (I13).
    hash: u64,
    /// The men in each side's reserve, counted by role.
    reserves: ByColor<[u8; 4]>,
    side_to_move: Color,
    /// The man that has taken in this turn and must take again.
    chain: Option<Square>,
    /// The pawn that advanced two squares in the last step, and the square it crossed (I10).
    en_passant: Option<EnPassant>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

const _: () = assert!(size_of::<Interweave>() == 80);

impl Interweave {
    /// The game.
    pub const VARIANT: Variant = Variant::Interweave;

    /// Returns the men on their squares, as sets of squares by role and by colour.
    #[inline]
    pub const fn board(&self) -> &Board<5> {
        &self.men
    }

    /// Returns the roles that a side's pawns may promote to (I11).
    pub(crate) fn promotions(&self, color: Color) -> impl Iterator<Item = Role> + '_ {
        RESERVE_ROLES.into_iter().filter(move |role| self.reserves[color][role.index()] > 0)
    }

    /// Returns `true` if a king has been taken (I3).
    #[inline]
    fn king_captured(&self) -> bool {
        let kings = self.men.role(role::KING);
        !(kings & self.men.color(Color::White)).more_than_one()
            || !(kings & self.men.color(Color::Black)).more_than_one()
    }

    /// Returns the double advance whose pawn the next step could take en passant, whether or not a pawn is in
    /// place to do so (I10).
    pub(crate) fn double_advance(&self) -> Option<EnPassant> {
        self.en_passant.filter(|_| self.chain.is_none())
    }

    /// Returns the position with the other side to move, as after a pass or the end of a chain.
    pub(crate) fn after_passing(&self) -> Self {
        let mut passed = self.clone();
        passed.set_chain(None);
        passed.en_passant = None;
        passed.side_to_move = !passed.side_to_move;
        passed.hash ^= zobrist::black_to_move();
        passed
    }

    /// Returns the crossed square if a pawn of the side to move can take there (I10).
    pub fn possible_en_passant(&self) -> Option<Square> {
        let EnPassant { crossed, .. } = self.en_passant.filter(|_| self.chain.is_none())?;
        steps::en_passant_from(&self.men, self.side_to_move, crossed).map(|_| crossed)
    }
}

impl Position for Interweave {
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup::from_setup(setup)
    }

    fn to_setup(&self) -> Setup {
        setup::to_setup(self)
    }

    fn variant(&self) -> Variant {
        Variant::Interweave
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline]
    fn men(&self, color: Color) -> SquareSet {
        self.men.color(color)
    }

    #[inline]
    fn men_of_role(&self, role: Role) -> SquareSet {
        self.men.role(role)
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.men.piece_at(square)
    }

    fn reserve(&self, color: Color, role: Role) -> u8 {
        if RESERVE_ROLES.contains(&role) { self.reserves[color][role.index()] } else { 0 }
    }

    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    #[inline]
    fn key(&self) -> u64 {
        self.possible_en_passant().map_or(self.hash, |crossed| self.hash ^ zobrist::en_passant(crossed))
    }

    #[inline]
    fn chain(&self) -> Option<Square> {
        self.chain
    }

    #[inline]
    fn legal_steps(&self) -> StepList {
        let mut steps = StepList::default();
        self.add_legal_steps(&mut steps);
        steps
    }

    fn taken(&self, step: Step) -> SquareSet {
        steps::taken(self, step.from(), step.to())
    }

    #[inline]
    fn play_unchecked(&mut self, step: Step) {
        self.play_any(step);
    }

    fn checked_kings(&self) -> SquareSet {
        // I3: kings are not royal, so there is no check.
        SquareSet::EMPTY
    }

    fn outcome(&self, _: DrawRules) -> Option<Outcome> {
        for color in Color::ALL {
            if !self.men.piece(color, role::KING).more_than_one() {
                return Some(Outcome::Decisive { winner: !color, reason: Win::KingCaptured });
            }
        }
        (self.count_steps() == 0).then_some(INFO.stalemate.outcome(self.side_to_move))
    }
}

impl SearchPosition for Interweave {
    fn add_legal_steps(&self, steps: &mut StepList) {
        generate::generate(self, steps);
    }

    fn count_steps(&self) -> usize {
        let mut count = Count::default();
        generate::generate(self, &mut count);
        count.0
    }

    fn for_each_successor(&self, visit: &mut impl FnMut(&Self)) {
        generate::generate(self, &mut SuccessorSink { position: self, visit });
    }

    fn can_capture_later(&self, own: Option<Square>, enemy: Square, steps: &mut u32) -> Option<bool> {
        takes_in_chain(self, own, enemy, steps)
    }

    fn count_turns(&self) -> u64 {
        generate::count_turns(self)
    }
}

/// Returns the rank on which a side's pawns stand at the start.
#[inline]
pub(crate) fn starting_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}
