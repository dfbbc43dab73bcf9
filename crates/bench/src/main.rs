//! Benchmarks. Most of them only print figures, and neither pass nor fail.
//!
//! | `cargo xtask bench …` | Action |
//! |---|---|
//! | `perft [ROUNDS]` | counts turns with our rules and two other libraries, interleaved in one run |
//! | `epd check FILE…` | checks our rules against files of perft counts, at every depth |
//! | `epd positions games`, `epd positions shuffled` | prints positions from random games for such a file |
//! | `epd count FILE LEAVES` | prints a file with the counts of two other libraries, which must agree |
//! | `pgn [GAMES]` | generates a large file of games and measures how fast it is read |
//! | `winnable FILE [NODES or quick [--list]]` | checks which sides can still win in each position in a file of test vectors |
//! | `tactics [NODES [--list]]` | has the engine solve the problems that provably have only one solution |

mod epd;
mod measure;
mod perft;
mod pgn;
mod tactics;
mod winnable;

use std::path::Path;

use adoube_winnable::Effort;
use anyhow::{Context as _, Result, bail};

const BENCHES: &str = "perft [ROUNDS], epd check|positions|count, pgn [GAMES], winnable FILE [NODES | quick [--list]], tactics [NODES [--list]]";

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("perft") => {
            let rounds = match args.next() {
                None => 5,
                Some(text) => match text.parse() {
                    Ok(rounds @ 1..=99) => rounds,
                    _ => bail!("{text:?} is not a number of rounds from 1 to 99"),
                },
            };
            perft::run(rounds);
            Ok(())
        }
        Some("epd") => match &*args.collect::<Vec<_>>() {
            [action, files @ ..] if action == "check" => epd::check(files),
            [action, kind] if action == "positions" => epd::positions(kind),
            [action, file, leaves] if action == "count" => {
                let leaves =
                    leaves.parse().with_context(|| format!("{leaves:?} is not a number of leaves"))?;
                epd::count(file, leaves)
            }
            _ => bail!("expected epd check FILE…, epd positions KIND, or epd count FILE LEAVES"),
        },
        Some("pgn") => {
            let games = match args.next() {
                None => pgn::GAMES,
                Some(text) => match text.parse() {
                    Ok(games @ 1..=10_000_000) => games,
                    _ => bail!("{text:?} is not a number of games from 1 to 10000000"),
                },
            };
            pgn::run(games)
        }
        Some("winnable") => {
            let file = args
                .next()
                .context("no file of test vectors given; usage: winnable FILE [NODES | quick [--list]]")?;
            let effort = match args.next() {
                None => Effort::Full { nodes: 10_000_000 },
                Some(text) if text == "quick" => Effort::Quick,
                Some(text) => Effort::Full {
                    nodes: text.parse().map_err(|_| anyhow::anyhow!("{text:?} is not a number of nodes"))?,
                },
            };
            winnable::run(Path::new(&file), effort, args.next().as_deref() == Some("--list"))
        }
        Some("tactics") => {
            let nodes = match args.next() {
                None => tactics::NODES,
                Some(text) => {
                    text.parse().map_err(|_| anyhow::anyhow!("{text:?} is not a number of nodes"))?
                }
            };
            tactics::run(nodes, args.next().as_deref() == Some("--list"))
        }
        Some(other) => {
            bail!("there is no benchmark called {other:?}; choose one of: {BENCHES}")
        }
        None => bail!("no benchmark given; choose one of: {BENCHES}"),
    }
}
