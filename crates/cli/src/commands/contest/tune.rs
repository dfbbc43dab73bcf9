//! `adoube tune`: finds the search parameters that are too small or too large.
//!
//! The engine plays against itself. Before each pair of games, every parameter is changed by its step,
//! upwards for one side and downwards for the other, at random. The directions are independent, so the
//! changes to all other parameters are only noise when one parameter is measured, and the same games measure
//! all of them (Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation*, 1992).

use std::{
    io::Write,
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use adoube_engine::{Parameters, Random, STACK};
use adoube_rules::{AnyPosition, Color, Turn, Variant};
use anyhow::{Context as _, anyhow};
use clap::Args;

use super::{
    game,
    opening::Openings,
    player::{Limit, Player, Specification},
};
use crate::options::parse_threads;

/// Find search parameters that are too small or too large, by having the engine play against itself
///
/// Before each pair of games every parameter is changed by its step, upwards for one side and downwards for
/// the other, at random, so that the same games measure all of them. Prints `games N` from time to time, and
/// at the end a line for each parameter, `NAME VALUE step STEP elo E ± ERROR`: E is the gain from VALUE -
/// STEP to VALUE + STEP, and ERROR is its standard deviation.
#[derive(Args, Debug)]
pub(crate) struct Tune {
    /// Name of the game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// Nodes for each turn
    #[arg(long, value_name = "N", default_value = "8000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    nodes: u64,
    /// Number of games
    #[arg(long, value_name = "N", default_value = "4000")]
    games: u64,
    /// Number of games played at the same time
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    concurrency: NonZeroUsize,
    /// Seed for the games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

/// The number of random turns in an opening, and the maximum advantage of either side after them.
const OPENING_PLIES: u32 = 8;
const OPENING_EDGE: i32 = 100;
/// A game that is not over after this number of turns is drawn.
const MAX_PLIES: u32 = 300;
/// Size of each side's hash table, in mebibytes.
const TABLE: usize = 8;
/// Number of pairs of games between two lines of output.
const PAIRS_BETWEEN_LINES: u32 = 50;

/// The gain of a larger parameter over a smaller one.
#[derive(Clone, Copy, Debug)]
struct Effect {
    elo: f64,
    /// The standard deviation.
    error: f64,
}

/// The results so far.
#[derive(Debug, Default)]
struct Results {
    pairs: u32,
    /// For each parameter, the sum over all pairs of the lead of the side with the larger value. A pair with
    /// two wins is a lead of 1/2.
    ahead: Vec<f64>,
    /// The sum over all pairs of the squared lead.
    squares: f64,
}

impl Results {
    fn add(&mut self, directions: &[i32], points: f64) {
        // The lead of the first side: 1/2 for two wins, -1/2 for two losses.
        let ahead = points / 2.0 - 0.5;
        self.pairs += 1;
        self.squares += ahead * ahead;
        self.ahead.resize(directions.len(), 0.0);
        for (sum, &direction) in self.ahead.iter_mut().zip(directions) {
            *sum += f64::from(direction) * ahead;
        }
    }

    fn effect(&self, index: usize) -> Effect {
        // This is the slope of the Elo formula at an even score.
        let elo_per_share = 1_600.0 / std::f64::consts::LN_10;
        let pairs = f64::from(self.pairs.max(1));
        let mean = self.ahead.get(index).map_or(0.0, |sum| sum / pairs);
        Effect { elo: mean * elo_per_share, error: self.squares.sqrt() / pairs * elo_per_share }
    }
}

pub(crate) fn run(arguments: &Tune, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let initial = AnyPosition::initial(arguments.variant);
    let openings =
        Openings { initial: &initial, plies: OPENING_PLIES, edge: OPENING_EDGE, seed: arguments.seed };
    let own = Specification::parse("own", &[], Limit::nodes(arguments.nodes), TABLE, 1)?;
    let pairs = arguments.games.div_ceil(2);
    let next = AtomicU64::new(0);
    let state = Mutex::new((Results::default(), out));
    let play = || -> anyhow::Result<()> {
        let mut players = [own.start(arguments.variant)?, own.start(arguments.variant)?];
        loop {
            let pair = next.fetch_add(1, Relaxed);
            if pair >= pairs {
                return Ok(());
            }
            let directions = directions(arguments.seed, pair);
            for (player, sign) in players.iter_mut().zip([1, -1]) {
                player.set_parameters(arguments.variant, changed(arguments.variant, &directions, sign));
            }
            let points = play_both(&mut players, &(initial.clone(), openings.generate(pair)?))?;
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (findings, out) = &mut *state;
            findings.add(&directions, points);
            if findings.pairs.is_multiple_of(PAIRS_BETWEEN_LINES) {
                writeln!(out, "games {}", findings.pairs * 2)?;
                out.flush()?;
            }
        }
    };
    let work = || {
        let played = play();
        if played.is_err() {
            // The other threads do not begin any further pairs.
            next.fetch_max(pairs, Relaxed);
        }
        played
    };
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..arguments.concurrency.get() {
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            workers.push(worker.context("cannot start a thread")?);
        }
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| anyhow!("a thread that plays games panicked"))?
        })
    })?;
    let (findings, out) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let numbers = Parameters::of(arguments.variant);
    for (index, (name, step)) in Parameters::ALL.iter().enumerate() {
        let Effect { elo, error } = findings.effect(index);
        let value = numbers.get(index).unwrap_or_default();
        writeln!(out, "{name} {value} step {step} elo {elo:+.1} ± {error:.1}")?;
    }
    Ok(())
}

/// Returns the direction of each parameter in a pair of games: 1 if the first side has the larger value,
/// otherwise -1.
fn directions(seed: u64, pair: u64) -> Vec<i32> {
    // The pair's opening is chosen with `seed` itself.
    let mut random = Random::new(!seed, pair);
    Parameters::ALL.iter().map(|_| if random.below(2) == 0 { 1 } else { -1 }).collect()
}

/// Returns the parameters of a side: the usual ones, each changed by its step. `sign` is 1 for the first side
/// and -1 for the second.
fn changed(variant: Variant, directions: &[i32], sign: i32) -> Parameters {
    let mut parameters = Parameters::of(variant);
    for (index, ((_, step), direction)) in Parameters::ALL.iter().zip(directions).enumerate() {
        if let Some(number) = parameters.get_mut(index) {
            *number += sign * direction * step;
        }
    }
    parameters
}

/// Plays two games from an opening, with the colours reversed in the second. Returns the points of the first
/// player, from 0 to 2.
fn play_both(players: &mut [Player; 2], opening: &(AnyPosition, Vec<Turn>)) -> anyhow::Result<f64> {
    let mut points = 0.0;
    for color in Color::ALL {
        let [first, second] = players;
        let by_color = if color == Color::White { [first, second] } else { [second, first] };
        let played = game::play(by_color, opening, None, Some(MAX_PLIES), 0)?;
        points += match played.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == color)),
        };
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_that_wins_games_is_found() {
        let mut findings = Results::default();
        let mut random = Random::new(3, 4);
        for pair in 0..2_000 {
            let directions = directions(1, pair);
            // In one pair in ten, the side with the larger third parameter wins both games. All other results
            // are random.
            let better = random.below(10) == 0;
            let points = if better { f64::from(directions[2] + 1) } else { [0.0, 1.0, 2.0][random.below(3)] };
            findings.add(&directions, points);
        }
        let found = findings.effect(2);
        assert!((20.0..50.0).contains(&found.elo) && found.error < 8.0, "{found:?}");
        let others =
            (0..Parameters::ALL.len()).filter(|&index| index != 2).map(|index| findings.effect(index));
        assert!(others.map(|effect| (effect.elo / effect.error).abs()).all(|deviations| deviations < 4.0));
    }

    #[test]
    fn the_parameters_of_the_two_sides_change_in_opposite_directions() {
        let usual = Parameters::of(Variant::Chess);
        let directions = directions(1, 7);
        let [more, less] = [1, -1].map(|sign| changed(Variant::Chess, &directions, sign));
        for (index, &direction) in directions.iter().enumerate() {
            let [usual, more, less] =
                [usual, more, less].map(|numbers| numbers.get(index).expect("a number"));
            assert_eq!(more - usual, usual - less);
            assert_eq!((more - usual).signum(), direction);
        }
    }
}
