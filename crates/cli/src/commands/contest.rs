//! `adoube match`: two players against each other, many games, and what the result says of their strength.

mod clock;
mod game;
mod opening;
mod player;
mod process;
mod statistics;
mod tune;

use std::{
    fs::OpenOptions,
    io::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use adoube_engine::Random;
use adoube_notation::pgn;
use adoube_rules::{AnyPosition, Color, Position as _};
use anyhow::{Context as _, anyhow};

use crate::arguments::Match;
use clock::TimeControl;
use game::{Played, Verdict};
use opening::Openings;
pub(crate) use player::read_network;
use player::{Limit, Player, Specification};
use statistics::{Sprt, Tally};
pub(crate) use tune::run as tune;

/// Nodes for each turn where nothing limits the players.
const USUAL_NODES: u64 = 20_000;

pub(crate) fn run(arguments: &Match, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let initial = arguments.start.position()?;
    let control = arguments.tc.as_deref().map(TimeControl::parse).transpose()?;
    let specify = |text: &str, options: &[String], nodes: Option<u64>, depth: Option<u32>| {
        let limit = Limit {
            nodes: nodes.or(arguments.nodes),
            depth: depth.or(arguments.depth),
            time: arguments.movetime(),
        };
        let limit = if limit.is_none() && control.is_none() { Limit::nodes(USUAL_NODES) } else { limit };
        Specification::parse(text, options, limit, arguments.hash, arguments.threads)
    };
    let first =
        specify(&arguments.first, &arguments.first_option, arguments.first_nodes, arguments.first_depth)?;
    let second =
        specify(&arguments.second, &arguments.second_option, arguments.second_nodes, arguments.second_depth)?;
    let sprt = arguments.sprt.as_deref().map(Sprt::parse).transpose()?;
    let pgn = match &arguments.pgn {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(Mutex::new(file.with_context(|| format!("{} cannot be written", path.display()))?))
        }
        None => None,
    };
    let pairs = arguments.games.div_ceil(2);
    let openings =
        Openings { initial: &initial, plies: arguments.plies, edge: arguments.edge, seed: arguments.seed };
    let state = Mutex::new(State { tally: Tally::default(), out, sprt });
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let work = || -> anyhow::Result<()> {
        let mut players = [first.start(initial.variant())?, second.start(initial.variant())?];
        while !stop.load(Relaxed) {
            let pair = next.fetch_add(1, Relaxed);
            if pair >= pairs {
                break;
            }
            let opening = (initial.clone(), openings.draw(pair)?);
            let mut verdicts = [Verdict::Draw; 2];
            for (index, verdict) in verdicts.iter_mut().enumerate() {
                let white_is_first = index == 0;
                let number = pair * 2 + index as u64 + 1;
                let played = play(&mut players, white_is_first, &opening, control, arguments, number)?;
                *verdict = match (played.winner, white_is_first) {
                    (None, _) => Verdict::Draw,
                    (Some(Color::White), true) | (Some(Color::Black), false) => Verdict::Win,
                    _ => Verdict::Loss,
                };
                if played.loser_is_gone {
                    // A program that has ended has lost this game, and no other.
                    let [one, other] = &mut players;
                    let (gone, who) = if *verdict == Verdict::Win { (other, &second) } else { (one, &first) };
                    *gone = who.start(initial.variant())?;
                }
                if let Some(pgn) = &pgn {
                    let text = pgn::write(&played.to_pgn(
                        &opening.0,
                        number,
                        &[&first.name, &second.name],
                        white_is_first,
                    )?);
                    let mut file = pgn.lock().unwrap_or_else(PoisonError::into_inner);
                    file.write_all(text.as_bytes()).context("the PGN cannot be written")?;
                }
                state.lock().unwrap_or_else(PoisonError::into_inner).told(&played);
            }
            if state.lock().unwrap_or_else(PoisonError::into_inner).count(verdicts)? {
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
            workers.push(worker.context("cannot start a thread")?);
        }
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a game has failed"))?)
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let State { tally, out, .. } = state;
    writeln!(out, "{} against {}: {tally}", first.name, second.name)?;
    result
}

struct State<W> {
    tally: Tally,
    out: W,
    sprt: Option<Sprt>,
}

impl<W: Write> State<W> {
    fn told(&mut self, played: &Played) {
        self.tally.endings.entry(played.reason).and_modify(|count| *count += 1).or_insert(1);
    }

    /// Counts two games of the same opening; returns whether enough is known.
    fn count(&mut self, verdicts: [Verdict; 2]) -> anyhow::Result<bool> {
        self.tally.add(verdicts);
        let decided = self.sprt.as_ref().and_then(|sprt| sprt.decide(&self.tally));
        write!(self.out, "{}", self.tally)?;
        if let Some(sprt) = &self.sprt {
            write!(
                self.out,
                " llr {:.2} of {:.2} to {:.2}",
                sprt.llr(&self.tally),
                sprt.lower(),
                sprt.upper()
            )?;
        }
        if let Some(accepted) = decided {
            write!(self.out, " {}", if accepted { "accepted" } else { "refused" })?;
        }
        writeln!(self.out)?;
        self.out.flush()?;
        Ok(decided.is_some())
    }
}

fn play(
    players: &mut [Player; 2],
    white_is_first: bool,
    opening: &(AnyPosition, Vec<adoube_rules::Turn>),
    control: Option<TimeControl>,
    arguments: &Match,
    number: u64,
) -> anyhow::Result<Played> {
    let [first, second] = players;
    let by_color = if white_is_first { [first, second] } else { [second, first] };
    let seed = Random::new(arguments.seed, number).next();
    game::play(by_color, opening, control, arguments.most_plies, seed)
}
