//! `adoube bench`: the nodes of the same searches as always.

use std::{io::Write, time::Instant};

use adoube_rules::Variant;

use crate::arguments::Bench;

pub(crate) fn run(arguments: &Bench, out: &mut impl Write) -> anyhow::Result<()> {
    let mut total = 0;
    for variant in Variant::ALL {
        if arguments.variant.is_some_and(|only| only != variant) {
            continue;
        }
        let begun = Instant::now();
        let nodes = adoube_engine::bench(variant, arguments.depth)?;
        let seconds = begun.elapsed().as_secs_f64();
        writeln!(out, "{variant} {nodes}")?;
        eprintln!("{variant}: {seconds:.2} s, {:.0} nodes/s", nodes as f64 / seconds);
        total += nodes;
    }
    writeln!(out, "{total}")?;
    Ok(())
}
