//! Step-level pruning, reductions and extensions: hopeless steps are skipped, late ones searched less deeply,
//! and a singular one more deeply.
//!
//! The techniques include futility pruning (Schaeffer, 1986; Heinz, 1998) and singular extensions
//! (Anantharaman, Campbell and Hsu, 1988).

use adoube_rules::Step;

use super::{
    Node, Searcher,
    node::{NodeKind, Situation},
    parameters::{MAX_EXTENSION, REDUCTION_DEPTH, REDUCTION_UNIT},
};
use crate::{
    eval::{Evaluator, Searchable},
    ordering::Candidate,
    score::Score,
    transposition::Bound,
};

/// Whether to prune a step.
pub(super) enum Pruning {
    No,
    Step,
    /// Prune this step and all further quiet ones, unless they give check.
    AllQuiet,
}

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Decides whether to prune a step, once another step has been tried.
    #[inline]
    pub(super) fn pruning<const PV: bool>(
        &self,
        position: &P,
        node: &Node,
        situation: &Situation,
        candidate: &Candidate,
        tried: usize,
    ) -> Pruning {
        let &Node { depth, alpha, .. } = node;
        let Some(estimate) = situation.estimate else { return Pruning::No };
        if candidate.is_loud() {
            let min = self.parameters.loud_exchange_slope * depth;
            let loses = P::SEES_EXCHANGES
                && candidate.loses()
                && depth <= 8
                && !position.exchange_wins(candidate.step, candidate.gain, min);
            return if loses { Pruning::Step } else { Pruning::No };
        }
        if depth <= self.parameters.late_depth
            && tried as i32 >= self.parameters.late_count(depth, situation.is_improving)
            && !PV
        {
            return Pruning::AllQuiet;
        }
        let depth_left = (depth - self.parameters.reduction(depth, tried) / REDUCTION_UNIT).max(1);
        let margin = self.parameters.futility_margin
            + self.parameters.futility_slope * depth_left
            + candidate.history / self.parameters.futility_history;
        if depth_left <= self.parameters.futility_depth
            && !alpha.is_certain()
            && estimate + margin <= alpha.units()
        {
            return Pruning::Step;
        }
        if depth_left <= self.parameters.history_depth
            && candidate.history < self.parameters.history_slope * depth_left
        {
            return Pruning::Step;
        }
        if P::SEES_EXCHANGES
            && depth_left <= 8
            && !position.exchange_wins(
                candidate.step,
                0,
                self.parameters.quiet_exchange_slope * depth_left * depth_left,
            )
        {
            return Pruning::Step;
        }
        Pruning::No
    }

    /// Returns the reduction of a step's first search, in turns.
    #[inline]
    pub(super) fn reduction<const PV: bool>(
        &self,
        node: &Node,
        situation: &Situation,
        candidate: &Candidate,
        tried: usize,
    ) -> i32 {
        let &Node { depth, ply, height, alpha, .. } = node;
        // A side that must capture has few steps, and the position's evaluation is meaningless.
        if depth < REDUCTION_DEPTH
            || tried < 1 + usize::from(PV)
            || P::TAKING_IS_COMPULSORY && situation.estimate.is_none()
        {
            return 0;
        }
        let mut units = self.parameters.reduction(depth, tried);
        if candidate.is_loud() {
            if !candidate.loses() {
                return 0;
            }
            units = units * self.parameters.reduction_loud / 256;
        } else {
            units -= candidate.history * REDUCTION_UNIT / self.parameters.reduction_history;
            if candidate.is_killer() {
                units -= self.parameters.reduction_killer;
            }
        }
        let known_pv = situation.table_hit.filter(|hit| hit.was_pv);
        if PV || known_pv.is_some() {
            units -= self.parameters.reduction_pv;
        }
        if let Some(hit) = known_pv {
            let confirmations = i32::from(hit.score(ply) > alpha) + i32::from(hit.depth >= depth);
            units -= confirmations * self.parameters.reduction_pv_known;
        }
        if situation.kind == NodeKind::Cut {
            units += self.parameters.reduction_cut;
        }
        if situation.table_gain > 0 {
            units += self.parameters.reduction_taking;
        }
        if !situation.is_improving && !situation.check {
            units += self.parameters.reduction_worsening;
        }
        if situation.check {
            units -= self.parameters.reduction_check;
        }
        if self.frames[height + 1].cuts > 3 {
            units += self.parameters.reduction_refuted;
        }
        (units / REDUCTION_UNIT).clamp(0, depth - 1)
    }

    /// Returns the extension of the step from the table, in turns: positive if no other step is nearly as
    /// good, otherwise zero or negative. Returns a score as `Err` if several steps are probably above beta
    /// (multi-cut).
    pub(super) fn extension<const PV: bool>(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        step: Step,
    ) -> Result<i32, Score> {
        let Node { depth, ply, height, alpha, beta } = node;
        let Some(hit) = situation.table_hit else { return Ok(0) };
        let score = hit.score(ply);
        if depth < self.parameters.singular_depth
            || hit.depth < depth - 3
            || hit.bound == Bound::Upper
            || score.is_certain()
            || ply >= MAX_EXTENSION * self.root_depth
            || position.chain().is_some()
        {
            return Ok(0);
        }
        let min = score - self.parameters.singular_slope * depth / 16;
        let killers = self.frames[height].killers;
        self.frames[height].excluded = Some(step);
        let half = Node { depth: (depth - 1) / 2, alpha: min - 1, beta: min, ..node };
        let others = self.node(position, half, situation.kind.closed());
        self.frames[height].excluded = None;
        self.frames[height].killers = killers;
        if self.stopped {
            return Ok(0);
        }
        if others < min {
            // A step that is much better than all others is extended by two turns, except at PV nodes.
            return Ok(if !PV && others < min - self.parameters.double_extension_margin { 2 } else { 1 });
        }
        let proved = if self.parameters.multi_cut_score > 0 { others } else { min };
        if proved >= beta && !proved.is_certain() && !PV {
            // Several steps are probably above beta, so at least one of them almost certainly is.
            return Err(proved);
        }
        Ok(if score >= beta {
            -2
        } else if situation.kind == NodeKind::Cut || score <= alpha {
            -1
        } else {
            0
        })
    }
}
