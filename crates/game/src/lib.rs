//! One game as a pure state machine: `(state, command, now) → events or refusal`.
//!
//! Nothing here reads a clock, draws a random number or knows where events are stored. A game is the result
//! of its events: [`Game::replay`] rebuilds it from them, and [`Game::advance`] returns the events that a
//! command produces and the game after them, without changing the game itself.
//!
//! ```
//! use adoube_game::{Act, DrawRules, Game, NewGame, Options, Seat, TimeControl};
//! use adoube_rules::{ByColor, Color, Variant};
//! use adoube_vocabulary::PlayerId;
//!
//! let person = |random| Seat::Person { player: PlayerId::from_random(random) };
//! let (mut game, _) = Game::create(
//!     NewGame {
//!         variant: Variant::Chess,
//!         fen: None,
//!         draw_rules: DrawRules::Club,
//!         seats: ByColor { white: person(1), black: person(2) },
//!         options: Options {
//!             clock: TimeControl::Fischer { initial_ms: 300_000, increment_ms: 2_000 },
//!             ..Options::default()
//!         },
//!     },
//!     0,
//! )?;
//! for (turn, now_ms) in [("f2f3", 4_000), ("e7e5", 9_000), ("g2g4", 12_000), ("d8h4", 13_500)] {
//!     let play = Act::Play { version: game.version(), turn: turn.into() };
//!     (_, game) = game.advance(&play.by(game.side_to_move()), now_ms)?;
//! }
//! assert_eq!(game.ending().unwrap().winner(), Some(Color::Black));
//! // The first turn of each side is free; the second took White 3 s and Black 1.5 s.
//! let left = game.clock_at(60_000).unwrap();
//! assert_eq!((left.white, left.black), (301_000, 302_500));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod asides;
mod clock;
mod command;
mod conditions;
mod ending;
mod event;
mod game;
mod offers;
mod options;
mod record;
mod refusal;
mod rematch;
mod time_control;
mod touch;

pub use asides::{
    ASIDES_GAINED, ASIDES_PER_GAME, ASIDES_PER_TURN, CONDITIONS_GAINED, CONDITIONS_PER_GAME,
    CONDITIONS_PER_TURN,
};
pub use clock::{
    ClockView, GIFT_MS, LAG_ALLOWANCE_MS, LAG_PER_TURN_MS, LAG_REGAINED_MS, MAX_GIVEN_MS, Times,
};
pub use command::{Act, ActContext, Command};
pub use conditions::{Condition, MAX_CONDITIONS, MAX_CONDITIONS_DEPTH};
pub use ending::{EndReason, Ending, GameResult};
pub use event::{DrawRules, Event, EventKind, SCHEMA, Schema, Seat, Seats, UnknownSchema};
pub use game::{
    AdvanceError, CreateError, Game, LEFT_AFTER_MS, MachineDuty, MachineTask, NewGame, ReplayError,
};
pub use options::{MatchGame, Options};
pub use record::PlayedTurn;
pub use refusal::Refusal;
pub use time_control::{
    LONG_FIRST_TURN_MS, MAX_DAYS_PER_TURN, MAX_INITIAL_MS, MAX_PER_TURN_MS, SHORT_FIRST_TURN_MS, TimeControl,
    TimeControlError,
};
pub use touch::{ADJUSTS_PER_TURN, Obligation, TOUCH_STEPS, TouchOutcome};
