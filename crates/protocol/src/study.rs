//! An account's studies: its problem-solving results, and its analyses.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AnalysisId, CommandId, Millis, Version};

/// The response to `GET /api/standings/{variant}`: an account's problem-solving results in one variant.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemStanding {
    /// The rating, from 100 to 3500.
    pub value: u16,
    /// The number of rated problems.
    pub problems: u32,
    /// The current streak: the number of problems most recently solved in a row.
    pub streak: u32,
    /// The rated problems by id, and whether each was solved.
    pub seen: BTreeMap<String, bool>,
}

/// `POST /api/standings/{variant}`: an attempt at a problem.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemAttempt {
    /// The id of the attempt: a repeated request gets the same response.
    pub command: CommandId,
    /// The id of the problem.
    pub problem: String,
    /// The solver's turns in coordinate notation, up to the end of the attempt. The server knows the
    /// opponent's.
    pub turns: Vec<String>,
}

/// The result of an attempt.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AttemptResult {
    /// Whether the account's first attempt at this problem succeeded; later attempts do not change it.
    pub solved: bool,
    /// The ratings before and after; null if the problem was already rated before this attempt.
    pub rated: Option<RatingChange>,
    /// The new standing of the account, including `seen`.
    pub standing: ProblemStanding,
}

/// The change in a rating after an attempt.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingChange {
    pub before: u16,
    pub after: u16,
}

/// An analysis saved by an account, without its PGN.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SavedAnalysis {
    pub id: AnalysisId,
    pub name: String,
    pub variant: String,
    /// Increases with every change. A change states the version that it is based on.
    pub version: Version,
    pub created_at: Millis,
    pub changed_at: Millis,
}

/// The response to `GET /api/analyses`: the analyses of the visitor's account, most recently changed first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisList {
    pub analyses: Vec<SavedAnalysis>,
    /// The maximum number of analyses per account.
    pub limit: u32,
}

/// The response to `GET /api/analyses/{id}`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisDocument {
    pub analysis: SavedAnalysis,
    /// One game with its variations, comments and marks.
    pub pgn: String,
}

/// `POST /api/analyses`: saves an analysis. Its PGN determines the variant.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SaveAnalysis {
    pub command: CommandId,
    /// 1 to 100 characters.
    pub name: String,
    /// One game, of at most 256 KiB.
    pub pgn: String,
}

/// `PATCH /api/analyses/{id}`: changes the given fields, unless another change came first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeAnalysis {
    /// The version that the change is based on.
    pub version: Version,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pgn: Option<String>,
}
