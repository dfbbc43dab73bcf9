//! Determines the lengths and meanings of words in the movetext.

use super::{BLANK, BREAK, digits, has_class, leading_len};
use crate::pgn::{encoding::decode, tag::GameResult};

/// Returns the length of the non-ASCII separator at the beginning of a string.
pub(super) fn separator(bytes: &[u8]) -> Option<usize> {
    const SEPARATORS: [&str; 9] = ["…", "–", "—", "−", "‑", "•", "\u{200b}", "“", "”"];
    let length = SEPARATORS.iter().find(|separator| bytes.starts_with(separator.as_bytes())).map(|s| s.len());
    // Some of these in Windows-1252.
    length.or(matches!(bytes.first(), Some(0x85 | 0x93 | 0x94 | 0x96 | 0x97)).then_some(1))
}

/// Returns `true` if a word contains no letter, digit, `-` or `@`. Null moves are written with the last two.
pub(super) fn is_punctuation(word: &[u8]) -> bool {
    !word.iter().any(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'@'))
        && !decode(word).chars().any(char::is_alphanumeric)
}

/// Returns the length of the dash, or of the colon used instead, at the beginning of a string.
fn dash(bytes: &[u8]) -> Option<usize> {
    const DASHES: [&[u8]; 10] = [
        b"-",
        b":",
        "‐".as_bytes(),
        "‑".as_bytes(),
        "‒".as_bytes(),
        "–".as_bytes(),
        "—".as_bytes(),
        "−".as_bytes(),
        // In Windows-1252.
        b"\x96",
        b"\x97",
    ];
    DASHES.iter().find(|dash| bytes.starts_with(dash)).map(|dash| dash.len())
}

/// Returns the score at the beginning of a string, in half points, and the length of its text.
fn points(bytes: &[u8]) -> Option<(u8, usize)> {
    const POINTS: [(&[u8], u8); 6] =
        [(b"1/2", 1), ("½".as_bytes(), 1), (b"\xbd", 1), (b"0.5", 1), (b"1", 2), (b"0", 0)];
    POINTS.iter().find(|(text, _)| bytes.starts_with(text)).map(|&(text, points)| (points, text.len()))
}

/// Returns the result at the beginning of a string, and its length. The result is `None` for two or three
/// zeros with a space before the first dash: `0 - 0` or `0 - 0 - 0`.
pub(in crate::pgn) fn result(bytes: &[u8]) -> Option<(Option<GameResult>, usize)> {
    let ends = |length: usize| {
        let next = bytes.get(length);
        next.is_none_or(|&byte| !byte.is_ascii_alphanumeric() && byte < 0x80 && byte != b'-' && byte != b'/')
            || blank_length(bytes.get(length..).unwrap_or_default()).is_some()
    };
    let blanks = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        leading_len(rest, |byte| matches!(byte, b' ' | b'\t'))
    };
    if bytes.first() == Some(&b'*') {
        return ends(1).then_some((Some(GameResult::Unknown), 1));
    }
    let (white, first) = points(bytes)?;
    let mut at = first + blanks(first);
    let spaced = at > first;
    let (black, second) = match dash(bytes.get(at..).unwrap_or_default()) {
        Some(dash) => {
            at += dash + blanks(at + dash);
            match points(bytes.get(at..).unwrap_or_default()) {
                Some((black, length)) => (Some(black), length),
                None => (None, 0),
            }
        }
        None => (None, 0),
    };
    let result = match (white, black) {
        (2, Some(0)) => Some(GameResult::Won(adoube_rules::Color::White)),
        (0, Some(2)) => Some(GameResult::Won(adoube_rules::Color::Black)),
        (1, Some(1)) => Some(GameResult::Draw),
        (0, Some(0)) if spaced => None,
        // `1/2` alone means a draw.
        (1, _) if bytes.starts_with(b"1/2") && ends(3) => return Some((Some(GameResult::Draw), 3)),
        _ => return None,
    };
    let mut length = at + second;
    if result.is_none() {
        // Queenside castling has a third zero.
        let after = length + blanks(length);
        let third =
            dash(bytes.get(after..).unwrap_or_default()).map(|dash| after + dash + blanks(after + dash));
        length = third.filter(|&third| bytes.get(third) == Some(&b'0')).map_or(length, |third| third + 1);
    }
    ends(length).then_some((result, length))
}

/// Returns the length of the move number at the beginning of a string, including its dots; 0 if there is
/// none.
pub(super) fn move_number(bytes: &[u8]) -> usize {
    let digits = digits(bytes);
    let after = bytes.get(digits..).unwrap_or_default();
    let dots = leading_len(after, |byte| byte == b'.');
    // Several programs write a null move as zeros.
    let is_null = digits > 1 && bytes.iter().take(digits).all(|&byte| byte == b'0');
    if digits > 0
        && !is_null
        && (dots > 0
            || after.first().is_none_or(|&byte| has_class(byte, BLANK))
            || blank_length(after).is_some()
            || after.starts_with("…".as_bytes())
            || after.starts_with(b"\x85"))
    {
        digits + dots
    } else {
        0
    }
}

/// Returns the byte offset of the turn in a line such as `12.w e2.e4 wpe4/wpe2`.
pub(super) fn explicit(bytes: &[u8]) -> Option<usize> {
    let digits = digits(bytes);
    matches!(bytes.get(digits..)?, [b'.', b'w' | b'b', b' ', ..]).then_some(digits + 3)
}

/// Returns the length of the turn at the beginning of a string.
#[inline]
pub(super) fn turn_length(bytes: &[u8]) -> usize {
    let length = word_length(bytes);
    match bytes.get(length) {
        Some(b'(' | b';') if length > 0 => glued_length(bytes, length),
        _ => length,
    }
}

/// Returns the length of the word at the beginning of a string. It ends at a space of any kind, or at a byte
/// that begins something else.
#[inline]
fn word_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += leading_len(bytes.get(at..).unwrap_or_default(), |byte| !has_class(byte, BREAK) && byte < 0x80);
        match bytes.get(at) {
            Some(&byte) if byte >= 0x80 && blank_length(bytes.get(at..).unwrap_or_default()).is_none() => {
                at += 1;
            }
            _ => return at,
        }
    }
}

/// Returns the length of the non-ASCII space at the beginning of a string.
pub(super) fn blank_length(bytes: &[u8]) -> Option<usize> {
    const BLANKS: [&str; 9] = [
        // A byte order mark occurs at the beginning, and also where files were concatenated.
        "\u{feff}", "\u{a0}", "\u{2002}", "\u{2003}", "\u{2009}", "\u{200a}", "\u{200b}", "\u{202f}",
        "\u{3000}",
    ];
    BLANKS.iter().find(|blank| bytes.starts_with(blank.as_bytes())).map(|blank| blank.len())
}

/// Returns the length of a turn including the squares or further steps attached to it.
fn glued_length(bytes: &[u8], mut length: usize) -> usize {
    loop {
        let rest = bytes.get(length..).unwrap_or_default();
        length += match rest.first() {
            Some(b'(') => match squares_length(rest) {
                Some(squares) => squares,
                None => return length,
            },
            Some(b';') if is_taking(rest.get(1..).unwrap_or_default()) => 1,
            _ => return length,
        };
        length += word_length(bytes.get(length..).unwrap_or_default());
    }
}

/// The maximum length of a list of squares in parentheses: no step captures more than sixteen men.
const MAX_SQUARES_LENGTH: usize = 16 * 3 + 1;

/// Returns the length of the parentheses at the beginning of a string if they hold squares or the letter of a
/// promotion.
fn squares_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().take(MAX_SQUARES_LENGTH).position(|&byte| byte == b')')?;
    let inside = bytes.get(1..end)?;
    let promotion = matches!(inside, [b'A'..=b'Z']);
    let squares = inside.split(|&byte| byte == b',').all(|square| is_square(square) && square.len() == 2);
    (promotion || squares).then_some(end + 1)
}

fn is_square(bytes: &[u8]) -> bool {
    matches!(bytes, [b'a'..=b'h', b'1'..=b'8', ..])
}

/// Returns `true` if a string begins like the next step of a chain: with an optional letter, `x` and a
/// square.
fn is_taking(bytes: &[u8]) -> bool {
    let bytes = match bytes {
        [b'A'..=b'Z', rest @ ..] => rest,
        all => all,
    };
    match bytes {
        [b'x', rest @ ..] => is_square(rest),
        _ => false,
    }
}
