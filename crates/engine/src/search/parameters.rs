//! The numerical parameters of the search.

use adoube_rules::Variant;

use crate::game::Profile;

/// The maximum number of turns from the root that are searched.
pub(crate) const MAX_PLIES: usize = 200;
/// The maximum number of steps from the root, which leaves room for chains.
pub(crate) const MAX_STEPS: usize = MAX_PLIES + 60;

/// The number of nodes between two checks of the clock and of the caller's stop signal; a power of two.
pub(crate) const NODES_BETWEEN_CHECKS: u64 = 512;

/// Forced replies (evasions, or the only capture) and singular steps are extended up to this multiple of the
/// nominal depth.
pub(crate) const MAX_EXTENSION: usize = 2;

/// The number of turns in quiescence after which it always returns the evaluation.
pub(crate) const MAX_QUIESCENCE_PLIES: usize = 24;
/// The number of turns in quiescence during which quiet evasions are tried, too, so that it sees mates.
pub(crate) const CHECK_PLIES: usize = 4;

/// The largest depth for razoring.
pub(crate) const RAZOR_DEPTH: i32 = 3;

/// The smallest depth for null moves.
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
/// From this depth on, a null move must be verified by a search without null moves.
pub(crate) const VERIFIED_NULL_MOVE_DEPTH: i32 = 14;

/// The smallest depth for `ProbCut`.
pub(crate) const PROB_CUT_DEPTH: i32 = 5;

/// The smallest depth for late move reductions, and the unit in which they are counted.
pub(crate) const REDUCTION_DEPTH: i32 = 2;
pub(crate) const REDUCTION_UNIT: i32 = 1_024;

/// The total value of all men at which an evaluation is not scaled.
pub(crate) const TYPICAL_MEN: i32 = 6_300;

/// The largest history bonus for the amount by which a step changes the evaluation.
pub(crate) const MAX_EVALUATION_BONUS: i32 = 1_500;

/// Declares the parameters. Each has a name, a value for variants that do not set their own, and the change
/// to try in games that test whether more or less is better.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $common:literal by $step:literal,)*) => {
        /// Parameters that depend on the variant, because the meaning of an evaluation does.
        ///
        /// Scores are in units of the search, depths in turns, and reductions in 1,024ths of a turn unless
        /// stated otherwise. `adoube tune` finds out which parameters are too small or too large.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Parameters {
            /// The names of the parameters in order, each with a change that is large enough to make a
            /// difference.
            pub const ALL: &'static [(&'static str, i32)] = &[$((stringify!($name), $step)),*];

            pub(crate) const COMMON: Self = Self { $($name: $common,)* };

            /// Returns a parameter by its index in [`ALL`](Self::ALL).
            pub fn get(&self, index: usize) -> Option<i32> {
                [$(self.$name),*].get(index).copied()
            }

            /// Returns a mutable reference to a parameter by its index in [`ALL`](Self::ALL).
            pub fn get_mut(&mut self, index: usize) -> Option<&mut i32> {
                [$(&mut self.$name),*].into_iter().nth(index)
            }
        }
    };
}

parameters! {
    /// Reverse futility pruning: the largest depth; the margin above beta, constant and per turn of depth;
    /// its decrease if the side is improving; and its increase per unit of the correction, in 256ths.
    reverse_futility_depth: 8 by 1,
    reverse_futility_margin: 0 by 30,
    reverse_futility_slope: 80 by 12,
    reverse_futility_improving: 80 by 16,
    reverse_futility_doubt: 0 by 64,
    /// Reverse futility pruning: the share of the excess above beta that is returned, in 256ths.
    reverse_futility_share: 85 by 30,

    /// The increase in an evaluation when the men of both sides are worth 40 pawns more, in 256ths: with few
    /// men left, an advantage is converted into a win less often than its size suggests.
    many_men_share: 0 by 20,

    /// Razoring: the margin below alpha, constant and per square of the depth. It is large because quiescence
    /// does not see sacrifices.
    razor_margin: 320 by 60,
    razor_slope: 200 by 40,

    /// Null moves: the margin by which the estimate must exceed beta.
    null_move_margin: 0 by 20,
    /// Null moves: the reduction in 256ths of a turn, constant and per turn of depth; the excess above beta
    /// that adds one turn to the reduction; and the maximum of this addition.
    null_move_reduction: 768 by 96,
    null_move_slope: 85 by 16,
    null_move_surplus: 180 by 40,
    null_move_surplus_max: 768 by 192,

    /// `ProbCut`: the margin above beta, and its decrease if the side is improving.
    prob_cut_margin: 170 by 40,
    prob_cut_improving: 50 by 30,

    /// Internal iterative reduction: the smallest depth.
    internal_reduction_depth: 4 by 1,

    /// Singular extensions: the smallest depth; the margin below the table's score for the other steps, in
    /// 16ths per turn of depth; and the further margin for a double extension.
    singular_depth: 6 by 1,
    singular_slope: 32 by 8,
    double_extension_margin: 24 by 8,
    /// 1 if a singular search above beta returns its own score (multi-cut); 0 if it returns its bound.
    multi_cut_score: 0 by 1,

    /// Late move pruning: the largest depth; and the number of steps tried before it, constant and per square
    /// of the depth, in 16ths if the side is improving, otherwise in 32nds.
    late_depth: 8 by 1,
    late_base: 48 by 12,
    late_slope: 16 by 3,

    /// Futility pruning of quiet steps: the largest reduced depth; the margin, constant and per turn of
    /// depth; and the number by which the history is divided before it is added to the margin.
    futility_depth: 7 by 1,
    futility_margin: 90 by 25,
    futility_slope: 80 by 15,
    futility_history: 256 by 80,

    /// History pruning: the largest reduced depth, and the threshold per turn of depth.
    history_depth: 4 by 1,
    history_slope: -4_000 by 1_000,

    /// The exchange value that a capture with the best history may lose and still rank among the winning
    /// captures. A capture with the worst history must gain this much to do so.
    exchange_history: 0 by 40,
    /// Pruning by exchange value: the maximum that a step may lose, per turn of depth for loud steps, per
    /// square of the reduced depth for quiet ones.
    loud_exchange_slope: -95 by 20,
    quiet_exchange_slope: -22 by 5,

    /// Late move reductions: constant; and per product of the base 2 logarithms of the depth and of the
    /// number of steps tried before, in 10,240ths of a turn.
    reduction_base: 614 by 120,
    reduction_slope: 2_139 by 250,
    /// The history value that changes the reduction by a turn.
    reduction_history: 24_576 by 5_000,
    /// The index, counted from 0, of the first root turn that is reduced if it is quiet.
    late_at_root: 4 by 1,
    /// Decreases in the reduction: for nodes that are or were on a principal variation; for those that were,
    /// once if the table's score is above alpha, and once if its depth is sufficient; for killers; and in
    /// check.
    reduction_pv: 1_024 by 256,
    reduction_pv_known: 0 by 384,
    reduction_killer: 1_024 by 384,
    reduction_check: 1_024 by 384,
    /// Increases in the reduction: at expected cut nodes; if the step from the table is loud; if the side is
    /// not improving; and if several of the steps tried before were refuted.
    reduction_cut: 1_024 by 384,
    reduction_taking: 0 by 512,
    reduction_worsening: 512 by 256,
    reduction_refuted: 512 by 256,
    /// The share of a quiet step's reduction that applies to a losing capture, in 256ths.
    reduction_loud: 192 by 48,

    /// 1 if the continuation history six steps back is used, in addition to those one, two and four steps
    /// back.
    far_continuation: 0 by 1,
    /// History bonus for a refuting step: per turn of depth, constant, and maximum. The malus below applies
    /// to the steps tried before it.
    bonus_slope: 160 by 40,
    bonus_base: -60 by 60,
    bonus_max: 1_800 by 300,
    /// The share of that bonus, in 256ths, for the step before a node in which no step was good enough; and
    /// for a reduced step after a decisive full-depth search.
    bonus_refuted_parent: 0 by 128,
    bonus_research: 0 by 64,
    /// The history bonus for a quiet step, for each unit by which it improves the evaluation.
    bonus_evaluation: 0 by 8,
    malus_slope: 160 by 40,
    malus_max: 1_800 by 300,
    /// Correction history: the learning rate, and the share of the correction that is applied, in 256ths.
    correction_weight: 3 by 1,
    correction_share: 256 by 64,

    /// Quiescence: the margin below alpha for delta pruning.
    delta_margin: 140 by 40,
    /// Quiescence: the maximum number of captures tried in a node.
    quiescence_captures: 900 by 1,
    /// Hindsight reduction: the minimum by which a reduced step must have worsened the position of the side
    /// that made it, according to the evaluations before and after.
    hindsight_margin: 30_000 by 40,
    /// The initial half-width of the aspiration window.
    window: 18 by 5,
    /// 1 if a score above beta is moved towards beta, by more at lower depths.
    softens_cutoffs: 0 by 1,
}

impl Parameters {
    /// Returns the parameters of a variant.
    pub const fn of(variant: Variant) -> Self {
        Profile::of(variant).parameters
    }

    /// Returns the number of steps tried at a depth before late move pruning.
    #[inline]
    pub(crate) const fn late_count(&self, depth: i32, is_improving: bool) -> i32 {
        (self.late_base + depth * depth * self.late_slope) / if is_improving { 16 } else { 32 }
    }

    /// Returns the late move reduction of a quiet step, in 1,024ths of a turn. It grows with the logarithms
    /// of the depth and of the number of steps tried before.
    #[inline]
    pub(crate) fn reduction(&self, depth: i32, tried: usize) -> i32 {
        let product = i32::from(LOGARITHMS[depth.clamp(0, 63) as usize][tried.min(63)]);
        self.reduction_base + product * self.reduction_slope / 10_240
    }

    /// Returns the history bonus for a refuting step.
    #[inline]
    pub(crate) fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_slope * depth + self.bonus_base).clamp(60, self.bonus_max)
    }

    /// Returns the history malus for the steps tried before a refuting step.
    #[inline]
    pub(crate) fn malus(&self, depth: i32) -> i32 {
        (self.malus_slope * depth + self.bonus_base).clamp(60, self.malus_max)
    }
}

/// The products of the base 2 logarithms of a depth and of a number of steps, in 1024ths.
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

/// Returns the base 2 logarithm in 1024ths. Uses only integers, because math libraries may differ in the last
/// bit, and a search must be the same on all platforms.
const fn binary_logarithm(number: u64) -> u64 {
    let whole = number.ilog2() as u64;
    // Compute the fraction bit by bit: squaring a number between 1 and 2 doubles its logarithm.
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
    fn logarithms_are_accurate_to_three_digits() {
        for number in 1..64_u32 {
            let exact = f64::from(number).log2() * 1_024.0;
            let found = binary_logarithm(number.into()) as f64;
            assert!((exact - found).abs() <= 1.0, "1,024 log2({number}) is {exact}, not {found}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number_of_steps() {
        for parameters in Variant::ALL.map(Parameters::of) {
            for depth in 2..63 {
                for count in 2..64 {
                    let current = parameters.reduction(depth, count);
                    assert!(parameters.reduction(depth + 1, count) >= current, "{depth} {count}");
                    assert!(current >= parameters.reduction(depth, count - 1), "{depth} {count}");
                }
            }
        }
        // 0.6 + log2 20 × log2 20 × 0.209 = 4.5 turns.
        let common = Parameters::COMMON.reduction(20, 20);
        assert!((4_500..4_620).contains(&common), "{common}");
    }
}
