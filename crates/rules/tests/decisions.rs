//! The page of decisions names the tests that hold them; they must exist.

use std::{collections::BTreeSet, fs, path::Path};

/// Returns the names of all test functions below a folder.
fn tests_below(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let names = text.lines().filter_map(|line| line.trim().strip_prefix("fn ")?.split_once('('));
            found.extend(names.map(|(name, _)| name.to_owned()));
        }
    }
}

#[test]
fn every_decision_is_held_by_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(page) = fs::read_to_string(root.join("../../docs/rules-decisions.md")) else {
        eprintln!("skipped: the page of decisions is not part of the published crate");
        return;
    };
    let mut tests = BTreeSet::new();
    tests_below(&root.join("tests"), &mut tests);
    let (_, decisions) = page.split_once("## Decisions").expect("a list of decisions");
    let mut checked = 0;
    for decision in decisions.split("\n### ").skip(1) {
        let title = decision.lines().next().unwrap_or_default();
        let (_, named) = decision.split_once("- Tests: ").unwrap_or_else(|| panic!("{title}: no test"));
        for name in named.split('`').skip(1).step_by(2) {
            assert!(tests.contains(name), "{title}: there is no test {name}");
            checked += 1;
        }
    }
    assert!(checked >= 12, "only {checked} tests are named");
}
