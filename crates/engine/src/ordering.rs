//! Move ordering.
//!
//! The order is: the step from the table, winning captures, killers, quiet steps by their history, losing
//! captures. Whether a capture loses is computed only when it is about to be tried, because most nodes are
//! refuted before that.

use adoube_rules::{Role, Square, Step};

use crate::{
    eval::Searchable,
    history::{self, Histories, HistoryContext, HistoryStep, PieceTo},
};

/// A step with its rank in the order, and its immediate gain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) step: Step,
    rank: i32,
    /// The value of the captured men and of the promotion; 0 for a quiet step.
    pub(crate) gain: i32,
    /// The history score.
    pub(crate) history: i32,
}

impl Candidate {
    /// Returns `true` if the step captures or promotes.
    #[inline]
    pub(crate) const fn is_loud(&self) -> bool {
        self.gain > 0
    }

    /// Returns `true` if [`pick`] has ranked the step as a losing capture.
    #[inline]
    pub(crate) const fn loses(&self) -> bool {
        self.rank < LOSING_RANK + RANK_SPREAD
    }

    /// Returns `true` if the step has refuted a sibling of this node.
    #[inline]
    pub(crate) const fn is_killer(&self) -> bool {
        !self.is_loud() && self.rank >= KILLER_RANK && self.rank < TABLE_RANK
    }
}

const TABLE_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 26;
const KILLER_RANK: i32 = 1 << 22;
/// The penalty, in the ranks of quiet steps, for giving up a man.
const GIVE_UP_PENALTY: i32 = 1 << 14;
const LOSING_RANK: i32 = -(1 << 26);
/// Ranks of steps of the same kind differ by less than this.
const RANK_SPREAD: i32 = 1 << 24;

/// The data used to order the steps of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints {
    pub(crate) table_step: Option<Step>,
    pub(crate) killers: [Option<Step>; 2],
    pub(crate) context: HistoryContext,
}

/// Returns a step as indexed in the history tables, or `None` if its origin is empty.
#[inline]
pub(crate) fn history_step<P: Searchable>(position: &P, step: Step) -> Option<HistoryStep> {
    let piece = position.piece_at(step.from())?;
    Some(HistoryStep { step, side: piece.color, arrival: PieceTo::new(piece, step.to()) })
}

/// Returns the role of the most valuable man that a step captures; the first role for a promotion without a
/// capture.
#[inline]
pub(crate) fn most_valuable_victim<P: Searchable>(position: &P, step: Step) -> Role {
    let men = position.taken(step).into_iter().filter_map(|square| position.piece_at(square));
    men.map(|piece| piece.role).max_by_key(|role| P::VALUES[role.index()]).unwrap_or(Role::new(0))
}

/// Pushes all steps of a node except `without`, each with its rank, onto `stack`.
pub(crate) fn rank_steps<P: Searchable>(
    position: &P,
    steps: &[Step],
    without: Option<Step>,
    hints: &Hints,
    histories: &Histories,
    stack: &mut Vec<Candidate>,
) {
    // If captures are compulsory, either all steps capture or none does.
    let may_gain = !P::TAKING_IS_COMPULSORY
        || steps.first().is_some_and(|&step| position.taken(step).any())
        || steps.iter().any(|step| step.promotion().is_some());
    let mut men = Men::new(position);
    for &step in steps {
        if Some(step) == without {
            continue;
        }
        let gain = if may_gain { position.gain(step) } else { 0 };
        let Some(entry) = men.history_step(step) else { continue };
        let history = if gain > 0 {
            histories.taking_score(entry, most_valuable_victim(position, step))
        } else {
            histories.quiet_score(entry, &hints.context)
        };
        let rank = if Some(step) == hints.table_step {
            TABLE_RANK
        } else if gain > 0 {
            CAPTURE_RANK + gain.min(1 << 15) * 32 + history
        } else if Some(step) == hints.killers[0] {
            KILLER_RANK + 1
        } else if Some(step) == hints.killers[1] {
            KILLER_RANK
        } else if P::CAN_GIVE_UP_MEN && position.gives_up(step) {
            history - GIVE_UP_PENALTY
        } else {
            history
        };
        stack.push(Candidate { step, rank, gain, history });
    }
}

/// Pushes the loud steps of a node (captures and promotions) onto `stack`.
pub(crate) fn rank_loud_steps<P: Searchable>(
    position: &P,
    steps: &[Step],
    table_step: Option<Step>,
    histories: &Histories,
    stack: &mut Vec<Candidate>,
) {
    let mut men = Men::new(position);
    for &step in steps {
        let gain = position.gain(step);
        if gain == 0 {
            continue;
        }
        let Some(entry) = men.history_step(step) else { continue };
        let history = histories.taking_score(entry, most_valuable_victim(position, step));
        let from_table = Some(step) == table_step;
        let rank = if from_table { TABLE_RANK } else { CAPTURE_RANK + gain.min(1 << 15) * 32 + history };
        stack.push(Candidate { step, rank, gain, history });
    }
}

/// A cache of the last man looked up, because the steps of a man are adjacent in the list.
struct Men<'a, P> {
    position: &'a P,
    last: Option<(Square, PieceTo)>,
}

impl<'a, P: Searchable> Men<'a, P> {
    fn new(position: &'a P) -> Self {
        Self { position, last: None }
    }

    #[inline]
    fn history_step(&mut self, step: Step) -> Option<HistoryStep> {
        let side = self.position.side_to_move();
        match self.last {
            Some((from, arrival)) if from == step.from() => {
                Some(HistoryStep { step, side, arrival: arrival.moved_to(step.to()) })
            }
            _ => {
                let entry = history_step(self.position, step)?;
                self.last = Some((step.from(), entry.arrival));
                Some(entry)
            }
        }
    }
}

/// Returns the index of the first candidate with the highest rank, or an index out of range if there are no
/// candidates.
///
/// The rank and the index are compared as one number. With two, the compiler emits a branch, which the
/// processor cannot predict.
#[inline]
fn best_index(candidates: &[Candidate]) -> usize {
    let mut best = i64::MIN;
    for (index, candidate) in (0..u32::MAX).rev().zip(candidates) {
        best = best.max(i64::from(candidate.rank) << 32 | i64::from(index));
    }
    (u32::MAX - 1).wrapping_sub(best as u32) as usize
}

/// Moves the best of the remaining candidates to the front and returns it.
///
/// One of the first steps usually refutes a node, so the rest need not be sorted. A capture may lose material
/// in proportion to its history, up to `leniency` with the best history, before it counts as losing.
#[inline]
pub(crate) fn pick<P: Searchable>(
    position: &P,
    candidates: &mut [Candidate],
    leniency: i32,
) -> Option<Candidate> {
    loop {
        let best = best_index(candidates);
        let candidate = candidates.get_mut(best)?;
        let unproved = (CAPTURE_RANK..TABLE_RANK).contains(&candidate.rank);
        let min = -candidate.history * leniency / history::MAX_HISTORY;
        if unproved && !position.exchange_wins(candidate.step, candidate.gain, min) {
            candidate.rank += LOSING_RANK - CAPTURE_RANK;
            continue;
        }
        candidates.swap(0, best);
        return Some(candidates[0]);
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Chess, Position, SearchPosition, SquareSet, coordinate};

    use super::*;

    #[test]
    fn captures_come_before_quiet_steps_and_losing_ones_last() {
        // The queen on h4 can capture a pawn that another pawn guards.
        let fen = "4k3/6p1/7p/2q1p3/3P3Q/8/8/4K3 w - - 0 1";
        let position: Chess = Chess::from_fen(fen).expect("a position");
        let hints = Hints {
            table_step: None,
            killers: [None; 2],
            context: HistoryContext::new([None; 4], SquareSet::EMPTY),
        };
        let mut stack = Vec::new();
        rank_steps(&position, &position.legal_steps(), None, &hints, &Histories::new(), &mut stack);
        let mut order = Vec::new();
        for index in 0..stack.len() {
            let picked = pick(&position, &mut stack[index..], 0);
            order.extend(picked.map(|picked| coordinate::write(&position, &picked.step.into())));
        }
        assert_eq!(order[..2], ["d4c5", "d4e5"]);
        assert_eq!(order.last().map(String::as_str), Some("h4h6"));
        assert_eq!(order.len(), position.count_steps());
    }
}
