//! The parts of the analysis board for the browser, other than the rules: the engine, PGN, and the setup
//! editor.
//!
//! The page loads the module twice: in a worker to search, and in the main thread to read and write games.
//! Arguments and results are simple values, bytes, or JSON whose types a test writes to
//! `web/src/lib/analysis-types.ts`. This crate contains no user-visible text: refusals are codes with
//! arguments.
//!
//! It is compiled twice: for pages in which threads can share memory, and for pages in which they cannot.
//! With shared memory, other workers can help with a search.
//!
//! This is a separate module so that pages without analysis do not load the search. The networks are separate
//! files; the worker fetches the one it needs.

#![expect(
    clippy::cast_precision_loss,
    reason = "numbers in JavaScript are exact up to 2⁵³, which no search reaches"
)]

mod engine;
mod pgn;
mod setup;

#[cfg(test)]
mod export;

use adoube_refusal::Refusal;
use adoube_rules::Variant;
use serde::{Serialize, de::DeserializeOwned};

#[cfg(any(target_feature = "atomics", not(target_family = "wasm")))]
pub use engine::help;
pub use engine::{AnswerView, EngineHandle, InfoView, Listener, PvView, SearchRequest};
pub use pgn::{GameView, LineView, NodeView, PgnFile, PgnProblem, PgnView, TagView, read_pgn, write_pgn};
pub use setup::{EnPassantView, ManView, ReserveView, SetupView, after_passing, read_setup, write_setup};

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a refusal in the form that the page receives.
fn refuse(code: &'static str) -> String {
    json(&[Refusal::new(code, [])])
}

fn parse_variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|_| refuse("variant"))
}

/// Parses JSON from the page. Invalid JSON is refused.
fn parse_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|_| refuse("unknown"))
}
