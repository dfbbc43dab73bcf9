//! Checks the names in a list of new pupils. All the faults found are reported together.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use adoube_protocol::Millis;
use adoube_store::{NameSkeleton, Registered};
use unicode_normalization::char::is_combining_mark;

use super::{Administration, Parts};
use crate::{
    auth::{NameFault, name_skeleton, valid_name},
    error::Error,
};

/// The maximum number of characters of a name that a message shows.
const MAX_SHOWN_CHARS: usize = 40;

/// A reason why a new pupil cannot have a name.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum NameReason {
    Length,
    Space,
    /// The characters that are not allowed are given in brackets after the name.
    Characters,
    Form,
    Reserved,
    /// The name is in the list twice.
    Repeated,
    Taken,
    /// The name looks like that of another account, or like another one in the list.
    Alike,
    /// The name is that of a deleted account, or looks like it.
    Retired,
}

impl NameReason {
    /// Returns the name of the message argument that lists the names refused for this reason.
    fn code(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Space => "space",
            Self::Characters => "characters",
            Self::Form => "form",
            Self::Reserved => "reserved",
            Self::Repeated => "repeated",
            Self::Taken => "taken",
            Self::Alike => "alike",
            Self::Retired => "retired",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Length => "not 3 to 20 characters",
            Self::Space => "with a space",
            Self::Characters => "with a character that is not allowed",
            Self::Form => {
                "no letters or digits, letters from several alphabets, or a misplaced dot or apostrophe"
            }
            Self::Reserved => "reserved",
            Self::Repeated => "given twice",
            Self::Taken => "taken",
            Self::Alike => "looks like the name of an account, or like another name in the list",
            Self::Retired => "name of a deleted account",
        }
    }
}

/// The names that new pupils cannot have, by reason.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct RefusedNames {
    names: BTreeMap<NameReason, Vec<String>>,
    /// The time at which all retired names are free again, if there are any.
    until: Option<Millis>,
}

impl RefusedNames {
    fn add(&mut self, reason: NameReason, name: String) {
        let names = self.names.entry(reason).or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }

    fn add_faults(&mut self, name: &str, faults: &[NameFault]) {
        let name = shortened(name);
        let mut characters = String::new();
        for fault in faults {
            let reason = match fault {
                NameFault::Length => NameReason::Length,
                NameFault::Space => NameReason::Space,
                NameFault::Form => NameReason::Form,
                NameFault::Reserved => NameReason::Reserved,
                NameFault::Character(c) => {
                    characters.push_str(&shown(*c));
                    continue;
                }
            };
            self.add(reason, name.clone());
        }
        if !characters.is_empty() {
            self.add(NameReason::Characters, format!("{name} ({characters})"));
        }
    }

    fn add_registered(&mut self, name: String, refusal: &Registered) {
        let reason = match refusal {
            Registered::NameAlike => NameReason::Alike,
            Registered::NameRetired(until) => {
                self.until = self.until.max(Some(*until));
                NameReason::Retired
            }
            _ => NameReason::Taken,
        };
        self.add(reason, name);
    }

    /// Returns a list with one name, which the store refused.
    pub(super) fn of(name: String, refusal: &Registered) -> Self {
        let mut refused = Self::default();
        refused.add_registered(name, refusal);
        refused
    }

    /// Returns the arguments of the localized message: the names by reason, and the time at which all retired
    /// names are free again.
    pub(crate) fn args(&self) -> Vec<(&'static str, String)> {
        let names = self.names.iter().map(|(reason, names)| (reason.code(), names.join(", ")));
        names.chain(self.until.map(|until| ("until", until.0.to_string()))).collect()
    }
}

impl fmt::Display for RefusedNames {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = self.names.iter().map(|(reason, names)| {
            let until = match (reason, self.until) {
                (NameReason::Retired, Some(until)) => until_text(until),
                _ => String::new(),
            };
            format!("{}{until}: {}", reason.words(), names.join(", "))
        });
        out.write_str(&reasons.collect::<Vec<_>>().join("; "))
    }
}

/// Returns a name as given, shortened for a message.
pub(super) fn shortened(name: &str) -> String {
    name.trim().chars().take(MAX_SHOWN_CHARS).collect()
}

/// Returns the words that follow `name of a deleted account` and say when the name is free again.
pub(crate) fn until_text(until: Millis) -> String {
    let date =
        time::OffsetDateTime::from_unix_timestamp(until.0.div_euclid(1000)).map(time::OffsetDateTime::date);
    // Some houses keep names forever. The expiry time is then too late for a calendar date.
    date.map_or_else(|_| ", reserved for good".to_owned(), |date| format!(", free again by {date}"))
}

/// Returns a character in a form that can be shown in a sentence. Invisible characters become code points.
fn shown(c: char) -> String {
    let is_invisible = c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
    if is_invisible {
        format!("U+{:04X}", u32::from(c))
    } else if is_combining_mark(c) {
        format!("◌{c}")
    } else {
        c.to_string()
    }
}

impl Administration {
    /// Checks the names of new pupils. If any name is refused, no pupil is created.
    pub(super) async fn checked_names(
        &self,
        names: &[String],
        now: Millis,
    ) -> Result<Vec<(String, NameSkeleton)>, Error> {
        let Parts { store, host, name_salt, .. } = &self.parts;
        let mut checked = Vec::with_capacity(names.len());
        let (mut lowercase, mut skeletons) = (BTreeSet::new(), BTreeSet::new());
        let mut refused = RefusedNames::default();
        for name in names {
            let name = match valid_name(name, host.as_deref()) {
                Ok(name) => name,
                Err(faults) => {
                    refused.add_faults(name, &faults);
                    continue;
                }
            };
            let skeleton = name_skeleton(&name, name_salt);
            if !lowercase.insert(name.to_lowercase()) {
                refused.add(NameReason::Repeated, name);
            } else if !skeletons.insert(skeleton.skeleton.clone()) {
                refused.add(NameReason::Alike, name);
            } else if let Some(refusal) = store.check_name(&name, &skeleton, now).await? {
                refused.add_registered(name, &refusal);
            } else {
                checked.push((name, skeleton));
            }
        }
        if refused == RefusedNames::default() { Ok(checked) } else { Err(Error::PupilNames(refused)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_listed_with_its_reason() {
        let mut refused = RefusedNames::default();
        for name in ["Zoé!?", "Jean Luc", "A!", "A!", "Ann\u{200b}a", "Arbitre1"] {
            refused.add_faults(name, &valid_name(name, None).unwrap_err());
        }
        refused.add_registered("Ahmed".into(), &Registered::NameRetired(Millis(86_400_000)));
        refused.add_registered("Tim".into(), &Registered::NameRetired(Millis(0)));
        assert_eq!(
            refused.to_string(),
            "not 3 to 20 characters: A!; with a space: Jean Luc; with a character that is not allowed: \
             Zoé!? (!?), A! (!), Ann\u{200b}a (U+200B); reserved: Arbitre1; \
             name of a deleted account, free again by 1970-01-02: Ahmed, Tim"
        );
        let args = refused.args();
        assert_eq!(args.last(), Some(&("until", "86400000".to_owned())));
        assert!(args.contains(&("space", "Jean Luc".to_owned())));
        assert_eq!(until_text(Millis(i64::MAX)), ", reserved for good");
    }
}
