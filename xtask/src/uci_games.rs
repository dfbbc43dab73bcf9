//! Plays games with the engine, refereed by python-chess (`crates/bench/uci_games.py`).

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::repository::{Repository, run};
use crate::serve::{self, Profile};

/// The referee, `python-chess`: it knows the rules and speaks UCI without our code. It is under the GPL, so
/// it is only run, not linked.
const REFEREE: &str = "chess==1.11.2";

pub(crate) fn run_games(repository: &Repository, arguments: &[String]) -> Result<()> {
    let environment = repository.target("python");
    let python = environment.join("bin/python");
    if std::fs::read_to_string(environment.join("referee")).ok().as_deref() != Some(REFEREE) {
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))
            .context("`python3 -m venv` is needed; on Debian: apt install python3-venv")?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", REFEREE]))?;
        std::fs::write(environment.join("referee"), REFEREE)?;
    }
    crate::web::build(repository)?;
    let engine = serve::build(repository, Profile::Release)?;
    run(Command::new(python).arg(repository.path("crates/bench/uci_games.py")).arg(engine).args(arguments))
}
