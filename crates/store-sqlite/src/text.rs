//! Values of the store as text in columns.

use std::str::FromStr;

use adoube_store::{Phase, Result, StoreError};
use adoube_vocabulary::{ChatRoom, Color, GameResult, Version};
use sqlx::{Row as _, sqlite::SqliteRow};
use unicode_normalization::UnicodeNormalization as _;

use crate::error::translate;

pub(crate) fn phase_text(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Playing => "playing",
        Phase::Over => "over",
    }
}

pub(crate) fn color_text(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

pub(crate) fn result_text(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1-0",
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
        GameResult::NoResult => "*",
    }
}

pub(crate) fn room_text(room: ChatRoom) -> &'static str {
    match room {
        ChatRoom::Players => "players",
        ChatRoom::Watchers => "watchers",
    }
}

pub(crate) fn phase(text: &str) -> Result<Phase> {
    match text {
        "waiting" => Ok(Phase::Waiting),
        "playing" => Ok(Phase::Playing),
        "over" => Ok(Phase::Over),
        other => Err(StoreError::InvalidValue { table: "games", what: "phase", found: other.into() }),
    }
}

pub(crate) fn color(text: &str, table: &'static str) -> Result<Color> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        other => Err(StoreError::InvalidValue { table, what: "color", found: other.into() }),
    }
}

pub(crate) fn result(text: &str) -> Result<GameResult> {
    match text {
        "1-0" => Ok(GameResult::WhiteWins),
        "0-1" => Ok(GameResult::BlackWins),
        "1/2-1/2" => Ok(GameResult::Draw),
        "*" => Ok(GameResult::NoResult),
        other => Err(StoreError::InvalidValue { table: "games", what: "result", found: other.into() }),
    }
}

pub(crate) fn room(text: &str) -> Result<ChatRoom> {
    match text {
        "players" => Ok(ChatRoom::Players),
        "watchers" => Ok(ChatRoom::Watchers),
        other => Err(StoreError::InvalidValue { table: "chat", what: "room", found: other.into() }),
    }
}

/// Returns the value of a column.
pub(crate) fn get<'r, T>(row: &'r SqliteRow, column: &str) -> Result<T>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(column).map_err(translate)
}

/// Returns a value that must be valid, because only this program writes it.
pub(crate) fn parse<T: FromStr>(row: &SqliteRow, column: &'static str, table: &'static str) -> Result<T> {
    let text = get::<&str>(row, column)?;
    text.parse().map_err(|_| StoreError::InvalidValue { table, what: column, found: text.into() })
}

pub(crate) fn version(row: &SqliteRow, table: &'static str) -> Result<Version> {
    let number = get::<i64>(row, "version")?;
    let nonsense = |_| StoreError::InvalidValue { table, what: "version", found: number.to_string() };
    u64::try_from(number).map(Version).map_err(nonsense)
}

/// Returns the key by which names are compared: in lower case, with accents in one form (NFC).
pub(crate) fn name_key(name: &str) -> String {
    name.nfc().collect::<String>().to_lowercase()
}
