//! Sets of squares, one bit each.

use std::{
    fmt,
    iter::FusedIterator,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign},
};

use crate::{
    diagram,
    square::{File, Rank, Square},
};

/// A set of squares; bit 0 is a1, bit 1 is b1, … bit 63 is h8.
///
/// Iterates in the order a1, b1, … h8. The number is public: every `u64` is a valid set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[doc(alias("bitboard", "Bitboard"))]
pub struct SquareSet(pub u64);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const FULL: Self = Self(!0);
    /// The 32 light squares.
    pub const LIGHT: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The 32 dark squares.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);
    /// The first and the eighth rank.
    pub const BACK_RANKS: Self = Self(0xff00_0000_0000_00ff);

    /// The four corners.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);

    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    /// Returns the set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// Returns the eight squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// Returns the eight squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (rank as u8 * 8))
    }

    /// Returns the 32 squares of the same colour as `square`.
    #[inline]
    pub const fn same_shade(square: Square) -> Self {
        if square.is_light() { Self::LIGHT } else { Self::DARK }
    }

    /// Returns `true` if the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Returns `true` if the set has no squares.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set has at least one square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns `true` if the set has two or more squares.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the first square in the order a1, b1, … h8.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// Returns the last square in the order a1, b1, … h8.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(63 - self.0.leading_zeros() as usize)) }
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square as u8;
    }

    /// Removes a square.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square as u8);
    }

    /// Returns the set shifted by one square; squares that leave the board are dropped.
    ///
    /// `files` and `ranks` are each −1, 0 or 1.
    #[inline]
    #[must_use]
    pub const fn step(self, files: i8, ranks: i8) -> Self {
        let bits = match files {
            1 => (self.0 & Self::NOT_H) << 1,
            -1 => (self.0 & Self::NOT_A) >> 1,
            _ => self.0,
        };
        Self(match ranks {
            1 => bits << 8,
            -1 => bits >> 8,
            _ => bits,
        })
    }

    /// Returns the set mirrored top to bottom: rank 1 ↔ rank 8, and so on.
    #[inline]
    #[must_use]
    pub const fn flip_vertical(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

macro_rules! set_operator {
    ($($trait:ident $method:ident $assign_trait:ident $assign_method:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        impl $trait for SquareSet {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($result)
            }
        }

        impl $assign_trait for SquareSet {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

set_operator! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for SquareSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for SquareSet {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(|square| format!("{square}"))).finish()
    }
}

/// Draws the set, White's side at the bottom.
///
/// ```
/// use adoube_rules::{Square, attacks};
///
/// assert_eq!(attacks::knight(Square::D4).to_string(), "\
/// 8 . . . . . . . .
/// 7 . . . . . . . .
/// 6 . . x . x . . .
/// 5 . x . . . x . .
/// 4 . . . . . . . .
/// 3 . x . . . x . .
/// 2 . . x . x . . .
/// 1 . . . . . . . .
///   a b c d e f g h
/// ");
/// ```
impl fmt::Display for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        diagram::draw(f, |square| self.contains(square).then_some('x'))
    }
}

impl Extend<Square> for SquareSet {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|square| self.insert(square));
    }
}

/// An iterator over the squares of a set, a1 first.
#[derive(Clone, Debug)]
pub struct SquareSetIter(u64);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = SquareSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for SquareSetIter {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let last = SquareSet(self.0).last()?;
        self.0 ^= 1 << last as u8;
        Some(last)
    }
}

impl ExactSizeIterator for SquareSetIter {}
impl FusedIterator for SquareSetIter {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    #[inline]
    fn into_iter(self) -> SquareSetIter {
        SquareSetIter(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_drop_squares_that_leave_the_board() {
        assert_eq!(SquareSet::file(File::H).step(1, 0), SquareSet::EMPTY);
        assert_eq!(SquareSet::of(Square::A1).step(-1, -1), SquareSet::EMPTY);
        assert_eq!(SquareSet::of(Square::E4).step(-1, 1), SquareSet::of(Square::D5));
    }

    #[test]
    fn shades_agree_with_the_squares() {
        for square in Square::ALL {
            assert_eq!(SquareSet::LIGHT.contains(square), square.is_light());
            assert!(SquareSet::same_shade(square).contains(square));
        }
    }

    #[test]
    fn a_set_iterates_from_a1_to_h8() {
        let set: SquareSet = [Square::H8, Square::A1, Square::B1].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::B1, Square::H8]);
        assert_eq!(set.into_iter().rev().collect::<Vec<_>>(), [Square::H8, Square::B1, Square::A1]);
        assert_eq!(format!("{set:?}"), r#"{"a1", "b1", "h8"}"#);
    }
}
