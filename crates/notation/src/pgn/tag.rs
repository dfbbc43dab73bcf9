//! Tags, and the result of a game.

use std::{fmt, str::FromStr};

use adoube_rules::{Color, Outcome};

/// The seven tags of every game, in the order of the PGN standard, with the value for "not known".
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Tags that a [`Game`](super::Game) holds as its start position, variant and result.
pub(super) const DERIVED: [&str; 4] = ["FEN", "Result", "SetUp", "Variant"];

/// Longest name of a tag.
const MAX_NAME: usize = 255;

/// A name that no tag can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} cannot name a tag; a name is a letter or digit, then letters, digits, \"_\", \"+\", \"#\", \"=\", \":\" and \"-\""
)]
pub struct TagNameError(pub String);

/// Tags of a game, each name once.
///
/// What a [`Game`](super::Game) holds otherwise (`Result`, `Variant`, `SetUp`, `FEN`) is not among its tags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Returns no tags.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag. In the value, characters that a line cannot hold become spaces.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagNameError> {
        if !is_name(name) {
            return Err(TagNameError(name.chars().take(MAX_NAME).collect()));
        }
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Removes a tag, and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
    }

    /// Returns names and values in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

pub(super) fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_name_char)
}

pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-')
}

/// Result of a game, as its tag and its last word say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// One side has won.
    Won(Color),
    /// Nobody has won.
    Draw,
    /// The game goes on, or nobody knows.
    #[default]
    Unknown,
}

impl GameResult {
    /// All results, with their text.
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

/// Text that is no result of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no result; results are 1-0, 0-1, 1/2-1/2 and *")]
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

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        outcome.winner().map_or(Self::Draw, Self::Won)
    }
}
