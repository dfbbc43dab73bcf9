//! The Universal Chess Interface (Kahlen and Meyer-Kahlen, 2006), over any pair of streams.
//!
//! An unknown word is skipped and reported by an `info string`, and the rest of the line is tried, as the
//! specification requires. Only `quit`, the end of the input and a closed output end the program. One thread
//! reads and another searches, so that `stop`, `ponderhit` and `isready` are handled during a search.
//!
//! Every `go` gets exactly one `bestmove`, in order: programs such as polyglot send `stop`, `position` and
//! the next `go` at once. `stop` applies to all searches requested before it, `position` and `setoption` to
//! those after it. An infinite search is ended by the next `go`.
//!
//! After a `position` that cannot be read, `go` is answered by `bestmove (none)` until a valid one arrives.
//! Stockfish continues from the last legal turn in the list; but the sender then has a different position on
//! its board, and would get a turn or a score for a position that it does not show.
//!
//! The protocol is defined for chess, but applies to the other variants as well: the option `UCI_Variant`
//! chooses the variant, and turns are written as the squares that they pass through.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod command;
mod options;
mod session;
mod signals;
mod text;
mod worker;

pub use command::{Command, Diagnostic, Go, Reading, Start};
pub use session::serve;
