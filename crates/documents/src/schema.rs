use std::fmt;

use serde::{Deserialize, Serialize};

/// A document's format number, 1 to `NEWEST`. New documents have `NEWEST`.
///
/// Reading a larger number fails; the error says that a newer version of the program wrote the document.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct Schema<const NEWEST: u16>(u16);

impl<const NEWEST: u16> Schema<NEWEST> {
    /// The format of documents without a number.
    pub const FIRST: Self = Self(1);

    /// Returns [`FIRST`](Self::FIRST), for `#[serde(default = …)]`.
    pub(crate) fn first() -> Self {
        Self::FIRST
    }
}

impl<const NEWEST: u16> Default for Schema<NEWEST> {
    fn default() -> Self {
        Self(NEWEST)
    }
}

/// A document format that this version cannot read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UnknownSchema {
    /// The document's format number.
    pub found: u16,
    /// The newest format that this version reads.
    pub newest: u16,
}

impl fmt::Display for UnknownSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, newest } = self;
        if found > newest {
            write!(f, "written by a newer adoube: schema {found}, and this version reads up to {newest}")
        } else {
            write!(f, "schema {found} does not exist")
        }
    }
}

impl std::error::Error for UnknownSchema {}

impl<const NEWEST: u16> TryFrom<u16> for Schema<NEWEST> {
    type Error = UnknownSchema;

    fn try_from(found: u16) -> Result<Self, UnknownSchema> {
        if (1..=NEWEST).contains(&found) {
            Ok(Self(found))
        } else {
            Err(UnknownSchema { found, newest: NEWEST })
        }
    }
}

impl<const NEWEST: u16> From<Schema<NEWEST>> for u16 {
    fn from(schema: Schema<NEWEST>) -> Self {
        schema.0
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde::{Serialize, de::DeserializeOwned};

    /// Checks that the text of a document has not changed, that it can be read, and that the next schema and
    /// schema 0 are refused.
    #[track_caller]
    pub(crate) fn assert_serialized<T>(document: &T, text: &str)
    where
        T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug,
    {
        assert_eq!(serde_json::to_string(document).unwrap(), text);
        assert_eq!(serde_json::from_str::<T>(text).unwrap(), *document);
        let (number, rest) = text.strip_prefix("{\"schema\":").unwrap().split_once(',').unwrap();
        let newer = format!("{{\"schema\":{},\"unheard-of\":[],{rest}", number.parse::<u16>().unwrap() + 1);
        let error = serde_json::from_str::<T>(&newer).unwrap_err().to_string();
        assert!(error.starts_with("written by a newer adoube") && !error.contains('\n'), "{error}");
        serde_json::from_str::<T>(&text.replacen(number, "0", 1)).unwrap_err();
    }
}
