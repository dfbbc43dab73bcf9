use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use crate::{Entropy, EntropyError};

/// A random number generator that is reproducible from its seed. Clones share one sequence; each fork
/// has its own.
#[derive(Clone, Debug)]
pub(super) struct SeededRng(Arc<AtomicU64>);

impl SeededRng {
    pub(super) fn new(seed: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seed)))
    }

    pub(super) fn fork(&self) -> Self {
        Self::new(self.next())
    }

    fn next(&self) -> u64 {
        // SplitMix64.
        let mut number = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    pub(super) fn below(&self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(super) fn percent(&self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Returns a random duration of at most `max` milliseconds.
    pub(super) fn ms(&self, max: u64) -> Duration {
        Duration::from_millis(self.below(max + 1))
    }

    pub(super) fn pick<'a, T>(&self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }

    pub(super) fn wide(&self) -> u128 {
        (u128::from(self.next()) << 64) | u128::from(self.next())
    }
}

impl Entropy for SeededRng {
    fn random(&self) -> Result<u128, EntropyError> {
        Ok(self.wide())
    }
}
