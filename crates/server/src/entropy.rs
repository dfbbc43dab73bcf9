//! Entropy. The server receives a source and never asks the system itself.

use std::fmt::Debug;

use thiserror::Error;

/// The system provided no randomness, without which no identity can be assigned.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the system provides no randomness: {0}")]
pub struct EntropyError(pub String);

/// Source of the random numbers for ids, tokens, keys and drawn colours. They must not be predictable.
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
