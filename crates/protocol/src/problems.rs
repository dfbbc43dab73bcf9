//! Problems as the pages get them.

use serde::{Deserialize, Serialize};

/// The answer to `GET /api/problems/{variant}`: the problems of a game, the easiest first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemList {
    pub variant: String,
    pub problems: Vec<Problem>,
}

/// A position with one first turn that does it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    pub id: String,
    /// The side to move solves.
    pub fen: String,
    pub goal: ProblemGoal,
    /// Within how many turns of the solver.
    pub turns: u8,
    /// Turns in coordinates, the solver's first and last.
    pub line: Vec<String>,
    /// How hard it is thought to be, on the scale of the solvers' ratings.
    pub rating: u16,
}

/// What is to be done in a problem.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemGoal {
    /// To win: by mate, or in Interweave by taking a king or leaving no turn.
    Win,
    /// To find the turn that is clearly better than all others.
    Gain,
}
