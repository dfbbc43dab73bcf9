//! Checks that the rules page, `RULES.md`, gives a reason for each decided clause, and that the tests named
//! there exist.

use std::{collections::BTreeSet, fs, path::Path};

/// Adds the names of all private functions, including tests, in the sources under a folder.
fn functions_below(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let names = text.lines().filter_map(|line| {
                let line = line.trim();
                line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?.split_once('(')
            });
            found.extend(names.map(|(name, _)| name.to_owned()));
        }
    }
}

fn page() -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("RULES.md");
    let page = fs::read_to_string(path).expect("the rules page");
    let (clauses, decisions) = page.split_once("## Decisions").expect("a list of decisions");
    (clauses.to_owned(), decisions.to_owned())
}

#[test]
fn every_decision_names_a_test_that_exists() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["rules", "notation", "winnable", "game", "server"].map(|name| crates.join(name));
    if folders.iter().any(|folder| !folder.is_dir()) {
        // In the published package the other crates are missing; in CI they must be present.
        assert!(std::env::var_os("CI").is_none(), "the other crates, whose tests are named, are missing");
        return;
    }
    let mut tests = BTreeSet::new();
    for folder in folders {
        functions_below(&folder.join("src"), &mut tests);
        functions_below(&folder.join("tests"), &mut tests);
    }
    let (_, decisions) = page();
    let mut checked = 0;
    for decision in decisions.split("\n### ").skip(1) {
        let title = decision.lines().next().unwrap_or_default();
        let (_, named) = decision.split_once("- Tests: ").unwrap_or_else(|| panic!("{title}: no test"));
        for name in named.split('`').skip(1).step_by(2) {
            assert!(tests.contains(name), "{title}: test {name} does not exist");
            checked += 1;
        }
    }
    assert!(checked >= 60, "only {checked} tests are named");
}

#[test]
fn every_decided_clause_gives_its_reason() {
    let (clauses, decisions) = page();
    let titles: Vec<_> =
        decisions.split("\n### ").skip(1).filter_map(|decision| decision.split_once(':')).collect();
    let (mut clause, mut decided) = ("", 0);
    for line in clauses.lines() {
        if let Some((id, _)) = line.strip_prefix("- ").and_then(|line| line.split_once(' ')) {
            clause = id;
        }
        if line.contains("**(decided") && !clause.is_empty() {
            let named = |title: &str| title.split([' ', ',']).any(|word| word == clause);
            assert!(titles.iter().any(|(title, _)| named(title)), "no reason is given for {clause}");
            decided += 1;
        }
    }
    assert!(decided >= 7, "only {decided} decisions");
}
