//! Checks some statements in `ARCHITECTURE.md`; the formatting, lints and documentation of the Rust code; the
//! formatting and lints of the web client; and the dependencies. Lint warnings are errors.

use std::env;
use std::thread;

use anyhow::Result;

use crate::repository::{Repository, run};
use crate::subprocess::{Priority, Xtask};
use crate::test::UNUSED_FEATURES;
use crate::{page, sizes, structure, supply, tools, web};

pub(crate) fn lint(repository: &Repository) -> Result<()> {
    structure::games(repository)?;
    structure::crate_table(repository)?;
    sizes::large_files(repository)?;
    page::no_rules(repository)?;
    run(repository.cargo().args(["fmt", "--all", "--check"]))?;
    web::packages(repository)?;
    let xtask = Xtask::find()?;
    thread::scope(|scope| {
        // The lints leave a processor idle now and then. In CI, the tests run next, and they begin by
        // building the page.
        scope.spawn(|| {
            tools::prepare(repository, &supply::DENY);
            if env::var_os("CI").is_some()
                && let Err(error) = xtask.run(repository, &["web"], Priority::Low)
            {
                eprintln!("xtask: the page was not prepared: {error:#}");
            }
        });
        lints(repository)
    })?;
    supply::deny(repository)?;
    supply::sbom(repository)
}

fn lints(repository: &Repository) -> Result<()> {
    run(repository
        .cargo()
        .args(["clippy", "--workspace", "--all-targets", "--features", UNUSED_FEATURES])
        .args(["--", "-D", "warnings"]))?;
    // The documentation of the published crates must not have dead links.
    run(repository
        .cargo()
        .args(["doc", "--quiet", "--no-deps", "--all-features", "--package", "adoube-rules"])
        .args(["--package", "adoube-notation", "--package", "adoube-winnable"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    run(repository.npm().args(["run", "--silent", "lint"]))?;
    run(repository.npm().args(["run", "--silent", "format:check"]))
}
