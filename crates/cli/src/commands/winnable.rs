//! `adoube winnable`: reports which sides can still win, for a position or a stream of positions.

use std::{
    io::{self, BufRead as _, Write},
    time::Instant,
};

use adoube_rules::{Chess, Position as _, Variant, coordinate};
use adoube_winnable::{Answer, Effort, Solver, Verdict};
use anyhow::Context as _;
use clap::Args;

use crate::options::warn;

/// Report which side can still win a game of chess, by any sequence of legal turns
///
/// Prints `white=V black=V nodes=N us=T` for each position: V is `winnable`, `unwinnable` or `unknown`, N is
/// the number of positions examined, and T is the time in microseconds.
#[derive(Args, Debug)]
pub(crate) struct Winnable {
    /// The position; `-` reads positions from standard input [default: the initial position]
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// Read positions from standard input, one per line
    #[arg(value_name = "-", value_parser = ["-"], conflicts_with = "fen")]
    standard_input: Option<String>,
    /// The maximum number of positions examined for each side
    #[arg(long, value_name = "N", default_value = "1000000", conflicts_with = "quick")]
    nodes: u64,
    /// Spend only as much effort as a running game does on every turn
    #[arg(long)]
    quick: bool,
    /// Also print the helpmates, each on its own line: `white: f2f3 …`
    #[arg(long)]
    line: bool,
}

pub(crate) fn run(arguments: &Winnable, out: &mut impl Write) -> anyhow::Result<()> {
    let effort = if arguments.quick { Effort::Quick } else { Effort::Full { nodes: arguments.nodes } };
    let mut solver = Solver::default();
    match arguments.standard_input.as_deref().or(arguments.fen.as_deref()) {
        Some("-") => {
            for (index, line) in io::stdin().lock().lines().enumerate() {
                let line = line.context("standard input")?;
                if !line.trim().is_empty() {
                    let name = format!("line {}", index + 1);
                    let (position, repairs) = Chess::from_fen_lenient(&line).with_context(|| name.clone())?;
                    warn(&name, &repairs);
                    print_answers(&position, &mut solver, effort, arguments.line, out)?;
                    // Flush, because the calling program may wait for this answer before it sends the next
                    // position.
                    out.flush()?;
                }
            }
            Ok(())
        }
        fen => {
            let fen = fen.unwrap_or(Variant::Chess.initial_fen());
            let (position, repairs) = Chess::from_fen_lenient(fen).context("--fen")?;
            warn("--fen", &repairs);
            print_answers(&position, &mut solver, effort, arguments.line, out)
        }
    }
}

fn print_answers(
    position: &Chess,
    solver: &mut Solver,
    effort: Effort,
    with_line: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let answers = solver.sides(position, effort);
    let micros = start.elapsed().as_micros();
    let (white, black) = (&answers.white, &answers.black);
    let nodes = white.nodes + black.nodes;
    writeln!(out, "white={} black={} nodes={nodes} us={micros}", white.verdict.name(), black.verdict.name())?;
    if with_line {
        for (name, Answer { verdict, .. }) in [("white", white), ("black", black)] {
            if let Verdict::Winnable(turns) = verdict {
                write!(out, "{name}:")?;
                let mut current = position.clone();
                for turn in turns {
                    write!(out, " {}", coordinate::write(&current, turn))?;
                    current.play_turn_unchecked(turn);
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}
