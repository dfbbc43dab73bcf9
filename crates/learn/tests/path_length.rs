//! Checks that a newcomer can learn a game in one sitting: read the rule page up to the section on how the
//! game ends, and solve the drills that are not optional.

use std::{fs, path::Path};

use adoube_learn::drills;
use adoube_rules::Variant;

/// A newcomer's reading speed, in words per minute, including the time to look at diagrams.
const WORDS_PER_MINUTE: usize = 200;
/// Seconds for a drill, including the time to read its texts.
const SECONDS_PER_DRILL: usize = 40;
const MAX_MINUTES: usize = 45;

/// Returns a rule page up to and including the section on how the game ends. The later sections, such as
/// touch-move, notation and sources, are not needed for a first game.
fn needed_to_play(page: &str) -> &str {
    let after_end = |at: usize| page[at..].find("\n## ").map_or(page.len(), |next| at + next);
    page.find("{#end}").map_or(page, |at| &page[..after_end(at)])
}

/// Counts words. The names of headings, clauses, diagrams and addresses do not count as words.
fn words(page: &str) -> usize {
    let mut text = String::new();
    let mut hidden_until = None;
    let mut before = ' ';
    for each in page.chars() {
        match (hidden_until, each) {
            (Some(end), _) if each == end => hidden_until = None,
            (Some(_), _) => {}
            (None, '{') => hidden_until = Some('}'),
            (None, '(') if before == ']' => hidden_until = Some(')'),
            (None, _) => text.push(each),
        }
        before = each;
    }
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

#[test]
fn words_are_counted_without_names_and_addresses() {
    assert_eq!(words("## The *end* {#end}\n\nMate wins; see [chess](/rules/chess#mate). {B13}\n"), 6);
    assert_eq!(needed_to_play("a\n## b {#end}\nc\n### d\n## e\nf"), "a\n## b {#end}\nc\n### d");
}

#[test]
fn the_path_of_each_game_takes_at_most_45_minutes() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for variant in Variant::ALL {
        for language in ["fr", "en", "es"] {
            let page = fs::read_to_string(games.join(format!("{variant}/rules.{language}.md"))).unwrap();
            let reading = words(needed_to_play(&page)) * 60 / WORDS_PER_MINUTE;
            let seconds =
                reading + drills(variant).iter().filter(|drill| !drill.optional).count() * SECONDS_PER_DRILL;
            println!("{variant}, {language}: {} min {} s", seconds / 60, seconds % 60);
            assert!(seconds <= MAX_MINUTES * 60, "{variant}, {language}: {seconds} s");
        }
    }
}
