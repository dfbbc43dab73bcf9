use std::{io, net::SocketAddr};

use adoube_store::StoreError;
use thiserror::Error;

use crate::{clock_check::ClockError, entropy::EntropyError};

/// The reason why a server cannot start, or had to stop.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("the machine's threads cannot be started")]
    Threads(#[source] io::Error),
    #[error("the store failed")]
    Store(#[from] StoreError),
    #[error(
        "another server, {address}, uses this database, and this one has no bus: neither would learn what happens at the other. \
         Stop the other one, or start each with --bus nats://HOST:4222"
    )]
    BusNeeded { address: String },
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    #[error("the key that signs cookies is damaged: it has {0} bytes")]
    Key(usize),
    #[error("the stored data cannot be loaded: {0}")]
    Begin(String),
}
