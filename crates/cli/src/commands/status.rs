use std::io::Write;

use adoube_rules::{AnyPosition, Draw, DrawRules, Outcome, Position};

/// Turns of both sides without progress after which the game is drawn (C21).
const FIFTY_MOVES: u16 = 100;

pub(crate) fn run(position: &AnyPosition, out: &mut impl Write) -> anyhow::Result<()> {
    let status = match position.outcome(DrawRules::Club) {
        Some(Outcome::Decisive { winner, reason }) => format!("{} {winner}", reason.name()),
        Some(Outcome::Draw { reason: Draw::Stalemate }) => Draw::Stalemate.name().to_owned(),
        Some(Outcome::Draw { reason }) => format!("draw {}", reason.name()),
        None if position.halfmove_clock() >= FIFTY_MOVES => format!("draw {}", Draw::FiftyMoves.name()),
        None if position.is_check() => "check".to_owned(),
        None => "ongoing".to_owned(),
    };
    writeln!(out, "{status}")?;
    Ok(())
}
