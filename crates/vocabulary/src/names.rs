use serde::{Deserialize, Serialize};

/// A side of the board.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    White,
    Black,
}

/// The audience of a chat message: players and spectators each have their own room.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChatRoom {
    Players,
    Watchers,
}

/// The visitor's games that `GET /api/games?state=` lists.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ListState {
    /// All games of the visitor.
    #[default]
    Mine,
    /// Games in which it is the visitor's turn, most urgent first.
    Waiting,
    /// Games that are not over.
    Playing,
    Finished,
}

/// The result of a game, as in PGN.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
