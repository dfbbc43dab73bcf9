//! Lines that begin like a tag.

use std::borrow::Cow;

use super::{BLANK, Tag, Token, has_class, leading_len, line_length};
use crate::pgn::{encoding::decode, tag};

/// Reads a tag, or the whole line if it is not one.
pub(super) fn tag(bytes: &[u8]) -> (usize, Token<'_>) {
    if let Some((name, value, length)) = parse_tag(bytes) {
        return (length, Token::Tag(Tag::Good(name, value)));
    }
    let line = bytes.get(..line_length(bytes)).unwrap_or_default();
    let tag = parse_loose_tag(line).map_or(Tag::Bad(line), |(name, value)| Tag::Loose(name, value, line));
    (line.len(), Token::Tag(tag))
}

/// Returns the name after the opening bracket of a tag, and the offset at which it ends.
fn parse_tag_name(bytes: &[u8]) -> Option<(&str, usize)> {
    let start = 1 + leading_len(bytes.get(1..)?, is_inline_blank);
    let end = start + leading_len(bytes.get(start..)?, |byte| tag::is_name_char(char::from(byte)));
    let name = std::str::from_utf8(bytes.get(start..end)?).ok().filter(|name| tag::is_name(name))?;
    Some((name, end))
}

fn is_inline_blank(byte: u8) -> bool {
    has_class(byte, BLANK) && !matches!(byte, b'\n' | b'\r')
}

/// Reads a tag in standard form. Examines only the tag itself, because a line may contain many.
fn parse_tag(bytes: &[u8]) -> Option<(&str, Cow<'_, str>, usize)> {
    let skip_blanks = |at: usize| at + leading_len(bytes.get(at..).unwrap_or_default(), is_inline_blank);
    let (name, end) = parse_tag_name(bytes)?;
    let quote = skip_blanks(end);
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let start = quote + 1;
    let (mut at, mut escapes) = (start, false);
    loop {
        at += leading_len(bytes.get(at..)?, |byte| !matches!(byte, b'"' | b'\\' | b'\n' | b'\r'));
        match bytes.get(at)? {
            b'\\' => {
                escapes = true;
                at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'"' | b'\\')));
                continue;
            }
            b'"' => {}
            _ => return None,
        }
        let bracket = skip_blanks(at + 1);
        if bytes.get(bracket) == Some(&b']') {
            let value = decode(bytes.get(start..at)?);
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
    // The name and the value must be separate words.
    if inside.first().is_some_and(|&byte| byte.is_ascii() && !is_inline_blank(byte) && byte != b'"') {
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
