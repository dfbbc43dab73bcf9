//! Updates the histories with the results of searches.

use super::{Node, Searcher, node::Choice, parameters::MAX_EVALUATION_BONUS};
use crate::{
    eval::{Evaluator, Searchable},
    history::CorrectionKeys,
    ordering::{history_step, most_valuable_victim},
    score::Score,
    transposition::{Bound, NodeRecord},
};

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Compares the evaluations before and after the last step, and updates the history of that step. Returns
    /// the reduction of the node's depth (hindsight reduction).
    #[inline]
    pub(super) fn hindsight_reduction(&mut self, node: &Node, estimate: i32) -> i32 {
        let (Some(before), Some(at)) = (node.height.checked_sub(1), node.ply.checked_sub(1)) else {
            return 0;
        };
        let Some(earlier) = self.evaluations[at] else { return 0 };
        // The loss of the side that made the last step: positive if the step was bad.
        let loss = earlier + estimate;
        if let Some((entry, context)) = &self.frames[before].quiet {
            let bonus =
                (-loss * self.parameters.bonus_evaluation).clamp(-MAX_EVALUATION_BONUS, MAX_EVALUATION_BONUS);
            self.histories.update_step(*entry, context, bonus);
        }
        let was_reduced = self.frames[before].reduction >= 2 && node.depth >= 2;
        i32::from(was_reduced && loss > self.parameters.hindsight_margin)
    }

    /// Rewards, in the histories, the step that led to the node, because no reply to it was good enough.
    pub(super) fn reward_refuted_parent(&mut self, node: &Node) {
        let Some(before) = node.height.checked_sub(1) else { return };
        if let Some((entry, context)) = &self.frames[before].quiet {
            let bonus = self.parameters.bonus(node.depth) * self.parameters.bonus_refuted_parent / 256;
            self.histories.update_quiet(*entry, context, bonus);
        }
    }

    /// Updates the correction history with the score of a node whose best step, if any, is quiet.
    #[inline]
    pub(super) fn learn_correction(
        &mut self,
        position: &P,
        keys: &CorrectionKeys,
        estimate: Option<i32>,
        record: &NodeRecord,
    ) {
        let (Some(raw), Some(_), false) = (record.evaluation, estimate, record.score.is_certain()) else {
            return;
        };
        if record.step.is_some_and(|step| position.gain(step) > 0) {
            return;
        }
        let corrected = self.corrected(position, raw.into(), self.histories.correction(keys));
        let error = record.score.units() - corrected;
        let is_informative = match record.bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        if is_informative {
            self.histories.update_correction(keys, error, record.depth, self.parameters.correction_weight);
        }
    }

    /// Updates the histories with the result of a full-depth search that followed a reduced one.
    pub(super) fn learn_from_research(&mut self, node: &Node, score: Score) {
        let bonus = self.parameters.bonus(node.depth) * self.parameters.bonus_research / 256;
        let bonus = match () {
            () if score <= node.alpha => -bonus,
            () if score >= node.beta => bonus,
            () => return,
        };
        if let Some((entry, context)) = &self.frames[node.height].quiet {
            self.histories.update_continuation(*entry, context, bonus);
        }
    }

    /// Rewards, in the histories, the step that refuted the node, and penalises those tried before it.
    pub(super) fn update_histories(
        &mut self,
        position: &P,
        depth: i32,
        height: usize,
        choice: &Choice<'_>,
        index: usize,
    ) {
        let (bonus, malus) = (self.parameters.bonus(depth), self.parameters.malus(depth));
        let &Choice { base, hints, .. } = choice;
        let best = self.stack[base + index];
        if !best.is_loud() {
            let killers = &mut self.frames[height].killers;
            if killers[0] != Some(best.step) {
                *killers = [Some(best.step), killers[0]];
            }
        }
        for at in base..=base + index {
            let candidate = self.stack[at];
            let Some(entry) = history_step(position, candidate.step) else { continue };
            let is_best = at == base + index;
            if candidate.is_loud() {
                let taken = most_valuable_victim(position, candidate.step);
                self.histories.update_taking(entry, taken, if is_best { bonus } else { -malus });
            } else if !best.is_loud() {
                // If a loud step refuted the node, this says nothing about the quiet steps tried before.
                self.histories.update_quiet(entry, &hints.context, if is_best { bonus } else { -malus });
            }
        }
    }
}
