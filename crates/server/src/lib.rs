//! The server: HTTP, sockets and rooms for the games.
//!
//! The services that it depends on are passed in: a [`Store`](adoube_store::Store), a
//! [`Bus`](adoube_bus::Bus), a [`Clock`], [`Entropy`], a [`Mailer`] and an [`Opponent`] for the machine. The
//! server contains no database code and no game rules; the rules are in `adoube-game` and `adoube-rules`.
//!
//! A command goes from the socket to `adoube-game`, and the resulting events go to the store in one durable
//! transaction. Only then are the events published to players and spectators, and the command acknowledged.
//!
//! # Modules
//!
//! | Subject | Modules |
//! |---|---|
//! | startup, composition and shutdown | `serve`, `listener`, `serve_error`, `app` (builds all services), `config`, `housekeeping` |
//! | HTTP | `router`, `base_path`, `handlers` (one file per subject), `pages`, `assets`, `list_header`, `origin_check`, `error`, `export`, `qr`, `write_timeout` |
//! | sockets | `socket`, `rooms` (the sockets of each game), `publisher`, `audience` |
//! | games | `games` (`games/ledger.rs` decides, appends and publishes), `deadlines`, `listed`, `pgn`, `stored` |
//! | administration | `administration` (acts, roles, audit log, pages of the house) |
//! | the hall | `hall` (seeks, challenges, presence), `chat`, `blocks` |
//! | the machine | `machine`, `fair_queue` |
//! | work for other processes | `worker` (a process that only computes), `claims`, `jobs`, `work_notice` |
//! | accounts and visitors | `auth`, `names`, `mail`, `push`, `studies`, `proofs` |
//! | several servers on one database | `nodes`, `lease`, `attendance`, `downtimes`, `changes`, `house_id` |
//! | time and randomness | `clock`, `clock_check`, `entropy` |
//! | limits and measurement | `limits`, `work`, `free_space`, `metrics`, `log_throttle` |
//! | operation | `maintenance`, `tidy` |
//! | fault simulation (tests only) | `simulation` |
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod administration;
mod app;
mod assets;
mod attendance;
mod audience;
mod auth;
mod base_path;
mod blocks;
mod changes;
mod chat;
mod claims;
mod clock;
mod clock_check;
mod config;
mod deadlines;
mod downtimes;
mod entropy;
mod error;
mod export;
mod fair_queue;
mod free_space;
mod games;
mod hall;
mod handlers;
mod house_id;
mod housekeeping;
mod jobs;
mod lease;
mod limits;
mod list_header;
mod listed;
mod listener;
mod log_throttle;
mod machine;
mod mail;
pub mod maintenance;
mod metrics;
mod names;
mod nodes;
mod origin_check;
mod pages;
mod pgn;
mod proofs;
mod publisher;
mod push;
mod qr;
mod rooms;
mod router;
mod serve;
mod serve_error;
#[cfg(test)]
mod simulation;
mod socket;
mod stored;
mod studies;
mod tidy;
mod work;
mod work_notice;
mod worker;
mod write_timeout;

use adoube_wire as wire;

pub use administration::{AdminError, Administration};
#[cfg(unix)]
pub use administration::{LocalSocket, ask_server};
pub use app::Services;
pub use auth::rotate_cookie_key;
pub use changes::{Announcement, announce};
pub use clock::{Clock, SystemClock};
pub use clock_check::{ClockCheck, ClockError};
pub use config::{
    ChoiceError, ClientSecret, Config, Hsts, IdentityHeader, IdentityHeaderError, Limits, Listen,
    ListenError, OpenIdSettings, Origin, OriginError, Preset, PublicAddress, PublicAddressError,
    PublicAddressProblem, PushSettings, SessionTimes, SignInError, SignInSettings, Thinking, Token,
    TokenError,
};
pub use entropy::{Entropy, EntropyError, SystemEntropy};
pub use house_id::house_id;
pub use limits::{Rate, RateError};
pub use listener::Inherited;
pub use machine::{FutureAnswer, FutureTurn, Opponent, OpponentRequest};
pub use mail::{Email, FolderMailer, MailError, Mailer, NoMailer};
pub use serve::{Server, serve};
pub use serve_error::ServeError;
pub use tidy::{Retention, RetentionPeriod, RetentionPeriodError, tidy};
pub use worker::Worker;

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_of_modules_is_complete() {
        let source = include_str!("lib.rs");
        let (table, code) = source.split_once("#![cfg_attr").expect("attributes after the documentation");
        let modules = code.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        let missing: Vec<_> = modules.filter(|name| !table.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "the table at the beginning of this file does not name {missing:?}");
    }
}
