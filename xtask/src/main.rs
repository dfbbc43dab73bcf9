//! `cargo xtask <command>`: builds, serves and tests the whole workspace. `cargo xtask help` lists
//! the commands; each has its own module here.

mod bench;
mod fresh;
mod house;
mod lint;
mod load;
mod page;
mod serve;
mod structure;
mod supply;
mod test;
mod tools;
mod toy;
mod uci_games;
mod wasm;
mod web;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::house::House;

const USAGE: &str = "\
usage: cargo xtask <command>

  serve [-- <arguments of `adoube serve`>]
                        build what is missing, then serve on http://127.0.0.1:8787
                        with the data in data/adoube.sqlite
  test [rust|web|e2e|toy]
                        every test, or those of one part; `toy` adds a game to a copy of the sources
  lint                  formatting and lints, Rust and web; licences and sources of dependencies, and a list
                        of it as CycloneDX in target/sbom (also: ci)
  wasm                  the rules and the engine as WebAssembly, with bindings, in web/src/lib/wasm
  web                   the web client, in web/dist
  bench [<arguments>]   the benches, for instance `bench perft`; `bench hostile` attacks a server and measures
                        what others notice of it, `bench browser` measures the page and its engine
  load [<arguments>]    plays many games at once against the server; `load --help` lists the
                        options, for instance `load --games 5000 --turns-per-second 2500 --seconds 60`
  uci-games [<games>]   the engine against itself with python-chess as the judge: illegal turns, ends
                        of the process, losses on time at 1 s + 10 ms
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<()> {
    let Some((command, rest)) = arguments.split_first() else {
        bail!("no command given\n\n{USAGE}");
    };
    let house = House::find()?;
    match (command.as_str(), rest) {
        ("serve", rest) => serve::serve(&house, rest.strip_prefix(&["--".to_owned()]).unwrap_or(rest)),
        ("test", []) => test::test(&house, &test::Part::ALL),
        ("test", [part]) => test::test(&house, &[part.parse()?]),
        ("lint" | "ci", []) => lint::lint(&house),
        ("wasm", []) => wasm::build(&house),
        ("web", []) => web::build(&house),
        ("bench", rest) => bench::run_benches(&house, rest),
        ("load", rest) => load::run_load(&house, rest),
        ("uci-games", rest) => uci_games::run_games(&house, rest),
        ("help" | "--help" | "-h", _) => {
            print!("{USAGE}");
            Ok(())
        }
        ("test" | "lint" | "ci" | "wasm" | "web", rest) => {
            bail!("unexpected argument `{}` after `{command}`\n\n{USAGE}", rest[rest.len() - 1])
        }
        (unknown, _) => bail!("unknown command `{unknown}`\n\n{USAGE}"),
    }
}
