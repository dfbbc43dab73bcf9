//! Which steps are tried first.

use adoube_rules::{Color, SquareSet, Step};

use crate::eval::Searchable;

/// A step with its claim to be tried early, and what it wins at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) step: Step,
    pub(crate) rank: i32,
    /// Value of the men taken and of the promotion; 0 for a quiet step.
    pub(crate) gain: i32,
}

/// What earlier nodes say of quiet steps.
#[derive(Debug)]
pub(crate) struct Memory {
    killers: Vec<[Option<Step>; 2]>,
    history: Vec<i32>,
}

const FROM_TABLE: i32 = 1 << 30;
const TAKING: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
/// History stays within these bounds, below the killers.
const MOST_HISTORY: i32 = 1 << 14;

impl Memory {
    pub(crate) fn new(plies: usize) -> Self {
        Self { killers: vec![[None; 2]; plies], history: vec![0; 2 * 64 * 64] }
    }

    #[inline]
    fn index(side: Color, step: Step) -> usize {
        (side.index() * 64 + step.from().index()) * 64 + step.to().index()
    }

    /// Returns the claim of a quiet step.
    #[inline]
    fn quiet_rank(&self, side: Color, ply: usize, step: Step) -> i32 {
        let [first, second] = self.killers[ply];
        if first == Some(step) {
            KILLER + 1
        } else if second == Some(step) {
            KILLER
        } else {
            self.history[Self::index(side, step)]
        }
    }

    /// Remembers a quiet step that refuted, and the quiet ones tried before it, which did not.
    pub(crate) fn reward(
        &mut self,
        side: Color,
        ply: usize,
        depth: i32,
        step: Step,
        tried: impl Iterator<Item = Step>,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(step) {
            *killers = [Some(step), killers[0]];
        }
        let bonus = (depth * depth * 16).min(2_000);
        self.shift(side, step, bonus);
        for other in tried {
            self.shift(side, other, -bonus);
        }
    }

    /// Moves a history value towards a bound, the slower the nearer it is.
    fn shift(&mut self, side: Color, step: Step, bonus: i32) {
        let value = &mut self.history[Self::index(side, step)];
        *value += bonus - *value * bonus.abs() / MOST_HISTORY;
    }
}

/// Returns the value of the men on some squares.
#[inline]
pub(crate) fn value_of<P: Searchable>(position: &P, squares: SquareSet) -> i32 {
    squares
        .into_iter()
        .filter_map(|square| position.piece_at(square))
        .map(|piece| P::VALUES[piece.role.index()])
        .sum()
}

/// Returns what a step wins at once: the men taken, and what a pawn becomes.
#[inline]
pub(crate) fn gain<P: Searchable>(position: &P, step: Step) -> i32 {
    let taken = position.taken(step);
    let promotion = step.promotion().map_or(0, |role| P::VALUES[role.index()] - P::VALUES[0]);
    if taken.is_empty() { promotion.max(0) } else { value_of(position, taken) + promotion.max(0) }
}

/// Puts the steps of a node, each with its claim, on top of `stack`.
pub(crate) fn rank_steps<P: Searchable>(
    position: &P,
    steps: &[Step],
    table_step: Option<Step>,
    memory: &Memory,
    ply: usize,
    stack: &mut Vec<Candidate>,
) {
    let side = position.turn();
    // Where taking is compulsory, all steps take or none does.
    let may_gain = !P::TAKING_IS_COMPULSORY
        || steps.first().is_some_and(|&step| position.taken(step).any())
        || steps.iter().any(|step| step.promotion().is_some());
    for &step in steps {
        let gain = if may_gain { gain(position, step) } else { 0 };
        let rank = if Some(step) == table_step {
            FROM_TABLE
        } else if gain > 0 {
            let man = position.piece_at(step.from()).map_or(0, |piece| P::VALUES[piece.role.index()]);
            // Much for little first; a taking that loses the man comes after the quiet steps.
            let sign = if position.loses_the_taker(step, gain) { -1 } else { 1 };
            sign * TAKING + gain * 16 - man
        } else {
            memory.quiet_rank(side, ply, step)
        };
        stack.push(Candidate { step, rank, gain });
    }
}

/// Brings the best of the remaining candidates to the front and returns it.
///
/// A node is usually refuted by one of the first steps, so the rest need not be sorted.
#[inline]
pub(crate) fn pick(candidates: &mut [Candidate]) -> Option<Candidate> {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].rank > candidates[best].rank {
            best = index;
        }
    }
    if candidates.is_empty() {
        return None;
    }
    candidates.swap(0, best);
    Some(candidates[0])
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Orthodox, Position, Variant, coordinate, from_fen};

    use super::*;

    #[test]
    fn takings_come_before_quiet_steps_and_big_before_small() {
        let fen = "4k3/8/8/2q1p3/3P4/8/8/4K3 w - - 0 1";
        let position: Orthodox = from_fen(Variant::Chess, fen).expect("a position");
        let memory = Memory::new(1);
        let mut stack = Vec::new();
        rank_steps(&position, &position.legal_steps(), None, &memory, 0, &mut stack);
        let mut order = Vec::new();
        for index in 0..stack.len() {
            order.extend(pick(&mut stack[index..]).map(|c| coordinate::write(&position, &c.step.into())));
        }
        assert_eq!(order[..2], ["d4c5", "d4e5"]);
        assert_eq!(order.len(), position.count_steps());
    }
}
