//! Squares, files and ranks.

use std::{fmt, str::FromStr};

/// Declares an enum of eight (or sixty-four) consecutive values with its index conversions.
macro_rules! indexed_enum {
    ($(#[$doc:meta])* $name:ident, $count:literal, [$($variant:ident),* $(,)?]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names explain themselves")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All values in order of index.
            pub const ALL: [Self; $count] = [$(Self::$variant),*];

            /// Returns the index, counted from 0.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Returns the value with that index, or `None` if there is none.
            #[inline]
            pub const fn try_from_index(index: usize) -> Option<Self> {
                if index < $count { Some(Self::from_index(index)) } else { None }
            }

            /// Returns the value with that index, taken modulo the number of values.
            #[inline]
            #[expect(unsafe_code, reason = "a table lookup costs a load in the innermost loops")]
            pub const fn from_index(index: usize) -> Self {
                // SAFETY: the enum is `repr(u8)` with exactly the values 0 .. $count, and the count is a
                // power of two no larger than 64, so the remainder is the value of a variant.
                unsafe { core::mem::transmute::<u8, Self>((index % $count) as u8) }
            }
        }
    };
}

indexed_enum!(
    /// A column of the board, from White's left to White's right.
    File, 8, [A, B, C, D, E, F, G, H]
);

indexed_enum!(
    /// A row of the board, from White's side to Black's.
    Rank, 8, [First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth]
);

indexed_enum!(
    /// One of the 64 squares, a1 = 0, b1 = 1, … h8 = 63 (C1).
    Square, 64, [
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    ]
);

// `Option<Square>` needs no more space than `Square`.
const _: () = assert!(size_of::<Option<Square>>() == 1);

impl File {
    /// Returns the letter `a` … `h`.
    pub const fn char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Returns the file for a letter `a` … `h`.
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Some(Self::ALL[(letter as u8 - b'a') as usize]),
            _ => None,
        }
    }
}

impl Rank {
    /// Returns the digit `1` … `8`.
    pub const fn char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Returns the rank for a digit `1` … `8`.
    pub const fn from_char(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::ALL[(digit as u8 - b'1') as usize]),
            _ => None,
        }
    }
}

/// Writes the letter, `a` to `h`.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

/// Writes the digit, `1` to `8`.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

impl Square {
    /// Returns the square where a file and a rank cross.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index(rank as usize * 8 + file as usize)
    }

    /// Returns the file of the square.
    #[inline]
    pub const fn file(self) -> File {
        File::from_index(self as usize & 7)
    }

    /// Returns the rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self as usize >> 3)
    }

    /// Returns the square `files` to the right and `ranks` up from here, or `None` if it is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        // Numbers that are too large wrap around to negative ones, which are off the board too.
        let file = (self as i8 & 7).wrapping_add(files);
        let rank = (self as i8 >> 3).wrapping_add(ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::from_index((rank * 8 + file) as usize))
    }

    /// Returns the square mirrored top to bottom: for example, e2 ↔ e7.
    #[inline]
    #[must_use]
    pub const fn flip_vertical(self) -> Self {
        Self::from_index(self as usize ^ 0b11_1000)
    }

    /// Returns `true` if the square is light, as h1 is (C1).
    pub const fn is_light(self) -> bool {
        (self as u8 ^ (self as u8 >> 3)) & 1 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().char(), self.rank().char())
    }
}

/// The error for a string that is not a square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a square; squares are a1 to h8")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut chars = text.chars();
        if let (Some(file), Some(rank), None) = (chars.next(), chars.next(), chars.next())
            && let (Some(file), Some(rank)) = (File::from_char(file), Rank::from_char(rank))
        {
            return Ok(Self::new(file, rank));
        }
        Err(ParseSquareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c1_h1_is_light_and_a1_dark() {
        assert!(Square::H1.is_light());
        assert!(!Square::A1.is_light());
        assert_eq!(Square::ALL.iter().filter(|square| square.is_light()).count(), 32);
    }

    #[test]
    fn every_square_round_trips() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert!(bad.parse::<Square>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::H4.offset(1, 0), None);
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::E4.offset(-2, 3), Some(Square::C7));
        for far in [i8::MIN, i8::MAX] {
            assert_eq!(Square::H8.offset(far, 0), None);
            assert_eq!(Square::H8.offset(0, far), None);
        }
    }
}
