//! Quiescence search: when the depth is used up, captures are followed until the position is quiet.
//!
//! In chess, Baroque and Ultima a side that is not in check may stand pat, so its evaluation is a lower
//! bound. In Interweave captures are compulsory, so a position with captures is worth what they lead to, and
//! one without is worth its evaluation.

use adoube_rules::StepList;

use super::{
    Node, Searcher,
    node::estimate,
    parameters::{CHECK_PLIES, MAX_PLIES, MAX_QUIESCENCE_PLIES, MAX_STEPS},
    same_side_to_move,
};
use crate::{
    eval::{Evaluator, Searchable},
    ordering::{Hints, history_step, pick, rank_loud_steps, rank_steps},
    score::Score,
    transposition::{Bound, NodeRecord},
};

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Searches captures. `plies` counts the turns since the depth was used up.
    #[expect(clippy::too_many_lines, reason = "the search is one sequence, and most parts can return early")]
    pub(super) fn quiescence<const PV: bool>(&mut self, position: &P, node: Node, plies: usize) -> Score {
        let Node { ply, height, mut alpha, beta, .. } = node;
        if PV {
            self.begin_line(height);
        }
        if self.is_over() {
            return Score::DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let in_chain = position.chain().is_some();
        let key = position.key();
        if !in_chain {
            let end = if plies == 0 {
                self.end_by_history(position, key, ply)
            } else {
                position.is_material_draw().then_some(Score::DRAW)
            };
            if let Some(score) = end {
                return score;
            }
        }
        if ply >= MAX_PLIES || height >= MAX_STEPS {
            return Score::of_evaluation(self.evaluate(position));
        }
        // The table rarely contains a position from this search, and the prefetched entry may not have
        // arrived yet, so compute the evaluation in the meantime.
        let check = P::KNOWS_CHECK && position.is_check();
        let evaluation = (!P::TAKING_IS_COMPULSORY && !check).then(|| self.evaluate(position));
        let hit = self.shared.table.lookup(key);
        if let Some(hit) = hit.filter(|hit| !PV && hit.causes_cutoff(ply, alpha, beta)) {
            return hit.score(ply);
        }

        let (mut best, raw) = (-Score::INFINITE, evaluation.map(|evaluation| evaluation as i16));
        if let Some(evaluation) = evaluation {
            let correction = self.correction(&self.correction_keys(position, height));
            let corrected = self.corrected(position, evaluation, correction);
            best = Score::of_evaluation(estimate(corrected, hit, ply));
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut steps = StepList::default();
        if P::TAKING_IS_COMPULSORY || check {
            position.add_legal_steps(&mut steps);
        } else {
            position.add_loud_steps(&mut steps);
        }
        let first = steps.first().copied();
        if first.is_none() && (P::TAKING_IS_COMPULSORY || check || position.count_steps() == 0) {
            return Self::score_without_steps(check, ply);
        }
        let is_quiet = P::TAKING_IS_COMPULSORY
            && !in_chain
            && first.is_none_or(|first| position.taken(first).is_empty());
        if is_quiet || plies >= MAX_QUIESCENCE_PLIES {
            let evaluation = self.evaluate(position);
            return match P::TAKING_IS_COMPULSORY {
                true => Score::of_evaluation(
                    evaluation + self.correction(&self.correction_keys(position, height)),
                ),
                false if check => Score::of_evaluation(evaluation),
                false => best,
            };
        }

        let all = P::TAKING_IS_COMPULSORY || check && plies < CHECK_PLIES;
        let stand_pat = best;
        let table_step = hit.and_then(|hit| hit.step);
        let base = self.stack.len();
        if all {
            let hints = Hints { table_step, killers: [None; 2], context: self.context(position, height) };
            rank_steps(position, &steps, None, &hints, self.histories, &mut self.stack);
        } else {
            rank_loud_steps(position, &steps, table_step, self.histories, &mut self.stack);
            if check {
                // The node is too deep to try all evasions, so a quiet evasion is assumed to lose nothing.
                best = Score::of_evaluation(self.evaluate(position));
                alpha = alpha.max(best);
            }
        }
        let (old_alpha, mut best_step) = (alpha, None);
        for index in base..self.stack.len() {
            let Some(candidate) = pick(position, &mut self.stack[index..], self.parameters.exchange_history)
            else {
                break;
            };
            let step = candidate.step;
            if !all && !check {
                // The first few captures win the most. If they are not enough, the others will not be either.
                let is_late = index - base >= self.parameters.quiescence_captures as usize;
                if candidate.loses() || is_late {
                    break;
                }
                let ceiling = stand_pat + candidate.gain + self.parameters.delta_margin;
                if ceiling <= alpha {
                    best = best.max(ceiling);
                    continue;
                }
            } else if check
                && !best.is_loss()
                && (candidate.loses() || !candidate.is_loud())
                && index > base + 1
            {
                // One evasion that does not lose shows that the position is not mate.
                continue;
            }
            // Modify a clone in place: a function's result would be copied again, and in WebAssembly the copy
            // would be a call.
            let mut next = position.clone();
            next.play_unchecked(step);
            self.shared.table.prefetch(next.key());
            self.frames[height].set_step(history_step(position, step).map(|entry| entry.arrival));
            self.evaluator.play(position, step, &next);
            let score = if same_side_to_move(position, &next) {
                self.quiescence::<PV>(&next, Node { height: height + 1, alpha, ..node }, plies)
            } else {
                let below = Node { ply: ply + 1, height: height + 1, alpha: -beta, beta: -alpha, ..node };
                -self.quiescence::<PV>(&next, below, plies + 1)
            };
            self.evaluator.undo();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_step = Some(step);
                    if PV {
                        self.note(height, step);
                    }
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        if !self.stopped {
            let bound = if best >= beta {
                Bound::Lower
            } else if PV && best > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let record =
                NodeRecord { step: best_step, score: best, evaluation: raw, depth: 0, bound, is_pv: PV };
            self.shared.table.add(key, ply, &record);
        }
        best
    }

    /// Records the line of a node: a step followed by the line of its child.
    #[inline]
    pub(super) fn note(&mut self, height: usize, step: adoube_rules::Step) {
        let (current, below) = self.lines.split_at_mut(height + 1);
        current[height].set(step, &below[0]);
    }
}
