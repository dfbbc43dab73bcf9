//! The settings of the house, which every node caches.

use std::sync::{Arc, PoisonError, RwLock};

use adoube_documents::{HouseDocument, Schema};
use adoube_protocol::HouseSettings;
use adoube_store::Store;

use crate::{
    chat::line_of,
    error::{Error, LogError},
};

/// The name of the document.
pub(super) const DOCUMENT: &str = "house";
const NAME: usize = 60;
const CONTACT: usize = 200;
const NOTICE: usize = 280;

/// The settings of the house as this process last read them.
#[derive(Debug)]
pub(crate) struct HouseCache {
    store: Arc<dyn Store>,
    settings: RwLock<Arc<HouseSettings>>,
}

impl HouseCache {
    /// Reads the settings.
    pub(crate) async fn open(store: Arc<dyn Store>) -> Result<Self, Error> {
        let settings = RwLock::new(Arc::new(read(&*store).await?));
        Ok(Self { store, settings })
    }

    pub(crate) fn settings(&self) -> Arc<HouseSettings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the settings again, because they may have changed.
    pub(crate) async fn reload(&self) -> Result<(), Error> {
        let settings = Arc::new(read(&*self.store).await?);
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
        Ok(())
    }
}

async fn read(store: &dyn Store) -> Result<HouseSettings, Error> {
    let Some(text) = store.lookup_document(DOCUMENT).await? else { return Ok(HouseSettings::default()) };
    let document: HouseDocument = serde_json::from_str(&text).map_err(LogError::House)?;
    let HouseDocument { schema: _, name, contact, registration, chat, notice } = document;
    Ok(HouseSettings { name, contact, registration, chat, notice })
}

/// Returns the text of the document with these settings.
pub(super) fn document(settings: &HouseSettings) -> Result<String, Error> {
    let HouseSettings { name, contact, registration, chat, notice } = settings.clone();
    let document = HouseDocument { schema: Schema::default(), name, contact, registration, chat, notice };
    Ok(serde_json::to_string(&document).map_err(LogError::Write)?)
}

/// Returns the settings with their texts trimmed, or an error that names the text that is too long.
pub(super) fn checked(settings: &HouseSettings) -> Result<HouseSettings, Error> {
    let text = |field, text: &str, limit| line(text, limit).ok_or(Error::HouseText { field, limit });
    Ok(HouseSettings {
        name: text("name", &settings.name, NAME)?,
        contact: text("contact", &settings.contact, CONTACT)?,
        notice: text("notice", &settings.notice, NOTICE)?,
        ..settings.clone()
    })
}

/// Returns a trimmed line of printable text, which may be empty.
pub(super) fn line(text: &str, longest: usize) -> Option<String> {
    if text.trim().is_empty() { Some(String::new()) } else { line_of(text, longest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_lines_of_limited_length() {
        let settings = |name: &str| HouseSettings { name: name.into(), ..HouseSettings::default() };
        assert_eq!(checked(&settings("  Le Fou ")).unwrap().name, "Le Fou");
        assert_eq!(checked(&settings(" ")).unwrap().name, "");
        for wrong in [&"é".repeat(61), "a\nb", "\u{200b}"] {
            let error = checked(&settings(wrong)).unwrap_err();
            assert!(matches!(error, Error::HouseText { field: "name", limit: 60 }), "{error}");
        }
    }

    #[test]
    fn settings_are_read_as_they_are_written() {
        let settings = HouseSettings { name: "Le Fou".into(), ..HouseSettings::default() };
        let text = document(&settings).unwrap();
        let read: HouseDocument = serde_json::from_str(&text).unwrap();
        assert_eq!(read.name, "Le Fou");
    }
}
