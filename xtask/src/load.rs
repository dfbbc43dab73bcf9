//! Runs the load client in `crates/load` against the server, both in release mode.

use anyhow::Result;

use crate::repository::{Repository, run};
use crate::serve::{self, Profile};

pub(crate) fn run_load(repository: &Repository, arguments: &[String]) -> Result<()> {
    // A server given by the caller is neither built nor started.
    let is_external = arguments.iter().any(|argument| argument.starts_with("--address"));
    let mut client = repository.cargo();
    client.args(["run", "--release", "--package", "adoube-load", "--"]);
    if !is_external {
        crate::web::build(repository)?;
        client.arg("--server").arg(serve::build(repository, Profile::Release)?);
    }
    run(client.args(arguments))
}
