use std::io::Write;

use adoube_rules::{AnyPosition, Position, Step, Turn, coordinate};
use clap::Args;

use crate::options::Start;

/// List the legal turns in a position and what they take
///
/// Prints one turn per line, sorted: its coordinate notation, then in brackets the squares of the men that it
/// takes. The squares of one step are in the order a1, b1 … h8, joined by "+"; steps are joined by "|": `c2c4
/// [d4+c5]`, `a7e7a5 [b7|c6]`, `e2e3 []`.
#[derive(Args, Debug)]
pub(crate) struct Moves {
    #[command(flatten)]
    start: Start,
}

/// Writes each turn as it is found, because Interweave has positions with millions of turns.
pub(crate) fn run(arguments: &Moves, out: &mut impl Write) -> anyhow::Result<()> {
    let position = &arguments.start.position()?;
    write_turns(position, position, &mut Turn::empty(), out)
}

/// Writes the turns that continue from a position, ordered by the text of their steps.
fn write_turns(
    start: &AnyPosition,
    position: &AnyPosition,
    turn: &mut Turn,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut steps = position.legal_steps();
    steps.sort_by_cached_key(|&step| coordinate::write(position, &step.into()));
    for step in steps {
        if !turn.push(step) {
            continue;
        }
        let next = position.after(step);
        if next.chain().is_some() {
            write_turns(start, &next, turn, out)?;
        } else {
            writeln!(out, "{} [{}]", coordinate::write(start, turn), taken(start, turn.steps()))?;
        }
        turn.pop();
    }
    Ok(())
}

/// Formats the squares of the men that each step of a turn takes.
fn taken(position: &AnyPosition, steps: &[Step]) -> String {
    let mut current = position.clone();
    let steps = steps.iter().map(|&step| {
        let squares: Vec<String> = current.taken(step).into_iter().map(|square| square.to_string()).collect();
        current.play_unchecked(step);
        squares.join("+")
    });
    steps.collect::<Vec<_>>().join("|")
}
