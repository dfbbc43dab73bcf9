//! `adoube uci`: the engine for other programs.

use std::io::{self, Write};

pub(crate) fn run(out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    Ok(adoube_engine::uci::serve(io::stdin().lock(), out)?)
}
