//! PGN: whole games, read and written.
//!
//! [`write()`] makes the export format of the PGN standard, [`games`] reads what people have. Below them, a
//! [`Reader`] drives any [`Visitor`] through tags, turns, comments, marks and variations, so that other uses
//! than a [`Game`] need no other parser.
//!
//! # The three games
//!
//! The tag `Variant` names `Baroque` and `Interweave`; orthodox chess has none, unless its start position lets
//! kings and rooks stand where they like (`Chess960`). Another start than the usual one is told by `SetUp` and
//! `FEN`.
//!
//! SAN of these games uses two characters that PGN uses otherwise: `(`, which begins a variation, and `;`,
//! which begins a comment. What is written as one word stays one word:
//!
//! - `(` belongs to the turn if it follows it without a space and holds nothing but squares (or the letter of a
//!   promotion, `e8(Q)`): `Bxd5(c4,a5)`. Anything else is a variation: `e4(d4 d5)`, `Bd5 (e4)`.
//! - `;` belongs to the turn if it follows it without a space and a taking comes right behind, as in every
//!   chain: `Nxf7(e5);Nxh7(g7)`. Anything else is a comment: `e4;best by test`, `e4 ; Nxe5`.
//!
//! ```
//! use adoube_notation::pgn;
//!
//! let text = "[Event \"Club\"]\n[Variant \"Baroque\"]\n\n1. Pc2c4 {quiet} Pc7c5 *\n";
//! let game = pgn::games(text).next().expect("one game").expect("no error");
//! assert_eq!(game.tags.get("Event"), Some("Club"));
//! assert!(pgn::write(&game).contains("1. Pc2-c4 Pc7-c5 *"));
//! ```

mod check;
pub mod clock;
mod explicit;
mod game;
mod lexer;
mod reader;
mod replay;
mod tag;
mod tree;
mod writer;

pub use check::{Checked, Checker};
pub use game::{Game, GameError, GameProblem, Games, games};
pub use reader::{MAX_DEPTH, MAX_GAME_BYTES, Nag, Reader, Stream, SyntaxProblem, Visitor};
pub use replay::variant_of_tag;
pub use tag::{GameResult, ParseGameResultError, TagNameError, Tags};
pub use tree::{Line, Node, Tree, TreeBuilder, TreeError, trees};
pub use writer::{TurnText, write, write_tree};
