//! The problems that come with the program.

use std::sync::LazyLock;

use adoube_rules::Variant;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The goal of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// To win within the given turns; it is proved that exactly one first turn does.
    Win,
    /// To find the one turn that is clearly better than all others, by the judgement of the engine.
    Gain,
}

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Eight hexadecimal digits, from the position.
    pub id: String,
    /// The position; the side to move solves.
    pub fen: String,
    /// The goal.
    pub goal: Goal,
    /// The number of turns of the solver, 1 to 4.
    pub turns: u8,
    /// Turns in coordinates, the solver's first and last. Those of the other side resist longest.
    pub line: Vec<String>,
    /// Its estimated difficulty, on the scale of the solvers' ratings.
    pub rating: u16,
}

/// A reason why a collection cannot be read. Those shipped are part of the program, so only a test ever sees it.
#[derive(Debug, Error)]
#[error("line {line}: {error}")]
pub struct ReadProblemsError {
    /// The line, 1 for the first.
    line: usize,
    /// The problem with it.
    error: serde_json::Error,
}

/// Returns the problems of a game that come with the program, the easiest first.
pub fn problems(variant: Variant) -> &'static [Problem] {
    static ALL: LazyLock<[Vec<Problem>; Variant::COUNT]> = LazyLock::new(|| {
        // A test reads every collection.
        Variant::ALL.map(|variant| read(source(variant)).unwrap_or_default())
    });
    &ALL[variant.index()]
}

/// Returns the shipped problem of a game with this id.
pub fn problem(variant: Variant, id: &str) -> Option<&'static Problem> {
    problems(variant).iter().find(|problem| problem.id == id)
}

const fn source(variant: Variant) -> &'static str {
    adoube_content::of!(variant, "problems.jsonl")
}

/// Reads a collection: one problem a line, as JSON.
pub fn read(text: &str) -> Result<Vec<Problem>, ReadProblemsError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line)| {
        serde_json::from_str(line).map_err(|error| ReadProblemsError { line: index + 1, error })
    };
    lines.map(read).collect()
}
