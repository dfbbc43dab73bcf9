//! How strong the opponent plays.

use adoube_rules::Variant;

use crate::limits::Limits;

/// The strength of the machine opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// For a first game: sees what can be taken at once, and little more.
    One,
    /// Sees every mate in one against it, and simple combinations.
    Two,
    /// All that this engine can do in well under a second.
    Three,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Three];

    /// Returns the number people know the level by: 1, 2, 3.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// Returns the level of a number.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            _ => None,
        }
    }

    /// Returns the limits of a search at this level.
    ///
    /// The nodes of level three take 0.1 to 0.25 s on an idle server core, which leaves a slow or busy one under a
    /// second; a node of Baroque costs two to three of the other games. Even level three has a grain of noise, so
    /// that it does not always play the same game.
    pub fn limits(self, variant: Variant, seed: u64) -> Limits {
        let (nodes, depth, noise) = match (self, variant) {
            (Self::One, _) => (2_000, 1, 60),
            // A ply of Baroque has twice the choices of the other games.
            (Self::Two, Variant::Baroque) => (12_000, 2, 20),
            (Self::Two, _) => (12_000, 3, 20),
            (Self::Three, Variant::Chess) => (200_000, Limits::MAX_DEPTH, 3),
            (Self::Three, Variant::Baroque) => (60_000, Limits::MAX_DEPTH, 3),
            (Self::Three, Variant::Interweave) => (150_000, Limits::MAX_DEPTH, 3),
        };
        Limits { nodes, depth, noise, seed, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_reads_back_from_its_number() {
        for level in Level::ALL {
            assert_eq!(Level::from_number(level.number()), Some(level));
        }
        assert_eq!(Level::from_number(0), None);
        assert_eq!(Level::from_number(4), None);
    }
}
