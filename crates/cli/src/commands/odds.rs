//! `adoube odds`: what scores mean for the end of a game.

use std::io::Write;

use adoube_engine::Odds;

use crate::arguments::FitOdds;

pub(crate) fn run(arguments: &FitOdds, out: &mut impl Write) -> anyhow::Result<()> {
    let (odds, positions) = Odds::fit(arguments.variant, &arguments.data)?;
    let pawn = odds.pawn();
    let Odds { even_win, width } = odds;
    writeln!(out, "positions {positions} even-win {even_win:.0} width {width:.0} pawn {pawn:.0}")?;
    Ok(())
}
