//! What the players agree on before a game, and what follows from it during the game.

use serde::{Deserialize, Serialize};

use crate::{DrawRules, GameId, MatchId};

/// How much time each side has (C25).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum TimeControl {
    #[default]
    Unlimited,
    /// So much for the game, and so much more after each turn.
    Fischer { initial_ms: u32, increment_ms: u32 },
    /// So much for the game; in each turn the clock waits so long before it runs.
    Delay { initial_ms: u32, delay_ms: u32 },
    /// So many days for each turn.
    Correspondence { days_per_turn: u8 },
}

/// Whether a shuffled start is the same for both sides.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ShuffledSides {
    Same,
    Different,
}

/// A shuffled start (B1, I1).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Shuffle {
    /// The start of that number, for each side.
    Number { white: u16, black: u16 },
    /// The server draws the number.
    Random { sides: ShuffledSides },
}

/// What a game, a seek or a challenge is about. All but the game itself may be left out.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, rename_all = "camelCase")]
pub struct GameSettings {
    /// The name of the game that is played: `chess`, `baroque`, `interweave`.
    pub variant: String,
    /// The position to begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fen: Option<String>,
    /// A shuffled start; not together with `fen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shuffle: Option<Shuffle>,
    /// Unlimited if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub time_control: Option<TimeControl>,
    /// `club` if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub draw_rules: Option<DrawRules>,
    /// Off if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub touch_move: Option<bool>,
    /// On if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub casual: Option<bool>,
    /// Best of so many games, 1 to 20; 1 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub games: Option<u8>,
}

/// What a player is held to in the present turn (C13). Squares as `e4`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Obligation {
    MustMove { own: String },
    MustTake { enemy: String },
    MustTakeWith { own: String, enemy: String },
}

/// What the side to move has touched.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TouchState {
    /// The men touched in this turn, otherwise than to adjust them.
    pub squares: Vec<String>,
    /// Whether the next touch binds nobody (C14).
    pub adjusting: bool,
    pub obligation: Option<Obligation>,
}

/// Points of both sides of a game over their whole match: 2 for a win, 1 for a draw, so that they stay whole.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HalfPoints {
    pub white: u16,
    pub black: u16,
}

/// How the match stands that a game belongs to (C25). `white` and `black` are the players of that game, whatever
/// colours they had in the others.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MatchState {
    pub id: MatchId,
    /// The number of this game, from 1; a game that was called off is played again under its number.
    pub number: u16,
    pub best_of: u16,
    pub half_points: HalfPoints,
    /// Whether there will be no further game.
    pub over: bool,
    /// The game after this one.
    pub next: Option<GameId>,
}
