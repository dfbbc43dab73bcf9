//! Time and randomness, which the server is given and never takes for itself.

use std::{
    fmt::Debug,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use adoube_protocol::Millis;
use thiserror::Error;

/// Tells the time that is written into the games. (Timeouts and limits go by tokio's clock.)
///
/// It never goes back nor jumps while the process lives: the clocks of the players go by it.
pub trait Clock: Send + Sync + Debug {
    fn now(&self) -> Millis;
}

/// The time of the system when the process began, and from there on what a clock says that nobody can set.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    begun: Instant,
    begun_at_ms: i64,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that all others ask")]
    pub fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { begun: Instant::now(), begun_at_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX) }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since = i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        Millis(self.begun_at_ms.saturating_add(since))
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
