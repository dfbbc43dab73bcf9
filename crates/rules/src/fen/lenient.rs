//! Reads FENs from pasted text.

use std::fmt;

use super::{
    FenError,
    read::{castling_rook, parse_count, parse_with_repairs},
};
use crate::{
    position::{Position, ReadPositionError},
    setup::{Setup, SetupProblem},
    square::{Rank, Square},
    variant::Variant,
};

/// The maximum length in bytes of a string to read, including any EPD operations.
const MAX_LENGTH: usize = 4096;
/// The maximum number of passes over the text, each of which may remove several wrappings.
/// `position fen "…";` needs two, and a third finds nothing more.
const MAX_PASSES: usize = 8;
/// The maximum number of characters of EPD operations that a repair quotes.
const MAX_QUOTE: usize = 80;

/// A part of a string that was left out so that the rest could be read as a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Repair {
    /// A castling right that the men do not allow was left out.
    Castling(char),
    /// An en passant square that no pawn can have crossed was left out.
    EnPassant(String),
    /// The operations of an EPD were left out. The counters among them were read.
    Operations(String),
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling(letter) => {
                write!(f, "the castling right {letter:?} was left out: king and rook are not in place for it")
            }
            Self::EnPassant(square) => {
                write!(f, "the en passant square {square:?} was left out: no pawn can have crossed it")
            }
            Self::Operations(text) => write!(f, "the EPD operations {text:?} were left out"),
        }
    }
}

/// Reads a FEN from pasted text, and also returns what was left out. Does not check that the setup is
/// playable.
///
/// Removes quotes, `fen`, `epd`, `position fen`, `[FEN "…"]` and a semicolon at the end, none of which is
/// reported. Reads `_` as a blank, any dash as `-`, and `W` as `w`. The operations of an EPD are left out;
/// its counters `hmvc` and `fmvn` are read. Castling rights that do not name a rook are left out.
///
/// ```
/// use adoube_rules::{Variant, fen::{self, Repair}};
///
/// let text = "[FEN \"k7/8/1K6/8/8/8/8/7R w KQ - bm Rh8; hmvc 7;\"]";
/// let (setup, repairs) = fen::parse_lenient(Variant::Chess, text)?;
/// assert_eq!(fen::write(&setup), "k7/8/1K6/8/8/8/8/7R w - - 7 1");
/// assert_eq!(repairs[..2], [Repair::Operations("bm Rh8; hmvc 7".to_owned()), Repair::Castling('K')]);
/// # Ok::<(), fen::FenError>(())
/// ```
pub fn parse_lenient(variant: Variant, text: &str) -> Result<(Setup, Vec<Repair>), FenError> {
    let mut repairs = Vec::new();
    let read = Text::of(text)?;
    let mut setup = parse_with_repairs(variant, &read.fen, Some(&mut repairs))?;
    if let Some(operations) = read.operations {
        read_counters(&mut setup, &operations);
        repairs.insert(0, Repair::Operations(operations.chars().take(MAX_QUOTE).collect()));
    }
    Ok((setup, repairs))
}

/// Returns the position that a FEN in pasted text describes, and what was left out.
pub(crate) fn repaired<P: Position>(
    variant: Variant,
    text: &str,
) -> Result<(P, Vec<Repair>), ReadPositionError> {
    let (mut setup, mut repairs) = parse_lenient(variant, text)?;
    let error = match P::from_setup(&setup) {
        Ok(position) => return Ok((position, repairs)),
        Err(error) => error,
    };
    for problem in error.problems() {
        match *problem {
            SetupProblem::Castling(rook) | SetupProblem::CastlingTwice(rook) => {
                repairs.push(Repair::Castling(letter_of(&setup, rook)));
                setup.castling.remove(rook);
            }
            SetupProblem::EnPassant(square) => {
                setup.en_passant = None;
                repairs.push(Repair::EnPassant(square.to_string()));
            }
            _ => return Err(error.into()),
        }
    }
    Ok((P::from_setup(&setup)?, repairs))
}

/// Returns the letter that names a rook in the castling field.
fn letter_of(setup: &Setup, rook: Square) -> char {
    let is_white = rook.rank() == Rank::First;
    let sides = if is_white { ['K', 'Q'] } else { ['k', 'q'] };
    let side = sides.into_iter().find(|&side| castling_rook(setup, side) == Some(rook));
    let file = rook.file().char();
    side.unwrap_or(if is_white { file.to_ascii_uppercase() } else { file })
}

/// The parts of pasted text.
struct Text {
    /// The fields of the FEN, with one blank between them.
    fen: String,
    /// The operations of an EPD, if there are any.
    operations: Option<String>,
}

impl Text {
    fn of(text: &str) -> Result<Self, FenError> {
        if text.len() > MAX_LENGTH {
            return Err(FenError::TooLong { length: text.len(), max: MAX_LENGTH });
        }
        let mut fields: Vec<String> = Vec::new();
        let mut rest = unwrapped(text);
        let mut operations = None;
        loop {
            rest = rest.trim_start_matches(is_blank);
            if rest.is_empty() {
                break;
            }
            if is_operation(rest, fields.len()) {
                let trimmed =
                    rest.trim_start_matches([';', ' ']).trim_end_matches(|c| c == ';' || is_blank(c));
                operations = (!trimmed.is_empty()).then(|| trimmed.to_owned());
                break;
            }
            // A semicolon ends the last field: no field of a FEN contains one.
            let end = rest.find(|c| is_blank(c) || c == ';').unwrap_or(rest.len());
            let (field, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            fields.push(plain(field, fields.len()));
            rest = after;
        }
        Ok(Self { fen: fields.join(" "), operations })
    }
}

const fn is_blank(c: char) -> bool {
    c == '_' || c == '\u{feff}' || c == '\u{200b}' || c.is_whitespace()
}

/// Removes the wrapping around a FEN.
fn unwrapped(text: &str) -> &str {
    const QUOTES: [(char, char); 7] =
        [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’')];
    let mut text = text;
    for _ in 0..MAX_PASSES {
        let before = text;
        text = text.trim_matches(is_blank);
        // Remove a semicolon after a closing quote or bracket; elsewhere it ends an operation of an EPD.
        if text.starts_with(|c| c == '[' || QUOTES.iter().any(|(open, _)| c == *open)) {
            text = text.strip_suffix(';').unwrap_or(text);
        }
        for word in ["[fen", "position", "fen", "epd"] {
            let head = text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word));
            let Some(after) = head.and_then(|_| text.get(word.len()..)) else { continue };
            // Require a whole word: text that merely begins with these letters is not wrapped.
            if !after.starts_with(|c: char| is_blank(c) || matches!(c, ':' | '=' | '"' | '“' | '\'')) {
                continue;
            }
            text = after.trim_start_matches(|c| is_blank(c) || matches!(c, ':' | '='));
            if word.starts_with('[') {
                text = text.trim_end_matches(is_blank);
                text = text.strip_suffix(']').unwrap_or(text);
            }
        }
        for (open, close) in QUOTES {
            let inside = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
            text = inside.unwrap_or(text);
        }
        if text == before {
            break;
        }
    }
    text
}

/// Returns `true` if the operations of an EPD begin here, after the given number of fields.
fn is_operation(rest: &str, fields: usize) -> bool {
    const OPCODES: [&str; 24] = [
        "acd", "acn", "acs", "am", "avoid", "best", "bm", "ce", "comment", "dc", "dm", "draw", "eco", "fmvn",
        "hmvc", "id", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tc",
    ];
    if rest.starts_with(';') {
        return true;
    }
    if fields < 4 {
        return false;
    }
    let word: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').take(16).collect();
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && (rest.contains(';') || OPCODES.contains(&word.to_ascii_lowercase().as_str()))
}

/// Returns a field with every dash written as `-`, and the side to move as `w` or `b`.
fn plain(field: &str, index: usize) -> String {
    match (index, field) {
        (1, "W" | "White" | "white") => "w".to_owned(),
        (1, "B" | "Black" | "black") => "b".to_owned(),
        _ => field
            .chars()
            .map(|c| if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') { '-' } else { c })
            .collect(),
    }
}

/// Reads the counters among the operations of an EPD.
fn read_counters(setup: &mut Setup, operations: &str) {
    for operation in operations.split(';') {
        let mut words = operation.split_whitespace();
        let (name, value) = (words.next(), words.next().and_then(parse_count));
        match (name, value) {
            (Some("hmvc"), Some(value)) => setup.halfmove_clock = value,
            (Some("fmvn"), Some(value)) => setup.fullmove_number = value.max(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen, position::AnyPosition};

    fn read(variant: Variant, text: &str) -> (String, Vec<Repair>) {
        let (position, repairs) =
            AnyPosition::from_fen_lenient(variant, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (position.fen(), repairs)
    }

    #[test]
    fn n1_wrapping_around_a_fen_is_removed() {
        let start = Variant::Chess.initial_fen();
        let underscores = start.replace(' ', "_");
        for text in [
            format!("\"{start}\""),
            format!("'{start}'"),
            format!("“{start}”"),
            format!(" fen {start}"),
            format!("FEN: {start}"),
            format!("position fen {start};"),
            format!("[FEN \"{start}\"]"),
            format!("[Fen “{start}”]\n"),
            format!("{start};"),
            format!("{start} ;"),
            format!("\u{feff}{start}\u{a0}"),
            start.replace("w KQkq - ", "W KQkq – "),
            start.replace(" - ", " — "),
            underscores,
        ] {
            assert_eq!(read(Variant::Chess, &text), (start.to_owned(), vec![]), "{text}");
        }
        let interweave = Variant::Interweave.initial_fen();
        assert_eq!(read(Variant::Interweave, &format!("\"{interweave}\"")).0, interweave);
        assert_eq!(read(Variant::Interweave, &interweave.replace(' ', "_")).0, interweave);
    }

    #[test]
    fn n1_epd_operations_are_left_out_and_reported() {
        let board = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";
        for (operations, counters) in [
            ("bm Qd1+; id \"BK.01\";", "0 1"),
            ("am Qd1", "0 1"),
            ("0 1 bm Qd1+;", "0 1"),
            ("hmvc 12; fmvn 40; c0 \"a; b\";", "12 40"),
            ("D1 20 ;D2 400 ;D3 8902", "0 1"),
            ("5 9 ;D1 20 ;D2 400", "5 9"),
            ("unheard_of 3;", "0 1"),
        ] {
            let (fen, repairs) = read(Variant::Chess, &format!("{board} {operations}"));
            assert_eq!(fen, format!("{board} {counters}"), "{operations}");
            assert!(matches!(repairs.as_slice(), [Repair::Operations(_)]), "{operations}: {repairs:?}");
        }
    }

    #[test]
    fn n1_impossible_castling_rights_are_left_out_and_reported() {
        let letters = |text: &str| text.chars().map(Repair::Castling).collect::<Vec<_>>();
        for (variant, fen, expected, left_out) in [
            (Variant::Chess, "k7/8/1K6/8/8/8/8/7R w KQkq - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "KQkq"),
            (Variant::Chess, "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Q"),
            (Variant::Chess, "4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "G"),
            (Variant::Chess, "4k3/8/8/8/8/8/8/4K1RR w HAha - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "Aha"),
            (Variant::Baroque, "7k/8/8/8/8/8/PPP5/K7 w KQ - 0 1", "7k/8/8/8/8/8/PPP5/K7 w - - 0 1", "KQ"),
        ] {
            assert_eq!(read(variant, fen), (expected.to_owned(), letters(left_out)), "{fen}");
            assert!(AnyPosition::from_fen(variant, fen).is_err(), "{fen}: the strict reader refuses it");
        }
        let (fen, repairs) = read(Variant::Chess, "4k3/8/8/8/8/8/8/4K3 w - e6 0 1");
        assert_eq!(fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(repairs, [Repair::EnPassant("e6".to_owned())]);
    }

    #[test]
    fn n1_other_errors_are_still_errors() {
        for (text, expected) in [
            ("", FenError::Empty),
            ("fen", FenError::RankCount(1)),
            ("\"\"", FenError::Empty),
            ("8/8/8 w - -", FenError::RankCount(3)),
            ("8/8/8/8/8/8/8/8 w Kx", FenError::Castling { text: "Kx".to_owned(), letter: 'x' }),
            ("8/8/8/8/8/8/8/8 w - - 0 1 x", FenError::TooManyFields("x".to_owned())),
            ("8/8/8/8/8/8/8/8 w - - zero 1", FenError::HalfmoveClock("zero".to_owned())),
        ] {
            assert_eq!(parse_lenient(Variant::Chess, text), Err(expected), "{text:?}");
        }
        let long = "8".repeat(5000);
        assert_eq!(
            parse_lenient(Variant::Chess, &long),
            Err(FenError::TooLong { length: 5000, max: MAX_LENGTH })
        );
        assert!(AnyPosition::from_fen_lenient(Variant::Chess, "8/8/8/8/8/8/8/8 w KQ - 0 1").is_err());
        assert_eq!(
            fen::parse(Variant::Chess, "8 w").unwrap_err().to_string(),
            "the board has 1 rank; there must be 8, separated by \"/\""
        );
    }
}
