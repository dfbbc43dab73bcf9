//! Paths in the checkout, and commands started there.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The checkout.
#[derive(Debug)]
pub(crate) struct Repository {
    root: PathBuf,
    target: PathBuf,
    cargo: OsString,
}

impl Repository {
    pub(crate) fn find() -> Result<Repository> {
        // The run-time value comes first, because the folder may have moved since this program was compiled.
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.parent().context("the xtask folder has no parent")?.to_owned();
        // Passed to every cargo process started from here, so that all use the same build folder.
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => std::path::absolute(folder).context("CARGO_TARGET_DIR is not a path")?,
            None => root.join("target"),
        };
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Ok(Repository { root, target, cargo })
    }

    /// Returns another checkout, with the same build folder.
    pub(crate) fn copy_in(&self, root: PathBuf) -> Repository {
        Repository { root, target: self.target.clone(), cargo: self.cargo.clone() }
    }

    /// Returns a path in the checkout.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns a path in the build folder.
    pub(crate) fn target(&self, path: &str) -> PathBuf {
        self.target.join(path)
    }

    /// Returns a command that runs a program at the root, where `rust-toolchain.toml` chooses the compiler.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// Returns a command that runs `cargo` at the root.
    pub(crate) fn cargo(&self) -> Command {
        self.with_cargo_variables(self.command(&self.cargo))
    }

    /// Returns a command that runs a program at the root, on Unix with the lowest priority.
    pub(crate) fn low_priority(&self, program: impl AsRef<OsStr>) -> Command {
        if !cfg!(unix) {
            return self.command(program);
        }
        let mut command = self.command("nice");
        command.args(["-n", "19"]).arg(program);
        command
    }

    /// Returns a command that runs `cargo` at the root, on Unix with the lowest priority.
    pub(crate) fn low_priority_cargo(&self) -> Command {
        self.with_cargo_variables(self.low_priority(&self.cargo))
    }

    fn with_cargo_variables(&self, mut command: Command) -> Command {
        command.env("CARGO_TARGET_DIR", &self.target);
        // The outer `cargo run` sets these for xtask itself; build scripts would see them as changed.
        for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"] {
            command.env_remove(name);
        }
        command
    }

    /// Returns a command that runs `npm` in `web/`.
    pub(crate) fn npm(&self) -> Command {
        let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        command.current_dir(self.path("web"));
        command
    }
}

/// Prints and runs the command. Returns an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let text = format_command(command);
    eprintln!("$ {text}");
    let status = command.status().with_context(|| format!("`{text}` could not be started"))?;
    if !status.success() {
        bail!("`{text}` failed: {status}");
    }
    Ok(())
}

/// Returns the trimmed output of a command, or `None` if the program is missing or fails.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

/// Formats the command as it would be typed.
pub(crate) fn format_command(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_without_the_path_of_the_program() {
        let mut command = Command::new("/opt/rust/bin/cargo");
        command.args(["build", "--release"]);
        assert_eq!(format_command(&command), "cargo build --release");
    }

    #[test]
    fn a_failure_names_the_command_and_its_status() {
        let repository = Repository::find().unwrap();
        let error = run(repository.cargo().arg("no-such-command")).unwrap_err().to_string();
        assert!(error.starts_with("`cargo no-such-command` failed"), "{error}");
    }

    #[test]
    fn a_missing_program_has_no_output() {
        assert_eq!(output_of(&mut Command::new("adoube-no-such-program")), None);
    }

    #[test]
    fn the_root_holds_the_workspace() {
        let repository = Repository::find().unwrap();
        assert!(repository.path("xtask/src/repository.rs").is_file());
    }
}
