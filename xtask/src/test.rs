//! Every test, part by part.

use std::str::FromStr;
use std::time::Instant;

use anyhow::{Error, Result, bail};

use crate::house::{House, answer, run};
use crate::serve::{self, Profile, TemporaryServer};
use crate::{tools, toy, wasm, web};

/// A part of the tests that can be run by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Rust,
    Web,
    /// The client in a real browser, against a real server.
    EndToEnd,
    /// A new game, in a copy of the sources.
    Toy,
}

impl Part {
    pub(crate) const ALL: [Part; 4] = [Part::Rust, Part::Web, Part::EndToEnd, Part::Toy];

    fn name(self) -> &'static str {
        match self {
            Part::Rust => "rust",
            Part::Web => "web",
            Part::EndToEnd => "e2e",
            Part::Toy => "toy",
        }
    }

    fn run(self, house: &House) -> Result<()> {
        match self {
            Part::Rust => rust(house),
            Part::Web => web_client(house),
            Part::EndToEnd => end_to_end(house),
            Part::Toy => toy::test(house),
        }
    }
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(name: &str) -> Result<Part> {
        match Part::ALL.into_iter().find(|part| part.name() == name) {
            Some(part) => Ok(part),
            None => bail!("`{name}` is not a part of the tests: expected rust, web, e2e or toy"),
        }
    }
}

/// Runs all the parts, even after one failed, and ends with a line on each.
pub(crate) fn test(house: &House, parts: &[Part]) -> Result<()> {
    let mut report = Vec::new();
    let mut failed = Vec::new();
    for &part in parts {
        println!("==== test {} ====", part.name());
        let start = Instant::now();
        let outcome = part.run(house);
        let seconds = start.elapsed().as_secs();
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        report.push(format!("test {:<5} {word:<6} {seconds:>4} s", part.name()));
        if let Err(error) = outcome {
            eprintln!("xtask: {error:#}");
            failed.push(part.name());
        }
    }
    println!("{}", report.join("\n"));
    if !failed.is_empty() {
        bail!("tests failed: {}", failed.join(", "));
    }
    Ok(())
}

/// The tests of features that no crate of the workspace switches on.
const FEATURES: [&str; 7] =
    ["--package", "adoube-rules", "--all-features", "--test", "serde", "--test", "arbitrary"];

fn rust(house: &House) -> Result<()> {
    tools::test_services()?;
    // The generator of bindings has no tests and takes a minute to compile.
    let workspace = ["--workspace", "--exclude", "xtask-bindings", "--no-fail-fast"];
    if answer(house.cargo().args(["nextest", "--version"])).is_none() {
        run(house.cargo().arg("test").args(workspace))?;
        return run(house.cargo().arg("test").args(FEATURES));
    }
    run(house.cargo().args(["nextest", "run"]).args(workspace))?;
    run(house.cargo().args(["nextest", "run"]).args(FEATURES))?;
    // nextest does not run the examples in the documentation.
    run(house.cargo().args(["test", "--doc"]).args(workspace))
}

fn web_client(house: &House) -> Result<()> {
    wasm::build(house)?;
    web::packages(house)?;
    run(house.npm().args(["run", "--silent", "check"]))?;
    run(house.npm().args(["run", "--silent", "test"]))
}

fn end_to_end(house: &House) -> Result<()> {
    let chromium = tools::chromium()?;
    web::build(house)?;
    let binary = serve::build(house, Profile::Dev)?;
    let server = TemporaryServer::start(house, binary.clone())?;
    run(house
        .npm()
        .args(["run", "--silent", "e2e"])
        .env("CHROMIUM", chromium)
        // Some tests kill a server of their own.
        .env("ADOUBE_BIN", binary)
        .env("ADOUBE_URL", server.url()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_name() {
        for part in Part::ALL {
            assert_eq!(part.name().parse::<Part>().unwrap(), part);
        }
        let error = "end".parse::<Part>().unwrap_err().to_string();
        assert!(error.contains("`end`") && error.contains("e2e"), "{error}");
    }
}
