//! One game as a pure state machine: `(state, command, now) → events or refusal`.
//!
//! Nothing here reads a clock, draws a random number or knows where events are kept. A game is what its events
//! make of it: [`Game::replay`] rebuilds it, and [`Game::decide`] never changes it but says which events would.
//!
//! ```
//! use adoube_game::{Command, DrawRules, Game, NewGame, Seat};
//! use adoube_rules::{ByColor, Color, Variant};
//!
//! let person = |name: &str| Seat::Person { player: name.into() };
//! let (mut game, _) = Game::create(
//!     NewGame {
//!         variant: Variant::Chess,
//!         fen: None,
//!         draw_rules: DrawRules::Club,
//!         seats: ByColor { white: person("anna"), black: person("bela") },
//!     },
//!     0,
//! )?;
//! for (ply, turn) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
//!     let by = game.turn();
//!     for event in game.decide(&Command::Play { by, turn: turn.into(), ply }, 1000)? {
//!         game.apply(&event)?;
//!     }
//! }
//! assert_eq!(game.ending().unwrap().winner(), Some(Color::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod ending;
mod event;
mod game;

pub use command::{Command, Refusal};
pub use ending::{Ending, GameResult, Reason};
pub use event::{DrawRules, Event, EventKind, SCHEMA, Schema, Seat, Seats, UnknownSchema};
pub use game::{CreateError, Game, NewGame, PlayedTurn, ReplayError};
