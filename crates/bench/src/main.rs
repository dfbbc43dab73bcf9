//! Benchmarks whose figures are for people to judge.
//!
//! | `cargo xtask bench …` | does |
//! |---|---|
//! | `perft [ROUNDS]` | counts turns with our rules and with two peers, interleaved in one run |
//! | `epd check FILE…` | compares files of perft numbers with our rules, to every depth |
//! | `epd positions games`, `epd positions shuffled` | prints positions of random games for such a file |
//! | `epd count FILE LEAVES` | prints a file with the numbers of two peers, which must agree |
//! | `pgn [GAMES]` | reads a large file of games that it makes first |
//! | `winnable FILE [NODES or quick] [--list]` | checks on a file of test vectors which sides can still win |
//! | `tactics [NODES] [--list]` | lets the engine solve the problems that are proved to have only one solution |

mod epd;
mod measure;
mod perft;
mod pgn;
mod tactics;
mod winnable;

use std::path::Path;

use adoube_winnable::Effort;
use anyhow::{Context as _, Result, bail};

const BENCHES: &str = "perft [ROUNDS], epd check|positions|count, pgn [GAMES], winnable FILE [NODES | quick] [--list], tactics [NODES] [--list]";

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
            [what, files @ ..] if what == "check" => epd::check(files),
            [what, kind] if what == "positions" => epd::positions(kind),
            [what, file, most] if what == "count" => {
                let most = most.parse().with_context(|| format!("{most:?} is not a number of leaves"))?;
                epd::count(file, most)
            }
            _ => bail!("say what: epd check FILE…, epd positions KIND, or epd count FILE LEAVES"),
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
                .context("name the file of test vectors: winnable FILE [NODES | quick] [--list]")?;
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
            bail!("there is no bench called {other:?}; there are: {BENCHES}")
        }
        None => bail!("say which bench: {BENCHES}"),
    }
}
