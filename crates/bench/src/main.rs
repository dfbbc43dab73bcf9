//! Benches that print figures for people to judge.
//!
//! `cargo xtask bench perft` counts turns with our rules and with two peers, interleaved in one run.

mod measure;
mod perft;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("perft") => {
            let rounds = match args.next() {
                None => 5,
                Some(text) => match text.parse() {
                    Ok(rounds @ 1..=99) => rounds,
                    _ => bail!("{text:?} is no number of rounds; it is from 1 to 99"),
                },
            };
            perft::run(rounds);
            Ok(())
        }
        Some(other) => bail!("no bench is called {other:?}; there is: perft [ROUNDS]"),
        None => bail!("say which bench: perft [ROUNDS]"),
    }
}
