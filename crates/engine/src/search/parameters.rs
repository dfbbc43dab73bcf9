//! The numbers of the search, in one place.

use adoube_rules::Variant;

use crate::game::Profile;

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

/// Largest depth at which a position far below alpha is left to quiescence.
pub(crate) const RAZOR_DEPTH: i32 = 3;

/// Least depth at which passing the turn is tried.
pub(crate) const PASS_DEPTH: i32 = 3;
/// From this depth on a turn passed proves nothing until a search without passing agrees.
pub(crate) const VERIFIED_PASS_DEPTH: i32 = 14;

/// Least depth at which a taking that seems to win much is tried at a reduced depth first.
pub(crate) const PROBABLE_CUT_DEPTH: i32 = 5;

/// Least depth at which late steps are searched less deep, and the unit in which that is counted.
pub(crate) const REDUCTION_DEPTH: i32 = 2;
pub(crate) const REDUCTION_UNIT: i32 = 1_024;

/// With men worth so much, those of both sides together, an evaluation counts for what it is.
pub(crate) const USUAL_MEN: i32 = 6_300;

/// What the history of quiet steps is taught at most for what a step does to the evaluation.
pub(crate) const MOST_EVALUATION_BONUS: i32 = 1_500;

/// Declares the numbers: for each its name, what experience with other programs says, and by how much it is changed in games that
/// are to tell whether more or less of it is better.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $common:literal by $step:literal,)*) => {
        /// The numbers that depend on the game, because what an evaluation is worth does.
        ///
        /// Values of positions are in units of the search, depths in turns, reductions in 1,024ths of a turn unless it is said
        /// otherwise. `adoube tune` finds out which of them are too small or too large.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Parameters {
            /// The names of the numbers, in their order, and by how much each may be changed to see a difference.
            pub const ALL: &'static [(&'static str, i32)] = &[$((stringify!($name), $step)),*];

            pub(crate) const COMMON: Self = Self { $($name: $common,)* };

            /// Returns a number by its place in [`ALL`](Self::ALL).
            pub fn get(&self, place: usize) -> Option<i32> {
                [$(self.$name),*].get(place).copied()
            }

            /// Returns the number at a place in [`ALL`](Self::ALL), to be changed.
            pub fn get_mut(&mut self, place: usize) -> Option<&mut i32> {
                [$(&mut self.$name),*].into_iter().nth(place)
            }
        }
    };
}

parameters! {
    /// Largest depth at which a position far above beta is believed without a search; how far, by itself and per turn of
    /// depth, how much less where the side stands better than before, and how much more for what the evaluation was corrected by, in
    /// 256ths.
    reverse_futility_depth: 8 by 1,
    reverse_futility_margin: 0 by 30,
    reverse_futility_slope: 80 by 12,
    reverse_futility_improving: 80 by 16,
    reverse_futility_doubt: 0 by 64,
    /// How much of what it is above beta is believed, in 256ths.
    reverse_futility_share: 85 by 30,

    /// By how much more an evaluation counts where the men of both sides are worth 40 pawns more, in 256ths: with few men left an
    /// advantage is won less often than it seems.
    many_men_share: 0 by 20,

    /// How far below alpha a position is left to quiescence, by itself and per square of the depth: far, because
    /// quiescence sees no sacrifice.
    razor_margin: 320 by 60,
    razor_slope: 200 by 40,

    /// How far above beta a position must seem for passing to be tried.
    pass_margin: 0 by 20,
    /// By how much less deep is searched after passing, in 256ths of a turn: by itself, per turn of depth, and for what a side
    /// stands above beta, a turn for so much, and at most so much.
    pass_reduction: 768 by 96,
    pass_slope: 85 by 16,
    pass_surplus: 180 by 40,
    pass_surplus_most: 768 by 192,

    /// How far above beta a taking must come at a reduced depth, and how much less far where the side stands better than before.
    probable_cut_margin: 170 by 40,
    probable_cut_improving: 50 by 30,

    /// Least depth at which a node without a step from the table is searched less deep.
    internal_reduction_depth: 4 by 1,

    /// Least depth at which the step of the table is tried for being the only good one; how far the others stay below it,
    /// in 16ths per turn of depth; and how much farther if it is to be searched two turns deeper.
    singular_depth: 6 by 1,
    singular_slope: 32 by 8,
    double_extension_margin: 24 by 8,
    /// 1 where the search without that step ends a node by what it has found, if that is above beta; 0 where by what was asked of it.
    cuts_by_the_others: 0 by 1,

    /// Largest depth at which only so many quiet steps are tried; how many, in 16ths: by itself and per square of the depth.
    late_depth: 8 by 1,
    late_base: 48 by 12,
    late_slope: 16 by 3,

    /// Largest reduced depth at which quiet steps that cannot reach alpha are left out, and what they may bring: by
    /// themselves, per turn of depth, and by their history, divided by this.
    futility_depth: 7 by 1,
    futility_margin: 90 by 25,
    futility_slope: 80 by 15,
    futility_history: 256 by 80,

    /// Largest reduced depth at which steps with a bad history are left out, and how bad per turn of depth.
    history_depth: 4 by 1,
    history_slope: -4_000 by 1_000,

    /// What the taking with the best history may lose in exchange to be tried with those that win, and what the one with the worst
    /// must win.
    exchange_history: 0 by 40,
    /// What a step may lose in exchange, per turn of depth: loud steps, and quiet ones per square of the depth.
    loud_exchange_slope: -95 by 20,
    quiet_exchange_slope: -22 by 5,

    /// By how much less deep a late step is searched: by itself, and per product of the logarithms to base 2 of the
    /// depth and of the number of steps tried before, in tenths.
    reduction_base: 614 by 120,
    reduction_slope: 2_139 by 250,
    /// The history that is worth a turn.
    reduction_history: 24_576 by 5_000,
    /// From this turn of the root on, counted from 0, quiet ones are searched less deep.
    late_at_root: 4 by 1,
    /// Less for what once stood on a principal variation, and so much less again where the table has it above alpha, and where it knows
    /// it to this depth; less for killers, and out of check.
    reduction_pv: 1_024 by 256,
    reduction_pv_known: 0 by 384,
    reduction_killer: 1_024 by 384,
    reduction_check: 1_024 by 384,
    /// More where the node is expected to be refuted, where the step of the table takes, where the side does not stand better than
    /// before, and where several replies were refuted.
    reduction_cut: 1_024 by 384,
    reduction_taking: 0 by 512,
    reduction_worsening: 512 by 256,
    reduction_refuted: 512 by 256,
    /// What a taking that loses the taker has of a quiet step's, in 256ths.
    reduction_loud: 192 by 48,

    /// 1 where a quiet step is judged by the one six plies before it, too, and not only by those one, two and four before.
    far_continuation: 0 by 1,
    /// What the histories are taught of a step that refutes, per turn of depth, by itself and at most; and of those that were tried
    /// before it.
    bonus_slope: 160 by 40,
    bonus_base: -60 by 60,
    bonus_most: 1_800 by 300,
    /// What of that they are taught, in 256ths, of the step before a node in which none was good enough; and of a reduced step whose
    /// search in full was sure.
    bonus_refused: 0 by 128,
    bonus_research: 0 by 64,
    /// What the history of quiet steps is taught for each unit by which the position after a step looks better than before.
    bonus_evaluation: 0 by 8,
    malus_slope: 160 by 40,
    malus_most: 1_800 by 300,
    /// How fast the corrections of evaluations learn, and how much of what they say is believed, in 256ths.
    correction_weight: 3 by 1,
    correction_share: 256 by 64,

    /// A taking that leaves the side this far below alpha is not tried in quiescence.
    delta_margin: 140 by 40,
    /// So many takings are tried in a node of quiescence.
    quiescence_takings: 900 by 1,
    /// A reduced step after which the other side stands so much better than both sides thought is searched even less deep.
    hindsight_margin: 30_000 by 40,
    /// How far from the score of the depth before the next one is expected.
    window: 18 by 5,
    /// 1 where a score above beta is told the nearer to beta, the less deep it was searched.
    tempers_cuts: 0 by 1,
}

impl Parameters {
    /// Returns what the search of a game goes by.
    pub const fn of(variant: Variant) -> Self {
        Profile::of(variant).parameters
    }

    /// Returns how many quiet steps are tried at a depth.
    #[inline]
    pub(crate) const fn late_count(&self, depth: i32, is_improving: bool) -> i32 {
        (self.late_base + depth * depth * self.late_slope) / if is_improving { 16 } else { 32 }
    }

    /// Returns by how much less deep a late quiet step is searched: it grows with the logarithms of the depth and of the
    /// number of steps tried before.
    #[inline]
    pub(crate) fn reduction(&self, depth: i32, tried: usize) -> i32 {
        let product = i32::from(LOGARITHMS[depth.clamp(0, 63) as usize][tried.min(63)]);
        self.reduction_base + product * self.reduction_slope / 10_240
    }

    /// Returns what the histories are taught of a step that refutes.
    #[inline]
    pub(crate) fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_slope * depth + self.bonus_base).clamp(60, self.bonus_most)
    }

    /// Returns how much worse the histories think of the steps that were tried before it.
    #[inline]
    pub(crate) fn malus(&self, depth: i32) -> i32 {
        (self.malus_slope * depth + self.bonus_base).clamp(60, self.malus_most)
    }
}

/// The product of the logarithms to base 2 of a depth and of a number of steps, in 1024ths.
static LOGARITHMS: [[u16; 64]; 64] = logarithms();

const fn logarithms() -> [[u16; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut count = 1;
        while count < 64 {
            let product = binary_logarithm(depth) * binary_logarithm(count) / 1_024;
            table[depth as usize][count as usize] = product as u16;
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
        for parameters in Variant::ALL.map(Parameters::of) {
            for depth in 2..63 {
                for count in 2..64 {
                    let here = parameters.reduction(depth, count);
                    assert!(parameters.reduction(depth + 1, count) >= here, "{depth} {count}");
                    assert!(here >= parameters.reduction(depth, count - 1), "{depth} {count}");
                }
            }
        }
        // 0.6 + log2 20 × log2 20 × 0.209 = 4.5 turns.
        let common = Parameters::COMMON.reduction(20, 20);
        assert!((4_500..4_620).contains(&common), "{common}");
    }
}
