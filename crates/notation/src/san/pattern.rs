//! Parses the text of a turn without knowing the position.

use adoube_rules::{File, MAX_TURN_STEPS, Rank, Role, Square, SquareSet, Variant};

/// The maximum length of a string that is read. Even a chain of sixteen captures is much shorter.
const MAX_LENGTH: usize = 512;

/// One step as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
    Castling { king_side: bool },
    Man(Man),
}

/// A man's step as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    pub(super) role: Option<Role>,
    pub(super) from_file: Option<File>,
    pub(super) from_rank: Option<Rank>,
    pub(super) to: Square,
    pub(super) promotion: Option<Role>,
    /// Whether `=`, `/` or parentheses mark the promotion, rather than just a letter at the end.
    pub(super) promotion_marked: bool,
    pub(super) takes: bool,
    /// The squares in parentheses.
    pub(super) taken: Option<SquareSet>,
}

/// Returns a pattern for each step of a turn, at least one, or `None` if the text cannot be read.
pub(super) fn parse(variant: Variant, text: &str) -> Option<Vec<Pattern>> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '×' => 'x',
            // Typographic dashes.
            '\u{2010}'..='\u{2015}' => '-',
            c => c,
        })
        .collect();
    let marks = ['+', '#', '!', '?'];
    let plain = plain.trim_end_matches(marks);
    let plain = plain.strip_suffix("e.p.").unwrap_or(plain).trim_end_matches(marks);
    if let Some(castling) = castling(variant, plain) {
        return Some(vec![castling]);
    }
    let mut cursor = Cursor(plain.as_bytes());
    let mut patterns = Vec::new();
    loop {
        if patterns.len() == MAX_TURN_STEPS {
            return None;
        }
        patterns.push(Pattern::Man(man(variant, &mut cursor)?));
        if cursor.0.is_empty() {
            return Some(patterns);
        }
        cursor.take_if(|c| matches!(c, ';' | ',').then_some(()))?;
    }
}

fn castling(variant: Variant, text: &str) -> Option<Pattern> {
    let sides = match text {
        "O-O" | "0-0" | "o-o" => 1,
        "O-O-O" | "0-0-0" | "o-o-o" => 2,
        _ => return None,
    };
    variant.has_castling().then_some(Pattern::Castling { king_side: sides == 1 })
}

/// Reads one step, up to the end of the text or a step separator.
fn man(variant: Variant, cursor: &mut Cursor<'_>) -> Option<Man> {
    let upper_case = |c: char| variant.role_of_letter(c).filter(|_| c.is_ascii_uppercase());
    let role = cursor.take_if(upper_case);
    let first = (cursor.take_if(File::from_char), cursor.take_if(Rank::from_char));
    let separator = cursor.take_if(|c| match c {
        'x' | ':' => Some(true),
        '-' => Some(false),
        _ => None,
    });
    let second = (cursor.take_if(File::from_char), cursor.take_if(Rank::from_char));
    let ((from_file, from_rank), to) = match (first, separator, second) {
        (origin, _, (Some(file), Some(rank))) => (origin, Square::new(file, rank)),
        ((Some(file), Some(rank)), None, (None, None)) => ((None, None), Square::new(file, rank)),
        _ => return None,
    };
    let mut man = Man {
        role,
        from_file,
        from_rank,
        to,
        promotion: None,
        promotion_marked: false,
        takes: separator == Some(true),
        taken: None,
    };
    while let Some(c) = cursor.peek().filter(|c| !matches!(c, ';' | ',')) {
        let promotion = if cursor.take('(') {
            if let Some(role) = cursor.take_if(upper_case) {
                cursor.take(')').then_some((role, true))?
            } else if man.taken.is_none() {
                man.taken = Some(squares(cursor)?);
                continue;
            } else {
                return None;
            }
        } else if c == 'X' && cursor.take(c) {
            man.takes = true;
            continue;
        } else {
            let marked = cursor.take('=') || cursor.take('/');
            (cursor.take_if(|c| variant.role_of_letter(c))?, marked)
        };
        if man.promotion.is_some() {
            return None;
        }
        (man.promotion, man.promotion_marked) = (Some(promotion.0), promotion.1);
    }
    Some(man)
}

/// Reads squares up to the closing parenthesis.
fn squares(cursor: &mut Cursor<'_>) -> Option<SquareSet> {
    let mut squares = SquareSet::EMPTY;
    loop {
        let (file, rank) = (cursor.take_if(File::from_char)?, cursor.take_if(Rank::from_char)?);
        squares.insert(Square::new(file, rank));
        if cursor.take(')') {
            return Some(squares);
        }
        cursor.take_if(|c| matches!(c, ',' | '+').then_some(()))?;
    }
}

/// The unread part of a string. Non-ASCII bytes match no rule here.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.0.first().map(|&byte| byte as char)
    }

    fn take_if<T>(&mut self, read: impl Fn(char) -> Option<T>) -> Option<T> {
        let (&byte, rest) = self.0.split_first()?;
        let value = read(byte as char)?;
        self.0 = rest;
        Some(value)
    }

    fn take(&mut self, expected: char) -> bool {
        self.take_if(|c| (c == expected).then_some(())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_notation_is_refused() {
        for text in [
            "",
            "+",
            "N",
            "Nx",
            "e",
            "e9",
            "i4",
            "xx",
            "Ne4xx",
            "e4(",
            "e4()",
            "e4(e5",
            "e4(e5,)",
            "e4(e5)(e6)",
            "e8=",
            "e8=QQ",
            "e8=Q=Q",
            ";",
            "e4;",
            "e4;;e5",
            "é4",
            "e4é",
            "--",
            "O-O-O-O",
            "Nb1-",
            "c2-",
            "1-0",
            "a7e7a5",
            "e4\0",
        ] {
            assert_eq!(parse(Variant::Chess, text), None, "{text:?}");
        }
        assert_eq!(parse(Variant::Baroque, "O-O"), None);
        assert_eq!(parse(Variant::Interweave, &["Nxe4"; 17].join(";")), None);
        assert_eq!(parse(Variant::Chess, &"e".repeat(10_000)), None);
    }
}
