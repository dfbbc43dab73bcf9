//! The machine opponent, as the rest of the program sees it.

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
    /// Returns the turn to play, or `None` if there is no legal turn or not enough memory.
    ///
    /// `history` contains the keys of the earlier positions of the game, oldest first, one per turn, to
    /// detect repetitions. `stop` is called repeatedly. Once it returns `true`, the search returns the best
    /// turn so far without delay.
    fn choose(
        &self,
        position: &AnyPosition,
        history: &[u64],
        level: Level,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Turn>;
}

/// The machine opponent, which uses an alpha-beta search.
///
/// In the first turns of a game, while no man has been captured, the last level picks one of several turns
/// that it finds about equally good. Its noise alone is too small to vary its openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlphaBeta {
    max_nodes: Option<u64>,
}

/// The number of turns at the start of a game, counting both sides, in which the last level varies its
/// choice.
const OPENING_TURNS: usize = 6;
/// The maximum number of turns to choose from.
const OPENING_CHOICES: usize = 4;
/// The largest difference from the best turn, in hundredths of a pawn.
const OPENING_MARGIN: i32 = 8;

impl AlphaBeta {
    /// Returns an opponent that searches at most this many nodes, regardless of the level.
    pub const fn with_max_nodes(nodes: u64) -> Self {
        Self { max_nodes: Some(nodes) }
    }
}

/// The number of turns, counting both sides, before which it is too early to agree to a draw.
const EARLY_TURNS: usize = 20;
/// The number of turns, counting both sides, from which the machine agrees to a draw in an even position.
const LATE_TURNS: usize = 80;
/// The expected points below which the machine agrees to a draw.
const DRAW_ACCEPTANCE_POINTS: f64 = 0.4;
/// The expected points up to which a position counts as even.
const EVEN: f64 = 0.55;
/// The maximum number of nodes of the search that decides whether to agree to a draw.
const DRAW_NODES: u64 = 100_000;

impl AlphaBeta {
    /// Returns `true` if the machine, which plays the side `machine`, agrees to a draw. It agrees if it
    /// expects less than 0.4 points or, late in the game, if it is not better. Late means after forty moves,
    /// or with half of the men gone. It never agrees in the opening, where a low level's evaluation means
    /// little.
    ///
    /// A low level searches as little as when it chooses turns, but without noise, because a mistake here
    /// would be final. The other arguments are those of [`choose`](Opponent::choose).
    pub fn accepts_draw(
        &self,
        position: &AnyPosition,
        history: &[u64],
        (level, machine): (Level, Color),
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let count_men = |position: &AnyPosition| -> usize {
            Color::ALL.into_iter().map(|color| position.men(color).len()).sum()
        };
        let has_few_men = 2 * count_men(position) <= count_men(&AnyPosition::initial(position.variant()));
        let is_late = has_few_men || history.len() >= LATE_TURNS;
        if !is_late && history.len() < EARLY_TURNS {
            return false;
        }
        let mut limits = level.limits(position.variant(), 0);
        limits.noise = 0;
        limits.nodes = limits.nodes.min(self.max_nodes.unwrap_or(u64::MAX)).min(DRAW_NODES);
        let report = search(position, history, &limits, stop);
        let Some(report) = report else { return false };
        let points = Odds::of(position.variant()).points(report.score);
        let points = if position.side_to_move() == machine { points } else { 1.0 - points };
        points < DRAW_ACCEPTANCE_POINTS || is_late && points <= EVEN
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
            choose_opening(position, history, &limits, stop)
        } else {
            search(position, history, &limits, stop).map(|report| report.turn)
        }
    }
}

/// Returns `true` if both sides have as many men as in the initial position of the variant. A position with
/// fewer men is not an opening, even at the start of a game.
fn has_all_men(position: &AnyPosition) -> bool {
    let initial = AnyPosition::initial(position.variant());
    Color::ALL.into_iter().all(|color| position.men(color).len() == initial.men(color).len())
}

/// Returns one of the turns that are about as good as the best; the seed decides which.
fn choose_opening(
    position: &AnyPosition,
    history: &[u64],
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Option<Turn> {
    // The lines of the last complete iteration and of the current one, each with its score, best first.
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
    let is_good = |(_, score): &&(Turn, Score)| !score.is_certain() && odds.centipawns(*score) >= min;
    let good: Vec<_> = complete.iter().filter(is_good).collect();
    let index = mix(limits.seed) % good.len().max(1) as u64;
    good.get(index as usize).map_or(Some(best), |(turn, _)| Some(turn.clone()))
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    /// Returns a level's answers to a draw offer, as White and as Black, after some turns.
    fn agrees(level: Level, position: &AnyPosition, turns: usize) -> (bool, bool) {
        let history: Vec<u64> = (1..=turns as u64).collect();
        let opponent = AlphaBeta::with_max_nodes(3_000);
        let [white, black] = [Color::White, Color::Black]
            .map(|machine| opponent.accepts_draw(position, &history, (level, machine), &|| false));
        (white, black)
    }

    fn chess(fen: &str) -> AnyPosition {
        AnyPosition::from_fen(Variant::Chess, fen).unwrap()
    }

    #[test]
    fn every_level_agrees_to_a_draw_when_a_queen_or_a_rook_down() {
        for level in (1..=10).filter_map(Level::from_number) {
            let without_queen = chess("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
            assert_eq!(agrees(level, &without_queen, EARLY_TURNS), (false, true), "{level:?}");
            assert_eq!(
                agrees(level, &chess("3rk3/8/8/8/8/8/8/4K3 w - - 0 1"), 0),
                (true, false),
                "{level:?}"
            );
        }
    }

    #[test]
    fn no_level_agrees_to_a_draw_in_the_opening() {
        let without_queen = chess("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(agrees(Level::LAST, &without_queen, EARLY_TURNS - 1), (false, false));
    }

    #[test]
    fn in_every_variant_a_draw_in_an_even_position_is_agreed_only_late() {
        for variant in Variant::ALL {
            let initial = AnyPosition::initial(variant);
            assert_eq!(agrees(Level::LAST, &initial, LATE_TURNS - 1), (false, false), "{variant}");
            let (white, black) = agrees(Level::LAST, &initial, LATE_TURNS);
            assert!(white || black, "{variant}: at least one side is not better");
        }
        assert_eq!(agrees(Level::LAST, &chess("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1"), 0), (true, true));
    }

    #[test]
    fn no_draw_is_agreed_if_the_search_finds_no_turn() {
        assert_eq!(agrees(Level::LAST, &chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 90), (false, false));
    }
}
