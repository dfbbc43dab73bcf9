//! Measures the speed of the rules: perft for each game on positions from `tests/perft`. Uses no other crate
//! in the workspace.
//!
//! Run as `cargo bench -p adoube-rules -- [FILTER] [ROUNDS]`. Prints the median and the best rate of each
//! benchmark whose name contains FILTER, such as `chess` or `bulk`. To compare two versions on a busy
//! machine, run both programs alternately, many times, and compare the best rates within each pair.

use std::{hint::black_box, time::Instant};

use adoube_rules::{
    AnyPosition, Variant, for_each_game,
    perft::{LeafCounting, perft},
    with_position,
};

/// The maximum number of positions counted per file.
const MAX_POSITIONS: usize = 10;
/// The maximum number of leaves below one position.
const MAX_LEAVES: u64 = 5_000_000;

macro_rules! files {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
        [$((Variant::$variant, include_str!(concat!("../tests/perft/", $name, ".epd")))),*]
    };
}

/// A position with the depth to count to and the number of leaves there.
struct Case {
    position: AnyPosition,
    depth: u32,
    leaves: u64,
}

fn main() {
    // Cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let filter = arguments.next().unwrap_or_default();
    let rounds = arguments.next().map_or(5, |rounds| rounds.parse().expect("ROUNDS must be a number"));
    for (variant, file) in for_each_game!([files]) {
        let cases = cases(variant, file);
        for (mode, mode_name) in [(LeafCounting::Bulk, "bulk"), (LeafCounting::Played, "played")] {
            let name = format!("{variant}/{mode_name}");
            if name.contains(&filter) {
                let (median, best) = measure(&cases, mode, rounds);
                println!("{name:20} {median:8.1} M/s, best {best:8.1} M/s");
            }
        }
    }
}

/// Returns positions spread over a file, each with the greatest depth at which it has at most [`MAX_LEAVES`]
/// leaves.
fn cases(variant: Variant, file: &str) -> Vec<Case> {
    let lines: Vec<_> = file.lines().filter(|line| !line.starts_with('#')).collect();
    let case = |line: &&str| {
        let mut parts = line.split(';');
        let position = AnyPosition::from_fen(variant, parts.next()?).expect("a position from a test file");
        let (depth, leaves) = parts
            .filter_map(|part| {
                let (depth, leaves) = part.trim().strip_prefix('D')?.split_once(' ')?;
                Some((depth.parse().ok()?, leaves.parse().ok()?))
            })
            .rfind(|&(_, leaves)| leaves <= MAX_LEAVES)?;
        Some(Case { position, depth, leaves })
    };
    lines.iter().step_by(lines.len().div_ceil(MAX_POSITIONS)).filter_map(case).collect()
}

/// Returns the median and the greatest rate over several rounds, in millions of leaves per second.
#[expect(clippy::disallowed_methods, reason = "the benchmark reads the clock; the crate does not")]
#[expect(clippy::cast_precision_loss, reason = "rates are shown with four digits")]
fn measure(cases: &[Case], mode: LeafCounting, rounds: usize) -> (f64, f64) {
    let mut rates: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            let mut counted = 0;
            for case in cases {
                let found =
                    with_position!(&case.position, position => perft(black_box(position), case.depth, mode));
                assert_eq!(found, case.leaves, "{}", case.position);
                counted += found;
            }
            counted as f64 / start.elapsed().as_secs_f64() / 1e6
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let at = |index: usize| rates.get(index).copied().unwrap_or(0.0);
    (at(rates.len() / 2), at(rates.len().saturating_sub(1)))
}
