//! History heuristics: statistics from earlier nodes about steps, and about errors in the evaluation.
//!
//! Every table contains numbers that move towards a bound, more slowly the nearer they get. Recent results
//! therefore count more than old ones, and no number overflows.

use adoube_rules::{Color, Piece, Role, Square, SquareSet, Step};

use crate::memory::prefer_huge_pages;

/// The bound of history values.
pub(crate) const MAX_HISTORY: i32 = 1 << 14;

/// Moves a value towards a bound: by the full bonus at zero, not at all at the bound.
#[inline]
fn shift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

/// Returns a large table of zeros.
fn zeros(count: usize) -> Vec<i16> {
    let mut table = Vec::with_capacity(count);
    prefer_huge_pages(&mut table);
    table.resize(count, 0);
    table
}

/// A man and its destination, regardless of its origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The number of combinations of side, role and square.
    const COUNT: usize = 2 * Role::MAX * 64;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(((piece.color.index() * Role::MAX + piece.role.index()) * 64 + to.index()) as u16)
    }

    /// Returns the same man on another square.
    #[inline]
    pub(crate) fn moved_to(self, to: Square) -> Self {
        Self(self.0 & !63 | to.index() as u16)
    }

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step as indexed in the history tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryStep {
    pub(crate) step: Step,
    pub(crate) side: Color,
    pub(crate) arrival: PieceTo,
}

/// The context for scoring the quiet steps of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryContext {
    /// The rows of the continuation table for the steps that led to the node.
    rows: [usize; 4],
    /// The squares attacked by the opponent. Steps that leave or enter one have statistics of their own.
    attacked: SquareSet,
}

impl HistoryContext {
    /// The row for a missing step. Its values are always zero, so that a lookup needs no test.
    const NO_ROW: usize = PieceTo::COUNT * PieceTo::COUNT;

    /// Returns the context of a node. `before` contains the steps that are one, two, four and six steps back.
    /// A step in the node is a counter move to the first of them, and a follow-up move to the second, which
    /// is by the same side except in chains.
    #[inline]
    pub(crate) fn new(before: [Option<PieceTo>; 4], attacked: SquareSet) -> Self {
        let row = |arrival: PieceTo| arrival.index() * PieceTo::COUNT;
        Self { rows: before.map(|arrival| arrival.map_or(Self::NO_ROW, row)), attacked }
    }
}

/// The state that one thread keeps between nodes, and between searches of the same game.
#[derive(Debug)]
pub(crate) struct Histories {
    /// Indexed by side, by whether the origin and the destination are attacked, by origin, and by destination
    /// (Schaeffer, *The history heuristic*, 1983).
    quiet: Vec<i16>,
    /// Indexed by the arrival of an earlier step, then by the arrival of the step itself.
    continuation: Vec<i16>,
    /// For captures: indexed by arrival and captured role.
    taking: Vec<i16>,
    /// Evaluation errors: a table for each trait, indexed by side to move and a hash of the trait.
    corrections: [Vec<i16>; TRAITS],
}

/// The number of traits of a position that corrections depend on: the squares of the men of the first role
/// (pawns in all variants), the squares of White's other men, the squares of Black's other men, and the last
/// step.
const TRAITS: usize = 4;
/// The number of entries in each correction table for each side.
const TRAIT_SIZE: usize = 1 << 14;

/// Indexes of a position in the correction tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionKeys {
    side: Color,
    keys: [u16; TRAITS],
}

impl CorrectionKeys {
    #[inline]
    pub(crate) fn new(side: Color, pawns: u64, white: u64, black: u64, before: Option<PieceTo>) -> Self {
        let place = |hash: u64| (hash % TRAIT_SIZE as u64) as u16;
        let step = before.map_or(PieceTo::COUNT as u16, |arrival| arrival.0);
        Self { side, keys: [place(pawns), place(white), place(black), step] }
    }

    #[inline]
    fn indexes(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().map(|&key| self.side.index() * TRAIT_SIZE + usize::from(key))
    }
}

impl Histories {
    /// The value in a correction table that stands for one unit of the search.
    const CORRECTION_GRAIN: i32 = 256;
    /// The maximum amount that one table can add to a correction, in units of the search.
    const MAX_CORRECTION: i32 = 96;

    pub(crate) fn new() -> Self {
        Self {
            quiet: vec![0; 2 * 4 * 64 * 64],
            continuation: zeros(HistoryContext::NO_ROW + PieceTo::COUNT),
            taking: vec![0; PieceTo::COUNT * Role::MAX],
            corrections: std::array::from_fn(|_| vec![0; 2 * TRAIT_SIZE]),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.taking.fill(0);
        for table in &mut self.corrections {
            table.fill(0);
        }
    }

    #[inline]
    fn quiet_index(entry: HistoryStep, attacked: SquareSet) -> usize {
        let (from, to) = (entry.step.from(), entry.step.to());
        let kind = 2 * usize::from(attacked.contains(from)) + usize::from(attacked.contains(to));
        ((entry.side.index() * 4 + kind) * 64 + from.index()) * 64 + to.index()
    }

    #[inline]
    fn taking_index(entry: HistoryStep, taken: Role) -> usize {
        entry.arrival.index() * Role::MAX + taken.index()
    }

    /// Returns the history score of a quiet step, at most five times [`MAX_HISTORY`] in absolute value.
    #[inline]
    pub(crate) fn quiet_score(&self, entry: HistoryStep, context: &HistoryContext) -> i32 {
        let mut sum = i32::from(self.quiet[Self::quiet_index(entry, context.attacked)]);
        for row in context.rows {
            sum += i32::from(self.continuation[row + entry.arrival.index()]);
        }
        sum
    }

    /// Returns the history score of a capture, at most [`MAX_HISTORY`] in absolute value.
    #[inline]
    pub(crate) fn taking_score(&self, entry: HistoryStep, taken: Role) -> i32 {
        i32::from(self.taking[Self::taking_index(entry, taken)])
    }

    pub(crate) fn update_quiet(&mut self, entry: HistoryStep, context: &HistoryContext, bonus: i32) {
        self.update_step(entry, context, bonus);
        self.update_continuation(entry, context, bonus);
    }

    /// Updates the value of a step regardless of the steps before it.
    pub(crate) fn update_step(&mut self, entry: HistoryStep, context: &HistoryContext, bonus: i32) {
        shift(&mut self.quiet[Self::quiet_index(entry, context.attacked)], bonus);
    }

    /// Updates the value of a step in the context of the steps before it.
    pub(crate) fn update_continuation(&mut self, entry: HistoryStep, context: &HistoryContext, bonus: i32) {
        for row in context.rows.into_iter().filter(|&row| row != HistoryContext::NO_ROW) {
            shift(&mut self.continuation[row + entry.arrival.index()], bonus);
        }
    }

    pub(crate) fn update_taking(&mut self, entry: HistoryStep, taken: Role, bonus: i32) {
        shift(&mut self.taking[Self::taking_index(entry, taken)], bonus);
    }

    /// Returns the amount by which the evaluation of positions like this one was too low, in units of the
    /// search.
    #[inline]
    pub(crate) fn correction(&self, keys: &CorrectionKeys) -> i32 {
        let found = self.corrections.iter().zip(keys.indexes());
        let sum: i32 = found.map(|(table, place)| i32::from(table[place])).sum();
        sum / Self::CORRECTION_GRAIN
    }

    /// Updates the corrections with the remaining error after a search.
    pub(crate) fn update_correction(&mut self, keys: &CorrectionKeys, error: i32, depth: i32, weight: i32) {
        const LIMIT: i32 = Histories::MAX_CORRECTION * Histories::CORRECTION_GRAIN;
        // Each table gets the whole error. Together they converge, because only the remaining error is
        // learned.
        let bonus = (error * depth.min(16) * weight).clamp(-LIMIT / 4, LIMIT / 4);
        for (table, place) in self.corrections.iter_mut().zip(keys.indexes()) {
            let old = i32::from(table[place]);
            table[place] = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_bound() {
        let mut value = 0;
        for _ in 0..1_000 {
            shift(&mut value, 2_000);
        }
        assert!((15_000..=MAX_HISTORY).contains(&i32::from(value)), "{value}");
        for _ in 0..1_000 {
            shift(&mut value, -2_000);
        }
        assert!((-MAX_HISTORY..=-15_000).contains(&i32::from(value)), "{value}");
    }

    #[test]
    fn a_repeated_error_is_corrected() {
        let mut histories = Histories::new();
        let keys = CorrectionKeys::new(Color::White, 1, 2, 3, None);
        assert_eq!(histories.correction(&keys), 0);
        for _ in 0..2_000 {
            histories.update_correction(&keys, 20 - histories.correction(&keys), 8, 3);
        }
        let learnt = histories.correction(&keys);
        assert!((18..=20).contains(&learnt), "four tables together: {learnt}");
        let other = CorrectionKeys::new(Color::Black, 1, 2, 3, None);
        assert_eq!(histories.correction(&other), 0, "the other side has its own entries");
    }
}
