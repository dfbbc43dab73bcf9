//! The terms that players agree on before a game, and the state that follows from them during the game.

use serde::{Deserialize, Serialize};

use crate::{DrawRules, GameId, MatchId};

/// The time control of a game (C25).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum TimeControl {
    #[default]
    Unlimited,
    /// An initial time, and an increment after each turn.
    Fischer { initial_ms: u32, increment_ms: u32 },
    /// An initial time. On each turn, the clock starts after a delay.
    Delay { initial_ms: u32, delay_ms: u32 },
    /// A number of days for each turn.
    Correspondence { days_per_turn: u8 },
}

/// Whether both sides get the same shuffled start.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ShuffledSides {
    Same,
    Different,
}

/// A shuffled start (C1, B1, I1, U1).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Shuffle {
    /// The start with the given number, for each side.
    Number { white: u16, black: u16 },
    /// A start that the server draws at random.
    Random { sides: ShuffledSides },
}

/// The settings of a game, a seek or a challenge. All but the variant are optional.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, rename_all = "camelCase")]
pub struct GameSettings {
    /// The name of the variant: `chess`, `baroque`, `interweave`, `ultima`.
    pub variant: String,
    /// The initial position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fen: Option<String>,
    /// A shuffled start; cannot be combined with `fen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shuffle: Option<Shuffle>,
    /// Unlimited if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub time_control: Option<TimeControl>,
    /// `club` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub draw_rules: Option<DrawRules>,
    /// `false` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub touch_move: Option<bool>,
    /// `true` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub casual: Option<bool>,
    /// The number of games in a match, 1 to 20; 1 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub games: Option<u8>,
}

/// The obligation of a player in the current turn (C13). Squares are written like `e4`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Obligation {
    MustMove { own: String },
    MustTake { enemy: String },
    MustTakeWith { own: String, enemy: String },
}

/// The state of touch-move for the side to move.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TouchState {
    /// The squares of the men touched in this turn, other than to adjust them.
    pub squares: Vec<String>,
    /// Whether the player has announced an adjustment, so the next touch does not bind (C14).
    pub adjusting: bool,
    pub obligation: Option<Obligation>,
}

/// The points that each player of a game has scored in the match, doubled: 2 for a win, 1 for a draw.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HalfPoints {
    pub white: u16,
    pub black: u16,
}

/// The state of the match that a game belongs to (C25). In `half_points`, `white` and `black` are the players
/// of this game, regardless of their colours in the other games.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MatchState {
    pub id: MatchId,
    /// The number of this game, from 1. If a game ends without a result and the match goes on, it is
    /// replayed under the same number.
    pub number: u16,
    pub best_of: u16,
    pub half_points: HalfPoints,
    /// Whether the match is over.
    pub over: bool,
    /// The next game of the match.
    pub next: Option<GameId>,
}
