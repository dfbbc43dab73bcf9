//! Searches every position below the root, while depth is left.
//!
//! Principal variation search (Marsland and Campbell, 1982). [`cuts`](super::cuts) prunes whole nodes, and
//! [`selectivity`](super::selectivity) prunes, reduces and extends single steps. Both name their sources. The
//! other techniques are common knowledge among engine authors.

use adoube_rules::{Step, StepList};

use super::{
    Node, Searcher,
    parameters::{MAX_EXTENSION, MAX_PLIES, MAX_STEPS},
    same_side_to_move,
    selectivity::Pruning,
};
use crate::{
    eval::{Evaluator, Searchable},
    ordering::{Candidate, Hints, history_step, pick, rank_steps},
    score::Score,
    transposition::{Bound, NodeRecord, TableHit},
};

/// The expected type of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// On the principal variation: the window is open, and the exact score is needed.
    Pv,
    /// A cut node: one step is expected to refute it. The window is closed, so only a bound is needed.
    Cut,
    /// An all node: no step is expected to be good enough, so all are tried. The window is closed.
    All,
}

impl NodeKind {
    /// Returns the type of a child that is searched with a closed window.
    #[inline]
    pub(super) const fn below(self) -> Self {
        match self {
            Self::Pv | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }

    /// Returns the type of the same node, searched with a closed window.
    #[inline]
    pub(super) const fn closed(self) -> Self {
        match self {
            Self::Pv | Self::All => Self::All,
            Self::Cut => Self::Cut,
        }
    }
}

/// The side to move after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextMover {
    /// The side that made the step, whose chain continues.
    Same,
    /// The opponent, because the turn is over.
    Other,
}

impl NextMover {
    #[inline]
    fn of<P: Searchable>(before: &P, after: &P) -> Self {
        if same_side_to_move(before, after) { Self::Same } else { Self::Other }
    }
}

/// The state of a node before any step is tried.
#[derive(Clone, Copy)]
pub(super) struct Situation {
    pub(super) key: u64,
    pub(super) table_hit: Option<TableHit>,
    /// Whether the side to move is in check.
    pub(super) check: bool,
    /// The corrected static evaluation, or the table's score if that is more precise. `None` if an evaluation
    /// is meaningless, that is, if the side to move is in check or must capture.
    pub(super) estimate: Option<i32>,
    /// The correction included in the estimate.
    pub(super) correction: i32,
    /// Whether the side to move stands better than two turns ago, or than four turns ago if that evaluation
    /// is missing; `true` if both are missing. Always `false` if `estimate` is `None`.
    pub(super) is_improving: bool,
    pub(super) kind: NodeKind,
    /// The gain of the step from the table, once the step is known to be legal; 0 if it is quiet or missing.
    pub(super) table_gain: i32,
}

/// The steps of a node.
pub(super) struct Choice<'a> {
    pub(super) steps: &'a [Step],
    /// The step from the table, if it is legal. It is tried first; until then, it is the only one on the
    /// stack.
    pub(super) legal_table_step: Option<Step>,
    pub(super) hints: &'a Hints,
    /// The index on the stack where the steps begin.
    pub(super) base: usize,
}

/// The result of trying the steps.
struct StepsResult {
    best: Score,
    step: Option<Step>,
    searched: usize,
}

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Returns the score of a position: exact if it is between alpha and beta, otherwise a bound.
    ///
    /// [`Pv`](NodeKind::Pv) nodes have an open window. The others only prove an upper or lower bound.
    #[inline]
    pub(super) fn node(&mut self, position: &P, node: Node, kind: NodeKind) -> Score {
        match kind {
            NodeKind::Pv => self.node_in_window::<true>(position, node, kind),
            NodeKind::Cut | NodeKind::All => self.node_in_window::<false>(position, node, kind),
        }
    }

    /// The body of [`node`](Self::node), compiled once for open windows (`PV`) and once for closed ones.
    #[expect(clippy::too_many_lines, reason = "the search is one sequence, and most parts can return early")]
    fn node_in_window<const PV: bool>(&mut self, position: &P, mut node: Node, kind: NodeKind) -> Score {
        if node.depth <= 0 {
            return self.quiescence::<PV>(position, node, 0);
        }
        let Node { ply, height, .. } = node;
        if PV {
            self.begin_line(height);
        }
        if self.is_over() {
            return Score::DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let in_chain = position.chain().is_some();
        let excluded = self.frames[height].excluded;
        let key = position.key();
        if !in_chain && excluded.is_none() {
            if let Some(score) = self.end_by_history(position, key, ply) {
                return score;
            }
            // Mate distance pruning: no line from this node can be better than winning immediately, or worse
            // than having already lost.
            node.alpha = node.alpha.max(Score::loss_at(ply));
            node.beta = node.beta.min(Score::win_at(ply + 1));
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }
        if ply >= MAX_PLIES || height >= MAX_STEPS {
            return Score::of_evaluation(self.evaluate(position));
        }

        // The table entry was prefetched, but may not have arrived yet. Few nodes can do without an
        // evaluation, so compute it in the meantime.
        let check = P::KNOWS_CHECK && position.is_check();
        let evaluated = (!P::TAKING_IS_COMPULSORY && !check).then(|| self.evaluate(position) as i16);
        let hit = if excluded.is_some() { None } else { self.shared.table.lookup(key) };
        // Near the fifty-move limit, a score from another path is unreliable.
        if let Some(hit) = hit.filter(|hit| {
            !PV && hit.depth >= node.depth
                && hit.causes_cutoff(ply, node.alpha, node.beta)
                && position.halfmove_clock() < 90
        }) {
            return hit.score(ply);
        }

        let mut steps = StepList::default();
        // If captures are compulsory, everything that follows depends on the available captures, so generate
        // the steps now. In other variants many nodes end before their steps are needed.
        let (mut must_take, mut forced) = (in_chain, check);
        if P::TAKING_IS_COMPULSORY {
            position.add_legal_steps(&mut steps);
            let Some(&first) = steps.first() else { return Score::loss_at(ply) };
            must_take |= position.taken(first).any();
            forced = must_take && !in_chain && steps.len() == 1;
        }
        let keys = self.correction_keys(position, height);
        let quiet = !(check || must_take);
        let correction = if quiet { self.correction(&keys) } else { 0 };
        let raw = quiet.then(|| evaluated.unwrap_or_else(|| self.evaluation(position, hit)));
        let estimate = raw.map(|raw| estimate(self.corrected(position, raw.into(), correction), hit, ply));
        if !in_chain {
            self.evaluations[ply] = estimate;
        }
        let earlier = [2, 4].into_iter().find_map(|back| self.evaluations[ply.checked_sub(back)?]);
        let is_improving = estimate.is_some_and(|now| earlier.is_none_or(|earlier| now > earlier));
        let mut situation =
            Situation { key, table_hit: hit, check, estimate, correction, is_improving, kind, table_gain: 0 };
        self.frames[height + 1].killers = [None; 2];
        if !in_chain
            && excluded.is_none()
            && let Some(estimate) = estimate
        {
            node.depth -= self.hindsight_reduction(&node, estimate);
        }
        if !PV
            && excluded.is_none()
            && let Some(estimate) = estimate
            && let Some(score) = self.early_cutoff(position, node, &situation, estimate)
        {
            return score;
        }
        if forced && ply < MAX_EXTENSION * self.root_depth {
            node.depth += 1;
        } else if node.depth >= self.parameters.internal_reduction_depth
            && kind != NodeKind::All
            && excluded.is_none()
            && hit.is_none_or(|hit| hit.step.is_none() || hit.depth + 4 < node.depth)
        {
            // Internal iterative reduction: if the table has no step, or one from a much shallower search, a
            // search at a lower depth finds one at less cost.
            node.depth -= 1;
        }

        if !P::TAKING_IS_COMPULSORY {
            position.add_legal_steps(&mut steps);
        }
        if steps.is_empty() {
            return Self::score_without_steps(check, ply);
        }
        let base = self.stack.len();
        let hints = Hints {
            table_step: hit.and_then(|hit| hit.step),
            killers: self.frames[height].killers,
            context: self.context(position, height),
        };
        // The step from the table often refutes the node. Then the other steps need not be ranked.
        let legal_table_step = hints.table_step.filter(|step| excluded.is_none() && steps.contains(step));
        situation.table_gain = legal_table_step.map_or(0, |step| position.gain(step));
        let first = legal_table_step.as_slice();
        let first = if first.is_empty() { &steps[..] } else { first };
        rank_steps(position, first, None, &hints, self.histories, &mut self.stack);
        let pushes = !in_chain && excluded.is_none();
        if pushes {
            self.path.push(key);
        }
        let choice = Choice { steps: &steps, legal_table_step, hints: &hints, base };
        let StepsResult { mut best, step, searched: tried } =
            self.search_steps::<PV>(position, node, &situation, &choice);
        self.stack.truncate(base);
        if pushes {
            self.path.pop();
        }
        if self.stopped {
            return Score::DRAW;
        }
        if tried == 0 {
            // The excluded step is the only one.
            return node.alpha;
        }
        if excluded.is_none() {
            let bound = if best >= node.beta {
                Bound::Lower
            } else if PV && best > node.alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if bound == Bound::Upper && !in_chain {
                self.reward_refuted_parent(&node);
            }
            if self.parameters.softens_cutoffs > 0
                && bound == Bound::Lower
                && !best.is_certain()
                && !node.beta.is_certain()
            {
                // A cutoff proves that the score is at least beta, but the excess above beta is less
                // reliable. The deeper the search, the more the excess is trusted.
                let (found, beta_value) = (best.units(), node.beta.units());
                best = Score::of_evaluation((found * node.depth + beta_value) / (node.depth + 1));
            }
            let record =
                NodeRecord { step, score: best, evaluation: raw, depth: node.depth, bound, is_pv: PV };
            self.shared.table.add(key, ply, &record);
            self.learn_correction(position, &keys, estimate, &record);
        }
        best
    }

    /// Returns the static evaluation, taken from the table if it is stored there.
    #[inline]
    fn evaluation(&mut self, position: &P, hit: Option<TableHit>) -> i16 {
        hit.and_then(|hit| hit.evaluation).unwrap_or_else(|| self.evaluate(position) as i16)
    }

    /// Tries the steps in order.
    fn search_steps<const PV: bool>(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        choice: &Choice<'_>,
    ) -> StepsResult {
        let &Choice { steps, legal_table_step, hints, base } = choice;
        let count = steps.len();
        let Node { depth, ply, height, beta, .. } = node;
        let mut alpha = node.alpha;
        let excluded = self.frames[height].excluded;
        let mut outcome = StepsResult { best: -Score::INFINITE, step: None, searched: 0 };
        self.frames[height + 1].cuts = 0;
        // Once this is set, quiet steps are pruned unless they give check.
        let mut only_checks = false;
        let mut checks = None;
        for index in 0..count {
            if index == 1 && legal_table_step.is_some() {
                rank_steps(position, steps, legal_table_step, hints, self.histories, &mut self.stack);
            }
            let Some(candidate) =
                pick(position, &mut self.stack[base + index..], self.parameters.exchange_history)
            else {
                break;
            };
            let step = candidate.step;
            if excluded == Some(step) {
                continue;
            }
            // If captures are compulsory, a quiet step is often a sacrifice that the opponent must accept, so
            // no step is pruned. In other variants, checks are not pruned, because they may lead to mate.
            if !P::TAKING_IS_COMPULSORY && outcome.searched > 0 && !outcome.best.is_loss() {
                let current = Node { alpha, ..node };
                let pruning = if only_checks && !candidate.is_loud() {
                    Pruning::No
                } else {
                    self.pruning::<PV>(position, &current, situation, &candidate, outcome.searched)
                };
                if matches!(pruning, Pruning::AllQuiet) {
                    only_checks = true;
                    let gives_check = checks.get_or_insert_with(|| position.gives_check());
                    let is_pruned = |other: &mut Candidate| !other.is_loud() && !gives_check(other.step);
                    self.stack.extract_if(base + index + 1.., is_pruned).for_each(drop);
                }
                if !matches!(pruning, Pruning::No)
                    && !checks.get_or_insert_with(|| position.gives_check())(step)
                {
                    continue;
                }
            }
            let is_table_step = situation.table_hit.is_some_and(|hit| hit.step == Some(step));
            let mut extension = 0;
            if is_table_step && excluded.is_none() {
                match self.extension::<PV>(position, node, situation, step) {
                    Ok(turns) => extension = turns,
                    Err(score) => {
                        return StepsResult { best: score, step: Some(step), searched: outcome.searched + 1 };
                    }
                }
                if self.stopped {
                    return outcome;
                }
            }

            // Modify a clone in place, as in quiescence.
            let mut next = position.clone();
            next.play_unchecked(step);
            self.shared.table.prefetch(next.key());
            let mover = NextMover::of(position, &next);
            let entry = history_step(position, step);
            self.frames[height].set_step(entry.map(|entry| entry.arrival));
            if !candidate.is_loud() && mover == NextMover::Other {
                self.frames[height].quiet = entry.map(|entry| (entry, hints.context));
            }
            self.evaluator.play(position, step, &next);
            let current = Node { alpha, depth: depth + extension, ..node };
            let reduction = match mover {
                NextMover::Same => 0,
                NextMover::Other => self.reduction::<PV>(&current, situation, &candidate, outcome.searched),
            };
            let score = self.search_step(&next, current, mover, reduction, outcome.searched, situation.kind);
            self.evaluator.undo();
            if self.stopped {
                return outcome;
            }
            outcome.searched += 1;
            if score > outcome.best {
                outcome.best = score;
                if score > alpha {
                    outcome.step = Some(step);
                    alpha = score;
                    if PV {
                        self.note(height, step);
                    }
                }
            }
            if score >= beta {
                self.frames[height].cuts += 1;
                self.update_histories(position, depth + i32::from(score > beta + 60), height, choice, index);
                break;
            }
        }
        debug_assert!(ply <= MAX_PLIES);
        outcome
    }

    /// Returns the score of a position after a step, from the point of view of the side that made it.
    ///
    /// Except for the first step of a `Pv` node, a step is first searched with a null window, possibly at a
    /// reduced depth. Only in a `Pv` node can a search with the full window follow.
    #[inline]
    fn search_step(
        &mut self,
        next: &P,
        node: Node,
        mover: NextMover,
        reduction: i32,
        tried: usize,
        kind: NodeKind,
    ) -> Score {
        if kind == NodeKind::Pv && tried == 0 {
            return self.search_next(next, node, mover, NodeKind::Pv);
        }
        let scout = Node { beta: node.alpha + 1, ..node };
        let mut score = Score::INFINITE;
        if reduction > 0 {
            let reduced = Node { depth: (node.depth - reduction).max(1), ..scout };
            self.frames[node.height].reduction = reduction;
            score = self.search_next(next, reduced, mover, NodeKind::Cut);
            self.frames[node.height].reduction = 0;
        }
        if score > node.alpha {
            score = self.search_next(next, scout, mover, kind.below());
            if reduction > 0 && !self.stopped {
                self.learn_from_research(&node, score);
            }
        }
        if kind == NodeKind::Pv && score > node.alpha && !self.stopped {
            score = self.search_next(next, node, mover, NodeKind::Pv);
        }
        score
    }

    #[inline]
    fn search_next(&mut self, next: &P, node: Node, mover: NextMover, kind: NodeKind) -> Score {
        let Node { depth, ply, height, alpha, beta } = node;
        match mover {
            // The turn is not over, so neither the sign nor the depth changes.
            NextMover::Same => self.node(next, Node { height: height + 1, ..node }, kind),
            NextMover::Other => {
                let below =
                    Node { depth: depth - 1, ply: ply + 1, height: height + 1, alpha: -beta, beta: -alpha };
                -self.node(next, below, kind)
            }
        }
    }
}

/// Returns the estimate for a position: the table's score if that is exact or is a bound that contradicts the
/// evaluation; otherwise the evaluation. Never returns a certain win or loss from the table.
#[inline]
pub(super) fn estimate(evaluation: i32, hit: Option<TableHit>, ply: usize) -> i32 {
    let Some(hit) = hit else { return evaluation };
    let score = hit.score(ply);
    let better = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score.units() > evaluation,
        Bound::Upper => score.units() < evaluation,
    };
    if better && !score.is_certain() { score.units() } else { evaluation }
}
