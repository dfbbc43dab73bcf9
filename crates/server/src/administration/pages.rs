//! The legal notice and the privacy page. In each language, a page consists of the house's own text or, if
//! there is none, of a template.

use std::time::Duration;

use adoube_notation::Language;
use adoube_protocol::{HousePage, HousePageName, HouseSettings};
use adoube_store::{AdminChange, Store};

use super::{Plan, PlannedChange};
use crate::{
    config::SessionTimes,
    error::Error,
    tidy::{Retention, RetentionPeriod},
};

/// The maximum length of a page, in characters.
const MAX_CHARS: usize = 30_000;

/// The placeholders that a page can contain, in braces.
const PLACEHOLDERS: [&str; 10] = [
    "{house}",
    "{contact}",
    "{site}",
    "{keep.unjoined_games}",
    "{keep.called_off_games}",
    "{keep.anonymous_games}",
    "{keep.reports}",
    "{keep.names}",
    "{sessions.idle}",
    "{sessions.longest}",
];

/// Returns the name of the stored document that holds the house's own text for a page.
fn document(page: HousePageName, language: Language) -> String {
    format!("{}.{language}", name(page))
}

fn name(page: HousePageName) -> &'static str {
    match page {
        HousePageName::Legal => "legal",
        HousePageName::Privacy => "privacy",
    }
}

fn template(page: HousePageName, language: Language) -> &'static str {
    match (page, language) {
        (HousePageName::Legal, Language::English) => include_str!("../../../../locales/en/legal.md"),
        (HousePageName::Legal, Language::Spanish) => include_str!("../../../../locales/es/legal.md"),
        // French is the reference and the fallback.
        (HousePageName::Legal, _) => include_str!("../../../../locales/fr/legal.md"),
        (HousePageName::Privacy, Language::English) => include_str!("../../../../locales/en/privacy.md"),
        (HousePageName::Privacy, Language::Spanish) => include_str!("../../../../locales/es/privacy.md"),
        (HousePageName::Privacy, _) => include_str!("../../../../locales/fr/privacy.md"),
    }
}

/// New text for a page, as the name and body of the stored document. The body is `None` if the text is empty,
/// which restores the template.
#[derive(Debug, Eq, PartialEq)]
struct NewText {
    name: String,
    body: Option<String>,
}

impl NewText {
    fn new(page: HousePageName, language: &str, text: &str) -> Result<Self, Error> {
        let language: Language = language.parse().map_err(|_| Error::Language(language.to_owned()))?;
        let text = text.trim().replace("\r\n", "\n");
        let is_forbidden = |c: char| c.is_control() && c != '\n' && c != '\t';
        if text.chars().count() > MAX_CHARS || text.chars().any(is_forbidden) {
            return Err(Error::PageText(MAX_CHARS));
        }
        if let Some(name) = unknown_placeholder(&text) {
            return Err(Error::PagePlaceholder { name: name.to_owned(), known: PLACEHOLDERS.join(", ") });
        }
        Ok(Self { name: document(page, language), body: Some(text).filter(|text| !text.is_empty()) })
    }
}

/// Returns the first string in braces that looks like a placeholder but is not one, such as `{contacts}`.
fn unknown_placeholder(text: &str) -> Option<&str> {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
    };
    text.match_indices('{').find_map(|(start, _)| {
        let end = start + text[start..].find('}')?;
        let placeholder = &text[start..=end];
        (is_name(&text[start + 1..end]) && !PLACEHOLDERS.contains(&placeholder)).then_some(placeholder)
    })
}

/// Returns the plan for replacing a page's text.
pub(super) async fn plan(
    store: &dyn Store,
    page: HousePageName,
    language: &str,
    text: &str,
) -> Result<Plan, Error> {
    let NewText { name, body } = NewText::new(page, language, text)?;
    let characters = body.as_deref().unwrap_or_default().chars().count();
    let change = if store.lookup_document(&name).await? == body {
        PlannedChange::Nothing
    } else {
        PlannedChange::Store(AdminChange::Document { name: name.clone(), body })
    };
    Ok(Plan::with_change(change).with_target(&name).with_detail("characters", &characters))
}

/// The values of a page's placeholders.
pub(crate) struct Facts<'a> {
    pub(crate) settings: &'a HouseSettings,
    pub(crate) retention: &'a Retention,
    pub(crate) sessions: &'a SessionTimes,
    /// The address of the site.
    pub(crate) site: &'a str,
}

/// Returns a page with its placeholders replaced.
pub(crate) async fn page(
    store: &dyn Store,
    page: HousePageName,
    language: Language,
    facts: &Facts<'_>,
) -> Result<HousePage, Error> {
    let own_text = store.lookup_document(&document(page, language)).await?;
    let is_template = own_text.is_none();
    let source = own_text.unwrap_or_else(|| template(page, language).trim().to_owned());
    let text = fill_placeholders(&source, language, facts);
    Ok(HousePage { text, source, is_template, language: language.code().to_owned() })
}

/// Replaces the placeholders in a page's source.
fn fill_placeholders(source: &str, language: Language, facts: &Facts<'_>) -> String {
    let Facts { settings, retention, sessions, site } = facts;
    let missing = match language {
        Language::English => "[to be completed]",
        Language::Spanish => "[por completar]",
        _ => "[à compléter]",
    };
    let or_missing = |text: &str| if text.is_empty() { missing.to_owned() } else { text.to_owned() };
    let days = |time: Duration| time.as_secs().div_ceil(24 * 60 * 60);
    let describe = |period: RetentionPeriod| match period {
        RetentionPeriod::Days(count) => days_text(language, u64::from(count)),
        RetentionPeriod::Always => match language {
            Language::English => "indefinitely".to_owned(),
            Language::Spanish => "sin límite".to_owned(),
            _ => "sans limite".to_owned(),
        },
    };
    let value = |placeholder: &str| match placeholder {
        "{house}" if settings.name.is_empty() => "adoube".to_owned(),
        "{house}" => settings.name.clone(),
        "{contact}" => or_missing(&settings.contact),
        "{site}" => (*site).to_owned(),
        "{keep.unjoined_games}" => describe(retention.unjoined_games),
        "{keep.called_off_games}" => describe(retention.called_off_games),
        "{keep.anonymous_games}" => describe(retention.anonymous_games),
        "{keep.reports}" => describe(retention.reports),
        "{keep.names}" => describe(retention.names),
        "{sessions.idle}" => days_text(language, days(sessions.idle)),
        "{sessions.longest}" => days_text(language, days(sessions.longest)),
        other => other.to_owned(),
    };
    PLACEHOLDERS.iter().fold(source.to_owned(), |text, name| text.replace(name, &value(name)))
}

/// Returns a number of days with its unit, such as "3 days".
fn days_text(language: Language, count: u64) -> String {
    let day = match (language, count) {
        (Language::English, 1) => "day",
        (Language::English, _) => "days",
        (Language::Spanish, 1) => "día",
        (Language::Spanish, _) => "días",
        (_, 0 | 1) => "jour",
        _ => "jours",
    };
    format!("{count}\u{a0}{day}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placeholder_in_the_template_texts_is_replaced() {
        let (settings, sessions) = (HouseSettings::default(), SessionTimes::default());
        let retention = Retention {
            reports: RetentionPeriod::Days(1),
            names: RetentionPeriod::Always,
            ..Retention::default()
        };
        let site = "https://chess.example.org";
        let facts = Facts { settings: &settings, retention: &retention, sessions: &sessions, site };
        for language in [Language::French, Language::English, Language::Spanish] {
            for page in [HousePageName::Legal, HousePageName::Privacy] {
                let text = fill_placeholders(template(page, language), language, &facts);
                assert!(!text.contains(['{', '}']), "{text}");
            }
            let all = fill_placeholders(&PLACEHOLDERS.concat(), language, &facts);
            assert!(!all.contains('{'), "{all}");
            let privacy = fill_placeholders(template(HousePageName::Privacy, language), language, &facts);
            let without_limit = ["sans limite", "indefinitely", "sin límite"];
            assert!(without_limit.iter().any(|words| privacy.contains(words)), "{privacy}");
            for keep in ["30", "400", "7", "1"] {
                assert!(privacy.contains(&format!("{keep}\u{a0}")), "{keep}: {privacy}");
            }
        }
    }

    #[test]
    fn invalid_page_texts_are_refused_and_an_empty_one_restores_the_template() {
        assert!(matches!(NewText::new(HousePageName::Legal, "de", ""), Err(Error::Language(_))));
        let long = "x".repeat(MAX_CHARS + 1);
        assert!(matches!(NewText::new(HousePageName::Legal, "fr", &long), Err(Error::PageText(MAX_CHARS))));
        assert!(matches!(NewText::new(HousePageName::Legal, "fr", "a\u{0}"), Err(Error::PageText(_))));
        for (text, wrong) in [
            ("{contact}, {contacts}", "{contacts}"),
            ("{ {Contact}", "{Contact}"),
            ("{keep.chat} {x}", "{keep.chat}"),
        ] {
            let refused = NewText::new(HousePageName::Legal, "fr", text);
            let Err(Error::PagePlaceholder { name, known }) = refused else { panic!("{refused:?}") };
            assert_eq!(name, wrong);
            assert!(known.starts_with("{house}, {contact}, "), "{known}");
        }
        let known = PLACEHOLDERS.concat() + " {} { } {a b} }{";
        assert!(NewText::new(HousePageName::Legal, "fr", &known).is_ok());
        let text = NewText::new(HousePageName::Legal, "fr", " \r\n").unwrap();
        assert_eq!(text, NewText { name: "legal.fr".into(), body: None });
    }
}
