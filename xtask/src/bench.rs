//! The benches of `crates/bench`, and the one of hostile visitors of `crates/load`, in release.

use anyhow::Result;

use crate::house::{House, run};
use crate::serve::{self, Profile};

pub(crate) fn run_benches(house: &House, arguments: &[String]) -> Result<()> {
    if let Some(("hostile", rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return run_hostile(house, rest);
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
