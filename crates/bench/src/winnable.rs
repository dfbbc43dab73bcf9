//! Who can still win: answers, time and nodes over a file of test vectors.

use std::{collections::BTreeMap, path::PathBuf, time::Instant};

use adoube_rules::{
    Color, Orthodox, Position as _, Variant, from_fen,
    winnable::{Analyst, Verdict},
};
use anyhow::{Context as _, Result};

/// Where the vectors lie beside a checkout that has them; they are not ours to keep.
const DEFAULT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/unwinnable/test-vector.txt");

pub(crate) fn run(limit: u64, listed: bool) -> Result<()> {
    let path = std::env::var_os("ADOUBE_UNWINNABLE").map_or_else(|| PathBuf::from(DEFAULT), PathBuf::from);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("the vectors {} cannot be read", path.display()))?;
    let mut analyst = Analyst::default();
    let (mut wrong, mut unknown, mut decided) = (0, 0, 0);
    let mut micros = Vec::new();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let mut nodes_total = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (expected, fen) = line.split_once(' ').context("a line without a space")?;
        let position: Orthodox = from_fen(Variant::Chess, fen).with_context(|| fen.to_owned())?;
        let mut spent = 0.0;
        for (color, letter) in [(Color::White, 'W'), (Color::Black, 'B')] {
            let begin = Instant::now();
            let verdict = analyst.full(&position, color, limit);
            let took = begin.elapsed().as_secs_f64() * 1e6;
            spent += took;
            nodes_total += analyst.nodes();
            let can = expected.contains(letter);
            let (name, right) = match &verdict {
                Verdict::Winnable(line) => {
                    let mut end = position.clone();
                    for &step in line {
                        assert!(end.legal_steps().contains(&step), "{fen}: {line:?}");
                        end.play_unchecked(step);
                    }
                    assert!(
                        end.is_check() && end.count_steps() == 0 && end.turn() != color,
                        "{fen}: no mate at the end of {line:?}"
                    );
                    ("winnable".to_owned(), can)
                }
                Verdict::Unwinnable(reason) => (format!("unwinnable {reason:?}"), !can),
                Verdict::Unknown => ("unknown".to_owned(), true),
            };
            if verdict == Verdict::Unknown {
                unknown += 1;
            } else {
                decided += 1;
            }
            if !right {
                wrong += 1;
                println!("WRONG {color} {name}: {line}");
            }
            if listed && (took > 0.0 || verdict == Verdict::Unknown) {
                println!("{took:10.0} µs {:9} nodes {name:22} {color} {line}", analyst.nodes());
            }
            *reasons.entry(name).or_default() += 1;
        }
        micros.push(spent);
    }
    micros.sort_by(f64::total_cmp);
    let count = micros.len().max(1);
    #[expect(clippy::cast_precision_loss, reason = "a mean of some thousand numbers")]
    let mean = micros.iter().sum::<f64>() / count as f64;
    for (reason, number) in reasons {
        println!("  {reason:24} {number:5}");
    }
    println!("positions {count}, nodes {nodes_total}");
    println!("decided {decided}  wrong {wrong}  unknown {unknown}");
    println!(
        "median {:.1} µs  mean {mean:.1} µs  90% {:.1} 95% {:.1} 99% {:.1} max {:.1} µs",
        micros[count / 2],
        micros[count * 9 / 10],
        micros[count * 95 / 100],
        micros[count * 99 / 100],
        micros[count - 1]
    );
    Ok(())
}
