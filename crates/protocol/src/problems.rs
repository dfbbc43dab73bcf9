//! Problems as the pages get them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CommandId, Millis, ProblemId};

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

/// `POST /api/problems/{variant}/proof`: something that was composed, to be proved.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Composition {
    /// The side to move solves.
    pub fen: String,
    /// Only `win` can be proved.
    pub goal: ProblemGoal,
    /// Within how many turns of the solver, 1 to 8.
    pub turns: u8,
    /// What the composer says of the solution: lines of turns in coordinates, each from the first turn on. They may break
    /// off anywhere; what they lack is filled in.
    #[serde(default)]
    pub lines: Vec<Vec<String>>,
}

/// What came of a proof.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ProofReport {
    /// One first turn does it, no other one does, and none sooner.
    Proved {
        /// Turns in coordinates, the solver's first and last; the other side resists longest.
        line: Vec<String>,
        solution: Solution,
        /// The id of the problem that has this position already.
        known: Option<String>,
    },
    /// Other first turns do it as well.
    SecondSolution {
        /// The composer's first turn, if one was given.
        own: Option<String>,
        /// The others: each a line that begins with it.
        others: Vec<Vec<String>>,
    },
    /// It can be done in fewer turns.
    Sooner { turns: u8, line: Vec<String> },
    /// The last turn of `line`, which is the composer's, does not do it in time.
    Refuted {
        line: Vec<String>,
        /// What the other side answers; null if the game ends there without a winner.
        reply: Option<String>,
        /// Lines with the same turns before that do it.
        instead: Vec<Vec<String>>,
    },
    /// Nothing does it in time.
    NoWin,
    /// Nothing was found out within so many positions, or in the time that a proof is given.
    TooHard { nodes: u64 },
    /// It cannot be looked at, for these reasons.
    Unfit { reasons: Vec<ProofReason> },
}

/// Why a composition cannot be looked at: a code with arguments, as of any refusal.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProofReason {
    pub code: String,
    pub args: BTreeMap<String, String>,
}

/// A solution as a tree.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Solution {
    pub first: SolutionBranch,
    /// Whether every reply is there; what has no room is left out.
    pub complete: bool,
}

/// A turn of the solver, and what the other side can answer.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolutionBranch {
    pub turn: String,
    /// Other turns that win as soon here.
    pub others: Vec<String>,
    /// Those that resist longest first.
    pub replies: Vec<SolutionReply>,
}

/// A reply of the other side, and what the solver does then.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolutionReply {
    pub turn: String,
    pub then: SolutionBranch,
}

/// `POST /api/problems/{variant}/composed`: proved once more, and shown to everybody.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishProblem {
    pub command: CommandId,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(flatten)]
    pub composition: Composition,
}

/// The answer to [`PublishProblem`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishedProblem {
    pub id: ProblemId,
}

/// A problem that somebody has composed, in a list. Its title is text and nothing else: never read it as HTML.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListedProblem {
    pub id: ProblemId,
    pub title: Option<String>,
    /// The name of the composer's account, as long as there is one.
    pub by: Option<String>,
    /// Whether it is the visitor's own.
    pub mine: bool,
    pub created_at: Millis,
    pub fen: String,
    pub goal: ProblemGoal,
    pub turns: u8,
}

/// The answer to `GET /api/problems/{variant}/composed`, newest first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComposedList {
    pub problems: Vec<ListedProblem>,
    /// Asked as `cursor`, gives what follows; null at the end.
    pub next: Option<String>,
}

/// The answer to `GET /api/problems/{variant}/composed/{id}`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ComposedProblem {
    #[serde(flatten)]
    pub listed: ListedProblem,
    pub line: Vec<String>,
    pub solution: Solution,
}
