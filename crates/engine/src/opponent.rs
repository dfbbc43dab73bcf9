//! The machine opponent, as used by the rest of the program.

use std::cell::RefCell;

use adoube_rules::{AnyPosition, Color, Position as _, Turn};

use crate::{
    Odds,
    engine::{Engine, search},
    eval::mix,
    levels::Level,
    limits::{Control, Limits},
    score::Score,
    search::Info,
};

/// A machine that chooses turns.
pub trait Opponent: Send + Sync {
    /// Returns the turn to play, or `None` if there is no legal turn.
    ///
    /// `history` contains the keys of the earlier positions of the game, oldest first, one per turn, for
    /// repetitions. `stop` is called repeatedly; once it returns `true`, the best turn so far is returned
    /// without delay.
    fn choose(
        &self,
        position: &AnyPosition,
        history: &[u64],
        level: Level,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Turn>;
}

/// The opponent with an alpha-beta search.
///
/// In the first turns of a game, while no man has been captured, the last level picks one of the turns that
/// it finds about equally good, because its noise is too small to vary them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlphaBeta {
    max_nodes: Option<u64>,
}

/// The number of turns of a game, of both sides, in which the last level varies its choice.
const OPENING_TURNS: usize = 6;
/// The number of turns that are compared.
const OPENING_CHOICES: usize = 4;
/// The maximum number of hundredths of a pawn by which a turn may be worse than the best.
const OPENING_MARGIN: i32 = 8;

impl AlphaBeta {
    /// Returns an opponent that searches at most this many nodes, whatever the level allows.
    pub const fn with_max_nodes(nodes: u64) -> Self {
        Self { max_nodes: Some(nodes) }
    }
}

impl Opponent for AlphaBeta {
    fn choose(
        &self,
        position: &AnyPosition,
        history: &[u64],
        level: Level,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Turn> {
        let mut limits = level.limits(position.variant(), seed);
        limits.nodes = self.max_nodes.map_or(limits.nodes, |max| max.min(limits.nodes));
        if level == Level::LAST && history.len() < OPENING_TURNS && has_all_men(position) {
            limits.lines = OPENING_CHOICES;
            open(position, history, &limits, stop)
        } else {
            search(position, history, &limits, stop).map(|report| report.turn)
        }
    }
}

/// Returns `true` if there are as many men on the board as at the beginning of the game. A position that was
/// set up is not an opening.
fn has_all_men(position: &AnyPosition) -> bool {
    let initial = AnyPosition::initial(position.variant());
    Color::ALL.into_iter().all(|color| position.men(color).len() == initial.men(color).len())
}

/// Returns one of the turns that are about as good as the best, chosen by the seed.
fn open(position: &AnyPosition, history: &[u64], limits: &Limits, stop: &dyn Fn() -> bool) -> Option<Turn> {
    // The scores of each line, best first: of the last complete depth, and of the current one.
    let (complete, current) = (RefCell::default(), RefCell::new(Vec::<(Turn, Score)>::new()));
    let report = |info: &Info| {
        let mut current = current.borrow_mut();
        if info.bound.is_some() {
            return;
        }
        if info.line == 1 {
            current.clear();
        }
        current.extend(info.pv.first().map(|turn| (turn.clone(), info.score)));
        if current.len() == limits.lines {
            complete.replace(current.clone());
        }
    };
    let control = Control { stop, report: Some(&report), ..Control::NONE };
    let best = Engine::for_nodes(limits.nodes).ok()?.search(position, history, limits, &control)?.turn;
    let complete: Vec<(Turn, Score)> = complete.into_inner();
    let Some((_, score)) = complete.iter().find(|(turn, score)| *turn == best && !score.is_certain()) else {
        return Some(best);
    };
    let odds = Odds::of(position.variant());
    let min = odds.centipawns(*score) - OPENING_MARGIN;
    let good = |(_, score): &&(Turn, Score)| !score.is_certain() && odds.centipawns(*score) >= min;
    let good: Vec<_> = complete.iter().filter(good).collect();
    let index = mix(limits.seed) % good.len().max(1) as u64;
    good.get(index as usize).map_or(Some(best), |(turn, _)| Some(turn.clone()))
}
