//! `adoube odds`: fits the relation between scores and results.

use std::{io::Write, path::PathBuf};

use adoube_engine::Odds;
use adoube_rules::Variant;
use clap::Args;

/// Fit the relation between scores and results to positions made by `datagen`
///
/// Prints `positions N even-win A width B pawn P`, in units of the search: at a score of A, half of the games
/// are won; at P, three quarters of the points are scored.
#[derive(Args, Debug)]
pub(crate) struct FitOdds {
    /// Name of the game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// Position files
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &FitOdds, out: &mut impl Write) -> anyhow::Result<()> {
    let (odds, positions) = Odds::fit(arguments.variant, &arguments.data)?;
    let pawn = odds.pawn();
    let Odds { half_win_score: even_win, width } = odds;
    writeln!(out, "positions {positions} even-win {even_win:.0} width {width:.0} pawn {pawn:.0}")?;
    Ok(())
}
