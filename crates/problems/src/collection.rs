//! The problems that come with the program.

use std::sync::LazyLock;

use adoube_rules::Variant;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is to be done in a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// To win within so many turns, and there is one first turn that does: proved.
    Win,
    /// To find the one turn that is clearly better than all others: as the engine sees it.
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
    /// What is to be done.
    pub goal: Goal,
    /// Within how many turns of the solver, 1 to 4.
    pub turns: u8,
    /// Turns in coordinates, the solver's first and last. Those of the other side resist longest.
    pub line: Vec<String>,
    /// How hard it is thought to be, on the scale of the solvers' ratings.
    pub rating: u16,
}

/// Why a collection cannot be read. Those shipped are part of the program, so that only a test ever sees one.
#[derive(Debug, Error)]
#[error("line {line}: {error}")]
pub struct ReadProblemsError {
    /// Which line, 1 for the first.
    line: usize,
    /// What is wrong with it.
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

/// Returns the problem of that id among those of a game that come with the program.
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
