//! Time and randomness, which the server is given and never takes for itself.

use std::{
    fmt::Debug,
    time::{SystemTime, UNIX_EPOCH},
};

use adoube_protocol::Millis;
use thiserror::Error;

/// Tells the time that is written into the games. (Timeouts and limits go by tokio's clock.)
pub trait Clock: Send + Sync + Debug {
    fn now(&self) -> Millis;
}

/// The clock of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that all others ask")]
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The system gave no randomness, without which nobody can be given an identity.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the system gives no randomness: {0}")]
pub struct EntropyError(pub String);

/// Gives the random numbers of ids, tokens, keys and drawn colours. Nobody must be able to guess them.
pub trait Entropy: Send + Sync + Debug {
    fn random(&self) -> Result<u128, EntropyError>;
}

/// The randomness of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn random(&self) -> Result<u128, EntropyError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| EntropyError(error.to_string()))?;
        Ok(u128::from_le_bytes(bytes))
    }
}
