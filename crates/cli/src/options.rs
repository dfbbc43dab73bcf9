//! Options that several commands have.

use std::{io::Write, num::NonZeroUsize};

use adoube_rules::{AnyPosition, Variant, fen::Repair};
use anyhow::Context as _;
use clap::Args;

/// A position.
#[derive(Args, Debug)]
pub(crate) struct Start {
    /// The game, by its name: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// The position; the initial position of the game by default
    ///
    /// A FEN, or a common form of one: in quotes, with `_` for blanks, as the line `[FEN "…"]`, or as an EPD
    /// with operations. Castling rights that the position excludes are dropped, with a message on standard
    /// error.
    #[arg(long)]
    fen: Option<String>,
}

impl Start {
    pub(crate) fn position(&self) -> anyhow::Result<AnyPosition> {
        match &self.fen {
            None => Ok(AnyPosition::initial(self.variant)),
            Some(fen) => {
                let (position, repairs) =
                    AnyPosition::from_fen_lenient(self.variant, fen).context("--fen")?;
                warn("--fen", &repairs);
                Ok(position)
            }
        }
    }
}

/// Reports on standard error what was changed in a given position. A closed standard error is ignored.
pub(crate) fn warn(of: &str, repairs: &[Repair]) {
    for repair in repairs {
        let _ = writeln!(std::io::stderr(), "adoube: {of}: warning: {repair}");
    }
}

pub(crate) fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    const MAX: usize = 256;
    let threads = text.parse().ok().and_then(NonZeroUsize::new).filter(|threads| threads.get() <= MAX);
    threads.ok_or_else(|| format!("it is a number from 1 to {MAX}"))
}
