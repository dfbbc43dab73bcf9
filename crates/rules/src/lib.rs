//! Rules of orthodox chess, Baroque (Ultima) and Interweave.
//!
//! This crate knows squares, men and the legal turns of three games, how each game ends on the board, and the
//! text forms of positions (FEN) and turns (coordinates). It does no I/O, reads no clock and draws no random
//! number; it runs natively and in WebAssembly from the same source.
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//!
//! // Baroque: a pawn takes two men at once by closing on both of them (B6).
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1")?;
//! let turn = coordinate::parse(&position, "c2c4")?;
//! let taken: Vec<_> = position.taken(turn.steps()[0]).into_iter().map(|s| s.to_string()).collect();
//! assert_eq!(taken, ["d4", "c5"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`explain`] says how a step takes, or all reasons why it is not legal:
//!
//! ```
//! use adoube_rules::{AnyPosition, Square, Variant, explain::{self, Reason, Way}};
//!
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1")?;
//! let legal = explain::step(&position, Square::C2, Square::C4, None).expect("a legal step");
//! assert_eq!(legal.takings[0].way, Way::Pincer { partner: Square::E4 });
//!
//! let reasons = explain::step(&position, Square::C2, Square::D3, None).expect_err("pawns go straight");
//! assert!(matches!(reasons[..], [Reason::DoesNotMoveSo { .. }]));
//! assert_eq!(reasons[0].clause(Variant::Baroque), "B2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Clause ids such as `B6` name the rules that a piece of code applies; see `docs/rules-decisions.md`.

pub mod attacks;
mod board;
mod color;
pub mod coordinate;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod diagram;
pub mod explain;
pub mod fen;
mod moves;
mod outcome;
pub mod perft;
mod position;
mod role;
mod setup;
pub mod shuffle;
mod square;
mod square_set;
pub mod variant;
pub mod winnable;
mod zobrist;

pub use board::Board;
pub use color::{ByColor, Color, ParseColorError};
pub use moves::{MAX_STEPS, MAX_TURN_STEPS, Step, StepList, StepListIter, Turn};
pub use outcome::{Draw, DrawRules, Outcome, Win};
pub use position::{AnyPosition, PlayError, Position, ReadPositionError, from_fen};
pub use role::{Piece, Role, RoleInfo};
pub use setup::{EnPassant, PositionError, Setup, SetupProblem};
pub use square::{File, ParseSquareError, Rank, Square};
pub use square_set::{SquareSet, SquareSetIter};
pub use variant::{ParseVariantError, Variant, baroque::Baroque, interweave::Interweave, orthodox::Orthodox};

/// The examples of the README are tried like all others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
