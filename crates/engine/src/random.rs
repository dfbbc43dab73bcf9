//! Pseudo-random numbers that are the same in every run.

use crate::eval::mix;

/// A sequence of pseudo-random numbers (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the sequence for a seed and a number. Different numbers give unrelated sequences.
    pub fn new(seed: u64, number: u64) -> Self {
        Self(mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ mix(number.wrapping_mul(0xd134_2543_de82_ef95)))
    }

    /// Returns the next 64-bit number.
    #[expect(
        clippy::should_implement_trait,
        reason = "it is endless, and also has other methods that draw numbers"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below a nonzero bound.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of the product is the number scaled to the bound.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns a number from -1 to 1, excluding 1.
    pub(crate) fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Shuffles a slice so that all orders are equally likely.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for index in (1..things.len()).rev() {
            things.swap(index, self.below(index + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_bounds_and_cover_the_range() {
        let mut random = Random::new(1, 2);
        let mut times = [0; 7];
        for _ in 0..7_000 {
            times[random.below(7)] += 1;
            assert!((-1.0..1.0).contains(&random.signed()));
        }
        assert!(times.iter().all(|times| (800..1_200).contains(times)), "{times:?}");
        let mut order: Vec<_> = (0..50).collect();
        random.shuffle(&mut order);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
