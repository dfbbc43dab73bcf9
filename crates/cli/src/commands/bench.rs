//! `adoube bench`: the nodes of the same searches as always.

use std::{io::Write, path::PathBuf, time::Instant};

use adoube_engine::Engine;
use adoube_rules::Variant;
use clap::Args;

use super::contest::read_network;

/// Search the same positions as always, and print how many nodes that took
///
/// Prints `GAME NODES` for each game, and the total on the last line; how long it took goes to standard error.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Only this game, by its name: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Option<Variant>,
    /// How deep, instead of the usual depth of each game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Evaluate by the network of a file, instead of the one that comes with the program
    #[arg(long, value_name = "FILE", requires = "variant")]
    network: Option<PathBuf>,
}

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
