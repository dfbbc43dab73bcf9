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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_text_is_stable() {
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
    }
}
