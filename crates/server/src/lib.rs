//! The server: HTTP, sockets and rooms around the games.
//!
//! It is given all that it touches: a [`Store`](adoube_store::Store), a [`Bus`](adoube_bus::Bus), a [`Clock`],
//! [`Entropy`] and an [`Opponent`] for the machine. It decides nothing about chess (that is `adoube-game`) and knows
//! no database.
//!
//! A command goes from the socket to `game`, from there in one durable transaction to the store, and only then is
//! it acknowledged and told to all who look on.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod ambient;
mod app;
mod assets;
mod config;
mod error;
mod games;
mod handlers;
mod identity;
mod limits;
mod machine;
mod pgn;
mod router;
mod serve;
mod socket;
mod wire;

pub use ambient::{Clock, Entropy, EntropyError, SystemClock, SystemEntropy};
pub use app::Services;
pub use config::{Config, ConfigError, Limits, Origin};
pub use machine::{Opponent, OpponentRequest};
pub use serve::{ServeError, Server, serve};
