//! Rules for account names: letters of one script, no reserved words, and no name that looks like another.

use std::sync::LazyLock;

use adoube_store::{NameSkeleton, Store, StoreError, TokenHash};
use sha2::{Digest as _, Sha256};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _, skeleton};

use crate::error::Error;

const MIN_LENGTH: usize = 3;
const MAX_LENGTH: usize = 20;
/// The maximum number of combining marks, such as vowel signs, in a name. They do not count towards its
/// length.
const MAX_MARKS: usize = 40;

/// Words that suggest a member of staff. A name must not be one of them, or contain one as a part set off by
/// separators.
const STAFF: &[&str] = &[
    "adoube",
    "jadoube",
    "admin",
    "admins",
    "administrator",
    "administrateur",
    "administratrice",
    "administrador",
    "administradora",
    "moderator",
    "moderateur",
    "moderatrice",
    "moderador",
    "moderadora",
    "moderation",
    "mod",
    "mods",
    "root",
    "system",
    "systeme",
    "sistema",
    "sysadmin",
    "operator",
    "operateur",
    "operador",
    "staff",
    "support",
    "official",
    "officiel",
    "oficial",
    "webmaster",
    "postmaster",
    "security",
    "arbiter",
    "arbitre",
    "arbitro",
    "arbitra",
    "organizer",
    "organiser",
    "organisateur",
    "organisatrice",
    "organizador",
    "organizadora",
];

/// Words that do not denote a particular person. They may be part of a name, but not the whole name.
const IMPERSONAL: &[&str] = &[
    "machine",
    "maquina",
    "ordinateur",
    "ordenador",
    "computer",
    "computadora",
    "robot",
    "bot",
    "engine",
    "moteur",
    "motor",
    "stockfish",
    "anonymous",
    "anonyme",
    "anonimo",
    "anonima",
    "guest",
    "invite",
    "invitee",
    "invitado",
    "invitada",
    "visitor",
    "visiteur",
    "visitante",
    "nobody",
    "personne",
    "nadie",
    "somebody",
    "deleted",
    "supprime",
    "eliminado",
    "unknown",
    "inconnu",
    "desconocido",
    "null",
    "undefined",
    "none",
    "you",
    "api",
    "help",
    "aide",
    "ayuda",
    "opponent",
];

static RESERVED: LazyLock<[Vec<String>; 2]> =
    LazyLock::new(|| [STAFF, IMPERSONAL].map(|words| words.iter().map(|word| base_letters(word)).collect()));

/// A reason why a name is not allowed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NameFault {
    /// The name is too short or too long, or has too many combining marks.
    Length,
    Space,
    /// A character that no name may have, other than a space.
    Character(char),
    /// The letters belong to several scripts, there are neither letters nor digits, a separator is misplaced,
    /// or the name begins with a combining mark.
    Form,
    Reserved,
}

/// Checks a name and returns it as it is stored. `host` is the public origin's host.
pub(crate) fn checked_name(name: &str, host: Option<&str>) -> Result<String, Error> {
    valid_name(name, host).map_err(|faults| match &*faults {
        [NameFault::Reserved] => Error::NameReserved,
        _ => Error::Name,
    })
}

/// Like [`checked_name`], but returns everything that is wrong with the name. Whether the name is reserved is
/// checked only if nothing else is wrong with it.
pub(crate) fn valid_name(name: &str, host: Option<&str>) -> Result<String, Vec<NameFault>> {
    let name = normalize_name(name);
    let faults = form_faults(&name);
    if !faults.is_empty() {
        return Err(faults);
    }
    if is_reserved(&name, host) { Err(vec![NameFault::Reserved]) } else { Ok(name) }
}

/// Returns the name in NFC with straight apostrophes. Many phone keyboards have only curly ones.
fn normalize_name(name: &str) -> String {
    name.nfc().map(|c| if c == '’' { '\'' } else { c }).collect()
}

fn form_faults(name: &str) -> Vec<NameFault> {
    let is_separator = |c: char| matches!(c, '-' | '_' | '.' | '\'');
    // Only letters in everyday use, and marks that belong to one script, are allowed. This excludes symbols,
    // invisible characters and stacked accents.
    let is_letter = |c: char| {
        c.identifier_allowed() && if is_combining_mark(c) { is_of_script(c) } else { c.is_alphabetic() }
    };
    let chars: Vec<char> = name.chars().collect();
    let mut faults = Vec::new();
    // A reader sees a letter and its marks as one character.
    let marks = chars.iter().filter(|&&c| is_combining_mark(c)).count();
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&(chars.len() - marks)) || marks > MAX_MARKS {
        faults.push(NameFault::Length);
    }
    let is_allowed = |c: char| c.is_ascii_digit() || is_separator(c) || is_letter(c);
    for &c in chars.iter().filter(|&&c| !is_allowed(c)) {
        let fault = if c.is_whitespace() { NameFault::Space } else { NameFault::Character(c) };
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    let is_well_formed = chars.iter().any(|&c| c.is_ascii_digit() || is_letter(c))
        && chars.first().is_some_and(|&c| !matches!(c, '.' | '\'') && !is_combining_mark(c))
        && !name.ends_with(['.', '\''])
        && !chars.windows(2).any(|pair| pair.iter().all(|c| matches!(c, '.' | '\'')))
        && name.is_single_script();
    // The form is checked only if nothing else is wrong.
    if faults.is_empty() && !is_well_formed {
        faults.push(NameFault::Form);
    }
    faults
}

/// Returns `true` if a combining mark belongs to one script, as a vowel sign does. An accent that combines
/// with letters of any script does not.
fn is_of_script(c: char) -> bool {
    // After a Latin letter, a mark of another script makes the string mixed-script.
    !format!("a{c}").as_str().is_single_script()
}

/// Returns `true` if a name, or a part of it, is reserved.
fn is_reserved(name: &str, host: Option<&str>) -> bool {
    let [staff, impersonal] = &*RESERVED;
    let whole = base_letters(name);
    let without_digits = |text: &str| base_letters(text.trim_matches(|c: char| c.is_ascii_digit()));
    let parts: Vec<String> = name
        .split(['-', '_', '.', '\''])
        .flat_map(|part| [base_letters(part), without_digits(part)])
        .chain([whole.clone(), without_digits(&name.replace(['-', '_', '.', '\''], ""))])
        .collect();
    if parts.iter().any(|part| staff.contains(part)) {
        return true;
    }
    // Digits inside a name, as in `adm1n`, stand for letters. The name is also checked without the digits at
    // either end.
    let wholes = [whole, without_digits(&name.replace(['-', '_', '.', '\''], ""))];
    if wholes.iter().any(|whole| impersonal.contains(whole)) {
        return true;
    }
    // A name must not be the house's name. Any sequence of consecutive labels of the host counts as such,
    // except the last label alone.
    let labels: Vec<&str> = host.unwrap_or_default().split('.').collect();
    let count = labels.len();
    let parts = (0..count).flat_map(|from| (from + 1..=count).map(move |to| from..to));
    parts
        .filter(|part| part.start + 1 < count)
        .filter_map(|part| labels.get(part))
        .map(|part| base_letters(&part.concat()))
        .any(|house| house.chars().count() >= MIN_LENGTH && wholes.contains(&house))
}

/// Returns the skeleton of a name. Names with the same skeleton can be mistaken for each other.
fn skeleton_of(name: &str) -> String {
    // Full case folding makes ß equal to ss, and ς to σ; `to_lowercase` alone does not.
    let cased = skeleton(name).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    fold_confusables(&cased.collect::<String>())
}

/// Folds characters that look alike in most typefaces, including those that Unicode's table does not cover:
/// `0` and `o`; `1`, `l` and `i`; `rn` and `m`; `vv` and `w`; and the separators.
fn fold_confusables(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            '0' => 'o',
            '1' | 'i' | '|' | '!' => 'l',
            '_' | '.' | '\'' | '’' | '‐' => '-',
            other => other,
        })
        .collect();
    text.replace("rn", "m").replace("vv", "w")
}

/// Returns the skeleton of a string without accents and separators.
fn base_letters(text: &str) -> String {
    let plain: String = text.nfkd().filter(|&c| !is_combining_mark(c)).collect();
    skeleton_of(&plain).chars().filter(|&c| c != '-' && !is_combining_mark(c)).collect()
}

/// Returns a new name's skeleton, further skeletons that no other account may have, and the hashes under
/// which the name may have been retired with a deleted account.
pub(crate) fn name_skeleton(name: &str, salt: &[u8]) -> NameSkeleton {
    let (skeleton, lowercase) = (skeleton_of(name), skeleton_of(&name.to_lowercase()));
    let retired = [&skeleton, &lowercase].map(|skeleton| skeleton_hash(skeleton, salt)).to_vec();
    let alternatives = if lowercase == skeleton { Vec::new() } else { vec![lowercase] };
    NameSkeleton { skeleton, alternatives, retired }
}

/// Returns the salted hash of a skeleton. Without the house's salt, the name cannot be recovered from the
/// hash by guessing.
pub(super) fn skeleton_hash(skeleton: &str, salt: &[u8]) -> TokenHash {
    TokenHash(Sha256::new().chain_update(salt).chain_update(skeleton.as_bytes()).finalize().into())
}

/// The number of accounts whose skeletons are stored in one transaction.
const BATCH_SIZE: u32 = 500;

/// Computes and stores the skeletons of names that an earlier version stored without a skeleton or without an
/// unaccented key. The store adds the key. Existing names are never refused.
pub(crate) async fn fill_skeletons(store: &dyn Store) -> Result<(), StoreError> {
    loop {
        let names = store.list_names_without_skeleton(BATCH_SIZE).await?;
        if names.is_empty() {
            return Ok(());
        }
        store
            .set_skeletons(names.into_iter().map(|(player, name)| (player, skeleton_of(&name))).collect())
            .await?;
    }
}

#[cfg(test)]
mod tests;
