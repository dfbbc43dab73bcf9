//! Runs the benchmarks in release mode: `crates/bench`, the hostile visitor in `crates/load`, the stores,
//! the bus, and the page in a browser.

use anyhow::Result;

use crate::repository::{Repository, run};
use crate::serve::{self, Profile, TemporaryServer};
use crate::{tools, web};

pub(crate) fn run_benches(repository: &Repository, arguments: &[String]) -> Result<()> {
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("hostile", rest)) => return run_hostile(repository, rest),
        Some(("browser", rest)) => return run_browser(repository, rest),
        Some(("stores", rest)) => return run_example(repository, "adoube-store-postgres", "turns", rest),
        Some(("upgrade", rest)) => return run_example(repository, "adoube-store-sqlite", "upgrade", rest),
        Some(("bus", rest)) => return run_example(repository, "adoube-bus-nats", "notices", rest),
        _ => {}
    }
    run(repository.cargo().args(["run", "--release", "--package", "adoube-bench", "--"]).args(arguments))
}

/// Measures the effect of one hostile visitor on others. This works without the client, so the client need
/// not be built.
fn run_hostile(repository: &Repository, arguments: &[String]) -> Result<()> {
    let server = serve::build(repository, Profile::Release)?;
    let mut bench = repository.cargo();
    bench.args(["run", "--release", "--package", "adoube-load", "--bin", "adoube-hostile", "--"]);
    run(bench.arg("--server").arg(server).args(arguments))
}

/// Runs an example that measures its package: the turns that each database stores per second, the time it
/// takes to open a large file from an earlier version, or the notices that the bus delivers per second.
fn run_example(repository: &Repository, package: &str, example: &str, arguments: &[String]) -> Result<()> {
    let mut bench = repository.cargo();
    bench.args(["run", "--release", "--package", package, "--example", example, "--"]);
    run(bench.args(arguments))
}

/// Measures the speed of the engine in a browser and the response times of the pages. The arguments go to
/// Playwright.
fn run_browser(repository: &Repository, arguments: &[String]) -> Result<()> {
    let chromium = tools::chromium()?;
    web::build(repository)?;
    let server = serve::build(repository, Profile::Release)?;
    let instance = TemporaryServer::start(repository, server.clone())?;
    run(repository
        .npm()
        .args(["run", "--silent", "bench", "--"])
        .args(arguments)
        .env("CHROMIUM", chromium)
        .env("ADOUBE_NATIVE", server)
        .env("ADOUBE_URL", instance.url()))
}
