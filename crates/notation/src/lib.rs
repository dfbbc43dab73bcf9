//! Notation of turns and games, for human readers and for other programs.
//!
//! [`san`] writes and reads turns in algebraic notation, [`pgn`] reads and writes whole games, and
//! [`localise`] shows a turn with the piece letters of a language. The crate does no I/O of its own:
//! [`pgn::Stream`] reads from a given source.
//!
//! # One turn
//!
//! Turns are written with as much detail as needed, and read in many forms. Here the chameleon moves to d5
//! and captures the men on c4 and a5:
//!
//! ```
//! use adoube_notation::{Language, localise, san};
//! use adoube_rules::{AnyPosition, Position, Variant};
//!
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/8/8/r3pP2/2n5/8/B7/K7 w - - 0 1")?;
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
//! let turn = san::parse(&position, "Bd5")?;
//! assert_eq!(san::write(&position, &turn), "Bxd5(c4,a5)");
//! assert_eq!(localise(Variant::Baroque, Language::French, "Bxd5(c4,a5)"), "Fxd5(c4,a5)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Whole games
//!
//! - [`pgn::games`]: turns, tags and result of each game in a string.
//! - [`pgn::trees`]: the same with variations, comments, marks and clocks.
//! - [`pgn::Checker`] with [`pgn::Stream`]: whether games are legal, in files of any length.
//! - [`pgn::Visitor`]: anything else, reported piece by piece.
//! - [`pgn::write`] and [`pgn::write_tree`]: the export format.
//!
//! A bad game yields an error in its place, with the line number of the problem and the part that could be
//! read. Reading continues with the next game.
//!
//! ```
//! use adoube_notation::pgn::{self, GameProblem};
//!
//! let text = "\
//! [White \"Ann\"]
//!
//! 1. e4 e5 2. Ke3 1-0
//!
//! [White \"Bob\"]
//!
//! 1. f3 e5 2. g4 Qh4# 0-1
//! ";
//! let mut games = pgn::games(text);
//!
//! let bad = games.next().expect("a first game").expect_err("the king cannot go there");
//! assert_eq!(bad.line, 3);
//! assert!(matches!(bad.problem, GameProblem::Turn { number: 3, .. }));
//! assert_eq!(bad.read.expect("its beginning").turns.len(), 2);
//!
//! let good = games.next().expect("a second game")?;
//! assert_eq!((good.turns.len(), good.result.to_string()), (4, "0-1".to_owned()));
//! assert!(games.next().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! None. The crate has the same version and change policy as `adoube-rules`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod localise;
pub mod pgn;
pub mod san;

pub use localise::{Language, ParseLanguageError, letter, localise};

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
