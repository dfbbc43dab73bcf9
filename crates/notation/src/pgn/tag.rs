//! Tags, and the result of a game.

use std::{fmt, str::FromStr};

use adoube_rules::{Color, Outcome};

use super::lexer;

/// The seven tags of every game, in the order of the PGN standard, with the value for "unknown".
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Tags that a [`Game`](super::Game) stores as its start position, variant and result.
pub(super) const DERIVED: [&str; 4] = ["FEN", "Result", "SetUp", "Variant"];

/// The value of the `Variant` tag for chess from a shuffled start. Stored among the tags only if the castling
/// rights of the start position do not show that it was shuffled.
pub(super) const CHESS960: &str = "Chess960";

/// The maximum length of a tag's name.
const MAX_NAME: usize = 255;

/// The maximum number of tags in a game. Programs write at most thirty.
pub const MAX_TAGS: usize = 256;

/// The maximum length of a tag's value, in bytes.
pub const MAX_TAG_VALUE: usize = 4096;

/// The reason why a tag cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TagError {
    /// The name is not a valid tag name.
    #[error(
        "{0:?} cannot name a tag; a name is a letter or digit, then letters, digits, \"_\", \"+\", \"#\", \"=\", \":\" and \"-\""
    )]
    Name(String),
    /// The game already has [`MAX_TAGS`] tags.
    #[error("a game can have at most {MAX_TAGS} tags")]
    TooMany,
}

/// The tags of a game, with distinct names.
///
/// A [`Game`](super::Game) that was read stores `Result`, `Variant`, `SetUp` and `FEN` in other fields. A
/// `Variant` tag is kept only if its value is `Chess960` and nothing in the start position shows this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Returns an empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag. Line breaks and other control characters in the value become spaces, and a value longer
    /// than [`MAX_TAG_VALUE`] is truncated.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_name(name) {
            return Err(TagError::Name(name.chars().take(MAX_NAME).collect()));
        }
        let value =
            truncate(value, MAX_TAG_VALUE).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let is_full = self.is_full();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None if is_full => return Err(TagError::TooMany),
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Returns `true` if there is no room for another tag.
    pub const fn is_full(&self) -> bool {
        self.0.len() >= MAX_TAGS
    }

    /// Removes a tag. Returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
    }

    /// Returns the names and values in the order in which the tags were first set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Returns the beginning of a string, at most `max` bytes.
pub(super) fn truncate(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

pub(super) fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_name_char)
}

pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-')
}

/// The result of a game, from its tag or its last word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// One side has won.
    Won(Color),
    /// A draw.
    Draw,
    /// The game continues, or its result is unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// All results with their text.
    pub(super) const ALL: [(Self, &'static str); 4] = [
        (Self::Won(Color::White), "1-0"),
        (Self::Won(Color::Black), "0-1"),
        (Self::Draw, "1/2-1/2"),
        (Self::Unknown, "*"),
    ];
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// The error for a string that is not the result of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a result; results are 1-0, 0-1, 1/2-1/2 and *")]
pub struct ParseGameResultError(pub String);

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|&(_, known)| known == text)
            .map(|(result, _)| result)
            .ok_or_else(|| ParseGameResultError(text.to_owned()))
    }
}

/// Returns the result in a tag, in any of its spellings: `1-0`, `1 - 0`, `½–½`, `1/2`. An empty value, `?`
/// and `-` mean "unknown", like `*`. `None` for anything else, such as `0-0`.
pub fn result_of_tag(value: &str) -> Option<GameResult> {
    let value: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    match value.as_str() {
        "" | "?" | "-" => Some(GameResult::Unknown),
        value => {
            let (result, length) = lexer::result(value.as_bytes())?;
            result.filter(|_| length == value.len())
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        outcome.winner().map_or(Self::Draw, Self::Won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_tags_are_read_in_any_spelling() {
        let (white, black) = (GameResult::Won(Color::White), GameResult::Won(Color::Black));
        for (value, result) in [
            ("1-0", Some(white)),
            (" 1 - 0 ", Some(white)),
            ("1–0", Some(white)),
            ("1:0", Some(white)),
            ("0−1", Some(black)),
            ("1/2-1/2", Some(GameResult::Draw)),
            ("1/2 - 1/2", Some(GameResult::Draw)),
            ("1/2", Some(GameResult::Draw)),
            ("½-½", Some(GameResult::Draw)),
            ("½ – ½", Some(GameResult::Draw)),
            ("0.5-0.5", Some(GameResult::Draw)),
            ("*", Some(GameResult::Unknown)),
            ("", Some(GameResult::Unknown)),
            ("?", Some(GameResult::Unknown)),
            ("0-0", None),
            ("1-0 forfeit", None),
            ("white", None),
            ("1-1", None),
        ] {
            assert_eq!(result_of_tag(value), result, "{value:?}");
        }
    }

    #[test]
    fn tags_are_bounded_in_number_and_length() {
        let mut tags = Tags::new();
        for number in 0..MAX_TAGS {
            tags.set(&format!("T{number}"), "x").unwrap();
        }
        assert_eq!(tags.set("Other", "x"), Err(TagError::TooMany));
        tags.set("T7", &"é".repeat(MAX_TAG_VALUE)).unwrap();
        assert_eq!(tags.get("T7").map(str::len), Some(MAX_TAG_VALUE));
        assert!(matches!(tags.set("White.Elo", "x"), Err(TagError::Name(_))));
    }
}
