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
    for c in name_key(name).nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)) {
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

/// Returns the key for finding a name by a part of it. It has a single form of the letter sigma, because a
/// sigma at the end of a search text may be in the middle of the name.
fn search_key(name: &str) -> String {
    unaccented_key(name).replace('ς', "σ")
}

/// Returns a pattern for `LIKE`, with `\` as the escape character. It matches the
/// [key without accents](unaccented_key) of every name that [contains](name_contains) this text, and may match
/// others.
pub(crate) fn name_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in search_key(text).chars() {
        match c {
            // The key may have the other form of the letter.
            'σ' => pattern.push('_'),
            '\\' | '%' | '_' => pattern.extend(['\\', c]),
            other => pattern.push(other),
        }
    }
    pattern.push('%');
    pattern
}

/// Returns `true` if a name contains this text, regardless of case and accents.
pub(crate) fn name_contains(name: &str, text: &str) -> bool {
    search_key(name).contains(&search_key(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_regardless_of_case_and_accents() {
        for (name, text) in [
            ("Éloïse", "eloise"),
            ("Zoe", "ZOË"),
            ("Łukasz", "łuk"),
            ("Łukasz", "luk"),
            ("François", "nco"),
            ("Großmann", "ssm"),
            ("Ёлка", "елк"),
            ("Κώστας", "κωσ"),
            // In lower case, a sigma has a different form at the end of a word, and `İ` becomes two characters.
            ("Θεμιστοκλής", "ΘΕΜΙΣ"),
            ("Κώστας", "ΤΑΣ"),
            ("HABİP", "habip"),
            ("Habip", "HABİP"),
        ] {
            assert!(name_contains(name, text), "{text} in {name}");
        }
        for (name, text) in [("Éloïse", "elle"), ("अनिता", "अनता"), ("がっき", "かっき")]
        {
            assert!(!name_contains(name, text), "{text} in {name}");
        }
        assert_eq!(name_pattern("É\\b_%"), "%e\\\\b\\_\\%%");
        assert_eq!(name_pattern("ΤΑΣ"), "%τα_%");
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
