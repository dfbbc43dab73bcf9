//! `cargo xtask <command>`: builds, serves and tests the whole workspace. `cargo xtask help` lists
//! the commands; nearly all have their own module.

mod bench;
mod fresh;
mod installation;
mod lint;
mod load;
mod page;
mod release;
mod repository;
mod serve;
mod sizes;
mod structure;
mod subprocess;
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

use crate::repository::Repository;

const USAGE: &str = "\
usage: cargo xtask <command>

  serve [-- <arguments of `adoube serve`>]
                        build what is missing or out of date, then serve on http://127.0.0.1:8787
                        with the data in data/adoube.sqlite
  test [rust|web|e2e|installation|toy]
                        run all tests, or one part; `toy` adds a game to a copy of the sources, `installation`
                        installs the package in a clean Debian system
  lint                  check the formatting and lints of the Rust code and the web client, and the licences
                        and sources of dependencies; list the dependencies in target/sbom, as CycloneDX (alias: ci)
  pictures              take new pictures of the pages that look different, for the browser tests to compare with
  wasm                  build the WebAssembly modules, with bindings, in web/src/lib/wasm
  web                   build the web client in web/dist
  release               build the files that users install, in target/release-files: an archive, a .deb and a
                        .rpm with a static binary, and checksums; `release --binary FILE` packages that binary
  bench [<arguments>]   run the benchmarks, for instance `bench perft`; `bench hostile` attacks a server and
                        measures the effect on other clients, `bench browser` measures the page and its engine
  load [<arguments>]    play many games at once against the server; `load --help` lists the
                        options, for instance `load --games 5000 --turns-per-second 2500 --seconds 60`
  uci-games [<games>]   let the engine play itself with python-chess as the referee, and count illegal turns,
                        crashes, and losses on time at 1 s + 10 ms
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
    let repository = Repository::find()?;
    match (command.as_str(), rest) {
        ("serve", rest) => serve::serve(&repository, rest.strip_prefix(&["--".to_owned()]).unwrap_or(rest)),
        ("test", []) => test::test(&repository),
        ("test", [part]) => part.parse::<test::Part>()?.run(&repository),
        ("lint" | "ci", []) => lint::lint(&repository),
        ("release", rest) => release::release(&repository, rest),
        ("pictures", []) => test::pictures(&repository),
        ("wasm", []) => wasm::build(&repository),
        ("web", []) => web::build(&repository),
        ("bench", rest) => bench::run_benches(&repository, rest),
        ("load", rest) => load::run_load(&repository, rest),
        ("uci-games", rest) => uci_games::run_games(&repository, rest),
        ("help" | "--help" | "-h", _) => {
            print!("{USAGE}");
            Ok(())
        }
        ("test" | "lint" | "ci" | "pictures" | "wasm" | "web", rest) => {
            bail!("unexpected argument `{}` after `{command}`\n\n{USAGE}", rest[rest.len() - 1])
        }
        (unknown, _) => bail!("unknown command `{unknown}`\n\n{USAGE}"),
    }
}
