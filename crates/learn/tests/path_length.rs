//! Checks that a newcomer can learn a game in one sitting: read the sections of the chess rules to which its
//! rule page refers, then that page up to the section on how the game ends, and solve the drills that are not
//! optional.

use std::{fs, path::Path};

use adoube_learn::drills;
use adoube_rules::Variant;

/// The reading speed of a reader who is new to these rules, in words per minute. Easy prose is read at 240 or
/// more.
const WORDS_PER_MINUTE: usize = 180;
/// Seconds to look at a diagram, in addition to reading its caption.
const SECONDS_PER_DIAGRAM: usize = 6;
/// Seconds for a drill, including the time to read it.
const SECONDS_PER_DRILL: usize = 40;
/// The promised 45 minutes less a margin for readers who are slower than these estimates.
const MAX_MINUTES: usize = 42;

/// Returns a rule page up to and including the section on how the game ends. The later sections, such as
/// touch-move, notation and sources, are not needed for a first game.
fn needed_to_play(page: &str) -> &str {
    let after_end = |at: usize| page[at..].find("\n## ").map_or(page.len(), |next| at + next);
    page.find("{#end}").map_or(page, |at| &page[..after_end(at)])
}

/// Returns the names of the sections about chess that a page refers to at its beginning: in the paragraph
/// after its first second-level heading.
fn chess_to_read_first(page: &str) -> Vec<&str> {
    let start = page.find("\n## ").expect("a page has sections");
    let paragraph = page[start..].split("\n\n").nth(1).unwrap_or_default();
    let links = paragraph.split("](/rules/chess#").skip(1);
    links.filter_map(|link| link.split(')').next()).collect()
}

/// Returns a second-level section with its heading.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let has_name =
        |text: &&str| text.lines().next().is_some_and(|line| line.ends_with(&format!("{{#{name}}}")));
    page.split("\n## ").find(has_name).unwrap_or_else(|| panic!("no section {name}"))
}

/// Counts words, leaving out the ids of clauses, addresses, and the names of headings and diagrams.
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

/// Returns the time in seconds to read a text and look at its diagrams.
fn reading(text: &str) -> usize {
    words(text) * 60 / WORDS_PER_MINUTE + text.matches("](diagram:").count() * SECONDS_PER_DIAGRAM
}

#[test]
fn words_are_counted_without_names_and_addresses() {
    assert_eq!(words("## The *end* {#end}\n\nMate wins; see [chess](/rules/chess#mate). {B13}\n"), 6);
    assert_eq!(needed_to_play("a\n## b {#end}\nc\n### d\n## e\nf"), "a\n## b {#end}\nc\n### d");
}

#[test]
fn diagrams_are_counted_in_addition_to_their_captions() {
    assert_eq!(reading("![The bishop takes.](diagram:one)\n![](man:king)\n"), 1 + SECONDS_PER_DIAGRAM);
}

#[test]
fn sections_of_chess_are_found_by_their_names() {
    let page =
        "# A\n\n## B {#b}\n\nFirst [c](/rules/chess#c) and [d\ne](/rules/chess#d).\n\n[f](/rules/chess#f)\n";
    assert_eq!(chess_to_read_first(page), ["c", "d"]);
    assert_eq!(
        section("# A\n\n## C {#c}\n\none\n\n### E {#e}\n\ntwo\n\n## D {#d}\n", "c"),
        "C {#c}\n\none\n\n### E {#e}\n\ntwo\n"
    );
}

#[test]
fn the_path_of_each_game_takes_at_most_45_minutes() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let page = |variant: Variant, language: &str| {
        fs::read_to_string(games.join(format!("{variant}/rules.{language}.md"))).unwrap()
    };
    for variant in Variant::ALL {
        let required = drills(variant).iter().filter(|drill| !drill.optional).count();
        for language in ["fr", "en", "es"] {
            let own = page(variant, language);
            let chess = page(Variant::Chess, language);
            let sections = chess_to_read_first(&own);
            assert_eq!(sections.is_empty(), variant == Variant::Chess, "{variant}, {language}: {sections:?}");
            let first: usize = sections.iter().map(|name| reading(section(&chess, name))).sum();
            let seconds = first + reading(needed_to_play(&own)) + required * SECONDS_PER_DRILL;
            println!("{variant}, {language}: {} min {} s, {first} s for chess", seconds / 60, seconds % 60);
            assert!(seconds <= MAX_MINUTES * 60, "{variant}, {language}: {seconds} s");
        }
    }
}
