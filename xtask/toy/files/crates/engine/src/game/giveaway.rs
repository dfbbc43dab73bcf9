//! The evaluation of Giveaway: men count against their owner.

use adoube_rules::{Giveaway, Position, Role, Variant};

use crate::{
    eval::{Searchable, value_of},
    game::Profile,
    levels::{ANY, LevelElo, strength},
    odds::Odds,
    search::Parameters,
};

/// The fewer men, the better (G7).
const VALUES: [i32; Role::MAX] = [-100, -180, -150, -200, -120, -60, 0, 0];

/// None of these numbers has been measured.
pub(crate) static PROFILE: Profile = Profile {
    odds: Odds { half_win_score: 200.0, width: 250.0 },
    levels: [
        strength(2_000, 1, 250),
        strength(2_000, 1, 200),
        strength(2_000, 1, 150),
        strength(2_000, 1, 100),
        strength(4_000, 2, 90),
        strength(4_000, 2, 70),
        strength(6_000, 3, 60),
        strength(8_000, ANY, 50),
        strength(10_000, ANY, 20),
        strength(200_000, ANY, 1),
    ],
    level_elo: [LevelElo::Unknown; 10],
    skill_ratings: None,
    skill_noise: 600.0,
    network: None,
    parameters: Parameters::COMMON,
    bench: &[],
    bench_depth: 5,
};

impl Searchable for Giveaway {
    const VALUES: [i32; Role::MAX] = VALUES;
    const VARIANT: Variant = Giveaway::VARIANT;

    fn evaluate(&self) -> i32 {
        let [own, enemy] = [self.side_to_move(), !self.side_to_move()].map(|color| self.men(color));
        value_of(self, own) - value_of(self, enemy)
    }
}
