//! Files of games: checked, counted, rewritten. None is ever in memory as a whole.

use std::{
    fs::File,
    io::{self, IsTerminal as _, Read, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use adoube_notation::pgn::{
    Checker, GameResult, MAX_GAME_BYTES, Stream, SyntaxProblem, TreeBuilder, TurnText, Visitor, write_tree,
};
use adoube_rules::{Color, Variant};
use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arguments::{Pgn, Turns};

pub(crate) fn run(arguments: &Pgn, out: &mut impl Write) -> anyhow::Result<()> {
    match arguments {
        Pgn::Check { files } => check(&files.files, out),
        Pgn::Stats { files } => stats(&files.files, out),
        Pgn::Convert { files, to } => convert(&files.files, *to, out),
    }
}

fn check(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let (mut games, mut plies, mut bad) = (0_u64, 0, 0_u64);
    for file in files {
        each_game(file, &mut Checker::default(), |checked| {
            games += 1;
            plies += checked.plies;
            if let Some((line, problem)) = checked.problem {
                bad += 1;
                writeln!(out, "{}:{line}: {}", shown(file), one_line(&problem.to_string()))?;
            }
            Ok(())
        })?;
    }
    writeln!(out, "{games} games, {plies} plies, {bad} bad")?;
    finish(games, bad, out)
}

/// What is wrong with the games is told once more by the exit status.
fn finish(games: u64, bad: u64, out: &mut impl Write) -> anyhow::Result<()> {
    out.flush()?;
    if bad > 0 {
        bail!("{bad} of {games} games cannot be played as they are written");
    }
    Ok(())
}

#[derive(Default)]
struct Stats {
    games: u64,
    plies: u64,
    white: u64,
    black: u64,
    draws: u64,
    unknown: u64,
    /// In the order of [`Variant::ALL`].
    variants: [u64; Variant::ALL.len()],
    other: u64,
}

fn stats(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut stats = Stats::default();
    for file in files {
        each_game(file, &mut Counter::default(), |game| {
            stats.games += 1;
            stats.plies += game.plies;
            *match game.result {
                GameResult::Won(Color::White) => &mut stats.white,
                GameResult::Won(Color::Black) => &mut stats.black,
                GameResult::Draw => &mut stats.draws,
                GameResult::Unknown => &mut stats.unknown,
            } += 1;
            let index = Variant::ALL.into_iter().position(|variant| Some(variant) == game.variant);
            *index.and_then(|index| stats.variants.get_mut(index)).unwrap_or(&mut stats.other) += 1;
            Ok(())
        })?;
    }
    writeln!(out, "games {}\nplies {}", stats.games, stats.plies)?;
    writeln!(out, "white {}\nblack {}\ndraw {}", stats.white, stats.black, stats.draws)?;
    writeln!(out, "unknown {}", stats.unknown)?;
    for (variant, count) in Variant::ALL.into_iter().zip(stats.variants) {
        writeln!(out, "{variant} {count}")?;
    }
    writeln!(out, "other {}", stats.other)?;
    Ok(())
}

/// Counts what is written, played or not.
struct Counter {
    variant: Option<Variant>,
    plies: u64,
    result: GameResult,
}

impl Default for Counter {
    fn default() -> Self {
        Self { variant: Some(Variant::Chess), plies: 0, result: GameResult::Unknown }
    }
}

impl Visitor for Counter {
    type Output = Self;

    fn begin_game(&mut self, _: usize) {
        *self = Self::default();
    }

    fn tag(&mut self, _: usize, name: &str, value: &str) {
        match name {
            "Variant" => self.variant = adoube_notation::pgn::variant_of_tag(value),
            "Result" => self.result = value.parse().unwrap_or_default(),
            _ => {}
        }
    }

    fn turn(&mut self, _: usize, _: &str) -> ControlFlow<()> {
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn result(&mut self, result: GameResult) {
        if result != GameResult::Unknown {
            self.result = result;
        }
    }

    fn problem(&mut self, _: usize, _: SyntaxProblem) {}

    fn end_game(&mut self) -> Self {
        std::mem::take(self)
    }
}

fn convert(files: &[PathBuf], to: Turns, out: &mut impl Write) -> anyhow::Result<()> {
    let turns = match to {
        Turns::San => TurnText::San,
        Turns::Coordinates => TurnText::Coordinates,
    };
    let (mut games, mut bad) = (0, 0);
    for file in files {
        each_game(file, &mut TreeBuilder::default(), |tree| {
            games += 1;
            match tree {
                Ok(tree) => out.write_all(write_tree(&tree, turns).as_bytes())?,
                Err(error) => {
                    bad += 1;
                    let reason = one_line(&error.problem.to_string());
                    // If standard error is closed, the exit status still says it.
                    let _ = writeln!(io::stderr(), "{}:{}: {reason}", shown(file), error.line);
                }
            }
            Ok(())
        })?;
    }
    finish(games, bad, out)
}

/// Reads a file, or standard input if it is called `-`.
fn each_game<V: Visitor>(
    file: &Path,
    visitor: &mut V,
    mut then: impl FnMut(V::Output) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (source, length): (Box<dyn Read>, _) = if file.as_os_str() == "-" {
        (Box::new(io::stdin().lock()), None)
    } else {
        let opened = File::open(file).with_context(|| shown(file))?;
        let length = opened.metadata().with_context(|| shown(file))?.len();
        (Box::new(opened), Some(length))
    };
    let progress = progress(length, file);
    let mut stream = Stream::new(progress.wrap_read(source));
    while let Some(game) = stream.read_game(visitor).with_context(|| shown(file))? {
        then(game)?;
    }
    progress.finish_and_clear();
    Ok(())
}

/// Shows how far a file is read, if somebody looks.
fn progress(length: Option<u64>, file: &Path) -> ProgressBar {
    if !io::stderr().is_terminal() || length.is_some_and(|length| length <= MAX_GAME_BYTES as u64) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_message(shown(file));
    let template = "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta} {msg}";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn shown(file: &Path) -> String {
    one_line(&file.display().to_string())
}

/// Returns a text that stays on its line, whatever stands in it.
fn one_line(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    text.chars().map(escape).collect()
}
