//! The search: principal variation search with iterative deepening and a quiescence search.
//!
//! Each step leads to a node. While the same side remains to move (in an Interweave chain), scores keep their
//! sign and depth does not decrease, because depth and plies count turns. At the root, whole turns are
//! compared, so that the chosen turn is always complete.
//!
//! [`deepen`] increases the depth and checks the limits, [`root`] compares the turns in the root position,
//! and [`node`] searches every other position, with pruning of whole nodes ([`cuts`]) and of single steps
//! ([`selectivity`]). [`quiescence`] follows captures when the depth is used up.

mod cuts;
mod deepen;
mod learning;
mod node;
mod parameters;
mod pv;
mod quiescence;
mod root;
mod selectivity;
mod window;

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use adoube_rules::{Color, Position, Role, Stalemate, Step, Turn};

use crate::{
    eval::{Evaluator, FULL_SHARE, Repetition, Searchable, worth_of_men},
    history::{CorrectionKeys, Histories, HistoryContext, HistoryStep, PieceTo},
    limits::{Control, Limits},
    ordering::Candidate,
    score::Score,
    transposition::Table,
};
pub use parameters::Parameters;
use parameters::{MAX_PLIES, MAX_STEPS, NODES_BETWEEN_CHECKS, TYPICAL_MEN};
use pv::PvLine;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The turn to play.
    pub turn: Turn,
    /// The score of the position for the side to move.
    pub score: Score,
    /// The completed depth, in turns.
    pub depth: u32,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// The number of threads that searched any nodes.
    pub threads: usize,
    /// The expected turns of both sides, starting with the chosen one.
    pub pv: Vec<Turn>,
}

/// A progress report of a search, for one line.
#[derive(Clone, Debug)]
pub struct Info {
    /// The depth in turns.
    pub depth: u32,
    /// The length of the longest line searched, in turns.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the next one …
    pub line: usize,
    /// The score of the position for the side to move.
    pub score: Score,
    /// Whether the score is only a bound; `None` if it is exact.
    pub bound: Option<ScoreBound>,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// The number of threads that searched any nodes.
    pub threads: usize,
    /// The time since the turn began.
    pub elapsed: Duration,
    /// The share of the table that this search has filled, in thousandths.
    pub table_fullness: usize,
    /// The expected turns of both sides.
    pub pv: Vec<Turn>,
}

/// The kind of a score that is not exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// Data shared by the threads of one search.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    /// Set by the first thread when the search is over.
    pub(crate) halt: &'a AtomicBool,
    /// The nodes reported by each thread.
    pub(crate) nodes: &'a [AtomicU64],
}

/// The position of a node in the tree, and its window.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The turns left to search.
    depth: i32,
    /// The turns from the root. Distances to certain wins and losses are counted in turns, too.
    ply: usize,
    /// The steps from the root; the index of the node's data.
    height: usize,
    alpha: Score,
    beta: Score,
}

/// The data about a node that its children and siblings use.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The step being tried, for the history tables; `None` for a null move.
    arrival: Option<PieceTo>,
    /// The same step with its context, if it is quiet and ends the turn, so that the result of its search can
    /// update the histories.
    quiet: Option<(HistoryStep, HistoryContext)>,
    /// The reduction of its search depth, in turns.
    reduction: i32,
    /// The step excluded by a singular search.
    excluded: Option<Step>,
    killers: [Option<Step>; 2],
    /// The number of searches of this node and its siblings that ended in a cutoff.
    cuts: u16,
}

impl Frame {
    const EMPTY: Self =
        Self { arrival: None, quiet: None, reduction: 0, excluded: None, killers: [None; 2], cuts: 0 };

    /// Records the step being tried, or `None` for a null move, which does not update the histories.
    #[inline]
    fn set_step(&mut self, arrival: Option<PieceTo>) {
        (self.arrival, self.quiet, self.reduction) = (arrival, None, 0);
    }
}

/// The search of one position by one thread.
struct Searcher<'a, P, E> {
    shared: &'a Shared<'a>,
    /// The number of the thread; the first one is 0 and reports to the caller.
    thread: usize,
    control: &'a Control<'a>,
    limits: &'a Limits,
    parameters: Parameters,
    evaluator: E,
    histories: &'a mut Histories,
    /// The candidates of all nodes from the root to the current one, so that no node allocates.
    stack: Vec<Candidate>,
    /// The keys of the positions of the game and of the current line, one per turn.
    path: Vec<u64>,
    /// The index of the root in `path`.
    root: usize,
    /// The index of the last null move in `path`. Positions before it do not count as repeated.
    null_move_at: usize,
    /// While a null move is being verified, this side makes none before this ply.
    no_null_move: (Color, usize),
    frames: Vec<Frame>,
    /// The estimates (see `Situation`) along the line, by ply. `None` means that an evaluation would be
    /// meaningless.
    evaluations: Vec<Option<i32>>,
    /// The principal variation starting at each node, by height. The vector grows on demand, because a search
    /// of a hundred nodes should not pay for two hundred plies.
    lines: Vec<PvLine>,
    root_depth: usize,
    selective_depth: usize,
    nodes: u64,
    /// The number of nodes after which this search stops.
    max_nodes: u64,
    /// The number of nodes before which no other limit stops it.
    guaranteed_nodes: u64,
    stopped: bool,
    /// The first turn of the last reported best line.
    reported: Option<Turn>,
    game: PhantomData<P>,
}

impl<'a, P: Searchable, E: Evaluator<P>> Searcher<'a, P, E> {
    fn new(task: &Task<'a, P>, evaluator: E, histories: &'a mut Histories) -> Self {
        let &Task { position, history, limits, parameters, shared, thread, control } = task;
        // A position never equals its predecessor, so if the last key is that of this position, the history
        // already includes it.
        let key = position.key();
        let earlier = history.strip_suffix(&[key]).unwrap_or(history);
        let mut path = Vec::with_capacity(earlier.len() + MAX_PLIES + 2);
        path.extend_from_slice(earlier);
        Self {
            shared,
            thread,
            control,
            limits,
            parameters,
            evaluator,
            histories,
            stack: Vec::with_capacity(1 << 14),
            root: path.len(),
            null_move_at: 0,
            no_null_move: (Color::White, 0),
            path,
            frames: vec![Frame::EMPTY; MAX_STEPS + 2],
            evaluations: vec![None; MAX_PLIES + 2],
            lines: Vec::new(),
            root_depth: 0,
            selective_depth: 0,
            nodes: 0,
            max_nodes: limits.nodes.max(limits.first_depth_nodes),
            guaranteed_nodes: limits.first_depth_nodes,
            stopped: false,
            reported: None,
            game: PhantomData,
        }
    }

    /// Counts a node. Returns `true` if the search is over.
    #[inline]
    fn is_over(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.check_limits();
        }
        // A helper's nodes count in reports, but only the first thread's own nodes are limited exactly.
        if self.thread == 0 && self.nodes >= self.max_nodes {
            self.stopped = true;
        }
        // A node that is reached after the search is over does not count.
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// Reports the nodes of this thread, and checks whether to continue.
    #[cold]
    fn check_limits(&mut self) {
        if let Some(reported) = self.shared.nodes.get(self.thread) {
            reported.store(self.nodes, Relaxed);
        }
        self.stopped |= if self.thread == 0 && self.nodes < self.guaranteed_nodes {
            false
        } else if self.thread == 0 {
            let late = self.limits.time.is_some_and(|budget| (self.control.elapsed)() >= budget.hard);
            late || self.all_nodes() >= self.limits.nodes || (self.control.stop)()
        } else {
            self.shared.halt.load(Relaxed)
        };
    }

    /// Returns the nodes reported by all threads.
    fn all_nodes(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|(thread, _)| *thread != self.thread);
        self.nodes + others.map(|(_, nodes)| nodes.load(Relaxed)).sum::<u64>()
    }

    /// Returns the number of threads that have reported nodes, including this one.
    fn all_threads(&self) -> usize {
        let others = self.shared.nodes.iter().enumerate().filter(|(thread, _)| *thread != self.thread);
        1 + others.filter(|(_, nodes)| nodes.load(Relaxed) > 0).count()
    }

    /// Returns the score of a position if the game ends there by repetition, by the fifty-move rule or for
    /// lack of material.
    fn end_by_history(&self, position: &P, key: u64, ply: usize) -> Option<Score> {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 4 {
            // A position can recur after four, six, … turns, but not after two.
            let length = self.path.len();
            let mut times = 0;
            for back in (4..=clock.min(length - self.null_move_at)).step_by(2) {
                if self.path[length - back] != key {
                    continue;
                }
                times += 1;
                match P::REPETITION {
                    // A position that recurs within the line can recur again, so its second occurrence counts
                    // as a draw. A position from the game must occur three times.
                    Repetition::Draws if times == 2 || length - back >= self.root => {
                        return Some(Score::DRAW);
                    }
                    // The side that has just moved loses, but only at the third occurrence. Before that, the
                    // other side may be the one that has to deviate.
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

    /// Starts the line of a node with an open window.
    #[inline]
    fn begin_line(&mut self, height: usize) {
        if self.lines.len() < height + 2 {
            self.lines.resize_with(height + 2, PvLine::default);
        }
        self.lines[height].clear();
    }

    /// Returns the static evaluation of a position.
    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        Score::of_evaluation(self.evaluator.evaluate(position)).units()
    }

    /// Returns the history context of the node at a height.
    #[inline]
    fn context(&self, position: &P, height: usize) -> HistoryContext {
        let arrival = |back| height.checked_sub(back).and_then(|at| self.frames[at].arrival);
        let far = if self.parameters.far_continuation > 0 { arrival(6) } else { None };
        HistoryContext::new([arrival(1), arrival(2), arrival(4), far], position.attacked())
    }

    /// Returns the indexes of a position in the correction tables.
    #[inline]
    fn correction_keys(&self, position: &P, height: usize) -> CorrectionKeys {
        let pawns = position.men_of_role(Role::new(0));
        let (white, black) = (position.men(Color::White), position.men(Color::Black));
        let (mut of_white, mut of_black, mut factor) = (0_u64, 0_u64, 0x9e37_79b9_7f4a_7c15_u64);
        for role in (1..7).map(Role::new) {
            let men = position.men_of_role(role);
            of_white ^= (men & white).0.wrapping_mul(factor);
            of_black ^= (men & black).0.wrapping_mul(factor);
            factor = factor.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        let scatter = |bits: u64| (bits ^ bits >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32;
        let of_pawns = (pawns & white).0.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (pawns & black).0;
        let before = height.checked_sub(1).and_then(|at| self.frames[at].arrival);
        CorrectionKeys::new(
            position.side_to_move(),
            scatter(of_pawns),
            scatter(of_white),
            scatter(of_black),
            before,
        )
    }

    /// Returns the corrected evaluation of a position: the correction is added, and the sum is scaled for the
    /// men that remain, and for endings that are drawn despite the material.
    #[inline]
    fn corrected(&self, position: &P, evaluation: i32, correction: i32) -> i32 {
        let corrected = evaluation + correction;
        let share = self.parameters.many_men_share;
        if share == 0 && !P::KNOWS_ENDINGS {
            return corrected;
        }
        let men = worth_of_men(position);
        let corrected = corrected + corrected * (men - TYPICAL_MEN) / 100 * share / (40 * 256);
        let stronger = if corrected > 0 { position.side_to_move() } else { !position.side_to_move() };
        corrected * position.share_of_advantage(men, stronger) / FULL_SHARE
    }

    /// Returns the correction to a position's evaluation.
    #[inline]
    fn correction(&self, keys: &CorrectionKeys) -> i32 {
        self.histories.correction(keys) * self.parameters.correction_share / 256
    }

    /// Returns the score of a side without a legal step.
    #[inline]
    fn score_without_steps(check: bool, ply: usize) -> Score {
        match P::STALEMATE {
            Stalemate::Wins if !check => Score::win_at(ply),
            Stalemate::Draws if !check => Score::DRAW,
            _ => Score::loss_at(ply),
        }
    }
}

/// Returns `true` if the same side is still to move after a step.
#[inline]
fn same_side_to_move<P: Position>(before: &P, after: &P) -> bool {
    before.side_to_move() == after.side_to_move()
}

pub(crate) use root::RootTurn;

/// Returns the expected turns starting with a chosen turn.
pub(crate) fn line_of<P: Position>(position: &P, chosen: &RootTurn) -> Vec<Turn> {
    let mut after = position.clone();
    after.play_turn_unchecked(&chosen.turn);
    let mut line = vec![chosen.turn.clone()];
    line.extend(pv::turns(&after, &chosen.line));
    line
}

/// The task of one search thread.
#[derive(Debug)]
pub(crate) struct Task<'a, P> {
    pub(crate) position: &'a P,
    /// The keys of the earlier positions, oldest first.
    pub(crate) history: &'a [u64],
    pub(crate) limits: &'a Limits,
    pub(crate) parameters: Parameters,
    pub(crate) shared: &'a Shared<'a>,
    /// The number of the thread. Thread 0 reports to the caller; the others help until it halts them.
    pub(crate) thread: usize,
    pub(crate) control: &'a Control<'a>,
}

/// Searches as one of several threads, or as the only one.
pub(crate) fn run<P: Searchable, E: Evaluator<P>>(
    task: &Task<'_, P>,
    evaluator: E,
    histories: &mut Histories,
) -> Option<ThreadResult> {
    Searcher::new(task, evaluator, histories).deepen(task.position)
}

/// The result of one thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    pub(crate) best: RootTurn,
    pub(crate) depth: u32,
    /// The first turn of the last reported best line.
    pub(crate) reported: Option<Turn>,
}
