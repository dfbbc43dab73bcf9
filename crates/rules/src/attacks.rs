//! Squares that men can reach, independently of the game: leaps, slides, lines.
//!
//! Everything here is a table built at compile time or a function that uses such tables. Slides are computed
//! by magic multiplication in native code and by obstruction difference in WebAssembly, with the same
//! results.

#[cfg(not(target_arch = "wasm32"))]
mod magic;
mod portable;

use crate::{color::Color, square::Square, square_set::SquareSet};

/// The eight directions as offsets (files, ranks): four orthogonal, then four diagonal ones.
///
/// Direction `d ^ 1` is the opposite of `d`.
pub const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The four orthogonal directions of [`DIRECTIONS`].
pub const ORTHOGONAL: [(i8, i8); 4] = [DIRECTIONS[0], DIRECTIONS[1], DIRECTIONS[2], DIRECTIONS[3]];

static KING: [SquareSet; 64] = leaps(&DIRECTIONS);
static KNIGHT: [SquareSet; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static ADJACENT: [SquareSet; 64] = leaps(&ORTHOGONAL);
static PAWN: [[SquareSet; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
static RAYS: [[SquareSet; 64]; 8] = rays();
static BETWEEN: [[SquareSet; 64]; 64] = between_table();
static LINE: [[SquareSet; 64]; 64] = line_table();
static DIRECTION: [[u8; 64]; 64] = direction_table();

const fn leaps<const N: usize>(offsets: &[(i8, i8); N]) -> [SquareSet; 64] {
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut leap = 0;
        while leap < N {
            if let Some(square) = Square::from_index(index).offset(offsets[leap].0, offsets[leap].1) {
                table[index].insert(square);
            }
            leap += 1;
        }
        index += 1;
    }
    table
}

const fn rays() -> [[SquareSet; 64]; 8] {
    let mut table = [[SquareSet::EMPTY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut index = 0;
        while index < 64 {
            let mut next = Square::from_index(index).offset(files, ranks);
            while let Some(square) = next {
                table[direction][index].insert(square);
                next = square.offset(files, ranks);
            }
            index += 1;
        }
        direction += 1;
    }
    table
}

#[expect(clippy::large_stack_arrays, reason = "runs only at compile time")]
const fn between_table() -> [[SquareSet; 64]; 64] {
    let rays = rays();
    let mut table = [[SquareSet::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let ray = rays[direction][from].0;
            let mut to = 0;
            while to < 64 {
                if ray >> to & 1 != 0 {
                    table[from][to] = SquareSet(ray & rays[direction ^ 1][to].0);
                }
                to += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

#[expect(clippy::large_stack_arrays, reason = "runs only at compile time")]
const fn line_table() -> [[SquareSet; 64]; 64] {
    let rays = rays();
    let mut table = [[SquareSet::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let line = rays[direction][from].0 | rays[direction ^ 1][from].0 | 1 << from;
            let mut to = 0;
            while to < 64 {
                if rays[direction][from].0 >> to & 1 != 0 {
                    table[from][to] = SquareSet(line);
                }
                to += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

const NO_DIRECTION: u8 = 8;

const fn direction_table() -> [[u8; 64]; 64] {
    let rays = rays();
    let mut table = [[NO_DIRECTION; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let mut to = 0;
            while to < 64 {
                if rays[direction][from].0 >> to & 1 != 0 {
                    table[from][to] = direction as u8;
                }
                to += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// Returns the neighbours of a square in all eight directions.
#[inline]
pub fn king(square: Square) -> SquareSet {
    KING[square.index()]
}

/// Returns the squares that are a knight's leap away.
#[inline]
pub fn knight(square: Square) -> SquareSet {
    KNIGHT[square.index()]
}

/// Returns the orthogonal neighbours of a square.
#[inline]
pub fn adjacent(square: Square) -> SquareSet {
    ADJACENT[square.index()]
}

/// Returns the squares diagonally ahead, where a chess pawn of that colour takes.
#[inline]
pub fn pawn(color: Color, square: Square) -> SquareSet {
    PAWN[color.index()][square.index()]
}

/// Returns all squares beyond a square, up to the edge, in a direction (an index into [`DIRECTIONS`]).
#[inline]
pub fn ray(direction: usize, square: Square) -> SquareSet {
    RAYS[direction & 7][square.index()]
}

/// Returns the squares strictly between two squares on one line; none if they are not on one line.
#[inline]
pub fn between(from: Square, to: Square) -> SquareSet {
    BETWEEN[from.index()][to.index()]
}

/// Returns all squares on the line through two squares, from edge to edge; none if they are not on one line.
#[inline]
pub fn line(from: Square, to: Square) -> SquareSet {
    LINE[from.index()][to.index()]
}

/// Returns the direction from `from` to `to`, if these are two squares on one line.
#[inline]
pub fn direction(from: Square, to: Square) -> Option<usize> {
    let direction = DIRECTION[from.index()][to.index()];
    (direction < NO_DIRECTION).then_some(direction as usize)
}

/// Returns the nearest of the `blockers` in a direction from a square.
#[inline]
pub fn first_on_ray(direction: usize, square: Square, blockers: SquareSet) -> Option<Square> {
    let on_ray = ray(direction, square) & blockers;
    let (files, ranks) = DIRECTIONS[direction & 7];
    if ranks * 8 + files > 0 { on_ray.first() } else { on_ray.last() }
}

/// Returns the squares a rook reaches, including the first blocker in each direction.
#[inline]
pub fn rook(square: Square, occupied: SquareSet) -> SquareSet {
    #[cfg(not(target_arch = "wasm32"))]
    return magic::rook(square, occupied);
    #[cfg(target_arch = "wasm32")]
    return portable::rook(square, occupied);
}

/// Returns the squares a bishop reaches, including the first blocker in each direction.
#[inline]
pub fn bishop(square: Square, occupied: SquareSet) -> SquareSet {
    #[cfg(not(target_arch = "wasm32"))]
    return magic::bishop(square, occupied);
    #[cfg(target_arch = "wasm32")]
    return portable::bishop(square, occupied);
}

/// Returns the squares a queen reaches, including the first blocker in each direction.
#[inline]
pub fn queen(square: Square, occupied: SquareSet) -> SquareSet {
    rook(square, occupied) | bishop(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the squares reached, walking square by square: the reference implementation.
    fn slide(square: Square, occupied: SquareSet, directions: &[(i8, i8)]) -> SquareSet {
        let mut reached = SquareSet::EMPTY;
        for &(files, ranks) in directions {
            let mut current = square;
            while let Some(next) = current.offset(files, ranks) {
                reached.insert(next);
                if occupied.contains(next) {
                    break;
                }
                current = next;
            }
        }
        reached
    }

    #[test]
    fn c5_all_implementations_of_sliding_agree() {
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for round in 0..2_000 {
            let occupied = SquareSet(if round % 2 == 0 { random() } else { random() & random() });
            for square in Square::ALL {
                let by_rook = slide(square, occupied, &DIRECTIONS[..4]);
                let by_bishop = slide(square, occupied, &DIRECTIONS[4..]);
                assert_eq!(rook(square, occupied), by_rook);
                assert_eq!(bishop(square, occupied), by_bishop);
                assert_eq!(portable::rook(square, occupied), by_rook);
                assert_eq!(portable::bishop(square, occupied), by_bishop);
            }
        }
    }

    #[test]
    fn between_is_empty_for_squares_not_on_one_line() {
        assert_eq!(
            between(Square::A1, Square::D4),
            [Square::B2, Square::C3].into_iter().collect::<SquareSet>()
        );
        assert_eq!(between(Square::D4, Square::A1), between(Square::A1, Square::D4));
        assert_eq!(between(Square::A1, Square::B3), SquareSet::EMPTY);
        assert_eq!(between(Square::H1, Square::A2), SquareSet::EMPTY);
    }

    #[test]
    fn the_first_on_a_ray_is_the_nearest() {
        let men: SquareSet = [Square::E2, Square::E7, Square::E8, Square::B4].into_iter().collect();
        for (direction, expected) in
            [(2, Some(Square::E7)), (3, Some(Square::E2)), (1, Some(Square::B4)), (0, None)]
        {
            assert_eq!(first_on_ray(direction, Square::E4, men), expected);
        }
        assert_eq!(direction(Square::E4, Square::B4), Some(1));
        assert_eq!(direction(Square::E4, Square::F6), None);
    }
}
