//! Randomness, which the server is given and never takes for itself.

use std::fmt::Debug;

use thiserror::Error;

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
