//! Runs other xtask commands in separate processes.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::repository::{Repository, format_command};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    Normal,
    /// Gets little more than the processor time that other processes leave unused.
    Low,
}

/// The running program.
#[derive(Debug)]
pub(crate) struct Xtask {
    path: PathBuf,
}

impl Xtask {
    pub(crate) fn find() -> Result<Self> {
        Ok(Self { path: env::current_exe().context("the path of xtask is unknown")? })
    }

    /// Runs an xtask command. Prints its output when it ends, so that the output of concurrent commands does
    /// not mix.
    pub(crate) fn run(&self, repository: &Repository, arguments: &[&str], priority: Priority) -> Result<()> {
        let folder = repository.target("xtask");
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be created", folder.display()))?;
        let path = folder.join(format!("{}.log", arguments.join("-")));
        let log = File::create(&path).with_context(|| format!("{} cannot be written", path.display()))?;
        let mut command = match priority {
            Priority::Normal => repository.command(&self.path),
            Priority::Low => repository.low_priority(&self.path),
        };
        command.args(arguments).stdout(log.try_clone()?).stderr(log);
        let text = format_command(&command);
        let status = command.status().with_context(|| format!("`{text}` could not be started"))?;
        println!("{}", String::from_utf8_lossy(&fs::read(&path)?));
        ensure!(status.success(), "`{text}` failed: {status}");
        Ok(())
    }
}
