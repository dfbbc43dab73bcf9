//! The numbers of the search, in one place.

/// Turns from the root that are looked at, and a few more steps, for a chain may be in the way.
pub(crate) const MOST_PLIES: usize = 200;
pub(crate) const MOST_STEPS: usize = MOST_PLIES + 60;

/// How often clock and caller are asked whether to stop, in nodes; a power of two.
pub(crate) const NODES_BETWEEN_QUESTIONS: u64 = 512;

/// Forced replies (out of check, or the only taking there is) are searched deeper up to so many times the
/// nominal depth.
pub(crate) const MOST_EXTENSION: usize = 2;

/// Turns of takings after which quiescence believes the evaluation, come what may.
pub(crate) const MOST_QUIET_PLIES: usize = 24;
/// Turns of takings in which quiescence looks at all ways out of check, so that it sees mates.
pub(crate) const CHECK_PLIES: usize = 4;
/// A taking that leaves the side this far below alpha is not tried in quiescence.
pub(crate) const DELTA_MARGIN: i32 = 140;

/// Largest depth at which a position far above beta is believed without a search, and how far per turn of depth.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 8;
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Largest depth at which a position far below alpha is left to quiescence.
pub(crate) const RAZOR_DEPTH: i32 = 3;

/// Least depth at which passing the turn is tried, and by how much less deep that is searched.
pub(crate) const PASS_DEPTH: i32 = 3;
pub(crate) const PASS_REDUCTION: i32 = 3;
/// From this depth on a turn passed proves nothing until a search without passing agrees.
pub(crate) const VERIFIED_PASS_DEPTH: i32 = 14;

/// Least depth at which a taking that seems to win much is tried at a reduced depth first, and how much it must win.
pub(crate) const PROBABLE_CUT_DEPTH: i32 = 5;
pub(crate) const PROBABLE_CUT_MARGIN: i32 = 170;

/// Least depth at which a node without a step from the table is searched less deep.
pub(crate) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Least depth at which the step of the table is tried for being the only good one.
pub(crate) const SINGULAR_DEPTH: i32 = 6;

/// Largest depth at which only so many quiet steps are tried.
pub(crate) const LATE_DEPTH: i32 = 8;
/// Largest reduced depth at which quiet steps that cannot reach alpha are left out, and what they may bring.
pub(crate) const FUTILITY_DEPTH: i32 = 7;
pub(crate) const FUTILITY_MARGIN: i32 = 90;
pub(crate) const FUTILITY_SLOPE: i32 = 80;
/// Largest depth at which steps with a bad history are left out, and how bad per turn of depth.
pub(crate) const HISTORY_DEPTH: i32 = 4;
pub(crate) const HISTORY_SLOPE: i32 = -4_000;
/// What a step may lose in exchange, per turn of depth: loud steps, and quiet ones per square of the depth.
pub(crate) const LOUD_EXCHANGE_SLOPE: i32 = -95;
pub(crate) const QUIET_EXCHANGE_SLOPE: i32 = -22;

/// Least depth at which late steps are searched less deep, and the unit in which that is counted.
pub(crate) const REDUCTION_DEPTH: i32 = 2;
pub(crate) const REDUCTION_UNIT: i32 = 1_024;

/// Returns how far below alpha that is: far, because quiescence sees no sacrifice.
#[inline]
pub(crate) const fn razor_margin(depth: i32) -> i32 {
    320 + 200 * depth * depth
}

/// Returns how many quiet steps are tried at a depth.
#[inline]
pub(crate) const fn late_count(depth: i32, is_improving: bool) -> usize {
    ((3 + depth * depth) / if is_improving { 1 } else { 2 }) as usize
}

/// Returns what the histories are taught by a node of a depth.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (160 * depth - 60).clamp(60, 1_800)
}

/// By how much less deep a late quiet step is searched, in units of [`REDUCTION_UNIT`]: it grows with the logarithms
/// of the depth and of the number of steps tried before.
pub(crate) static REDUCTIONS: [[i16; 64]; 64] = reductions();

const fn reductions() -> [[i16; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut count = 1;
        while count < 64 {
            // 0.6 + ln(depth) × ln(count) / 2.3, with ln x = log2 x × 0.6931.
            let product = binary_logarithm(depth) * binary_logarithm(count) / 1_024;
            table[depth as usize][count as usize] = (614 + product * 2_139 / 10_240) as i16;
            count += 1;
        }
        depth += 1;
    }
    table
}

/// Returns the logarithm to base 2 in 1024ths. Integers, because the library functions of different platforms need
/// not agree on the last bit, and a search must be the same everywhere.
const fn binary_logarithm(number: u64) -> u64 {
    let whole = number.ilog2() as u64;
    // The fraction bit by bit: squaring a number between 1 and 2 doubles its logarithm.
    let mut mantissa = (number << 32) >> whole;
    let mut fraction = 0;
    let mut bit = 512;
    while bit > 0 {
        mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            fraction += bit;
        }
        bit /= 2;
    }
    whole * 1_024 + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_three_digits() {
        for number in 1..64_u32 {
            let exact = f64::from(number).log2() * 1_024.0;
            let found = binary_logarithm(number.into()) as f64;
            assert!((exact - found).abs() <= 1.0, "log2({number}) is {exact}, not {found}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        for (rows, depth) in REDUCTIONS.windows(2).zip(1..).skip(1) {
            for count in 2..64 {
                assert!(
                    rows[1][count] >= rows[0][count] && rows[0][count] >= rows[0][count - 1],
                    "{depth} {count}"
                );
            }
        }
        // 0.6 + ln 20 × ln 20 / 2.3 = 4.5 turns.
        assert!((4_500..4_620).contains(&REDUCTIONS[20][20]), "{}", REDUCTIONS[20][20]);
    }
}
