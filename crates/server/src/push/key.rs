//! The key that signs requests to push services.

use adoube_push::{VapidKey, is_private_key};
use adoube_store::Store;

use crate::{
    auth::random_bytes,
    entropy::{Entropy, EntropyError},
    serve_error::ServeError,
};

/// The name under which the store keeps the key.
const NAME: &str = "push-key";

/// Returns the house's key, which all its processes share. It never changes, because a browser's subscription
/// is bound to it.
pub(super) async fn open(
    store: &dyn Store,
    entropy: &dyn Entropy,
) -> Result<[u8; VapidKey::BYTES], ServeError> {
    let stored = store.secret(NAME, &random_private_key(entropy)?).await?;
    let key = <[u8; VapidKey::BYTES]>::try_from(&*stored).ok().filter(|key| is_private_key(key));
    key.ok_or_else(|| {
        ServeError::Begin(format!("the secret {NAME:?}, the key for notifications, is damaged"))
    })
}

/// Returns random bytes that form a valid private key. About one in four billion 32-byte values is invalid.
pub(super) fn random_private_key(entropy: &dyn Entropy) -> Result<[u8; VapidKey::BYTES], EntropyError> {
    let mut key = [0; VapidKey::BYTES];
    loop {
        for (part, random) in key.iter_mut().zip(random_bytes(entropy, 2)?) {
            *part = random;
        }
        if is_private_key(&key) {
            return Ok(key);
        }
    }
}
