//! `adoube match`: plays many games between two players, and estimates the difference in strength.

mod clock;
mod game;
mod opening;
mod player;
mod process;
mod statistics;
mod tune;

use std::{
    fs::{File, OpenOptions},
    io::Write,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use adoube_engine::Random;
use adoube_notation::pgn;
use adoube_rules::{AnyPosition, Color, Position as _, Turn};
use anyhow::{Context as _, anyhow};
use clap::{Args, builder::TypedValueParser as _};

use crate::options::{Start, parse_threads};
use clock::TimeControl;
use game::{ContestResult, Played};
use opening::Openings;
pub(crate) use player::read_network;
use player::{Limit, Player, Specification};
use statistics::{Sprt, Tally};
pub(crate) use tune::{Tune, run as tune};

/// Play a match between two players and estimate the difference in strength
///
/// A player is `own` (the engine), `hand-made` (the engine without its network), `network:FILE` (the engine
/// with another network), `material` (the engine's search with a purely material evaluation), `plain:DEPTH`
/// (plain alpha-beta on material, to this depth in turns), `greedy` (the same as `plain:1`), `random`,
/// `level:NUMBER` (a level of the machine, which ignores other limits), `skill:NUMBER` (a UCI skill level,
/// which also ignores other limits), `noisy:NUMBER` (the engine, with random noise of at most this size added
/// to each evaluation, in the engine's units; only the limits on nodes and depth apply), or a command that
/// speaks UCI. Each opening is played twice, with colours reversed. Prints the results after each pair of
/// games, and on the last line `FIRST against SECOND: games N +W =D -L score S% elo E ± ERROR REASON:COUNT
/// …`, from the point of view of FIRST. If one side has won every game, there is only a bound, `elo > E` or
/// `elo < E`.
#[derive(Args, Debug)]
pub(crate) struct Match {
    #[command(flatten)]
    start: Start,
    /// The player whose results are shown
    #[arg(long, value_name = "PLAYER", default_value = "own")]
    first: String,
    /// The opponent
    #[arg(long, value_name = "PLAYER")]
    second: String,
    /// An option of the first player, if it speaks UCI: NAME=VALUE
    #[arg(long, value_name = "OPTION")]
    first_option: Vec<String>,
    /// An option of the second player, if it speaks UCI: NAME=VALUE
    #[arg(long, value_name = "OPTION")]
    second_option: Vec<String>,
    /// Number of games; an odd number is rounded up
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Number of random turns in each opening
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(0..=40))]
    plies: u32,
    /// The maximum advantage of a side in an opening, according to a short search by the engine, in
    /// hundredths of a pawn
    ///
    /// A side that is 100 ahead scores 75% on average. Games with larger advantages reveal little about
    /// strength, because the side that is ahead usually wins.
    #[arg(long, value_name = "CP", default_value = "100", value_parser = clap::value_parser!(i32).range(0..=100_000))]
    edge: i32,
    /// Seed for the openings, and for the noise of players whose evaluation is noisy
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Nodes for each turn; 20000 if there is no other limit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth of each search
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Milliseconds for each turn
    #[arg(long = "movetime", value_name = "MS")]
    move_time: Option<u64>,
    /// Time control in seconds, such as 5+0.05 (time and increment) or 40/60 (turns and time)
    #[arg(long, value_name = "TIME", conflicts_with_all = ["nodes", "depth", "move_time"])]
    tc: Option<String>,
    /// Nodes of the first player, if different; with --tc, instead of its clock
    #[arg(long, value_name = "N")]
    first_nodes: Option<u64>,
    /// Nodes of the second player, if different; with --tc, instead of its clock
    #[arg(long, value_name = "N")]
    second_nodes: Option<u64>,
    /// Depth of the first player, if different; with --tc, instead of its clock
    #[arg(long, value_name = "N")]
    first_depth: Option<u32>,
    /// Depth of the second player, if different; with --tc, instead of its clock
    #[arg(long, value_name = "N")]
    second_depth: Option<u32>,
    /// Size of the hash table of each player, in mebibytes
    #[arg(long, value_name = "MB", default_value = "16", value_parser = clap::value_parser!(u32).range(1..=65_536).map(|n| n as usize))]
    hash: usize,
    /// Threads of each player
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256).map(|n| n as usize))]
    threads: usize,
    /// Number of games played at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    concurrency: NonZeroUsize,
    /// Adjudicate a game as a draw after this many turns, counting both sides
    #[arg(long, alias = "most-plies", value_name = "N")]
    max_plies: Option<u32>,
    /// Stop as soon as a sequential test decides, with a 5% error rate, between two differences in (logistic)
    /// Elo, such as 0,10
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Append the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

impl Match {
    fn movetime(&self) -> Option<Duration> {
        self.move_time.map(Duration::from_millis)
    }
}

/// Nodes for each turn if nothing else limits the players.
const DEFAULT_NODES: u64 = 20_000;

pub(crate) fn run(arguments: &Match, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let initial = arguments.start.position()?;
    let contest = Contest::new(arguments, &initial)?;
    let sprt = arguments.sprt.as_deref().map(Sprt::parse).transpose()?;
    let pairs = arguments.games.div_ceil(2);
    let state = Mutex::new(State { tally: Tally::default(), out, sprt });
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let work = || -> anyhow::Result<()> {
        let mut players = contest.start_players()?;
        while !stop.load(Relaxed) {
            let pair = next.fetch_add(1, Relaxed);
            if pair >= pairs {
                break;
            }
            let results = contest.play_pair(&mut players, pair, &state)?;
            if state.lock().unwrap_or_else(PoisonError::into_inner).count(results)? {
                stop.store(true, Relaxed);
            }
        }
        Ok(())
    };
    let result: anyhow::Result<()> = thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..arguments.concurrency.get().min(pairs.max(1) as usize) {
            let worker = thread::Builder::new().stack_size(adoube_engine::STACK).spawn_scoped(scope, || {
                let result = work();
                if result.is_err() {
                    stop.store(true, Relaxed);
                }
                result
            });
            // The threads that have already been started must not keep playing.
            let worker = worker.inspect_err(|_| stop.store(true, Relaxed));
            workers.push(worker.context("cannot start a thread")?);
        }
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| anyhow!("a thread that plays games panicked"))?
        })
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let State { tally, out, .. } = state;
    writeln!(out, "{} against {}: {tally}", contest.first.name, contest.second.name)?;
    result
}

/// The players and the settings of all games.
struct Contest<'a> {
    arguments: &'a Match,
    initial: &'a AnyPosition,
    openings: Openings<'a>,
    control: Option<TimeControl>,
    first: Specification,
    second: Specification,
    /// The file to which games are appended.
    pgn: Option<Mutex<File>>,
}

impl<'a> Contest<'a> {
    fn new(arguments: &'a Match, initial: &'a AnyPosition) -> anyhow::Result<Self> {
        let control = arguments.tc.as_deref().map(TimeControl::parse).transpose()?;
        let specify = |text: &str, options: &[String], nodes: Option<u64>, depth: Option<u32>| {
            let limit = Limit {
                nodes: nodes.or(arguments.nodes),
                depth: depth.or(arguments.depth),
                time: arguments.movetime(),
            };
            let limit =
                if limit.is_none() && control.is_none() { Limit::nodes(DEFAULT_NODES) } else { limit };
            Specification::parse(text, options, limit, arguments.hash, arguments.threads)
        };
        let Match { first, first_option, first_nodes, first_depth, .. } = arguments;
        let Match { second, second_option, second_nodes, second_depth, .. } = arguments;
        let first = specify(first, first_option, *first_nodes, *first_depth)?;
        let second = specify(second, second_option, *second_nodes, *second_depth)?;
        let pgn = match &arguments.pgn {
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                Some(Mutex::new(file.with_context(|| format!("{} cannot be written", path.display()))?))
            }
            None => None,
        };
        let openings =
            Openings { initial, plies: arguments.plies, edge: arguments.edge, seed: arguments.seed };
        Ok(Self { arguments, initial, openings, control, first, second, pgn })
    }

    fn start_players(&self) -> anyhow::Result<[Player; 2]> {
        Ok([self.first.start(self.initial.variant())?, self.second.start(self.initial.variant())?])
    }

    /// Plays two games from the same opening, with colours reversed. Returns the first player's results.
    fn play_pair(
        &self,
        players: &mut [Player; 2],
        pair: u64,
        state: &Mutex<State<impl Write>>,
    ) -> anyhow::Result<[ContestResult; 2]> {
        let opening = (self.initial.clone(), self.openings.generate(pair)?);
        let mut results = [ContestResult::Draw; 2];
        for ((result, first_color), number) in results.iter_mut().zip(Color::ALL).zip(pair * 2 + 1..) {
            let played = self.play(players, first_color, &opening, number)?;
            *result = match played.winner {
                None => ContestResult::Draw,
                Some(winner) if winner == first_color => ContestResult::Win,
                Some(_) => ContestResult::Loss,
            };
            if played.loser_is_unresponsive {
                // A program that has exited or does not respond is restarted, so that it loses only the
                // current game.
                let [first, second] = players;
                let (unresponsive, specification) =
                    if *result == ContestResult::Win { (second, &self.second) } else { (first, &self.first) };
                *unresponsive = specification.start(self.initial.variant())?;
            }
            if let Some(pgn) = &self.pgn {
                let names = [&*self.first.name, &*self.second.name];
                let text = pgn::write(&played.to_pgn(&opening.0, number, &names, first_color)?);
                let mut file = pgn.lock().unwrap_or_else(PoisonError::into_inner);
                file.write_all(text.as_bytes()).context("the PGN cannot be written")?;
            }
            state.lock().unwrap_or_else(PoisonError::into_inner).record(&played);
        }
        Ok(results)
    }

    fn play(
        &self,
        players: &mut [Player; 2],
        first_color: Color,
        opening: &(AnyPosition, Vec<Turn>),
        number: u64,
    ) -> anyhow::Result<Played> {
        let [first, second] = players;
        let by_color = match first_color {
            Color::White => [first, second],
            Color::Black => [second, first],
        };
        let seed = Random::new(self.arguments.seed, number).next();
        game::play(by_color, opening, self.control, self.arguments.max_plies, seed)
    }
}

struct State<W> {
    tally: Tally,
    out: W,
    sprt: Option<Sprt>,
}

impl<W: Write> State<W> {
    fn record(&mut self, played: &Played) {
        self.tally.endings.entry(played.reason).and_modify(|count| *count += 1).or_insert(1);
    }

    /// Counts two games from the same opening, and prints the results so far. Returns `true` if the
    /// sequential test has decided.
    fn count(&mut self, results: [ContestResult; 2]) -> anyhow::Result<bool> {
        self.tally.add(results);
        let decided = self.sprt.as_ref().and_then(|sprt| sprt.decide(&self.tally));
        write!(self.out, "{}", self.tally)?;
        if let Some(sprt) = &self.sprt {
            write!(self.out, " LLR {:.2} ({:.2}, {:.2})", sprt.llr(&self.tally), sprt.lower(), sprt.upper())?;
        }
        if let Some(accepted) = decided {
            write!(self.out, " {}", if accepted { "H1 accepted" } else { "H0 accepted" })?;
        }
        writeln!(self.out)?;
        self.out.flush()?;
        Ok(decided.is_some())
    }
}
