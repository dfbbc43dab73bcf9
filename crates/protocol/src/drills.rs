//! Drills as the pages get them.

use serde::{Deserialize, Serialize};

/// The answer to `GET /api/drills/{variant}`: the drills of a game, in the order in which one learns.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrillList {
    pub variant: String,
    pub drills: Vec<Drill>,
}

/// A small task on one position. Its words are messages named after the game and the drill.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Drill {
    pub name: String,
    /// The man or the mechanism that it is about.
    pub group: String,
    /// The clause of the rules that it belongs to.
    pub clause: String,
    pub fen: String,
    /// Turns that are played before, in coordinates.
    pub before: Vec<String>,
    /// What is asked: `takes`, `ends`, `frees` …
    pub goal: String,
    pub manner: DrillManner,
    /// The man that it is about, if it is about one.
    pub man: Option<String>,
    /// All answers: turns in coordinates, squares, or `yes` or `no`.
    pub solutions: Vec<String>,
    /// How it goes on after the first turn, of drills of several turns.
    pub then: Vec<DrillStage>,
}

/// A later part of a drill of several turns: the other side replies, and the reader plays another turn.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrillStage {
    /// The turn of the other side, in coordinates.
    pub reply: String,
    /// All answers to it: turns in coordinates.
    pub solutions: Vec<String>,
}

/// How a drill is answered.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DrillManner {
    /// By one turn on the board.
    Turn,
    /// By choosing squares.
    Squares,
    /// By yes or no.
    Choice,
}
