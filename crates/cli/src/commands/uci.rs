//! `adoube uci`: the engine for other programs.

use std::{
    hash::{BuildHasher as _, RandomState},
    io::{self, Write},
};

use crate::arguments::Uci;

pub(crate) fn run(arguments: &Uci, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    // The keys of the standard library's hash maps are drawn by chance for each process.
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    Ok(adoube_engine::uci::serve(io::stdin().lock(), out, seed)?)
}
