//! The load client of `crates/load` against the server, both in release.

use anyhow::Result;

use crate::house::{House, run};
use crate::serve::{self, Profile};

pub(crate) fn run_load(house: &House, arguments: &[String]) -> Result<()> {
    // A server that the caller names is neither built nor started.
    let elsewhere = arguments.iter().any(|argument| argument.starts_with("--address"));
    let mut client = house.cargo();
    client.args(["run", "--release", "--package", "adoube-load", "--"]);
    if !elsewhere {
        crate::web::build(house)?;
        client.arg("--server").arg(serve::build(house, Profile::Release)?);
    }
    run(client.args(arguments))
}
