//! The engine as other programs see it: the Universal Chess Interface (Kahlen and Meyer-Kahlen, 2006), over any
//! pair of streams.
//!
//! A word that is not understood is passed over and told by an `info string`, and the rest of the line is tried, as
//! the specification asks. Nothing ends the program but `quit`, the end of the input and a closed output. One
//! thread reads; another one searches, so that `stop`, `ponderhit` and `isready` are heard while it does.
//!
//! Every `go` gets exactly one `bestmove`, and they come in order: programs such as polyglot send `stop`,
//! `position` and the next `go` at once. `stop` is for all searches asked for before it, `position` and `setoption`
//! for those after it. A search that never ends by itself is ended by the next `go`.
//!
//! After a `position` that cannot be read, `go` is answered by `bestmove (none)` until a good one comes. Stockfish
//! plays on from the last legal turn of the list; but the other side has another position on its board, and would
//! be given a turn, or a score, of a position that it does not see.
//!
//! The protocol knows neither Baroque nor Interweave, but everything it says of chess holds for them: the option
//! `UCI_Variant` chooses the game, and turns are written as the squares that they go through.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod command;
mod options;
mod session;
mod signals;
mod text;

pub use command::{Command, Go, Reading, Remark, Start};
pub use session::serve;
