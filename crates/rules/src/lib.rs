//! Rules of chess, Baroque, Interweave and Ultima.
//!
//! This crate implements squares, men and the legal turns of four games, the ways in which each game can end
//! on the board, and the text forms of positions (FEN) and turns (coordinate notation). It does no I/O, and
//! uses no clock and no random numbers; it runs natively and in WebAssembly from the same source.
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//!
//! // Baroque: a pawn takes two men at once, each caught between it and a friend (B6).
//! let mut position = AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1")?;
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
//! let turn = coordinate::parse(&position, "c2c4")?;
//! let taken: Vec<_> = position.taken(turn.steps()[0]).into_iter().map(|s| s.to_string()).collect();
//! assert_eq!(taken, ["d4", "c5"]);
//!
//! position.try_play(&turn)?;
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
//! assert_eq!(position.to_string(), "7k/5ppp/2N5/8/2P1B3/8/PP6/K7 b - - 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Terms
//!
//! Each term means the same in all games. Other libraries use other terms:
//!
//! | here | elsewhere | meaning |
//! |---|---|---|
//! | [`Step`] | move | one move of a man or one taking, in 16 bits |
//! | [`Turn`] | ply, move | everything a side does before the other side moves: one step, or a chain of them |
//! | man, [`Piece`] | piece | a man of any kind, pawns and kings included |
//! | [`Role`] | piece type | the kind of a man, meaningful only within its game |
//! | taking, [`taken`](Position::taken) | capture | the removal of enemy men, which need not stand on the destination |
//! | [`SquareSet`] | bitboard | a set of squares in 64 bits |
//! | loud | tactical, noisy | of a step: taking or promoting |
//!
//! Searching this documentation for the other term finds the linked item too.
//!
//! # Where to begin
//!
//! - [`Chess`], [`Baroque`], [`Interweave`], [`Ultima`]: a position of one game, with its men as sets of
//!   squares ([`Chess::board`]). Their module pages illustrate the rules with board diagrams:
//!   [`variant::chess`], [`variant::baroque`], [`variant::interweave`], [`variant::ultima`].
//! - [`AnyPosition`]: a position of any game. [`Position`] is the interface of all of them;
//!   [`SearchPosition`] adds what a search needs. [`with_position!`] runs the same code on the position
//!   inside an [`AnyPosition`], whichever game it belongs to.
//! - [`Setup`]: the content of a FEN, not yet checked. [`Position::from_setup`] converts it to a position, or
//!   returns the reasons why it cannot be played.
//! - [`Step`] and [`Turn`]: one move of a man or one taking in 16 bits, and everything a player does before
//!   the other side moves. A step does not record what it takes; [`Position::taken`] computes it.
//! - [`fen`] and [`coordinate`]: text. SAN and PGN are in the `adoube-notation` crate.
//! - [`explain`]: why a step is not legal, how a legal one takes, which man attacks which.
//! - [`shuffle`]: shuffled starts by number. [`perft`]: counting turns to a given depth. [`attacks`]: the
//!   squares that men reach.
//!
//! Ids such as `B6` refer to clauses of the rules, listed in [`clauses`].
//!
//! # For engines
//!
//! [`Position::legal_steps`] does not allocate. [`Position::play_unchecked`] updates the hash and the clocks
//! incrementally. There is no unmake: a position is at most 88 bytes and is copied. In Interweave a side may
//! play several steps in a row; its turn is over when [`Position::side_to_move`] changes.
//!
//! ```
//! use adoube_rules::{Interweave, Position};
//!
//! /// Counts the sequences of `plies` turns.
//! fn count<P: Position>(position: &P, plies: u32) -> u64 {
//!     if plies == 0 {
//!         return 1;
//!     }
//!     let mut sequences = 0;
//!     for step in position.legal_steps() {
//!         let mut next = position.clone();
//!         next.play_unchecked(step);
//!         let left = if next.side_to_move() == position.side_to_move() { plies } else { plies - 1 };
//!         sequences += count(&next, left);
//!     }
//!     sequences
//! }
//!
//! assert_eq!(count(&Interweave::default(), 2), 888);
//! ```
//!
//! [`perft::perft`] does the same faster. [`Position::key`] identifies positions in hash tables and when
//! detecting repetition.
//!
//! # Explanations
//!
//! [`explain`] explains how a step takes, or gives all reasons why it is not legal:
//!
//! ```
//! use adoube_rules::{AnyPosition, Square, Variant, explain::{self, CaptureMethod, Reason}};
//!
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1")?;
//! let legal = explain::step(&position, Square::C2, Square::C4, None).expect("a legal step");
//! assert_eq!(legal.takings[0].method, CaptureMethod::Pincer { partner: Square::E4 });
//!
//! let reasons = explain::step(&position, Square::C2, Square::D3, None).expect_err("pawns go straight");
//! assert!(matches!(reasons[..], [Reason::InvalidMovement { .. }]));
//! assert_eq!(reasons[0].clause(Variant::Baroque), "B2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! | error | returned by | meaning |
//! |---|---|---|
//! | [`fen::FenError`] | [`fen::parse`] | the first error in a string that is not a FEN |
//! | [`PositionError`] | [`Position::from_setup`] | the reasons why a setup cannot be played, each a [`SetupProblem`] |
//! | [`ReadPositionError`] | [`AnyPosition::from_fen`] | one of the two errors above |
//! | [`TurnError`] | [`Position::play`], [`coordinate::parse`] | the reason why a turn cannot be played |
//!
//! # Features
//!
//! None is enabled by default.
//!
//! | feature | adds |
//! |---|---|
//! | `serde` | `Serialize` and `Deserialize` for the types below |
//! | `arbitrary` | `Arbitrary` for the same types, for fuzzers and property tests |
//!
//! With `serde`, values are serialized as text if they have a text form, and invalid input is refused with
//! the parser's message:
//!
//! | type | form, in JSON |
//! |---|---|
//! | [`Square`], [`File`], [`Rank`] | `"e4"`, `"e"`, `"4"` |
//! | [`Color`], [`Variant`], [`DrawRules`], [`Win`], [`Draw`] | its name: `"white"`, `"chess"`, `"club"`, `"checkmate"`, `"stalemate"` |
//! | [`Outcome`] | `{"decisive":{"winner":"white","reason":"checkmate"}}`, `{"draw":{"reason":"stalemate"}}` |
//! | [`Role`] | its index, a number below [`Role::MAX`] |
//! | [`Piece`], [`explain::Man`] | `{"color":"white","role":0}`, `{"square":"e4","piece":{…}}` |
//! | [`SquareSet`] | a list of squares: `["a1","h8"]` |
//! | [`Step`] | `{"from":"e2","to":"e4"}`, with `"promotion"` if the step promotes (not coordinate notation, which cannot be read without the position) |
//! | [`Turn`] | a list of steps |
//! | [`Setup`], [`AnyPosition`] | `{"variant":"chess","fen":"…"}` |
//! | [`Chess`], [`Baroque`], [`Interweave`], [`Ultima`] | a FEN |
//! | [`EnPassant`], [`ByColor`] | their fields |
//!
//! Serializing fails where a FEN cannot express the value: for example a setup with castling rights for which
//! FEN has no letter, or a position in the middle of a chain.
//!
//! With `arbitrary`, a [`Setup`] has the men of one game and may still be refused by
//! [`Position::from_setup`]; a position has been reached by legal steps from a start of its game, and may be
//! in the middle of a chain. [`explain::Man`] is left out.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use adoube_rules::{AnyPosition, Variant};
//!
//! let text = serde_json::to_string(&AnyPosition::initial(Variant::Baroque))?;
//! assert_eq!(
//!     text,
//!     r#"{"variant":"baroque","fen":"rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1"}"#
//! );
//! let refused =
//!     serde_json::from_str::<AnyPosition>(r#"{"variant":"chess","fen":"8/8/8/8/8/8/8/K7"}"#).unwrap_err();
//! assert!(refused.to_string().starts_with("black has 0 kings; there must be exactly 1"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What can change
//!
//! The crate follows semantic versioning.
//!
//! - Reasons, ways of taking, non-error structs that only this crate creates, and the errors [`TurnError`],
//!   [`SetupProblem`] and [`fen::FenError`] are `#[non_exhaustive]`; they may grow in a minor version.
//! - [`Variant`], [`AnyPosition`], [`Outcome`], [`Win`], [`Draw`], [`DrawRules`], [`Repetition`] and
//!   [`Stalemate`] are to be matched exhaustively. A new game, or a new way for a game to end, requires a new
//!   major version: code that does not know it should fail to compile rather than fail in the middle of a
//!   game.
//! - The traits are sealed; a new method with a default requires only a minor version.
//! - Public representations are stable: [`SquareSet`] is a `u64` with bit 0 for a1, [`Step::to_bits`] is the
//!   16 bits of a step, and [`GameInfo::number`] and the names do not change. [`Position::key`] and the order
//!   of [`Position::legal_steps`] may change in any version; do not store them in files.
//! - Untrusted input never causes a panic. Functions that can panic say so under *Panics*.

pub mod arbiter;
#[cfg(feature = "arbitrary")]
mod arbitrary_impls;
pub mod attacks;
mod board;
pub mod capture;
mod color;
pub mod coordinate;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod diagram;
pub mod explain;
pub mod fen;
mod game_info;
mod moves;
mod outcome;
pub mod perft;
mod position;
mod role;
#[cfg(feature = "serde")]
mod serde_impls;
mod setup;
pub mod shuffle;
mod square;
mod square_set;
mod turns;
pub mod variant;
mod zobrist;

pub use board::Board;
pub use color::{ByColor, Color, ParseColorError};
pub use coordinate::TurnError;
pub use game_info::{
    Clauses, Freezing, GameInfo, NamedStart, PassingClauses, Repetition, ShuffleInfo, Stalemate,
};
pub use moves::{MAX_STEPS, MAX_TURN_STEPS, Step, StepList, StepListIter, Turn};
pub use outcome::{Draw, DrawRules, Outcome, Win};
pub use position::{AnyPosition, Position, ReadPositionError, SearchPosition};
pub use role::{Piece, Role, RoleInfo};
pub use setup::{EnPassant, PositionError, Setup, SetupProblem};
pub use square::{File, ParseSquareError, Rank, Square};
pub use square_set::{SquareSet, SquareSetIter};
pub use turns::Turns;
pub use variant::{
    ParseVariantError, Variant, baroque::Baroque, chess::Chess, interweave::Interweave, ultima::Ultima,
};

#[doc = include_str!("../RULES.md")]
pub mod clauses {}

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
