//! Sliding attacks by subtraction: two kilobytes of tables, no multiplication.
//!
//! "Obstruction difference" (Hoffmann; in Infuehr's shorter form, 2022): subtracting the highest blocker
//! below the slider from those above it changes exactly the bits between that blocker and the lowest one
//! above, both included. The method is used in WebAssembly, where 860 KB of tables would make up most of the
//! download. Other subtraction methods need an instruction to reverse bits, which WebAssembly lacks. The
//! magic tables are built with this implementation.

use crate::{square::Square, square_set::SquareSet};

/// For each square, the other squares on its file, rank, diagonal (a1–h8) and antidiagonal.
static LINES: [[u64; 4]; 64] = lines();

const fn lines() -> [[u64; 4]; 64] {
    let mut lines = [[0; 4]; 64];
    let mut index = 0;
    while index < 64 {
        lines[index] = lines_of(Square::from_index(index));
        index += 1;
    }
    lines
}

const fn lines_of(square: Square) -> [u64; 4] {
    const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];
    let mut lines = [0; 4];
    let mut line = 0;
    while line < 4 {
        let (files, ranks) = DIRECTIONS[line];
        let mut steps = 1;
        while steps < 8 {
            if let Some(square) = square.offset(files * steps, ranks * steps) {
                lines[line] |= 1 << square as u8;
            }
            if let Some(square) = square.offset(-files * steps, -ranks * steps) {
                lines[line] |= 1 << square as u8;
            }
            steps += 1;
        }
        line += 1;
    }
    lines
}

/// Returns the squares reached on one line, including the first blocker in each direction.
#[inline]
const fn along(square: Square, occupied: u64, line: u64) -> u64 {
    let slider = 1u64 << square as u8;
    let blockers = occupied & line;
    let below = blockers & (slider - 1);
    let above = blockers ^ below;
    // Without a blocker below, a1 counts as one. Without a blocker above, the subtraction wraps around and
    // changes all bits up to h8.
    let highest_below = 1 << 63 >> (below | 1).leading_zeros();
    (above ^ above.wrapping_sub(highest_below)) & line
}

/// Returns the squares a rook reaches, including the first blocker in each direction.
#[inline]
pub(super) const fn rook(square: Square, occupied: SquareSet) -> SquareSet {
    let lines = &LINES[square as usize];
    SquareSet(along(square, occupied.0, lines[0]) | along(square, occupied.0, lines[1]))
}

/// Returns the squares a bishop reaches, including the first blocker in each direction.
#[inline]
pub(super) const fn bishop(square: Square, occupied: SquareSet) -> SquareSet {
    let lines = &LINES[square as usize];
    SquareSet(along(square, occupied.0, lines[2]) | along(square, occupied.0, lines[3]))
}

/// Returns the squares on which a blocker changes the squares that the slider reaches: its lines without
/// their ends.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const fn relevant_blockers(square: Square, rook: bool) -> u64 {
    const FILES: u64 = 0x8181_8181_8181_8181;
    const RANKS: u64 = 0xff00_0000_0000_00ff;
    let lines = &LINES[square as usize];
    if rook { lines[0] & !RANKS | lines[1] & !FILES } else { (lines[2] | lines[3]) & !(FILES | RANKS) }
}
