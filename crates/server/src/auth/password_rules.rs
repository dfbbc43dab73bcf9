//! Rules for passwords.
//!
//! There are no composition rules. A password is refused if it is too short or too long, if it is a common
//! password, if it is a sequence, a repetition or a date, or if it consists of words that an attacker who
//! knows the account or this house would try.

use std::{collections::BTreeSet, sync::LazyLock};

use adoube_protocol::Password;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::error::Error;

const MIN_LENGTH: usize = 8;
const MAX_LENGTH: usize = 128;

/// Common passwords, and the words that most other weak passwords are made from. The lines are sorted, in
/// lower case and without accents. The list takes up 130 kB.
const COMMON: &str = include_str!("common-passwords.txt");
static COMMON_SET: LazyLock<BTreeSet<&str>> = LazyLock::new(|| COMMON.lines().collect());

/// A common password with at most this many characters around it still counts as common.
const MAX_AFFIX_CHARS: usize = 5;
/// A password made of context words and at most this many other characters, of which at most two are
/// letters, is refused.
const MAX_EXTRA_CHARS: usize = 5;
/// A password must have more than this many distinct characters, and more than this many parts, which are
/// runs (`abcd`, `4321`, `qwer`) or single characters.
const MAX_SIMPLE_PARTS: usize = 3;
/// A password that only repeats a unit of fewer characters than this is refused.
const MIN_UNIT_CHARS: usize = 8;

/// Words related to this site and its games. A password made only of them is refused.
const SITE_WORDS: &[&str] = &[
    "adoube",
    "ajedrez",
    "alfil",
    "baroque",
    "barroco",
    "bishop",
    "caballo",
    "cavalier",
    "chameleon",
    "check",
    "checkmate",
    "chess",
    "coordinator",
    "dama",
    "dame",
    "draw",
    "echec",
    "echecs",
    "empate",
    "enroque",
    "gambit",
    "gambito",
    "grandmaster",
    "immobilizer",
    "interweave",
    "jadoube",
    "jaque",
    "jaquemate",
    "king",
    "knight",
    "leaper",
    "maestro",
    "maitre",
    "master",
    "mat",
    "mate",
    "nulle",
    "partida",
    "partie",
    "pawn",
    "peon",
    "pion",
    "queen",
    "reina",
    "reine",
    "rey",
    "roi",
    "rook",
    "roque",
    "stalemate",
    "tablas",
    "torre",
    "tour",
    "tower",
    "ultima",
    "withdrawer",
    "zugzwang",
    "game",
    "player",
];

/// Keyboard rows in several layouts. Neighbouring keys of a row form a run.
const ROWS: [&str; 8] =
    ["qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "qwertzuiop", "yxcvbnm"];

/// The reason why a password of permitted length is weak.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Weakness {
    Common,
    Simple,
    Context,
}

/// Normalises a password before its characters are counted and before it is hashed, because devices encode the
/// same keys differently: converts it to NFC, and replaces all whitespace except tabs, line feeds and carriage
/// returns with ASCII spaces.
pub(super) fn normalized(password: &str) -> String {
    password
        .nfc()
        .map(|c| if c.is_whitespace() && c != '\t' && c != '\n' && c != '\r' { ' ' } else { c })
        .collect()
}

/// Fails if a new password is too short, too long or easily guessed. `about` holds the account's name and
/// e-mail address.
pub(super) fn check(password: &Password, about: &[&str]) -> Result<(), Error> {
    let text = normalized(password.expose());
    let length = text.chars().count();
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(Error::Password);
    }
    match weakness(&fold(&text), &context(about)) {
        None => Ok(()),
        Some(Weakness::Common) => Err(Error::PasswordCommon),
        Some(Weakness::Simple) => Err(Error::PasswordSimple),
        Some(Weakness::Context) => Err(Error::PasswordContext),
    }
}

/// Removes differences in case, accents and compatibility forms. The result is used only for comparison.
fn fold(text: &str) -> String {
    text.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase).collect()
}

/// Returns the words that an attacker who knows the account would try, longest first.
fn context(about: &[&str]) -> Vec<String> {
    let mut words: BTreeSet<String> = SITE_WORDS.iter().map(|&word| word.to_owned()).collect();
    for text in about {
        let text = fold(text);
        let (local, domain) = text.split_once('@').unwrap_or((&text, ""));
        words.insert(text.clone());
        for part in [local, domain] {
            words.insert(part.to_owned());
            words.extend(part.split(|c: char| !c.is_alphanumeric()).map(str::to_owned));
            words.extend(part.split(|c: char| !c.is_alphabetic()).map(str::to_owned));
        }
    }
    let mut words: Vec<_> = words.into_iter().filter(|word| word.chars().count() >= 3).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

fn weakness(text: &str, context: &[String]) -> Option<Weakness> {
    let chars: Vec<char> = text.chars().collect();
    if let Some(unit) = unit(&chars) {
        if unit < MIN_UNIT_CHARS {
            return Some(Weakness::Simple);
        }
        // A repetition is as weak as its unit.
        let once: String = chars.iter().take(unit).collect();
        return weakness(&once, context);
    }
    if is_simple(&chars) {
        return Some(Weakness::Simple);
    }
    let readings = readings(text);
    if readings.iter().any(|reading| is_common(reading)) {
        return Some(Weakness::Common);
    }
    if readings.iter().any(|reading| is_made_of(reading, context)) {
        return Some(Weakness::Context);
    }
    None
}

/// Returns the ways to read a string: unchanged, reversed, and with digits and symbols replaced by the
/// letters that they may stand for.
fn readings(text: &str) -> Vec<String> {
    let read = |one: char| {
        text.chars()
            .map(|c| match c {
                '0' => 'o',
                '1' | '!' | '|' => one,
                '3' | '€' => 'e',
                '4' | '@' => 'a',
                '5' | '$' => 's',
                '7' => 't',
                '8' => 'b',
                '9' => 'g',
                other => other,
            })
            .collect::<String>()
    };
    let mut readings = vec![text.to_owned(), text.chars().rev().collect()];
    for one in ['i', 'l'] {
        let letters = read(one);
        // Digits at the end are usually meant as digits, as in `p@ssw0rd123`.
        let tail = text.chars().rev().take_while(|c| !c.is_alphabetic()).count();
        let head = letters.chars().count() - tail;
        let unchanged = letters.chars().take(head).chain(text.chars().skip(head)).collect();
        let start = text.chars().take_while(|c| !c.is_alphabetic()).count();
        let inner =
            text.chars().take(start).chain(letters.chars().skip(start).take(head.saturating_sub(start)));
        readings.push(inner.chain(text.chars().skip(head.max(start))).collect());
        readings.extend([unchanged, letters]);
    }
    readings.sort_unstable();
    readings.dedup();
    readings
}

/// Returns `true` if a string is a common password, possibly with a few characters around it.
fn is_common(text: &str) -> bool {
    if COMMON_SET.contains(text) {
        return true;
    }
    let tight: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if COMMON_SET.contains(tight.as_str()) {
        return true;
    }
    let word = tight.trim_matches(|c: char| !c.is_alphabetic());
    let around: Vec<char> = match tight.split_once(word) {
        Some((before, after)) => before.chars().chain(after.chars()).collect(),
        None => return false,
    };
    (around.len() <= MAX_AFFIX_CHARS || is_simple(&around)) && COMMON_SET.contains(word)
}

/// Returns `true` if a string contains context words and little else.
fn is_made_of(text: &str, context: &[String]) -> bool {
    let mut rest = text.to_owned();
    for word in context {
        if rest.contains(word.as_str()) {
            // The separator keeps the characters on either side from forming a new word.
            rest = rest.replace(word.as_str(), "\u{0}");
        }
    }
    if !rest.contains('\u{0}') {
        return false;
    }
    let remaining: Vec<char> = rest.chars().filter(|&c| c != '\u{0}' && !c.is_whitespace()).collect();
    let letters = remaining.iter().filter(|c| c.is_alphabetic()).count();
    (letters <= 2 && remaining.len() <= MAX_EXTRA_CHARS) || is_simple(&remaining)
}

/// Returns the length of the shortest unit that is repeated to form the whole string, or `None` if there is
/// no such unit. The last repetition may be incomplete.
fn unit(chars: &[char]) -> Option<usize> {
    (1..=chars.len() / 2).find(|&unit| chars.iter().skip(unit).zip(chars).all(|(one, other)| one == other))
}

/// Returns `true` if a string is a date, has few distinct characters, or has few [`parts`]. Runs may be
/// interleaved, as in `1q2w3e4r`.
fn is_simple(chars: &[char]) -> bool {
    let distinct: BTreeSet<_> = chars.iter().collect();
    let every_other = |from: usize| chars.iter().skip(from).step_by(2).copied().collect::<Vec<_>>();
    distinct.len() <= MAX_SIMPLE_PARTS
        || parts(chars) <= MAX_SIMPLE_PARTS
        || parts(&every_other(0)) + parts(&every_other(1)) <= MAX_SIMPLE_PARTS
        || is_date(chars)
}

/// Returns the number of parts (runs or single characters) in a string.
fn parts(chars: &[char]) -> usize {
    let (mut parts, mut from) = (0, 0);
    while from < chars.len() {
        let rest = chars.get(from..).unwrap_or_default();
        let run = Step::ALL.iter().map(|&step| run(rest, step)).max().unwrap_or(1);
        from += if run >= 3 { run } else { 1 };
        parts += 1;
    }
    parts
}

#[derive(Clone, Copy)]
enum Step {
    Same,
    Up,
    Down,
    Right(&'static str),
    Left(&'static str),
}

impl Step {
    const ALL: [Self; 19] = {
        let mut all = [Self::Same; 19];
        all[1] = Self::Up;
        all[2] = Self::Down;
        let mut row = 0;
        while row < ROWS.len() {
            all[3 + 2 * row] = Self::Right(ROWS[row]);
            all[4 + 2 * row] = Self::Left(ROWS[row]);
            row += 1;
        }
        all
    };

    fn is_step(self, from: char, to: char) -> bool {
        let neighbours = |row: &str, first: char, second: char| {
            row.chars().zip(row.chars().skip(1)).any(|pair| pair == (first, second))
        };
        let alike =
            (from.is_ascii_digit() && to.is_ascii_digit()) || (from.is_alphabetic() && to.is_alphabetic());
        match self {
            Self::Same => from == to,
            // 0 follows 9, as on keyboards.
            Self::Up => alike && (from as u32 + 1 == to as u32 || (from, to) == ('9', '0')),
            Self::Down => alike && (from as u32 == to as u32 + 1 || (from, to) == ('0', '9')),
            Self::Right(row) => neighbours(row, from, to),
            Self::Left(row) => neighbours(row, to, from),
        }
    }
}

/// Returns the length of the longest prefix in which each character follows the previous one by the given
/// step.
fn run(chars: &[char], step: Step) -> usize {
    1 + chars.iter().zip(chars.iter().skip(1)).take_while(|&(&from, &to)| step.is_step(from, to)).count()
}

/// Returns `true` if a string is a date with a four-digit year first or last, such as `24121999`,
/// `1999-12-24` or `12/24/1999`.
fn is_date(chars: &[char]) -> bool {
    if !chars.iter().all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | ' ')) {
        return false;
    }
    let digits: String = chars.iter().filter(|c| c.is_ascii_digit()).collect();
    let number =
        |from: usize, to: usize| digits.get(from..to).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    let is_day =
        |one: u32, two: u32| (1..=31).contains(&one) && (1..=31).contains(&two) && (one <= 12 || two <= 12);
    let is_year = |year: u32| (1900..2100).contains(&year);
    digits.len() == 8
        && ((is_year(number(4, 8)) && is_day(number(0, 2), number(2, 4)))
            || (is_year(number(0, 4)) && is_day(number(4, 6), number(6, 8))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weakness_of(password: &str, about: &[&str]) -> Option<&'static str> {
        check(&Password::new(password.into()), about).err().map(|error| error.code())
    }

    #[test]
    fn common_passwords_are_refused_in_every_spelling() {
        for password in [
            "password",
            "PASSWORD",
            "Password1",
            "password123",
            "p@ssw0rd",
            "P@$$w0rd!",
            "pa55word99",
            "drowssap",
            "passwordpassword",
            "iloveyou",
            "baseball",
            "football1",
            "!Dragon2024",
            "dragon2024",
            "sunshine12345678",
            "motdepasse",
            "MotDePasse1",
            "mot de passe",
            "contraseña",
            "Contrasena1",
            "qazwsxedc",
            "letmein!",
            "bonjour123",
            "$oleil2024",
            "ｐａｓｓｗｏｒｄ",
        ] {
            assert_eq!(weakness_of(password, &[]), Some("password-common"), "{password}");
        }
    }

    #[test]
    fn sequences_repetitions_and_dates_are_refused() {
        for password in [
            "        ",
            "aaaaaaaa",
            "12345678",
            "87654321",
            "1234567890",
            "abcdefgh",
            "hgfedcba",
            "abababab",
            "abcabcabc",
            "12341234",
            "11112222",
            "aaaabbbb",
            "abc123xyz",
            "qwertyui",
            "poiuytre",
            "azertyui",
            "qwertzui",
            "1234qwer",
            "q1w2e3r4",
            "1q2w3e4r",
            "1a2b3c4d",
            "12345678a",
            "horsehorse",
            "24121999",
            "1999-12-24",
            "12/24/1999",
            "ééééééééé",
            "абвгдежз",
            "aaaaaaaaaaaaaaaaaaaaaaaaab",
        ] {
            assert_eq!(weakness_of(password, &[]), Some("password-simple"), "{password}");
        }
    }

    #[test]
    fn passwords_made_of_account_or_site_words_are_refused() {
        for (password, about) in [
            ("annamaria", "Annamaria"),
            ("Annamaria1", "annamaria"),
            ("4nn4m4r14", "annamaria"),
            ("annamaria-99", "Annamaria"),
            ("airamanna", "Annamaria"),
            ("jean.dupont", "jean.dupont@example.org"),
            ("DupontJean!", "jean.dupont@example.org"),
            ("example.org", "jean@example.org"),
            ("adoube2024", ""),
            ("J'adoube!", ""),
            ("chesschess1", ""),
            ("kingofchess", ""),
            ("échec et mat", ""),
            ("jaque mate", ""),
            ("queen gambit", ""),
            ("adoubechess12345678", ""),
        ] {
            assert_eq!(weakness_of(password, &[about]), Some("password-context"), "{password}");
        }
    }

    #[test]
    fn passwords_that_are_hard_to_guess_are_accepted() {
        for password in [
            "correct horse",
            "battery staple",
            "tr0ub4dor",
            "long enough",
            "le cheval correct",
            "tomato soup",
            "zkqpvmwx",
            "83019475",
            "an annamaria likes tea",
            "my chess club is best",
            "пароль для шахмат",
            "日本語のパスワード",
            "🙂🙃🦊🐢🌵🍓🚲🎻",
        ] {
            assert_eq!(weakness_of(password, &["annamaria", "annamaria@example.org"]), None, "{password}");
        }
    }

    #[test]
    fn length_is_counted_in_composed_characters() {
        assert_eq!(weakness_of("zkqpvmw", &[]), Some("bad-password"));
        // Seven characters, the last of which is sent as two code points.
        assert_eq!(weakness_of("zkqpvme\u{301}", &[]), Some("bad-password"));
        assert_eq!(weakness_of("zkqpvmweé", &[]), None);
        let long: String = "correct horse battery staple ".chars().cycle().take(129).collect();
        assert_eq!(weakness_of(&long, &[]), Some("bad-password"));
        let most: String = "ő🦊 correct horse, é battery staple; ".repeat(5).chars().take(128).collect();
        assert_eq!(weakness_of(&most, &[]), None);
    }

    #[test]
    fn composed_and_decomposed_accents_are_equal() {
        assert_eq!(normalized("cafe\u{301}\u{a0}noir"), "café noir");
        // Distinct characters stay distinct.
        for text in ["Ａ", "ﬁ", "²", "A", "ß", "  two spaces  "] {
            assert_eq!(normalized(text), text);
        }
    }

    #[test]
    fn the_list_of_common_passwords_is_sorted_folded_and_long_enough() {
        let lines: Vec<&str> = COMMON.lines().collect();
        assert!(lines.is_sorted());
        assert!(lines.iter().all(|line| *line == fold(line) && !line.is_empty()));
        // ASVS requires a check against the 3,000 most frequent passwords that are long enough.
        assert!(lines.iter().filter(|line| line.len() >= MIN_LENGTH).count() > 10_000);
    }
}
