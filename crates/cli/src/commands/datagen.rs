//! `adoube datagen`: generates training positions for networks.

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

/// Have the engine play against itself, and save training positions for networks
///
/// Each game begins with 8 to 10 random turns. The same variant, seed, nodes and network give the same games;
/// an existing file is continued. Prints `N games, N positions` from time to time, and on the last line.
#[derive(Args, Debug)]
pub(crate) struct Datagen {
    /// Name of the game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// Number of games in the file; no limit by default
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Number of positions in the file; a million if neither --games nor --positions is given
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Nodes for each turn
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    nodes: u64,
    /// Number of games played at the same time
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Seed for the games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Play with a network other than the engine's own; `none` is the hand-crafted evaluation
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// The output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Number of positions if neither limit is given.
const DEFAULT_POSITIONS: u64 = 1_000_000;
/// Number of games between two lines of output.
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
    let max_games = arguments.games.unwrap_or(u32::MAX);
    let default_positions = if arguments.games.is_some() { u64::MAX } else { DEFAULT_POSITIONS };
    let max_positions = arguments.positions.unwrap_or(default_positions);
    let has_enough = |writer: &Writer| writer.next() >= max_games || writer.positions() >= max_positions;
    let mut result = Ok(());
    if !has_enough(&writer) {
        let first = writer.next();
        recipe.generate(first, arguments.threads.get(), |game| {
            result = write_game(&mut writer, &game, out).with_context(|| path.display().to_string());
            if result.is_err() || has_enough(&writer) {
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

/// Adds a game to the file, and prints the progress from time to time.
fn write_game(writer: &mut Writer, game: &Played, out: &mut impl Write) -> io::Result<()> {
    writer.add(game)?;
    if writer.next().is_multiple_of(GAMES_BETWEEN_LINES) {
        writer.flush()?;
        writeln!(out, "{} games, {} positions", writer.next(), writer.positions())?;
        out.flush()?;
    }
    Ok(())
}
