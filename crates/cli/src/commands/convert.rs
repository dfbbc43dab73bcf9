use std::io::Write;

use adoube_notation::san;
use adoube_rules::{Position, coordinate};
use anyhow::Context as _;
use clap::Args;

use crate::options::Start;

/// Play turns, and print them in the other notation
///
/// Prints the turns on one line, separated by spaces: as SAN if given with --moves, in coordinate notation if
/// given with --san. The FEN of the resulting position follows on its own line. Without turns, prints only
/// the FEN.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    #[command(flatten)]
    start: Start,
    /// Turns in coordinate notation, separated by spaces: "e2e4 e7e5"
    #[arg(long, value_name = "TURNS", conflicts_with = "san")]
    moves: Option<String>,
    /// Turns in SAN, separated by spaces: "e4 e5"
    #[arg(long, value_name = "TURNS")]
    san: Option<String>,
}

pub(crate) fn run(arguments: &Convert, out: &mut impl Write) -> anyhow::Result<()> {
    let mut position = arguments.start.position()?;
    let (text, is_san) = match (&arguments.moves, &arguments.san) {
        (_, Some(san)) => (san.as_str(), true),
        (Some(moves), None) => (moves.as_str(), false),
        (None, None) => ("", false),
    };
    let mut written = Vec::new();
    for (index, word) in text.split_whitespace().enumerate() {
        let turn = if is_san {
            san::parse(&position, word).with_context(|| format!("--san: turn {}", index + 1))?
        } else {
            coordinate::parse(&position, word).with_context(|| format!("--moves: turn {}", index + 1))?
        };
        written.push(if is_san { coordinate::write(&position, &turn) } else { san::write(&position, &turn) });
        position.play_turn_unchecked(&turn);
    }
    if !written.is_empty() {
        writeln!(out, "{}", written.join(" "))?;
    }
    writeln!(out, "{}", position.fen())?;
    Ok(())
}
