//! Perft numbers from data files: the positions to a depth that keeps the run under a minute, or, with the feature
//! `slow`, to every depth that the files give.
//!
//! `tests/perft/baroque.epd` and `interweave.epd` were computed by an independent generator that follows the
//! definitions word by word, and agree with a third program; `chess.epd` holds the positions everybody knows.
//! Larger files of other people are read where they are, if they are there: in the folder that `ADOUBE_PERFT_DATA`
//! names, or beside the repository. Whoever has them all runs `cargo test --release -p adoube-rules --features slow
//! --test perft -- --nocapture`, which counts some 570,000 million leaves.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use adoube_rules::{
    AnyPosition, ReadPositionError, SetupProblem, Variant,
    perft::{Leaves, perft},
    with_position,
};

/// A position with the number of turn sequences to each depth.
struct Line {
    fen: String,
    counts: Vec<(u32, u64)>,
}

fn read(text: &str) -> Vec<Line> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().expect("a line begins with a FEN").to_owned();
            let counts = parts
                .map(|part| {
                    let (depth, count) = part.split_once(' ').expect("D<depth> <count>");
                    let depth = depth.strip_prefix('D').expect("D<depth>").parse().expect("a depth");
                    (depth, count.trim().parse().expect("a count"))
                })
                .collect();
            Line { fen, counts }
        })
        .collect()
}

/// Reads the other form in which such files come: `epd FEN`, then `perft DEPTH COUNT` a line.
fn read_blocks(text: &str) -> Vec<Line> {
    let mut lines = Vec::<Line>::new();
    for line in text.lines().map(str::trim) {
        if let Some(fen) = line.strip_prefix("epd ") {
            lines.push(Line { fen: fen.to_owned(), counts: Vec::new() });
        } else if let Some(counts) = line.strip_prefix("perft ") {
            let (depth, count) = counts.split_once(' ').expect("perft <depth> <count>");
            let counts = (depth.parse().expect("a depth"), count.trim().parse().expect("a count"));
            lines.last_mut().expect("a position comes first").counts.push(counts);
        }
    }
    lines
}

/// Counts every position to all depths with at most so many leaves, or to all depths; returns how many were compared.
fn check(variant: Variant, lines: &[Line], max_count: u64) -> usize {
    let max_count = if cfg!(feature = "slow") { u64::MAX } else { max_count };
    assert!(!lines.is_empty());
    // A long count takes all processors; in every run, the tests share them anyway.
    let threads =
        if cfg!(feature = "slow") { thread::available_parallelism().map_or(1, usize::from) } else { 1 };
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    checked.fetch_add(check_line(variant, line, max_count), Ordering::Relaxed);
                }
            });
        }
    });
    checked.into_inner()
}

fn check_line(variant: Variant, Line { fen, counts }: &Line, max_count: u64) -> usize {
    /// Every way to count is tried on what is no longer than this.
    const MAX_PLAYED: u64 = 2_000_000;
    let position = match AnyPosition::from_fen(variant, fen) {
        Ok(position) => position,
        // A file has a board full of queens, which no game can reach: it is refused, and that is right.
        Err(ReadPositionError::Position(error))
            if matches!(error.problems(), [SetupProblem::TooManyMen { found: 17.., .. }, ..]) =>
        {
            return 0;
        }
        Err(error) => panic!("{fen}: {error}"),
    };
    let mut checked = 0;
    for &(depth, count) in counts.iter().filter(|&&(_, count)| count <= max_count) {
        with_position!(&position, position => {
            assert_eq!(perft(position, depth, Leaves::Bulk), count, "{fen} depth {depth}");
            if count <= MAX_PLAYED.min(max_count / 10) {
                assert_eq!(perft(position, depth, Leaves::Played), count, "{fen} depth {depth}, played");
                let by_turns: u64 = adoube_rules::perft::divide(position, depth, Leaves::Bulk)
                    .iter()
                    .map(|(_, count)| count)
                    .sum();
                assert_eq!(by_turns, count, "{fen} depth {depth}, divided");
            }
        });
        checked += 1;
    }
    checked
}

#[test]
fn chess_perft_of_the_known_positions() {
    check(Variant::Chess, &read(include_str!("perft/chess.epd")), 200_000_000);
}

#[test]
fn baroque_perft() {
    assert!(check(Variant::Baroque, &read(include_str!("perft/baroque.epd")), u64::MAX) > 400);
}

#[test]
fn interweave_perft() {
    assert!(check(Variant::Interweave, &read(include_str!("perft/interweave.epd")), u64::MAX) > 600);
}

/// Other people's files, which are not part of this project.
fn shared(name: &str) -> Option<String> {
    let folder = std::env::var("ADOUBE_PERFT_DATA").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/perft/chess").to_owned()
    });
    let path = Path::new(&folder).join(name);
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("skipped: {} ({error})", path.display());
            None
        }
    }
}

/// Checks a file if it is there.
fn check_shared(name: &str, read: fn(&str) -> Vec<Line>, max_count: u64) {
    if let Some(text) = shared(name) {
        let checked = check(Variant::Chess, &read(&text), max_count);
        eprintln!("{name}: {checked} counts");
    }
}

#[test]
fn chess_perft_of_a_larger_file() {
    check_shared("ethereal-standard.epd", read, 30_000_000);
}

/// Castling in Shredder letters, from all 960 starts.
#[test]
fn chess_perft_of_shuffled_starts() {
    check_shared("ethereal-fischer.epd", read, 2_000_000);
}

#[test]
fn chess_perft_of_tricky_positions() {
    check_shared("scalachess-tricky.perft", read_blocks, 50_000_000);
    check_shared("shakmaty-tricky.perft", read_blocks, 50_000_000);
}
