//! Finds problems in games that the engine plays against itself.
//!
//! Both sides play soundly but occasionally overlook something, as human players do. A deeper search examines
//! every position. If it sees a certain win, the [`Prover`] decides whether exactly one first turn leads to
//! the shortest win. If the last turn was a mistake, two long searches must agree that one turn is clearly
//! better than all others. Each problem keeps the turn that led to it.
//!
//! Positions that give no reason to look for a combination are left out: those in which the opponent has only
//! a few men left, and those in which the solver already has more than twice the opponent's material. A game
//! that becomes this one-sided is ended. Plain recaptures are also left out, because a recapture is the first
//! turn that a player considers.
//!
//! The same recipe and the same known problems always give the same result.

mod dull;

use std::{cell::RefCell, collections::HashSet};

use adoube_engine::{Control, Engine, Limits, OutOfMemory, Random, Searchable};
use adoube_rules::{
    AnyPosition, Color, DrawRules, ReadPositionError, Turn, Variant, coordinate, fen, with_position,
};

use crate::{
    collection::{Goal, PreviousTurn, Problem},
    prove::{LimitReached, Prover},
    themes::themes,
};
use dull::{is_dull, is_dull_problem, is_lopsided, is_recapture};

/// The parameters of a search for problems.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The variant.
    pub variant: Variant,
    /// The seed for the random games.
    pub seed: u64,
    /// The number of problems to offer, including those already known.
    pub count: usize,
    /// The maximum number of games.
    pub games: u32,
}

/// The reason why a search for problems fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// There is not enough memory for the engine.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The position of a known problem cannot be read.
    #[error("problem {id}: the position cannot be read")]
    Known {
        /// The id of the problem.
        id: String,
        /// The reason.
        source: ReadPositionError,
    },
}

/// The progress of the search.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The number of games played.
    pub games: u32,
    /// The numbers of problems offered so far, known and new: wins in 1, 2, 3 and 4 turns, then gains.
    pub found: [usize; 5],
}

/// The maximum percentage of problems of each kind, in the order of [`Progress::found`].
const MAX_PERCENT_OF_KIND: [usize; 5] = [20, 30, 25, 15, 40];
/// The maximum length of a win to look for.
const MAX_TURNS: u8 = 4;
/// The maximum number of wins taken from one game.
const MAX_WINS_PER_GAME: u32 = 2;
/// The minimum number of random turns at the beginning of a game; there may be up to four more.
const RANDOM_PLIES: usize = 4;
/// The maximum number of turns in a game, not counting the random ones at the beginning.
const MAX_PLIES: usize = 240;
/// The node limit of the deeper search.
const DEEP_NODES: u64 = 5_000;
/// The maximum number of positions that each search of the prover visits.
const PROOF_POSITIONS: u64 = 1_500_000;
/// The node limits of the two searches that must agree on a gain.
const GAIN_NODES: [u64; 2] = [60_000, 250_000];
/// The minimum value of a gain, in units of the search.
const MIN_GAIN: i32 = 170;
/// The maximum value of the second-best turn in such a problem.
const MAX_SECOND: i32 = 110;
/// The minimum difference between the gain and the second-best turn.
const MARGIN: i32 = 200;
/// The number of nodes for a turn on which a player may overlook something.
const LAPSE_NODES: u64 = 60;
/// The noise of the evaluation on such a turn.
const LAPSE_NOISE: u16 = 250;
/// A player may overlook something on one turn in this many.
const TURNS_PER_LAPSE: usize = 12;
/// The minimum number of legal turns in a problem, so that there is a choice.
const MIN_TURNS: usize = 4;
/// The node counts used to measure how hard a key is to find.
const DIFFICULTY_NODES: [u64; 6] = [100, 400, 1_600, 6_400, 25_600, 102_400];

impl Recipe {
    /// Returns the known problems and those found, easiest first. Known problems keep their ids; those that
    /// are too one-sided, and plain recaptures, are marked as retired. Calls `report` with the progress after
    /// each game.
    pub fn generate(
        &self,
        known: Vec<Problem>,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Problem>, GenerateError> {
        let initial = AnyPosition::initial(self.variant);
        with_position!(initial, initial => self.generate_from(&initial, known, report))
    }

    fn generate_from<P: Searchable>(
        &self,
        initial: &P,
        known: Vec<Problem>,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Problem>, GenerateError> {
        let mut finder = Finder {
            playing_engine: Engine::new(2, 1)?,
            analysis_engine: Engine::new(8, 1)?,
            prover: Prover::new(20).with_limit(PROOF_POSITIONS),
            known_keys: HashSet::new(),
            progress: Progress::default(),
            problems: Vec::new(),
            recipe: *self,
        };
        for mut problem in known {
            let position: P = read(&problem.fen)
                .map_err(|source| GenerateError::Known { id: problem.id.clone(), source })?;
            problem.retired |= is_dull_problem(&problem, &position);
            if !problem.retired {
                finder.progress.found[problem.kind()] += 1;
            }
            finder.known_keys.insert(position.key());
            finder.problems.push(problem);
        }
        while !finder.is_done() && finder.progress.games < self.games {
            let mut random = Random::new(self.seed, finder.progress.games.into());
            finder.play(initial, &mut random);
            finder.progress.games += 1;
            report(&finder.progress);
        }
        for problem in &mut finder.problems {
            // A line that cannot be played has no themes; the collection test reports it.
            problem.themes = themes(self.variant, problem).unwrap_or_default();
        }
        finder.problems.sort_by(|one, other| (one.rating, &one.id).cmp(&(other.rating, &other.id)));
        Ok(finder.problems)
    }
}

fn read<P: Searchable>(text: &str) -> Result<P, ReadPositionError> {
    Ok(P::from_setup(&fen::parse(P::VARIANT, text)?)?)
}

impl Problem {
    /// Returns the index of the problem's kind in [`Progress::found`].
    fn kind(&self) -> usize {
        match self.goal {
            Goal::Win => usize::from(self.turns.clamp(1, MAX_TURNS)) - 1,
            Goal::Gain => MAX_PERCENT_OF_KIND.len() - 1,
        }
    }
}

struct Finder {
    playing_engine: Engine,
    analysis_engine: Engine,
    prover: Prover,
    known_keys: HashSet<u64>,
    progress: Progress,
    problems: Vec<Problem>,
    recipe: Recipe,
}

/// The best two lines of a search: the best turn and the reply to it, and both scores.
struct BestTwoLines {
    turn: Turn,
    best: i32,
    second: i32,
    reply: Option<Turn>,
}

impl Finder {
    /// Returns `true` once enough problems are known.
    fn is_done(&self) -> bool {
        self.progress.found.iter().sum::<usize>() >= self.recipe.count
    }

    fn play<P: Searchable>(&mut self, initial: &P, random: &mut Random) {
        let Some(mut position) = opening(initial, random) else { return };
        self.playing_engine.forget();
        self.analysis_engine.forget();
        let mut history: Vec<u64> = Vec::new();
        // The strength of both sides varies between games.
        let nodes = 300 << random.below(4);
        let noise = [10, 30, 60, 90][random.below(4)];
        // The position before the last turn, and that turn.
        let mut last: Option<(P, Turn)> = None;
        // The score before the last turn, for the side that played it.
        let mut before: Option<i32> = None;
        // The side whose win has been used. A win is used once, where it is first seen. Only a few are taken
        // from one game, because they would all be alike.
        let mut used: Option<Color> = None;
        let mut gain_found = false;
        let mut wins = 0;
        for _ in 0..MAX_PLIES {
            if position.outcome(DrawRules::Club).is_some()
                || position.is_material_draw()
                || history.iter().filter(|&&key| key == position.key()).count() >= 2
                || is_lopsided(&position, position.side_to_move())
                || is_lopsided(&position, !position.side_to_move())
                || self.is_done()
            {
                return;
            }
            let limits = Limits::nodes(DEEP_NODES);
            let Some(seen) =
                self.analysis_engine.search(&position.clone().into(), &history, &limits, &Control::NONE)
            else {
                return;
            };
            let value = seen.score.units();
            // A problem keeps the turn before it, so the first position of a game cannot become a problem.
            match seen.score.certain_end().filter(|_| last.is_some()) {
                Some(plies) if plies > 0 => {
                    let turns = (plies + 1) / 2;
                    let winner = position.side_to_move();
                    if used != Some(winner) && wins < MAX_WINS_PER_GAME && turns <= i32::from(MAX_TURNS) {
                        let result = self.try_win(&position, last.as_ref(), turns as u8);
                        // A win too expensive to prove remains so on the next turns.
                        if result != Ok(false) {
                            used = Some(winner);
                        }
                        wins += u32::from(result == Ok(true));
                    }
                }
                // The side to move is losing, so its own win, if it had one, is gone. The other side's win is
                // still the same one.
                Some(_) => used = used.filter(|&winner| winner != position.side_to_move()),
                None => {
                    used = None;
                    let has_erred = before.is_some_and(|before| value + before >= MIN_GAIN && before > -150);
                    if has_erred && !gain_found && value >= MIN_GAIN {
                        gain_found = self.try_gain(&position, last.as_ref(), &history);
                    }
                }
            }
            before = Some(value);
            let has_lapse = random.below(TURNS_PER_LAPSE) == 0;
            let (nodes, noise) = if has_lapse { (LAPSE_NODES, LAPSE_NOISE) } else { (nodes, noise) };
            let limits = Limits { noise, seed: random.next(), ..Limits::nodes(nodes) };
            let Some(played) =
                self.playing_engine.search(&position.clone().into(), &history, &limits, &Control::NONE)
            else {
                return;
            };
            history.push(position.key());
            let next = after(&position, &played.turn);
            last = Some((std::mem::replace(&mut position, next), played.turn));
        }
    }

    /// Returns `true` if another problem of this kind is needed.
    fn needs_more(&self, kind: usize) -> bool {
        let max = (self.recipe.count * MAX_PERCENT_OF_KIND[kind]).div_ceil(100);
        self.progress.found[kind] < max
    }

    /// Adds a problem and returns `true` if exactly one turn leads to the shortest win. `turns` is the length
    /// of the win that the search found.
    fn try_win<P: Searchable>(
        &mut self,
        position: &P,
        last: Option<&(P, Turn)>,
        turns: u8,
    ) -> Result<bool, LimitReached> {
        let choices = position.legal_turns().len();
        let is_known = self.known_keys.contains(&position.key());
        if choices < MIN_TURNS || !self.needs_more(usize::from(turns) - 1) || is_known || is_dull(position) {
            return Ok(false);
        }
        let Some(turns) = self.prover.shortest(position, turns)? else { return Ok(false) };
        let kind = usize::from(turns) - 1;
        if !self.needs_more(kind) {
            return Ok(false);
        }
        let keys = self.prover.first_turns(position, turns)?;
        let [key] = &keys[..] else { return Ok(false) };
        let Some(line) = self.prover.line(position, turns)? else { return Ok(false) };
        if line.first() != Some(key) || line.len() != usize::from(turns) * 2 - 1 {
            return Ok(false);
        }
        self.add(position, last, Goal::Win, turns, &line, choices);
        self.progress.found[kind] += 1;
        Ok(true)
    }

    /// Adds a problem and returns `true` if one turn is clearly better than all others, and more than a plain
    /// recapture.
    fn try_gain<P: Searchable>(&mut self, position: &P, before: Option<&(P, Turn)>, history: &[u64]) -> bool {
        let kind = MAX_PERCENT_OF_KIND.len() - 1;
        let choices = position.legal_turns().len();
        let is_known = self.known_keys.contains(&position.key());
        if choices < MIN_TURNS || !self.needs_more(kind) || is_known || is_dull(position) {
            return false;
        }
        let Some(first) = self.two_best(position, history, GAIN_NODES[0]).filter(BestTwoLines::is_clear)
        else {
            return false;
        };
        self.analysis_engine.forget();
        let Some(again) = self.two_best(position, history, GAIN_NODES[1]).filter(BestTwoLines::is_clear)
        else {
            return false;
        };
        if again.turn != first.turn {
            return false;
        }
        let mut line = vec![again.turn.clone()];
        let mut current = position.clone();
        let mut history = history.to_vec();
        let mut last = again;
        // The line continues while only one turn is good.
        while line.len() < 5 {
            let Some(reply) = last.reply.take() else { break };
            for turn in [&last.turn, &reply] {
                history.push(current.key());
                current.play_turn_unchecked(turn);
            }
            if current.outcome(DrawRules::Club).is_some() || current.legal_turns().len() < 2 {
                break;
            }
            let Some(next) = self.two_best(&current, &history, GAIN_NODES[1]).filter(BestTwoLines::is_clear)
            else {
                break;
            };
            line.extend([reply, next.turn.clone()]);
            last = next;
        }
        if let [only] = &line[..]
            && before.is_some_and(|last| is_recapture(position, only, last))
        {
            return false;
        }
        let turns = line.len().div_ceil(2) as u8;
        self.add(position, before, Goal::Gain, turns, &line, choices);
        self.progress.found[kind] += 1;
        true
    }

    fn two_best<P: Searchable>(&mut self, position: &P, history: &[u64], nodes: u64) -> Option<BestTwoLines> {
        // For each report, the depth, the number of the line, its score and its turns.
        let reports = RefCell::new(Vec::<(u32, usize, i32, Vec<Turn>)>::new());
        let report = |info: &adoube_engine::Info| {
            if info.bound.is_none() {
                let line = (info.depth, info.line, info.score.units(), info.pv.clone());
                reports.borrow_mut().push(line);
            }
        };
        let limits = Limits { lines: 2, ..Limits::nodes(nodes) };
        let control = Control { report: Some(&report), ..Control::NONE };
        self.analysis_engine.search(&position.clone().into(), history, &limits, &control)?;
        let reports = reports.into_inner();
        // The greatest depth at which both lines were reported, with the last report of each.
        let second = reports.iter().rev().find(|line| line.1 == 2)?;
        let best = reports.iter().rev().find(|line| line.1 == 1 && line.0 == second.0)?;
        let mut turns = best.3.iter();
        Some(BestTwoLines {
            turn: turns.next()?.clone(),
            best: best.2,
            second: second.2,
            reply: turns.next().cloned(),
        })
    }

    fn add<P: Searchable>(
        &mut self,
        position: &P,
        last: Option<&(P, Turn)>,
        goal: Goal,
        turns: u8,
        line: &[Turn],
        choices: usize,
    ) {
        self.known_keys.insert(position.key());
        let fen = fen_without_clocks(position);
        let before = last.map(|(from, turn)| PreviousTurn {
            fen: fen_without_clocks(from),
            turn: coordinate::write(from, turn),
        });
        let mut current = position.clone();
        let mut texts = Vec::new();
        for turn in line {
            texts.push(coordinate::write(&current, turn));
            current.play_turn_unchecked(turn);
        }
        let Some(key) = line.first() else { return };
        let base = match goal {
            Goal::Win => [600, 950, 1350, 1700][usize::from(turns.clamp(1, MAX_TURNS)) - 1],
            Goal::Gain => 500 + 250 * i32::from(turns),
        };
        let rating =
            base + 80 * self.difficulty_index(position, key) + surprise_bonus(position, key, choices);
        self.problems.push(Problem {
            id: format!("{:08x}", mix(position.key()) >> 32),
            fen,
            goal,
            turns,
            line: texts,
            rating: rating.clamp(400, 2600) as u16,
            before,
            themes: Vec::new(),
            retired: false,
        });
    }

    /// Returns the first index in [`DIFFICULTY_NODES`] from which the engine always finds the key. It is the
    /// length of the array if the longest search does not find it.
    fn difficulty_index<P: Searchable>(&mut self, position: &P, key: &Turn) -> i32 {
        let finds = DIFFICULTY_NODES.map(|nodes| {
            self.analysis_engine.forget();
            let report = self.analysis_engine.search(
                &position.clone().into(),
                &[],
                &Limits::nodes(nodes),
                &Control::NONE,
            );
            report.is_some_and(|report| report.turn == *key)
        });
        finds.iter().rposition(|found| !found).map_or(0, |last| last as i32 + 1)
    }
}

impl BestTwoLines {
    fn is_clear(&self) -> bool {
        self.best >= MIN_GAIN && self.second <= MAX_SECOND && self.best - self.second >= MARGIN
    }
}

/// Returns the added difficulty: for many legal turns (negative for few), and for a quiet key.
fn surprise_bonus<P: Searchable>(position: &P, key: &Turn, choices: usize) -> i32 {
    let mut current = position.clone();
    let mut takes = false;
    for &step in key.steps() {
        takes |= current.taken(step).any();
        current.play_unchecked(step);
    }
    let quiet = if takes || current.is_check() { 0 } else { 150 };
    let many = ((f64::from(choices as u32) / 30.0).log2() * 50.0).clamp(-120.0, 100.0);
    quiet + many as i32
}

fn after<P: Searchable>(position: &P, turn: &Turn) -> P {
    let mut next = position.clone();
    next.play_turn_unchecked(turn);
    next
}

/// Returns the FEN of a position with its clocks reset, because a problem has no history.
fn fen_without_clocks<P: Searchable>(position: &P) -> String {
    let mut setup = position.to_setup();
    (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
    fen::write(&setup)
}

fn opening<P: Searchable>(initial: &P, random: &mut Random) -> Option<P> {
    let mut position = initial.clone();
    for _ in 0..RANDOM_PLIES + random.below(5) {
        let turns = position.legal_turns();
        if turns.is_empty() {
            return None;
        }
        position.play_turn_unchecked(&turns[random.below(turns.len())]);
    }
    position.outcome(DrawRules::Club).is_none().then_some(position)
}

/// Scrambles a number for the id of a problem, with the finalizer of `SplitMix64`.
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests;
