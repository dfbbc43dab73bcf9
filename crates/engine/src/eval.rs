//! What positions are worth, one file per game, and what else the search has to know of a game.

pub mod baroque;
pub mod interweave;
pub mod orthodox;

use adoube_rules::{Color, Position, Role, Square, Step};

/// What a repeated position costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// The third time is a draw (C22, B13).
    Draws,
    /// The side whose turn brings the position about for the third time loses (I12).
    Loses,
}

/// A position that the search can play.
pub trait Searchable: Position {
    /// What men are worth, in hundredths of a pawn, at the index of their role.
    const VALUES: [i32; Role::MAX];

    /// What the third repetition does.
    const REPETITION: Repetition;

    /// Whether a side that can take must (I4): then no side may stand pat on the position as it is, and nobody is
    /// ever in check.
    const TAKING_IS_COMPULSORY: bool;

    /// Returns what the position is worth to the side to move, in hundredths of a pawn, as far as can be seen
    /// without playing on.
    fn evaluate(&self) -> i32;

    /// Returns whether neither side has the men to win.
    fn is_material_draw(&self) -> bool {
        false
    }

    /// Returns the position with the other side to move, where a free turn is never a burden: then a side that
    /// stands well even after passing need not be searched in full.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// Returns whether a taking step plainly loses a man worth more than `gain`, what it wins.
    fn loses_the_taker(&self, _step: Step, _gain: i32) -> bool {
        false
    }
}

/// A bonus for each square, a1 first, as White sees the board.
pub(crate) type SquareTable = [i32; 64];

/// Returns the table that adds a bonus for the file and one for the rank.
pub(crate) const fn file_and_rank(files: [i32; 8], ranks: [i32; 8]) -> SquareTable {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = files[index & 7] + ranks[index >> 3];
        index += 1;
    }
    table
}

/// Returns the square as the side sees it: its own first rank is rank 1.
#[inline]
pub(crate) fn relative(color: Color, square: Square) -> Square {
    match color {
        Color::White => square,
        Color::Black => square.flip_vertical(),
    }
}

/// Returns the larger of the distances in files and in ranks: the steps of a king.
#[inline]
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.index() & 7).abs_diff(b.index() & 7);
    let ranks = (a.index() >> 3).abs_diff(b.index() >> 3);
    files.max(ranks) as i32
}
