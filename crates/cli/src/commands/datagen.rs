//! `adoube datagen`: positions for networks to learn from.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use adoube_engine::{
    datagen::{Played, Recipe, Writer},
    network,
};
use adoube_rules::Variant;
use anyhow::Context as _;
use clap::Args;

use super::contest::read_network;
use crate::options::parse_threads;

/// Let the engine play against itself, and keep positions for networks to learn from
///
/// Each game begins with 8 to 10 random turns. The same game, seed and nodes give the same file; one that exists
/// is gone on with. Prints `N games, N positions` now and then, and on the last line.
#[derive(Args, Debug)]
pub(crate) struct Datagen {
    /// The game, by its name: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// How many games the file is to hold; no limit if not given
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// How many positions the file is to hold; a million if neither is given
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Nodes after which a turn is thought about enough
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    nodes: u64,
    /// How many games are played at once
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// What the games are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// A network to play with instead of the one of the engine; `none` is the hand-made evaluation
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Where the positions go
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Positions to make where nothing is said of how many.
const USUAL_POSITIONS: u64 = 1_000_000;
/// Games between two lines.
const GAMES_BETWEEN_LINES: u32 = 100;

pub(crate) fn run(arguments: &Datagen, out: &mut impl Write) -> anyhow::Result<()> {
    let &Datagen { variant, nodes, seed, .. } = arguments;
    let network = match &arguments.network {
        None => network::embedded(variant),
        Some(path) if path == Path::new("none") => None,
        Some(path) => Some(read_network(path, variant)?),
    };
    let recipe = Recipe { variant, seed, nodes, network };
    let path = &arguments.output;
    let mut writer = Writer::open(path, &recipe.header()).with_context(|| path.display().to_string())?;
    let most_games = arguments.games.unwrap_or(u32::MAX);
    let usual = if arguments.games.is_some() { u64::MAX } else { USUAL_POSITIONS };
    let most_positions = arguments.positions.unwrap_or(usual);
    let is_enough = |writer: &Writer| writer.next() >= most_games || writer.positions() >= most_positions;
    let mut result = Ok(());
    if !is_enough(&writer) {
        let first = writer.next();
        recipe.generate(first, arguments.threads.get(), |game| {
            result = keep(&mut writer, &game, out).with_context(|| path.display().to_string());
            if result.is_err() || is_enough(&writer) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
    }
    result?;
    writer.flush().with_context(|| path.display().to_string())?;
    writeln!(out, "{} games, {} positions", writer.next(), writer.positions())?;
    Ok(())
}

/// Adds a game to the file, and now and then says how many there are.
fn keep(writer: &mut Writer, game: &Played, out: &mut impl Write) -> io::Result<()> {
    writer.add(game)?;
    if writer.next().is_multiple_of(GAMES_BETWEEN_LINES) {
        writer.flush()?;
        writeln!(out, "{} games, {} positions", writer.next(), writer.positions())?;
        out.flush()?;
    }
    Ok(())
}
