//! Perft files. Checks our rules against third-party files, and generates our own files with two other
//! libraries.
//!
//! Two formats are read: `FEN;D1 20;D2 400`, and `epd FEN` followed by lines `perft DEPTH COUNT`.
//! Lines that start with `#` or `id` are skipped.

use std::{
    fs,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
};

use adoube_rules::{
    AnyPosition, Position as _, Rank, ReadPositionError, Setup, SetupProblem, SquareSet, Variant, fen,
    perft::{LeafCounting, perft},
    shuffle, with_position,
};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

use crate::perft::{cozy_perft, shakmaty_perft};

/// A position and its perft counts, as pairs of a depth and a count.
#[derive(Debug, PartialEq)]
struct PerftCase {
    fen: String,
    counts: Vec<(u32, u64)>,
}

fn read(text: &str) -> Result<Vec<PerftCase>> {
    let mut cases = Vec::<PerftCase>::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let location = || format!("line {number}: {line}");
        if line.is_empty() || line.starts_with('#') || line.starts_with("id ") {
            continue;
        }
        if let Some(fen) = line.strip_prefix("epd ") {
            cases.push(PerftCase { fen: fen.to_owned(), counts: Vec::new() });
        } else if let Some(count) = line.strip_prefix("perft ") {
            let last = cases.last_mut().with_context(location).context("a count before any position")?;
            last.counts.push(depth_and_count(count).with_context(location)?);
        } else {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().unwrap_or_default().to_owned();
            let counts = parts.map(|part| {
                let count = part.strip_prefix('D').context("a count without its `D`")?;
                depth_and_count(count)
            });
            cases.push(PerftCase { fen, counts: counts.collect::<Result<_>>().with_context(location)? });
        }
    }
    ensure!(!cases.is_empty(), "there are no positions");
    Ok(cases)
}

fn depth_and_count(text: &str) -> Result<(u32, u64)> {
    let (depth, count) = text.split_once(' ').context("a depth without a count")?;
    Ok((depth.parse().context("not a depth")?, count.trim().parse().context("not a count")?))
}

/// Checks our chess rules against all counts in the files, on all processors.
pub(crate) fn check(files: &[String]) -> Result<()> {
    ensure!(!files.is_empty(), "no files given; usage: epd check FILE…");
    for file in files {
        let text = fs::read_to_string(file).with_context(|| file.clone())?;
        let cases = read(&text).with_context(|| file.clone())?;
        let (next, counts, leaves, wrong) =
            (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
                        let Some(position) = playable(case, &wrong) else { continue };
                        for &(depth, expected) in &case.counts {
                            let found =
                                with_position!(&position, position => perft(position, depth, LeafCounting::Bulk));
                            counts.fetch_add(1, Relaxed);
                            leaves.fetch_add(found, Relaxed);
                            if found != expected {
                                wrong.fetch_add(1, Relaxed);
                                println!("{} depth {depth}: {found}, not {expected}", case.fen);
                            }
                        }
                    }
                });
            }
        });
        let wrong = wrong.into_inner();
        println!(
            "{file}: {} positions, {} counts, {} leaves, {wrong} wrong",
            cases.len(),
            counts.into_inner(),
            leaves.into_inner()
        );
        ensure!(wrong == 0, "{file}: {wrong} wrong");
    }
    Ok(())
}

/// Reads the position of a case. Our rules reject positions with too many men, because no game can reach
/// them. Such a rejection is printed but does not count as an error.
fn playable(case: &PerftCase, wrong: &AtomicUsize) -> Option<AnyPosition> {
    match AnyPosition::from_fen(Variant::Chess, &case.fen) {
        Ok(position) => Some(position),
        Err(ReadPositionError::Position(error))
            if matches!(error.problems(), [SetupProblem::TooManyMen { found: 17.., .. }, ..]) =>
        {
            println!("{}: refused, {error}", case.fen);
            None
        }
        Err(error) => {
            wrong.fetch_add(1, Relaxed);
            println!("{}: {error}", case.fen);
            None
        }
    }
}

/// Prints the positions in a file with new counts, computed by two libraries that must agree. For each
/// position, stops at the depth after which the count would probably exceed `max_leaves`. Our own rules are
/// not involved.
pub(crate) fn count(file: &str, max_leaves: u64) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| file.to_owned())?;
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            println!("{line}");
            continue;
        }
        let fen = line.split(';').next().unwrap_or_default().trim();
        let parsed: Fen = fen.parse().with_context(|| fen.to_owned())?;
        let one: Chess = parsed.into_position(CastlingMode::Chess960).with_context(|| fen.to_owned())?;
        let read = |is_shredder| cozy_chess::Board::from_fen(fen, is_shredder);
        let other = read(false).or_else(|_| read(true)).map_err(|error| anyhow!("{fen}: {error}"))?;
        print!("{fen}");
        for depth in 1.. {
            let count = shakmaty_perft(&one, depth, true);
            ensure!(count == cozy_perft(&other, depth, true), "{fen}: the libraries differ at depth {depth}");
            print!(";D{depth} {count}");
            // The number of legal moves predicts the cost of the next depth.
            let mobility = one.legal_moves().len() as u64;
            if count == 0 || count.saturating_mul(mobility.max(8)) > max_leaves {
                break;
            }
        }
        println!();
    }
    Ok(())
}

/// Prints positions from random games, without counts.
pub(crate) fn positions(kind: &str) -> Result<()> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    match kind {
        // One position from each of 160 games, after 2 to 161 random turns.
        "games" => {
            for game in 0..160 {
                let start = AnyPosition::initial(Variant::Chess);
                println!("{}", fen::write(&play_random_turns(&mut random, &start, 2 + game)));
            }
        }
        // One position from every fourth of the 960 start positions, half of them with a different order
        // for Black. Castling is still allowed in all of them.
        "shuffled" => {
            for white in (0..shuffle::count(Variant::Chess)).step_by(4) {
                let black = if white % 8 == 0 { white } else { random.below(960) as u16 };
                let setup = shuffle::setup(Variant::Chess, white, black)?;
                let start = AnyPosition::from_setup(&setup)?;
                let setup = loop {
                    let setup = play_random_turns(&mut random, &start, 4 + usize::from(white % 20));
                    if setup.castling.any() {
                        break setup;
                    }
                };
                println!("{}", in_shredder_letters(&setup));
            }
        }
        _ => {
            bail!("expected epd positions games, or epd positions shuffled")
        }
    }
    Ok(())
}

/// Plays random turns and returns the resulting position. Starts over if the game ends early.
fn play_random_turns(random: &mut Random, start: &AnyPosition, plies: usize) -> Setup {
    'game: loop {
        let mut position = start.clone();
        for _ in 0..plies {
            let turns = position.legal_turns();
            if turns.is_empty() {
                continue 'game;
            }
            position.play_turn_unchecked(&turns[random.below(turns.len())]);
        }
        return position.to_setup();
    }
}

/// Writes a FEN whose castling field names the rooks by their files (Shredder-FEN).
fn in_shredder_letters(setup: &Setup) -> String {
    let fen = fen::write(setup);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let rooks = |first_rank| {
        let rooks = setup.castling & SquareSet::rank(first_rank);
        rooks.into_iter().map(|rook| rook.file().char()).collect::<String>()
    };
    let castling = rooks(Rank::First).to_uppercase() + &rooks(Rank::Eighth);
    fields[2] = &castling;
    fields.join(" ")
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}
