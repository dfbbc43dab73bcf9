use std::io::Write;

use adoube_rules::{AnyPosition, Position, Turn, coordinate};

pub(crate) fn run(position: &AnyPosition, out: &mut impl Write) -> anyhow::Result<()> {
    let mut lines: Vec<String> = position
        .legal_turns()
        .iter()
        .map(|turn| format!("{} [{}]", coordinate::write(position, turn), taken(position, turn)))
        .collect();
    lines.sort_unstable();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the squares that each step of a turn takes.
fn taken(position: &AnyPosition, turn: &Turn) -> String {
    let mut at = position.clone();
    let steps = turn.steps().iter().map(|&step| {
        let squares: Vec<String> = at.taken(step).into_iter().map(|square| square.to_string()).collect();
        at.play_unchecked(step);
        squares.join("+")
    });
    steps.collect::<Vec<_>>().join("|")
}
