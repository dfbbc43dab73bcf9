//! The roles of Interweave, with the moves and takings of each man.
//!
//! # King
//!
//! It takes by a short leap over an orthogonal neighbour (I5): here to c5 and to e7. These are its only
//! steps, because taking is compulsory.
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
//! let destinations: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::E5).map(|step| step.to()).collect();
//! assert_eq!(destinations.to_string(), "\
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
//! # Smasher
//!
//! It moves like a bishop, or an even distance along a rank or file; after the latter it takes an enemy on
//! the next square in the same direction (I6). Here it takes by moving to b6 or f2.
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
//! let destinations: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::B2).map(|step| step.to()).collect();
//! assert_eq!(destinations.to_string(), "\
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
//! If there is nothing to take, it can move to these squares. The pawn on f2 is safe: it is an even distance
//! away, on a square of the same colour as the smasher's square.
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
//! let destinations: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::B2).map(|step| step.to()).collect();
//! assert_eq!(destinations.to_string(), "\
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
//! # Leaper
//!
//! It moves like a bishop, moves an even distance along a rank or file, or makes a double knight leap (I7):
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
//! let destinations: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::A1).map(|step| step.to()).collect();
//! assert_eq!(destinations.to_string(), "\
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
//! It takes the man that it leaps over: the pawn in the middle of the double leap to e3, the pawn on a4 by
//! leaping to a5 or a7.
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
//! let destinations: SquareSet =
//!     position.legal_steps().into_iter().filter(|step| step.from() == Square::A1).map(|step| step.to()).collect();
//! assert_eq!(destinations.to_string(), "\
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
//! # Remover
//!
//! It takes all orthogonally adjacent enemies at once, without moving (I8): the step goes from e4 to e4.
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
//! # Pawn
//!
//! It moves one square diagonally forward, or two from its starting rank (I9):
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
//! It takes by a short leap forward, and it takes every enemy between its destination and a friend. From d6
//! to c7 it takes the men on b7 and c6; from e2 to e4 the man on e3; from h3 to h5 those on h4 and h6.
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
//! En passant (I10): after c2–e4, which crossed d3, the pawn on d4 leaps over the crossed square and takes
//! the pawn on e4.
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
//! A pawn promotes to one of its own side's men that have been taken (I11). With a smasher in reserve it can
//! promote to a smasher:
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
