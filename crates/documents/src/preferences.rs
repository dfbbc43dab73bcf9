use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Schema;

/// The preferences of an account. The page defines their names and values.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct PreferencesDocument {
    pub schema: Schema<1>,
    pub values: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_serialized_form_is_stable() {
        let values = [("board", "green"), ("men.chess", "silhouette")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let document = PreferencesDocument { schema: Schema::default(), values };
        assert_serialized(&document, r#"{"schema":1,"values":{"board":"green","men.chess":"silhouette"}}"#);
    }
}
