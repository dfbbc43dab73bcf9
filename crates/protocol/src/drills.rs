//! Drills, as sent to the page.

use serde::{Deserialize, Serialize};

/// The response to `GET /api/drills/{variant}`: the drills of a game, in the recommended order.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrillList {
    pub variant: String,
    pub drills: Vec<Drill>,
    /// Small games against the machine for learners who have finished the lessons, at most one per group of
    /// drills.
    pub practices: Vec<Practice>,
}

/// A small game against the machine, for practising the subject of a group of drills.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Practice {
    pub group: String,
    /// The initial position. The learner plays the side to move.
    pub fen: String,
}

/// A small task based on one position. Its wording comes from localized messages whose keys contain the
/// names of the game and the drill.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Drill {
    pub name: String,
    /// The man or the mechanism that the drill is about.
    pub group: String,
    /// The difficulty, relative to the other drills in its group.
    pub difficulty: Difficulty,
    /// Whether a newcomer may skip it.
    pub optional: bool,
    /// The clause of the rules that the drill is about.
    pub clause: String,
    pub fen: String,
    /// Turns played before the drill begins, in coordinate notation.
    pub before: Vec<String>,
    /// The task, such as `takes`, `ends` or `frees`.
    pub goal: String,
    pub manner: DrillManner,
    /// The square of the man that the drill is about, if any.
    pub man: Option<String>,
    /// All correct answers: turns in coordinate notation, squares, or `yes` or `no`.
    pub solutions: Vec<String>,
    /// The later stages, if the drill has several turns.
    pub then: Vec<DrillStage>,
}

/// A later stage of a drill: the opponent replies, and the learner plays another turn.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrillStage {
    /// The opponent's turn, in coordinate notation.
    pub reply: String,
    /// All correct answers: turns in coordinate notation.
    pub solutions: Vec<String>,
}

/// The difficulty of a drill, relative to the other drills in its group.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

/// The way in which a drill is answered.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DrillManner {
    /// By one turn on the board.
    Turn,
    /// By choosing squares.
    Squares,
    /// By answering yes or no.
    Choice,
}
