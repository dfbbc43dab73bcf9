//! The text format of column values, and the keys and patterns by which names are found. Shared by all
//! databases.

use adoube_vocabulary::{AccountState, ChatRoom, Color, GameResult, PresenceAudience, ReportOutcome, Role};
use unicode_normalization::UnicodeNormalization as _;

use crate::{Phase, Result, StoreError, chain::Head};

pub fn phase_text(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Playing => "playing",
        Phase::Over => "over",
    }
}

pub fn color_text(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

pub fn result_text(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1-0",
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
        GameResult::NoResult => "*",
    }
}

pub fn room_text(room: ChatRoom) -> &'static str {
    match room {
        ChatRoom::Players => "players",
        ChatRoom::Watchers => "watchers",
    }
}

/// Parses the output of [`phase_text`].
pub fn phase(text: &str) -> Result<Phase> {
    match text {
        "waiting" => Ok(Phase::Waiting),
        "playing" => Ok(Phase::Playing),
        "over" => Ok(Phase::Over),
        other => Err(StoreError::InvalidValue { table: "games", what: "phase", found: other.into() }),
    }
}

/// Parses the name of an audience.
pub fn presence_audience(text: &str) -> Result<PresenceAudience> {
    let found = PresenceAudience::ALL.into_iter().find(|audience| audience.name() == text);
    found.ok_or_else(|| StoreError::InvalidValue { table: "accounts", what: "shown_to", found: text.into() })
}

/// Parses the output of [`color_text`]. The error names `table`.
pub fn color(text: &str, table: &'static str) -> Result<Color> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        other => Err(StoreError::InvalidValue { table, what: "color", found: other.into() }),
    }
}

/// Parses the output of [`result_text`].
pub fn result(text: &str) -> Result<GameResult> {
    match text {
        "1-0" => Ok(GameResult::WhiteWins),
        "0-1" => Ok(GameResult::BlackWins),
        "1/2-1/2" => Ok(GameResult::Draw),
        "*" => Ok(GameResult::NoResult),
        other => Err(StoreError::InvalidValue { table: "games", what: "result", found: other.into() }),
    }
}

/// Parses the output of [`room_text`].
pub fn room(text: &str) -> Result<ChatRoom> {
    match text {
        "players" => Ok(ChatRoom::Players),
        "watchers" => Ok(ChatRoom::Watchers),
        other => Err(StoreError::InvalidValue { table: "chat", what: "room", found: other.into() }),
    }
}

pub fn account_state_text(state: AccountState) -> &'static str {
    match state {
        AccountState::Open => "open",
        AccountState::Pending => "pending",
        AccountState::Closed => "closed",
    }
}

pub fn outcome_text(outcome: ReportOutcome) -> &'static str {
    match outcome {
        ReportOutcome::Upheld => "upheld",
        ReportOutcome::Dismissed => "dismissed",
    }
}

/// Parses the output of [`account_state_text`].
pub fn account_state(text: &str) -> Result<AccountState> {
    match text {
        "open" => Ok(AccountState::Open),
        "pending" => Ok(AccountState::Pending),
        "closed" => Ok(AccountState::Closed),
        other => Err(StoreError::InvalidValue { table: "accounts", what: "state", found: other.into() }),
    }
}

/// Parses the output of [`outcome_text`].
pub fn outcome(text: &str) -> Result<ReportOutcome> {
    match text {
        "upheld" => Ok(ReportOutcome::Upheld),
        "dismissed" => Ok(ReportOutcome::Dismissed),
        other => Err(StoreError::InvalidValue { table: "reports", what: "outcome", found: other.into() }),
    }
}

/// Parses the [name](Role::name) of a role.
pub fn role(text: &str) -> Result<Role> {
    text.parse().map_err(|_| StoreError::InvalidValue { table: "accounts", what: "role", found: text.into() })
}

/// Parses the hash of an entry in the audit log.
pub fn head(bytes: Vec<u8>) -> Result<Head> {
    Head::try_from(bytes).map_err(|bytes| StoreError::InvalidValue {
        table: "audit",
        what: "head",
        found: format!("{} bytes", bytes.len()),
    })
}

/// Returns the key for comparing names: trimmed, in lower case and Unicode form NFC, with straight
/// apostrophes.
pub fn name_key(name: &str) -> String {
    name.trim().nfc().map(|c| if c == '’' { '\'' } else { c }).collect::<String>().to_lowercase()
}

/// Returns the key under which a name is found even if it was typed without its accents, as in `Lea` for
/// `Léa`. Only the accents of European alphabets are dropped: the vowel signs of other scripts are letters.
pub fn unaccented_key(name: &str) -> String {
    let mut key = String::new();
    for c in name_key(name).nfd().filter(|&c| !is_accent(c)) {
        match c {
            'æ' => key.push_str("ae"),
            'œ' => key.push_str("oe"),
            'ß' => key.push_str("ss"),
            'đ' => key.push('d'),
            'ı' => key.push('i'),
            'ł' => key.push('l'),
            'ø' => key.push('o'),
            other => key.push(other),
        }
    }
    key.nfc().collect()
}

/// Returns `true` for the accents of European alphabets, as separate characters.
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// The letters, besides `i`, whose accents a search pattern ignores: the Latin letters that have accents in
/// the modern spelling of European languages.
const ACCENTED: &str = "acdeghjklnorstuwyz";

/// Returns the name in lower case, without accents, and with one form of the letter sigma: at the end of a
/// search text it may be in the middle of the name.
fn folded(name: &str) -> String {
    name_key(name).nfd().filter(|&c| !is_accent(c)).map(|c| if c == 'ς' { 'σ' } else { c }).nfc().collect()
}

/// Returns a pattern for `LIKE`, with `\` as the escape character. It matches the [key](name_key) of every
/// name that [contains](name_contains) this text and has accents only on [these letters](ACCENTED) and on `i`.
/// It may also match other names.
pub(crate) fn name_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    // Names are stored in form NFC, in which a letter with its accent is one character, except where Unicode
    // has no such character.
    for c in name_key(text).chars() {
        // The lower case of `İ` is an `i` and its dot as two characters.
        if c == 'i' || is_accent(c) {
            pattern.push('%');
            continue;
        }
        let mut parts = std::iter::once(c).nfd();
        let base = parts.next().unwrap_or(c);
        if ACCENTED.contains(base) || matches!(c, 'σ' | 'ς') || parts.next().is_some() {
            pattern.push('_');
            continue;
        }
        if matches!(c, '\\' | '%' | '_') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// Returns `true` if a name contains this text, regardless of case and accents.
pub(crate) fn name_contains(name: &str, text: &str) -> bool {
    folded(name).contains(&folded(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_regardless_of_case_and_accents() {
        for (name, text) in [("Éloïse", "eloise"), ("Zoe", "ZOË"), ("Łukasz", "łuk"), ("François", "nco")]
        {
            assert!(name_contains(name, text), "{text} in {name}");
        }
        for (name, text) in [("Éloïse", "elle"), ("अनिता", "अनता"), ("がっき", "かっき")]
        {
            assert!(!name_contains(name, text), "{text} in {name}");
        }
        // In lower case, a sigma has another form at the end of a word.
        assert!(name_contains("Θεμιστοκλής", "ΘΕΜΙΣ"));
        assert!(name_contains("ΘΕΜΙΣ", "θεμισ"));
        assert_eq!(name_pattern("ΘΕΜΙΣ"), "%θεμι_%");
        assert_eq!(name_pattern("Éb_"), "%_b\\_%");
        assert!(name_contains("HABİP", "habip") && name_contains("Habip", "HABİP"));
        assert_eq!((name_pattern("bip"), name_pattern("BİP")), ("%b%p%".into(), "%b%%p%".into()));
        // Other letters with accents match any character. A vowel sign is no accent and matches only itself.
        assert_eq!(name_pattern("Bоўб"), "%bо_б%");
        assert_eq!(name_pattern("मीरा"), "%मीरा%");
    }

    #[test]
    fn a_name_has_the_same_key_without_its_accents() {
        for (name, typed) in [
            ("Léa", "LEA"),
            ("Zoë", "Zoe\u{308} "),
            ("François", "francois"),
            ("Cœur", "coeur"),
            ("Łukasz", "lukasz"),
            ("Søren", "soren"),
            ("Großmann", "grossmann"),
            ("Ёлка", "елка"),
            ("Κώστας", "κωστας"),
            ("O’Brien", "o'brien"),
        ] {
            assert_eq!(unaccented_key(name), unaccented_key(typed), "{name}");
        }
        // A vowel sign is not an accent, and neither is the mark of a voiced consonant.
        for (one, other) in [("अनिता", "अनता"), ("がっき", "かっき"), ("Anna", "Ana")]
        {
            assert_ne!(unaccented_key(one), unaccented_key(other), "{one}");
        }
    }
}
