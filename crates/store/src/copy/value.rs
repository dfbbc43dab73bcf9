//! Values of rows in a form common to both databases.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The value of a column. Values are ordered as in both databases: text and bytes are compared byte by byte.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Integer(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

impl Value {
    fn hash(&self, hash: &mut Sha256) {
        // Hash a tag and the length first, so that different rows never give the same bytes.
        let mut add = |tag: u8, bytes: &[u8]| {
            hash.update([tag]);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        match self {
            Self::Null => add(b'n', &[]),
            Self::Integer(number) => add(b'i', &number.to_le_bytes()),
            Self::Text(text) => add(b't', text.as_bytes()),
            Self::Bytes(bytes) => add(b'b', bytes),
        }
    }
}

/// The values of a row, in the order of the table's columns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Returns the values of the first columns, which are the primary key.
    pub fn key(&self, columns: usize) -> &[Value] {
        self.0.get(..columns).unwrap_or(&self.0)
    }

    pub(crate) fn hash(&self, hash: &mut Sha256) {
        for value in &self.0 {
            value.hash(hash);
        }
    }
}

/// Formats a key for messages.
pub(crate) fn format_key(key: &[Value]) -> String {
    key.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A message as it is stored with a report.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ReportedMessage {
    id: i64,
    room: String,
    player: String,
    color: Option<String>,
    text: String,
    at: i64,
}

/// Converts the messages of a report to their normal form, which is the same for all databases.
///
/// # Errors
///
/// If the text is not a list of messages.
pub fn messages(text: &str) -> Result<String, serde_json::Error> {
    serde_json::to_string(&serde_json::from_str::<Vec<ReportedMessage>>(text)?)
}
