//! Sliding attacks by subtraction: two kilobytes of tables, no multiplication.
//!
//! "Hyperbola quintessence": on one line, `occupied − 2·slider` changes the bits up to the next blocker; the
//! same on the reversed bits gives the other half of the line. It serves in WebAssembly, where a table of
//! 860 KB would be the larger part of the download, and it is the twin that the fast tables are tested against.

use crate::{square::Square, square_set::SquareSet};

/// Per square the other squares of its file, rank, diagonal (a1–h8) and antidiagonal.
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

/// Returns the reach on one line, the first blocker of each direction included.
#[inline]
const fn along(square: Square, occupied: u64, line: u64) -> u64 {
    let slider = 1u64 << square as u8;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// Returns the squares a rook reaches, the first blocker of each direction included.
#[inline]
pub(super) const fn rook(square: Square, occupied: SquareSet) -> SquareSet {
    let lines = &LINES[square as usize];
    SquareSet(along(square, occupied.0, lines[0]) | along(square, occupied.0, lines[1]))
}

/// Returns the squares a bishop reaches, the first blocker of each direction included.
#[inline]
pub(super) const fn bishop(square: Square, occupied: SquareSet) -> SquareSet {
    let lines = &LINES[square as usize];
    SquareSet(along(square, occupied.0, lines[2]) | along(square, occupied.0, lines[3]))
}

/// Returns the squares on which a blocker changes what the slider reaches: its lines without their ends.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const fn relevant_blockers(square: Square, rook: bool) -> u64 {
    const FILES: u64 = 0x8181_8181_8181_8181;
    const RANKS: u64 = 0xff00_0000_0000_00ff;
    let lines = &LINES[square as usize];
    if rook { lines[0] & !RANKS | lines[1] & !FILES } else { (lines[2] | lines[3]) & !(FILES | RANKS) }
}
