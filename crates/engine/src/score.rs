//! The value of a position for the side to move.

use std::{
    fmt,
    ops::{Add, Neg, Sub},
};

/// A value in units of the search, or the distance to a certain win or loss. [`Odds`](crate::Odds) converts
/// values to hundredths of a pawn.
///
/// The distance is in plies (turns of one side). A nearer win is worth more and a nearer loss less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Neither side is better.
    pub const DRAW: Self = Self(0);
    /// Greater than any other value.
    pub(crate) const INFINITE: Self = Self(32_000);
    const MATE: i32 = 30_000;
    /// Evaluations stay below this; values beyond are certain wins and losses.
    const LIMIT: i32 = 29_000;

    /// Returns the score of an evaluation.
    #[inline]
    pub(crate) fn of_evaluation(value: i32) -> Self {
        Self(value.clamp(1 - Self::LIMIT, Self::LIMIT - 1))
    }

    /// Returns the score of a win completed `ply` turns from the root.
    #[inline]
    pub(crate) const fn win_at(ply: usize) -> Self {
        Self(Self::MATE - ply as i32)
    }

    /// Returns the score of a loss completed `ply` turns from the root.
    #[inline]
    pub(crate) const fn loss_at(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE)
    }

    /// Returns the value in units of the search, not in hundredths of a pawn: see
    /// [`Odds::centipawns`](crate::Odds::centipawns). Certain wins and losses are far outside the range of
    /// evaluations.
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Returns the number of plies to a certain win (positive) or loss (negative) for the side to move.
    pub const fn certain_end(self) -> Option<i32> {
        if self.is_win() {
            Some(Self::MATE - self.0)
        } else if self.is_loss() {
            Some(-(Self::MATE + self.0))
        } else {
            None
        }
    }

    /// Returns `true` if the score is a certain win or loss.
    #[inline]
    pub const fn is_certain(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns `true` if the side to move certainly wins.
    #[inline]
    pub(crate) const fn is_win(self) -> bool {
        self.0 >= Self::LIMIT
    }

    /// Returns `true` if the side to move certainly loses.
    #[inline]
    pub(crate) const fn is_loss(self) -> bool {
        self.0 <= -Self::LIMIT
    }

    /// Converts the score for the table, in which distances to certain wins and losses are counted from the
    /// node instead of the root.
    #[inline]
    pub(crate) const fn to_table(self, ply: usize) -> i16 {
        let value = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// Converts a score back from the table, for a node `ply` turns from the root.
    #[inline]
    pub(crate) const fn from_table(value: i16, ply: usize) -> Self {
        let score = Self(value as i32);
        if score.is_win() {
            Self(score.0 - ply as i32)
        } else if score.is_loss() {
            Self(score.0 + ply as i32)
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Adds units of the search to a score.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, value: i32) -> Self {
        Self(self.0 + value)
    }
}

/// Subtracts units of the search from a score.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, value: i32) -> Self {
        Self(self.0 - value)
    }
}

/// The difference between two scores.
impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes 35 units as `+0.35`, and a win or loss in three plies as `#3` or `#-3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.certain_end() {
            Some(plies) => write!(f, "#{plies}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_wins_and_losses_are_counted_from_the_node_in_the_table() {
        let win = Score::win_at(7);
        // From a node at ply 4 the win is 3 plies away. If the node is reached again at ply 2, the win is
        // complete at ply 5.
        assert_eq!(Score::from_table(win.to_table(4), 2), Score::win_at(5));
        assert_eq!(Score::from_table((-win).to_table(4), 2), Score::loss_at(5));
        assert_eq!(win.certain_end(), Some(7));
        assert_eq!(Score::loss_at(2).certain_end(), Some(-2));
        assert_eq!(Score::of_evaluation(1_000_000).certain_end(), None);
        assert!(Score::win_at(1) > Score::win_at(3));
    }
}
