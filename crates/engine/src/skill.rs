//! Strength limits for programs that request weaker play. A limited engine searches fewer nodes and evaluates
//! a little inaccurately, as people do, instead of blundering at random.
//!
//! These are the skill levels and the `UCI_Elo` of UCI, spaced as evenly in strength as possible. Players on
//! the server choose a [`Level`](crate::Level) instead. Those levels are coarser, and the lowest ones search
//! only one turn deep.

use adoube_rules::Variant;

use crate::{game::Profile, limits::Limits};

/// A playing strength, limited or full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    nodes: u64,
    noise: u16,
}

impl Skill {
    /// The lowest rating that can be requested in any variant.
    pub const MIN_ELO: u32 = 800;
    /// The highest rating that can be requested in any variant.
    pub const MAX_ELO: u32 = 3_214;
    /// The skill level without limits.
    pub const FULL: u32 = 20;
    /// The full strength of the engine.
    pub const UNLIMITED: Self = Self { nodes: u64::MAX, noise: 0 };

    /// Returns the strength of a skill level: from 0 (for a beginner's first game) to [`FULL`](Self::FULL).
    pub fn of_level(variant: Variant, level: u32) -> Self {
        if level >= Self::FULL { Self::UNLIMITED } else { Self::interpolate(variant, f64::from(level)) }
    }

    /// Returns the strength for a rating, as measured; see `docs/levels.md`. A rating outside the measured
    /// range counts as the nearest measured one. In a variant without measurements, levels 0 to 14 are
    /// assumed to be evenly spaced between [`MIN_ELO`](Self::MIN_ELO) and [`MAX_ELO`](Self::MAX_ELO).
    pub fn of_elo(variant: Variant, elo: u32) -> Self {
        let ratings = Self::ratings(variant);
        let elo = elo as f64;
        let above = ratings.iter().take_while(|&&rating| f64::from(rating) <= elo).count();
        let level = match (above.checked_sub(1), ratings.get(above)) {
            (None, _) => 0.0,
            (Some(lower), None) => lower as f64,
            (Some(lower), Some(&higher)) => {
                let from = f64::from(ratings[lower]);
                lower as f64 + (elo - from) / (f64::from(higher) - from)
            }
        };
        Self::interpolate(variant, level)
    }

    /// Returns the ratings of levels 0 to 14. Higher levels have none.
    fn ratings(variant: Variant) -> [u16; 15] {
        Profile::of(variant).skill_ratings.unwrap_or_else(|| {
            std::array::from_fn(|level| {
                (Self::MIN_ELO + (Self::MAX_ELO - Self::MIN_ELO) * level as u32 / 14) as u16
            })
        })
    }

    /// Returns the strength of a level, or one interpolated between two levels.
    fn interpolate(variant: Variant, level: f64) -> Self {
        // Each level searches 50% more nodes than the one below, with 22% less noise. With twice the noise or
        // more, the lowest levels had the same strength in Interweave.
        let noise = Profile::of(variant).skill_noise;
        Self { nodes: (60.0 * 1.5_f64.powf(level)) as u64, noise: (noise * 0.78_f64.powf(level)) as u16 }
    }

    /// Limits a search to this strength.
    pub fn apply(self, limits: &mut Limits, seed: u64) {
        limits.nodes = limits.nodes.min(self.nodes);
        limits.first_depth_nodes = limits.first_depth_nodes.min(self.nodes);
        limits.noise = self.noise;
        limits.seed = seed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_sees_more_and_errs_less_than_the_one_below() {
        for variant in Variant::ALL {
            for level in 0..Skill::FULL {
                let (lower, higher) = (Skill::of_level(variant, level), Skill::of_level(variant, level + 1));
                assert!(higher.nodes > lower.nodes && higher.noise < lower.noise, "{variant}, {level}");
            }
            assert_eq!(Skill::of_level(variant, Skill::FULL), Skill::UNLIMITED);
        }
    }

    #[test]
    fn every_measured_rating_can_be_requested() {
        let ratings = || {
            Variant::ALL
                .into_iter()
                .filter_map(|variant| Profile::of(variant).skill_ratings)
                .flatten()
                .map(u32::from)
        };
        assert_eq!((ratings().min(), ratings().max()), (Some(Skill::MIN_ELO), Some(Skill::MAX_ELO)));
    }

    #[test]
    fn ratings_of_levels_are_interpolated() {
        for variant in Variant::ALL {
            let ratings = Skill::ratings(variant);
            assert!(ratings.is_sorted_by(|lower, higher| lower < higher), "{variant}");
            for (level, rating) in (0..).zip(ratings) {
                assert_eq!(Skill::of_elo(variant, rating.into()), Skill::of_level(variant, level));
            }
            let between = Skill::of_elo(variant, u32::from(ratings[3].midpoint(ratings[4])));
            let (lower, higher) = (Skill::of_level(variant, 3), Skill::of_level(variant, 4));
            assert!(lower.nodes < between.nodes && between.nodes < higher.nodes);
            assert_eq!(Skill::of_elo(variant, 0), Skill::of_level(variant, 0));
            assert_eq!(Skill::of_elo(variant, 9_999), Skill::of_level(variant, ratings.len() as u32 - 1));
        }
    }
}
