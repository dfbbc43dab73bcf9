//! PGN: reads a large file of random games in several ways, and measures speed and memory use.

use std::{
    fs::File,
    io::{BufWriter, Read as _, Write as _},
    ops::ControlFlow,
    path::Path,
    time::Instant,
};

use adoube_notation::pgn::{self, Checker, Game, GameResult, Stream, SyntaxProblem, Visitor};
use adoube_rules::{AnyPosition, Position as _, Variant};
use anyhow::{Context as _, Result, ensure};
use shakmaty::{Position as _, san::SanPlus};

/// Default number of games.
pub(crate) const GAMES: usize = 20_000;

const ROUNDS: usize = 5;

/// The maximum number of turns in a game.
const MAX_PLIES: usize = 120;

/// Number of distinct games. If more are needed, these are repeated with different tags, because generating
/// games takes longer than reading them.
const DISTINCT: usize = 20_000;

/// A way to read the file; returns the numbers of games and plies, or 0 for what it does not count.
type Read = fn(&Path) -> Result<(u64, u64)>;

pub(crate) fn run(games: usize) -> Result<()> {
    let folder = tempfile::tempdir().context("could not create a temporary folder")?;
    let path = folder.path().join("games.pgn");
    let plies = write_games(&path, games)?;
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "{games} games, {plies} plies, {:.1} MB; {ROUNDS} rounds, interleaved, medians",
        megabytes(bytes)
    );
    println!("peak memory before reading: {}", memory());
    let mut contestants: [(&str, Read, Vec<f64>); 4] = [
        ("bytes only", read_bytes, Vec::new()),
        ("skip", skip, Vec::new()),
        ("check", check, Vec::new()),
        ("our reader, shakmaty's rules", check_with_peer, Vec::new()),
    ];
    for round in 0..=ROUNDS {
        for (name, read, seconds) in &mut contestants {
            let start = Instant::now();
            let (seen_games, seen_plies) = read(&path)?;
            let elapsed = start.elapsed().as_secs_f64();
            ensure!(*name == "bytes only" || seen_games == games as u64, "{name}: {seen_games} games");
            ensure!(seen_plies == 0 || seen_plies == plies, "{name}: {seen_plies} plies");
            if round == 0 {
                println!("peak memory after {name}: {}", memory());
            } else {
                seconds.push(elapsed);
            }
        }
    }
    for (name, _, seconds) in &mut contestants {
        seconds.sort_by(f64::total_cmp);
        println!("  {name:30} {:8.1} MB/s", megabytes(bytes) / seconds[seconds.len() / 2]);
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "rates are shown with one decimal place")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Returns the peak memory use of the process.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("not available", str::trim).to_owned()
}

/// Writes random games with their results. Returns the number of plies.
fn write_games(path: &Path, games: usize) -> Result<u64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |bound: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % bound
    };
    let mut out = BufWriter::new(File::create(path)?);
    let mut plies = 0;
    let mut distinct: Vec<(String, u64)> = Vec::new();
    for number in 0..games {
        if number < DISTINCT {
            let mut game = Game::new(AnyPosition::initial(Variant::DEFAULT));
            let mut position = game.initial.clone();
            while game.turns.len() < MAX_PLIES {
                let turns = position.legal_turns();
                if turns.is_empty() {
                    break;
                }
                let turn = turns[below(turns.len())].clone();
                position.play_turn_unchecked(&turn);
                game.turns.push(turn);
            }
            game.result =
                position.outcome(adoube_rules::DrawRules::Club).map_or(GameResult::Unknown, Into::into);
            let text = pgn::write(&game);
            // The `Event` tag, which comes first, is rewritten for each game.
            let (_, rest) = text.split_once('\n').context("a game without tags")?;
            distinct.push((rest.to_owned(), game.turns.len() as u64));
        }
        let (rest, turns) = &distinct[number % DISTINCT];
        writeln!(out, "[Event \"Random game {number}\"]")?;
        out.write_all(rest.as_bytes())?;
        plies += turns;
    }
    out.flush()?;
    Ok(plies)
}

/// Reads only the bytes, as the baseline for the other ways to read a file.
fn read_bytes(path: &Path) -> Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 256 << 10];
    while file.read(&mut buffer)? > 0 {}
    Ok((0, 0))
}

fn skip(path: &Path) -> Result<(u64, u64)> {
    /// Reads only the tags.
    struct Skip;
    impl Visitor for Skip {
        type Output = ();
        fn begin_game(&mut self, _: usize) {}
        fn begin_movetext(&mut self, _: usize) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
        fn turn(&mut self, _: usize, _: &str) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
        fn problem(&mut self, _: usize, _: SyntaxProblem) {}
        fn end_game(&mut self) {}
    }
    let mut stream = Stream::new(File::open(path)?);
    let mut games = 0;
    while stream.read_game(&mut Skip)?.is_some() {
        games += 1;
    }
    Ok((games, 0))
}

fn check(path: &Path) -> Result<(u64, u64)> {
    let mut stream = Stream::new(File::open(path)?);
    let mut checker = Checker::default();
    let (mut games, mut plies) = (0, 0);
    while let Some(checked) = stream.read_game(&mut checker)? {
        ensure!(checked.problem.is_none(), "line {}: {:?}", stream.line(), checked.problem);
        games += 1;
        plies += checked.plies as u64;
    }
    Ok((games, plies))
}

fn check_with_peer(path: &Path) -> Result<(u64, u64)> {
    #[derive(Default)]
    struct Peer {
        position: shakmaty::Chess,
        plies: u64,
        legal: bool,
    }
    impl Visitor for Peer {
        type Output = bool;
        fn begin_game(&mut self, _: usize) {
            self.position = shakmaty::Chess::default();
            self.legal = true;
        }
        fn turn(&mut self, _: usize, text: &str) -> ControlFlow<()> {
            let read = SanPlus::from_ascii(text.as_bytes()).ok().map(|plus| plus.san);
            let Some(turn) = read.and_then(|san| san.to_move(&self.position).ok()) else {
                self.legal = false;
                return ControlFlow::Break(());
            };
            self.position.play_unchecked(turn);
            self.plies += 1;
            ControlFlow::Continue(())
        }
        fn problem(&mut self, _: usize, _: SyntaxProblem) {
            self.legal = false;
        }
        fn end_game(&mut self) -> bool {
            self.legal
        }
    }
    let mut stream = Stream::new(File::open(path)?);
    let mut peer = Peer::default();
    let mut games = 0;
    while let Some(legal) = stream.read_game(&mut peer)? {
        ensure!(legal, "line {}", stream.line());
        games += 1;
    }
    Ok((games, peer.plies))
}
