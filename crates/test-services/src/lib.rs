//! Servers for tests, in temporary folders and on free ports.
//!
//! A server is stopped and its folder deleted when its value is dropped, and also when the test process ends
//! without dropping it: because it exits while the value is in a `static`, or because a signal kills it
//! ([`Cleanup`]).
//!
//! A test begins with [`or_skip`]. If the program is not installed, the test says so and is skipped; with
//! the `CI` variable set, it fails.

mod cleanup;
mod identity_provider;
mod nats;
mod nginx;
mod postgres;
mod program;

use thiserror::Error;

pub use cleanup::Cleanup;
pub use identity_provider::{Fault, IdentityProvider, Person};
pub use nats::Nats;
pub use nginx::Nginx;
pub use postgres::{Durability, Postgres};
pub use program::{Account, find_program, free_port, unprivileged_account};

/// The reason why a server was not started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program is not installed.
    #[error("{program} is not installed: {install}")]
    Missing { program: &'static str, install: &'static str },
    /// The program is installed but did not start. If it wrote a log, `reason` contains the log or its end.
    #[error("{program} did not start: {reason}")]
    Failed { program: &'static str, reason: String },
}

impl StartError {
    pub(crate) fn failed(program: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Failed { program, reason: reason.to_string() }
    }
}

/// Returns the server. If its program is not installed, prints a message and returns `None`; the test should
/// then return.
///
/// # Panics
///
/// If the program is not installed and the `CI` variable is set, or if it is installed but did not start.
pub fn or_skip<T>(started: Result<T, StartError>) -> Option<T> {
    match started {
        Ok(server) => Some(server),
        Err(missing @ StartError::Missing { .. }) if std::env::var_os("CI").is_none() => {
            eprintln!("skipped: {missing}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}
