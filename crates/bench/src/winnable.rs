//! Determines which sides can still win in each position in a file of test vectors, and prints verdicts,
//! times and nodes.

use std::{collections::BTreeMap, path::Path, time::Instant};

use adoube_rules::{Chess, Color};
use adoube_winnable::{Answer, Effort, Solver, Verdict, is_win};
use anyhow::{Context as _, Result, ensure};

/// Checks a file. Each line contains the sides that can win (`WB`, `W-`, `-B` or `--`) and a FEN.
pub(crate) fn run(path: &Path, effort: Effort, list: bool) -> Result<()> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the test vectors in {}", path.display()))?;
    let mut solver = Solver::default();
    let (mut wrong, mut unknown, mut decided) = (0, 0, 0);
    let mut micros = Vec::new();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let mut nodes_total = 0;
    let before = processor_micros();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (expected, fen) =
            line.split_once(' ').context("no space between the sides and the FEN in a line")?;
        let position: Chess = Chess::from_fen(fen).with_context(|| fen.to_owned())?;
        let start = Instant::now();
        let answers = solver.sides(&position, effort);
        let elapsed_micros = start.elapsed().as_secs_f64() * 1e6;
        for (color, letter) in [(Color::White, 'W'), (Color::Black, 'B')] {
            let Answer { verdict, nodes } = &answers[color];
            nodes_total += nodes;
            let is_winnable = expected.contains(letter);
            let name = match verdict {
                Verdict::Unwinnable(reason) => format!("unwinnable, {reason:?}"),
                other => other.name().to_owned(),
            };
            let is_correct = match verdict {
                Verdict::Winnable(turns) => is_winnable && is_win(&position, turns, color),
                Verdict::Unwinnable(_) => !is_winnable,
                Verdict::Unknown => true,
            };
            if *verdict == Verdict::Unknown {
                unknown += 1;
            } else {
                decided += 1;
            }
            if !is_correct {
                wrong += 1;
                println!("wrong: {color} {name}: {line}");
            }
            if list {
                println!("{elapsed_micros:10.0} µs {nodes:9} nodes  {color} {name}: {line}");
            }
            *reasons.entry(name).or_default() += 1;
        }
        micros.push(elapsed_micros);
    }
    let after = processor_micros();
    ensure!(!micros.is_empty(), "{} contains no vectors", path.display());
    micros.sort_by(f64::total_cmp);
    let count = micros.len();
    #[expect(clippy::cast_precision_loss, reason = "a mean of a few thousand numbers")]
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
    if let (Some(before), Some(after)) = (before, after) {
        #[expect(clippy::cast_precision_loss, reason = "a mean of a few thousand numbers")]
        let mean = (after - before) / count as f64;
        println!("mean processor time {mean:.1} µs");
    }
    ensure!(wrong == 0, "{wrong} answers are wrong");
    Ok(())
}

/// Returns the processor time of this thread in microseconds, if the system reports it.
fn processor_micros() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanos| nanos / 1e3)
}
