//! Checks a statement in `ARCHITECTURE.md`: the page contains no rules. Its source must not contain the
//! building blocks of rules: the name of a game or a man, arithmetic with squares, or a decision that depends
//! on the kind of an event.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::repository::Repository;

/// Generated files and drawings: they may contain anything.
const EXCLUDED_FILES: &[&str] = &[
    "lib/api",
    "lib/wasm",
    "lib/pieces",
    "lib/games.ts",
    "lib/rules-types.ts",
    "lib/game-types.ts",
    "lib/analysis-types.ts",
    "lib/i18n/messages.ts",
];

/// Exceptions, each with its reason. The check fails if an exception is no longer needed.
const ALLOWED: &[(&str, Sign, &str)] = &[
    ("lib/board/geometry.ts", Sign::Squares, "where a square is on the screen"),
    ("lib/account/push.ts", Sign::Squares, "decodes the bytes of a key"),
    ("lib/analysis/networks.ts", Sign::Game, "names the network that is too large for browsers"),
    ("lib/components/game/GameBoard.svelte", Sign::Man, "the king of the side that lost is laid down"),
    ("lib/game/fixtures.ts", Sign::Game, "test fixtures"),
    ("lib/game/announce.ts", Sign::Events, "the text of an announcement"),
    ("lib/game/game-state.svelte.ts", Sign::Events, "how an event changes what is shown"),
    ("lib/game/announcements.ts", Sign::Events, "which events are announced"),
];

/// An indication that a line contains a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// The line names a game.
    Game,
    /// The line names a man.
    Man,
    /// The line does arithmetic with the letters and digits of squares.
    Squares,
    /// The line contains a decision that depends on the kind of a game event.
    Events,
}

impl Sign {
    fn remedy(self) -> &'static str {
        match self {
            Self::Game => "a game is named; use `games` in lib/games.ts, which is generated from `GameInfo`",
            Self::Man => "a man is named; get its properties from `games` or the position",
            Self::Squares => {
                "squares are computed; lib/board/geometry.ts does that for the screen, the rules do it for games"
            }
            Self::Events => {
                "the decision depends on the kind of an event; get its effects from the `game` crate"
            }
        }
    }
}

/// The words that indicate a rule.
#[derive(Debug, Default)]
struct Words {
    games: Vec<String>,
    men: Vec<String>,
    events: Vec<String>,
}

impl Words {
    /// Reads these words from generated files.
    fn read(source: &Path) -> Result<Self> {
        let games = fs::read_to_string(source.join("lib/games.ts"))?;
        let events = fs::read_to_string(source.join("lib/api/GameEvent.ts"))?;
        let mut words = Self::default();
        for line in games.lines() {
            if let Some(name) = line.strip_prefix("  ").and_then(|line| line.strip_suffix(": {"))
                && !name.starts_with(' ')
            {
                words.games.push(name.to_owned());
            }
            if let Some((role, _)) = line.strip_prefix("      '").and_then(|line| line.split_once("': '")) {
                words.men.push(role.to_owned());
            }
        }
        // Some kinds are defined in another type, which is imported:
        // `import type { KeptEvent } from "./KeptEvent";`.
        let mut texts = vec![events.clone()];
        for name in events.lines().filter_map(|line| line.strip_prefix("import type { ")?.split(' ').next()) {
            if name.ends_with("Event") {
                texts.push(fs::read_to_string(source.join(format!("lib/api/{name}.ts")))?);
            }
        }
        for text in texts {
            let kinds = text.split("\"type\": \"").skip(1).filter_map(|rest| rest.split('"').next());
            words.events.extend(kinds.map(str::to_owned));
        }
        if words.games.len() < 3 || words.men.len() < 8 || words.events.len() < 8 {
            bail!("the names of games, men and events cannot be read from web/src/lib: {words:?}");
        }
        Ok(words)
    }

    /// Returns the signs of a rule in a line of code.
    fn signs(&self, line: &str) -> Vec<Sign> {
        let is_quoted = |word: &String| {
            ['\'', '"', '`'].iter().any(|quote| line.contains(&format!("{quote}{word}{quote}")))
        };
        let is_word = |name: &String| {
            line.split(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).any(|word| word == name)
        };
        let is_choice = ["case ", "type === ", "type !== "].iter().any(|choice| line.contains(choice));
        let letters = ["charCodeAt(", "codePointAt(", "fromCharCode(", "fromCodePoint("];
        [
            (Sign::Game, self.games.iter().any(is_word)),
            (Sign::Man, self.men.iter().any(is_quoted)),
            (Sign::Squares, letters.iter().any(|call| line.contains(call))),
            (Sign::Events, is_choice && self.events.iter().any(is_quoted)),
        ]
        .into_iter()
        .filter_map(|(sign, found)| found.then_some(sign))
        .collect()
    }
}

/// Fails if the page's source contains a sign of a rule.
pub(crate) fn no_rules(repository: &Repository) -> Result<()> {
    let source = repository.path("web/src");
    let words = Words::read(&source)?;
    let mut used = vec![false; ALLOWED.len()];
    let mut found = Vec::new();
    for_each_line(&source, &source, &mut |name, number, line| {
        for sign in words.signs(line) {
            match ALLOWED.iter().position(|(place, allowed, _)| name == *place && sign == *allowed) {
                Some(exception) => used[exception] = true,
                None => found.push(format!("web/src/{name}:{number}: {}\n  {}", sign.remedy(), line.trim())),
            }
        }
    })?;
    found.sort();
    for ((place, sign, _), _) in ALLOWED.iter().zip(used).filter(|(_, used)| !used) {
        found.push(format!("web/src/{place} does not need its exception for {sign:?} in xtask/src/page.rs"));
    }
    if !found.is_empty() {
        bail!("the page must not contain rules:\n{}", found.join("\n"));
    }
    Ok(())
}

/// Calls `visit` with the file name, the line number and the text of each line of code in a folder and its
/// subfolders.
fn for_each_line(folder: &Path, source: &Path, visit: &mut impl FnMut(&str, usize, &str)) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.strip_prefix(source)?.to_string_lossy().replace('\\', "/");
        if EXCLUDED_FILES.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            for_each_line(&path, source, visit)?;
        } else if path.extension().is_some_and(|kind| kind == "ts" || kind == "svelte")
            && !name.contains(".test.")
        {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            for (number, line) in (1..).zip(text.lines()) {
                let code = line.trim_start();
                if !["//", "/*", "*", "<!--"].iter().any(|comment| code.starts_with(comment)) {
                    visit(&name, number, line);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_recognised_by_their_parts() {
        let list = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let words = Words {
            games: list(&["chess", "baroque"]),
            men: list(&["king", "pincer-pawn"]),
            events: list(&["played", "draw-offered"]),
        };
        for (line, signs) in [
            ("if (variant === 'chess') {", vec![Sign::Game]),
            ("  baroque: { white: 1 },", vec![Sign::Game]),
            ("men.find(({ role }) => role === 'king')", vec![Sign::Man]),
            ("const file = square.charCodeAt(0) - 97;", vec![Sign::Squares]),
            ("    case 'draw-offered':", vec![Sign::Events]),
            ("if (event.type === \"played\") turns += 1;", vec![Sign::Events]),
            ("t('played')", vec![]),
            ("const chessboard = kings['x-chess-pgn'];", vec![]),
        ] {
            assert_eq!(words.signs(line), signs, "{line}");
        }
    }

    #[test]
    fn the_page_contains_no_rule() {
        no_rules(&Repository::find().unwrap()).unwrap();
    }

    #[test]
    fn reads_words_from_generated_files() {
        let words = Words::read(&Repository::find().unwrap().path("web/src")).unwrap();
        assert!(words.games.iter().any(|game| game == "interweave"), "{words:?}");
        assert!(words.men.iter().any(|man| man == "long-leaper"), "{words:?}");
        assert!(words.events.iter().any(|kind| kind == "taken-back"), "{words:?}");
    }
}
