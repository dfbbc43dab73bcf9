//! The inner loops of network evaluation. The compiler vectorises them for the architecture's baseline and,
//! on x86-64, a second time for AVX2. Where it does not choose the best instructions, the code uses
//! intrinsics.

/// The number of values in a block.
pub(crate) const LANES: usize = 32;

/// A cache line of values: two loads with AVX2, four with the 128-bit registers of older processors.
#[repr(align(64))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block(pub(crate) [i16; LANES]);

const _: () = assert!(size_of::<Block>() == 64);

impl Block {
    pub(crate) const ZERO: Self = Self([0; LANES]);
}

/// Computes the values of a position from another position's values, `before`, by adding and subtracting rows
/// of weights.
#[inline]
pub(crate) fn derive(
    before: &[Block],
    values: &mut [Block],
    weights: &[Block],
    added: &[u16],
    removed: &[u16],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the check above shows that the processor has these instructions.
        // Measurably faster in `adoube bench`: each instruction handles twice as many values.
        #[expect(unsafe_code, reason = "calling a function with a target feature is unsafe")]
        return unsafe { derive_avx2(before, values, weights, added, removed) };
    }
    derive_portable(before, values, weights, added, removed);
}

/// Adds and subtracts rows of weights in place.
#[inline]
pub(crate) fn update(values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the check above shows that the processor has these instructions.
        // Measurably faster in `adoube bench`: each instruction handles twice as many values.
        #[expect(unsafe_code, reason = "calling a function with a target feature is unsafe")]
        return unsafe { update_avx2(values, weights, added, removed) };
    }
    update_portable(values, weights, added, removed);
}

/// Returns the sum of the clipped and squared values, each multiplied by its weight.
#[inline]
pub(crate) fn weighted_sum(values: &[Block], weights: &[Block]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the check above shows that the processor has these instructions.
        // Measurably faster in `adoube bench`: each instruction handles twice as many values.
        #[expect(unsafe_code, reason = "calling a function with a target feature is unsafe")]
        return unsafe { weighted_sum_avx2(values, weights) };
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return weighted_sum_simd128(values, weights);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    weighted_sum_portable(values, weights)
}

/// Does the same as [`weighted_sum_portable`] with the multiply-add instruction, which the compiler does not
/// use on its own for WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn weighted_sum_simd128(values: &[Block], weights: &[Block]) -> i32 {
    use std::arch::wasm32::{
        i16x8, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
        i32x4_splat,
    };

    // Compiles to a single load, and needs no raw pointer.
    let load = |lanes: &[i16; 8]| {
        i16x8(lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6], lanes[7])
    };
    let (min, max) = (i16x8_splat(0), i16x8_splat(super::HIDDEN_UNIT as i16));
    let mut sums = i32x4_splat(0);
    for (block, weights) in values.iter().zip(weights) {
        for (values, weights) in block.0.as_chunks().0.iter().zip(weights.0.as_chunks().0) {
            let value = i16x8_min(i16x8_max(load(values), min), max);
            sums = i32x4_add(sums, i32x4_dot_i16x8(i16x8_mul(value, load(weights)), value));
        }
    }
    let [a, b, c, d] = [
        i32x4_extract_lane::<0>(sums),
        i32x4_extract_lane::<1>(sums),
        i32x4_extract_lane::<2>(sums),
        i32x4_extract_lane::<3>(sums),
    ];
    a.wrapping_add(b).wrapping_add(c).wrapping_add(d)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn derive_avx2(before: &[Block], values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    derive_portable(before, values, weights, added, removed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2(values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    update_portable(values, weights, added, removed);
}

/// Does the same as [`weighted_sum_portable`], but adds up the lanes only at the end: the compiler would add
/// up each block separately, half a register at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weighted_sum_avx2(values: &[Block], weights: &[Block]) -> i32 {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_extract_epi32, _mm_unpackhi_epi64, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setr_epi16, _mm256_setzero_si256,
    };

    // Compiles to a single load, and needs no raw pointer.
    let load = |l: &[i16; 16]| {
        _mm256_setr_epi16(
            l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9], l[10], l[11], l[12], l[13], l[14],
            l[15],
        )
    };
    let (min, max) = (_mm256_setzero_si256(), _mm256_set1_epi16(super::HIDDEN_UNIT as i16));
    let mut sums = [min; 2];
    for (block, weights) in values.iter().zip(weights) {
        let halves = block.0.as_chunks().0.iter().zip(weights.0.as_chunks().0);
        for (sum, (values, weights)) in sums.iter_mut().zip(halves) {
            let value = _mm256_min_epi16(_mm256_max_epi16(load(values), min), max);
            let weighted = _mm256_mullo_epi16(value, load(weights));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weighted, value));
        }
    }
    let sum = _mm256_add_epi32(sums[0], sums[1]);
    let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
    _mm_cvtsi128_si32(sum).wrapping_add(_mm_extract_epi32::<1>(sum))
}

#[expect(
    clippy::inline_always,
    reason = "inlined into a function with a target feature, it is compiled for that feature"
)]
#[inline(always)]
fn derive_portable(
    before: &[Block],
    values: &mut [Block],
    weights: &[Block],
    added: &[u16],
    removed: &[u16],
) {
    let width = values.len();
    let before = &before[..width];
    let row = |row: u16| &weights[usize::from(row) * width..][..width];
    // Nearly all steps remove one or two men and add one. Each of these cases has a single loop.
    match (added, removed) {
        (&[added], &[removed]) => {
            let (added, removed) = (row(added), row(removed));
            for at in 0..width {
                for lane in 0..LANES {
                    let sum = before[at].0[lane].wrapping_add(added[at].0[lane]);
                    values[at].0[lane] = sum.wrapping_sub(removed[at].0[lane]);
                }
            }
        }
        (&[added], &[removed, captured]) => {
            let (added, removed, captured) = (row(added), row(removed), row(captured));
            for at in 0..width {
                for lane in 0..LANES {
                    let sum = before[at].0[lane].wrapping_add(added[at].0[lane]);
                    let lost = removed[at].0[lane].wrapping_add(captured[at].0[lane]);
                    values[at].0[lane] = sum.wrapping_sub(lost);
                }
            }
        }
        _ => {
            values.copy_from_slice(before);
            update_portable(values, weights, added, removed);
        }
    }
}

#[expect(
    clippy::inline_always,
    reason = "inlined into a function with a target feature, it is compiled for that feature"
)]
#[inline(always)]
fn update_portable(values: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    let width = values.len();
    // A block stays in registers while all rows are added.
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

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[expect(
    clippy::inline_always,
    reason = "inlined into a function with a target feature, it is compiled for that feature"
)]
#[inline(always)]
fn weighted_sum_portable(values: &[Block], weights: &[Block]) -> i32 {
    let mut sum = 0_i32;
    for (block, weights) in values.iter().zip(weights) {
        for lane in 0..LANES {
            let value = block.0[lane].clamp(0, super::HIDDEN_UNIT as i16);
            // The first product fits in 16 bits, so one instruction can multiply again and add.
            let weighted = value.wrapping_mul(weights.0[lane]);
            sum = sum.wrapping_add(i32::from(weighted) * i32::from(value));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        network::{HIDDEN_UNIT, MAX_OUTPUT, MAX_WEIGHT},
        random::Random,
    };

    fn blocks(random: &mut Random, count: usize, max: i16) -> Vec<Block> {
        let mut draw = || random.below(2 * max as usize + 1) as i16 - max;
        (0..count).map(|_| Block(std::array::from_fn(|_| draw()))).collect()
    }

    #[test]
    fn vector_and_plain_loops_agree() {
        let mut random = Random::new(1, 1);
        for width in 1..=16 {
            for _ in 0..20 {
                let weights = blocks(&mut random, 40 * width, MAX_WEIGHT);
                let rows = |random: &mut Random, max| -> Vec<u16> {
                    (0..random.below(max)).map(|_| random.below(40) as u16).collect()
                };
                let (mut added, removed) = (rows(&mut random, 34), rows(&mut random, 5));
                // Most steps add a single man.
                added.truncate(if random.below(2) == 0 { 1 } else { 34 });
                let mut values = blocks(&mut random, width, 3_000);
                let mut plain: Vec<[i16; LANES]> = values.iter().map(|block| block.0).collect();
                let mut derived = vec![Block::ZERO; width];
                derive(&values, &mut derived, &weights, &added, &removed);
                update(&mut values, &weights, &added, &removed);
                assert_eq!(derived, values);
                let signs = added.iter().map(|row| (row, 1)).chain(removed.iter().map(|row| (row, -1)));
                for (&row, sign) in signs {
                    for (at, block) in plain.iter_mut().enumerate() {
                        for (lane, value) in block.iter_mut().enumerate() {
                            *value += sign * weights[usize::from(row) * width + at].0[lane];
                        }
                    }
                }
                assert!(values.iter().map(|block| block.0).eq(plain.iter().copied()));

                let output = blocks(&mut random, width, MAX_OUTPUT);
                let sum: i64 = plain
                    .iter()
                    .flatten()
                    .zip(output.iter().flat_map(|block| &block.0))
                    .map(|(&value, &weight)| {
                        i64::from(value).clamp(0, HIDDEN_UNIT.into()).pow(2) * i64::from(weight)
                    })
                    .sum();
                assert_eq!(i64::from(weighted_sum(&values, &output)), sum);
                assert_eq!(weighted_sum(&values, &output), weighted_sum_portable(&values, &output));
            }
        }
    }
}
