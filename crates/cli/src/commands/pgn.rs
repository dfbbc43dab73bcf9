//! `adoube pgn`: checks, counts and rewrites the games in PGN files. Files are streamed, so they may be
//! larger than memory.

use std::{
    fs::File,
    io::{self, IsTerminal as _, Read, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use adoube_notation::pgn::{
    Checker, GameResult, MAX_GAME_BYTES, Stream, SyntaxProblem, TreeBuilder, TurnText, Visitor, Warning,
    Warnings, result_of_tag, variant_of_tag, write_tree,
};
use adoube_rules::{Color, Variant};
use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Check, count or rewrite the games in PGN files
#[derive(Subcommand, Debug)]
pub(crate) enum Pgn {
    /// Play every turn of every game, including variations
    ///
    /// Prints `FILE:LINE: REASON` for each game that cannot be played as written, and on the last line
    /// `N games, N plies, N bad`. Exits with status 2 if any game is bad or a file cannot be read. Anything
    /// that is changed or left out while reading, such as a line that is not a tag, is reported as
    /// `FILE:LINE: warning: REASON` on standard error.
    Check {
        #[command(flatten)]
        files: Files,
    },
    /// Count the games, their plies, results and variants
    ///
    /// Prints one `WORD COUNT` per line: games, plies, white, black, draw, unknown, the variants by name,
    /// other. The games are not played: the plies are the turns as written, without variations.
    Stats {
        #[command(flatten)]
        files: Files,
    },
    /// Rewrite the games in the export format
    ///
    /// Prints all good games, including variations, comments and marks. A game whose main line cannot be
    /// played is left out and reported as `FILE:LINE: REASON` on standard error, and the command exits with
    /// status 2. A variation is written up to its first bad turn. This, and anything else that is changed or
    /// left out, is reported as `FILE:LINE: warning: REASON`.
    Convert {
        #[command(flatten)]
        files: Files,
        /// The notation for the turns
        #[arg(long, value_name = "TEXT", value_enum, default_value_t = Turns::San)]
        to: Turns,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Files {
    /// The files, in PGN (UTF-8, UTF-16 or Windows-1252); `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// Standard algebraic notation, such as Nf3
    San,
    /// Coordinate notation, such as g1f3
    Coordinates,
}

pub(crate) fn run(arguments: &Pgn, out: &mut impl Write) -> anyhow::Result<()> {
    match arguments {
        Pgn::Check { files } => check(&files.files, out),
        Pgn::Stats { files } => stats(&files.files, out),
        Pgn::Convert { files, to } => convert(&files.files, *to, out),
    }
}

fn check(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let (mut games, mut plies, mut bad, mut unread) = (0_u64, 0, 0_u64, Vec::new());
    for file in files {
        unread.extend(for_each_game(file, &mut Checker::default(), |checked| {
            games += 1;
            plies += checked.plies;
            warn(file, &checked.warnings);
            if let Some((line, problem)) = checked.problem {
                bad += 1;
                writeln!(out, "{}:{line}: {}", display_path(file), one_line(&problem.to_string()))?;
            }
            Ok(())
        })?);
    }
    if unread.len() < files.len() {
        writeln!(out, "{games} games, {plies} plies, {bad} bad")?;
    }
    finish(games, bad, unread, out)
}

/// Reports the changes and omissions in a game on standard error. Ignores a closed standard error.
fn warn(file: &Path, warnings: &Warnings) {
    let mut out = io::stderr().lock();
    for Warning { line, problem } in &warnings.first {
        let _ = writeln!(out, "{}:{line}: warning: {}", display_path(file), one_line(&problem.to_string()));
    }
    if warnings.omitted_warnings > 0 {
        let _ = writeln!(
            out,
            "{}: warning: {} more in the same game",
            display_path(file),
            warnings.omitted_warnings
        );
    }
}

/// Returns the problems with the games and the files as the command's error.
fn finish(games: u64, bad: u64, unread: Vec<String>, out: &mut impl Write) -> anyhow::Result<()> {
    out.flush()?;
    let mut reasons = unread;
    if bad > 0 {
        reasons.insert(0, format!("{bad} of {games} games cannot be played as written"));
    }
    if reasons.is_empty() { Ok(()) } else { bail!("{}", reasons.join("; ")) }
}

#[derive(Default)]
struct Stats {
    games: u64,
    plies: u64,
    white: u64,
    black: u64,
    draws: u64,
    unknown: u64,
    /// The number of games of each variant, in the order of [`Variant::ALL`].
    variants: [u64; Variant::ALL.len()],
    other: u64,
}

fn stats(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut stats = Stats::default();
    let mut unread = Vec::new();
    for file in files {
        unread.extend(for_each_game(file, &mut Counter::default(), |game| {
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
        })?);
    }
    if unread.len() == files.len() {
        return finish(0, 0, unread, out);
    }
    writeln!(out, "games {}\nplies {}", stats.games, stats.plies)?;
    writeln!(out, "white {}\nblack {}\ndraw {}", stats.white, stats.black, stats.draws)?;
    writeln!(out, "unknown {}", stats.unknown)?;
    for (variant, count) in Variant::ALL.into_iter().zip(stats.variants) {
        writeln!(out, "{variant} {count}")?;
    }
    writeln!(out, "other {}", stats.other)?;
    finish(stats.games, 0, unread, out)
}

/// Counts the turns of a game as written, without playing them.
struct Counter {
    variant: Option<Variant>,
    plies: u64,
    result: GameResult,
}

impl Default for Counter {
    fn default() -> Self {
        Self { variant: Some(Variant::DEFAULT), plies: 0, result: GameResult::Unknown }
    }
}

impl Visitor for Counter {
    type Output = Self;

    fn begin_game(&mut self, _: usize) {
        *self = Self::default();
    }

    fn tag(&mut self, _: usize, name: &str, value: &str) {
        match name {
            "Variant" => self.variant = variant_of_tag(value),
            "Result" => self.result = result_of_tag(value).unwrap_or_default(),
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
    let (mut games, mut bad, mut unread) = (0, 0, Vec::new());
    for file in files {
        unread.extend(for_each_game(file, &mut TreeBuilder::default(), |tree| {
            games += 1;
            if let Some(tree) = tree.as_ref().map_or_else(|error| error.read.as_ref(), Some) {
                warn(file, &tree.warnings);
            }
            match tree {
                Ok(tree) => out.write_all(write_tree(&tree, turns).as_bytes())?,
                Err(error) => {
                    bad += 1;
                    let reason = one_line(&error.problem.to_string());
                    // If standard error is closed, the exit status still reports the problem.
                    let _ = writeln!(io::stderr(), "{}:{}: {reason}", display_path(file), error.line);
                }
            }
            Ok(())
        })?);
    }
    finish(games, bad, unread, out)
}

/// Passes each game in a file, or on standard input for `-`, to `handle`. If the file cannot be read,
/// returns the reason as a value, because the other files must still be processed. Fails only if `handle`
/// fails.
fn for_each_game<V: Visitor>(
    file: &Path,
    visitor: &mut V,
    mut handle: impl FnMut(V::Output) -> anyhow::Result<()>,
) -> anyhow::Result<Option<String>> {
    let unread =
        |error: &io::Error| Ok(Some(format!("{}: {}", display_path(file), one_line(&error.to_string()))));
    let (source, length): (Box<dyn Read>, _) = if file.as_os_str() == "-" {
        (Box::new(io::stdin().lock()), None)
    } else {
        let opened = File::open(file).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) => (Box::new(file), Some(length)),
            Err(error) => return unread(&error),
        }
    };
    let progress = progress(length, file);
    let mut stream = Stream::new(progress.wrap_read(source));
    loop {
        match stream.read_game(visitor) {
            Ok(Some(game)) => handle(game)?,
            Ok(None) => break,
            Err(error) => {
                progress.finish_and_clear();
                return unread(&error);
            }
        }
    }
    progress.finish_and_clear();
    Ok(None)
}

/// Returns a progress bar for a file, hidden if the file is small or standard error is not a terminal.
fn progress(length: Option<u64>, file: &Path) -> ProgressBar {
    if !io::stderr().is_terminal() || length.is_some_and(|length| length <= MAX_GAME_BYTES as u64) {
        return ProgressBar::hidden();
    }
    let bar =
        ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_message(display_path(file));
    let template = "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta} {msg}";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn display_path(file: &Path) -> String {
    one_line(&file.display().to_string())
}

/// Escapes control characters, so that the text stays on one line.
fn one_line(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    text.chars().map(escape).collect()
}
