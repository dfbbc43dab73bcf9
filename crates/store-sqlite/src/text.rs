//! Values of the store as text in columns.

use std::str::FromStr;

use adoube_store::{Result, StoreError};
use adoube_vocabulary::Version;
use sqlx::{Row as _, sqlite::SqliteRow};

use crate::error::translate;

pub(crate) use adoube_store::columns::{
    color, color_text, name_key, phase, phase_text, result, result_text, room, room_text,
};

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
