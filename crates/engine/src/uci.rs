//! The Universal Chess Interface (Huber and Meyer-Kahlen, 2006), over any pair of streams.
//!
//! As the specification requires, an unknown word is skipped and the rest of the line is tried; an `info
//! string` reports the word. Only `quit`, the end of the input and a closed output end the program. One
//! thread reads and another searches, so that `stop`, `ponderhit` and `isready` are handled during a search.
//!
//! Every `go` except `go perft` gets exactly one `bestmove`, in order, because programs such as polyglot send
//! `stop`, `position` and the next `go` without waiting. Only if too many searches are waiting is a `go`
//! refused, without a `bestmove`. `stop` applies to all searches requested before it, `position` and
//! `setoption` to those after it. The next `go` ends an infinite search.
//!
//! After a `position` that cannot be read, the answer to `go` is `bestmove (none)` until a valid one arrives.
//! Stockfish instead continues from the last legal turn in the list; but then the sender has a different
//! position on its board, and would get a turn and a score for the wrong one.
//!
//! The protocol is defined for chess but works for the other variants as well: the `UCI_Variant` option
//! chooses the variant, and a turn is written as the squares that it passes through.

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
