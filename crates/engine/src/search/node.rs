//! Every position below the root, as long as depth is left.
//!
//! Where the names of the ideas come from: principal variation search (Marsland and Campbell, 1982), null move
//! (Beal, 1989), verified (Tabibi and Netanyahu, 2002), probable cuts (Buro, 1995), singular extensions
//! (Anantharaman, Campbell and Hsu, 1988), razoring (Birmingham and Kent, 1977), futility (Schaeffer, 1986; Heinz,
//! 1998). The others are the common property of those who write such programs.

use adoube_rules::Step;

use super::{
    Node, Searcher, goes_on,
    parameters::{
        MOST_EXTENSION, MOST_PLIES, MOST_STEPS, PASS_DEPTH, PROBABLE_CUT_DEPTH, RAZOR_DEPTH, REDUCTION_DEPTH,
        REDUCTION_UNIT, VERIFIED_PASS_DEPTH,
    },
};
use crate::{
    eval::{Evaluator, Searchable},
    history::Marks,
    ordering::{Candidate, Hints, greatest_taken, pick, rank_loud_steps, rank_steps, seen},
    score::Score,
    transposition::{Bound, Known, Record},
};

/// What is known of a node before any step is tried.
#[derive(Clone, Copy)]
struct Situation {
    key: u64,
    known: Option<Known>,
    /// Whether the side to move is in check.
    check: bool,
    /// What the position is worth as far as can be seen, corrected by what searches have said; none where that
    /// means nothing: in check, and where a taking is compulsory.
    estimate: Option<i32>,
    /// Whether the side to move stands better than two turns ago.
    is_improving: bool,
    /// Whether the node is expected to be refuted.
    expects_cut: bool,
}

/// The steps of a node.
struct Choice<'a> {
    steps: &'a [Step],
    /// The step that lies on the stack by itself; the others follow when it has been tried.
    alone: Option<Step>,
    hints: &'a Hints,
    /// Where on the stack the steps begin.
    base: usize,
}

/// What came out of trying the steps.
struct Outcome {
    best: Score,
    step: Option<Step>,
    tried: usize,
}

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Returns the score of a position: exact if it falls between alpha and beta, a bound otherwise.
    ///
    /// `PV` nodes have an open window; the others only prove that a score is not above, or not below, a number.
    #[expect(clippy::too_many_lines, reason = "the order in which things are tried is the search")]
    pub(super) fn node<const PV: bool>(&mut self, position: &P, mut node: Node, expects_cut: bool) -> Score {
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
            // No line from here can be better than winning at once, or worse than having lost.
            node.alpha = node.alpha.max(Score::loss_at(ply));
            node.beta = node.beta.min(Score::win_at(ply + 1));
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }
        if ply >= MOST_PLIES || height >= MOST_STEPS {
            return Score::of_evaluation(self.evaluate(position));
        }

        let known = if excluded.is_some() { None } else { self.shared.table.lookup(key) };
        // Near the fifty moves a score from elsewhere says little.
        if let Some(known) = known.filter(|known| {
            !PV && known.depth >= node.depth
                && known.settles(ply, node.alpha, node.beta)
                && position.halfmove_clock() < 90
        }) {
            return known.score(ply);
        }

        let check = !P::TAKING_IS_COMPULSORY && position.is_check();
        // Where takings are compulsory, what there is to take decides all that follows.
        let steps = P::TAKING_IS_COMPULSORY.then(|| position.legal_steps());
        let (mut must_take, mut forced) = (in_chain, check);
        if let Some(steps) = &steps {
            let Some(&first) = steps.first() else { return Score::loss_at(ply) };
            must_take |= position.taken(first).any();
            forced = must_take && !in_chain && steps.len() == 1;
        }
        let marks = self.marks(position, height);
        let quiet = !(check || must_take);
        let (raw, estimate) = if quiet { self.estimate(position, known, &marks, ply) } else { (None, None) };
        if !in_chain {
            self.evaluations[ply] = estimate;
        }
        let earlier = [2, 4].into_iter().find_map(|back| self.evaluations[ply.checked_sub(back)?]);
        let is_improving = estimate.is_some_and(|now| earlier.is_none_or(|earlier| now > earlier));
        let situation = Situation { key, known, check, estimate, is_improving, expects_cut };
        self.frames[height + 1].killers = [None; 2];
        if !PV
            && excluded.is_none()
            && let Some(estimate) = estimate
            && let Some(score) = self.cut_early(position, node, &situation, estimate)
        {
            return score;
        }
        if forced && ply < MOST_EXTENSION * self.root_depth {
            node.depth += 1;
        } else if node.depth >= self.parameters.internal_reduction_depth
            && (PV || expects_cut)
            && excluded.is_none()
            && known.is_none_or(|known| known.step.is_none() || known.depth + 4 < node.depth)
        {
            // Nothing is known of where to begin: a less deep search finds that out more cheaply.
            node.depth -= 1;
        }

        let steps = steps.unwrap_or_else(|| position.legal_steps());
        if steps.is_empty() {
            return Self::lost_or_stalemate(check, ply);
        }
        let base = self.stack.len();
        let hints = Hints {
            table_step: known.and_then(|known| known.step),
            killers: self.frames[height].killers,
            before: self.before(height),
        };
        // The step of the table often refutes the node, and then nothing need be known of the others.
        let alone = hints.table_step.filter(|step| excluded.is_none() && steps.contains(step));
        let first = alone.as_slice();
        let first = if first.is_empty() { &steps[..] } else { first };
        rank_steps(position, first, None, &hints, self.histories, &mut self.stack);
        let pushes = !in_chain && excluded.is_none();
        if pushes {
            self.path.push(key);
        }
        let choice = Choice { steps: &steps, alone, hints: &hints, base };
        let Outcome { mut best, step, tried } = self.try_steps::<PV>(position, node, &situation, &choice);
        self.stack.truncate(base);
        if pushes {
            self.path.pop();
        }
        if self.stopped {
            return Score::DRAW;
        }
        if tried == 0 {
            // All that there was is the step that may not be tried.
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
            if self.parameters.tempers_cuts > 0
                && bound == Bound::Lower
                && !best.is_certain()
                && !node.beta.is_certain()
            {
                // How far above beta is known less well than that it is: the deeper the search, the better.
                let (found, wanted) = (best.centipawns(), node.beta.centipawns());
                best = Score::of_evaluation((found * node.depth + wanted) / (node.depth + 1));
            }
            let record = Record { step, score: best, evaluation: raw, depth: node.depth, bound, is_pv: PV };
            self.shared.table.add(key, ply, &record);
            self.learn_correction(position, &marks, estimate, &record);
        }
        best
    }

    /// Returns what the evaluator says and what is to be made of it.
    #[inline]
    fn estimate(
        &mut self,
        position: &P,
        known: Option<Known>,
        marks: &Marks,
        ply: usize,
    ) -> (Option<i16>, Option<i32>) {
        let raw = known.and_then(|known| known.evaluation).map(i32::from);
        let raw = raw.unwrap_or_else(|| self.evaluate(position));
        let mut estimate = raw + self.histories.correction(marks);
        // What a search has said of the position is better than what its evaluation says.
        if let Some(known) = known {
            let score = known.score(ply);
            let better = match known.bound {
                Bound::Exact => true,
                Bound::Lower => score.centipawns() > estimate,
                Bound::Upper => score.centipawns() < estimate,
            };
            if better && !score.is_certain() {
                estimate = score.centipawns();
            }
        }
        (Some(raw as i16), Some(estimate))
    }

    /// Learns how far the evaluation was wrong, from a score that no taking explains.
    #[inline]
    fn learn_correction(&mut self, position: &P, marks: &Marks, estimate: Option<i32>, record: &Record) {
        let (Some(raw), Some(_), false) = (record.evaluation, estimate, record.score.is_certain()) else {
            return;
        };
        if record.step.is_some_and(|step| position.gain(step) > 0) {
            return;
        }
        let corrected = i32::from(raw) + self.histories.correction(marks);
        let error = record.score.centipawns() - corrected;
        let tells = match record.bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        if tells {
            self.histories.teach_correction(marks, error, record.depth, self.parameters.correction_weight);
        }
    }

    /// Returns a score where a full search would very likely only confirm it.
    fn cut_early(&mut self, position: &P, node: Node, situation: &Situation, estimate: i32) -> Option<Score> {
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
        let rebate = if is_improving { self.parameters.reverse_futility_improving } else { 0 };
        let margin =
            self.parameters.reverse_futility_margin + self.parameters.reverse_futility_slope * depth - rebate;
        if depth <= self.parameters.reverse_futility_depth && estimated - margin >= beta {
            // Between what is seen and what was to be proved.
            return Some(beta + (estimated - beta) * self.parameters.reverse_futility_share / 256);
        }
        if let Some(score) = self.cut_by_passing(position, node, situation, estimate) {
            return Some(score);
        }
        self.cut_probably(position, node, situation)
    }

    /// Passes the turn: a side that stands too well even so need not be searched in full.
    fn cut_by_passing(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        estimate: i32,
    ) -> Option<Score> {
        let Node { depth, ply, height, beta, .. } = node;
        let passed_before = height.checked_sub(1).is_none_or(|at| self.frames[at].arrival.is_none());
        let (side, until) = self.no_pass;
        if depth < PASS_DEPTH
            || passed_before
            || estimate < beta.centipawns()
            || side == position.turn() && ply < until
        {
            return None;
        }
        let passed = position.passed()?;
        let surplus = (estimate - beta.centipawns()) * 256 / self.parameters.pass_surplus;
        let less = self.parameters.pass_reduction
            + depth * self.parameters.pass_slope
            + surplus.min(self.parameters.pass_surplus_most);
        let less = less / 256;
        let before = std::mem::replace(&mut self.passed, self.path.len());
        self.path.push(situation.key);
        self.frames[height].arrival = None;
        self.shared.table.prefetch(passed.key());
        self.evaluator.pass(&passed);
        let below =
            Node { depth: depth - less, ply: ply + 1, height: height + 1, alpha: -beta, beta: -(beta - 1) };
        let score = -self.node::<false>(&passed, below, false);
        self.evaluator.back();
        self.path.pop();
        self.passed = before;
        if self.stopped || score < beta {
            return None;
        }
        // A win that needs a turn passed is not proved.
        let score = if score.is_certain() { beta } else { score };
        if depth < VERIFIED_PASS_DEPTH {
            return Some(score);
        }
        // In zugzwang passing is best, and not allowed: a search in which this side does not pass must agree.
        let outer =
            std::mem::replace(&mut self.no_pass, (position.turn(), ply + (depth - less) as usize * 3 / 4));
        let verified =
            self.node::<false>(position, Node { depth: depth - less, alpha: beta - 1, ..node }, false);
        self.no_pass = outer;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// Tries what wins something at a reduced depth: if that is far above beta, so will the full depth be.
    fn cut_probably(&mut self, position: &P, node: Node, situation: &Situation) -> Option<Score> {
        let Node { depth, ply, height, beta, .. } = node;
        let &Situation { key, known, is_improving, .. } = situation;
        let least = beta + self.parameters.probable_cut_margin - if is_improving { 50 } else { 0 };
        let unlikely = known.is_some_and(|known| {
            known.depth >= depth - 3 && known.score(ply) < least && known.bound != Bound::Lower
        });
        if P::TAKING_IS_COMPULSORY || depth < PROBABLE_CUT_DEPTH || unlikely {
            return None;
        }
        let steps = position.loud_steps();
        let base = self.stack.len();
        rank_loud_steps(
            position,
            &steps,
            known.and_then(|known| known.step),
            self.histories,
            &mut self.stack,
        );
        let needed = least.centipawns() - situation.estimate.unwrap_or(0);
        self.path.push(key);
        let mut found = None;
        for index in base..self.stack.len() {
            let Some(candidate) = pick(position, &mut self.stack[index..]) else { break };
            if candidate.loses() {
                break;
            }
            if !position.exchange_wins(candidate.step, candidate.gain, needed) {
                continue;
            }
            let next = position.after(candidate.step);
            self.shared.table.prefetch(next.key());
            self.frames[height].arrival = seen(position, candidate.step).map(|seen| seen.arrival);
            self.evaluator.play(position, candidate.step, &next);
            let below =
                Node { depth: 0, ply: ply + 1, height: height + 1, alpha: -least, beta: -(least - 1) };
            let mut score = -self.quiescence::<false>(&next, below, 0);
            if score >= least && depth > PROBABLE_CUT_DEPTH {
                score =
                    -self.node::<false>(&next, Node { depth: depth - 4, ..below }, !situation.expects_cut);
            }
            self.evaluator.back();
            if self.stopped {
                break;
            }
            if score >= least {
                let record = Record {
                    step: Some(candidate.step),
                    score,
                    evaluation: known.and_then(|known| known.evaluation),
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

    /// Tries the steps, one after the other.
    fn try_steps<const PV: bool>(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        choice: &Choice<'_>,
    ) -> Outcome {
        let &Choice { steps, alone, hints, base } = choice;
        let count = steps.len();
        let Node { depth, ply, height, beta, .. } = node;
        let mut alpha = node.alpha;
        let excluded = self.frames[height].excluded;
        let mut outcome = Outcome { best: -Score::INFINITE, step: None, tried: 0 };
        self.frames[height + 1].cuts = 0;
        let mut skips_quiet = false;
        for index in 0..count {
            if index == 1 && alone.is_some() {
                rank_steps(position, steps, alone, hints, self.histories, &mut self.stack);
            }
            let Some(candidate) = pick(position, &mut self.stack[base + index..]) else { break };
            let step = candidate.step;
            if excluded == Some(step) {
                continue;
            }
            // Where takings are compulsory a quiet step is often an offer that must be accepted: none is hopeless.
            if !P::TAKING_IS_COMPULSORY && outcome.tried > 0 && !outcome.best.is_loss() {
                let skipped = skips_quiet && !candidate.is_loud();
                let here = Node { alpha, ..node };
                let hopeless = if skipped {
                    Hopeless::AllQuiet
                } else {
                    self.is_hopeless::<PV>(position, &here, situation, &candidate, outcome.tried)
                };
                skips_quiet |= matches!(hopeless, Hopeless::AllQuiet);
                // A check is never hopeless: mates look like that before they are played.
                if !matches!(hopeless, Hopeless::No) && !position.gives_check(step) {
                    continue;
                }
            }
            let is_table_step = situation.known.is_some_and(|known| known.step == Some(step));
            let mut extension = 0;
            if is_table_step && excluded.is_none() {
                match self.extension::<PV>(position, node, situation, step) {
                    Ok(turns) => extension = turns,
                    Err(score) => {
                        return Outcome { best: score, step: Some(step), tried: outcome.tried + 1 };
                    }
                }
                if self.stopped {
                    return outcome;
                }
            }

            let next = position.after(step);
            self.shared.table.prefetch(next.key());
            let same_side = goes_on(position, &next);
            self.frames[height].arrival = seen(position, step).map(|seen| seen.arrival);
            self.evaluator.play(position, step, &next);
            let here = Node { alpha, depth: depth + extension, ..node };
            let reduction =
                if same_side { 0 } else { self.reduction::<PV>(&here, situation, &candidate, outcome.tried) };
            let score = self.search_step::<PV>(
                &next,
                here,
                same_side,
                reduction,
                outcome.tried,
                situation.expects_cut,
            );
            self.evaluator.back();
            if self.stopped {
                return outcome;
            }
            outcome.tried += 1;
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
                self.learn(position, depth + i32::from(score > beta + 60), height, base, index);
                break;
            }
        }
        debug_assert!(ply <= MOST_PLIES);
        outcome
    }

    /// Returns the score of a position after a step, as the side that made the step sees it.
    ///
    /// All but the first step are first only proved not to be better, maybe less deep.
    #[inline]
    fn search_step<const PV: bool>(
        &mut self,
        next: &P,
        node: Node,
        same_side: bool,
        reduction: i32,
        tried: usize,
        expects_cut: bool,
    ) -> Score {
        if PV && tried == 0 {
            return self.search_next::<true>(next, node, same_side, false);
        }
        let scout = Node { beta: node.alpha + 1, ..node };
        let mut score = Score::INFINITE;
        if reduction > 0 {
            let reduced = Node { depth: (node.depth - reduction).max(1), ..scout };
            score = self.search_next::<false>(next, reduced, same_side, true);
        }
        if score > node.alpha {
            score = self.search_next::<false>(next, scout, same_side, !expects_cut);
        }
        if PV && score > node.alpha && !self.stopped {
            score = self.search_next::<true>(next, node, same_side, false);
        }
        score
    }

    #[inline]
    fn search_next<const PV: bool>(
        &mut self,
        next: &P,
        node: Node,
        same_side: bool,
        expects_cut: bool,
    ) -> Score {
        let Node { depth, ply, height, alpha, beta } = node;
        if same_side {
            // The same side takes on: no turn is over, so neither the sign nor the depth changes.
            self.node::<PV>(next, Node { height: height + 1, ..node }, expects_cut)
        } else {
            let below =
                Node { depth: depth - 1, ply: ply + 1, height: height + 1, alpha: -beta, beta: -alpha };
            -self.node::<PV>(next, below, expects_cut)
        }
    }

    /// Returns whether a step is not worth trying, given that another one has been.
    #[inline]
    fn is_hopeless<const PV: bool>(
        &self,
        position: &P,
        node: &Node,
        situation: &Situation,
        candidate: &Candidate,
        tried: usize,
    ) -> Hopeless {
        let &Node { depth, alpha, .. } = node;
        let Some(estimate) = situation.estimate else { return Hopeless::No };
        if candidate.is_loud() {
            let least = self.parameters.loud_exchange_slope * depth;
            let loses = P::SEES_EXCHANGES
                && candidate.loses()
                && depth <= 8
                && !position.exchange_wins(candidate.step, candidate.gain, least);
            return if loses { Hopeless::Step } else { Hopeless::No };
        }
        if depth <= self.parameters.late_depth
            && tried as i32 >= self.parameters.late_count(depth, situation.is_improving)
            && !PV
        {
            return Hopeless::AllQuiet;
        }
        let depth_left = (depth - self.parameters.reduction(depth, tried) / REDUCTION_UNIT).max(1);
        let hope = self.parameters.futility_margin
            + self.parameters.futility_slope * depth_left
            + candidate.history / self.parameters.futility_history;
        if depth_left <= self.parameters.futility_depth
            && !alpha.is_certain()
            && estimate + hope <= alpha.centipawns()
        {
            return Hopeless::Step;
        }
        if depth_left <= self.parameters.history_depth
            && candidate.history < self.parameters.history_slope * depth_left
        {
            return Hopeless::Step;
        }
        if P::SEES_EXCHANGES
            && depth_left <= 8
            && !position.exchange_wins(
                candidate.step,
                0,
                self.parameters.quiet_exchange_slope * depth_left * depth_left,
            )
        {
            return Hopeless::Step;
        }
        Hopeless::No
    }

    /// Returns by how many turns less deep a step is searched at first.
    #[inline]
    fn reduction<const PV: bool>(
        &self,
        node: &Node,
        situation: &Situation,
        candidate: &Candidate,
        tried: usize,
    ) -> i32 {
        let &Node { depth, height, .. } = node;
        // A side that must take, or is in check, has few steps, and the evaluation says nothing of them.
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
        if PV || situation.known.is_some_and(|known| known.was_pv) {
            units -= self.parameters.reduction_pv;
        }
        if situation.expects_cut {
            units += self.parameters.reduction_cut;
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

    /// Returns by how many turns the step of the table is searched deeper, because no other is nearly as good; or a
    /// score that several steps prove.
    fn extension<const PV: bool>(
        &mut self,
        position: &P,
        node: Node,
        situation: &Situation,
        step: Step,
    ) -> Result<i32, Score> {
        let Node { depth, ply, height, alpha, beta } = node;
        let Some(known) = situation.known else { return Ok(0) };
        let score = known.score(ply);
        if depth < self.parameters.singular_depth
            || known.depth < depth - 3
            || known.bound == Bound::Upper
            || score.is_certain()
            || ply >= MOST_EXTENSION * self.root_depth
            || position.chain().is_some()
        {
            return Ok(0);
        }
        let least = score - self.parameters.singular_slope * depth / 16;
        let killers = self.frames[height].killers;
        self.frames[height].excluded = Some(step);
        let half = Node { depth: (depth - 1) / 2, alpha: least - 1, beta: least, ..node };
        let others = self.node::<false>(position, half, situation.expects_cut);
        self.frames[height].excluded = None;
        self.frames[height].killers = killers;
        if self.stopped {
            return Ok(0);
        }
        if others < least {
            // Much better than all others: two turns, but not in lines that are extended all the time.
            return Ok(if !PV && others < least - self.parameters.double_extension_margin { 2 } else { 1 });
        }
        if least >= beta && !PV {
            // Several steps are above beta: one of them will be.
            return Err(least);
        }
        Ok(if score >= beta {
            -2
        } else if situation.expects_cut || score <= alpha {
            -1
        } else {
            0
        })
    }

    /// Teaches the histories that a step has refuted, and that those tried before it have not.
    fn learn(&mut self, position: &P, depth: i32, height: usize, base: usize, index: usize) {
        let (bonus, malus) = (self.parameters.bonus(depth), self.parameters.malus(depth));
        let before = self.before(height);
        let best = self.stack[base + index];
        if !best.is_loud() {
            let killers = &mut self.frames[height].killers;
            if killers[0] != Some(best.step) {
                *killers = [Some(best.step), killers[0]];
            }
        }
        for at in base..=base + index {
            let candidate = self.stack[at];
            let Some(seen) = seen(position, candidate.step) else { continue };
            let is_best = at == base + index;
            if candidate.is_loud() {
                let taken = greatest_taken(position, candidate.step);
                self.histories.teach_taking(seen, taken, if is_best { bonus } else { -malus });
            } else if !best.is_loud() {
                // A taking that refutes says nothing of the quiet steps tried before.
                self.histories.teach_quiet(seen, &before, if is_best { bonus } else { -malus });
            }
        }
    }
}

/// Whether a step is worth trying.
enum Hopeless {
    No,
    Step,
    /// Neither it nor any other quiet step.
    AllQuiet,
}
