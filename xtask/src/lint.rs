//! Formatting, lints and documentation of Rust, formatting and lints of the web client, and the dependencies. A
//! warning of a lint is a failure.

use anyhow::Result;

use crate::house::{House, run};
use crate::{page, structure, supply, web};

pub(crate) fn lint(house: &House) -> Result<()> {
    structure::games(house)?;
    structure::picture(house)?;
    page::no_rules(house)?;
    run(house.cargo().args(["fmt", "--all", "--check"]))?;
    run(house.cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    // Features that no crate of the workspace switches on.
    run(house
        .cargo()
        .args(["clippy", "--package", "adoube-rules", "--all-features", "--all-targets"])
        .args(["--", "-D", "warnings"]))?;
    // The published crates: their documentation must not have dead links.
    run(house
        .cargo()
        .args(["doc", "--quiet", "--no-deps", "--all-features", "--package", "adoube-rules"])
        .args(["--package", "adoube-notation", "--package", "adoube-winnable"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    web::packages(house)?;
    run(house.npm().args(["run", "--silent", "lint"]))?;
    run(house.npm().args(["run", "--silent", "format:check"]))?;
    supply::deny(house)?;
    supply::sbom(house)
}
