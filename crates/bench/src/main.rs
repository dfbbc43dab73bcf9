//! Benches that print figures for people to judge.
//!
//! `cargo xtask bench perft` counts turns with our rules and with two peers, interleaved in one run;
//! `cargo xtask bench pgn` reads a large file of games that it makes first; `cargo xtask bench winnable` asks of
//! other people's test vectors who can still win, where there is such a file; `cargo xtask bench tactics` lets the engine
//! solve the problems that are proved to have one solution.

mod measure;
mod perft;
mod pgn;
mod tactics;
mod winnable;

use adoube_winnable::Effort;
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
        Some("pgn") => {
            let games = match args.next() {
                None => pgn::GAMES,
                Some(text) => match text.parse() {
                    Ok(games @ 1..=10_000_000) => games,
                    _ => bail!("{text:?} is no number of games; it is from 1 to 10000000"),
                },
            };
            pgn::run(games)
        }
        Some("winnable") => {
            let effort = match args.next() {
                None => Effort::Full { nodes: 10_000_000 },
                Some(text) if text == "quick" => Effort::Quick,
                Some(text) => Effort::Full {
                    nodes: text.parse().map_err(|_| anyhow::anyhow!("{text:?} is no number of nodes"))?,
                },
            };
            winnable::run(effort, args.next().as_deref() == Some("--list"))
        }
        Some("tactics") => {
            let nodes = match args.next() {
                None => tactics::NODES,
                Some(text) => text.parse().map_err(|_| anyhow::anyhow!("{text:?} is no number of nodes"))?,
            };
            tactics::run(nodes, args.next().as_deref() == Some("--list"))
        }
        Some(other) => {
            bail!(
                "no bench is called {other:?}; there are: perft [ROUNDS], pgn [GAMES], winnable [NODES | quick] [--list], tactics [NODES] [--list]"
            )
        }
        None => bail!(
            "say which bench: perft [ROUNDS], pgn [GAMES], winnable [NODES | quick] [--list] or tactics [NODES] [--list]"
        ),
    }
}
