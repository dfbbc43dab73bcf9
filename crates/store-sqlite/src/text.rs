//! Conversions between the store's values and columns.

use std::str::FromStr;

use adoube_store::{Result, StoreError, chain::Head, columns};
use adoube_vocabulary::{Role, Version};
use sqlx::{Row as _, sqlite::SqliteRow};

use crate::error::translate;

pub(crate) use adoube_store::columns::{
    account_state, account_state_text, color, color_text, name_key, outcome, outcome_text, phase, phase_text,
    result, result_text, room, room_text, unaccented_key,
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
    let invalid = |_| StoreError::InvalidValue { table, what: "version", found: number.to_string() };
    u64::try_from(number).map(Version).map_err(invalid)
}

/// Returns the role in a column that may be null.
pub(crate) fn role(row: &SqliteRow) -> Result<Option<Role>> {
    get::<Option<&str>>(row, "role")?.map(columns::role).transpose()
}

/// Returns the hash of an audit log entry.
pub(crate) fn head(row: &SqliteRow) -> Result<Head> {
    columns::head(get(row, "head")?)
}
