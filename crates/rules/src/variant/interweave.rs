//! Interweave (Peter Aronson, 2002; rules I1–I13).
//!
//! Men stay on the colour of square they began on and take men on the other colour (I2), so each side has two
//! interwoven teams. Kings are not royal: who takes one wins (I3). Takings are compulsory and go on in chains (I4); a
//! position in the middle of a chain still has the same side to move and names the man that must go on
//! ([`Position::chain`]).
//!
//! # The men
//!
//! The initial position (I1). `R` is the smasher, `B` the remover, `N` the leaper. All but the pawn move like bishops when they
//! take nothing, the king one square.
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
//! ## King
//!
//! It takes by a short leap over a neighbour beside, before or behind it (I5): here by c5 and by e7, and since taking is
//! compulsory it does nothing else.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/8/4b3/3nK3/8/8/8/7K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . b . . .
//! 5 . . . n K . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! let goes_to: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::E5).map(|step| step.to()).collect();
//! assert_eq!(goes_to.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . x . . .
//! 6 . . . . . . . .
//! 5 . . x . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Smasher
//!
//! It also goes an even distance along files and ranks, and takes the enemy that it comes to stand before (I6). Here it takes by
//! b6 and f2.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/1p6/8/8/8/8/1R4p1/K6K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . p . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . R . . . . p .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! let goes_to: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::B2).map(|step| step.to()).collect();
//! assert_eq!(goes_to.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . . . . .
//! 6 . x . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . x . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With nothing to take it goes to these squares; the pawn on f2 is an even distance away, on its own colour of square.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/8/5p2/8/8/7K/1R3p2/7K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . p . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . K
//! 2 . R . . . p . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! let goes_to: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::B2).map(|step| step.to()).collect();
//! assert_eq!(goes_to.to_string(), "\
//! 8 . x . . . . . .
//! 7 . . . . . . . .
//! 6 . x . . . . . .
//! 5 . . . . x . . .
//! 4 . x . x . . . .
//! 3 x . x . . . . .
//! 2 . . . x . . . .
//! 1 x . x . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Leaper
//!
//! It goes like a bishop, an even distance along files and ranks, or a double knight's leap (I7):
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "3k3k/p7/5p2/7K/8/1P5K/8/N5p1")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . k . . . k
//! 7 p . . . . . . .
//! 6 . . . . . p . .
//! 5 . . . . . . . K
//! 4 . . . . . . . .
//! 3 . P . . . . . K
//! 2 . . . . . . . .
//! 1 N . . . . . p .
//!   a b c d e f g h
//! ");
//! let goes_to: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::A1).map(|step| step.to()).collect();
//! assert_eq!(goes_to.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 x . . . x . . .
//! 4 . . . x . . . .
//! 3 x . x . x . . .
//! 2 . x . . . . . .
//! 1 . . x . x . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It takes whom it leaps over: by e3 the pawn in the middle of the double leap, by a5 or a7 the one on a4.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "5k1k/8/7K/8/p6K/8/2p5/N6b")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . k . k
//! 7 . . . . . . . .
//! 6 . . . . . . . K
//! 5 . . . . . . . .
//! 4 p . . . . . . K
//! 3 . . . . . . . .
//! 2 . . p . . . . .
//! 1 N . . . . . . b
//!   a b c d e f g h
//! ");
//! let goes_to: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::A1).map(|step| step.to()).collect();
//! assert_eq!(goes_to.to_string(), "\
//! 8 . . . . . . . .
//! 7 x . . . . . . .
//! 6 . . . . . . . .
//! 5 x . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . x . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Remover
//!
//! It takes all its neighbours beside, before and behind it at once, without moving (I8): the step goes from e4 to e4.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Interweave, "k6k/8/8/4p3/4Bp2/8/8/K6K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . p . . .
//! 4 . . . . B p . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "e4e4")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . B . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Pawn
//!
//! It goes one square diagonally ahead, from its starting rank two (I9):
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/8/3P4/8/8/8/1P6/K6K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . P . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . P . . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! let from_b2: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::B2).map(|step| step.to()).collect();
//! assert_eq!(from_b2.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . x . . . .
//! 3 x . x . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! let from_d6: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::D6).map(|step| step.to()).collect();
//! assert_eq!(from_d6.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . x . x . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It takes by a short leap ahead, and it takes all that it closes on from the other side of a friend. From d6 to c7 it takes on
//! b7 and c6; from e2 to e4 on e3; from h3 to h5 on h4 and h6.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, SquareSet, Variant, coordinate};
//! let position = AnyPosition::from_fen(Variant::Interweave, "5k1k/Nr5R/2rP3n/2N5/7b/4b2P/4P3/K1K5")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . k . k
//! 7 N r . . . . . R
//! 6 . . r P . . . n
//! 5 . . N . . . . .
//! 4 . . . . . . . b
//! 3 . . . . b . . P
//! 2 . . . . P . . .
//! 1 K . K . . . . .
//!   a b c d e f g h
//! ");
//! let mut taken = SquareSet::EMPTY;
//! for turn in ["d6c7", "e2e4", "h3h5"] {
//!     taken |= position.taken(coordinate::parse(&position, turn)?.steps()[0]);
//! }
//! assert_eq!(taken.to_string(), "\
//! 8 . . . . . . . .
//! 7 . x . . . . . .
//! 6 . . x . . . . x
//! 5 . . . . . . . .
//! 4 . . . . . . . x
//! 3 . . . . x . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! En passant (I10): after c2–e4, which crossed d3, the pawn on d4 leaps over the crossed square and takes on e4.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Interweave, "k6k/8/8/8/3p4/8/2P5/K6K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . p . . . .
//! 3 . . . . . . . .
//! 2 . . P . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "c2e4")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . p P . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "d4d2")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . p . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pawn becomes one of its own side's men that have been taken (I11). With a smasher in reserve, it can become that:
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Interweave, "7k/k2P4/8/8/8/8/8/K6K[R] w - - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 k . . P . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "d7c8r")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 . . R . . . . k
//! 7 k . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . K
//!   a b c d e f g h
//! ");
//! assert!(position.fen().contains("[]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Chains
//!
//! The king leaps over e6 to e7, and must go on over d7 to c7. In the middle of the chain the same side is still to move;
//! [`explain`](crate::explain) says why the turn cannot end there.
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
//! assert!(matches!(refusal.reasons[..], [Reason::ChainGoesOn { with, .. }] if with.square == Square::E7));
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
mod steps;

use arrayvec::ArrayVec;

use crate::{
    board::Board,
    color::{ByColor, Color},
    game_info::{Clauses, FirstRank, GameInfo, Repetition, ShuffleInfo, Stalemate},
    moves::{Step, StepList},
    outcome::{DrawRules, Outcome, Win},
    position::{Position, SearchPosition},
    role::{Piece, Role, RoleInfo},
    setup::{EnPassant, PositionError, Setup, SetupProblem},
    shuffle::Digits,
    square::{Rank, Square},
    square_set::SquareSet,
    variant::Variant,
    zobrist::{self, MAX_RESERVE},
};
use capture::takes_in_chain;
use generate::{Count, EachAfter};

/// The initial position (I1).
pub const INITIAL_FEN: &str = "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR[] w - - 0 1";

/// The roles of Interweave.
pub mod role {
    use crate::role::Role;

    /// Pawn (I9–I11).
    pub const PAWN: Role = Role::new(0);
    /// Leaper (I7).
    pub const LEAPER: Role = Role::new(1);
    /// Remover (I8).
    pub const REMOVER: Role = Role::new(2);
    /// Smasher (I6).
    pub const SMASHER: Role = Role::new(3);
    /// King (I3, I5).
    pub const KING: Role = Role::new(4);
}

/// What is fixed about Interweave.
pub const INFO: GameInfo = GameInfo {
    name: "interweave",
    number: 2,
    pgn_name: Some("Interweave"),
    pgn_aliases: &["interweave"],
    roles: &ROLES,
    royal: None,
    initial_fen: INITIAL_FEN,
    shuffle: ShuffleInfo { count: 576, named: &[], first_rank },
    reserve_roles: &RESERVE_ROLES,
    castling_rook: None,
    en_passant_names_pawn: true,
    repetition: Repetition::Loses,
    stalemate: Stalemate::Loses,
    freezing: None,
    san_lists_taken: true,
    clauses: Clauses {
        prefix: 'I',
        occupied: None,
        leap: None,
        landing: None,
        compulsory: Some("I4"),
        en_passant: "I10",
        promotion: "I11",
        king_exposed: None,
        checkmate: "C16",
        stalemate: "I12",
        insufficient_material: "C19",
        passing: None,
    },
};

/// Puts the men of a shuffled start (I1): each team of smasher, leaper, remover and king on its own four squares. 276 is the usual order.
fn first_rank(men: &mut FirstRank, number: u16) {
    let mut digits = Digits::of(number);
    for team in 0..2 {
        // Files of one shade, from the left.
        let mut files: ArrayVec<usize, 4> = (0..4).map(|index| 2 * index + team).collect();
        for role in [role::SMASHER, role::LEAPER, role::REMOVER, role::KING] {
            let file = files.remove(digits.next(files.len()));
            men.put_on(file, role);
        }
    }
}

const ROLES: [RoleInfo; 5] = [
    RoleInfo { role: role::PAWN, letter: 'P', name: "pawn", clause: "I9" },
    RoleInfo { role: role::LEAPER, letter: 'N', name: "leaper", clause: "I7" },
    RoleInfo { role: role::REMOVER, letter: 'B', name: "remover", clause: "I8" },
    RoleInfo { role: role::SMASHER, letter: 'R', name: "smasher", clause: "I6" },
    RoleInfo { role: role::KING, letter: 'K', name: "king", clause: "I5" },
];

/// The men that come back at promotion (I11), in the order in which a FEN counts them (N1).
pub(crate) const RESERVE_ROLES: [Role; 3] = [role::SMASHER, role::LEAPER, role::REMOVER];

/// The men of Interweave on their squares.
type Men = Board<5>;

/// A playable position of Interweave, maybe in the middle of a chain.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interweave {
    men: Men,
    /// Key of everything but en passant, which counts only where it is possible (I13).
    hash: u64,
    /// Men that may come back, per side at the index of their role.
    reserves: ByColor<[u8; 4]>,
    side_to_move: Color,
    /// The man that has taken in this turn and must take again.
    chain: Option<Square>,
    /// The pawn that advanced two squares in the turn before, and what it crossed (I10).
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

    /// Returns the squares a pawn's promotion may turn it into, as roles (I11).
    pub(crate) fn promotions(&self, color: Color) -> impl Iterator<Item = Role> + '_ {
        RESERVE_ROLES.into_iter().filter(move |role| self.reserves[color][role.index()] > 0)
    }

    /// Returns whether a king has been taken (I3).
    #[inline]
    fn king_captured(&self) -> bool {
        let kings = self.men.role(role::KING);
        !(kings & self.men.color(Color::White)).more_than_one()
            || !(kings & self.men.color(Color::Black)).more_than_one()
    }

    /// Returns the double advance that the next step may answer, whether anybody can or not (I10).
    pub(crate) fn double_advance(&self) -> Option<EnPassant> {
        self.en_passant.filter(|_| self.chain.is_none())
    }

    /// Returns the position with the other side to move, as if this one had passed or ended its chain.
    pub(crate) fn passed(&self) -> Self {
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

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.men.toggle(square, piece);
        self.hash ^= zobrist::piece(piece, square);
    }

    #[inline]
    fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        self.men.shift(from, to, piece);
        self.hash ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    }

    fn set_reserve(&mut self, color: Color, role: Role, count: u8) {
        let held = &mut self.reserves[color][role.index()];
        self.hash ^= zobrist::reserve(color, role, *held) ^ zobrist::reserve(color, role, count);
        *held = count;
    }

    /// Takes a man that comes back at promotion out of the reserve (I11).
    fn bring_back(&mut self, color: Color, role: Role) {
        // An illegal step may ask for any role.
        if let Some(&held) = self.reserves[color].get(role.index()) {
            self.set_reserve(color, role, held.saturating_sub(1));
        }
    }

    /// Takes the men of some squares away, into their side's reserve (I11).
    fn capture(&mut self, squares: SquareSet) {
        for square in squares {
            let Some(piece) = self.men.piece_at(square) else { continue };
            self.toggle(square, piece);
            if RESERVE_ROLES.contains(&piece.role) {
                let count = self.reserves[piece.color][piece.role.index()].saturating_add(1);
                self.set_reserve(piece.color, piece.role, count);
            }
        }
    }

    /// Hands the move over.
    #[inline]
    fn end_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(self.side_to_move as u16);
        self.side_to_move = !self.side_to_move;
        self.hash ^= zobrist::black_to_move();
    }

    /// Plays a man that is no pawn and takes nothing.
    #[inline]
    fn play_quiet(&mut self, role: Role, from: Square, to: Square) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.en_passant = None;
        self.shift(from, to, Piece { color: self.side_to_move, role });
        self.end_turn();
    }

    /// Plays a pawn that takes nothing.
    #[inline]
    fn play_quiet_pawn(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let us = self.side_to_move;
        self.halfmove_clock = 0;
        self.en_passant = steps::crossed(from, to).map(|crossed| EnPassant { crossed, pawn: to });
        match promotion {
            None => self.shift(from, to, Piece { color: us, role: role::PAWN }),
            Some(role) => {
                self.toggle(from, Piece { color: us, role: role::PAWN });
                self.toggle(to, Piece { color: us, role });
                self.bring_back(us, role);
            }
        }
        self.end_turn();
    }

    /// Plays a step of any kind.
    fn play_any(&mut self, step: Step) {
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
                    self.bring_back(us, role);
                }
            }
        }
        // A double advance is what en passant answers, unless the pawn then moves on (I10).
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
    fn set_chain(&mut self, chain: Option<Square>) {
        for square in [self.chain, chain].into_iter().flatten() {
            self.hash ^= zobrist::chain(square);
        }
        self.chain = chain;
    }
}

impl Position for Interweave {
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup.check_variant(Variant::Interweave)?;
        let mut position = Self {
            men: Men::EMPTY,
            hash: if setup.side_to_move == Color::Black { zobrist::black_to_move() } else { 0 },
            reserves: ByColor::default(),
            side_to_move: setup.side_to_move,
            chain: None,
            en_passant: None,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                position.toggle(square, piece);
            }
        }
        let mut problems = Vec::new();
        let kings = ByColor::new_with(|color| position.men.piece(color, role::KING).len());
        for color in Color::ALL {
            if kings[color] > 2 {
                problems.push(SetupProblem::Kings { color, found: kings[color], expected: 0..=2 });
            }
            let mut in_reserve = 0;
            for (index, &count) in setup.reserves[color].iter().enumerate() {
                let role = Role::new(index);
                in_reserve += usize::from(count);
                if RESERVE_ROLES.contains(&role) && usize::from(count) <= MAX_RESERVE {
                    position.reserves[color][index] = count;
                    position.hash ^= zobrist::reserve(color, role, 0) ^ zobrist::reserve(color, role, count);
                } else if count > 0 {
                    problems.push(SetupProblem::Reserve { color });
                }
            }
            let found = position.men.color(color).len() + in_reserve;
            if found > 16 {
                problems.push(SetupProblem::TooManyMen { color, found });
            }
        }
        // A remover may take both kings of the other side at once.
        if kings.white < 2 && kings.black < 2 {
            problems.push(SetupProblem::BothLostAKing);
        }
        if setup.castling.any() {
            problems.push(SetupProblem::NoCastling(Variant::Interweave));
        }
        if let Some(en_passant) = setup.en_passant {
            if steps::en_passant_is_plausible(&position.men, !setup.side_to_move, en_passant) {
                position.en_passant = Some(en_passant);
            } else {
                problems.push(SetupProblem::EnPassant(en_passant.crossed));
            }
        }
        PositionError::check(problems)?;
        Ok(position)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty(Variant::Interweave);
        for (square, piece) in self.men.pieces() {
            setup.pieces[square.index()] = Some(piece);
        }
        for color in Color::ALL {
            for role in RESERVE_ROLES {
                setup.reserves[color][role.index()] = self.reserves[color][role.index()];
            }
        }
        setup.side_to_move = self.side_to_move;
        setup.en_passant = self.en_passant;
        setup.halfmove_clock = self.halfmove_clock;
        setup.fullmove_number = self.fullmove_number;
        setup
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
        if role.index() < ROLES.len() { self.men.role(role) } else { SquareSet::EMPTY }
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
        // I3: kings are not royal; nobody has to parry anything.
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

    fn each_after(&self, visit: &mut impl FnMut(&Self)) {
        generate::generate(self, &mut EachAfter { position: self, visit });
    }

    fn can_take_later(&self, own: Option<Square>, enemy: Square, steps: &mut u32) -> Option<bool> {
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
