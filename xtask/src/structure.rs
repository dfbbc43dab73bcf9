//! Checks two statements in `ARCHITECTURE.md`: games are named only in their own files, and the table of
//! crates is up to date.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::repository::Repository;

/// Places that may name a game although they are not its own files, each with the reason.
const ALLOWED: &[(&str, &str)] = &[
    ("rules/src/variant.rs", "the list"),
    ("rules/src/lib.rs", "the list, in examples"),
    ("rules/src/variant/baroque.rs", "one of this game's PGN names is the name of another game here"),
    ("winnable/src", "it supports one game and, with a few lemmas, another"),
    ("cli/src/commands/winnable.rs", "the command for chess"),
    ("bench/src", "comparisons with programs that support only one game"),
    ("load/src", "probes and attacks that play one game"),
    ("server/src/auth/password_rules.rs", "words that make a poor password on this site"),
    ("store/src/contract", "the store contract test"),
];

/// Fails if the code names a game anywhere but in its own files, the places in [`ALLOWED`], and tests.
pub(crate) fn games(repository: &Repository) -> Result<()> {
    let list = fs::read_to_string(repository.path("crates/rules/src/variant.rs"))?;
    let games: Vec<Game> = list.lines().filter_map(Game::of_line).collect();
    if games.len() < 3 {
        bail!("the list of games in crates/rules/src/variant.rs cannot be read");
    }
    let mut found = Vec::new();
    for crate_ in fs::read_dir(repository.path("crates"))? {
        let source = crate_?.path().join("src");
        if source.is_dir() {
            find_names(&source, &repository.path("crates"), &games, &mut found)?;
        }
    }
    find_names(&repository.path("xtask/src"), &repository.path("."), &games, &mut found)?;
    found.sort();
    if !found.is_empty() {
        bail!(
            "a game is named outside its own files; use `Variant::info`, or the position:\n{}",
            found.join("\n")
        );
    }
    Ok(())
}

#[derive(Debug)]
struct Game {
    variant: String,
    module: String,
    position: String,
    name: String,
}

impl Game {
    /// Reads a line of the list, such as `Chess = chess::Chess, "chess";`.
    fn of_line(line: &str) -> Option<Self> {
        let (variant, rest) = line.trim().strip_suffix("\";")?.split_once(" = ")?;
        let (path, name) = rest.split_once(", \"")?;
        let (module, position) = path.split_once("::")?;
        let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        [variant, module, position].iter().all(|text| is_name(text)).then(|| Self {
            variant: variant.into(),
            module: module.into(),
            position: position.into(),
            name: name.into(),
        })
    }

    /// Returns `true` if a file belongs to this game.
    fn owns(&self, file: &Path) -> bool {
        file.iter().any(|part| {
            let part = part.to_string_lossy();
            part == self.module.as_str() || part.strip_suffix(".rs") == Some(&self.module)
        })
    }

    fn is_named_in(&self, line: &str) -> bool {
        let Self { variant, module, position, name } = self;
        if line.contains(&format!("\"{name}\"")) {
            return true;
        }
        let words = || line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        words().any(|word| {
            word == position
                || word.ends_with(&format!("Variant::{variant}"))
                || word.ends_with(&format!("AnyPosition::{variant}"))
                || word.contains(&format!("variant::{module}"))
        })
    }
}

fn find_names(folder: &Path, crates: &Path, games: &[Game], found: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_names(&path, crates, games, found)?;
            continue;
        }
        // Tests may name games.
        if path.ends_with("tests.rs") {
            continue;
        }
        let name = path.strip_prefix(crates)?;
        if ALLOWED.iter().any(|(place, _)| name.starts_with(place)) {
            continue;
        }
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        // Skip files that are not text, such as keys.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            // The unit tests at the end of a file may name games too.
            if line.starts_with("mod tests {") {
                break;
            }
            let code = line.trim_start();
            let is_comment = code.starts_with("//");
            let named = games.iter().find(|game| !is_comment && game.is_named_in(line) && !game.owns(name));
            if named.is_some() {
                found.push(format!("{}:{number}: {code}", name.display()));
            }
        }
    }
    Ok(())
}

const BEGIN: &str = "<!-- crates: written by `cargo xtask lint` -->\n";
const END: &str = "<!-- end of crates -->\n";

/// Compares the table of crates in `ARCHITECTURE.md` with the manifests. If they differ, rewrites the
/// table and fails.
pub(crate) fn crate_table(repository: &Repository) -> Result<()> {
    let table = table(&uses(repository)?);
    let file = repository.path("ARCHITECTURE.md");
    let text = fs::read_to_string(&file)?;
    let whole = || {
        let (before, rest) = text.split_once(BEGIN)?;
        let (_, after) = rest.split_once(END)?;
        Some(format!("{before}{BEGIN}{table}{END}{after}"))
    };
    let whole = whole().context("ARCHITECTURE.md has no markers for the table of crates")?;
    if whole != text {
        fs::write(&file, whole)?;
        bail!("the table of crates in ARCHITECTURE.md was out of date and has been rewritten");
    }
    Ok(())
}

/// Returns the crates of the workspace that each crate depends on, without dev-dependencies.
fn uses(repository: &Repository) -> Result<BTreeMap<String, Vec<String>>> {
    let mut uses = BTreeMap::new();
    for entry in fs::read_dir(repository.path("crates"))? {
        let folder = entry?.path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut section = "";
        let mut used = Vec::new();
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
            }
            if section.ends_with("dependencies]")
                && !section.contains("dev-")
                && let Some(rest) = line.strip_prefix("adoube-")
            {
                used.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect());
            }
        }
        used.sort();
        uses.insert(name, used);
    }
    Ok(uses)
}

/// Formats the table: each crate is listed below its dependencies.
fn table(uses: &BTreeMap<String, Vec<String>>) -> String {
    let mut text = String::from("\n| crate | uses |\n|---|---|\n");
    let mut listed: Vec<&String> = Vec::new();
    while listed.len() < uses.len() {
        let next = uses
            .iter()
            .find(|(name, used)| !listed.contains(name) && used.iter().all(|used| listed.contains(&used)));
        // Cargo refuses cycles.
        let Some((name, used)) = next else { break };
        let used = used.iter().map(|used| format!("`{used}`")).collect::<Vec<_>>().join(", ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{name}` | {} |", if used.is_empty() { "–" } else { &used });
        listed.push(name);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> Game {
        Game::of_line("            Chess = chess::Chess, \"chess\";").expect("a line in the list")
    }

    #[test]
    fn detects_a_game_named_in_a_line() {
        for line in [
            "if variant == Variant::Chess {",
            "AnyPosition::Chess(position) => 1,",
            "use adoube_rules::variant::chess::role;",
            "let start = initial(\"chess\");",
            "fn of(position: &Chess) {",
        ] {
            assert!(chess().is_named_in(line), "{line}");
        }
        for line in ["Self::CHESS", "let chess = 1;", "Variant::Chessboard", "is_chess_like(ChessLike)"] {
            assert!(!chess().is_named_in(line), "{line}");
        }
    }

    #[test]
    fn games_are_named_only_in_their_own_files() {
        games(&Repository::find().unwrap()).unwrap();
    }

    #[test]
    fn a_game_owns_the_files_named_after_it() {
        for (file, owned) in [
            ("rules/src/variant/chess.rs", true),
            ("engine/src/game/chess/endings.rs", true),
            ("rules/src/explain/chess.rs", true),
            ("engine/src/game/baroque.rs", false),
            ("rules/src/position.rs", false),
        ] {
            assert_eq!(chess().owns(Path::new(file)), owned, "{file}");
        }
    }

    #[test]
    fn dependencies_are_listed_first() {
        let uses = BTreeMap::from([
            ("a".to_owned(), vec!["c".to_owned()]),
            ("b".to_owned(), vec!["a".to_owned(), "c".to_owned()]),
            ("c".to_owned(), Vec::new()),
        ]);
        assert_eq!(
            table(&uses),
            "\n| crate | uses |\n|---|---|\n| `c` | – |\n| `a` | `c` |\n| `b` | `a`, `c` |\n\n"
        );
    }
}
