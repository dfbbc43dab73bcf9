//! Runs a build step only if its output is out of date.
//!
//! Like `make`, this compares modification times. The reference time is taken *before* the step and kept in a
//! file, so an input saved while the step is running counts as newer than the output. Folders are compared as
//! well as files, to notice a deleted or renamed input.

#![expect(clippy::disallowed_methods, reason = "file times come from the system clock")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::repository::Repository;

/// A build step that produces outputs from inputs.
#[derive(Debug)]
pub(crate) struct Step {
    /// A file whose modification time is the start time of the last successful run.
    stamp: PathBuf,
    /// Files, and folders with their contents; missing ones are ignored.
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

impl Step {
    pub(crate) fn new(
        repository: &Repository,
        name: &str,
        inputs: Vec<PathBuf>,
        outputs: Vec<PathBuf>,
    ) -> Step {
        Step { stamp: repository.target("xtask").join(name), inputs, outputs }
    }

    /// Runs the work unless the outputs exist and no input has changed since it last ran.
    pub(crate) fn run_if_stale(&self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        if self.is_fresh()? {
            return Ok(());
        }
        let start = SystemTime::now();
        work()?;
        self.mark(start).with_context(|| format!("{} cannot be written", self.stamp.display()))
    }

    fn is_fresh(&self) -> Result<bool> {
        if !self.outputs.iter().all(|output| output.exists()) {
            return Ok(false);
        }
        let Ok(stamp) = fs::metadata(&self.stamp) else { return Ok(false) };
        let started = stamp.modified()?;
        for input in &self.inputs {
            if newest(input)?.is_some_and(|changed| changed > started) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn mark(&self, start: SystemTime) -> Result<()> {
        fs::create_dir_all(self.stamp.parent().context("the stamp has no parent folder")?)?;
        File::create(&self.stamp)?.set_modified(start)?;
        Ok(())
    }
}

/// Returns the latest modification time of a path and its contents; `None` if it does not exist.
fn newest(path: &Path) -> Result<Option<SystemTime>> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(None) };
    let mut newest_here = metadata.modified()?;
    if metadata.is_dir() {
        for entry in fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))? {
            newest_here = newest_here.max(newest(&entry?.path())?.unwrap_or(newest_here));
        }
    }
    Ok(Some(newest_here))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;

    /// A step that makes `out` from `src/` and `lock`. It ran a minute ago, on inputs an hour old.
    struct StepFixture {
        folder: TempDir,
        step: Step,
    }

    impl StepFixture {
        fn new() -> StepFixture {
            let folder = TempDir::new().unwrap();
            let path = |name: &str| folder.path().join(name);
            fs::create_dir_all(path("src/deep")).unwrap();
            for file in ["src/deep/a", "src/b", "lock", "out"] {
                File::create(path(file)).unwrap();
            }
            let step = Step {
                stamp: path("stamps/step"),
                inputs: vec![path("src"), path("lock"), path("absent")],
                outputs: vec![path("out")],
            };
            let fixture = StepFixture { folder, step };
            for input in ["src/deep/a", "src/deep", "src/b", "src", "lock"] {
                fixture.touch(input, 3600);
            }
            fixture.step.mark(SystemTime::now() - Duration::from_mins(1)).unwrap();
            fixture
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn touch(&self, name: &str, seconds_ago: u64) {
            let time = SystemTime::now() - Duration::from_secs(seconds_ago);
            File::open(self.path(name)).unwrap().set_modified(time).unwrap();
        }

        #[track_caller]
        fn assert_fresh(&self, expected: bool) {
            assert_eq!(self.step.is_fresh().unwrap(), expected);
        }
    }

    #[test]
    fn unchanged_inputs_are_fresh() {
        StepFixture::new().assert_fresh(true);
    }

    #[test]
    fn a_changed_file_deep_in_an_input_folder_makes_the_step_stale() {
        let fixture = StepFixture::new();
        fixture.touch("src/deep/a", 10);
        fixture.assert_fresh(false);
    }

    #[test]
    fn an_input_changed_before_the_step_began_leaves_it_fresh() {
        let fixture = StepFixture::new();
        fixture.touch("lock", 61);
        fixture.assert_fresh(true);
    }

    #[test]
    fn a_deleted_input_makes_the_step_stale() {
        let fixture = StepFixture::new();
        fs::remove_file(fixture.path("src/b")).unwrap();
        fixture.assert_fresh(false);
    }

    #[test]
    fn a_missing_output_makes_the_step_stale() {
        let fixture = StepFixture::new();
        fs::remove_file(fixture.path("out")).unwrap();
        fixture.assert_fresh(false);
    }

    #[test]
    fn outputs_without_a_stamp_are_stale() {
        let fixture = StepFixture::new();
        fs::remove_file(fixture.path("stamps/step")).unwrap();
        fixture.assert_fresh(false);
    }

    #[test]
    fn an_input_saved_while_the_step_runs_makes_it_stale() {
        let fixture = StepFixture::new();
        fs::remove_file(fixture.path("out")).unwrap();
        let work = || {
            File::create(fixture.path("out"))?;
            let later = SystemTime::now() + Duration::from_secs(1);
            Ok(File::open(fixture.path("lock"))?.set_modified(later)?)
        };
        fixture.step.run_if_stale(work).unwrap();
        fixture.assert_fresh(false);
    }

    #[test]
    fn a_fresh_step_does_not_run_and_a_stale_one_runs_once() {
        let fixture = StepFixture::new();
        fixture.step.run_if_stale(|| panic!("ran although it was fresh")).unwrap();
        fs::remove_file(fixture.path("out")).unwrap();
        fixture
            .step
            .run_if_stale(|| {
                File::create(fixture.path("out"))?;
                Ok(())
            })
            .unwrap();
        fixture.step.run_if_stale(|| panic!("ran twice")).unwrap();
    }

    #[test]
    fn a_failed_step_stays_stale() {
        let fixture = StepFixture::new();
        fixture.touch("lock", 10);
        fixture.step.run_if_stale(|| anyhow::bail!("no")).unwrap_err();
        fixture.assert_fresh(false);
    }
}
