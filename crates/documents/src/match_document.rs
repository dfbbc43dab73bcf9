use serde::{Deserialize, Serialize};

use crate::Schema;

/// A match, without its games (C25).
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchDocument {
    #[serde(default = "Schema::first")]
    pub schema: Schema<1>,
    /// The maximum number of games.
    pub best_of: u16,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_serialized_form_is_stable() {
        let document = MatchDocument { schema: Schema::default(), best_of: 5 };
        assert_serialized(&document, r#"{"schema":1,"bestOf":5}"#);
        assert_eq!(serde_json::from_str::<MatchDocument>(r#"{"bestOf":5}"#).unwrap(), document);
    }
}
