//! The loops in which networks spend their time. The compiler turns them into vector instructions: those that every
//! processor of its family has, and, where processors differ, a second time those of newer ones.

/// Values of a block.
pub(crate) const LANES: usize = 32;

/// A line of the processor's cache: one load on newer processors, four on the oldest.
#[repr(align(64))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block(pub(crate) [i16; LANES]);

const _: () = assert!(size_of::<Block>() == 64);

impl Block {
    pub(crate) const ZERO: Self = Self([0; LANES]);
}

/// Adds and subtracts rows of weights.
#[inline]
pub(crate) fn update(values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked whether it has these instructions.
        // Bench: `adoube bench`; twice as many values at once.
        #[expect(unsafe_code, reason = "the same code for newer processors cannot be called otherwise")]
        return unsafe { update_avx2(values, weights, added, removed) };
    }
    update_anywhere(values, weights, added, removed);
}

/// Returns the sum of the values, clipped and squared, each times its weight.
#[inline]
pub(crate) fn weigh(values: &[Block], weights: &[Block]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked whether it has these instructions.
        // Bench: `adoube bench`; twice as many values at once.
        #[expect(unsafe_code, reason = "the same code for newer processors cannot be called otherwise")]
        return unsafe { weigh_avx2(values, weights) };
    }
    weigh_anywhere(values, weights)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2(values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    update_anywhere(values, weights, added, removed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weigh_avx2(values: &[Block], weights: &[Block]) -> i32 {
    weigh_anywhere(values, weights)
}

#[expect(
    clippy::inline_always,
    reason = "what becomes part of a function for newer processors is compiled for them"
)]
#[inline(always)]
fn update_anywhere(values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    let width = values.len();
    // A block stays in registers while all rows pass by.
    for (at, block) in values.iter_mut().enumerate() {
        let mut sum = block.0;
        for &row in added {
            let weights = &weights[usize::from(row) * width + at].0;
            for lane in 0..LANES {
                sum[lane] = sum[lane].wrapping_add(weights[lane]);
            }
        }
        for &row in removed {
            let weights = &weights[usize::from(row) * width + at].0;
            for lane in 0..LANES {
                sum[lane] = sum[lane].wrapping_sub(weights[lane]);
            }
        }
        block.0 = sum;
    }
}

#[expect(
    clippy::inline_always,
    reason = "what becomes part of a function for newer processors is compiled for them"
)]
#[inline(always)]
fn weigh_anywhere(values: &[Block], weights: &[Block]) -> i32 {
    let mut sum = 0_i32;
    for (block, weights) in values.iter().zip(weights) {
        for lane in 0..LANES {
            let value = block.0[lane].clamp(0, super::HIDDEN_UNIT as i16);
            // The first product fits in 16 bits, and there is an instruction for the second with the sum.
            let weighed = value.wrapping_mul(weights.0[lane]);
            sum = sum.wrapping_add(i32::from(weighed) * i32::from(value));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        network::{HIDDEN_UNIT, MOST_OUTPUT, MOST_WEIGHT},
        random::Random,
    };

    fn blocks(random: &mut Random, count: usize, most: i16) -> Vec<Block> {
        let mut draw = || random.below(2 * most as usize + 1) as i16 - most;
        (0..count).map(|_| Block(std::array::from_fn(|_| draw()))).collect()
    }

    #[test]
    fn newer_processors_come_to_the_same_as_the_plain_loop() {
        let mut random = Random::new(1, 1);
        for width in 1..=16 {
            for _ in 0..20 {
                let weights = blocks(&mut random, 40 * width, MOST_WEIGHT);
                let rows = |random: &mut Random, most| -> Vec<u16> {
                    (0..random.below(most)).map(|_| random.below(40) as u16).collect()
                };
                let (added, removed) = (rows(&mut random, 34), rows(&mut random, 5));
                let mut values = blocks(&mut random, width, 3_000);
                let mut plain: Vec<[i16; LANES]> = values.iter().map(|block| block.0).collect();
                update(&mut values, &weights, &added, &removed);
                let signs = added.iter().map(|row| (row, 1)).chain(removed.iter().map(|row| (row, -1)));
                for (&row, sign) in signs {
                    for (at, block) in plain.iter_mut().enumerate() {
                        for (lane, value) in block.iter_mut().enumerate() {
                            *value += sign * weights[usize::from(row) * width + at].0[lane];
                        }
                    }
                }
                assert!(values.iter().map(|block| block.0).eq(plain.iter().copied()));

                let output = blocks(&mut random, width, MOST_OUTPUT);
                let sum: i64 = plain
                    .iter()
                    .flatten()
                    .zip(output.iter().flat_map(|block| &block.0))
                    .map(|(&value, &weight)| {
                        i64::from(value).clamp(0, HIDDEN_UNIT.into()).pow(2) * i64::from(weight)
                    })
                    .sum();
                assert_eq!(i64::from(weigh(&values, &output)), sum);
                assert_eq!(weigh(&values, &output), weigh_anywhere(&values, &output));
            }
        }
    }
}
