//! Decodes the bytes of a file, and recognises files that are not PGN.

use std::{borrow::Cow, io};

/// The kind of a file whose first bytes show that it is not PGN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotPgn {
    /// Compressed, or an archive.
    #[error("this is a compressed file or an archive ({0}), not PGN; unpack it first")]
    Compressed(&'static str),
    /// An HTML page, or XML.
    #[error("this is not PGN but a web page; download the PGN itself")]
    Markup,
    /// A file of another kind.
    #[error("this is not PGN but {0}")]
    Other(&'static str),
}

impl From<NotPgn> for io::Error {
    fn from(found: NotPgn) -> Self {
        Self::new(io::ErrorKind::InvalidData, found)
    }
}

/// The number of bytes at the beginning of a file that [`sniff`] reads.
pub(super) const SNIFF_BYTES: usize = 512;

/// Returns the kind of a file if its first 512 bytes show that it is not PGN.
pub fn sniff(bytes: &[u8]) -> Option<NotPgn> {
    const MAGIC: [(&[u8], NotPgn); 16] = [
        (b"PK\x03\x04", NotPgn::Compressed("zip")),
        (b"PK\x05\x06", NotPgn::Compressed("zip")),
        (b"\x1f\x8b", NotPgn::Compressed("gzip")),
        (b"\x1f\x9d", NotPgn::Compressed("compress")),
        (b"7z\xbc\xaf\x27\x1c", NotPgn::Compressed("7z")),
        (b"BZh", NotPgn::Compressed("bzip2")),
        (b"\x28\xb5\x2f\xfd", NotPgn::Compressed("zstd")),
        (b"\xfd7zXZ\x00", NotPgn::Compressed("xz")),
        (b"\x04\x22\x4d\x18", NotPgn::Compressed("lz4")),
        (b"Rar!\x1a\x07", NotPgn::Compressed("rar")),
        (b"LZIP", NotPgn::Compressed("lzip")),
        (b"%PDF-", NotPgn::Other("a PDF document")),
        (b"{\\rtf", NotPgn::Other("a Rich Text document")),
        (b"SQLite format 3\x00", NotPgn::Other("an SQLite database")),
        (b"Scid.si", NotPgn::Other("a Scid database; export its games as PGN")),
        (b"\x89PNG", NotPgn::Other("a picture")),
    ];
    let bytes = bytes.get(..SNIFF_BYTES).unwrap_or(bytes);
    if let Encoding::Utf16 { big_endian } = Encoding::of(bytes) {
        let mut text = Vec::new();
        Utf16::new().decode(bytes, big_endian, &mut text);
        return is_markup(&text).then_some(NotPgn::Markup);
    }
    if let Some((_, found)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(*found);
    }
    // A tar archive has its signature after the name of its first file.
    if bytes.get(257..262) == Some(b"ustar") {
        return Some(NotPgn::Compressed("tar"));
    }
    is_markup(bytes).then_some(NotPgn::Markup)
}

/// Returns `true` if a text begins like HTML or XML, which no PGN does.
fn is_markup(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text).trim_ascii_start();
    text.first() == Some(&b'<')
        && text.get(1).is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?'))
}

/// Returns bytes decoded as UTF-8 or, failing that, as Windows-1252, which includes Latin-1.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    /// The characters for bytes 0x80 to 0x9f. Five bytes are undefined and remain control characters.
    const WINDOWS_1252: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let decode_byte = |byte: u8| {
        let above = byte.checked_sub(0x80).and_then(|index| WINDOWS_1252.get(usize::from(index)));
        above.copied().unwrap_or(char::from(byte))
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| decode_byte(byte)).collect()),
    }
}

/// The encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// Each token is UTF-8 or Windows-1252.
    Bytes,
    Utf16 {
        big_endian: bool,
    },
}

impl Encoding {
    /// Returns the encoding indicated by the byte order mark or, without one, by the zero bytes between ASCII
    /// characters.
    pub(super) fn of(bytes: &[u8]) -> Self {
        match *bytes {
            [0xff, 0xfe, ..] => Self::Utf16 { big_endian: false },
            [0xfe, 0xff, ..] => Self::Utf16 { big_endian: true },
            [one, 0, other, 0, ..] if one.is_ascii() && other.is_ascii() && one != 0 && other != 0 => {
                Self::Utf16 { big_endian: false }
            }
            [0, one, 0, other, ..] if one.is_ascii() && other.is_ascii() && one != 0 && other != 0 => {
                Self::Utf16 { big_endian: true }
            }
            _ => Self::Bytes,
        }
    }
}

/// Decodes UTF-16 to UTF-8, in pieces of any length.
#[derive(Clone, Debug)]
pub(super) struct Utf16 {
    /// The first byte of an incomplete code unit.
    byte: Option<u8>,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

/// The maximum number of UTF-8 bytes for each UTF-16 byte, on average over a code unit. Two bytes add at most
/// six: three for their own unit, and three for U+FFFD if an unpaired surrogate precedes it.
pub(super) const UTF16_GROWTH: usize = 3;

impl Utf16 {
    pub(super) const fn new() -> Self {
        Self { byte: None, high: None }
    }

    /// Decodes bytes and appends the text to `out` as UTF-8. Invalid text becomes U+FFFD.
    pub(super) fn decode(&mut self, bytes: &[u8], big_endian: bool, out: &mut Vec<u8>) {
        for &byte in bytes {
            let Some(first) = self.byte.take() else {
                self.byte = Some(byte);
                continue;
            };
            let pair = [first, byte];
            let unit = if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            let high = self.high.take();
            if (0xd800..0xdc00).contains(&unit) {
                self.high = Some(unit);
                if high.is_some() {
                    out.extend_from_slice("\u{fffd}".as_bytes());
                }
                continue;
            }
            for c in char::decode_utf16(high.into_iter().chain([unit])) {
                let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_other_than_pgn_are_recognised_by_their_first_bytes() {
        for (bytes, found) in [
            (
                b"PK\x03\x04\x14\x00".as_slice(),
                Some("this is a compressed file or an archive (zip), not PGN; unpack it first"),
            ),
            (
                b"\x1f\x8b\x08",
                Some("this is a compressed file or an archive (gzip), not PGN; unpack it first"),
            ),
            (b"BZh91AY", Some("this is a compressed file or an archive (bzip2), not PGN; unpack it first")),
            (
                b"\x28\xb5\x2f\xfd\x04",
                Some("this is a compressed file or an archive (zstd), not PGN; unpack it first"),
            ),
            (b"\n <!DOCTYPE html>", Some("this is not PGN but a web page; download the PGN itself")),
            (b"\xef\xbb\xbf<html>", Some("this is not PGN but a web page; download the PGN itself")),
            (b"<\0h\0t\0m\0l\0>\0", Some("this is not PGN but a web page; download the PGN itself")),
            (b"\xfe\xff\0<\0h\0t\0m\0l\0>", Some("this is not PGN but a web page; download the PGN itself")),
            (b"<?xml version", Some("this is not PGN but a web page; download the PGN itself")),
            (b"%PDF-1.4", Some("this is not PGN but a PDF document")),
            (b"% a comment", None),
            (b"[Event \"PK\"]", None),
            (b"<> 1. e4", None),
            (b"", None),
        ] {
            assert_eq!(sniff(bytes).map(|found| found.to_string()).as_deref(), found, "{bytes:?}");
        }
    }

    #[test]
    fn invalid_utf_8_is_read_as_windows_1252() {
        assert_eq!(decode(b"\x8aimon \x8e\xe1k it\x92s \x80 \xbd"), "Šimon Žák it’s € ½");
        assert_eq!(decode("Šimon".as_bytes()), "Šimon");
    }

    #[test]
    fn utf_16_is_decoded_in_pieces() {
        let text = "é [Event \"漢 🦀\"]";
        for big_endian in [false, true] {
            let bytes: Vec<u8> = text
                .encode_utf16()
                .flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect();
            for size in 1..5 {
                let (mut decoder, mut out) = (Utf16::new(), Vec::new());
                bytes.chunks(size).for_each(|part| decoder.decode(part, big_endian, &mut out));
                assert_eq!(String::from_utf8(out).unwrap(), text);
            }
        }
        let (mut decoder, mut out) = (Utf16::new(), Vec::new());
        decoder.decode(&[0xd8, 0x00, 0x00, 0x41, 0xdc, 0x00], true, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "\u{fffd}A\u{fffd}");
        // A lone high surrogate does not destroy the pair after it.
        let (mut decoder, mut out) = (Utf16::new(), Vec::new());
        decoder.decode(&[0xd8, 0x00, 0xd8, 0x3e, 0xdd, 0x80], true, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "\u{fffd}🦀");
    }
}
