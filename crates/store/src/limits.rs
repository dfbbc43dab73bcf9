//! Token buckets that all nodes share, so that an attacker gains nothing from using several nodes.
//!
//! A bucket is stored as the time at which it will be full again. Taking tokens delays that time by as long
//! as these tokens take to refill. A request is refused if the bucket would then take longer to refill than
//! an empty one. A bucket without a row is full, so old rows can be deleted at any time. Losing all rows, for
//! instance in a crash, only fills the buckets.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use adoube_vocabulary::Millis;
use async_trait::async_trait;

use crate::Result;

/// The key of a bucket. It is a keyed hash, so that the store does not reveal whose requests were counted.
pub type BucketKey = [u8; 16];

/// Tokens to take from a bucket.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TokenRequest {
    pub bucket: BucketKey,
    /// The time that the tokens take to refill, in microseconds; at most `max_us`.
    pub cost_us: i64,
    /// The time that the usable part of the bucket takes to refill, in microseconds.
    pub max_us: i64,
}

/// The outcome of [`LimitStore::take`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TakeOutcome {
    Done,
    /// No tokens were taken, because some bucket has too few. After this time all buckets may have enough.
    Wait(Duration),
}

#[async_trait]
pub trait LimitStore: Send + Sync {
    /// Takes from all of these buckets or from none. Each bucket may be named only once. `now` is the time by
    /// the clock that all nodes share.
    async fn take(&self, requests: &[TokenRequest], now: Millis) -> Result<TakeOutcome>;

    /// Refunds the tokens that were taken for a request that turned out to be harmless.
    async fn return_tokens(&self, requests: &[TokenRequest], now: Millis) -> Result<()>;
}

/// In-memory buckets, for a store that only one process can open.
#[derive(Debug, Default)]
pub struct MemoryLimits {
    /// The times at which the buckets will be full, in microseconds.
    refill_times: Mutex<HashMap<BucketKey, i64>>,
}

impl MemoryLimits {
    /// The number of buckets at which full ones are removed.
    const CLEANUP_THRESHOLD: usize = 10_000;

    pub fn take(&self, requests: &[TokenRequest], now: Millis) -> TakeOutcome {
        let now_us = now.0.saturating_mul(1_000);
        let mut buckets = self.refill_times.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = |buckets: &HashMap<_, _>, request: &TokenRequest| {
            buckets.get(&request.bucket).copied().unwrap_or(now_us).max(now_us) + request.cost_us
        };
        let wait = requests.iter().map(|request| full_at(&buckets, request) - request.max_us - now_us).max();
        if let Some(wait) = wait.filter(|wait| *wait > 0) {
            return TakeOutcome::Wait(Duration::from_micros(wait.unsigned_abs()));
        }
        if buckets.len() >= Self::CLEANUP_THRESHOLD {
            buckets.retain(|_, full_at| *full_at > now_us);
        }
        for request in requests {
            let full_at = full_at(&buckets, request);
            buckets.insert(request.bucket, full_at);
        }
        TakeOutcome::Done
    }

    pub fn return_tokens(&self, requests: &[TokenRequest]) {
        let mut buckets = self.refill_times.lock().unwrap_or_else(PoisonError::into_inner);
        for request in requests {
            if let Some(full_at) = buckets.get_mut(&request.bucket) {
                *full_at -= request.cost_us;
            }
        }
    }
}
