use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::Rate;

/// The time until enough tokens are available.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Wait(pub(crate) Duration);

impl Wait {
    /// Returns the wait as sent to clients, rounded up to whole seconds, at least one.
    pub(crate) fn seconds(self) -> u64 {
        self.0.as_secs() + u64::from(self.0.subsec_nanos() > 0 || self.0.is_zero())
    }
}

/// A token bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenBucket {
    tokens: f64,
    counted_at: Instant,
}

impl TokenBucket {
    pub(crate) fn full(rate: Rate) -> Self {
        Self { tokens: capacity(rate), counted_at: Instant::now() }
    }

    /// Takes `cost` tokens if at least `reserve` remain; otherwise returns the time until that is possible.
    ///
    /// A cost that even a full bucket could not pay takes everything above the reserve, because it could
    /// otherwise never be paid.
    pub(crate) fn spend(&mut self, rate: Rate, cost: f64, reserve: f64) -> Result<(), Wait> {
        self.refill(rate);
        let reserve = reserve.clamp(0.0, capacity(rate));
        let cost = cost.min(capacity(rate) - reserve);
        let shortfall = cost + reserve - self.tokens;
        // The tolerance of a millionth absorbs rounding errors.
        if shortfall > 1e-6 {
            let seconds = (shortfall / per_second(rate)).min(MAX_SECONDS);
            return Err(Wait(Duration::from_secs_f64(seconds)));
        }
        self.tokens = (self.tokens - cost).max(0.0);
        Ok(())
    }

    /// Refunds tokens that were taken for an action that did not happen.
    pub(crate) fn refund(&mut self, rate: Rate, cost: f64) {
        self.tokens = (self.tokens + cost).min(capacity(rate));
    }

    fn refill(&mut self, rate: Rate) {
        let now = Instant::now();
        let earned = now.duration_since(self.counted_at).as_secs_f64() * per_second(rate);
        self.tokens = (self.tokens + earned).min(capacity(rate));
        self.counted_at = now;
    }
}

/// The upper bound of a wait in seconds: a month, the longest period of a rate.
const MAX_SECONDS: f64 = 31.0 * 86_400.0;

#[expect(clippy::cast_precision_loss, reason = "every count of a rate is exact as a float")]
fn capacity(rate: Rate) -> f64 {
    rate.count as f64
}

fn per_second(rate: Rate) -> f64 {
    capacity(rate) / rate.period.as_secs_f64().max(f64::MIN_POSITIVE)
}

/// A token bucket for each key.
///
/// The table holds at most [`MAX_KEYS`](Self::MAX_KEYS) entries of about 100 bytes. When it is full, the keys
/// with the most tokens left are dropped first. So a new key is never refused because of others, and an
/// exhausted key is kept as long as there are keys that have used fewer tokens.
#[derive(Debug)]
pub(crate) struct Buckets<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, TokenBucket>>,
}

impl<K: Clone + Eq + Hash> Buckets<K> {
    pub(crate) const MAX_KEYS: usize = 20_000;

    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::default() }
    }

    pub(crate) fn rate(&self) -> Rate {
        self.rate
    }

    /// Takes one token, or returns the time until one is available.
    pub(crate) fn spend(&self, key: K) -> Result<(), Wait> {
        self.spend_cost(key, 1.0, 0.0)
    }

    /// Takes `cost` tokens if at least the share `reserve` of the capacity remains; otherwise returns the
    /// time until that is possible.
    pub(crate) fn spend_cost(&self, key: K, cost: f64, reserve: f64) -> Result<(), Wait> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= Self::MAX_KEYS && !buckets.contains_key(&key) {
            drop_fullest(&mut buckets, self.rate);
        }
        let bucket = buckets.entry(key).or_insert_with(|| TokenBucket::full(self.rate));
        bucket.spend(self.rate, cost, reserve * capacity(self.rate))
    }

    /// Refunds tokens that were taken for an action that did not happen, or that turned out to be harmless.
    pub(crate) fn refund(&self, key: &K, cost: f64) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(key) {
            bucket.refund(self.rate, cost);
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.buckets.lock().unwrap().len()
    }
}

/// Drops an eighth of the keys, those with the most tokens left. Because many keys are dropped at a time, a
/// full table is searched only once for thousands of new keys.
fn drop_fullest<K: Clone + Eq + Hash>(buckets: &mut HashMap<K, TokenBucket>, rate: Rate) {
    let mut by_tokens = buckets
        .iter_mut()
        .map(|(key, bucket)| {
            bucket.refill(rate);
            (bucket.tokens, key.clone())
        })
        .collect::<Vec<_>>();
    let drop_count = by_tokens.len() / 8;
    by_tokens.select_nth_unstable_by(drop_count, |(one, _), (other, _)| other.total_cmp(one));
    for (_, key) in &by_tokens[..drop_count] {
        buckets.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::new(100, Duration::from_secs(20));

    #[tokio::test(start_paused = true)]
    async fn a_bucket_refills_with_time() {
        let mut bucket = TokenBucket::full(RATE);
        assert!((0..100).all(|_| bucket.spend(RATE, 1.0, 0.0).is_ok()));
        assert_eq!(bucket.spend(RATE, 1.0, 0.0), Err(Wait(Duration::from_millis(200))));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((0..10).filter(|_| bucket.spend(RATE, 1.0, 0.0).is_ok()).count(), 5);
        tokio::time::advance(Duration::from_hours(1)).await;
        assert_eq!((0..200).filter(|_| bucket.spend(RATE, 1.0, 0.0).is_ok()).count(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cost_above_the_capacity_takes_the_whole_bucket() {
        let mut bucket = TokenBucket::full(RATE);
        bucket.spend(RATE, 1e9, 0.0).unwrap();
        assert_eq!(bucket.spend(RATE, 1e9, 0.0), Err(Wait(Duration::from_secs(20))));
        bucket.refund(RATE, 1e9);
        // A spender without a reserve can still use the last 25 tokens.
        assert_eq!((0..200).filter(|_| bucket.spend(RATE, 1.0, 25.0).is_ok()).count(), 75);
        assert_eq!((0..200).filter(|_| bucket.spend(RATE, 1.0, 0.0).is_ok()).count(), 25);
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_table_accepts_new_keys_and_keeps_exhausted_ones() {
        let buckets = Buckets::new(Rate::per_min(10));
        for _ in 0..10 {
            buckets.spend(0).unwrap();
        }
        for key in 1..=50_000 {
            assert_eq!(buckets.spend(key), Ok(()), "{key}");
            assert!(buckets.len() <= Buckets::<i32>::MAX_KEYS);
        }
        assert!(buckets.spend(0).is_err());
        tokio::time::advance(Duration::from_mins(1)).await;
        assert_eq!(buckets.spend(0), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_refunded_token_can_be_spent_again() {
        let buckets = Buckets::new(Rate::per_min(1));
        buckets.spend('a').unwrap();
        assert_eq!(buckets.spend('a'), Err(Wait(Duration::from_mins(1))));
        buckets.refund(&'a', 1.0);
        assert_eq!(buckets.spend('a'), Ok(()));
    }

    #[test]
    fn a_wait_is_rounded_up_to_whole_seconds() {
        for (millis, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2)] {
            assert_eq!(Wait(Duration::from_millis(millis)).seconds(), seconds);
        }
    }
}
