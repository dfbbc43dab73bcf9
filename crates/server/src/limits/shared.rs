//! Limits that protect people. All nodes of a house count them together.
//!
//! A request is first counted in memory, as for any other limit, so a flood of refused requests does not
//! reach the store: a request that exceeds the limit on one node also exceeds the shared limit. Only a
//! request that passes is then counted in the store. If only one process can open the store, counting in
//! memory is enough.
//!
//! If the store does not respond, the request fails with the store's error, like all other requests that need
//! the store, and the tokens taken in memory are refunded. So an outage cannot be exploited to guess
//! passwords, and does not use up the account owner's attempts.

use std::{fmt, sync::Arc};

use adoube_store::{BucketKey, Store, TakeOutcome, TokenRequest};
use sha2::{Digest as _, Sha256};

use super::{Rate, Wait};
use crate::{ServeError, auth::random_bytes, clock::Clock, entropy::Entropy, error::Error};

/// The part of the limits that is counted in the store.
#[derive(Clone, Debug)]
pub(crate) struct SharedLimits {
    /// `None` if only this process serves the house.
    shared: Option<Shared>,
}

#[derive(Clone, Debug)]
struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// The key for hashing the owners of buckets. The store contains only hashes, so it reveals neither the
    /// owners nor a password typed by mistake as a name.
    key: Arc<[u8]>,
}

impl SharedLimits {
    /// Returns limits that are counted only in memory.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self { shared: None }
    }

    /// Returns limits that are counted in the store if several processes can open it. The first of these
    /// processes generates the key for the hashes.
    pub(crate) async fn open(
        store: &Arc<dyn Store>,
        clock: &Arc<dyn Clock>,
        entropy: &dyn Entropy,
    ) -> Result<Self, ServeError> {
        if !store.is_shared() {
            return Ok(Self { shared: None });
        }
        let key = store.secret("limit-key", &random_bytes(entropy, 2)?).await?.into();
        let (store, clock) = (Arc::clone(store), Arc::clone(clock));
        Ok(Self { shared: Some(Shared { store, clock, key }) })
    }

    /// Takes tokens from all buckets, or from none if one of them has too few.
    pub(crate) async fn take(&self, buckets: &[SharedBucket]) -> Result<(), Error> {
        let Some(shared) = &self.shared else { return Ok(()) };
        match shared.store.take(&shared.token_requests(buckets), shared.clock.now()).await? {
            TakeOutcome::Done => Ok(()),
            TakeOutcome::Wait(wait) => Err(Wait(wait).into()),
        }
    }

    /// Refunds attempts that turned out to be harmless. If the store does not respond, nothing is refunded,
    /// and the buckets refill with time.
    pub(crate) async fn return_tokens(&self, buckets: &[SharedBucket]) {
        let Some(shared) = &self.shared else { return };
        if let Err(error) =
            shared.store.return_tokens(&shared.token_requests(buckets), shared.clock.now()).await
        {
            tracing::warn!(%error, "could not refund harmless attempts; they count until the buckets refill");
        }
    }
}

impl Shared {
    fn token_requests(&self, buckets: &[SharedBucket]) -> Vec<TokenRequest> {
        buckets.iter().map(|bucket| bucket.take(&self.key)).collect()
    }
}

/// A number of tokens to take from, or return to, a bucket in the store.
#[derive(Clone, Debug)]
pub(crate) struct SharedBucket {
    /// The kind of action that is counted.
    kind: &'static str,
    /// The owner of the bucket.
    key: String,
    rate: Rate,
    cost: u64,
}

impl SharedBucket {
    /// Returns a request for one token from the bucket of this kind and key.
    pub(crate) fn one_token(kind: &'static str, key: &dyn fmt::Display, rate: Rate) -> Self {
        Self::tokens(kind, key, rate, 1)
    }

    pub(crate) fn tokens(kind: &'static str, key: &dyn fmt::Display, rate: Rate, cost: u64) -> Self {
        Self { kind, key: key.to_string(), rate, cost }
    }

    fn take(&self, key: &[u8]) -> TokenRequest {
        let period = i64::try_from(self.rate.period.as_micros()).unwrap_or(i64::MAX);
        // A cost above the capacity empties the bucket, because it could otherwise never be paid. The product
        // of the largest count and period needs 128 bits.
        let cost = self.cost.min(self.rate.count);
        let cost_us = i128::from(period) * i128::from(cost) / i128::from(self.rate.count.max(1));
        TokenRequest {
            bucket: self.bucket(key),
            cost_us: i64::try_from(cost_us).unwrap_or(period),
            max_us: period,
        }
    }

    fn bucket(&self, key: &[u8]) -> BucketKey {
        let mut hash = Sha256::new();
        // Each part is preceded by its length, which makes the concatenation unambiguous.
        for part in [key, self.kind.as_bytes(), self.key.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut bucket = BucketKey::default();
        bucket.iter_mut().zip(hash.finalize()).for_each(|(byte, hashed)| *byte = hashed);
        bucket
    }
}
