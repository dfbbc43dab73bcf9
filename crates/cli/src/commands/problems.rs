//! `adoube problems`: finds positions with a single winning or best turn.

use std::{fs, io::Write, path::PathBuf};

use adoube_problems::generate::{Progress, Recipe};
use adoube_rules::Variant;
use anyhow::Context as _;
use clap::Args;

/// Find problems in games that the engine plays against itself
///
/// Writes one problem per line, as JSON, easiest first. A problem is either a win in one to four turns,
/// proved to have exactly one first turn that wins within that number of turns, or a turn that is clearly
/// better than all others. Each problem includes the turn that led to it. The same variant, seed, count,
/// number of games and known problems give the same file. Prints
/// `games N problems N win-in-1 N win-in-2 N win-in-3 N win-in-4 N gain N` from time to time, and on the last
/// line.
#[derive(Args, Debug)]
pub(crate) struct Problems {
    /// Name of the game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// Number of problems to offer, including those from --known
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Stop after this number of games, with the problems found so far
    #[arg(long, value_name = "N", default_value = "20000")]
    games: u32,
    /// Seed for the games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Keep the problems in this file; those that are too one-sided, and plain recaptures, are marked as
    /// retired, which means that they can be opened by their id but are no longer offered
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// The output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Number of games between two lines of output.
const GAMES_BETWEEN_LINES: u32 = 50;

pub(crate) fn run(arguments: &Problems, out: &mut impl Write) -> anyhow::Result<()> {
    let &Problems { variant, count, games, seed, .. } = arguments;
    let known = match &arguments.known {
        Some(file) => {
            let name = || file.display().to_string();
            let text = fs::read_to_string(file).with_context(name)?;
            adoube_problems::read(&text).with_context(name)?
        }
        None => Vec::new(),
    };
    let recipe = Recipe { variant, seed, count: count as usize, games };
    let mut last = Progress::default();
    // The output file must be written even if the program that reads the progress has closed the pipe.
    let mut printed = Ok(());
    let problems = recipe.generate(known, &mut |progress| {
        last = progress.clone();
        if progress.games.is_multiple_of(GAMES_BETWEEN_LINES) && printed.is_ok() {
            printed = print_progress(progress, out);
        }
    })?;
    let lines = problems.iter().map(|problem| Ok(serde_json::to_string(problem)? + "\n"));
    let text = lines.collect::<serde_json::Result<String>>()?;
    fs::write(&arguments.output, text).with_context(|| arguments.output.display().to_string())?;
    Ok(print_progress(&last, out)?)
}

fn print_progress(progress: &Progress, out: &mut impl Write) -> std::io::Result<()> {
    let Progress { games, found: [one, two, three, four, gain] } = progress;
    let problems: usize = progress.found.iter().sum();
    writeln!(
        out,
        "games {games} problems {problems} win-in-1 {one} win-in-2 {two} win-in-3 {three} win-in-4 {four} gain {gain}"
    )?;
    out.flush()
}
