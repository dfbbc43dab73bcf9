//! Formatting and lints of Rust and of the web client; a warning is a failure.

use anyhow::Result;

use crate::house::{House, run};
use crate::web;

pub(crate) fn lint(house: &House) -> Result<()> {
    run(house.cargo().args(["fmt", "--all", "--check"]))?;
    run(house.cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    web::packages(house)?;
    run(house.npm().args(["run", "--silent", "lint"]))?;
    run(house.npm().args(["run", "--silent", "format:check"]))
}
