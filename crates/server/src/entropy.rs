//! The source of randomness. The server is given one and never uses the system's source directly.

use std::fmt::Debug;

use thiserror::Error;

/// The system provided no randomness, without which no identity can be assigned.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the system provides no randomness: {0}")]
pub struct EntropyError(pub String);

/// Source of the random numbers for ids, tokens, keys and randomly chosen colors. They must be unpredictable.
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
