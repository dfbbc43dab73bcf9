//! The benches of `crates/bench`, the one of hostile visitors of `crates/load`, and those of the page, in release.

use anyhow::Result;

use crate::house::{House, run};
use crate::serve::{self, Passing, Profile};
use crate::{tools, web};

pub(crate) fn run_benches(house: &House, arguments: &[String]) -> Result<()> {
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("hostile", rest)) => return run_hostile(house, rest),
        Some(("browser", rest)) => return run_browser(house, rest),
        _ => {}
    }
    run(house.cargo().args(["run", "--release", "--package", "adoube-bench", "--"]).args(arguments))
}

/// What one hostile visitor does to the others. The pages are not asked for, so they need not be built.
fn run_hostile(house: &House, arguments: &[String]) -> Result<()> {
    let server = serve::build(house, Profile::Release)?;
    let mut bench = house.cargo();
    bench.args(["run", "--release", "--package", "adoube-load", "--bin", "adoube-hostile", "--"]);
    run(bench.arg("--server").arg(server).args(arguments))
}

/// How fast the engine is in a browser, and how soon a page answers; what follows goes to Playwright.
fn run_browser(house: &House, arguments: &[String]) -> Result<()> {
    let chromium = tools::chromium()?;
    web::build(house)?;
    let server = serve::build(house, Profile::Release)?;
    let passing = Passing::start(house, server.clone())?;
    run(house
        .npm()
        .args(["run", "--silent", "bench", "--"])
        .args(arguments)
        .env("CHROMIUM", chromium)
        .env("ADOUBE_NATIVE", server)
        .env("ADOUBE_URL", passing.url()))
}
