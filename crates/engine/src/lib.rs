//! The machine opponent for all variants of `adoube-rules`.
//!
//! It is an alpha-beta search, compiled once per variant and evaluator, over the steps of `adoube-rules`:
//! each step leads to a node, and the side to move changes only when the turn is over. The trait
//! [`Searchable`] describes the differences between variants (the values of men, whether null moves are
//! possible, the effect of a repetition), with one file per variant in [`game`]. If a small network plays
//! better than the hand-crafted evaluation, the network evaluates the positions ([`network`]). Networks learn
//! ([`training`]) from games that the engine plays against itself ([`datagen`]).
//!
//! The search does not read a clock or generate random numbers: the caller passes a seed, and a closure that
//! tells it when to stop. The same position, history, level and seed give the same turn, unless that closure
//! cuts the search short.
//!
//! ```
//! use adoube_engine::{AlphaBeta, Level, Opponent};
//! use adoube_rules::{AnyPosition, Variant, coordinate};
//!
//! // A smasher approaches the king on a4 and captures it (I3, I6).
//! let position = AnyPosition::from_fen(Variant::Interweave, "7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1")?;
//! let turn = AlphaBeta::default().choose(&position, &[], Level::LAST, 7, &|| false);
//! assert!(turn.is_some_and(|turn| coordinate::write(&position, &turn).eq("a1a3")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(clippy::cast_precision_loss, reason = "shares and node rates need only a few digits")]

mod bench;
#[cfg(not(target_family = "wasm"))]
pub mod datagen;
mod engine;
pub mod eval;
pub mod game;
mod helpers;
mod history;
mod levels;
mod limits;
mod memory;
pub mod network;
mod odds;
mod opponent;
mod ordering;
pub mod plain;
#[cfg(not(target_family = "wasm"))]
mod random;
mod score;
mod search;
mod skill;
mod time;
#[cfg(not(target_family = "wasm"))]
pub mod training;
mod transposition;
#[cfg(not(target_family = "wasm"))]
pub mod uci;

pub use bench::{BENCH_TABLE, bench};
pub use engine::{Engine, STACK, search};
pub use eval::{Evaluator, Repetition, Searchable};
pub use helpers::Helpers;
pub use levels::{Level, LevelElo};
pub use limits::{Budget, Control, Limits};
pub use network::{Network, NetworkEvaluator};
pub use odds::Odds;
pub use opponent::{AlphaBeta, Opponent};
#[cfg(not(target_family = "wasm"))]
pub use random::Random;
pub use score::Score;
pub use search::{Info, Parameters, ScoreBound, SearchReport};
pub use skill::Skill;
pub use time::ClockState;
pub use transposition::OutOfMemory;
