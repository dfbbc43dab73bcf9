//! What the analysis board needs beside the rules, for the browser: the engine, PGN, and setups to be edited.
//!
//! The page loads it twice: in a worker, which searches, and beside the rules, to read and write games. Everything
//! crosses as text or as JSON whose types a test writes into `web/src/lib/analysis-types.ts`. Nothing here has words
//! for people: refusals are codes with arguments.
//!
//! It is compiled twice, for pages whose threads can share memory and for those whose cannot: with shared memory other workers can
//! help with a search.
//!
//! A module of its own, so that pages without analysis do not load the search; its networks are files of their own, of
//! which the worker fetches the one of its game.

#![expect(
    clippy::cast_precision_loss,
    reason = "numbers of the page are exact to 2⁵³, which no search counts to"
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
pub use setup::{EnPassantView, ManView, SetupView, StoreView, passed, read_setup, write_setup};

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A refusal on its way to the page.
fn refuse(code: &'static str) -> String {
    json(&[Refusal::new(code, [])])
}

fn parse_variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|_| refuse("variant"))
}

/// Reads what the page has sent; a page that sends anything else than it should is told that it is unknown.
fn parse_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|_| refuse("unknown"))
}
