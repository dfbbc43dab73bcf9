use std::collections::BTreeMap;

use adoube_vocabulary::PlayerId;
use serde::{Deserialize, Serialize};

use crate::Schema;

/// An entry in the audit log. It contains the ids of accounts, not their names, so that the log keeps no
/// names of deleted accounts.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct AuditDocument {
    pub schema: Schema<1>,
    /// The account that acted; `None` for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PlayerId>,
    /// The kind of act.
    pub act: String,
    /// The accounts concerned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<PlayerId>,
    /// The game, chat message, class or page concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Further details by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_serialized_form_is_stable() {
        let document = AuditDocument {
            schema: Schema::default(),
            by: None,
            act: "set-role".into(),
            accounts: vec![PlayerId::from_random(1)],
            on: None,
            details: [("role".to_owned(), "teacher".to_owned())].into(),
        };
        let player = PlayerId::from_random(1);
        assert_serialized(
            &document,
            &format!(
                r#"{{"schema":1,"act":"set-role","accounts":["{player}"],"details":{{"role":"teacher"}}}}"#
            ),
        );
    }
}
