//! Circles and arrows on a board.

use std::{fmt, str::FromStr};

use adoube_rules::Square;
use thiserror::Error;

/// The colour of a mark, by its letter in PGN comments (`[%csl Ge4]`, `[%cal Re2e4]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Brush {
    /// `G`.
    #[default]
    Green,
    /// `R`.
    Red,
    /// `Y`.
    Yellow,
    /// `B`.
    Blue,
}

impl Brush {
    /// All colours.
    pub const ALL: [Self; 4] = [Self::Green, Self::Red, Self::Yellow, Self::Blue];

    /// Returns the letter of the colour.
    pub const fn letter(self) -> char {
        match self {
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Blue => 'B',
        }
    }

    /// Returns the drawn colour, visible on light and dark squares.
    pub(crate) const fn color(self) -> &'static str {
        match self {
            Self::Green => "#0e682e",
            Self::Red => "#b01616",
            Self::Yellow => "#965800",
            Self::Blue => "#164ab0",
        }
    }
}

/// A circle around a square, or an arrow from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The colour of the mark.
    pub brush: Brush,
    /// The square, or where the arrow begins.
    pub from: Square,
    /// The same square, or where the arrow ends.
    pub to: Square,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.brush.letter(), self.from)?;
        if self.from == self.to { Ok(()) } else { self.to.fmt(f) }
    }
}

/// Marks in drawing order.
///
/// The text form is a list of squares (`e4`) and pairs of squares (`e2e4`), separated by spaces or commas.
/// Each may be preceded by the letter of its colour; a mark without a letter is green.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks(pub Vec<Mark>);

/// The error for a string that is not a list of marks.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MarkError {
    /// Neither a square nor an arrow.
    #[error(
        "{0:?} is not a mark; write a square such as \"e4\" or an arrow such as \"e2e4\", optionally preceded by G, R, Y or B for its colour"
    )]
    Syntax(String),
    /// More than 256 marks.
    #[error("there are more than {MAX_MARKS} marks")]
    TooMany,
}

/// The maximum number of marks; more would hide the board.
const MAX_MARKS: usize = 256;

impl FromStr for Marks {
    type Err = MarkError;

    fn from_str(text: &str) -> Result<Self, MarkError> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let marks: Vec<Mark> = words.map(parse).take(MAX_MARKS + 1).collect::<Result<_, _>>()?;
        if marks.len() > MAX_MARKS { Err(MarkError::TooMany) } else { Ok(Self(marks)) }
    }
}

fn parse(word: &str) -> Result<Mark, MarkError> {
    let brush = Brush::ALL.into_iter().find(|brush| word.starts_with(brush.letter()));
    let squares = if brush.is_some() { &word[1..] } else { word };
    let read = || match (squares.len(), squares.is_ascii()) {
        (2, true) => squares.parse().ok().map(|square| (square, square)),
        (4, true) => Some((squares[..2].parse().ok()?, squares[2..].parse().ok()?)),
        _ => None,
    };
    let (from, to) = read().ok_or_else(|| MarkError::Syntax(shortened(word)))?;
    Ok(Mark { brush: brush.unwrap_or_default(), from, to })
}

/// Returns the beginning of a string for an error message.
fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mark) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            mark.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_round_trip() {
        let marks: Marks = "e4, Rd5 Be2e4,Yh8".parse().unwrap();
        assert_eq!(marks.to_string(), "Ge4 Rd5 Be2e4 Yh8");
        assert_eq!(marks.to_string().parse(), Ok(marks));
        assert_eq!("".parse(), Ok(Marks::default()));
    }

    #[test]
    fn invalid_marks_and_too_many_marks_are_refused() {
        for word in ["e9", "Pe4", "e2e", "e2e4e", "é2", "G", "e2é4"] {
            assert_eq!(word.parse::<Marks>(), Err(MarkError::Syntax(word.into())), "{word}");
        }
        assert_eq!("e4 ".repeat(257).parse::<Marks>(), Err(MarkError::TooMany));
    }
}
