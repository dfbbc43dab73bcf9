//! The key that signs requests to push services.

use adoube_push::{VapidKey, is_private_key};
use adoube_store::Store;

use crate::{
    auth::random_bytes,
    entropy::{Entropy, EntropyError},
    serve_error::ServeError,
};

/// The name of the key among the secrets of the house.
const NAME: &str = "push-key";

/// Returns the key of the house, which all its processes share. Browsers subscribe to messages from this key,
/// so it never changes.
pub(super) async fn open(
    store: &dyn Store,
    entropy: &dyn Entropy,
) -> Result<[u8; VapidKey::BYTES], ServeError> {
    let stored = store.secret(NAME, &random_private_key(entropy)?).await?;
    let key = <[u8; VapidKey::BYTES]>::try_from(&*stored).ok().filter(|key| is_private_key(key));
    key.ok_or_else(|| ServeError::Begin(format!("the secret {NAME:?}, the key of notifications, is damaged")))
}

/// Returns random bytes that are a private key. All but about one in four thousand million are.
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
