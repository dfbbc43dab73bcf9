//! `adoube bench`: the nodes of the same searches as always.

use std::{io::Write, time::Instant};

use adoube_engine::Engine;
use adoube_rules::Variant;

use super::contest::read_network;
use crate::arguments::Bench;

pub(crate) fn run(arguments: &Bench, out: &mut impl Write) -> anyhow::Result<()> {
    let mut total = 0;
    for variant in Variant::ALL {
        if arguments.variant.is_some_and(|only| only != variant) {
            continue;
        }
        let mut engine = Engine::new(adoube_engine::BENCH_TABLE, 1)?;
        if let Some(path) = &arguments.network {
            engine.set_network(variant, Some(read_network(path, variant)?));
        }
        let begun = Instant::now();
        let nodes = adoube_engine::bench(&mut engine, variant, arguments.depth);
        writeln!(out, "{variant} {nodes}")?;
        let millis = begun.elapsed().as_millis().max(1);
        eprintln!("{variant}: {millis} ms, {} nodes/s", u128::from(nodes) * 1_000 / millis);
        total += nodes;
    }
    writeln!(out, "{total}")?;
    Ok(())
}
