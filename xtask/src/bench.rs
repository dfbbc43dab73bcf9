//! The benches of `crates/bench`, in release.

use anyhow::Result;

use crate::house::{House, run};

pub(crate) fn run_benches(house: &House, arguments: &[String]) -> Result<()> {
    run(house.cargo().args(["run", "--release", "--package", "adoube-bench", "--"]).args(arguments))
}
