//! The key that signs the cookies of visitors without an account, and its rotation.

use std::time::Duration;

use adoube_protocol::Millis;
use adoube_store::Store;
use axum_extra::extract::cookie::Key;

use crate::{
    entropy::{Entropy, EntropyError},
    serve_error::ServeError,
};

/// The names of the secrets in the store. The last one signs the marks by which accounts know a browser.
const CURRENT: &str = "cookie-key";
const BEFORE: &str = "cookie-key-before";
const DEVICES: &str = "account-key";
/// Random numbers of 16 bytes in a key of cookies, and in one of devices.
const KEY_NUMBERS: usize = 4;
const DEVICE_NUMBERS: usize = 2;
/// Bytes of a key.
const LENGTH: usize = 16 * KEY_NUMBERS;

/// Kept in the store: identities outlive the process, and several processes agree on them.
#[derive(Clone)]
pub(crate) struct CookieKeys {
    /// Signs.
    pub(crate) current: Key,
    /// Is believed until then: what it has signed is signed anew when it is seen.
    before: Option<(Key, Millis)>,
}

impl CookieKeys {
    pub(crate) async fn read(store: &dyn Store, entropy: &dyn Entropy) -> Result<Self, ServeError> {
        let current = store.secret(CURRENT, &random_bytes(entropy, KEY_NUMBERS)?).await?;
        let kept = store.secret(BEFORE, &[]).await?;
        let before = match kept.split_at_checked(LENGTH) {
            None => None,
            Some((before, until)) => {
                let until = until.try_into().map_err(|_| ServeError::Key(kept.len()))?;
                Some((key(before)?, Millis(i64::from_be_bytes(until))))
            }
        };
        Ok(Self { current: key(&current)?, before })
    }

    /// Returns the key that was there before, if it is still believed.
    pub(crate) fn before(&self, now: Millis) -> Option<&Key> {
        self.before.as_ref().filter(|(_, until)| now < *until).map(|(key, _)| key)
    }
}

fn key(bytes: &[u8]) -> Result<Key, ServeError> {
    Key::try_from(bytes).map_err(|_| ServeError::Key(bytes.len()))
}

/// Returns the key that signs the marks by which accounts know a browser.
pub(crate) async fn device_key(store: &dyn Store, entropy: &dyn Entropy) -> Result<Vec<u8>, ServeError> {
    Ok(store.secret(DEVICES, &random_bytes(entropy, DEVICE_NUMBERS)?).await?)
}

/// Makes a new key for cookies; servers have it from their next start on.
///
/// The one of before is believed for so long. Without such a time it is forgotten at once, as is right if others may have it: visitors
/// without an account are strangers then, and accounts know no browser.
///
/// # Errors
///
/// If the store cannot be written, or there is no randomness.
pub async fn rotate_cookie_key(
    store: &dyn Store,
    entropy: &dyn Entropy,
    now: Millis,
    believed: Option<Duration>,
) -> Result<(), ServeError> {
    let fresh = random_bytes(entropy, KEY_NUMBERS)?;
    let mut before = Vec::new();
    if let Some(believed) = believed {
        before = store.secret(CURRENT, &fresh).await?;
        let until = now.0.saturating_add(i64::try_from(believed.as_millis()).unwrap_or(i64::MAX));
        before.extend(until.to_be_bytes());
    } else {
        store.set_secret(DEVICES, &random_bytes(entropy, DEVICE_NUMBERS)?).await?;
    }
    // In this order: if the second write fails, both secrets hold the same key, and every cookie stays valid.
    store.set_secret(BEFORE, &before).await?;
    store.set_secret(CURRENT, &fresh).await?;
    Ok(())
}

/// Returns so many random numbers of 16 bytes.
pub(crate) fn random_bytes(entropy: &dyn Entropy, numbers: usize) -> Result<Vec<u8>, EntropyError> {
    let mut bytes = Vec::with_capacity(numbers * 16);
    for _ in 0..numbers {
        bytes.extend(entropy.random()?.to_le_bytes());
    }
    Ok(bytes)
}
