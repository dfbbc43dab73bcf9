//! `adoube bench`: searches a fixed set of positions and counts nodes.

use std::{io::Write, path::PathBuf, time::Instant};

use adoube_engine::Engine;
use adoube_rules::Variant;
use clap::Args;

use super::contest::read_network;

/// Search a fixed set of positions and print the number of nodes
///
/// Prints `GAME NODES` for each game, and the total on the last line; the time goes to standard error.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Search only this game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Option<Variant>,
    /// Search depth, instead of the usual depth of each game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Use the network in this file instead of the built-in one
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
        let started = Instant::now();
        let nodes = adoube_engine::bench(&mut engine, variant, arguments.depth);
        writeln!(out, "{variant} {nodes}")?;
        let millis = started.elapsed().as_millis().max(1);
        eprintln!("{variant}: {millis} ms, {} nodes/s", u128::from(nodes) * 1_000 / millis);
        total += nodes;
    }
    writeln!(out, "{total}")?;
    Ok(())
}
