//! The levels of the machine.

use adoube_rules::Variant;

use crate::{game::Profile, limits::Limits};

/// The strength of the machine opponent, from 1 to 10.
///
/// All levels except the last search only a few turns deep or a few thousand nodes, with noise in the
/// evaluation that stays the same for a position during a turn. They therefore play like beginners, not like
/// masters who blunder on purpose. The limits count nodes, not time, so that the machine does not play worse
/// on a busy computer. The first level usually loses to a player that looks two turns ahead and counts only
/// material. `docs/levels.md` lists the measured differences between the levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// The limits and the noise of a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strength {
    nodes: u64,
    depth: u32,
    noise: u16,
}

pub(crate) const fn strength(nodes: u64, depth: u32, noise: u16) -> Strength {
    Strength { nodes, depth, noise }
}

/// The strength of a level, as measured in matches; `docs/levels.md` lists the matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelElo {
    /// The strength has not been measured.
    Unknown,
    /// Stronger than the level below by this many Elo.
    Above(u16),
    /// Stronger than the level below by this many Elo or more.
    AboveAtLeast(u16),
    /// A rating in Elo, from matches against players of known rating, or interpolated between two levels
    /// rated in this way.
    Rating(u16),
}

pub(crate) const ANY: u32 = Limits::MAX_DEPTH;

impl Level {
    /// The level for a first game. It sees immediate captures and little more.
    pub const FIRST: Self = Self(1);
    /// The engine's full strength, in well under a second.
    pub const LAST: Self = Self(10);

    /// Returns all levels, weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::FIRST.0..=Self::LAST.0).map(Self)
    }

    /// Returns the number displayed to players, from 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the level with this number.
    pub const fn from_number(number: u8) -> Option<Self> {
        if number >= Self::FIRST.0 && number <= Self::LAST.0 { Some(Self(number)) } else { None }
    }

    /// Returns the strength of this level in a variant, as measured in matches.
    pub fn elo(self, variant: Variant) -> LevelElo {
        Profile::of(variant).level_elo[usize::from(self.0 - 1)]
    }

    /// Returns the limits of a search at this level.
    ///
    /// A search at the last level takes about 0.4 s on an idle core, and less than a second even on a slow or
    /// busy one. That level also has a little noise, so that different seeds give different games. The
    /// noise is too small to vary its openings; [`AlphaBeta`](crate::AlphaBeta) does that.
    pub fn limits(self, variant: Variant, seed: u64) -> Limits {
        let Strength { nodes, depth, noise } = Profile::of(variant).levels[usize::from(self.0 - 1)];
        Limits { nodes, depth, noise, seed, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_round_trips_through_its_number() {
        for level in Level::all() {
            assert_eq!(Level::from_number(level.number()), Some(level));
        }
        assert_eq!(Level::all().count(), 10);
        assert_eq!(Level::from_number(0), None);
        assert_eq!(Level::from_number(11), None);
    }

    #[test]
    fn ratings_rise_with_the_level() {
        for variant in Variant::ALL {
            let ratings: Vec<_> = Level::all()
                .filter_map(|level| match level.elo(variant) {
                    LevelElo::Rating(rating) => Some(rating),
                    LevelElo::Unknown | LevelElo::Above(_) | LevelElo::AboveAtLeast(_) => None,
                })
                .collect();
            assert!(ratings.is_sorted(), "{variant}: {ratings:?}");
            let first = Level::FIRST.elo(variant);
            assert!(
                !matches!(first, LevelElo::Above(_) | LevelElo::AboveAtLeast(_)),
                "{variant}: no level is below the first"
            );
        }
    }

    #[test]
    fn every_level_has_a_higher_limit_or_less_noise_than_the_one_below() {
        for variant in Variant::ALL {
            let limits: Vec<_> = Level::all().map(|level| level.limits(variant, 0)).collect();
            for (number, pair) in limits.windows(2).enumerate() {
                let [lower, higher] = pair else { unreachable!() };
                let more = higher.depth > lower.depth || higher.nodes > lower.nodes;
                assert!(more || higher.noise < lower.noise, "{variant}, level {}", number + 2);
            }
        }
    }
}
