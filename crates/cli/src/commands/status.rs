use std::io::Write;

use adoube_rules::{Draw, DrawRules, Outcome, Position};
use adoube_winnable::Effort;
use clap::Args;

use crate::options::Start;

/// Print the status of a position
///
/// Prints one of: `ongoing`, `check`, `checkmate SIDE`, `stalemate`, `draw insufficient-material`,
/// `draw dead-position`, `draw fifty-moves`, `no-moves SIDE`, `king-captured SIDE`; SIDE is the winner,
/// `white` or `black`. A position is reported as dead if a search of about 100,000 positions for each side
/// proves that no sequence of legal turns lets either side win.
#[derive(Args, Debug)]
pub(crate) struct Status {
    #[command(flatten)]
    start: Start,
}

/// Number of turns without progress, counting both sides, after which the game is drawn (C21).
const FIFTY_MOVES: u16 = 100;

/// The approximate maximum number of positions to examine for each side when trying to prove that neither can
/// win. This takes at most a second. If the answer is obvious, no position is examined.
const DEAD_POSITION_EFFORT: Effort = Effort::Full { nodes: 100_000 };

pub(crate) fn run(arguments: &Status, out: &mut impl Write) -> anyhow::Result<()> {
    let position = &arguments.start.position()?;
    let status = match position.outcome(DrawRules::Club) {
        Some(Outcome::Decisive { winner, reason }) => format!("{} {winner}", reason.name()),
        Some(Outcome::Draw { reason: Draw::Stalemate }) => Draw::Stalemate.name().to_owned(),
        Some(Outcome::Draw { reason }) => format!("draw {}", reason.name()),
        None if adoube_winnable::is_dead(position, DEAD_POSITION_EFFORT) => "draw dead-position".to_owned(),
        None if position.halfmove_clock() >= FIFTY_MOVES => format!("draw {}", Draw::FiftyMoves.name()),
        None if position.is_check() => "check".to_owned(),
        None => "ongoing".to_owned(),
    };
    writeln!(out, "{status}")?;
    Ok(())
}
