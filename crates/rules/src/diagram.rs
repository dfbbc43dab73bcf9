//! Boards drawn in text, for terminals, logs and this documentation.

use std::fmt;

use crate::square::{File, Rank, Square};

/// Draws a board with its coordinates, White at the bottom; an empty square is a dot.
pub(crate) fn draw(out: &mut impl fmt::Write, char_at: impl Fn(Square) -> Option<char>) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, "{rank}")?;
        for file in File::ALL {
            write!(out, " {}", char_at(Square::new(file, rank)).unwrap_or('.'))?;
        }
        out.write_char('\n')?;
    }
    out.write_str("  a b c d e f g h\n")
}
