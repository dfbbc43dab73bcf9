//! Interleaved timing: each contestant runs once per round, so that noise affects all of them equally.

use std::time::Instant;

/// A function to time, which returns the number of nodes it has counted.
pub(crate) struct Contestant<'a> {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn Fn() -> u64 + 'a>,
}

/// The measurements of one contestant.
pub(crate) struct Measurement {
    pub(crate) name: &'static str,
    pub(crate) nodes: u64,
    /// Millions of nodes per second in each round.
    pub(crate) rates: Vec<f64>,
}

impl Measurement {
    /// Returns the median rate in millions of nodes per second.
    pub(crate) fn median(&self) -> f64 {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        let middle = rates.len() / 2;
        if rates.len() % 2 == 1 { rates[middle] } else { f64::midpoint(rates[middle - 1], rates[middle]) }
    }

    fn range(&self) -> (f64, f64) {
        self.rates.iter().fold((f64::MAX, 0.0), |(low, high), &rate| (low.min(rate), high.max(rate)))
    }
}

/// Runs all contestants in turn for `rounds` rounds, after a warm-up round that is not timed.
#[expect(clippy::cast_precision_loss, reason = "rates are shown with one decimal place")]
pub(crate) fn measure_interleaved(contestants: &[Contestant<'_>], rounds: usize) -> Vec<Measurement> {
    let mut measured: Vec<_> = contestants
        .iter()
        .map(|contestant| Measurement { name: contestant.name, nodes: (contestant.run)(), rates: Vec::new() })
        .collect();
    for _ in 0..rounds {
        for (contestant, measured) in contestants.iter().zip(&mut measured) {
            let start = Instant::now();
            let nodes = (contestant.run)();
            measured.rates.push(nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
            assert_eq!(nodes, measured.nodes, "{} counted a different number of nodes", measured.name);
        }
    }
    measured
}

/// Prints a table of medians and ranges, and the ratio of each median to the best of the others.
pub(crate) fn print(title: &str, measured: &[Measurement]) {
    println!("{title}");
    for one in measured {
        let (low, high) = one.range();
        let best = measured
            .iter()
            .filter(|other| other.name != one.name)
            .map(Measurement::median)
            .fold(0.0, f64::max);
        let ratio = if best > 0.0 {
            format!("  {:5.2} × the best of the others", one.median() / best)
        } else {
            String::new()
        };
        println!(
            "  {:12} {:>12} nodes  {:8.1} M/s  ({low:.1} – {high:.1}){ratio}",
            one.name,
            one.nodes,
            one.median()
        );
    }
    println!();
}
