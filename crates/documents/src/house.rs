use adoube_game::TimeControl;
use adoube_vocabulary::{ChatPolicy, Registration};
use serde::{Deserialize, Serialize};

use crate::Schema;

/// The settings of a house that its administrators choose.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct HouseDocument {
    pub schema: Schema<1>,
    pub name: String,
    pub contact: String,
    pub registration: Registration,
    pub chat: ChatPolicy,
    pub notice: String,
    /// The names of the games on offer; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<String>,
    /// The time controls on offer; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<TimeControl>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_serialized_form_is_stable() {
        let document = HouseDocument {
            name: "Le Fou".into(),
            registration: Registration::Approval,
            chat: ChatPolicy::NoPupils,
            ..HouseDocument::default()
        };
        assert_serialized(
            &document,
            r#"{"schema":1,"name":"Le Fou","contact":"","registration":"approval","chat":"no-pupils","notice":""}"#,
        );
        let document = HouseDocument {
            games: vec!["chess".into()],
            clocks: vec![TimeControl::Unlimited, TimeControl::Correspondence { days_per_turn: 3 }],
            ..HouseDocument::default()
        };
        assert_serialized(
            &document,
            r#"{"schema":1,"name":"","contact":"","registration":"open","chat":"everybody","notice":"","games":["chess"],"clocks":[{"type":"unlimited"},{"type":"correspondence","daysPerTurn":3}]}"#,
        );
    }
}
