//! How turns and games are written for people and for other programs.
//!
//! [`san`] writes and reads turns in algebraic notation, [`pgn`] whole games, [`localise`] shows a turn with
//! the piece letters of a language. Nothing here does I/O.
//!
//! ```
//! use adoube_notation::san;
//! use adoube_rules::{AnyPosition, Variant};
//!
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/8/8/r3pP2/2n5/8/B7/K7 w - - 0 1")?;
//! let turn = san::parse(&position, "Bd5")?;
//! assert_eq!(san::write(&position, &turn), "Bxd5(c4,a5)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod localise;
pub mod pgn;
pub mod san;

pub use localise::{Language, ParseLanguageError, letter, localise};

/// The examples of the README are tried like all others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
