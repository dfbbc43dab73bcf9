use std::io::Write;

use adoube_rules::{AnyPosition, Position, Step, Turn, coordinate};

/// Writes the turns as they are found, for Interweave has positions with millions of them.
pub(crate) fn run(position: &AnyPosition, out: &mut impl Write) -> anyhow::Result<()> {
    write_turns(position, position, &mut Turn::empty(), out)
}

/// Writes the turns that go on from `at`, in the order of their steps' text.
fn write_turns(
    position: &AnyPosition,
    at: &AnyPosition,
    turn: &mut Turn,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut steps = at.legal_steps();
    steps.sort_by_cached_key(|&step| coordinate::write(at, &step.into()));
    for step in steps {
        if !turn.push(step) {
            continue;
        }
        let next = at.after(step);
        if next.chain().is_some() {
            write_turns(position, &next, turn, out)?;
        } else {
            writeln!(out, "{} [{}]", coordinate::write(position, turn), taken(position, turn.steps()))?;
        }
        turn.pop();
    }
    Ok(())
}

/// Returns the squares that each step of a turn takes.
fn taken(position: &AnyPosition, steps: &[Step]) -> String {
    let mut at = position.clone();
    let steps = steps.iter().map(|&step| {
        let squares: Vec<String> = at.taken(step).into_iter().map(|square| square.to_string()).collect();
        at.play_unchecked(step);
        squares.join("+")
    });
    steps.collect::<Vec<_>>().join("|")
}
