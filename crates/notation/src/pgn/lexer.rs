//! Splits bytes into words.
//!
//! Files are UTF-8, Windows-1252, or both if they were concatenated. Words are therefore found in bytes and
//! decoded afterwards. [`game_end`] finds the end of a game with the same lexer before the game is reported,
//! so that a visitor gets exactly one whole game.
//!
//! Every byte is examined a bounded number of times, whatever the text is, because lookahead consumes or
//! remembers the text it has seen.

mod tag_line;
mod words;

use std::{borrow::Cow, collections::BTreeSet};

use super::{
    reader::Nag,
    signs::{self, TurnMarks},
    tag::GameResult,
};
use tag_line::tag;
use words::{blank_length, explicit, is_punctuation, move_number, separator, turn_length};

pub(super) use words::result;

/// A word of a PGN file.
pub(super) enum Token<'a> {
    Tag(Tag<'a>),
    Comment {
        text: &'a [u8],
        closed: bool,
    },
    OpenVariation,
    CloseVariation,
    StrayClose(char),
    Nag(Nag),
    /// A mark that no standard defines, or a symbol without meaning here.
    Unknown(&'a [u8]),
    Result(GameResult),
    /// A turn as written, with the marks after it.
    Turn(&'a [u8], TurnMarks),
    /// A line in the second block that vchess writes (see `explicit`), without its number.
    Explicit(&'a [u8]),
}

/// A line that begins like a tag.
pub(super) enum Tag<'a> {
    /// The name and the value.
    Good(&'a str, Cow<'a, str>),
    /// The name and the value, followed by the whole line, which breaks the standard.
    Loose(&'a str, Cow<'a, str>, &'a [u8]),
    /// A line that cannot be read.
    Bad(&'a [u8]),
}

/// Finds words, one by one.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The number of the line at `at`.
    pub(super) line: usize,
    /// Whether the first byte begins a line.
    at_line_start: bool,
}

const BLANK: u8 = 1;
/// A byte that ends a turn.
const BREAK: u8 = 2;
/// Whitespace, or a byte that occurs in turns and move numbers and does not begin a tag, comment or
/// variation. Every result contains a byte that is not inert.
const INERT: u8 = 4;

/// The classes of each byte.
#[expect(clippy::indexing_slicing, reason = "runs only at compile time")]
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        classes[byte] = BLANK | BREAK | INERT;
        byte += 1;
    }
    while byte < 0x80 {
        if (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'.' | b'+' | b'#' | b'=') {
            classes[byte] = INERT;
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
fn has_class(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

#[expect(clippy::naive_bytecount, reason = "its share of the reading time is not measurable")]
pub(super) fn count_lines(bytes: &[u8]) -> usize {
    count_examined(bytes.len());
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    pub(super) at: usize,
    /// Whether the next game begins at a tag in the middle of the movetext, without a result or an empty line
    /// before it.
    pub(super) starts_mid_movetext: bool,
}

/// The names of a game's tags. There may be any number of them.
#[derive(Default)]
struct TagNames<'a> {
    list: Vec<&'a [u8]>,
    set: BTreeSet<&'a [u8]>,
}

impl<'a> TagNames<'a> {
    /// The number of names up to which a linear search is fastest. Most games have about ten tags.
    const MAX_LINEAR_SEARCH: usize = 24;

    /// Returns `true` if the name is new.
    fn insert(&mut self, name: &'a [u8]) -> bool {
        if self.list.contains(&name) {
            return false;
        }
        if self.list.len() < Self::MAX_LINEAR_SEARCH {
            self.list.push(name);
            return true;
        }
        self.set.insert(name)
    }
}

/// The maximum distance, in bytes, from a result to a comment that still belongs to the same game.
const MAX_TRAILING_BYTES: usize = 64 << 10;

/// Returns the end of the first game in the bytes, or `None` if the bytes end before it. If `is_whole` is
/// true, no more bytes follow, and `None` means that the bytes contain no game.
///
/// A game begins at a tag after movetext, at a tag whose name the preceding game already has, and at an
/// `Event` tag after an empty line. A game with a result ends after it, and after the marks on the same line
/// and the comments before the next empty line. Comments alone are not a game: at the end of the text they
/// belong to the preceding game.
pub(super) fn game_end(bytes: &[u8], at_line_start: bool, is_whole: bool) -> Option<End> {
    let mut lexer = Lexer::new(bytes, 1, at_line_start);
    let (mut any, mut in_movetext, mut depth) = (false, false, 0_usize);
    let mut names = TagNames::default();
    let mut inert_until = 0;
    loop {
        let mut word_end = lexer.at;
        // Words found to be inert need not be examined again.
        if in_movetext && lexer.at >= inert_until {
            inert_until = lexer.skip_inert();
            word_end += bytes.get(word_end..lexer.at).unwrap_or_default().trim_ascii_end().len();
        }
        lexer.skip_blank();
        let start = lexer.at;
        let Some(token) = lexer.next() else {
            return (is_whole && any).then_some(End { at: bytes.len(), starts_mid_movetext: false });
        };
        // A word at the end of these bytes may continue in the next ones.
        if lexer.at == bytes.len() && !is_whole {
            return None;
        }
        match token {
            Token::Tag(tag) => {
                let (name, is_tag) = match &tag {
                    Tag::Good(name, _) | Tag::Loose(name, ..) => (name.as_bytes(), true),
                    Tag::Bad(line) => (*line, false),
                };
                let between = bytes.get(word_end.min(start)..start).unwrap_or_default();
                if in_movetext {
                    return Some(End { at: start, starts_mid_movetext: !has_empty_line(between) });
                }
                if any && is_tag && (name == b"Event" && has_empty_line(between) || !names.insert(name)) {
                    return Some(End { at: start, starts_mid_movetext: false });
                }
                if !any && is_tag {
                    names.insert(name);
                }
                any = true;
            }
            Token::Comment { .. } => {}
            Token::Result(_) if depth == 0 => return end_after_result(lexer, is_whole),
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
        any |= in_movetext;
    }
}

/// Returns the end of a game whose result has just been read.
fn end_after_result(mut lexer: Lexer<'_>, is_whole: bool) -> Option<End> {
    let (bytes, result, result_line) = (lexer.bytes, lexer.at, lexer.line);
    // The game ends at the first empty line, or at the first word that is neither a comment nor a mark on the
    // line of the result.
    let (mut end, mut is_over) = (lexer.at, false);
    loop {
        let before = lexer.at;
        lexer.skip_blank();
        is_over |= has_empty_line(bytes.get(before..lexer.at).unwrap_or_default());
        let same_line = lexer.line == result_line;
        let token = lexer.next();
        let is_far = before - result >= MAX_TRAILING_BYTES;
        // A word at the end of these bytes may continue in the next ones.
        if lexer.at == bytes.len() && !is_whole {
            return is_far.then_some(End { at: end, starts_mid_movetext: false });
        }
        match token {
            None => return Some(End { at: bytes.len(), starts_mid_movetext: false }),
            Some(Token::Comment { .. }) if !is_far => {}
            Some(Token::Nag(_) | Token::Unknown(_)) if same_line => {}
            Some(_) => return Some(End { at: end, starts_mid_movetext: false }),
        }
        if !is_over {
            end = lexer.at;
        }
    }
}

/// Returns `true` if whitespace contains an empty line.
fn has_empty_line(blanks: &[u8]) -> bool {
    count_examined(blanks.len());
    let mut ends = 0;
    for (index, &byte) in blanks.iter().enumerate() {
        match byte {
            b'\n' => ends += 1,
            b'\r' if blanks.get(index + 1) != Some(&b'\n') => ends += 1,
            _ => {}
        }
    }
    ends > 1
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(bytes: &'a [u8], line: usize, at_line_start: bool) -> Self {
        Self { bytes, at: 0, line, at_line_start }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn at_line_start(&self) -> bool {
        match self.at.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None => self.at_line_start,
            // A line also begins after a byte order mark at the beginning of the bytes.
            Some(0xbf) => self.at == BYTE_ORDER_MARK.len() && self.at_line_start,
            Some(byte) => matches!(byte, b'\n' | b'\r'),
        }
    }

    /// Skips spaces, line ends, and lines escaped by `%`.
    pub(super) fn skip_blank(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if has_class(byte, BLANK) {
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            } else if byte == b'%' && self.at_line_start() {
                self.at += line_length(self.rest());
            } else if byte >= 0x80 {
                // A no-break space in Windows-1252 is one byte, which does not begin a UTF-8 character.
                match blank_length(self.rest()).or((byte == 0xa0).then_some(1)) {
                    Some(blank) => self.at += blank,
                    None => return,
                }
            } else {
                return;
            }
        }
    }

    /// Skips words of movetext that do not contain a result or begin a tag, comment or variation. Nine out of
    /// ten words are of this kind, so this function dominates the cost of skipping a game. Does not count
    /// lines. Returns the offset of the first byte that is not inert.
    fn skip_inert(&mut self) -> usize {
        let (start, rest) = (self.at, self.rest());
        let inert = leading_len(rest, |byte| has_class(byte, INERT));
        let words = rest.get(..inert).unwrap_or_default();
        count_examined(words.len());
        // The word that contains the first byte that is not inert must be examined from its beginning.
        let mut skipped = words.iter().rposition(|&byte| has_class(byte, BLANK)).map_or(0, |blank| blank + 1);
        // So must the word before it if it may be the first half of a result: `1 - 0`.
        if skipped == inert
            && rest.get(inert).is_some_and(|&byte| matches!(byte, b'-' | b':') || byte >= 0x80)
        {
            let before = words.trim_ascii_end();
            let word = before.iter().rposition(|&byte| has_class(byte, BLANK)).map_or(0, |blank| blank + 1);
            if matches!(before.get(word..), Some(b"1" | b"0" | b"0.5")) {
                skipped = word;
            }
        }
        self.at += skipped;
        start + inert
    }

    /// Returns the next word and moves past it.
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
                byte @ (b'}' | b']') => (1, Token::StrayClose(char::from(byte))),
                b'$' => {
                    let length = 1 + digits(rest.get(1..).unwrap_or_default());
                    let number = rest.get(1..length).and_then(|digits| std::str::from_utf8(digits).ok());
                    let nag =
                        number.and_then(|number| number.parse().ok()).map(|number| Token::Nag(Nag(number)));
                    (length, nag.unwrap_or(Token::Unknown(rest.get(..length).unwrap_or_default())))
                }
                b'!' | b'?' => {
                    let length = leading_len(rest, |byte| matches!(byte, b'!' | b'?'));
                    let mark = rest.get(..length).unwrap_or_default();
                    (length, signs::nag(mark).map_or(Token::Unknown(mark), |nag| Token::Nag(Nag(nag))))
                }
                byte => {
                    if !rest.starts_with(b"--")
                        && let Some((nag, length)) = signs::leading_sign(rest)
                    {
                        self.at += length;
                        return Some(Token::Nag(Nag(nag)));
                    }
                    // Skip the dots of move numbers, even if detached, and other separators.
                    if matches!(byte, b'.' | b'+' | b'-' | b'=' | b'/' | b'~' | b'<' | b'>' | b',')
                        && !rest.starts_with(b"--")
                    {
                        self.at += 1;
                        continue;
                    }
                    if byte >= 0x80
                        && let Some(length) = separator(rest)
                    {
                        self.at += length;
                        continue;
                    }
                    if matches!(byte, b'0' | b'1' | b'*' | 0xbd | 0xc2)
                        && let Some((result, length)) = result(rest)
                    {
                        // Two zeros may mean castling; the position decides.
                        let zeros =
                            || Token::Turn(rest.get(..length).unwrap_or_default(), TurnMarks::default());
                        (length, result.map_or_else(zeros, Token::Result))
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
                        // Always consume at least one byte, to make progress.
                        let length = turn_length(rest).max(1);
                        let word = rest.get(..length).unwrap_or_default();
                        count_examined(word.len());
                        let (turn, marks) = signs::split(word);
                        if signs::is_en_passant(turn) {
                            // The marks after it belong to the previous turn, and are read next.
                            self.at += turn.len();
                            continue;
                        }
                        self.at += length;
                        return Some(match signs::word(turn) {
                            Some(nag) => Token::Nag(Nag(nag)),
                            None if is_punctuation(turn) => Token::Unknown(word),
                            None => Token::Turn(turn, marks),
                        });
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

/// Counts the examined bytes, for a test.
#[cfg(test)]
fn count_examined(bytes: usize) {
    tests::EXAMINED.with(|count| count.set(count.get() + bytes));
}

#[cfg(not(test))]
#[inline]
const fn count_examined(_: usize) {}

#[inline]
fn leading_len(bytes: &[u8], accepts: impl Fn(u8) -> bool) -> usize {
    let length = bytes.iter().position(|&byte| !accepts(byte)).unwrap_or(bytes.len());
    count_examined(length + 1);
    length
}

fn digits(bytes: &[u8]) -> usize {
    leading_len(bytes, |byte| byte.is_ascii_digit())
}

/// Returns the length of the rest of a line, without the line end.
fn line_length(bytes: &[u8]) -> usize {
    leading_len(bytes, |byte| !matches!(byte, b'\n' | b'\r'))
}

/// Reads a comment in braces.
fn comment(bytes: &[u8]) -> (usize, Token<'_>) {
    let inside = bytes.get(1..).unwrap_or_default();
    let mut at = 0;
    loop {
        at += leading_len(inside.get(at..).unwrap_or_default(), |byte| !matches!(byte, b'}' | b'['));
        let text = inside.get(..at).unwrap_or_default();
        match inside.get(at) {
            Some(b'}') => return (at + 2, Token::Comment { text, closed: true }),
            // A comment that is never closed must not swallow the games after it. A line of a closed comment
            // may also begin like a tag, but an empty line precedes a tag only between games.
            Some(_)
                if (text.ends_with(b"\n\n") || text.ends_with(b"\n\r\n"))
                    && inside.get(at..).is_some_and(|b| b.starts_with(b"[Event ")) =>
            {
                return (at + 1, Token::Comment { text, closed: false });
            }
            Some(_) => at += 1,
            None => return (at + 1, Token::Comment { text, closed: false }),
        }
    }
}

#[cfg(test)]
mod tests;
