//! From bytes to words.
//!
//! Files are UTF-8, Latin-1, or both where they were joined, so that the words are found among bytes and only
//! then decoded. Which game a word belongs to is found by [`game_end`] with the same lexer, before anybody is
//! told of the game: whoever reads a game has all of it, and nothing else.

use std::borrow::Cow;

use super::{
    reader::Nag,
    tag::{self, GameResult},
};

/// A word of a PGN.
pub(super) enum Token<'a> {
    /// What stands between the brackets of a tag, or a line that begins like one.
    Tag(Result<(&'a str, Cow<'a, str>), &'a [u8]>),
    Comment {
        text: &'a [u8],
        closed: bool,
    },
    OpenVariation,
    CloseVariation,
    Stray(char),
    Nag(Nag),
    Result(GameResult),
    /// A turn as it was written, and the mark behind it.
    Turn(&'a [u8], Option<Nag>),
    /// A line of the second block of a file of vchess, without its number.
    Explicit(&'a [u8]),
}

/// Finds words, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The number of the line at `at`.
    pub(super) line: usize,
    /// Whether the first byte begins a line.
    fresh: bool,
}

const BLANK: u8 = 1;
/// What ends a turn.
const BREAK: u8 = 2;
/// What is found in turns and move numbers, in no result, and begins nothing else.
const DULL: u8 = 4;

/// The classes of bytes.
#[expect(clippy::indexing_slicing, reason = "it runs at compile time only")]
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        classes[byte] = BLANK | BREAK | DULL;
        byte += 1;
    }
    while byte < 0x80 {
        if (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'.' | b'+' | b'#' | b'=') {
            classes[byte] = DULL;
        }
        byte += 1;
    }
    let breaks = b"(){}[];$";
    let mut index = 0;
    while index < breaks.len() {
        classes[breaks[index] as usize] = BREAK;
        index += 1;
    }
    classes
};

#[inline]
fn is(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const NO_BREAK_SPACE: &[u8] = "\u{a0}".as_bytes();

/// Returns the text of bytes that are UTF-8 or, failing that, Latin-1.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

#[expect(clippy::naive_bytecount, reason = "it is no part of the time that reading takes")]
pub(super) fn count_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns the end of the first game of some bytes, or `None` if the bytes do not reach so far. With `whole`
/// no bytes follow, so that `None` says that there is no game.
///
/// A game ends behind its result; before a tag, if it has any movetext; before a tag `Event`, if it has any
/// tag, even inside a comment.
pub(super) fn game_end(bytes: &[u8], fresh: bool, whole: bool) -> Option<usize> {
    let mut lexer = Lexer::new(bytes, 1, fresh);
    let (mut any, mut in_movetext, mut depth) = (false, false, 0_usize);
    loop {
        if in_movetext {
            lexer.skip_dull();
        }
        lexer.skip_blank();
        let begin = lexer.at;
        let Some(token) = lexer.next() else {
            return (whole && any).then_some(bytes.len());
        };
        // What touches the end may go on behind it.
        if lexer.at == bytes.len() && !whole {
            return None;
        }
        match token {
            Token::Tag(tag) => {
                if in_movetext || any && matches!(tag, Ok(("Event", _))) {
                    return Some(begin);
                }
            }
            Token::Comment { .. } => {}
            Token::Result(_) if depth == 0 => return Some(lexer.at),
            Token::OpenVariation => {
                depth += 1;
                in_movetext = true;
            }
            Token::CloseVariation => {
                depth = depth.saturating_sub(1);
                in_movetext = true;
            }
            _ => in_movetext = true,
        }
        any = true;
    }
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(bytes: &'a [u8], line: usize, fresh: bool) -> Self {
        Self { bytes, at: 0, line, fresh }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn at_line_start(&self) -> bool {
        match self.at.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None => self.fresh,
            // Behind a byte order mark, which is the only non-ASCII character that is skipped at a line's start.
            Some(0xbf) => self.at == BYTE_ORDER_MARK.len() && self.fresh,
            Some(byte) => matches!(byte, b'\n' | b'\r'),
        }
    }

    /// Skips spaces, ends of lines, and lines that are escaped by `%`.
    pub(super) fn skip_blank(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if is(byte, BLANK) {
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            } else if byte == b'%' && self.at_line_start() {
                self.at += line_length(self.rest());
            } else if byte >= 0x80 {
                // A byte order mark stands at the beginning, and again where files were joined.
                let blank =
                    [BYTE_ORDER_MARK, NO_BREAK_SPACE].into_iter().find(|b| self.rest().starts_with(b));
                match blank {
                    Some(blank) => self.at += blank.len(),
                    None => return,
                }
            } else {
                return;
            }
        }
    }

    /// Skips words of movetext that cannot end a game, nor begin what can hold its end: finding it is all that
    /// skipping a game costs, and these are nine words of ten. Lines are not counted.
    fn skip_dull(&mut self) {
        let rest = self.rest();
        let dull = leading(rest, |byte| is(byte, DULL));
        let words = rest.get(..dull).unwrap_or_default();
        // The word with the first other byte is for the others to judge, from its beginning.
        self.at += words.iter().rposition(|&byte| is(byte, BLANK)).map_or(0, |blank| blank + 1);
    }

    /// Returns the next word and goes behind it.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.skip_blank();
            let rest = self.rest();
            let (length, token) = match *rest.first()? {
                b'[' => tag(rest),
                b'{' => comment(rest),
                b';' => {
                    let length = line_length(rest);
                    (length, Token::Comment { text: rest.get(1..length).unwrap_or_default(), closed: true })
                }
                b'(' => (1, Token::OpenVariation),
                b')' => (1, Token::CloseVariation),
                byte @ (b'}' | b']') => (1, Token::Stray(char::from(byte))),
                b'$' => {
                    let digits = digits(rest.get(1..).unwrap_or_default());
                    let number = rest.get(1..=digits).and_then(|digits| std::str::from_utf8(digits).ok());
                    let Some(number) = number.and_then(|number| number.parse().ok()) else {
                        // A mark that no standard has.
                        self.at += 1 + digits;
                        continue;
                    };
                    (1 + digits, Token::Nag(Nag(number)))
                }
                b'!' | b'?' => {
                    let length = leading(rest, |byte| matches!(byte, b'!' | b'?'));
                    let Some(nag) = rest.get(..length).and_then(nag) else {
                        self.at += length;
                        continue;
                    };
                    (length, Token::Nag(nag))
                }
                // Dots of a move number, wherever they are; figures of speech such as "+-" and "=".
                b'.' | b'+' | b'-' | b'=' | b'/' | b'~' | b'<' | b'>' if !rest.starts_with(b"--") => {
                    self.at += 1;
                    continue;
                }
                byte => {
                    if byte >= 0x80
                        && let Some(length) = figure_of_speech(rest)
                    {
                        self.at += length;
                        continue;
                    }
                    if matches!(byte, b'0' | b'1' | b'*' | 0xbd | 0xc2)
                        && let Some((result, length)) = result(rest)
                    {
                        (length, Token::Result(result))
                    } else {
                        if byte.is_ascii_digit() {
                            if self.at_line_start()
                                && let Some(explicit) = explicit(rest)
                            {
                                let length = line_length(rest);
                                self.at += length;
                                return rest.get(explicit..length).map(Token::Explicit);
                            }
                            let number = move_number(rest);
                            if number > 0 {
                                self.at += number;
                                continue;
                            }
                        }
                        // A byte that begins nothing must not be read for ever.
                        let length = turn_length(rest).max(1);
                        let word = rest.get(..length).unwrap_or_default();
                        if word == b"e.p." {
                            self.at += length;
                            continue;
                        }
                        let marks = word.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
                        let (san, marks) = word.split_at_checked(length - marks).unwrap_or((word, &[]));
                        (length, Token::Turn(san, nag(marks)))
                    }
                }
            };
            if let Token::Comment { text, .. } = &token {
                self.line += count_lines(text);
            }
            self.at += length;
            return Some(token);
        }
    }
}

#[inline]
fn leading(bytes: &[u8], is_so: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !is_so(byte)).unwrap_or(bytes.len())
}

fn digits(bytes: &[u8]) -> usize {
    leading(bytes, |byte| byte.is_ascii_digit())
}

/// Returns the length of the rest of a line, without its end.
fn line_length(bytes: &[u8]) -> usize {
    leading(bytes, |byte| !matches!(byte, b'\n' | b'\r'))
}

fn nag(mark: &[u8]) -> Option<Nag> {
    Some(Nag(match mark {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        _ => return None,
    }))
}

/// Reads a comment in braces.
fn comment(bytes: &[u8]) -> (usize, Token<'_>) {
    let inside = bytes.get(1..).unwrap_or_default();
    let mut at = 0;
    loop {
        at += leading(inside.get(at..).unwrap_or_default(), |byte| !matches!(byte, b'}' | b'['));
        let text = inside.get(..at).unwrap_or_default();
        match inside.get(at) {
            Some(b'}') => return (at + 2, Token::Comment { text, closed: true }),
            // A comment that is never closed must not swallow the games behind it.
            Some(_)
                if text.ends_with(b"\n") && inside.get(at..).is_some_and(|b| b.starts_with(b"[Event ")) =>
            {
                return (at + 1, Token::Comment { text, closed: false });
            }
            Some(_) => at += 1,
            None => return (at + 1, Token::Comment { text, closed: false }),
        }
    }
}

/// Returns the length of a character that says something of the position, or separates, and is no turn.
fn figure_of_speech(bytes: &[u8]) -> Option<usize> {
    ["…", "±", "∓", "∞"].iter().find(|figure| bytes.starts_with(figure.as_bytes())).map(|figure| figure.len())
}

/// Returns the result that a text begins with, and its length.
fn result(bytes: &[u8]) -> Option<(GameResult, usize)> {
    const RESULTS: [(GameResult, &[u8]); 3] = [
        (GameResult::Draw, b"1/2"),
        (GameResult::Draw, "½-½".as_bytes()),
        // The same in Latin-1.
        (GameResult::Draw, b"\xbd-\xbd"),
    ];
    let (result, length) = GameResult::ALL
        .into_iter()
        .map(|(result, written)| (result, written.as_bytes()))
        .chain(RESULTS)
        .find_map(|(result, written)| bytes.starts_with(written).then_some((result, written.len())))?;
    let next = bytes.get(length);
    next.is_none_or(|&byte| !byte.is_ascii_alphanumeric() && byte < 0x80 && byte != b'-' && byte != b'/')
        .then_some((result, length))
}

/// Returns the length of the move number that a text begins with, its dots included; 0 if there is none.
fn move_number(bytes: &[u8]) -> usize {
    let digits = digits(bytes);
    let behind = bytes.get(digits..).unwrap_or_default();
    let dots = leading(behind, |byte| byte == b'.');
    if digits > 0
        && (dots > 0
            || behind.first().is_none_or(|&byte| is(byte, BLANK))
            || behind.starts_with("…".as_bytes()))
    {
        digits + dots
    } else {
        0
    }
}

/// Returns where the turn begins in a line such as `12.w e2.e4 wpe4/wpe2`.
fn explicit(bytes: &[u8]) -> Option<usize> {
    let digits = digits(bytes);
    matches!(bytes.get(digits..)?, [b'.', b'w' | b'b', b' ', ..]).then_some(digits + 3)
}

/// Returns the length of the turn that a text begins with.
#[inline]
fn turn_length(bytes: &[u8]) -> usize {
    let length = leading(bytes, |byte| !is(byte, BREAK));
    match bytes.get(length) {
        Some(b'(' | b';') if length > 0 => glued_length(bytes, length),
        _ => length,
    }
}

/// Returns the length of a turn that squares or other steps follow.
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
        length += leading(bytes.get(length..).unwrap_or_default(), |byte| !is(byte, BREAK));
    }
}

/// Sixteen squares with their commas and parentheses: no step takes more men.
const MAX_SQUARES_LENGTH: usize = 16 * 3 + 1;

/// Returns the length of the squares between parentheses that a text begins with.
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

/// Returns whether a text begins as the next step of a chain does: a letter or none, `x`, a square.
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

/// Reads a tag, or all of a line that is none.
fn tag(bytes: &[u8]) -> (usize, Token<'_>) {
    let line = bytes.get(..line_length(bytes)).unwrap_or_default();
    match parse_tag(line) {
        Some((name, value, length)) => (length, Token::Tag(Ok((name, value)))),
        None => (line.len(), Token::Tag(Err(line))),
    }
}

fn parse_tag(line: &[u8]) -> Option<(&str, Cow<'_, str>, usize)> {
    let blank = |at: usize| at + leading(line.get(at..).unwrap_or_default(), |byte| is(byte, BLANK));
    let begin = blank(1);
    let end = begin + leading(line.get(begin..)?, |byte| tag::is_name_char(char::from(byte)));
    let name = std::str::from_utf8(line.get(begin..end)?).ok().filter(|name| tag::is_name(name))?;
    let quote = blank(end);
    if line.get(quote) != Some(&b'"') {
        return None;
    }
    let begin = quote + 1;
    let (mut at, mut escapes) = (begin, false);
    loop {
        at += leading(line.get(at..)?, |byte| !matches!(byte, b'"' | b'\\'));
        if line.get(at) == Some(&b'\\') {
            escapes = true;
            at += 2;
            continue;
        }
        let bracket = blank(at + 1);
        if line.get(bracket) == Some(&b']') {
            let value = decode(line.get(begin..at)?);
            let value = if escapes { Cow::Owned(unescape(&value)) } else { value };
            return Some((name, value, bracket + 1));
        }
        // A quote that nobody escaped: `[Options "{"randomness":0}"]`.
        at += 1;
    }
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some(c @ ('"' | '\\')) => plain.push(c),
            // A backslash that escapes nothing: somebody's path.
            Some(c) => plain.extend(['\\', c]),
            None => plain.push('\\'),
        }
    }
    plain
}
