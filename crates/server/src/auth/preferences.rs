//! Account preferences, which the server stores without interpreting them.

use std::collections::BTreeMap;

use adoube_documents::PreferencesDocument;
use adoube_protocol::{PlayerId, Preferences};

use super::accounts::Accounts;
use crate::error::Error;

/// The maximum number of preferences that an account may have.
const MAX_PREFERENCES: usize = 100;
/// The maximum length of a preference's name and of its value, in characters.
const MAX_NAME_LENGTH: usize = 40;
const MAX_VALUE_LENGTH: usize = 100;
/// The maximum number of attempts to write the preferences, in case other devices change them at the same
/// time.
const ATTEMPTS: usize = 10;

impl Accounts {
    pub(crate) async fn preferences(&self, player: &PlayerId) -> Result<Preferences, Error> {
        let Some((version, text)) = self.store.lookup_preferences(player).await? else {
            return Ok(Preferences::default());
        };
        let document: PreferencesDocument = serde_json::from_str(&text)
            .map_err(|_| Error::Internal("cannot read the preferences of an account"))?;
        Ok(Preferences { version, values: document.values })
    }

    /// Sets the given values and returns all preferences. Concurrent changes from several devices are merged,
    /// and the last change to each preference wins.
    pub(crate) async fn change_preferences(
        &self,
        player: &PlayerId,
        values: BTreeMap<String, String>,
    ) -> Result<Preferences, Error> {
        if let Some((name, _)) = values.iter().find(|(name, value)| !is_valid(name, value)) {
            return Err(Error::Preference(name.chars().take(MAX_NAME_LENGTH).collect()));
        }
        for _ in 0..ATTEMPTS {
            let current = self.preferences(player).await?;
            let mut document =
                PreferencesDocument { values: current.values, ..PreferencesDocument::default() };
            document.values.extend(values.clone());
            if document.values.len() > MAX_PREFERENCES {
                return Err(Error::TooManyPreferences(MAX_PREFERENCES));
            }
            let text = serde_json::to_string(&document)
                .map_err(|_| Error::Internal("cannot serialize preferences"))?;
            if let Some(version) = self.store.set_preferences(player, current.version, &text).await? {
                return Ok(Preferences { version, values: document.values });
            }
        }
        Err(Error::Busy)
    }
}

fn is_valid(name: &str, value: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
    (1..=MAX_NAME_LENGTH).contains(&name.len())
        && name.bytes().all(is_name_byte)
        && value.chars().count() <= MAX_VALUE_LENGTH
        && !value.chars().any(char::is_control)
}
