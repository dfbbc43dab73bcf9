//! Rules for account names: letters of one script, no reserved words, and no name that looks like another.

use std::sync::LazyLock;

use adoube_store::{NameSkeleton, Store, StoreError, TokenHash};
use sha2::{Digest as _, Sha256};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _, skeleton};

use crate::error::Error;

const MIN_LENGTH: usize = 3;
const MAX_LENGTH: usize = 20;
/// The maximum number of combining marks in a name, such as vowel signs. They do not count towards its
/// length.
const MAX_MARKS: usize = 40;

/// Words that suggest a member of staff. None of them may be part of a name.
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

/// A reason why no account can have a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NameFault {
    /// The name is too short or too long.
    Length,
    Space,
    /// A character that no name may have, other than a space.
    Character(char),
    /// The letters belong to several scripts, there are none, or a separator is misplaced.
    Form,
    Reserved,
}

/// Checks a name and returns it in the form in which it is stored. `host` is the public origin's host.
pub(crate) fn checked_name(name: &str, host: Option<&str>) -> Result<String, Error> {
    valid_name(name, host).map_err(|faults| match &*faults {
        [NameFault::Reserved] => Error::NameReserved,
        _ => Error::Name,
    })
}

/// Does the same as [`checked_name`], but returns everything that is wrong with the name. Whether the name is
/// reserved is checked only if nothing else is wrong with it.
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
    // Only letters in everyday use and marks of their script, which excludes symbols, invisible characters
    // and stacked accents.
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
    // The form is judged only if nothing else is wrong.
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
    // Digits inside a name, as in `adm1n`, stand for letters. Those at either end are read both ways.
    let wholes = [whole, without_digits(&name.replace(['-', '_', '.', '\''], ""))];
    if wholes.iter().any(|whole| impersonal.contains(whole)) {
        return true;
    }
    // A name must not be the house's name: any sequence of the host's labels, except the last label alone.
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

/// Folds characters that look alike in most typefaces but not according to Unicode's table: `0` and `o`; `1`,
/// `l` and `i`; `rn` and `m`; `vv` and `w`; and the separators.
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

/// Returns a new name's skeleton, the other skeletons that no account may have, and the hashes under which
/// the name may have been retired with a deleted account.
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

/// Computes and stores the skeletons of accounts that were created before skeletons were stored. Existing
/// names are never refused.
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
mod tests {
    use super::*;

    fn refusal(name: &str) -> Option<&'static str> {
        checked_name(name, Some("chess.example.org")).err().map(|error| error.code())
    }

    #[test]
    fn names_are_letters_of_one_script_digits_and_a_few_separators() {
        for name in [
            "Anna",
            "Bela_7",
            "x-y",
            "007",
            "Ánna",
            "François",
            "Zoë",
            "Jean-Luc",
            "O'Brien",
            "J.R.Tolkien",
            "Ñandú",
            "Жанна",
            "Ελένη",
            "佐藤さくら",
            "משה123",
            "अनिता",
            "Łukasz",
            "Søren",
            "İbrahim",
            "Élodie",
            "ÉLODIE",
            "Großmann",
            "Ægir",
            "Nguyễn",
            "Кириллица",
            "Ёлка-Палка",
            "Κώστας",
            "سارة",
            "12345678901234567890",
            // Twenty letters; the vowel signs do not count.
            "कीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकी",
        ] {
            assert_eq!(refusal(name), None, "{name}");
        }
        // Names are stored in NFC.
        assert_eq!(checked_name("Zoe\u{308}", None).unwrap(), "Zoë");
        assert_eq!(checked_name("O’Brien", None).unwrap(), "O'Brien");
        for name in [
            "",
            "ab",
            "a b c",
            "<script>",
            "anna!",
            "___",
            ".hidden",
            "anna.",
            "'anna",
            "an..na",
            "an'.na",
            "x1234567890123456789y",
            "Аnna",
            "Annа",
            "Ann\u{200b}a",
            "Ann\u{202e}a",
            "Ann\u{200d}a",
            "Ann\u{ad}a",
            "A\u{300}\u{301}\u{302}nna",
            "ann\u{335}a",
            "Ａnna",
            "ⓐnna",
            "𝐀nna",
            "anna™",
            "anna²",
            "♔♕♖",
            "🙂🙂🙂",
            "\u{3164}\u{3164}\u{3164}",
            "anna\u{0}",
            "anna\n",
            "Ann٣a",
            "ﬁnn",
            "Ｚｏｅ",
            "Zoë🙂",
            "👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧",
            "🇫🇷🇫🇷🇫🇷",
            "\u{301}Elodie",
            "Eva\u{20e3}",
            "Élodie\u{fe0f}",
            "\u{feff}Elodie",
            "Elodie\u{2066}",
            "Иvan",
            "Evа",
            "Zoëσ",
            "アΑnna",
            "ab\u{301}",
            "कीकी",
        ] {
            assert_eq!(refusal(name), Some("bad-name"), "{name:?}");
        }
    }

    #[test]
    fn everything_that_is_wrong_with_a_name_is_reported() {
        use NameFault::{Character, Form, Length, Reserved, Space};
        for (name, faults) in [
            ("Zoé!", &[Character('!')][..]),
            ("L !", &[Space, Character('!')]),
            ("!!", &[Length, Character('!')]),
            ("Jean Luc", &[Space]),
            ("Li", &[Length]),
            ("", &[Length]),
            ("anna.", &[Form]),
            ("Аnna", &[Form]),
            ("Arbitre1", &[Reserved]),
        ] {
            assert_eq!(valid_name(name, None).unwrap_err(), faults, "{name}");
        }
    }

    #[test]
    fn reserved_names_are_refused_in_every_spelling() {
        for name in [
            "admin",
            "Admin",
            "ADMIN",
            "adm1n",
            "Adm1n_",
            "admln",
            "ádmin",
            "admin1",
            "the-admin",
            "admin.anna",
            "a-d-m-i-n",
            "administrateur",
            "Administrador",
            "arbitre",
            "l'Arbitre",
            "árbitro",
            "moderator",
            "Modérateur",
            "mod",
            "MODERAT0R",
            "rnoderator",
            "system",
            "système",
            "root",
            "adoube",
            "Adoube",
            "ad0ube",
            "adoube-team",
            "J'adoube",
            "machine",
            "Máquina",
            "ordinateur",
            "bot",
            "robot7",
            "anonymous",
            "Anonyme",
            "anónimo",
            "guest",
            "null",
            "аdmin",
            "chess.example",
            "example",
            "chessexample",
        ] {
            let refused = refusal(name);
            // A name with the Cyrillic а is refused earlier, because it mixes scripts.
            assert!(
                refused == Some("name-reserved") || (!name.is_ascii() && refused == Some("bad-name")),
                "{name}: {refused:?}"
            );
        }
        for name in [
            "Modesto",
            "Roberta",
            "Botanist",
            "Systematic",
            "Rooted",
            "Administer",
            "machines",
            "Whitehead",
            "Blackburne",
        ] {
            assert_eq!(refusal(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_look_alike_collide() {
        for (one, other) in [
            ("Anna", "aNNa"),
            ("Marion", "Mari0n"),
            ("Lisa", "1isa"),
            ("Lisa", "Iisa"),
            ("corner", "comer"),
            ("Willi", "vvilli"),
            ("Anna-B", "Anna_B"),
            ("Anna.B", "Anna'B"),
            ("coco", "сосо"),
            ("HEAT", "НЕАТ"),
            ("Zoë", "Zoe\u{308}"),
            ("Élodie", "ÉLODIE"),
            ("Großmann", "GROSSMANN"),
            ("Großmann", "Grossmann"),
            ("İbrahim", "İBRAHIM"),
            ("ıbrahim", "ibrahim"),
        ] {
            let (one, other) = (name_skeleton(one, b"salt"), name_skeleton(other, b"salt"));
            let looks = |skeleton: &NameSkeleton| {
                [vec![skeleton.skeleton.clone()], skeleton.alternatives.clone()].concat()
            };
            assert!(
                looks(&other).contains(&one.skeleton) || looks(&one).contains(&other.skeleton),
                "{one:?} {other:?}"
            );
        }
        for (one, other) in
            [("Anna", "Hanna"), ("Jose", "José"), ("Anna", "Anna-B"), ("Carl", "Karl"), ("Eva", "Ева")]
        {
            assert_ne!(skeleton_of(one), skeleton_of(other), "{one} {other}");
        }
    }

    #[test]
    fn names_that_differ_only_in_case_or_apostrophes_have_the_same_key() {
        use adoube_store::columns::name_key;
        for (one, other) in [
            ("Élodie", "ÉLODIE"),
            ("КИРИЛЛИЦА", "кириллица"),
            ("ΚΏΣΤΑΣ", "Κώστας"),
            ("İbrahim", "i\u{307}brahim"),
            ("O'Brien", "o’brien"),
        ] {
            assert_eq!(name_key(one), name_key(other));
        }
        for (one, other) in [("Élodie", "Elodie"), ("İbrahim", "ibrahim"), ("Großmann", "Grossman")] {
            assert_ne!(name_key(one), name_key(other));
        }
    }

    #[test]
    fn the_hash_of_a_retired_name_depends_on_the_salt() {
        assert_eq!(skeleton_hash("anna", b"one"), skeleton_hash("anna", b"one"));
        assert_ne!(skeleton_hash("anna", b"one").0, skeleton_hash("anna", b"two").0);
    }
}
