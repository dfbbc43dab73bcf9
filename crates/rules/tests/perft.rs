//! Checks the perft counts in the data files, at every depth that they list.
//!
//! `baroque.epd` and `interweave.epd` were computed by an independent generator that follows the definitions
//! literally, and agree with a third program. `ultima.epd` was computed by `ultima_by_definition.rs`.
//! `chess.epd` contains the well-known positions. The other chess files contain composed or generated
//! positions, with counts on which two other libraries agree; `crates/bench/src/epd.rs` generates such files
//! and checks third-party files.

use adoube_rules::{
    AnyPosition, Variant,
    perft::{LeafCounting, perft},
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

/// Checks every count of a file and returns the number of counts.
fn check(variant: Variant, text: &str) -> usize {
    read(text).iter().map(|line| check_line(variant, line)).sum()
}

fn check_line(variant: Variant, Line { fen, counts }: &Line) -> usize {
    /// Positions with at most this many leaves are counted by every method.
    const MAX_PLAYED: u64 = 500_000;
    let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for &(depth, count) in counts {
        with_position!(&position, position => {
            assert_eq!(perft(position, depth, LeafCounting::Bulk), count, "{fen} depth {depth}");
            if count <= MAX_PLAYED {
                assert_eq!(perft(position, depth, LeafCounting::Played), count, "{fen} depth {depth}, played");
                let by_turns: u64 = adoube_rules::perft::divide(position, depth, LeafCounting::Bulk)
                    .iter()
                    .map(|(_, count)| count)
                    .sum();
                assert_eq!(by_turns, count, "{fen} depth {depth}, divided");
            }
        });
    }
    counts.len()
}

/// Defines a test for each game, which checks the file named after the game.
macro_rules! perft_of {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {$(
        mod $module {
            #[test]
            fn perft() {
                let counts = super::check(super::Variant::$variant, include_str!(concat!("perft/", $name, ".epd")));
                assert!(counts >= 20, "only {counts} counts");
            }
        }
    )*};
}

adoube_rules::for_each_game!([perft_of]);

/// Pins, checks, castling, en passant and promotion, one at a time.
#[test]
fn chess_perft_of_themes() {
    assert!(check(Variant::Chess, include_str!("perft/chess-themes.epd")) > 100);
}

#[test]
fn chess_perft_of_random_game_positions() {
    assert!(check(Variant::Chess, include_str!("perft/chess-games.epd")) > 500);
}

/// Positions reached from every fourth of the 960 starts, with castling rights in Shredder notation.
#[test]
fn chess_perft_of_shuffled_starts() {
    assert!(check(Variant::Chess, include_str!("perft/chess-shuffled.epd")) > 700);
}
