//! Checks the list of large files in `ARCHITECTURE.md`: a source file has at most [`MAX_LINES`] lines,
//! unless it implements a single idea, which the list then states.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::repository::Repository;

/// The maximum number of lines in a source file, including comments. Test files are not checked.
const MAX_LINES: usize = 500;

const HEADING: &str = "## Files over 500 lines";

/// Generated files.
const GENERATED: &[&str] = &["web/src/lib/i18n/messages.ts"];

/// Fails if a large file is not in the list, or the list names a file that is not large.
pub(crate) fn large_files(repository: &Repository) -> Result<()> {
    let mut large = BTreeMap::new();
    for folder in ["crates", "xtask/src", "web/src"] {
        measure(&repository.path(folder), folder, &mut large)?;
    }
    let text = fs::read_to_string(repository.path("ARCHITECTURE.md"))?;
    let listed = listed_files(&text).context("ARCHITECTURE.md has no list of large files")?;
    let unlisted = large
        .iter()
        .filter(|(file, _)| !listed.contains(&file.as_str()))
        .map(|(file, lines)| format!("{file} has {lines} lines: split it, or list it with its one idea"));
    let outdated = listed
        .iter()
        .filter(|file| !large.contains_key(**file))
        .map(|file| format!("{file} has at most {MAX_LINES} lines, or is gone: remove it from the list"));
    let wrong: Vec<String> = unlisted.chain(outdated).collect();
    if !wrong.is_empty() {
        bail!("\"{}\" in ARCHITECTURE.md does not match the files:\n{}", &HEADING[3..], wrong.join("\n"));
    }
    Ok(())
}

/// Adds the large source files in a folder and its subfolders to `large`, which maps paths in the repository
/// to numbers of lines.
fn measure(folder: &Path, path: &str, large: &mut BTreeMap<String, usize>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{path}/{name}");
        if entry.file_type()?.is_dir() {
            if !is_skipped(&name) {
                measure(&entry.path(), &path, large)?;
            }
        } else if is_source(&name) && !GENERATED.contains(&path.as_str()) {
            let lines = fs::read_to_string(entry.path())?.lines().count();
            if lines > MAX_LINES {
                large.insert(path, lines);
            }
        }
    }
    Ok(())
}

fn is_skipped(folder: &str) -> bool {
    ["tests", "benches", "fuzz", "node_modules", "target"].contains(&folder)
}

fn is_source(file: &str) -> bool {
    let is_code = [".rs", ".ts", ".svelte", ".css"].iter().any(|end| file.ends_with(end));
    is_code && file != "tests.rs" && !file.ends_with(".test.ts")
}

/// Returns the files that the list names: the first code span in each row of its table.
fn listed_files(text: &str) -> Option<Vec<&str>> {
    let (_, list) = text.split_once(HEADING)?;
    let list = list.split_once("\n## ").map_or(list, |(list, _)| list);
    Some(
        list.lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
            .map(|(file, _)| file)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_large_files_is_up_to_date() {
        large_files(&Repository::find().unwrap()).unwrap();
    }

    #[test]
    fn the_list_ends_with_its_section() {
        let text = "## Files over 500 lines\n\n| file | idea |\n|---|---|\n| `a.rs` | one |\n\n## Next\n\n| `b.rs` | x |\n";
        assert_eq!(listed_files(text), Some(vec!["a.rs"]));
        assert_eq!(listed_files("## Map\n"), None);
    }

    #[test]
    fn tests_and_data_are_not_source() {
        assert!(is_source("hall.rs") && is_source("Board.svelte"));
        for file in ["tests.rs", "board.test.ts", "drills.toml", "0001.sql"] {
            assert!(!is_source(file), "{file}");
        }
    }
}
