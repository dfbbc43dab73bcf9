//! Baroque, also called Ultima (Robert Abbott, 1962–63; rules B1–B13).
//!
//! Other names in use: the withdrawer is also the *retreater*, the long leaper the *leaper*, the chameleon
//! the *imitator*, the pincer pawn the *pinscher*.
//!
//! Every man but the king takes in passing, if it takes at all: what a move takes is a function of the men,
//! the origin and the destination ([`Position::taken`](crate::Position::taken)). Check is computed in
//! reverse: the search starts from the king's square and finds the men that could take the king in any way.
//! The tests compare this with the result of playing all the enemy's moves.
//!
//! # The men
//!
//! The initial position (B1). `P` is the pincer pawn, `N` the long leaper, `B` the chameleon, `R` the
//! coordinator, `Q` the withdrawer, `K` the king and `M` the immobilizer. Pawns move like rooks, the king
//! like a king in chess, all others like queens (B2).
//!
//! ```
//! use adoube_rules::{Baroque, Position};
//!
//! let position = Baroque::default();
//! assert_eq!(position.diagram(), "\
//! 8 r n b k q b n m
//! 7 p p p p p p p p
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 P P P P P P P P
//! 1 M N B Q K B N R
//!   a b c d e f g h
//! ");
//! ```
//!
//! ## Pincer pawn
//!
//! It takes every enemy that it encloses between itself and a friend (B6). From c2 to c4 it takes two at
//! once: the leaper on c5, with the white leaper on c6 behind it, and the coordinator on d4, with the white
//! chameleon on e4 behind it.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . p p p
//! 6 . . N . . . . .
//! 5 . . n . . . . .
//! 4 . . . r B . . .
//! 3 . . . . . . . .
//! 2 P P P . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "c2c4")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . p p p
//! 6 . . N . . . . .
//! 5 . . . . . . . .
//! 4 . . P . B . . .
//! 3 . . . . . . . .
//! 2 P P . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Coordinator
//!
//! It takes enemies at the two other corners of the rectangle that it forms with its king (B7). From c2 to
//! c5, with the king on h7, it takes the men on c7 and h5.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Baroque, "8/2b4K/2q5/3p1N1p/8/8/2R5/k7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . .
//! 7 . . b . . . . K
//! 6 . . q . . . . .
//! 5 . . . p . N . p
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . R . . . . .
//! 1 k . . . . . . .
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "c2c5")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . .
//! 7 . . . . . . . K
//! 6 . . q . . . . .
//! 5 . . R p . N . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 k . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Long leaper
//!
//! It leaps over one enemy after another in one line, each with an empty square right behind it, and takes
//! them all (B8). The leaper on d2 has only four takings: the men on c8 and f6 are not on its lines.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Baroque, "2n4k/3r4/5b2/3p4/1m6/3b4/3N4/K7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . n . . . . k
//! 7 . . . r . . . .
//! 6 . . . . . b . .
//! 5 . . . p . . . .
//! 4 . m . . . . . .
//! 3 . . . b . . . .
//! 2 . . . N . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! let landings: SquareSet = position
//!     .legal_steps()
//!     .into_iter()
//!     .filter(|&step| step.from() == Square::D2 && position.taken(step).any())
//!     .map(|step| step.to())
//!     .collect();
//! assert_eq!(landings.to_string(), "\
//! 8 . . . x . . . .
//! 7 . . . . . . . .
//! 6 . . . x . . . .
//! 5 x . . . . . . .
//! 4 . . . x . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Withdrawer
//!
//! It takes an enemy next to it by moving directly away from it (B9): the coordinator on e5, by moving to c5,
//! b5 or a5.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, SquareSet, Variant};
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/8/8/3Qr3/8/8/8/K7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . Q r . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! let landings: SquareSet = position
//!     .legal_steps()
//!     .into_iter()
//!     .filter(|&step| step.from() == Square::D5 && position.taken(step).any())
//!     .map(|step| step.to())
//!     .collect();
//! assert_eq!(landings.to_string(), "\
//! 8 . . . . . . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 x x x . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Chameleon
//!
//! It takes each kind of man in that kind's way (B10), all at once: from a2 to d5 it leaps over the leaper on
//! c4 and coordinates with its king against the coordinator on a5. It moves like a bishop here, not like a
//! pawn, so the pawn on e5 stays.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//! let mut position = AnyPosition::from_fen(Variant::Baroque, "7k/8/8/r3pP2/2n5/8/B7/K7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 r . . . p P . .
//! 4 . . n . . . . .
//! 3 . . . . . . . .
//! 2 B . . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! position.try_play(&coordinate::parse(&position, "a2d5")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . B p P . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Immobilizer
//!
//! It takes nothing (B5), and an enemy next to it cannot move (B4), unless an immobilizer or chameleon of the
//! enemy's side also stands next to it. Here the pawn on d4 is frozen until the chameleon reaches e6;
//! [`explain`](crate::explain) gives the reason.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, Variant, coordinate, explain::{self, Reason}};
//! let mut position = AnyPosition::from_fen(Variant::Baroque, "7k/4B3/8/3m4/3P4/8/8/K7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . B . . .
//! 6 . . . . . . . .
//! 5 . . . m . . . .
//! 4 . . . P . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! let frozen = explain::man(&position, Square::D4).expect("a man on d4");
//! let [Reason::FrozenByImmobilizer { by, .. }] = frozen.holding[..] else { panic!("{frozen:?}") };
//! assert_eq!(by.square, Square::D5);
//!
//! for turn in ["e7e6", "h8h7"] {
//!     position.try_play(&coordinate::parse(&position, turn)?)?;
//! }
//! let free = explain::man(&position, Square::D4).expect("a man on d4");
//! assert!(free.holding.is_empty() && free.steps.len() == 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Check
//!
//! A king is in check if the enemy, having the move, could take it in any of these ways (B12). The white
//! king may not go to e5: the pawn could move to d5 and enclose it between itself and the coordinator on f5.
//!
//! ```
//! # use adoube_rules::{AnyPosition, Position, Square, Variant, explain::{self, CaptureMethod, Reason}};
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/8/8/p4r2/4K3/8/8/8")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 p . . . . r . .
//! 4 . . . . K . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! let reasons = explain::step(&position, Square::E4, Square::E5, None).unwrap_err();
//! let [Reason::KingExposed { taking, .. }] = reasons[..] else { panic!("{reasons:?}") };
//! assert_eq!((taking.by.square, taking.to), (Square::A5, Square::D5));
//! assert_eq!(taking.method, CaptureMethod::Pincer { partner: Square::F5 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other starts
//!
//! The kings may face each other ([`KINGS_FACING_FEN`]), or the first ranks may be shuffled
//! ([`shuffle`](crate::shuffle)).
//!
//! ```
//! use adoube_rules::{Baroque, Position, variant::baroque::KINGS_FACING_FEN};
//!
//! let position: Baroque = KINGS_FACING_FEN.parse()?;
//! assert_eq!(position.diagram(), "\
//! 8 r n b q k b n m
//! 7 p p p p p p p p
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 P P P P P P P P
//! 1 M N B Q K B N R
//!   a b c d e f g h
//! ");
//! # Ok::<(), adoube_rules::ReadPositionError>(())
//! ```

pub use super::abbott::role;
use super::abbott::{AbbottPosition, Rules, first_rank, roles};
use crate::{
    game_info::{
        Clauses, Freezing, GameInfo, NamedStart, PassingClauses, Repetition, ShuffleInfo, Stalemate,
    },
    role::RoleInfo,
    variant::Variant,
};

/// A playable Baroque position.
pub type Baroque = AbbottPosition<PureRules>;

/// The rules of Baroque, known as the *pure rules*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PureRules;

impl Rules for PureRules {
    const VARIANT: Variant = Variant::Baroque;
}

const ROLES: [RoleInfo; 7] = roles("B2");

/// The initial position (B1).
pub const INITIAL_FEN: &str = "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1";
/// A start that players can choose by name: kings on the same file (B1).
pub const KINGS_FACING_FEN: &str = "rnbqkbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1";

/// The facts about Baroque.
pub const INFO: GameInfo = GameInfo {
    name: "baroque",
    number: 1,
    pgn_name: Some("Baroque"),
    pgn_aliases: &["baroque", "baroquechess", "ultima", "ultimachess"],
    roles: &ROLES,
    royal: Some(role::KING),
    initial_fen: INITIAL_FEN,
    shuffle: ShuffleInfo {
        count: 10_080,
        named: &[NamedStart { name: "kings-facing", white: 6412, black: 5348 }],
        first_rank,
    },
    reserve_roles: &[],
    castling_rook: None,
    en_passant_names_pawn: false,
    repetition: Repetition::Draws,
    stalemate: Stalemate::Draws,
    freezing: Some(Freezing {
        immobilizer: role::IMMOBILIZER,
        chameleon: role::CHAMELEON,
        neutralizable: true,
        gives_up: false,
    }),
    san_lists_taken: true,
    clauses: Clauses {
        prefix: 'B',
        occupied: Some("B3"),
        leap: Some("B8"),
        landing: Some("B3"),
        compulsory: None,
        en_passant: "C8",
        // There is no promotion.
        promotion: "B1",
        king_exposed: Some("B12"),
        checkmate: "B13",
        stalemate: "B13",
        insufficient_material: "B13",
        passing: Some(PassingClauses {
            freezing: "B4",
            pincer: "B6",
            coordination: "B7",
            leap: "B8",
            withdrawal: "B9",
            imitation: "B10",
            imitation_of_king: "B11",
            // B4: there is no suicide.
            giving_up: None,
        }),
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b12_threats_match_playing_all_enemy_moves() {
        crate::variant::abbott::tests::threats_match_playing_all_enemy_moves::<PureRules>();
    }
}
