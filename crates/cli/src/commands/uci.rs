//! `adoube uci`: the engine for other programs.

use std::{
    hash::{BuildHasher as _, RandomState},
    io::{self, Write},
};

use clap::Args;

/// Speak the Universal Chess Interface, for programs that show a board or let engines play
///
/// The option `UCI_Variant` chooses the game. Reads commands until `quit` or the end of the input. Programs that take no arguments
/// for an engine can start `adoube` without any, or a link to it named `adoube-uci`.
#[derive(Args, Debug)]
pub(crate) struct Uci {
    /// What limited strength is drawn from; drawn by chance if not given, so that no two games are the same
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(crate) fn run(arguments: &Uci, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    // The keys of the standard library's hash maps are drawn by chance for each process.
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    Ok(adoube_engine::uci::serve(io::stdin().lock(), out, seed)?)
}
