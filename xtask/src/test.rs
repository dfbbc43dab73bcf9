//! Runs the tests: one part, or all of them.
//!
//! Compilers keep all processors busy, but tests that wait for servers and browsers do not. Therefore parts
//! overlap when all are run: the page's own tests run while the Rust tests are compiled, and the toy, which
//! is mostly compilation, gets the processor time that the other parts leave unused.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::str::FromStr;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, bail, ensure};

use crate::repository::{Repository, format_command, output_of, run};
use crate::serve::{self, Profile, TemporaryServer};
use crate::subprocess::{Priority, Xtask};
use crate::{installation, tools, toy, web};

/// The arguments that select the packages to test, and their features. The bindings generator has no tests,
/// and takes a minute to compile.
pub(crate) const TESTED: [&str; 5] =
    ["--workspace", "--exclude", "xtask-bindings", "--features", UNUSED_FEATURES];

/// Features of the libraries that no crate in the workspace enables. They are linted and tested with the
/// rest: a separate run with these features would compile the dependencies of the libraries again.
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
    const ALL: [Part; 5] = [Part::Web, Part::Rust, Part::EndToEnd, Part::Installation, Part::Toy];

    fn name(self) -> &'static str {
        match self {
            Part::Rust => "rust",
            Part::Web => "web",
            Part::EndToEnd => "e2e",
            Part::Toy => "toy",
            Part::Installation => "installation",
        }
    }

    pub(crate) fn run(self, repository: &Repository) -> Result<()> {
        match self {
            Part::Rust => rust(repository),
            Part::Web => web_client(repository),
            Part::EndToEnd => {
                web::build(repository)?;
                end_to_end(repository, serve::build(repository, Profile::Dev)?)
            }
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
pub(crate) fn test(repository: &Repository) -> Result<()> {
    let report = Report::default();
    let xtask = Xtask::find()?;
    let run_separately = |part: Part, priority| xtask.run(repository, &["test", part.name()], priority);
    thread::scope(|scope| {
        // The page comes first: the server contains it, and would have to be compiled again if the page were
        // built later. If the page cannot be built, the `web` part, which builds it too, fails with the same
        // error.
        let _ = web::build(repository);
        scope.spawn(|| report.run(Part::Web, || run_separately(Part::Web, Priority::Normal)));
        // Everything else that is compiled comes before the toy: the toy compiles with low priority, and
        // another build would have to wait for it.
        let start = Instant::now();
        let compiled = compile(repository);
        let server = serve::build(repository, Profile::Dev);
        let compilation = start.elapsed();
        scope.spawn(|| {
            // This part has normal priority, because the installed server must answer in time.
            report.run(Part::Installation, || run_separately(Part::Installation, Priority::Normal));
            report.run(Part::Toy, || run_separately(Part::Toy, Priority::Low));
        });
        report.run_after(compilation, Part::Rust, || run_tests(repository, compiled?));
        report.run(Part::EndToEnd, || end_to_end(repository, server?));
    });
    report.print()
}

/// The results of the parts that have ended.
#[derive(Debug, Default)]
struct Report {
    lines: Mutex<Vec<String>>,
    failed: Mutex<Vec<&'static str>>,
}

impl Report {
    fn run(&self, part: Part, run: impl FnOnce() -> Result<()>) {
        self.run_after(Duration::ZERO, part, run);
    }

    /// Runs a part on which time has already been spent.
    fn run_after(&self, spent: Duration, part: Part, run: impl FnOnce() -> Result<()>) {
        let name = part.name();
        println!("==== test {name} ====");
        let start = Instant::now();
        let outcome = run();
        let seconds = (spent + start.elapsed()).as_secs();
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("==== test {name}: {word} ====");
        self.lines
            .lock()
            .expect("no thread panics")
            .push(format!("test {name:<12} {word:<6} {seconds:>4} s"));
        if let Err(error) = outcome {
            eprintln!("xtask: {error:#}");
            self.failed.lock().expect("no thread panics").push(name);
        }
    }

    fn print(self) -> Result<()> {
        println!("{}", self.lines.into_inner().expect("no thread panics").join("\n"));
        let failed = self.failed.into_inner().expect("no thread panics");
        ensure!(failed.is_empty(), "tests failed: {}", failed.join(", "));
        Ok(())
    }
}

/// The compiled tests.
#[derive(Debug)]
struct Compiled {
    /// A file with nextest's list of them; `None` if nextest is not installed, in which case they have
    /// already been run.
    list: Option<PathBuf>,
    /// The outcome of the tests that have already been run.
    outcome: Result<()>,
}

fn rust(repository: &Repository) -> Result<()> {
    run_tests(repository, compile(repository)?)
}

/// Compiles the tests, and runs the examples in the documentation, which are compiled only when they run.
fn compile(repository: &Repository) -> Result<Compiled> {
    tools::test_services()?;
    if output_of(repository.cargo().args(["nextest", "--version"])).is_none() {
        let outcome = run(repository.cargo().args(["test", "--no-fail-fast"]).args(TESTED));
        return Ok(Compiled { list: None, outcome });
    }
    let mut list = repository.cargo();
    list.args(["nextest", "list", "--list-type", "binaries-only", "--message-format", "json"]).args(TESTED);
    eprintln!("$ {}", format_command(&list));
    let output = list.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "`{}` failed: {}", format_command(&list), output.status);
    let path = repository.target("xtask/test-binaries.json");
    fs::create_dir_all(repository.target("xtask"))?;
    fs::write(&path, output.stdout).with_context(|| format!("{} cannot be written", path.display()))?;
    // nextest does not run the examples in the documentation.
    let outcome = run(repository.cargo().args(["test", "--doc", "--no-fail-fast"]).args(TESTED));
    Ok(Compiled { list: Some(path), outcome })
}

fn run_tests(repository: &Repository, compiled: Compiled) -> Result<()> {
    let Some(list) = compiled.list else { return compiled.outcome };
    // Many tests start servers and wait for them, so running one more test than there are processors keeps
    // all processors busy.
    let threads = thread::available_parallelism().map_or(1, usize::from) + 1;
    // As with the browser tests, a test that passes only when retried is reported as flaky.
    let retries = usize::from(env::var_os("CI").is_some());
    run(repository
        .cargo()
        .args(["nextest", "run", "--no-fail-fast"])
        .args([format!("--test-threads={threads}"), format!("--retries={retries}")])
        .arg("--binaries-metadata")
        .arg(list))?;
    compiled.outcome
}

fn web_client(repository: &Repository) -> Result<()> {
    web::build(repository)?;
    run(repository.npm().args(["run", "--silent", "check"]))?;
    run(repository.npm().args(["run", "--silent", "test"]))
}

/// Tests the page in a browser, against a binary that contains it.
fn end_to_end(repository: &Repository, binary: PathBuf) -> Result<()> {
    let chromium = tools::chromium()?;
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
