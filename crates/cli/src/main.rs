//! The `adoube` command.
//!
//! Other programs can drive it: the help of most commands describes their standard output, and every command
//! exits with status 0, or with status 2 and one line on standard error that names the problem. A command
//! group without a subcommand, such as `adoube user`, lists its subcommands on standard error instead.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod commands;
mod options;
mod service_manager;
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

/// Chess, Baroque, Interweave and Ultima: rules, notation, engine, and a server to play them on.
///
/// Exits with status 0, or with status 2 and one line on standard error if there is an error.
#[derive(Parser, Debug)]
#[command(name = "adoube", version = env!("ADOUBE_VERSION"))]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit status for any error.
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
        // A command group without a subcommand, such as `adoube user`.
        Err(error) if error.kind() == UsageKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // If standard error is closed, only the exit status remains.
            let _ = io::stderr().write_all(error.to_string().as_bytes());
            return ExitCode::from(FAILURE);
        }
        Err(error) => return fail(&first_paragraph(&error.to_string())),
    };
    let mut out = BufWriter::new(io::stdout());
    let result = arguments.command.run(&mut out).and_then(|()| Ok(out.flush()?));
    // Dropping the writer would flush it. After an error, what it still holds is discarded instead,
    // because it may be incomplete.
    drop(out.into_parts());
    finish(result)
}

/// Returns `true` if the program was started as an engine: under the name `adoube-uci`, or without arguments
/// and with an input that is not a terminal, because many programs start engines with a pipe.
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
        // A reader that closes the pipe after the first lines, such as `head`, is not an error.
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) if error.is::<Reported>() => ExitCode::from(FAILURE),
        Err(error) => fail(&describe(&error)),
    }
}

/// An error that has already been reported, in the log.
#[derive(Debug, thiserror::Error)]
#[error("the error is in the log")]
struct Reported;

/// Returns the messages of an error and its causes. Some libraries already include the cause in the error's
/// own message; such a cause is left out.
fn describe(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Reports an error on one line.
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
    // If standard error is closed, only the exit status remains.
    let _ = io::stderr().write_all(line.as_bytes());
    ExitCode::from(FAILURE)
}

/// Shortens a message from the command-line parser to its first paragraph, without the usage and the hints.
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
    fn the_program_is_an_engine_by_name_or_without_arguments_on_a_pipe() {
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

    #[test]
    fn a_cause_that_the_message_repeats_is_shown_once() {
        let cause = anyhow::anyhow!("(code: 14) unable to open database file");
        let error =
            cause.context("the database says: (code: 14) unable to open database file").context("no data");
        assert_eq!(describe(&error), "no data: the database says: (code: 14) unable to open database file");
        let error = anyhow::anyhow!("not found").context("x cannot be read");
        assert_eq!(describe(&error), "x cannot be read: not found");
    }

    #[test]
    fn commands_in_the_french_handbook_are_accepted() {
        let guide = include_str!("../../../docs/guide-administrateur.md");
        let mut count = 0;
        for line in guide.lines() {
            let Some(rest) = line.strip_prefix("sudo -u adoube adoube ") else { continue };
            let command = rest.split(['&', '<']).next().unwrap_or_default();
            let mut words = vec!["adoube"];
            // Every other part was in quotes, and is a single word.
            for (number, part) in command.split('"').enumerate() {
                if number % 2 == 0 {
                    words.extend(part.split_whitespace());
                } else {
                    words.push(part);
                }
            }
            let parsed = Arguments::try_parse_from(&words);
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
            count += 1;
        }
        assert!(count > 15, "only {count} commands were found");
    }
}
