//! Splits bytes into words.
//!
//! Files are UTF-8, Windows-1252, or both if they were concatenated. So words are found in bytes and decoded
//! afterwards. [`game_end`] finds the end of a game with the same lexer before the game is reported, so that
//! a visitor gets exactly one whole game.
//!
//! Every byte is examined a bounded number of times, whatever the text: no word is started twice, and
//! lookahead consumes what it has seen or remembers it.

use std::{borrow::Cow, collections::BTreeSet};

use super::{
    encoding::decode,
    reader::Nag,
    signs::{self, TurnMarks},
    tag::{self, GameResult},
};

/// A word of a PGN.
pub(super) enum Token<'a> {
    Tag(Tag<'a>),
    Comment {
        text: &'a [u8],
        closed: bool,
    },
    OpenVariation,
    CloseVariation,
    Stray(char),
    Nag(Nag),
    /// A mark that no standard defines, or a sign without a meaning here.
    Unknown(&'a [u8]),
    Result(GameResult),
    /// A turn as written, with the marks after it.
    Turn(&'a [u8], TurnMarks),
    /// A line of the second block of a file from vchess, without its number.
    Explicit(&'a [u8]),
}

/// A line that begins like a tag.
pub(super) enum Tag<'a> {
    /// The name and the value.
    Good(&'a str, Cow<'a, str>),
    /// The same for a line that breaks the standard, with the line.
    Loose(&'a str, Cow<'a, str>, &'a [u8]),
    /// A line that cannot be read.
    Bad(&'a [u8]),
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
/// A byte that ends a turn.
const BREAK: u8 = 2;
/// A byte that occurs in turns and move numbers, but not in results, and begins nothing else.
const INERT: u8 = 4;

/// The classes of bytes.
#[expect(clippy::indexing_slicing, reason = "it runs at compile time only")]
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
fn is(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

#[expect(clippy::naive_bytecount, reason = "it takes no measurable part of the time of reading")]
pub(super) fn count_lines(bytes: &[u8]) -> usize {
    looked_at(bytes.len());
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    pub(super) at: usize,
    /// Whether the next game begins at a tag in the middle of the movetext, without a result or an empty line
    /// before it.
    pub(super) torn: bool,
}

/// The names of a game's tags, of which there may be any number.
#[derive(Default)]
struct TagNames<'a> {
    few: Vec<&'a [u8]>,
    many: BTreeSet<&'a [u8]>,
}

impl<'a> TagNames<'a> {
    /// Most games have about ten tags; up to this number a linear search is fastest.
    const FEW: usize = 24;

    /// Returns `true` if the name is new.
    fn insert(&mut self, name: &'a [u8]) -> bool {
        if self.few.contains(&name) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(name);
            return true;
        }
        self.many.insert(name)
    }
}

/// The number of bytes after a result that are searched for comments at the end of the text.
const MOST_BEHIND: usize = 64 << 10;

/// Returns the end of the first game in the bytes, or `None` if the bytes end before it. With `whole` no more
/// bytes follow, so `None` means that there is no game.
///
/// A game begins at a tag after movetext, at a tag whose name the game already has, and at a tag `Event`
/// after an empty line. It ends after its result and the comments and marks that follow on the same line, or
/// at an empty line. Comments alone are not a game: at the end of the text they belong to the game before.
pub(super) fn game_end(bytes: &[u8], fresh: bool, whole: bool) -> Option<End> {
    let mut lexer = Lexer::new(bytes, 1, fresh);
    let (mut any, mut in_movetext, mut depth) = (false, false, 0_usize);
    let mut names = TagNames::default();
    let mut inert_until = 0;
    loop {
        let word_end = lexer.at;
        // Words found to be inert need not be examined again.
        if in_movetext && lexer.at >= inert_until {
            inert_until = lexer.skip_inert();
        }
        lexer.skip_blank();
        let begin = lexer.at;
        let Some(token) = lexer.next() else {
            return (whole && any).then_some(End { at: bytes.len(), torn: false });
        };
        // A word at the end may continue beyond it.
        if lexer.at == bytes.len() && !whole {
            return None;
        }
        match token {
            Token::Tag(tag) => {
                let (name, is_tag) = match &tag {
                    Tag::Good(name, _) | Tag::Loose(name, ..) => (name.as_bytes(), true),
                    Tag::Bad(line) => (*line, false),
                };
                let between = bytes.get(word_end.min(begin)..begin).unwrap_or_default();
                if in_movetext {
                    return Some(End { at: begin, torn: !has_empty_line(between) });
                }
                if any && is_tag && (name == b"Event" && has_empty_line(between) || !names.insert(name)) {
                    return Some(End { at: begin, torn: false });
                }
                if !any && is_tag {
                    names.insert(name);
                }
                any = true;
            }
            Token::Comment { .. } => {}
            Token::Result(_) if depth == 0 => return behind_result(lexer, whole),
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
fn behind_result(mut lexer: Lexer<'_>, whole: bool) -> Option<End> {
    let (bytes, result, result_line) = (lexer.bytes, lexer.at, lexer.line);
    // Up to the first empty line, and up to the first word that is not a comment.
    let (mut end, mut is_over) = (lexer.at, false);
    loop {
        let before = lexer.at;
        lexer.skip_blank();
        is_over |= has_empty_line(bytes.get(before..lexer.at).unwrap_or_default());
        let same_line = lexer.line == result_line;
        let token = lexer.next();
        let is_far = before - result >= MOST_BEHIND;
        // A word at the end may continue beyond it.
        if lexer.at == bytes.len() && !whole {
            return is_far.then_some(End { at: end, torn: false });
        }
        match token {
            None => return Some(End { at: bytes.len(), torn: false }),
            Some(Token::Comment { .. }) if !is_far => {}
            Some(Token::Nag(_) | Token::Unknown(_)) if same_line => {}
            Some(_) => return Some(End { at: end, torn: false }),
        }
        if !is_over {
            end = lexer.at;
        }
    }
}

/// Returns `true` if whitespace contains an empty line.
fn has_empty_line(blanks: &[u8]) -> bool {
    looked_at(blanks.len());
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
            // After a byte order mark, the only non-ASCII character that is skipped at the start of a line.
            Some(0xbf) => self.at == BYTE_ORDER_MARK.len() && self.fresh,
            Some(byte) => matches!(byte, b'\n' | b'\r'),
        }
    }

    /// Skips spaces, line ends, and lines escaped by `%`.
    pub(super) fn skip_blank(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if is(byte, BLANK) {
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            } else if byte == b'%' && self.at_line_start() {
                self.at += line_length(self.rest());
            } else if byte >= 0x80 {
                // A no-break space in Windows-1252 is one byte, which does not begin a UTF-8 character.
                match is_blank(self.rest()).or((byte == 0xa0).then_some(1)) {
                    Some(blank) => self.at += blank,
                    None => return,
                }
            } else {
                return;
            }
        }
    }

    /// Skips words of movetext that can neither end a game nor begin something that contains its end. Finding
    /// these is the whole cost of skipping a game, and they are nine words in ten. Does not count lines.
    /// Returns the end of the skipped words.
    fn skip_inert(&mut self) -> usize {
        let (begin, rest) = (self.at, self.rest());
        let inert = leading(rest, |byte| is(byte, INERT));
        let words = rest.get(..inert).unwrap_or_default();
        looked_at(words.len());
        // The word with the first other byte must be examined from its beginning.
        let mut skipped = words.iter().rposition(|&byte| is(byte, BLANK)).map_or(0, |blank| blank + 1);
        // So must the word before it if it may be the first half of a result: `1 - 0`.
        if skipped == inert && rest.get(inert).is_some_and(|&byte| byte == b'-' || byte >= 0x80) {
            let before = words.trim_ascii_end();
            let word = before.iter().rposition(|&byte| is(byte, BLANK)).map_or(0, |blank| blank + 1);
            if matches!(before.get(word..), Some(b"1" | b"0" | b"0.5")) {
                skipped = word;
            }
        }
        self.at += skipped;
        begin + inert
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
                byte @ (b'}' | b']') => (1, Token::Stray(char::from(byte))),
                b'$' => {
                    let length = 1 + digits(rest.get(1..).unwrap_or_default());
                    let number = rest.get(1..length).and_then(|digits| std::str::from_utf8(digits).ok());
                    let nag =
                        number.and_then(|number| number.parse().ok()).map(|number| Token::Nag(Nag(number)));
                    (length, nag.unwrap_or(Token::Unknown(rest.get(..length).unwrap_or_default())))
                }
                b'!' | b'?' => {
                    let length = leading(rest, |byte| matches!(byte, b'!' | b'?'));
                    let mark = rest.get(..length).unwrap_or_default();
                    (length, signs::nag(mark).map_or(Token::Unknown(mark), |nag| Token::Nag(Nag(nag))))
                }
                byte => {
                    if !rest.starts_with(b"--")
                        && let Some((nag, length)) = signs::leading(rest)
                    {
                        self.at += length;
                        return Some(Token::Nag(Nag(nag)));
                    }
                    // Dots of a move number, wherever they are, and other separators.
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
                        // Two zeros may be castling, which depends on the position.
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
                        looked_at(word.len());
                        let (turn, marks) = signs::split(word);
                        self.at += length;
                        if signs::is_en_passant(turn) {
                            // The marks belong to the turn before.
                            match marks.iter().next() {
                                Some(nag) => return Some(Token::Nag(nag)),
                                None => continue,
                            }
                        }
                        return Some(match signs::word(turn) {
                            Some(nag) => Token::Nag(Nag(nag)),
                            None if is_no_word(turn) => Token::Unknown(word),
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
fn looked_at(bytes: usize) {
    tests::LOOKED_AT.with(|count| count.set(count.get() + bytes));
}

#[cfg(not(test))]
#[inline]
const fn looked_at(_: usize) {}

#[inline]
fn leading(bytes: &[u8], is_so: impl Fn(u8) -> bool) -> usize {
    let length = bytes.iter().position(|&byte| !is_so(byte)).unwrap_or(bytes.len());
    looked_at(length + 1);
    length
}

fn digits(bytes: &[u8]) -> usize {
    leading(bytes, |byte| byte.is_ascii_digit())
}

/// Returns the length of the rest of a line, without its end.
fn line_length(bytes: &[u8]) -> usize {
    leading(bytes, |byte| !matches!(byte, b'\n' | b'\r'))
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
            // A comment that is never closed must not swallow the games after it. A line of a closed comment
            // may begin like a tag, but only between games is there an empty line before it.
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

/// Returns the length of a non-ASCII separator.
fn separator(bytes: &[u8]) -> Option<usize> {
    const SEPARATORS: [&str; 9] = ["…", "–", "—", "−", "‑", "•", "\u{200b}", "“", "”"];
    let length = SEPARATORS.iter().find(|separator| bytes.starts_with(separator.as_bytes())).map(|s| s.len());
    // The same in Windows-1252.
    length.or(matches!(bytes.first(), Some(0x85 | 0x93 | 0x94 | 0x96 | 0x97)).then_some(1))
}

/// Returns `true` if a word contains no letter, digit or null move.
fn is_no_word(word: &[u8]) -> bool {
    !word.iter().any(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'@'))
        && !decode(word.get(..16).unwrap_or(word)).chars().any(char::is_alphanumeric)
}

/// Returns the length of the dash at the beginning of a text.
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

/// Returns the points at the beginning of a text, doubled, and their length.
fn points(bytes: &[u8]) -> Option<(u8, usize)> {
    const POINTS: [(&[u8], u8); 6] =
        [(b"1/2", 1), ("½".as_bytes(), 1), (b"\xbd", 1), (b"0.5", 1), (b"1", 2), (b"0", 0)];
    POINTS.iter().find(|(text, _)| bytes.starts_with(text)).map(|&(text, points)| (points, text.len()))
}

/// Returns the result at the beginning of a text, and its length; without a value if it is two zeros
/// separated by blanks.
pub(super) fn result(bytes: &[u8]) -> Option<(Option<GameResult>, usize)> {
    let ends = |length: usize| {
        let next = bytes.get(length);
        next.is_none_or(|&byte| !byte.is_ascii_alphanumeric() && byte < 0x80 && byte != b'-' && byte != b'/')
            || is_blank(bytes.get(length..).unwrap_or_default()).is_some()
    };
    let blanks = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        leading(rest, |byte| matches!(byte, b' ' | b'\t'))
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
        // Half a point is a draw if it stands alone.
        (1, _) if bytes.starts_with(b"1/2") && ends(3) => return Some((Some(GameResult::Draw), 3)),
        _ => return None,
    };
    ends(at + second).then_some((result, at + second))
}

/// Returns the length of the move number at the beginning of a text, including its dots; 0 if there is none.
fn move_number(bytes: &[u8]) -> usize {
    let digits = digits(bytes);
    let behind = bytes.get(digits..).unwrap_or_default();
    let dots = leading(behind, |byte| byte == b'.');
    // Several programs write a null move as zeros.
    let is_null = digits > 1 && bytes.iter().take(digits).all(|&byte| byte == b'0');
    if digits > 0
        && !is_null
        && (dots > 0
            || behind.first().is_none_or(|&byte| is(byte, BLANK))
            || is_blank(behind).is_some()
            || behind.starts_with("…".as_bytes())
            || behind.starts_with(b"\x85"))
    {
        digits + dots
    } else {
        0
    }
}

/// Returns the position of the turn in a line such as `12.w e2.e4 wpe4/wpe2`.
fn explicit(bytes: &[u8]) -> Option<usize> {
    let digits = digits(bytes);
    matches!(bytes.get(digits..)?, [b'.', b'w' | b'b', b' ', ..]).then_some(digits + 3)
}

/// Returns the length of the turn at the beginning of a text.
#[inline]
fn turn_length(bytes: &[u8]) -> usize {
    let length = word_length(bytes);
    match bytes.get(length) {
        Some(b'(' | b';') if length > 0 => glued_length(bytes, length),
        _ => length,
    }
}

/// Returns the end of a word: a blank of any kind, or a byte that begins something else.
#[inline]
fn word_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += leading(bytes.get(at..).unwrap_or_default(), |byte| !is(byte, BREAK) && byte < 0x80);
        match bytes.get(at) {
            Some(&byte) if byte >= 0x80 && is_blank(bytes.get(at..).unwrap_or_default()).is_none() => at += 1,
            _ => return at,
        }
    }
}

/// Returns the length of the non-ASCII blank at the beginning of a text.
fn is_blank(bytes: &[u8]) -> Option<usize> {
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

/// Sixteen squares with their commas and parentheses: no step captures more men.
const MAX_SQUARES_LENGTH: usize = 16 * 3 + 1;

/// Returns the length of the squares in parentheses at the beginning of a text.
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

/// Returns `true` if a text begins like the next step of a chain: an optional letter, `x`, a square.
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

/// Reads a tag, or the whole line if it is not one.
fn tag(bytes: &[u8]) -> (usize, Token<'_>) {
    if let Some((name, value, length)) = parse_tag(bytes) {
        return (length, Token::Tag(Tag::Good(name, value)));
    }
    let line = bytes.get(..line_length(bytes)).unwrap_or_default();
    let tag = parse_loose_tag(line).map_or(Tag::Bad(line), |(name, value)| Tag::Loose(name, value, line));
    (line.len(), Token::Tag(tag))
}

/// Returns the name after the bracket of a tag, and its end.
fn parse_tag_name(bytes: &[u8]) -> Option<(&str, usize)> {
    let begin = 1 + leading(bytes.get(1..)?, is_line_blank);
    let end = begin + leading(bytes.get(begin..)?, |byte| tag::is_name_char(char::from(byte)));
    let name = std::str::from_utf8(bytes.get(begin..end)?).ok().filter(|name| tag::is_name(name))?;
    Some((name, end))
}

fn is_line_blank(byte: u8) -> bool {
    is(byte, BLANK) && !matches!(byte, b'\n' | b'\r')
}

/// Reads a tag in standard form. Examines only the tag itself, because a line may contain many.
fn parse_tag(bytes: &[u8]) -> Option<(&str, Cow<'_, str>, usize)> {
    let blank = |at: usize| at + leading(bytes.get(at..).unwrap_or_default(), is_line_blank);
    let (name, end) = parse_tag_name(bytes)?;
    let quote = blank(end);
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let begin = quote + 1;
    let (mut at, mut escapes) = (begin, false);
    loop {
        at += leading(bytes.get(at..)?, |byte| !matches!(byte, b'"' | b'\\' | b'\n' | b'\r'));
        match bytes.get(at)? {
            b'\\' => {
                escapes = true;
                at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'"' | b'\\')));
                continue;
            }
            b'"' => {}
            _ => return None,
        }
        let bracket = blank(at + 1);
        if bytes.get(bracket) == Some(&b']') {
            let value = decode(bytes.get(begin..at)?);
            let value = if escapes { Cow::Owned(unescape(&value)) } else { value };
            return Some((name, value, bracket + 1));
        }
        // A quote that is not escaped: `[Options "{"randomness":0}"]`.
        at += 1;
    }
}

/// Reads a tag that is alone on its line, with any kind of quotes or none: `[White Bob]`, `[Event “x”]`,
/// `[Site "C:\games\"]`.
fn parse_loose_tag(line: &[u8]) -> Option<(&str, Cow<'_, str>)> {
    const OPENING: [char; 9] = ['"', '\'', '“', '”', '„', '«', '»', '‘', '`'];
    const CLOSING: [char; 9] = ['"', '\'', '“', '”', '„', '«', '»', '’', '`'];
    let (name, end) = parse_tag_name(line)?;
    let inside = line.trim_ascii_end().strip_suffix(b"]").and_then(|line| line.get(end..))?;
    // Name and value must be separate words.
    if inside.first().is_some_and(|&byte| byte.is_ascii() && !is_line_blank(byte) && byte != b'"') {
        return None;
    }
    let value = decode(inside);
    let value = value.trim();
    if value.is_empty() {
        return None;
    }
    let value = value.strip_prefix(OPENING).unwrap_or(value);
    let value = value.strip_suffix(CLOSING).unwrap_or(value);
    Some((name, Cow::Owned(value.to_owned())))
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
            // A backslash that escapes nothing, as in a path.
            Some(c) => plain.extend(['\\', c]),
            None => plain.push('\\'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, ops::ControlFlow};

    use crate::pgn::{Reader, SyntaxProblem, Visitor};

    thread_local! {
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    /// Enters all variations and stores nothing.
    struct All;

    impl Visitor for All {
        type Output = ();
        fn begin_game(&mut self, _: usize) {}
        fn turn(&mut self, _: usize, _: &str) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn begin_variation(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn problem(&mut self, _: usize, _: SyntaxProblem) {}
        fn end_game(&mut self) {}
    }

    /// Returns the number of bytes examined to report all games of a text.
    fn cost(text: &str) -> usize {
        LOOKED_AT.with(|count| count.set(0));
        let mut reader = Reader::new(text);
        while reader.read_game(&mut All).is_some() {}
        LOOKED_AT.with(Cell::get)
    }

    #[test]
    fn reading_takes_linear_time() {
        let begun = ["", "1. e4 ", "[Event \"x\"]\n\n1. e4 ", "1. e4 {", "[x \"", "1. e4 ("];
        let pieces = [
            "[abc\"\"]",
            "[a\"\"]\n",
            "[a \"x\"",
            "[",
            "]",
            "[Event \"x\"]\n",
            "\n\n[Event \"x\"]\n",
            "[a b]\n",
            "[a \\",
            "\"",
            "\\",
            "1.",
            "0.1.1.1.",
            "1",
            "0",
            "1-",
            "1 - ",
            "0 - 0 - ",
            "1/2 ",
            "1/2-",
            "½",
            "½–",
            "*",
            "* {x}",
            "*\n\n{x}",
            "1-0 {x}\n",
            "(",
            ")",
            "()",
            "(e4)",
            "e4(",
            "e4(e5,",
            "e4;",
            "e4;xe5",
            "{",
            "}",
            "{}",
            "{x} ",
            "{\n[Event ",
            ";x\n",
            "$",
            "$1 ",
            "$999 ",
            "!",
            "!?",
            "e4!",
            "N",
            "e4N ",
            "=",
            "+",
            "-",
            "--",
            "-- ",
            "+- ",
            "=.",
            "e4= ",
            ".",
            ",",
            "a.",
            "a=",
            " ",
            "\n",
            "\n\n",
            "\r",
            "%\n",
            "%x",
            "\u{feff}",
            "\u{a0}",
            "e4\u{a0}",
            "e.p.",
            "ep ",
            "e.p.e.p.",
            "0000 ",
            "é",
            "…",
            "1.w e2.e4 wpe4/wpe2\n",
            "1.w",
            "1 e4 ",
            "10000000000",
        ];
        for begin in begun {
            for piece in pieces {
                let text = |count: usize| format!("{begin}{}", piece.repeat(count));
                let (small, large) = (text(1_000), text(2_000));
                let (cheap, dear) = (cost(&small), cost(&large));
                // Twice the text costs at most twice as much, and each byte is examined a bounded number of
                // times.
                assert!(dear <= 2 * cheap + 2_000, "{begin:?} {piece:?}: {cheap}, then {dear}");
                assert!(dear <= 40 * large.len(), "{begin:?} {piece:?}: {dear} for {}", large.len());
            }
        }
    }
}
