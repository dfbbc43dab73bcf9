//! The search: iterative deepening, alpha-beta with principal variations, quiescence over takings.
//!
//! A step is a node. As long as the same side stays to move (a chain of Interweave) scores keep their sign and
//! depth does not drop: depth and plies count turns. Every search begins with empty tables, so that the same
//! question gets the same answer.

mod parameters;
mod pv;
mod window;

use adoube_rules::{Position, Step, Turn};

use crate::{
    eval::{Repetition, Searchable},
    limits::Limits,
    ordering::{Candidate, Memory, gain, pick, rank_steps},
    score::Score,
    transposition::{Bound, Table},
};
use parameters::{
    CHECK_PLIES, DELTA_MARGIN, FUTILITY_DEPTH, FUTILITY_MARGIN, MOST_EXTENSION, MOST_PLIES, MOST_QUIET_PLIES,
    NODES_BETWEEN_QUESTIONS, PASS_DEPTH, PASS_REDUCTION, REDUCTION_DEPTH, reduction,
};
use pv::Line;
use window::Window;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The turn to play.
    pub turn: Turn,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Depth in turns that was searched completely.
    pub depth: u32,
    /// Steps tried.
    pub nodes: u64,
    /// The turns that both sides are expected to play, the chosen one first.
    pub pv: Vec<Turn>,
}

/// Searches for the best turn; returns `None` if there is no legal one.
///
/// `history` holds the keys of the earlier positions of the game, the oldest first, one per turn. `stop` is asked
/// every few hundred nodes, and ends the search at once with what has been found.
pub fn search<P: Searchable>(
    position: &P,
    history: &[u64],
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Option<SearchReport> {
    let mut searcher = Searcher::new(position, history, limits, stop);
    let found = searcher.deepen(position, limits.depth)?;
    let turn = searcher.complete(position, &found.line)?;
    let mut pv = pv::turns(position, &found.line);
    if pv.first() != Some(&turn) {
        pv = vec![turn.clone()];
    }
    Some(SearchReport { turn, score: found.score, depth: found.depth, nodes: searcher.nodes, pv })
}

/// The result of iterative deepening.
struct Found {
    line: Line,
    score: Score,
    depth: u32,
}

/// The scores between which a node matters, and where it stands.
#[derive(Clone, Copy)]
struct Node {
    /// Turns left to search.
    depth: i32,
    /// Turns from the root.
    ply: usize,
    alpha: Score,
    beta: Score,
}

struct Searcher<'a> {
    table: Table,
    memory: Memory,
    /// Candidates of all nodes on the way from the root, one after the other: no node allocates.
    stack: Vec<Candidate>,
    /// Keys of the positions of the game and of the line being searched, one per turn.
    path: Vec<u64>,
    /// Where in `path` the root stands.
    root: usize,
    root_depth: usize,
    nodes: u64,
    limits: &'a Limits,
    most_nodes: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl<'a> Searcher<'a> {
    fn new<P: Position>(
        position: &P,
        history: &[u64],
        limits: &'a Limits,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        // A position never equals the one before it, so a last key that is this one's is this one.
        let key = position.key();
        let earlier = history.strip_suffix(&[key]).unwrap_or(history);
        let mut path = Vec::with_capacity(earlier.len() + 2 * MOST_PLIES);
        path.extend_from_slice(earlier);
        Self {
            table: Table::for_nodes(limits.nodes),
            memory: Memory::new(MOST_PLIES + 1),
            stack: Vec::with_capacity(4_096),
            root: path.len(),
            path,
            root_depth: 0,
            nodes: 0,
            limits,
            most_nodes: limits.nodes,
            stop,
            stopped: false,
        }
    }

    /// Searches deeper and deeper until a limit is reached or the end is certain.
    fn deepen<P: Searchable>(&mut self, position: &P, most_depth: u32) -> Option<Found> {
        let steps = position.legal_steps();
        let first = *steps.first()?;
        let mut candidates = Vec::with_capacity(steps.len());
        rank_steps(position, &steps, None, &self.memory, 0, &mut candidates);
        candidates.sort_by_key(|candidate| -candidate.rank);

        let mut line = Line::default();
        line.set(candidates.first().map_or(first, |candidate| candidate.step), &Line::default());
        let mut found = Found { line, score: Score::DRAW, depth: 0 };
        for depth in 1..=most_depth.min(Limits::MAX_DEPTH) {
            self.root_depth = depth as usize;
            let before = (depth > 1).then_some(found.score);
            let mut window = Window::around(before, depth);
            loop {
                let (line, score) = self.search_root(position, &mut candidates, depth, window);
                // What an unfinished search has found begins with the best step known so far, or a better one.
                let failed_low = score.is_none_or(|score| score <= window.alpha);
                let is_worse = failed_low && found.depth > 0;
                if !(is_worse || line.steps().is_empty()) {
                    found.line = line;
                    found.score = score.unwrap_or(found.score);
                }
                if self.stopped {
                    return Some(found);
                }
                if !score.is_some_and(|score| window.widen(score)) {
                    break;
                }
            }
            found.depth = depth;
            let certain = found.score.certain_end().is_some_and(|plies| plies.unsigned_abs() <= depth);
            // A single turn needs no thought, and a certain end that was searched to its depth none any more.
            if certain || steps.len() == 1 && depth >= 2 && position.after(first).turn() != position.turn() {
                break;
            }
        }
        Some(found)
    }

    /// Searches all steps of the root, the best one of the depth before first.
    ///
    /// The score is that of the best step searched to its end, if there is one.
    fn search_root<P: Searchable>(
        &mut self,
        position: &P,
        candidates: &mut [Candidate],
        depth: u32,
        window: Window,
    ) -> (Line, Option<Score>) {
        let (mut best_line, mut rest) = (Line::default(), Line::default());
        let mut best: Option<Score> = None;
        let mut alpha = window.alpha;
        self.path.push(position.key());
        for index in 0..candidates.len() {
            let step = candidates[index].step;
            let node = Node { depth: depth as i32, ply: 0, alpha, beta: window.beta };
            let score = self.search_step(position, step, node, index, 0, &mut rest);
            if self.stopped {
                break;
            }
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                if score > alpha || index == 0 {
                    best_line.set(step, &rest);
                    candidates[..=index].rotate_right(1);
                }
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        self.path.pop();
        (best_line, best)
    }

    /// Returns the score of a step: exact if it falls between alpha and beta.
    ///
    /// All but the first step are first only proved not to be better, maybe less deep.
    #[inline]
    fn search_step<P: Searchable>(
        &mut self,
        position: &P,
        step: Step,
        node: Node,
        index: usize,
        reduction: i32,
        line: &mut Line,
    ) -> Score {
        let next = position.after(step);
        let goes_on = next.turn() == position.turn();
        if index == 0 {
            return self.search_next(&next, goes_on, node, line);
        }
        let scout = Node { beta: node.alpha.plus(1), ..node };
        let mut score = Score::INFINITE;
        if reduction > 0 && !goes_on {
            let reduced = Node { depth: (node.depth - reduction).max(1), ..scout };
            score = self.search_next(&next, goes_on, reduced, line);
        }
        if score > node.alpha {
            score = self.search_next(&next, goes_on, scout, line);
        }
        if score > node.alpha && score < node.beta {
            score = self.search_next(&next, goes_on, node, line);
        }
        score
    }

    /// Returns the score of the position after a step, as the side that made the step sees it.
    #[inline]
    fn search_next<P: Searchable>(&mut self, next: &P, goes_on: bool, node: Node, line: &mut Line) -> Score {
        if goes_on {
            // The same side takes on: no turn is over, so neither the sign nor the depth changes.
            self.negamax(next, node, true, line)
        } else {
            let Node { depth, ply, alpha, beta } = node;
            -self.negamax(
                next,
                Node { depth: depth - 1, ply: ply + 1, alpha: -beta, beta: -alpha },
                true,
                line,
            )
        }
    }

    fn negamax<P: Searchable>(&mut self, position: &P, node: Node, may_pass: bool, line: &mut Line) -> Score {
        line.clear();
        let Node { mut depth, ply, mut alpha, mut beta } = node;
        if depth <= 0 {
            return self.quiescence(position, ply, 0, alpha, beta);
        }
        if self.is_over() {
            return Score::DRAW;
        }
        let in_chain = position.chain().is_some();
        let key = position.key();
        if !in_chain {
            if let Some(score) = self.end_by_history(position, key, ply) {
                return score;
            }
            // No line from here can be better than winning at once, or worse than having lost.
            alpha = alpha.max(Score::loss_at(ply));
            beta = beta.min(Score::win_at(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        if ply >= MOST_PLIES {
            return self.evaluate(position);
        }
        let is_pv = beta > alpha.plus(1);
        let entry = self.table.lookup(key);
        if let Some(entry) = entry.filter(|entry| !is_pv && entry.decides(depth, ply, alpha, beta)) {
            return entry.score(ply);
        }

        let check = !P::TAKING_IS_COMPULSORY && position.is_check();
        let steps = position.legal_steps();
        let Some(&first) = steps.first() else { return lost_or_stalemate::<P>(check, ply) };
        let forced = !in_chain && steps.len() == 1 && P::TAKING_IS_COMPULSORY;
        if (check || forced) && ply < MOST_EXTENSION * self.root_depth {
            depth += 1;
        }
        // The evaluation means nothing to a side that must take.
        let must_take = in_chain || P::TAKING_IS_COMPULSORY && position.taken(first).any();
        let quiet = !(check || must_take);
        if quiet
            && !is_pv
            && let Some(score) = self.prune(position, Node { depth, ply, alpha, beta }, key, may_pass)
        {
            return score;
        }

        let base = self.stack.len();
        let table_step = entry.and_then(|entry| entry.step);
        rank_steps(position, &steps, table_step, &self.memory, ply, &mut self.stack);
        if !in_chain {
            self.path.push(key);
        }
        let (mut best, mut best_step, mut rest) = (-Score::INFINITE, None, Line::default());
        let old_alpha = alpha;
        for index in 0..steps.len() {
            let Some(candidate) = pick(&mut self.stack[base + index..]) else { break };
            let Candidate { step, gain, rank } = candidate;
            let late = quiet && depth >= REDUCTION_DEPTH && index >= 3 && (gain == 0 || rank < 0);
            let less = if late { reduction(depth, index) - i32::from(is_pv) } else { 0 };
            let node = Node { depth, ply, alpha, beta };
            let score = self.search_step(position, step, node, index, less, &mut rest);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_step = Some(step);
                    line.set(step, &rest);
                }
            }
            if alpha >= beta {
                if gain == 0 {
                    let tried = self.stack[base..base + index].iter();
                    let tried = tried.filter(|other| other.gain == 0).map(|other| other.step);
                    self.memory.reward(position.turn(), ply, depth, step, tried);
                }
                break;
            }
        }
        self.stack.truncate(base);
        if !in_chain {
            self.path.pop();
        }
        if self.stopped {
            return Score::DRAW;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.add(key, best_step, best, node.depth, ply, bound);
        best
    }

    /// Returns a score at least beta where a full search would very likely find one.
    fn prune<P: Searchable>(&mut self, position: &P, node: Node, key: u64, may_pass: bool) -> Option<Score> {
        let Node { depth, ply, beta, .. } = node;
        if beta.is_certain() || depth > FUTILITY_DEPTH && !may_pass {
            return None;
        }
        let evaluation = self.evaluate(position);
        if depth <= FUTILITY_DEPTH && evaluation >= beta.plus(FUTILITY_MARGIN * depth) {
            return Some(evaluation);
        }
        if !may_pass || depth < PASS_DEPTH || evaluation < beta {
            return None;
        }
        let passed = position.passed()?;
        self.path.push(key);
        let less = PASS_REDUCTION + depth / 4;
        let next = Node { depth: depth - 1 - less, ply: ply + 1, alpha: -beta, beta: -beta.plus(-1) };
        let score = -self.negamax(&passed, next, false, &mut Line::default());
        self.path.pop();
        if self.stopped || score < beta {
            return None;
        }
        // A win that needs a turn passed is not proved.
        Some(if score.is_certain() { beta } else { score })
    }

    /// Follows takings until the position is quiet.
    fn quiescence<P: Searchable>(
        &mut self,
        position: &P,
        ply: usize,
        quiet_ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        if self.is_over() {
            return Score::DRAW;
        }
        if position.chain().is_none() {
            let end = if quiet_ply == 0 {
                self.end_by_history(position, position.key(), ply)
            } else {
                position.is_material_draw().then_some(Score::DRAW)
            };
            if let Some(score) = end {
                return score;
            }
        }
        if ply >= MOST_PLIES {
            return self.evaluate(position);
        }
        // Where taking is compulsory the position may not be left as it is; elsewhere, out of check only.
        let check = !P::TAKING_IS_COMPULSORY && quiet_ply < CHECK_PLIES && position.is_check();
        let mut best = -Score::INFINITE;
        if !P::TAKING_IS_COMPULSORY && !check {
            best = self.evaluate(position);
            if best >= beta {
                return best;
            }
        }
        let steps = position.legal_steps();
        let Some(&first) = steps.first() else {
            return lost_or_stalemate::<P>(check || position.is_check(), ply);
        };
        if P::TAKING_IS_COMPULSORY
            && (quiet_ply >= MOST_QUIET_PLIES
                || position.chain().is_none() && position.taken(first).is_empty())
        {
            return self.evaluate(position);
        }
        if quiet_ply >= MOST_QUIET_PLIES {
            return if check { self.evaluate(position) } else { best };
        }
        let all = check || P::TAKING_IS_COMPULSORY;
        let base = self.stack.len();
        if all {
            rank_steps(position, &steps, None, &self.memory, ply, &mut self.stack);
        } else {
            let stand = best;
            alpha = alpha.max(stand);
            for step in steps {
                let gain = gain(position, step);
                let hopeless = stand.plus(gain + DELTA_MARGIN) <= alpha;
                if gain > 0 && !hopeless && !position.loses_the_taker(step, gain) {
                    self.stack.push(Candidate { step, rank: gain, gain });
                }
            }
        }
        for index in base..self.stack.len() {
            let Some(Candidate { step, .. }) = pick(&mut self.stack[index..]) else { break };
            let next = position.after(step);
            let score = if next.turn() == position.turn() {
                self.quiescence(&next, ply, quiet_ply, alpha, beta)
            } else {
                -self.quiescence(&next, ply + 1, quiet_ply + 1, -beta, -alpha)
            };
            if self.stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        best
    }

    /// Returns the score of a position at which the game ends whatever the steps.
    fn end_by_history<P: Searchable>(&self, position: &P, key: u64, ply: usize) -> Option<Score> {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 4 {
            // Two turns bring nothing back: the same side is to move again after two, four, six turns.
            let here = self.path.len();
            let mut times = 0;
            for back in (4..=clock.min(here)).step_by(2) {
                if self.path[here - back] != key {
                    continue;
                }
                times += 1;
                match P::REPETITION {
                    // What can be repeated once in the line can be repeated again; in the game it counts to three.
                    Repetition::Draws if times == 2 || here - back >= self.root => return Some(Score::DRAW),
                    // The side that has just moved loses, but only the third time: until then the other side may
                    // have to be the one that turns away.
                    Repetition::Loses if times == 2 => return Some(Score::win_at(ply)),
                    _ => {}
                }
            }
            if clock >= 100 && !position.legal_steps().is_empty() {
                return Some(Score::DRAW);
            }
        }
        position.is_material_draw().then_some(Score::DRAW)
    }

    #[inline]
    fn evaluate<P: Searchable>(&self, position: &P) -> Score {
        let noise = i64::from(self.limits.noise);
        let value = position.evaluate();
        if noise == 0 {
            return Score::of_evaluation(value);
        }
        let drawn = mix(position.key() ^ self.limits.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let deviation = (drawn >> 33) as i64 % (2 * noise + 1) - noise;
        Score::of_evaluation(value + deviation as i32)
    }

    /// Counts a node and returns whether it is the last one.
    #[inline]
    fn is_over(&mut self) -> bool {
        if !self.stopped {
            self.nodes += 1;
            let ask = self.nodes % NODES_BETWEEN_QUESTIONS == 1;
            self.stopped = self.nodes >= self.most_nodes || ask && (self.stop)();
        }
        self.stopped
    }

    /// Returns the whole turn that begins as the line does.
    ///
    /// The line may break off in the middle of a chain, where a node was decided without being searched: then
    /// the rest of the chain is searched by itself.
    fn complete<P: Searchable>(&mut self, position: &P, line: &Line) -> Option<Turn> {
        let side = position.turn();
        let mut steps = line.steps().iter().copied();
        let mut turn = Turn::empty();
        let mut next = position.clone();
        loop {
            let legal = next.legal_steps();
            let step = steps.next().filter(|step| legal.contains(step)).or_else(|| {
                steps = [].iter().copied();
                self.most_nodes = self.nodes + NODES_TO_COMPLETE;
                self.stopped = false;
                self.deepen(&next, COMPLETION_DEPTH)?.line.steps().first().copied()
            })?;
            if !turn.push(step) {
                return None;
            }
            next.play_unchecked(step);
            if next.turn() != side {
                return Some(turn);
            }
        }
    }
}

/// What may be spent on the rest of a chain.
const NODES_TO_COMPLETE: u64 = 2_000;
const COMPLETION_DEPTH: u32 = 3;

/// Returns the score of a side without a legal step.
#[inline]
fn lost_or_stalemate<P: Searchable>(check: bool, ply: usize) -> Score {
    // Interweave: the side without a step has lost a king, or loses for want of one (I3, I12).
    if check || P::TAKING_IS_COMPULSORY { Score::loss_at(ply) } else { Score::DRAW }
}

/// Returns a number with no visible relation to another (the finisher of `SplitMix64`).
#[inline]
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
