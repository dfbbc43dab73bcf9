//! What an account keeps of its studies: how it stands in the problems, and its analyses.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AnalysisId, CommandId, Millis, Version};

/// The answer to `GET /api/standings/{variant}`: how an account stands in the problems of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemStanding {
    /// The rating, from 100 to 3500.
    pub value: u16,
    /// How many problems have counted.
    pub problems: u32,
    /// How many were solved in a row, up to now.
    pub streak: u32,
    /// The problems that have counted, by their ids: whether each was solved.
    pub seen: BTreeMap<String, bool>,
}

/// `POST /api/standings/{variant}`: the first try of a problem.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemTry {
    /// Which try this is: one that comes again gets its answer again.
    pub command: CommandId,
    /// The id of the problem.
    pub problem: String,
    /// The solver's own turns in coordinates, up to the end of the try. The other side's are the server's to know.
    pub turns: Vec<String>,
}

/// What became of a try.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JudgedTry {
    pub solved: bool,
    /// The ratings before and after; none if the problem had counted before this try.
    pub rated: Option<RatedTry>,
    /// How the account stands now, `seen` included.
    pub standing: ProblemStanding,
}

/// How a try has moved a rating.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatedTry {
    pub before: u16,
    pub after: u16,
}

/// An analysis that an account keeps, without its text.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SavedAnalysis {
    pub id: AnalysisId,
    pub name: String,
    pub variant: String,
    /// Goes up with every change; who changes something says which one it is based on.
    pub version: Version,
    pub created_at: Millis,
    pub changed_at: Millis,
}

/// The answer to `GET /api/analyses`: those of the visitor's account, the one changed last first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisList {
    pub analyses: Vec<SavedAnalysis>,
    /// How many an account may keep.
    pub limit: u32,
}

/// The answer to `GET /api/analyses/{id}`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisDocument {
    pub analysis: SavedAnalysis,
    /// One game with its variations, comments and marks.
    pub pgn: String,
}

/// `POST /api/analyses`: keeps an analysis. Which game it is of, the PGN says.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SaveAnalysis {
    pub command: CommandId,
    /// 1 to 100 characters.
    pub name: String,
    /// One game, of at most 256 KiB.
    pub pgn: String,
}

/// `PATCH /api/analyses/{id}`: changes what is given, if nobody was faster.
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
