//! Runs the tests, part by part.

use std::env;
use std::str::FromStr;
use std::thread;
use std::time::Instant;

use anyhow::{Error, Result, bail};

use crate::repository::{Repository, output_of, run};
use crate::serve::{self, Profile, TemporaryServer};
use crate::{installation, release, tools, toy, web};

/// The packages whose tests are run. The bindings generator has none and takes a minute to compile.
pub(crate) const TESTED: [&str; 5] =
    ["--workspace", "--exclude", "xtask-bindings", "--features", UNUSED_FEATURES];

/// Features of the libraries that no crate in the workspace enables. They are linted and tested with the
/// rest: selecting them for a package alone would compile its dependencies once more.
pub(crate) const UNUSED_FEATURES: &str = "adoube-rules/serde,adoube-rules/arbitrary";

/// A part of the tests that can be run on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Rust,
    Web,
    /// The client in a real browser, against a real server.
    EndToEnd,
    /// A new game, in a copy of the sources.
    Toy,
    /// The packages of a release.
    Installation,
}

impl Part {
    /// The page comes first, because it is part of the server, which would otherwise be compiled again with
    /// it.
    pub(crate) const ALL: [Part; 5] = [Part::Web, Part::Rust, Part::EndToEnd, Part::Installation, Part::Toy];

    fn name(self) -> &'static str {
        match self {
            Part::Rust => "rust",
            Part::Web => "web",
            Part::EndToEnd => "e2e",
            Part::Toy => "toy",
            Part::Installation => "installation",
        }
    }

    fn run(self, repository: &Repository) -> Result<()> {
        match self {
            Part::Rust => rust(repository),
            Part::Web => web_client(repository),
            Part::EndToEnd => end_to_end(repository),
            Part::Toy => toy::test(repository),
            Part::Installation => installation::test(repository),
        }
    }
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(name: &str) -> Result<Part> {
        match Part::ALL.into_iter().find(|part| part.name() == name) {
            Some(part) => Ok(part),
            None => {
                bail!("`{name}` is not a part of the tests: expected rust, web, e2e, installation or toy")
            }
        }
    }
}

/// Runs all parts, even after one has failed, and finally prints a line for each.
pub(crate) fn test(repository: &Repository, parts: &[Part]) -> Result<()> {
    let mut report = Vec::new();
    let mut failed = Vec::new();
    thread::scope(|scope| {
        // The other parts leave processors idle now and then, for example while they link. Without `CI`, the
        // packages may not be tested at all.
        if parts.contains(&Part::Installation) && env::var_os("CI").is_some() {
            scope.spawn(|| tools::prepare(repository, &release::TOOLS));
        }
        for &part in parts {
            println!("==== test {} ====", part.name());
            let start = Instant::now();
            let outcome = part.run(repository);
            let seconds = start.elapsed().as_secs();
            let word = if outcome.is_ok() { "ok" } else { "FAILED" };
            report.push(format!("test {:<12} {word:<6} {seconds:>4} s", part.name()));
            if let Err(error) = outcome {
                eprintln!("xtask: {error:#}");
                failed.push(part.name());
            }
        }
    });
    println!("{}", report.join("\n"));
    if !failed.is_empty() {
        bail!("tests failed: {}", failed.join(", "));
    }
    Ok(())
}

fn rust(repository: &Repository) -> Result<()> {
    tools::test_services()?;
    if output_of(repository.cargo().args(["nextest", "--version"])).is_none() {
        return run(repository.cargo().args(["test", "--no-fail-fast"]).args(TESTED));
    }
    // Many tests start servers and wait for them, so running one more test than there are processors keeps
    // these busy.
    let threads = std::thread::available_parallelism().map_or(1, usize::from) + 1;
    // As in the browser, a test that passes only when retried is reported as flaky.
    let retries = usize::from(env::var_os("CI").is_some());
    run(repository
        .cargo()
        .args(["nextest", "run", "--no-fail-fast"])
        .args([format!("--test-threads={threads}"), format!("--retries={retries}")])
        .args(TESTED))?;
    // nextest does not run the examples in the documentation.
    run(repository.cargo().args(["test", "--doc", "--no-fail-fast"]).args(TESTED))
}

fn web_client(repository: &Repository) -> Result<()> {
    web::build(repository)?;
    run(repository.npm().args(["run", "--silent", "check"]))?;
    run(repository.npm().args(["run", "--silent", "test"]))
}

fn end_to_end(repository: &Repository) -> Result<()> {
    let chromium = tools::chromium()?;
    web::build(repository)?;
    let binary = serve::build(repository, Profile::Dev)?;
    let server = TemporaryServer::start(repository, binary.clone())?;
    run(repository
        .npm()
        .args(["run", "--silent", "e2e"])
        .env("CHROMIUM", chromium)
        // Some tests start and kill their own server.
        .env("ADOUBE_BIN", binary)
        .env("ADOUBE_URL", server.url()))
}

/// Updates the browser tests' reference screenshots of all pages that look different.
pub(crate) fn pictures(repository: &Repository) -> Result<()> {
    let chromium = tools::chromium()?;
    web::build(repository)?;
    let binary = serve::build(repository, Profile::Dev)?;
    run(repository
        .npm()
        .args(["run", "--silent", "e2e", "--", "looks.spec.ts", "--project", "wide", "--update-snapshots"])
        .env("CHROMIUM", chromium)
        .env("ADOUBE_BIN", binary))
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
