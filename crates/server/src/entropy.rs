//! The source of randomness. The server receives it as a service and never uses the system's source directly,
//! so tests can control it.

use std::fmt::Debug;

use thiserror::Error;

/// The error when the system provides no randomness, without which no id or token can be created.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the system provides no randomness: {0}")]
pub struct EntropyError(pub String);

/// A source of random numbers for ids, tokens, keys and randomly chosen colours. They must be unpredictable.
pub trait Entropy: Send + Sync + Debug {
    fn random(&self) -> Result<u128, EntropyError>;
}

/// The system's source of randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn random(&self) -> Result<u128, EntropyError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| EntropyError(error.to_string()))?;
        Ok(u128::from_le_bytes(bytes))
    }
}
