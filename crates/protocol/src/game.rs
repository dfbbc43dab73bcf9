use serde::{Deserialize, Serialize};

use crate::{GameId, Level, Millis, Version};

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    White,
    Black,
}

/// Which draws come about by themselves, and which have to be claimed (clauses C21 and C22 of the rules).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DrawRules {
    #[default]
    Club,
    Fide,
}

/// Who sits on one side of the board. Persons are not named: a visitor is anonymous.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Seat {
    Open,
    Person,
    Machine { level: Level },
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Players {
    pub white: Seat,
    pub black: Seat,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The game was called off.
    #[serde(rename = "*")]
    NoResult,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Status {
    /// A seat is still open.
    Waiting,
    Playing,
    /// `reason` in kebab case: `checkmate`, `stalemate`, `resignation` …
    Over {
        result: GameResult,
        reason: String,
    },
}

/// All that a client needs to show a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Game {
    pub id: GameId,
    /// The name of the game that is played: `chess`, `baroque`, `interweave`.
    pub variant: String,
    pub initial_fen: String,
    pub draw_rules: DrawRules,
    /// Coordinate text of each turn.
    pub turns: Vec<String>,
    pub version: Version,
    pub players: Players,
    /// The side of the visitor who asks; none for a spectator.
    pub you: Option<Color>,
    pub status: Status,
    /// Who offers a draw that is not yet answered.
    pub draw_offer: Option<Color>,
    pub created_at: Millis,
}

/// A line in the list of a visitor's games.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    pub id: GameId,
    pub variant: String,
    pub players: Players,
    pub you: Option<Color>,
    pub status: Status,
    /// The side to move; none when the game is over.
    pub turn: Option<Color>,
    /// Turns played so far, by both sides.
    pub plies: u32,
    pub created_at: Millis,
    pub updated_at: Millis,
}

/// What happened in a game, as the clients learn it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum GameEvent {
    Joined {
        color: Color,
        seat: Seat,
    },
    /// A turn; it also ends the offer of a draw that the other side had made.
    Played {
        color: Color,
        turn: String,
    },
    DrawOffered {
        color: Color,
    },
    DrawDeclined,
    Ended {
        result: GameResult,
        reason: String,
    },
}
