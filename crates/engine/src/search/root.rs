//! The search of the root position, which compares whole turns, including chains.

use adoube_rules::{Position, Turn};

use super::{Node, Searcher, node::NodeKind, pv::PvLine, window::Window};
use crate::{
    eval::{Evaluator, Searchable},
    ordering::{Hints, history_step, most_valuable_victim, pick, rank_steps},
    score::Score,
};

/// The maximum number of turns to search. No real game comes near, but a constructed position whose men can
/// capture in chains of sixteen could exceed it.
const MAX_TURNS: usize = 4_096;

/// A turn in the root position.
#[derive(Clone, Debug)]
pub(crate) struct RootTurn {
    pub(crate) turn: Turn,
    /// The score of its last search; minus infinity if that failed low, except for the first turn.
    pub(crate) score: Score,
    /// The line after the turn.
    pub(crate) line: PvLine,
    pub(crate) selective_depth: usize,
    /// The total number of nodes spent on the turn, at all depths.
    pub(crate) nodes: u64,
}

/// Returns the turns to search in a position, those with the most promising first steps first.
pub(super) fn turns<P: Searchable, E: Evaluator<P>>(
    searcher: &mut Searcher<'_, P, E>,
    position: &P,
) -> Vec<RootTurn> {
    fn extend<P: Position>(position: &P, turn: &mut Turn, turns: &mut Vec<Turn>) {
        for step in position.legal_steps() {
            if turns.len() >= MAX_TURNS || !turn.push(step) {
                continue;
            }
            let next = position.after(step);
            if next.side_to_move() == position.side_to_move() {
                extend(&next, turn, turns);
            } else {
                turns.push(turn.clone());
            }
            turn.pop();
        }
    }
    let hints = Hints { table_step: None, killers: [None; 2], context: searcher.context(position, 0) };
    let base = searcher.stack.len();
    rank_steps(position, &position.legal_steps(), None, &hints, searcher.histories, &mut searcher.stack);
    let mut turns = Vec::new();
    for index in base..searcher.stack.len() {
        let Some(candidate) = pick(position, &mut searcher.stack[index..], 0) else { break };
        let mut turn = Turn::from(candidate.step);
        let next = position.after(candidate.step);
        if next.side_to_move() == position.side_to_move() {
            extend(&next, &mut turn, &mut turns);
        } else {
            turns.push(turn);
        }
    }
    searcher.stack.truncate(base);
    let requested = &searcher.limits.turns;
    let turns = turns.into_iter().filter(|turn| requested.is_empty() || requested.contains(turn));
    turns
        .map(|turn| RootTurn {
            turn,
            score: -Score::INFINITE,
            line: PvLine::default(),
            selective_depth: 0,
            nodes: 0,
        })
        .collect()
}

impl<P: Searchable, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Searches the turns in order, and sorts them by their scores. If the search is stopped, only a better
    /// turn moves to the front.
    ///
    /// Returns the score of the best completely searched turn, if there is one.
    pub(super) fn search_root(
        &mut self,
        position: &P,
        turns: &mut [RootTurn],
        depth: i32,
        window: Window,
    ) -> Option<Score> {
        let Window { mut alpha, beta, .. } = window;
        let mut best: Option<Score> = None;
        self.path.push(position.key());
        for (index, root_turn) in turns.iter_mut().enumerate() {
            let before = self.nodes;
            let turn = root_turn.turn.clone();
            self.selective_depth = 0;
            let score = self.search_root_turn(position, &turn, index, depth, alpha, beta);
            root_turn.nodes += self.nodes - before;
            if self.stopped {
                break;
            }
            if best.is_none_or(|best| score > best) {
                best = Some(score);
            }
            if index == 0 || score > alpha {
                root_turn.score = score;
                root_turn.selective_depth = self.selective_depth;
                root_turn.line.clone_from(&self.lines[turn.steps().len()]);
                alpha = alpha.max(score);
            } else {
                root_turn.score = -Score::INFINITE;
            }
            if score >= beta {
                break;
            }
        }
        self.path.pop();
        if self.stopped {
            // The turn with the best score moves to the front if the score is better than the first turn's. It
            // may be one that was not reached and has its score from an earlier search. The others keep their
            // order.
            if let Some(index) = (1..turns.len()).max_by_key(|&index| turns[index].score)
                && turns[index].score > turns[0].score
                && best.is_some()
            {
                turns[..=index].rotate_right(1);
            }
        } else {
            turns.sort_by_key(|turn| -turn.score);
        }
        best
    }

    fn search_root_turn(
        &mut self,
        position: &P,
        turn: &Turn,
        index: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let mut next = position.clone();
        let mut is_quiet = true;
        for (height, &step) in turn.steps().iter().enumerate() {
            let after = next.after(step);
            is_quiet &= next.gain(step) == 0;
            self.frames[height].set_step(history_step(&next, step).map(|entry| entry.arrival));
            self.evaluator.play(&next, step, &after);
            next = after;
        }
        let height = turn.steps().len();
        let node = Node { depth: depth - 1, ply: 1, height, alpha: -beta, beta: -alpha };
        let scout = Node { alpha: -(alpha + 1), ..node };
        let mut score = Score::INFINITE;
        if index > 0 {
            let is_late = depth >= 3 && index as i32 >= self.parameters.late_at_root;
            let reduction = if is_quiet && is_late && !P::TAKING_IS_COMPULSORY && !next.is_check() {
                1 + i32::from(index >= 12)
            } else {
                0
            };
            if reduction > 0 {
                let reduced = Node { depth: (node.depth - reduction).max(1), ..scout };
                score = -self.node(&next, reduced, NodeKind::Cut);
            }
            if score > alpha {
                score = -self.node(&next, scout, NodeKind::Cut);
            }
        }
        if index == 0 || score > alpha && !self.stopped {
            score = -self.node(&next, node, NodeKind::Pv);
        }
        for _ in turn.steps() {
            self.evaluator.undo();
        }
        score
    }

    /// Updates the histories with the best turn. Called once for each iteration.
    pub(super) fn learn_at_root(&mut self, position: &P, best: &Turn, depth: i32) {
        let Some(&step) = best.steps().first() else { return };
        let Some(entry) = history_step(position, step) else { return };
        let bonus = self.parameters.bonus(depth);
        if position.gain(step) > 0 {
            self.histories.update_taking(entry, most_valuable_victim(position, step), bonus);
        } else {
            self.histories.update_quiet(entry, &self.context(position, 0), bonus);
        }
    }
}
