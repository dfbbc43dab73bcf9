//! Iterative deepening. Each iteration saves more time in the next one than it costs.

use adoube_rules::Turn;

use super::{
    Info, ScoreBound, Searcher, ThreadResult, line_of,
    root::{self, RootTurn},
    window::{ScoreRange, Window},
};
use crate::{
    eval::{Evaluator, Searchable},
    limits::Limits,
    score::Score,
    time::TimeShare,
};

/// Bounds (scores outside the window) are reported only after this many nodes, because only long searches are
/// watched.
const NODES_BEFORE_BOUNDS: u64 = 2_000_000;

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Searches with increasing depth until a limit is reached or a win or loss is certain.
    pub(super) fn deepen(&mut self, position: &P) -> Option<ThreadResult> {
        self.evaluator.start(position);
        let mut turns = root::turns(self, position);
        let lines = self.limits.lines.clamp(1, turns.len().max(1));
        let mut best = turns.first()?.clone();
        let mut time_share = TimeShare::new();
        let mut reached = 0;
        for depth in 1..=self.limits.depth.min(Limits::MAX_DEPTH) {
            // Helpers search different depths (lazy SMP): every other helper skips some.
            if self.thread % 2 == 1 && depth % 3 == 0 && depth > 3 {
                continue;
            }
            self.root_depth = depth as usize;
            for turn in &mut turns {
                // The scores are kept, in case this iteration does not reach all turns.
                turn.selective_depth = 0;
            }
            for line in 0..lines {
                let previous =
                    (depth > 1).then_some(turns[line].score).filter(|&score| score > -Score::INFINITE);
                let finished = self.search_with_aspiration(position, &mut turns, line, depth, previous);
                let is_other = turns[0].turn != best.turn || best.score == -Score::INFINITE;
                if line == 0 && (finished || turns[0].score > -Score::INFINITE && is_other) {
                    best.clone_from(&turns[0]);
                }
                if self.stopped {
                    break;
                }
                self.report_line(position, &turns[line], line + 1, depth, None);
            }
            if self.stopped {
                break;
            }
            reached = depth;
            // The first iteration is complete, so all limits apply.
            (self.max_nodes, self.guaranteed_nodes) = (self.limits.nodes, 0);
            self.learn_at_root(position, &best.turn, depth as i32);
            if self.is_sufficient(&best, &turns, depth, lines, &mut time_share) {
                break;
            }
        }
        if let Some(reported) = self.shared.nodes.get(self.thread) {
            reported.store(self.nodes, std::sync::atomic::Ordering::Relaxed);
        }
        if best.score == -Score::INFINITE {
            // No turn was searched.
            self.evaluator.start(position);
            best.score = Score::of_evaluation(self.evaluate(position));
        }
        Some(ThreadResult { best, depth: reached, reported: self.reported.take() })
    }

    /// Searches one line to a depth, widening the aspiration window until the score is inside. Returns
    /// `false` if the search was stopped or found no line.
    fn search_with_aspiration(
        &mut self,
        position: &P,
        turns: &mut [RootTurn],
        line: usize,
        depth: u32,
        previous: Option<Score>,
    ) -> bool {
        let mut window = Window::around(previous, depth, self.parameters.window);
        let mut reduction = 0;
        loop {
            let score = self.search_root(position, &mut turns[line..], depth as i32 - reduction, window);
            if self.stopped {
                return false;
            }
            let Some(score) = score else { return false };
            let range = window.widen(score);
            if range == ScoreRange::Inside {
                return true;
            }
            if self.nodes > NODES_BEFORE_BOUNDS {
                let bound = if range == ScoreRange::Below { ScoreBound::Upper } else { ScoreBound::Lower };
                self.report_line(position, &turns[line], line + 1, depth, Some(bound));
            }
            // After a fail high, a slightly shallower search usually confirms the result.
            reduction = if range == ScoreRange::Above && depth > 6 { (reduction + 1).min(2) } else { 0 };
        }
    }

    /// Returns `true` if no deeper search is needed, or if there is not enough time or nodes for one.
    fn is_sufficient(
        &self,
        best: &RootTurn,
        turns: &[RootTurn],
        depth: u32,
        lines: usize,
        time_share: &mut TimeShare,
    ) -> bool {
        if let (Some(mate_limit), Some(plies)) = (self.limits.mate, best.score.certain_end())
            && plies > 0
            && plies.unsigned_abs() < mate_limit.saturating_mul(2)
        {
            return true;
        }
        // A certain win or loss within the searched depth can no longer change.
        if best.score.certain_end().is_some_and(|plies| plies.unsigned_abs() <= depth) && lines == 1 {
            return true;
        }
        if self.nodes >= self.limits.enough_nodes {
            return true;
        }
        let Some(budget) = self.limits.time.filter(|_| self.thread == 0) else {
            // If nodes are limited but time is not, a single legal turn needs no deeper search.
            return turns.len() == 1
                && depth >= 2
                && self.limits.nodes.min(self.limits.enough_nodes) < u64::MAX
                && self.limits.mate.is_none();
        };
        if budget.soft < budget.hard && turns.len() == 1 && depth >= 2 {
            return true;
        }
        let effort = best_effort(turns, &best.turn, self.nodes);
        let factor = time_share.after_iteration(&best.turn, best.score, effort);
        budget.soft < budget.hard && (self.control.elapsed)() >= budget.soft.mul_f64(factor).min(budget.hard)
    }

    /// Reports a line.
    fn report_line(
        &mut self,
        position: &P,
        turn: &RootTurn,
        line: usize,
        depth: u32,
        bound: Option<ScoreBound>,
    ) {
        let Some(report) = self.control.report.filter(|_| self.thread == 0) else { return };
        if line == 1 {
            self.reported = Some(turn.turn.clone());
        }
        report(&Info {
            depth,
            selective_depth: (turn.selective_depth as u32).max(1),
            line,
            score: turn.score,
            bound,
            nodes: self.all_nodes(),
            threads: self.all_threads(),
            elapsed: (self.control.elapsed)(),
            table_fullness: self.shared.table.fullness(),
            pv: line_of(position, turn),
        });
    }
}

/// Returns the share of all nodes that was spent on the best turn, as a measure of how clear the choice is.
fn best_effort(turns: &[RootTurn], best: &Turn, nodes: u64) -> f64 {
    let spent = turns.iter().find(|turn| turn.turn == *best).map_or(0, |turn| turn.nodes);
    spent as f64 / nodes.max(1) as f64
}
