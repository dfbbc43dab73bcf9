//! Conversions between the store's values and columns.

use std::str::FromStr;

use adoube_store::{Result, StoreError, chain::Head, columns};
use adoube_vocabulary::{Role, Version};
use sqlx::{Row as _, postgres::PgRow};

use crate::error::translate;

pub(crate) use adoube_store::columns::{
    account_state, account_state_text, color, color_text, name_key, outcome, outcome_text, phase, phase_text,
    result, result_text, room, room_text, unaccented_key,
};

/// Returns the value of a column.
pub(crate) fn get<'r, T>(row: &'r PgRow, column: &str) -> Result<T>
where
    T: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    row.try_get(column).map_err(translate)
}

/// Returns a value that must be valid, because only this program writes it.
pub(crate) fn parse<T: FromStr>(row: &PgRow, column: &'static str, table: &'static str) -> Result<T> {
    let text = get::<&str>(row, column)?;
    text.parse().map_err(|_| StoreError::InvalidValue { table, what: column, found: text.into() })
}

/// Returns a whole number that must fit, because only this program writes it.
pub(crate) fn number<T: TryFrom<i32>>(row: &PgRow, column: &'static str, table: &'static str) -> Result<T> {
    let found = get::<i32>(row, column)?;
    T::try_from(found).map_err(|_| StoreError::InvalidValue { table, what: column, found: found.to_string() })
}

pub(crate) fn version(row: &PgRow, table: &'static str) -> Result<Version> {
    let number = get::<i64>(row, "version")?;
    let invalid = |_| StoreError::InvalidValue { table, what: "version", found: number.to_string() };
    u64::try_from(number).map(Version).map_err(invalid)
}

/// Returns a version as a column value. Column integers are signed, and no log grows long enough to overflow
/// them.
pub(crate) fn version_as_i64(version: Version) -> i64 {
    i64::try_from(version.0).unwrap_or(i64::MAX)
}

/// Returns the role in a column that may be null.
pub(crate) fn role(row: &PgRow) -> Result<Option<Role>> {
    get::<Option<&str>>(row, "role")?.map(columns::role).transpose()
}

/// Returns the hash of an audit log entry.
pub(crate) fn head(row: &PgRow) -> Result<Head> {
    columns::head(get(row, "head")?)
}
