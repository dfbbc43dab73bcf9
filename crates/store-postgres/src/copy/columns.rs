//! The columns of the copied tables, and their values, as PostgreSQL stores them.

use adoube_store::copy::{Column, ColumnType, Value, messages};
use sqlx::{
    Postgres, Row as _,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use uuid::Uuid;

pub(super) fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| format!("\"{}\"", column.name)).collect::<Vec<_>>().join(", ")
}

/// Returns the columns for a SELECT, cast to the types that [`value`] reads.
pub(super) fn read(columns: &[Column]) -> String {
    let read = columns.iter().map(|Column { name, kind }| match kind {
        ColumnType::Integer => format!("\"{name}\"::bigint"),
        ColumnType::Boolean => format!("\"{name}\"::integer::bigint"),
        ColumnType::Text | ColumnType::Bytes => format!("\"{name}\""),
        ColumnType::Uuid => format!("uuid_send(\"{name}\")"),
        ColumnType::Messages => format!("\"{name}\"::text"),
    });
    read.collect::<Vec<_>>().join(", ")
}

pub(super) fn value(row: &PgRow, at: usize, kind: ColumnType) -> std::result::Result<Value, String> {
    let message_of = |error: sqlx::Error| error.to_string();
    Ok(match kind {
        ColumnType::Integer | ColumnType::Boolean => {
            row.try_get::<Option<i64>, _>(at).map_err(message_of)?.map(Value::Integer)
        }
        ColumnType::Text => row.try_get::<Option<String>, _>(at).map_err(message_of)?.map(Value::Text),
        ColumnType::Bytes | ColumnType::Uuid => {
            row.try_get::<Option<Vec<u8>>, _>(at).map_err(message_of)?.map(Value::Bytes)
        }
        ColumnType::Messages => match row.try_get::<Option<&str>, _>(at).map_err(message_of)? {
            Some(text) => Some(Value::Text(messages(text).map_err(|error| error.to_string())?)),
            None => None,
        },
    }
    .unwrap_or(Value::Null))
}

/// The values of a column, as an array of its type.
pub(super) enum Array<'a> {
    Integers(Vec<Option<i64>>),
    Booleans(Vec<Option<bool>>),
    Texts(Vec<Option<&'a str>>),
    Bytes(Vec<Option<&'a [u8]>>),
    Uuids(Vec<Option<Uuid>>),
}

/// Converts the values of a column.
///
/// # Errors
///
/// Returns the index of the first value that does not fit the type, and the reason.
pub(super) fn array<'a>(
    kind: ColumnType,
    values: impl Iterator<Item = &'a Value>,
) -> std::result::Result<Array<'a>, (usize, &'static str)> {
    fn all<'a, T>(
        values: impl Iterator<Item = &'a Value>,
        problem: &'static str,
        convert: impl Fn(&'a Value) -> Option<T>,
    ) -> std::result::Result<Vec<Option<T>>, (usize, &'static str)> {
        let convert = |(at, value)| match value {
            &Value::Null => Ok(None),
            value => convert(value).map(Some).ok_or((at, problem)),
        };
        values.enumerate().map(convert).collect()
    }
    fn bytes(value: &Value) -> Option<&[u8]> {
        match value {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
    let integer = |value: &Value| match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    };
    Ok(match kind {
        ColumnType::Integer => Array::Integers(all(values, "it is not a whole number", integer)?),
        ColumnType::Boolean => {
            Array::Booleans(all(values, "it is not 0 or 1", |value| match integer(value)? {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            })?)
        }
        ColumnType::Text | ColumnType::Messages => {
            Array::Texts(all(values, "PostgreSQL cannot store text with the character U+0000", |value| {
                match value {
                    Value::Text(text) if !text.contains('\0') => Some(text.as_str()),
                    _ => None,
                }
            })?)
        }
        ColumnType::Bytes => Array::Bytes(all(values, "it is not a byte string", bytes)?),
        ColumnType::Uuid => Array::Uuids(all(values, "it is not the 16 bytes of a UUID", |value| {
            Uuid::from_slice(bytes(value)?).ok()
        })?),
    })
}

pub(super) type Statement<'q> = Query<'q, Postgres, PgArguments>;

pub(super) fn bind_all<'q>(query: Statement<'q>, array: Array<'q>) -> Statement<'q> {
    match array {
        Array::Integers(values) => query.bind(values),
        Array::Booleans(values) => query.bind(values),
        Array::Texts(values) => query.bind(values),
        Array::Bytes(values) => query.bind(values),
        Array::Uuids(values) => query.bind(values),
    }
}

/// Binds a value of a key, which is never null.
pub(super) fn bind<'q>(query: Statement<'q>, value: &'q Value, kind: ColumnType) -> Statement<'q> {
    match (value, kind) {
        (Value::Integer(number), ColumnType::Boolean) => query.bind(*number != 0),
        (Value::Integer(number), _) => query.bind(number),
        (Value::Text(text), _) => query.bind(text),
        (Value::Bytes(bytes), ColumnType::Uuid) => query.bind(Uuid::from_slice(bytes).unwrap_or_default()),
        (Value::Bytes(bytes), _) => query.bind(bytes),
        (Value::Null, _) => query.bind(None::<i64>),
    }
}

/// Returns the type of the array from which a column is written.
fn array_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Integer => "bigint[]",
        ColumnType::Boolean => "boolean[]",
        ColumnType::Text | ColumnType::Messages => "text[]",
        ColumnType::Bytes => "bytea[]",
        ColumnType::Uuid => "uuid[]",
    }
}

/// Returns a call to `unnest` with one array parameter for each column.
pub(super) fn arrays(columns: &[Column]) -> String {
    let arrays =
        columns.iter().zip(1..).map(|(column, number)| format!("${number}::{}", array_type(column.kind)));
    format!("unnest({}) AS given ({})", arrays.collect::<Vec<_>>().join(", "), names(columns))
}
