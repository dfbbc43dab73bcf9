//! Node-level pruning: shortcuts that end a node before its steps are tried, if a full search would very
//! likely confirm the result.
//!
//! They are null-move pruning (Beal, 1989) with verification (Tabibi and Netanyahu, 2002), `ProbCut` (Buro,
//! 1995), razoring (Birmingham and Kent, 1977) and reverse futility pruning.

use adoube_rules::StepList;

use super::{
    Node, Searcher,
    node::{NodeKind, Situation},
    parameters::{NULL_MOVE_DEPTH, PROB_CUT_DEPTH, RAZOR_DEPTH, VERIFIED_NULL_MOVE_DEPTH},
};
use crate::{
    eval::{Evaluator, Searchable},
    ordering::{history_step, pick, rank_loud_steps},
    score::Score,
    transposition::{Bound, NodeRecord},
};

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Returns a score for the node if a full search would very likely confirm it.
    pub(super) fn early_cutoff(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        estimate: i32,
    ) -> Option<Score> {
        let Node { depth, alpha, beta, .. } = node;
        let &Situation { is_improving, .. } = situation;
        let estimated = Score::of_evaluation(estimate);
        if !P::TAKING_IS_COMPULSORY
            && depth <= RAZOR_DEPTH
            && !alpha.is_certain()
            && estimated + self.parameters.razor_margin + self.parameters.razor_slope * depth * depth <= alpha
        {
            let score = self.quiescence::<false>(position, node, 0);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        if beta.is_certain() {
            return None;
        }
        let decrease = if is_improving { self.parameters.reverse_futility_improving } else { 0 };
        let doubt = situation.correction.abs() * self.parameters.reverse_futility_doubt / 256;
        let margin =
            self.parameters.reverse_futility_margin + self.parameters.reverse_futility_slope * depth + doubt
                - decrease;
        if depth <= self.parameters.reverse_futility_depth && estimated - margin >= beta {
            // The returned score lies between beta and the estimate.
            return Some(beta + (estimated - beta) * self.parameters.reverse_futility_share / 256);
        }
        if let Some(score) = self.null_move_cut(position, node, situation, estimate) {
            return Some(score);
        }
        self.prob_cut(position, node, situation)
    }

    /// Null-move pruning: if the score is above beta even after the side to move passes, the node need not be
    /// searched in full.
    fn null_move_cut(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        estimate: i32,
    ) -> Option<Score> {
        let Node { depth, ply, height, beta, .. } = node;
        let passed_before = height.checked_sub(1).is_none_or(|at| self.frames[at].arrival.is_none());
        let (side, until) = self.no_null_move;
        if depth < NULL_MOVE_DEPTH
            || passed_before
            || estimate < beta.units() + self.parameters.null_move_margin
            || side == position.side_to_move() && ply < until
        {
            return None;
        }
        let after = position.null_move()?;
        let surplus = (estimate - beta.units()) * 256 / self.parameters.null_move_surplus;
        let reduction = self.parameters.null_move_reduction
            + depth * self.parameters.null_move_slope
            + surplus.min(self.parameters.null_move_surplus_max);
        let reduced_depth = depth - reduction / 256;
        let before = std::mem::replace(&mut self.null_move_at, self.path.len());
        self.path.push(situation.key);
        self.frames[height].set_step(None);
        self.shared.table.prefetch(after.key());
        self.evaluator.null_move(&after);
        let below =
            Node { depth: reduced_depth, ply: ply + 1, height: height + 1, alpha: -beta, beta: -(beta - 1) };
        let score = -self.node(&after, below, NodeKind::All);
        self.evaluator.undo();
        self.path.pop();
        self.null_move_at = before;
        if self.stopped || score < beta {
            return None;
        }
        // A win found after a null move is not proved.
        let score = if score.is_certain() { beta } else { score };
        if depth < VERIFIED_NULL_MOVE_DEPTH {
            return Some(score);
        }
        // In zugzwang, passing would be best but is not legal. So a search without null moves by this side
        // must confirm the result.
        let outer = std::mem::replace(
            &mut self.no_null_move,
            (position.side_to_move(), ply + reduced_depth as usize * 3 / 4),
        );
        let verified =
            self.node(position, Node { depth: reduced_depth, alpha: beta - 1, ..node }, NodeKind::All);
        self.no_null_move = outer;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// `ProbCut`: tries winning captures at a reduced depth. If one scores far above beta, a search to the
    /// full depth will very probably score above beta too.
    fn prob_cut(&mut self, position: &P, node: Node, situation: &Situation) -> Option<Score> {
        let Node { depth, ply, height, beta, .. } = node;
        let &Situation { key, table_hit: hit, is_improving, .. } = situation;
        let decrease = if is_improving { self.parameters.prob_cut_improving } else { 0 };
        let min = beta + self.parameters.prob_cut_margin - decrease;
        let unlikely = hit
            .is_some_and(|hit| hit.depth >= depth - 3 && hit.score(ply) < min && hit.bound != Bound::Lower);
        if P::TAKING_IS_COMPULSORY || depth < PROB_CUT_DEPTH || unlikely {
            return None;
        }
        let mut steps = StepList::default();
        position.add_loud_steps(&mut steps);
        let base = self.stack.len();
        rank_loud_steps(position, &steps, hit.and_then(|hit| hit.step), self.histories, &mut self.stack);
        let needed = min.units() - situation.estimate.unwrap_or(0);
        self.path.push(key);
        let mut found = None;
        for index in base..self.stack.len() {
            let Some(candidate) = pick(position, &mut self.stack[index..], self.parameters.exchange_history)
            else {
                break;
            };
            if candidate.loses() {
                break;
            }
            if !position.exchange_wins(candidate.step, candidate.gain, needed) {
                continue;
            }
            let mut next = position.clone();
            next.play_unchecked(candidate.step);
            self.shared.table.prefetch(next.key());
            self.frames[height].set_step(history_step(position, candidate.step).map(|entry| entry.arrival));
            self.evaluator.play(position, candidate.step, &next);
            let below = Node { depth: 0, ply: ply + 1, height: height + 1, alpha: -min, beta: -(min - 1) };
            let mut score = -self.quiescence::<false>(&next, below, 0);
            if score >= min && depth > PROB_CUT_DEPTH {
                score = -self.node(&next, Node { depth: depth - 4, ..below }, situation.kind.below());
            }
            self.evaluator.undo();
            if self.stopped {
                break;
            }
            if score >= min {
                let record = NodeRecord {
                    step: Some(candidate.step),
                    score,
                    evaluation: hit.and_then(|hit| hit.evaluation),
                    depth: depth - 3,
                    bound: Bound::Lower,
                    is_pv: false,
                };
                self.shared.table.add(key, ply, &record);
                found = Some(score);
                break;
            }
        }
        self.path.pop();
        self.stack.truncate(base);
        found
    }
}
