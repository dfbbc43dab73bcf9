//! PGN: reads and writes whole games.
//!
//! [`write()`] produces the export format of the PGN standard; [`games`] and [`trees`] read PGN as found in
//! practice. They use a [`Reader`], which drives any [`Visitor`] through tags, turns, comments, marks and
//! variations, so applications that need more than a [`Game`] or a [`Tree`] need no parser of their own.
//!
//! # Input
//!
//! A [`Stream`] takes bytes: UTF-8, UTF-16, or Windows-1252. A game begins at a tag after movetext, at a tag
//! whose name the preceding game already has, and at an `Event` tag after an empty line. Comments between a
//! result and the next empty line belong to the game that ended, and so do comments at the end of the text.
//! Null moves (`--`, `Z0`, `0000`, `@@@@`, `null`, `pass`) are turns without steps. Results, tags, FENs and
//! signs are read in the many forms that programs write.
//!
//! A problem that casts doubt on the main line is an error, which contains the part that could be read.
//! Everything else that is omitted or changed (the rest of a variation after a bad turn, a malformed tag, an
//! impossible castling right) is reported as [`Warnings`], except by [`games`], which ignores it; a
//! [`Checker`] reports a variation that was cut short as a problem. The constants here limit the size of a
//! game, and reading takes time proportional to the length of the text.
//!
//! # Variants
//!
//! The `Variant` tag is `Baroque`, `Interweave` or `Ultima (original rules)`. Chess has no such tag, except
//! for games from a shuffled start position (`Chess960`). `SetUp` and `FEN` give a start position other than
//! the usual one.
//!
//! The SAN of the variants other than chess uses two characters that have other meanings in PGN: `(`, which
//! begins a variation, and `;`, which begins a comment. Spaces and context show which meaning applies:
//!
//! - `(` belongs to the turn if it follows without a space and contains only squares (or the letter of a
//!   promotion, `e8(Q)`): `Bxd5(c4,a5)`. Otherwise it begins a variation: `e4(d4 d5)`, `Bd5 (e4)`.
//! - `;` belongs to the turn if it follows without a space and a capture comes directly after it, as in every
//!   chain: `Nxf7(e5);Nxh7(g7)`. Otherwise it begins a comment: `e4;best by test`, `e4 ; Nxe5`.
//!
//! ```
//! use adoube_notation::pgn;
//!
//! let text = "[Event \"Club\"]\n[Variant \"Baroque\"]\n\n1. Pc2c4 {quiet} Pc7c5 *\n";
//! let game = pgn::games(text).next().expect("one game").expect("no error");
//! assert_eq!(game.tags.get("Event"), Some("Club"));
//! assert!(pgn::write(&game).contains("1. Pc2-c4 Pc7-c5 *"));
//! ```
//!
//! # Visitors
//!
//! For uses other than whole games, a visitor receives a file piece by piece, and only what it stores is
//! kept. This one counts, for each player, the marks in the games in which that player had White. It does
//! not check that turns are legal, which makes it much faster.
//!
//! ```
//! use std::{collections::BTreeMap, ops::ControlFlow};
//!
//! use adoube_notation::pgn::{Nag, Stream, SyntaxProblem, Visitor};
//!
//! #[derive(Default)]
//! struct Marks {
//!     player: String,
//!     marks: BTreeMap<String, usize>,
//! }
//!
//! impl Visitor for Marks {
//!     type Output = ();
//!
//!     fn begin_game(&mut self, _line: usize) {
//!         self.player.clear();
//!     }
//!
//!     fn tag(&mut self, _line: usize, name: &str, value: &str) {
//!         if name == "White" {
//!             value.clone_into(&mut self.player);
//!         }
//!     }
//!
//!     fn turn(&mut self, _line: usize, _san: &str) -> ControlFlow<()> {
//!         ControlFlow::Continue(())
//!     }
//!
//!     fn nag(&mut self, _nag: Nag) {
//!         *self.marks.entry(self.player.clone()).or_default() += 1;
//!     }
//!
//!     fn problem(&mut self, line: usize, problem: SyntaxProblem) {
//!         eprintln!("line {line}: {problem}");
//!     }
//!
//!     fn end_game(&mut self) {}
//! }
//!
//! // Any source will do: a file, a decompressor, a connection.
//! let file = "[White \"Ann\"]\n\n1. e4! c5 2. Nf3 $5 *\n\n[White \"Bob\"]\n\n1. e4 e5? *\n".as_bytes();
//! let (mut stream, mut marks) = (Stream::new(file), Marks::default());
//! while stream.read_game(&mut marks)?.is_some() {}
//! assert_eq!(marks.marks, BTreeMap::from([("Ann".to_owned(), 2), ("Bob".to_owned(), 1)]));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Checking files of any length
//!
//! ```
//! use adoube_notation::pgn::{Checker, Stream};
//!
//! let file = "1. e4 e5 2. Nf3 (2. Qh6) 2... Nc6 *".as_bytes();
//! let checked = Stream::new(file).read_game(&mut Checker::default())?.expect("one game");
//! // The main line is good, but in the variation the queen cannot go to h6.
//! let (line, problem) = checked.problem.expect("a problem");
//! assert_eq!((line, checked.plies), (1, 4));
//! assert_eq!(problem.to_string(), "turn 3: \"Qh6\" is not a legal turn here");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Trees and clocks
//!
//! Variations, comments, marks and clocks are read into a [`Tree`] and can be written back:
//!
//! ```
//! use std::time::Duration;
//!
//! use adoube_notation::pgn::{self, TurnText};
//!
//! let text = "1. e4 {[%clk 0:05:00] best by test} e5 $6 (1... c5 2. Nf3) 2. Nf3 *";
//! let mut tree = pgn::trees(text).next().expect("one game")?;
//!
//! let first = &mut tree.main.nodes[0];
//! assert_eq!(first.clock(), Some(Duration::from_secs(300)));
//! first.set_clock(Duration::from_millis(299_500));
//!
//! let second = &tree.main.nodes[1];
//! assert_eq!((second.nags[0].0, second.variations[0].nodes.len()), (6, 2));
//!
//! let written = pgn::write_tree(&tree, TurnText::San);
//! let movetext = written.lines().skip_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
//! assert_eq!(
//!     movetext.trim(),
//!     "1. e4 {[%clk 0:04:59.5]} {best by test} 1... e5 $6 (1... c5 2. Nf3) 2. Nf3 *",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
pub mod clock;
mod encoding;
mod explicit;
mod game;
mod lexer;
mod reader;
mod replay;
mod signs;
mod tag;
mod tree;
mod writer;

pub use check::{Checked, Checker};
pub use encoding::{NotPgn, sniff};
pub use game::{Game, GameError, GameProblem, Games, Limit, Warning, Warnings, games};
pub use reader::{MAX_DEPTH, MAX_GAME_BYTES, Nag, Reader, Stream, SyntaxProblem, Visitor};
pub use replay::{play, variant_of_tag};
pub use tag::{GameResult, MAX_TAG_VALUE, MAX_TAGS, ParseGameResultError, TagError, Tags, result_of_tag};
pub use tree::{
    Line, MAX_COMMENT_BYTES, MAX_COMMENTS, MAX_NAGS, MAX_TURNS, MAX_VARIATIONS, Node, Tree, TreeBuilder,
    TreeError, trees,
};
pub use writer::{TurnText, write, write_tree};
