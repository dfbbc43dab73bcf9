//! The settings of the house, which every node caches.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use adoube_documents::{HouseDocument, Schema};
use adoube_game::CreateError;
use adoube_protocol::{HouseSettings, OpponentChoice, TimeControl};
use adoube_rules::Variant;
use adoube_store::{AdminChange, Store};
use tokio::sync::{Mutex, watch};

use super::{Plan, PlannedChange, audit};
use crate::{
    changes::Change,
    chat::line_of,
    error::{Error, LogError},
    listed, wire,
};

/// The name of the stored document that holds the settings.
const DOCUMENT: &str = "house";
/// The maximum lengths of the house's name, contact and notice, in characters.
const MAX_NAME_CHARS: usize = 60;
const MAX_CONTACT_CHARS: usize = 200;
const MAX_NOTICE_CHARS: usize = 280;
/// The maximum number of time controls on offer.
const MAX_TIME_CONTROLS: usize = 20;

/// A cache of the house's settings, as this process last read them.
#[derive(Debug)]
pub(crate) struct HouseCache {
    store: Arc<dyn Store>,
    settings: RwLock<Arc<HouseSettings>>,
    /// Held while the settings are reread, so that an older result does not replace a newer one.
    reloading: Mutex<()>,
    changed: watch::Sender<Arc<HouseSettings>>,
}

impl HouseCache {
    /// Reads the settings.
    pub(crate) async fn open(store: Arc<dyn Store>) -> Result<Self, Error> {
        let settings = Arc::new(read(&*store).await?);
        let changed = watch::Sender::new(Arc::clone(&settings));
        Ok(Self { store, settings: RwLock::new(settings), reloading: Mutex::default(), changed })
    }

    pub(crate) fn settings(&self) -> Arc<HouseSettings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Rereads the settings, which may have changed.
    pub(crate) async fn reload(&self) -> Result<(), Error> {
        let _alone = self.reloading.lock().await;
        let settings = Arc::new(read(&*self.store).await?);
        let former = {
            let mut known = self.settings.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *known, Arc::clone(&settings))
        };
        if former != settings {
            // Without sockets there are no subscribers.
            let _ = self.changed.send(settings);
        }
        Ok(())
    }

    /// Subscribes to changes in the settings.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<HouseSettings>> {
        self.changed.subscribe()
    }

    /// Fails if the house does not offer new games of this variant, or with this time control. A game against
    /// the machine may always be played without a clock, so visitors can practise.
    pub(crate) fn offers(
        &self,
        variant: Variant,
        clock: TimeControl,
        opponent: OpponentChoice,
    ) -> Result<(), Error> {
        let settings = self.settings();
        let is_offered = |name: &String| name == variant.name();
        if !settings.games.is_empty() && !settings.games.iter().any(is_offered) {
            return Err(Error::GameNotOffered);
        }
        let is_practice =
            matches!(opponent, OpponentChoice::Machine { .. }) && clock == TimeControl::Unlimited;
        if !settings.clocks.is_empty() && !settings.clocks.contains(&clock) && !is_practice {
            return Err(Error::ClockNotOffered);
        }
        Ok(())
    }
}

async fn read(store: &dyn Store) -> Result<HouseSettings, Error> {
    let Some(text) = store.lookup_document(DOCUMENT).await? else { return Ok(HouseSettings::default()) };
    let document: HouseDocument = serde_json::from_str(&text).map_err(LogError::House)?;
    let HouseDocument { schema: _, name, contact, registration, chat, notice, games, clocks } = document;
    let clocks = clocks.into_iter().map(wire::time_control_to_wire).collect();
    Ok(HouseSettings { name, contact, registration, chat, notice, games, clocks })
}

/// Returns the plan for changing the settings. The audit log records only those that differ from the stored
/// ones.
pub(super) async fn plan(store: &dyn Store, settings: &HouseSettings) -> Result<Plan, Error> {
    let settings = checked_settings(settings)?;
    let details = changed_details(&read(store).await?, &settings)?;
    let change = if details.is_empty() {
        PlannedChange::Nothing
    } else {
        let body = Some(document(&settings)?);
        PlannedChange::Store(AdminChange::Document { name: DOCUMENT.to_owned(), body })
    };
    Ok(Plan { details, ..Plan::with_change(change) }.with_notice(Change::HouseChanged))
}

/// Returns the audit log details for the settings that have changed.
fn changed_details(former: &HouseSettings, new: &HouseSettings) -> Result<BTreeMap<String, String>, Error> {
    let HouseSettings { name, contact, registration, chat, notice, games, clocks } = new;
    // The contact may be a person's address, and entries can never be removed.
    let contact_text = if contact.is_empty() { "" } else { "changed" };
    let details = [
        ("name", name.clone(), former.name != *name),
        ("contact", contact_text.to_owned(), former.contact != *contact),
        ("registration", audit::text(registration)?, former.registration != *registration),
        ("chat", audit::text(chat)?, former.chat != *chat),
        ("notice", notice.clone(), former.notice != *notice),
        ("games", games.join(" "), former.games != *games),
        ("clocks", audit::text(clocks)?, former.clocks != *clocks),
    ];
    let changed = details.into_iter().filter(|&(_, _, is_changed)| is_changed);
    Ok(changed.map(|(name, value, _)| (name.to_owned(), value)).collect())
}

/// Returns the settings as the JSON text of the stored document.
fn document(settings: &HouseSettings) -> Result<String, Error> {
    let HouseSettings { name, contact, registration, chat, notice, games, clocks } = settings.clone();
    let clocks = clocks.into_iter().map(wire::time_control_from_wire).collect();
    let schema = Schema::default();
    let document = HouseDocument { schema, name, contact, registration, chat, notice, games, clocks };
    Ok(serde_json::to_string(&document).map_err(LogError::Write)?)
}

/// Returns the settings with their strings trimmed, and without duplicate games and time controls. Fails if a
/// string is too long or not printable, if a game or time control is not valid, or if there are too many time
/// controls.
fn checked_settings(settings: &HouseSettings) -> Result<HouseSettings, Error> {
    let text = |field, text: &str, limit| line(text, limit).ok_or(Error::HouseText { field, limit });
    let mut games = Vec::new();
    for game in &settings.games {
        listed::variant_of(game)?;
        if !games.contains(game) {
            games.push(game.clone());
        }
    }
    let mut clocks = Vec::new();
    for &clock in settings.clocks.iter().take(MAX_TIME_CONTROLS + 1) {
        wire::time_control_from_wire(clock).check().map_err(CreateError::Clock)?;
        if !clocks.contains(&clock) {
            clocks.push(clock);
        }
    }
    if settings.clocks.len() > MAX_TIME_CONTROLS {
        return Err(Error::HouseClocks(MAX_TIME_CONTROLS));
    }
    Ok(HouseSettings {
        name: text("name", &settings.name, MAX_NAME_CHARS)?,
        contact: text("contact", &settings.contact, MAX_CONTACT_CHARS)?,
        notice: text("notice", &settings.notice, MAX_NOTICE_CHARS)?,
        games,
        clocks,
        ..settings.clone()
    })
}

/// Like [`line_of`], but returns an empty string for blank text.
pub(super) fn line(text: &str, longest: usize) -> Option<String> {
    if text.trim().is_empty() { Some(String::new()) } else { line_of(text, longest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_texts_are_single_lines_of_limited_length() {
        let settings = |name: &str| HouseSettings { name: name.into(), ..HouseSettings::default() };
        assert_eq!(checked_settings(&settings("  Le Fou ")).unwrap().name, "Le Fou");
        assert_eq!(checked_settings(&settings(" ")).unwrap().name, "");
        for wrong in [&"é".repeat(61), "a\nb", "\u{200b}"] {
            let error = checked_settings(&settings(wrong)).unwrap_err();
            assert!(matches!(error, Error::HouseText { field: "name", limit: 60 }), "{error}");
        }
    }

    #[test]
    fn offered_games_and_clocks_are_validated_and_deduplicated() {
        let of = |games: &[&str], clocks: Vec<TimeControl>| HouseSettings {
            games: games.iter().map(|&game| game.to_owned()).collect(),
            clocks,
            ..HouseSettings::default()
        };
        let duplicates = of(&["baroque", "baroque"], vec![TimeControl::Unlimited; 2]);
        assert_eq!(checked_settings(&duplicates).unwrap(), of(&["baroque"], vec![TimeControl::Unlimited]));
        assert!(matches!(checked_settings(&of(&["draughts"], Vec::new())), Err(Error::UnknownVariant(_))));
        let days = TimeControl::Correspondence { days_per_turn: 99 };
        assert!(matches!(checked_settings(&of(&[], vec![days])), Err(Error::Create(CreateError::Clock(_)))));
        let many = vec![TimeControl::Unlimited; MAX_TIME_CONTROLS + 1];
        assert!(matches!(checked_settings(&of(&[], many)), Err(Error::HouseClocks(MAX_TIME_CONTROLS))));
    }

    #[test]
    fn only_changed_settings_are_recorded() {
        let former = HouseSettings { name: "Le Fou".into(), ..HouseSettings::default() };
        assert_eq!(changed_details(&former, &former).unwrap(), BTreeMap::new());
        let new = HouseSettings {
            contact: "1 rue du Fou".into(),
            games: vec!["chess".into(), "baroque".into()],
            clocks: vec![TimeControl::Correspondence { days_per_turn: 3 }],
            ..former.clone()
        };
        let details = [
            ("clocks", r#"[{"daysPerTurn":3,"type":"correspondence"}]"#),
            ("contact", "changed"),
            ("games", "chess baroque"),
        ];
        let details = details.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(changed_details(&former, &new).unwrap(), BTreeMap::from(details));
        let cleared = changed_details(&former, &HouseSettings::default()).unwrap();
        assert_eq!(cleared, BTreeMap::from([("name".to_owned(), String::new())]));
    }

    #[test]
    fn a_house_document_contains_the_name_from_the_settings() {
        let settings = HouseSettings { name: "Le Fou".into(), ..HouseSettings::default() };
        let text = document(&settings).unwrap();
        let read: HouseDocument = serde_json::from_str(&text).unwrap();
        assert_eq!(read.name, "Le Fou");
    }
}
