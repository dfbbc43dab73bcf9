//! Options shared by several commands.

use std::{io::Write, num::NonZeroUsize};

use adoube_rules::{AnyPosition, Variant, fen::Repair};
use anyhow::Context as _;
use clap::Args;

/// A position.
#[derive(Args, Debug)]
pub(crate) struct Start {
    /// Name of the game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// The position [default: the initial position of the game]
    ///
    /// A FEN, or a common form of one: in quotes, with `_` for spaces, as a `[FEN "…"]` line, or as an EPD
    /// with operations. Castling rights that the position rules out are dropped, with a warning on standard
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

/// Prints a warning on standard error for each repair of a position. Ignores write errors.
pub(crate) fn warn(source: &str, repairs: &[Repair]) {
    for repair in repairs {
        let _ = writeln!(std::io::stderr(), "adoube: {source}: warning: {repair}");
    }
}

pub(crate) fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    const MAX: usize = 256;
    let threads = text.parse().ok().and_then(NonZeroUsize::new).filter(|threads| threads.get() <= MAX);
    threads.ok_or_else(|| format!("expected a number from 1 to {MAX}"))
}
