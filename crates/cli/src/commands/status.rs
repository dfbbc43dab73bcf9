use std::io::Write;

use adoube_rules::{AnyPosition, Draw, DrawRules, Outcome, Position};

/// Turns of both sides without progress after which the game is drawn (C21).
const FIFTY_MOVES: u16 = 100;

pub(crate) fn run(position: &AnyPosition, out: &mut impl Write) -> anyhow::Result<()> {
    match position.outcome(DrawRules::Club) {
        Some(Outcome::Decisive { winner, reason }) => writeln!(out, "{} {winner}", reason.name())?,
        Some(Outcome::Draw { reason: Draw::Stalemate }) => writeln!(out, "{}", Draw::Stalemate.name())?,
        Some(Outcome::Draw { reason }) => writeln!(out, "draw {}", reason.name())?,
        None if position.halfmove_clock() >= FIFTY_MOVES => {
            writeln!(out, "draw {}", Draw::FiftyMoves.name())?
        }
        None if position.is_check() => writeln!(out, "check")?,
        None => writeln!(out, "ongoing")?,
    }
    Ok(())
}
