//! Checks that a game's rule page contains every statement in its sources, in each language and under the
//! right heading.
//!
//! The statements are listed in `games/GAME/statements.toml`; not every game has such a list. The test fails
//! if an edit to a page loses a statement. An edit that rewords one must update the list as well.

use std::{collections::BTreeMap, fs, path::Path};

use adoube_rules::Variant;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    statement: Vec<Statement>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    /// The id of the second-level heading; empty for the text before the first one.
    under: String,
    /// The statement, for readers of the list.
    says: String,
    /// The words on the page in each language.
    fr: String,
    en: String,
    es: String,
}

/// Returns the text under each second-level heading, by the heading's id.
fn sections(page: &str) -> BTreeMap<String, String> {
    let mut sections = BTreeMap::new();
    let mut name = String::new();
    let mut text = String::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let id = heading.rsplit_once("{#").map_or(heading, |(_, id)| id.trim_end_matches('}'));
            sections.insert(std::mem::replace(&mut name, id.to_owned()), one_line(&text));
            text.clear();
        }
        text.push_str(line);
        text.push('\n');
    }
    sections.insert(name, one_line(&text));
    sections
}

/// Joins wrapped lines. Non-breaking spaces are kept.
fn one_line(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_statement_of_the_sources_is_on_the_rule_page() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut lost = Vec::new();
    let mut lists = 0;
    for variant in Variant::ALL {
        let folder = games.join(variant.name());
        let Ok(list) = fs::read_to_string(folder.join("statements.toml")) else { continue };
        lists += 1;
        let File { statement } = toml::from_str(&list).unwrap_or_else(|error| panic!("{variant}: {error}"));
        let page = |language| fs::read_to_string(folder.join(format!("rules.{language}.md"))).unwrap();
        let pages = ["fr", "en", "es"].map(|language| (language, sections(&page(language))));
        for Statement { under, says, fr, en, es } in &statement {
            for ((language, sections), words) in pages.iter().zip([fr, en, es]) {
                if !sections.get(under).is_some_and(|text| text.contains(words)) {
                    lost.push(format!("{variant}, {language}, under {under:?}: {says}: {words:?}"));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} statements are missing:\n{}", lost.len(), lost.join("\n"));
    assert!(lists >= 3, "only {lists} games have a list of statements");
}
