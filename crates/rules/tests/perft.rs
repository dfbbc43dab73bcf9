//! Perft numbers from data files: the positions to a depth that keeps the run under a minute.
//!
//! `tests/perft/baroque.epd` and `interweave.epd` were computed by an independent generator that follows the
//! definitions word by word, and agree with a third program; `chess.epd` holds the positions everybody knows.
//! Larger files of other people are read where they are, if they are there.

use std::{fs, path::Path};

use adoube_rules::{
    AnyPosition, Variant,
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

#[track_caller]
fn check(variant: Variant, text: &str, max_count: u64) -> usize {
    let lines = read(text);
    assert!(!lines.is_empty());
    let mut checked = 0;
    for Line { fen, counts } in &lines {
        let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for &(depth, count) in counts.iter().filter(|&&(_, count)| count <= max_count) {
            with_position!(&position, position => {
                assert_eq!(perft(position, depth, Leaves::Bulk), count, "{fen} depth {depth}");
                if count <= max_count / 10 {
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
    }
    checked
}

#[test]
fn chess_perft_of_the_known_positions() {
    check(Variant::Chess, include_str!("perft/chess.epd"), 20_000_000);
}

#[test]
fn baroque_perft() {
    assert!(check(Variant::Baroque, include_str!("perft/baroque.epd"), 2_000_000) > 400);
}

#[test]
fn interweave_perft() {
    assert!(check(Variant::Interweave, include_str!("perft/interweave.epd"), 20_000_000) > 600);
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

#[test]
fn chess_perft_of_larger_files() {
    for name in ["ethereal-standard.epd", "ethereal-fischer.epd"] {
        if let Some(text) = shared(name) {
            let checked = check(Variant::Chess, &text, 300_000);
            eprintln!("{name}: {checked} counts");
        }
    }
}
