//! The keys that sign visitors' cookies and the tokens of known browsers, and their rotation.

use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::Store;
use axum_extra::extract::cookie::Key;

use crate::{
    entropy::{Entropy, EntropyError},
    serve_error::ServeError,
};

/// The names of the secrets in the store: the current and the previous cookie key, and the key that signs the
/// tokens of known browsers.
const CURRENT: &str = "cookie-key";
const PREVIOUS: &str = "cookie-key-before";
const DEVICES: &str = "account-key";
/// The number of 16-byte random numbers in a cookie key, and in a device key.
const KEY_NUMBERS: usize = 4;
const DEVICE_NUMBERS: usize = 2;
/// The length of a cookie key in bytes.
const LENGTH: usize = 16 * KEY_NUMBERS;

/// The keys of a house. They are stored, so cookies remain valid after a restart and are valid in all
/// processes.
#[derive(Clone)]
pub(crate) struct CookieKeys {
    /// Signs new cookies.
    pub(crate) current: Key,
    /// The previous key and the end of its validity. A cookie signed with it is re-signed with the current
    /// key when it is next received.
    previous: Option<(Key, Millis)>,
    /// Signs the tokens of known browsers.
    pub(crate) devices: Vec<u8>,
}

impl CookieKeys {
    async fn read(store: &dyn Store, entropy: &dyn Entropy) -> Result<Self, ServeError> {
        let current = store.secret(CURRENT, &random_bytes(entropy, KEY_NUMBERS)?).await?;
        let stored = store.secret(PREVIOUS, &[]).await?;
        let previous = match stored.split_at_checked(LENGTH) {
            None => None,
            Some((bytes, until)) => {
                let until = until.try_into().map_err(|_| ServeError::Key(stored.len()))?;
                Some((key(bytes)?, Millis(i64::from_be_bytes(until))))
            }
        };
        let devices = store.secret(DEVICES, &random_bytes(entropy, DEVICE_NUMBERS)?).await?;
        Ok(Self { current: key(&current)?, previous, devices })
    }

    /// Returns the previous key if it is still valid.
    pub(crate) fn previous(&self, now: Millis) -> Option<&Key> {
        self.previous.as_ref().filter(|(_, until)| now < *until).map(|(key, _)| key)
    }
}

/// A cache of the keys as last read from the store.
pub(crate) struct Keyring {
    store: Arc<dyn Store>,
    entropy: Arc<dyn Entropy>,
    keys: RwLock<Arc<CookieKeys>>,
}

impl Keyring {
    pub(crate) async fn open(store: Arc<dyn Store>, entropy: Arc<dyn Entropy>) -> Result<Self, ServeError> {
        let keys = RwLock::new(Arc::new(CookieKeys::read(&*store, &*entropy).await?));
        Ok(Self { store, entropy, keys })
    }

    pub(crate) fn keys(&self) -> Arc<CookieKeys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the keys again, because they may have been replaced.
    pub(crate) async fn reload(&self) -> Result<(), ServeError> {
        let keys = Arc::new(CookieKeys::read(&*self.store, &*self.entropy).await?);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(())
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").finish_non_exhaustive()
    }
}

fn key(bytes: &[u8]) -> Result<Key, ServeError> {
    Key::try_from(bytes).map_err(|_| ServeError::Key(bytes.len()))
}

/// Replaces the cookie key. Servers use the new key after their next start, or when they are notified
/// ([`announce`](crate::announce)).
///
/// The previous key stays valid for `valid_for`. With `None` it is revoked immediately, which is necessary if
/// it has leaked. Visitors without an account then lose their identity, and accounts no longer recognise
/// browsers.
///
/// # Errors
///
/// If the store cannot be written to, or the system cannot provide randomness.
pub async fn rotate_cookie_key(
    store: &dyn Store,
    entropy: &dyn Entropy,
    now: Millis,
    valid_for: Option<Duration>,
) -> Result<(), ServeError> {
    let fresh = random_bytes(entropy, KEY_NUMBERS)?;
    let mut previous = Vec::new();
    if let Some(valid_for) = valid_for {
        previous = store.secret(CURRENT, &fresh).await?;
        let until = now.0.saturating_add(i64::try_from(valid_for.as_millis()).unwrap_or(i64::MAX));
        previous.extend(until.to_be_bytes());
    } else {
        store.set_secret(DEVICES, &random_bytes(entropy, DEVICE_NUMBERS)?).await?;
    }
    // The current key is replaced last: if that write fails, cookies signed with it remain valid.
    store.set_secret(PREVIOUS, &previous).await?;
    store.set_secret(CURRENT, &fresh).await?;
    Ok(())
}

/// Returns `numbers` random numbers as bytes, 16 bytes per number.
pub(crate) fn random_bytes(entropy: &dyn Entropy, numbers: usize) -> Result<Vec<u8>, EntropyError> {
    let mut bytes = Vec::with_capacity(numbers * 16);
    for _ in 0..numbers {
        bytes.extend(entropy.random()?.to_le_bytes());
    }
    Ok(bytes)
}
