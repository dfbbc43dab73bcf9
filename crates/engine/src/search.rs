//! The search: principal variation search with iterative deepening, quiescence over takings.
//!
//! A step is a node. As long as the same side stays to move (a chain of Interweave) scores keep their sign and
//! depth does not drop: depth and plies count turns. At the root whole turns are compared, so that what is chosen
//! is always a turn that is complete.
//!
//! The parts: [`deepen`] searches deeper and deeper and watches the limits, [`root`] compares the turns of the
//! position itself, [`node`] is every other position, with [`cuts`] that save looking at it and a [`selectivity`] among its
//! steps; [`quiescence`] follows takings where the depth is used up.

mod cuts;
mod deepen;
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

use adoube_rules::{Color, Position, Role, Step, Turn};

use crate::{
    eval::{Evaluator, FULL_SHARE, Repetition, Searchable, worth_of_men},
    history::{Arrival, Context, Histories, Marks, Seen},
    limits::{Control, Limits},
    ordering::Candidate,
    score::Score,
    transposition::Table,
};
pub use parameters::Parameters;
use parameters::{MOST_PLIES, MOST_STEPS, NODES_BETWEEN_QUESTIONS, USUAL_MEN};
use pv::Line;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The turn to play.
    pub turn: Turn,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Depth in turns that was searched completely.
    pub depth: u32,
    /// Positions looked at by all threads.
    pub nodes: u64,
    /// Threads that have looked at some.
    pub threads: usize,
    /// The turns that both sides are expected to play, the chosen one first.
    pub pv: Vec<Turn>,
}

/// What is known in the middle of a search: one line of it.
#[derive(Clone, Debug)]
pub struct Info {
    /// Depth in turns.
    pub depth: u32,
    /// The longest line looked at, in turns.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the next one …
    pub line: usize,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Whether the score is exact, or at least or at most this much.
    pub bound: Option<ScoreBound>,
    /// Positions looked at by all threads.
    pub nodes: u64,
    /// Threads that have looked at some.
    pub threads: usize,
    /// Time since the turn began.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub table_fullness: usize,
    /// The turns that both sides are expected to play.
    pub pv: Vec<Turn>,
}

/// What a score that is not exact says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The position is worth at least as much.
    Lower,
    /// The position is worth at most as much.
    Upper,
}

/// What the threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    /// Set by the first thread when the search is over.
    pub(crate) halt: &'a AtomicBool,
    /// Nodes of each thread, as far as it has told.
    pub(crate) nodes: &'a [AtomicU64],
}

/// The scores between which a node matters, and where it stands.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Turns left to search.
    depth: i32,
    /// Turns from the root: what certain ends are counted in.
    ply: usize,
    /// Steps from the root: where what belongs to the node is kept.
    height: usize,
    alpha: Score,
    beta: Score,
}

/// What a node leaves for those below and beside it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The step being tried, as the histories see it; none for a turn passed.
    arrival: Option<Arrival>,
    /// That step and what it was judged by, if it is quiet and ends the turn: what comes of it tells how good it was.
    quiet: Option<(Seen, Context)>,
    /// By how many turns less deep it is searched.
    reduction: i32,
    /// The step that may not be tried, while it is asked whether it is the only good one.
    excluded: Option<Step>,
    killers: [Option<Step>; 2],
    /// How many of the node's children were refuted.
    cuts: u16,
}

impl Frame {
    const EMPTY: Self =
        Self { arrival: None, quiet: None, reduction: 0, excluded: None, killers: [None; 2], cuts: 0 };

    /// Notes the step that is tried, or that the turn is passed, of which nothing is to be learnt.
    #[inline]
    fn set_step(&mut self, arrival: Option<Arrival>) {
        (self.arrival, self.quiet, self.reduction) = (arrival, None, 0);
    }
}

/// One thread's search of one position.
struct Searcher<'a, P, E> {
    shared: &'a Shared<'a>,
    /// Which thread this is; the first one is 0 and answers to the caller.
    thread: usize,
    control: &'a Control<'a>,
    limits: &'a Limits,
    parameters: Parameters,
    evaluator: E,
    histories: &'a mut Histories,
    /// Candidates of all nodes on the way from the root, one after the other: no node allocates.
    stack: Vec<Candidate>,
    /// Keys of the positions of the game and of the line being searched, one per turn.
    path: Vec<u64>,
    /// Where in `path` the root stands.
    root: usize,
    /// Where in `path` the last turn was passed: what stood before cannot be repeated after.
    passed: usize,
    /// While a pass is being verified, this side does not pass before this ply.
    no_pass: (Color, usize),
    frames: Vec<Frame>,
    /// What the positions of the line are worth by themselves, by ply; none where that means nothing.
    evaluations: Vec<Option<i32>>,
    /// What was found after the steps of the principal variation, by height; as many as were needed so far, for a search of a
    /// hundred nodes should not pay for two hundred plies.
    lines: Vec<Line>,
    root_depth: usize,
    selective_depth: usize,
    nodes: u64,
    /// Nodes after which this search stops.
    most_nodes: u64,
    /// Nodes before which nothing else stops it.
    sure_nodes: u64,
    stopped: bool,
    /// The turn that the best line told last begins with.
    told: Option<Turn>,
    game: PhantomData<P>,
}

impl<'a, P: Searchable, E: Evaluator<P>> Searcher<'a, P, E> {
    fn new(task: &Task<'a, P>, evaluator: E, histories: &'a mut Histories) -> Self {
        let &Task { position, history, limits, parameters, shared, thread, control } = task;
        // A position never equals the one before it, so a last key that is this one's is this one.
        let key = position.key();
        let earlier = history.strip_suffix(&[key]).unwrap_or(history);
        let mut path = Vec::with_capacity(earlier.len() + MOST_PLIES + 2);
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
            passed: 0,
            no_pass: (Color::White, 0),
            path,
            frames: vec![Frame::EMPTY; MOST_STEPS + 2],
            evaluations: vec![None; MOST_PLIES + 2],
            lines: Vec::new(),
            root_depth: 0,
            selective_depth: 0,
            nodes: 0,
            most_nodes: limits.nodes.max(limits.first_depth),
            sure_nodes: limits.first_depth,
            stopped: false,
            told: None,
            game: PhantomData,
        }
    }

    /// Counts a node and returns whether the search is over.
    #[inline]
    fn is_over(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) {
            self.ask();
        }
        // A helper's nodes count in what is told, but only the first thread's own are limited exactly.
        if self.thread == 0 && self.nodes >= self.most_nodes {
            self.stopped = true;
        }
        // What finds the search over is no node any more.
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// Tells how far this thread is, and asks whether to go on.
    #[cold]
    fn ask(&mut self) {
        if let Some(told) = self.shared.nodes.get(self.thread) {
            told.store(self.nodes, Relaxed);
        }
        self.stopped |= if self.thread == 0 && self.nodes < self.sure_nodes {
            false
        } else if self.thread == 0 {
            let late = self.limits.time.is_some_and(|budget| (self.control.elapsed)() >= budget.hard);
            late || self.all_nodes() >= self.limits.nodes || (self.control.stop)()
        } else {
            self.shared.halt.load(Relaxed)
        };
    }

    /// Returns the nodes of all threads, as far as they have told.
    fn all_nodes(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|(thread, _)| *thread != self.thread);
        self.nodes + others.map(|(_, nodes)| nodes.load(Relaxed)).sum::<u64>()
    }

    /// Returns how many threads have told of nodes, this one included.
    fn all_threads(&self) -> usize {
        let others = self.shared.nodes.iter().enumerate().filter(|(thread, _)| *thread != self.thread);
        1 + others.filter(|(_, nodes)| nodes.load(Relaxed) > 0).count()
    }

    /// Returns the score of a position at which the game ends whatever the steps.
    fn end_by_history(&self, position: &P, key: u64, ply: usize) -> Option<Score> {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 4 {
            // Two turns bring nothing back: the same side is to move again after two, four, six turns.
            let here = self.path.len();
            let mut times = 0;
            for back in (4..=clock.min(here - self.passed)).step_by(2) {
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

    /// Begins the line of a node with an open window.
    #[inline]
    fn begin_line(&mut self, height: usize) {
        if self.lines.len() < height + 2 {
            self.lines.resize_with(height + 2, Line::default);
        }
        self.lines[height].clear();
    }

    /// Returns what the evaluator says of a position.
    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        Score::of_evaluation(self.evaluator.evaluate(position)).centipawns()
    }

    /// Returns what the quiet steps of the node at a height are judged by.
    #[inline]
    fn context(&self, position: &P, height: usize) -> Context {
        let arrival = |back| height.checked_sub(back).and_then(|at| self.frames[at].arrival);
        let far = if self.parameters.far_continuation > 0 { arrival(6) } else { None };
        Context::new([arrival(1), arrival(2), arrival(4), far], position.attacked())
    }

    /// Returns what the corrections of an evaluation go by.
    #[inline]
    fn marks(&self, position: &P, height: usize) -> Marks {
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
        Marks::new(position.side_to_move(), scatter(of_pawns), scatter(of_white), scatter(of_black), before)
    }

    /// Returns what is made of the evaluation of a position: corrected by what searches have said of others like it, and by what it
    /// counts with the men that are left, if it counts at all.
    #[inline]
    fn corrected(&self, position: &P, evaluation: i32, correction: i32) -> i32 {
        let corrected = evaluation + correction;
        let share = self.parameters.many_men_share;
        if share == 0 && !P::KNOWS_ENDINGS {
            return corrected;
        }
        let men = worth_of_men(position);
        let corrected = corrected + corrected * (men - USUAL_MEN) / 100 * share / (40 * 256);
        let stronger = if corrected > 0 { position.side_to_move() } else { !position.side_to_move() };
        corrected * position.share_of_advantage(men, stronger) / FULL_SHARE
    }

    /// Returns what is added to the evaluation of a position.
    #[inline]
    fn correction(&self, marks: &Marks) -> i32 {
        self.histories.correction(marks) * self.parameters.correction_share / 256
    }

    /// Returns the score of a side without a legal step.
    #[inline]
    fn lost_or_stalemate(check: bool, ply: usize) -> Score {
        if check || P::STALEMATE_LOSES { Score::loss_at(ply) } else { Score::DRAW }
    }
}

/// Returns whether the same side is still to move after a step.
#[inline]
fn goes_on<P: Position>(before: &P, after: &P) -> bool {
    before.side_to_move() == after.side_to_move()
}

pub(crate) use root::RootTurn;

/// Returns the turns that are expected after a turn was chosen, itself included.
pub(crate) fn line_of<P: Position>(position: &P, chosen: &RootTurn) -> Vec<Turn> {
    let mut after = position.clone();
    after.play_turn_unchecked(&chosen.turn);
    let mut line = vec![chosen.turn.clone()];
    line.extend(pv::turns(&after, &chosen.line));
    line
}

/// What one thread is asked to search.
#[derive(Debug)]
pub(crate) struct Task<'a, P> {
    pub(crate) position: &'a P,
    /// Keys of the positions before, the oldest first.
    pub(crate) history: &'a [u64],
    pub(crate) limits: &'a Limits,
    pub(crate) parameters: Parameters,
    pub(crate) shared: &'a Shared<'a>,
    /// 0 for the thread that answers to the caller; the others help it until it halts them.
    pub(crate) thread: usize,
    pub(crate) control: &'a Control<'a>,
}

/// Searches as one of several threads, or as the only one.
pub(crate) fn run<P: Searchable, E: Evaluator<P>>(
    task: &Task<'_, P>,
    evaluator: E,
    histories: &mut Histories,
) -> Option<Found> {
    Searcher::new(task, evaluator, histories).deepen(task.position)
}

/// The result of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) best: RootTurn,
    pub(crate) depth: u32,
    /// The turn that the best line told last begins with.
    pub(crate) told: Option<Turn>,
}
