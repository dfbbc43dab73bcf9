//! The command `adoube`.
//!
//! It is exact, so that other programs can drive it: what it prints on standard output is described in the help
//! of each command, and it ends with 0, or with 2 and one line on standard error that says what was wrong.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod commands;
mod options;
mod settings;
mod smtp;

use std::{
    env,
    ffi::OsString,
    io::{self, BufWriter, ErrorKind, IsTerminal as _, Write as _},
    path::Path,
    process::ExitCode,
};

use clap::{Parser, error::ErrorKind as UsageKind};

use crate::commands::Command;

/// Chess, Baroque, Interweave and Ultima: rules, notation, engine, and the server to play them.
///
/// Ends with 0, or with 2 and one line on standard error if what it was given is wrong.
#[derive(Parser, Debug)]
#[command(name = "adoube", version = env!("ADOUBE_VERSION"), arg_required_else_help = false)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What the command answers to anything wrong.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    let mut words: Vec<OsString> = env::args_os().collect();
    if is_engine(&words, io::stdin().is_terminal()) {
        words.insert(words.len().min(1), "uci".into());
    }
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) if matches!(error.kind(), UsageKind::DisplayHelp | UsageKind::DisplayVersion) => {
            return finish(print_all(&error.to_string()));
        }
        Err(error) => return fail(&first_paragraph(&error.to_string())),
    };
    let mut out = BufWriter::new(io::stdout());
    let result = arguments.command.run(&mut out).and_then(|()| Ok(out.flush()?));
    // A writer that is dropped tries once more to write, and the reader may be gone.
    drop(out.into_parts());
    finish(result)
}

/// Returns whether the program was started as an engine: by a name that says so, or, as many programs start engines, without
/// arguments and with commands to come through a pipe.
fn is_engine(words: &[OsString], has_terminal: bool) -> bool {
    let name = words.first().map(Path::new).and_then(Path::file_stem);
    name.is_some_and(|name| name == "adoube-uci") || words.len() < 2 && !has_terminal
}

fn print_all(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn finish(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Who reads only the first lines has what they wanted.
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => fail(&format!("{error:#}")),
    }
}

/// Tells an error on one line, whatever stands in it.
fn fail(message: &str) -> ExitCode {
    let mut line = String::from("adoube: ");
    for c in message.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line.push('\n');
    // If standard error is closed too, the exit status has to say it.
    let _ = io::stderr().write_all(line.as_bytes());
    ExitCode::from(FAILURE)
}

/// Returns what the command line parser says first, without its usage and its hints.
fn first_paragraph(text: &str) -> String {
    let text = text.trim_start();
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_give_no_arguments_get_the_engine() {
        for (words, has_terminal, expected) in [
            (&["adoube"][..], false, true),
            (&["adoube"], true, false),
            (&["/usr/games/adoube-uci"], true, true),
            (&["adoube-uci.exe", "--seed", "1"], true, true),
            (&["adoube", "moves"], false, false),
            (&[], false, true),
        ] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(is_engine(&words, has_terminal), expected, "{words:?} {has_terminal}");
        }
    }
}
