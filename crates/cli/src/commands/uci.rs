//! `adoube uci`: the engine as a UCI program.

use std::{
    hash::{BuildHasher as _, RandomState},
    io::{self, Write},
};

use clap::Args;

/// Speak the Universal Chess Interface, for programs that show a board or run matches between engines
///
/// The `UCI_Variant` option selects the game. Reads commands until `quit` or the end of the input. A program
/// that cannot pass arguments to an engine can start `adoube` without arguments, or a link to it named
/// `adoube-uci`.
#[derive(Args, Debug)]
pub(crate) struct Uci {
    /// Seed for the random choices at limited strength; random by default, so that games differ
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(crate) fn run(arguments: &Uci, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    // `RandomState` has different random keys in each process.
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    Ok(adoube_engine::uci::serve(io::stdin().lock(), out, seed)?)
}
