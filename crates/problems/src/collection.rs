//! The built-in problems.

use std::sync::LazyLock;

use adoube_rules::Variant;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Theme;

/// The goal of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Win within the given number of turns. Exactly one first turn has been proved to do so.
    Win,
    /// Find the turn that the engine judges to be clearly better than all others.
    Gain,
}

/// A problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Eight hexadecimal digits, computed from the position.
    pub id: String,
    /// The position, with the solver to move.
    pub fen: String,
    /// The goal.
    pub goal: Goal,
    /// The number of the solver's turns, 1 to 4.
    pub turns: u8,
    /// Turns in coordinate notation, starting and ending with the solver's. In a win, the opponent's turns
    /// are those that resist longest.
    pub line: Vec<String>,
    /// The estimated difficulty, on the scale of the solvers' ratings.
    pub rating: u16,
    /// The opponent's turn that led to the position; `None` in older problems, which do not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<PreviousTurn>,
    /// The themes of the solution, as found by [`themes`](crate::themes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<Theme>,
    /// Whether the problem is no longer offered. It can still be opened by its id.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retired: bool,
}

/// The turn that led to the position of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreviousTurn {
    /// The position in which the turn was played.
    pub fen: String,
    /// The turn, in coordinate notation.
    pub turn: String,
}

/// An error in a collection. It cannot occur in the built-in collections, which a test reads.
#[derive(Debug, Error)]
#[error("line {line}: {error}")]
pub struct ReadProblemsError {
    /// The line number, starting from 1.
    line: usize,
    /// The reason why the line is not valid.
    error: serde_json::Error,
}

/// Returns the built-in problems of a variant, easiest first.
pub fn problems(variant: Variant) -> &'static [Problem] {
    static ALL: LazyLock<[Vec<Problem>; Variant::COUNT]> = LazyLock::new(|| {
        // A test checks that every collection can be read.
        Variant::ALL.map(|variant| read(source(variant)).unwrap_or_default())
    });
    &ALL[variant.index()]
}

/// Returns the built-in problem of a variant with this id.
pub fn problem(variant: Variant, id: &str) -> Option<&'static Problem> {
    problems(variant).iter().find(|problem| problem.id == id)
}

const fn source(variant: Variant) -> &'static str {
    adoube_content::of!(variant, "problems.jsonl")
}

/// Reads a collection: one problem per line, as JSON.
pub fn read(text: &str) -> Result<Vec<Problem>, ReadProblemsError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line)| {
        serde_json::from_str(line).map_err(|error| ReadProblemsError { line: index + 1, error })
    };
    lines.map(read).collect()
}
