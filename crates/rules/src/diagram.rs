//! Boards drawn in text, for those who read a terminal, a log or this documentation.

use std::fmt::Write as _;

use crate::{
    fen,
    position::Position,
    square::{File, Rank, Square},
};

/// Draws the board with its coordinates, White below; an empty square is a dot.
pub(crate) fn draw(position: &impl Position) -> String {
    let mut text = String::with_capacity(9 * 18);
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{}", rank.index() + 1);
        for file in File::ALL {
            let man = position.piece_at(Square::new(file, rank));
            let char = man.map_or('.', |piece| fen::man_char(position.variant(), piece));
            let _ = write!(text, " {char}");
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h\n");
    text
}
