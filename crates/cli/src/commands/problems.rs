//! `adoube problems`: positions with one turn that does it.

use std::{fs, io::Write};

use adoube_problems::generate::{Progress, Recipe};
use anyhow::Context as _;

use crate::arguments::Problems;

/// Games between two lines.
const GAMES_BETWEEN_LINES: u32 = 50;

pub(crate) fn run(arguments: &Problems, out: &mut impl Write) -> anyhow::Result<()> {
    let &Problems { variant, count, games, seed, .. } = arguments;
    let recipe = Recipe { variant, seed, count: count as usize, games };
    let mut last = Progress::default();
    // Who reads no more of what is told still wants the file.
    let mut told = Ok(());
    let problems = recipe.make(&mut |progress| {
        last = progress.clone();
        if progress.games.is_multiple_of(GAMES_BETWEEN_LINES) && told.is_ok() {
            told = tell(progress, out);
        }
    })?;
    let lines = problems.iter().map(|problem| Ok(serde_json::to_string(problem)? + "\n"));
    let text = lines.collect::<serde_json::Result<String>>()?;
    fs::write(&arguments.output, text).with_context(|| arguments.output.display().to_string())?;
    Ok(tell(&last, out)?)
}

fn tell(progress: &Progress, out: &mut impl Write) -> std::io::Result<()> {
    let Progress { games, found: [one, two, three, four, gain] } = progress;
    let problems: usize = progress.found.iter().sum();
    writeln!(
        out,
        "games {games} problems {problems} win-in-1 {one} win-in-2 {two} win-in-3 {three} win-in-4 {four} gain {gain}"
    )?;
    out.flush()
}
