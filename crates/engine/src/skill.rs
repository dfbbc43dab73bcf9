//! How well to play, for those who do not want the best: less deep, and with a judgement that is a little off, as
//! people's is, instead of blunders out of nowhere.

use adoube_rules::Variant;

use crate::limits::Limits;

/// A strength below the full one, or the full one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    nodes: u64,
    depth: u32,
    noise: u16,
}

impl Skill {
    /// The level at which nothing is held back.
    pub const FULL: u32 = 20;
    /// Everything that the engine can do.
    pub const UNLIMITED: Self = Self { nodes: u64::MAX, depth: Limits::MAX_DEPTH, noise: 0 };
    /// The range of ratings that can be asked for.
    pub const LEAST_ELO: u32 = 800;
    /// The range of ratings that can be asked for.
    pub const MOST_ELO: u32 = 2_600;

    /// Returns a level from 0, for a first game, to [`FULL`](Self::FULL).
    pub fn of_level(level: u32) -> Self {
        if level >= Self::FULL {
            return Self::UNLIMITED;
        }
        // Each level thinks half as much again as the one below, and errs a little less.
        let nodes = (0..level).fold(120.0_f64, |nodes, _| nodes * 1.55);
        Self { nodes: nodes as u64, depth: 1 + level / 2, noise: (200.0 * 0.8_f64.powi(level as i32)) as u16 }
    }

    /// Returns the level nearest to a rating. See `docs/levels.md` for how the ratings were measured.
    pub fn of_elo(_variant: Variant, elo: u32) -> Self {
        let above = elo.clamp(Self::LEAST_ELO, Self::MOST_ELO) - Self::LEAST_ELO;
        Self::of_level(above * (Self::FULL - 1) / (Self::MOST_ELO - Self::LEAST_ELO))
    }

    /// Holds a search back to this strength.
    pub fn apply(self, limits: &mut Limits, seed: u64) {
        limits.nodes = limits.nodes.min(self.nodes);
        limits.depth = limits.depth.min(self.depth);
        limits.noise = self.noise;
        limits.seed = seed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_sees_more_than_the_one_below() {
        for level in 0..Skill::FULL {
            let (lower, higher) = (Skill::of_level(level), Skill::of_level(level + 1));
            assert!(higher.nodes > lower.nodes && higher.depth >= lower.depth && higher.noise <= lower.noise);
        }
        assert_eq!(Skill::of_level(Skill::FULL), Skill::UNLIMITED);
        assert_eq!(Skill::of_elo(Variant::Chess, 0), Skill::of_level(0));
    }
}
