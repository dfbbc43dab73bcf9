use serde::{Deserialize, Serialize};

/// A side of the board.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    White,
    Black,
}

/// Who hears whom: the players each other, and those who watch each other.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChatRoom {
    Players,
    Watchers,
}

/// Which of the visitor's games `GET /api/games?state=` lists.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ListState {
    /// All of them.
    #[default]
    Mine,
    /// Where it is the visitor's turn, the most urgent first.
    Waiting,
    /// That are not over.
    Playing,
    Finished,
}

/// The result of a game, as PGN writes it.
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
