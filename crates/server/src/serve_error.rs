use std::io;

use adoube_store::StoreError;
use thiserror::Error;

use crate::{
    clock_check::ClockError,
    config::{SignInError, Thinking},
    entropy::EntropyError,
};

/// The reason a server cannot start or had to stop.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("cannot listen on {address}")]
    Listen { address: String, source: io::Error },
    #[error(
        "thinking = {0} needs a database that workers can open too: give the address of a PostgreSQL database \
         (--data postgres://ROLE@HOST/DATABASE), or set thinking = here"
    )]
    ThinkingElsewhere(Thinking),
    #[error(
        "a worker needs a database that several processes can open: give the address of a PostgreSQL database \
         (--data postgres://ROLE@HOST/DATABASE)"
    )]
    WorkerAlone,
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error("the store failed")]
    Store(#[from] StoreError),
    #[error(
        "another server, {address}, uses this database, and this server has no bus, so neither would learn what happens on the other. \
         Stop the other server, or start both with --bus nats://HOST:4222"
    )]
    BusNeeded { address: String },
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    #[error("the key that signs cookies is damaged: it is {0} bytes long")]
    Key(usize),
    #[error("the stored data cannot be loaded: {0}")]
    Begin(String),
}
