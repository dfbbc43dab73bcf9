//! `adoube datagen`: positions for networks to learn from.

use std::{
    io::{self, Write},
    ops::ControlFlow,
    path::Path,
};

use adoube_engine::{
    datagen::{Played, Recipe, Writer},
    network,
};
use anyhow::Context as _;

use super::contest::read_network;
use crate::arguments::Datagen;

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
