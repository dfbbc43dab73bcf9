//! The engine as other programs see it: the Universal Chess Interface (Kahlen and Meyer-Kahlen, 2006), over any
//! pair of streams.
//!
//! What is not understood is answered with an `info string` and otherwise changes nothing, so that nothing that comes
//! in ends the program but `quit` and the end of the input. One thread reads; another one searches, so that
//! `stop`, `ponderhit` and `isready` are heard while it does.
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

pub use command::{Command, Go, ParseCommandError, Start};
pub use session::serve;
