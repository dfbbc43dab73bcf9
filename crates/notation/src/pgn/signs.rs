//! Signs after a turn: marks of the turn, and assessments of the position.

use super::reader::Nag;

/// Signs with the numbers of their marks. If one sign begins with another, the longer one comes first.
const SIGNS: [(&str, u8); 51] = [
    ("+/=", 14),
    ("+/-", 16),
    ("+/−", 16),
    ("+/–", 16),
    ("-/+", 17),
    ("−/+", 17),
    ("–/+", 17),
    ("=/+", 15),
    ("=/∞", 44),
    ("∞/=", 44),
    ("=∞", 44),
    ("∞=", 44),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("+—", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("—+", 19),
    ("==", 10),
    ("=", 10),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("∞", 13),
    ("□", 7),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("‽", 5),
    ("⌓", 142),
    ("∆", 140),
    ("Δ", 140),
    ("△", 140),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⇄", 132),
    ("⨁", 138),
    ("⊕", 138),
    ("⨀", 22),
    ("⊙", 22),
    ("○", 26),
    ("◻", 7),
];

/// Signs that consist of letters and stand as separate words.
const WORDS: [(&[u8], u8); 3] = [(b"N", 146), (b"TN", 146), (b"RR", 145)];

/// Words that mark a turn as a capture en passant, which is clear from the turn itself.
const EN_PASSANT: [&[u8]; 4] = [b"e.p.", b"e.p", b"ep.", b"ep"];

/// The maximum number of signs that are split off the end of a word. A longer sequence is not an annotation.
const MAX_MARKS: usize = 6;

/// The marks of a turn; iterating yields them in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TurnMarks {
    /// From last to first.
    nags: [u8; MAX_MARKS],
    count: usize,
}

impl TurnMarks {
    fn push(&mut self, nag: u8) {
        if let Some(free) = self.nags.get_mut(self.count) {
            *free = nag;
            self.count += 1;
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Nag> {
        self.nags.into_iter().take(self.count).rev().map(Nag)
    }
}

/// Returns the number of a mark that consists of `!` and `?`. Repeated symbols count as the longest existing
/// mark.
pub(super) fn nag(mark: &[u8]) -> Option<u8> {
    Some(match mark {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        [b'!', b'!', rest @ ..] if rest.iter().all(|&byte| byte == b'!') => 3,
        [b'?', b'?', rest @ ..] if rest.iter().all(|&byte| byte == b'?') => 4,
        _ => return None,
    })
}

/// Returns the mark of the sign at the beginning of a string, and the length of the sign.
pub(super) fn leading_sign(bytes: &[u8]) -> Option<(u8, usize)> {
    let first = *bytes.first()?;
    if first.is_ascii() && !matches!(first, b'+' | b'-' | b'=') {
        return None;
    }
    // `±` in Windows-1252.
    if first == 0xb1 {
        return Some((16, 1));
    }
    SIGNS.iter().find(|(sign, _)| bytes.starts_with(sign.as_bytes())).map(|&(sign, nag)| (nag, sign.len()))
}

/// Returns the mark of a whole word.
pub(super) fn word(word: &[u8]) -> Option<u8> {
    WORDS.iter().find(|(known, _)| *known == word).map(|&(_, nag)| nag)
}

/// Splits a word into the turn and the marks of the signs at its end.
pub(super) fn split(word: &[u8]) -> (&[u8], TurnMarks) {
    let mut marks = TurnMarks::default();
    let mut rest = word;
    for _ in 0..MAX_MARKS {
        let Some((shorter, nag)) = strip(rest) else { break };
        if let Some(nag) = nag {
            marks.push(nag);
        }
        rest = shorter;
    }
    (rest, marks)
}

/// Removes the last sign of a word, if it ends with one. Returns the rest and the mark of the sign, if any.
fn strip(word: &[u8]) -> Option<(&[u8], Option<u8>)> {
    let marks = word.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
    if marks > 0 {
        let (rest, mark) = word.split_at_checked(word.len() - marks)?;
        return (!rest.is_empty()).then_some((rest, nag(mark)));
    }
    // The shortest turn has two characters.
    let is_long_enough = |rest: &&[u8]| rest.len() >= 2;
    if let Some((rest, nag)) = SIGNS
        .iter()
        .find_map(|&(sign, nag)| Some((word.strip_suffix(sign.as_bytes()).filter(is_long_enough)?, nag)))
        .or_else(|| Some((word.strip_suffix(b"\xb1").filter(is_long_enough)?, 16)))
    {
        return Some((rest, Some(nag)));
    }
    let unchecked =
        word.iter().rposition(|byte| !matches!(byte, b'+' | b'#')).and_then(|end| word.get(..=end));
    if let Some(rest) = EN_PASSANT.iter().find_map(|end| unchecked?.strip_suffix(*end)) {
        // It must follow a square; alone, it is a separate word.
        return matches!(rest, [.., b'3' | b'6']).then_some((rest, None));
    }
    match word {
        [rest @ .., b',' | b'.'] if is_long_enough(&rest) => Some((rest, None)),
        // A novelty, if the letter cannot be a promotion.
        [rest @ .., b'N'] if is_complete(rest) => Some((rest, Some(146))),
        // A check sign among the marks: `Nf3!+`.
        [rest @ .., b'+' | b'#'] if matches!(rest, [_, _, .., b'!' | b'?']) => Some((rest, None)),
        _ => None,
    }
}

/// Returns `true` if this turn is complete, in which case a man's letter after it cannot be a promotion.
fn is_complete(turn: &[u8]) -> bool {
    match turn {
        [b'O' | b'0', b'-', ..] => true,
        [b'A'..=b'Z', .., b'a'..=b'h', b'1'..=b'8'] => turn.iter().all(|&byte| byte != b'='),
        [.., b'a'..=b'h', b'2'..=b'7'] => true,
        _ => false,
    }
}

/// Returns `true` if a word, without its marks, only says that the previous turn captures en passant.
pub(super) fn is_en_passant(word: &[u8]) -> bool {
    let word = word.iter().rposition(|byte| !matches!(byte, b'+' | b'#')).and_then(|end| word.get(..=end));
    word.is_some_and(|word| EN_PASSANT.contains(&word))
}

/// Returns `true` if a turn, without its marks, is a null move, after which the opponent is to move.
pub(super) fn is_null(text: &str) -> bool {
    const NULL_MOVES: [&str; 6] = ["--", "Z0", "0000", "null", "@@@@", "pass"];
    NULL_MOVES.iter().any(|written| text.eq_ignore_ascii_case(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_after_a_turn_are_marks() {
        for (text, turn, marks) in [
            ("e4", "e4", &[][..]),
            ("e4!", "e4", &[1]),
            ("e4!!!", "e4", &[3]),
            ("e4+=", "e4", &[14]),
            ("Nf3+/-", "Nf3", &[16]),
            ("e4⩲", "e4", &[14]),
            ("a6⩱", "a6", &[15]),
            ("Nf6−+", "Nf6", &[19]),
            ("Nf6+−", "Nf6", &[18]),
            ("Nf3‼", "Nf3", &[3]),
            ("Nf3N", "Nf3", &[146]),
            ("e4N", "e4", &[146]),
            ("e8N", "e8N", &[]),
            ("bxa1N", "bxa1N", &[]),
            ("O-ON", "O-O", &[146]),
            ("exd6e.p.", "exd6", &[]),
            ("exd6e.p.!", "exd6", &[1]),
            ("exd6ep", "exd6", &[]),
            ("exd6ep+", "exd6", &[]),
            ("Nf3!+", "Nf3", &[1]),
            ("Qxf7#", "Qxf7#", &[]),
            ("e8=Q=", "e8=Q", &[10]),
            ("Nf3+", "Nf3+", &[]),
            ("Nf3!±", "Nf3", &[1, 16]),
            ("e4,", "e4", &[]),
            ("--", "--", &[]),
            ("--?", "--", &[2]),
            ("e.p.", "e.p.", &[]),
            ("O-O-O+-", "O-O-O", &[18]),
        ] {
            let (rest, found) = split(text.as_bytes());
            let found: Vec<_> = found.iter().map(|nag| nag.0).collect();
            assert_eq!((std::str::from_utf8(rest).unwrap(), &found[..]), (turn, marks), "{text}");
        }
    }

    #[test]
    fn longer_signs_come_before_their_prefixes() {
        for (index, (sign, _)) in SIGNS.iter().enumerate() {
            for (earlier, _) in &SIGNS[..index] {
                assert!(!sign.starts_with(earlier) || sign == earlier, "{earlier} hides {sign}");
            }
        }
    }
}
