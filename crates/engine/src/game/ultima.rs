//! The engine's knowledge of Ultima. There is no network, only the hand-crafted evaluation.

use adoube_rules::{Color, Position, Role, Ultima, Variant};

use crate::{
    eval::Searchable,
    game::{Profile, abbott::Weights},
    levels::{ANY, LevelElo, strength},
    odds::Odds,
    search::Parameters,
};

/// Nothing neutralises an immobilizer (U4), so it is worth more than in Baroque, and a frozen man less.
const WEIGHTS: Weights =
    Weights { values: [100, 500, 400, 420, 330, 0, 850, 0], frozen: (20, 15), frozen_king: 110, tempo: 12 };

/// Levels, odds and noise are copied from Baroque; they have not been measured for this variant.
pub(crate) static PROFILE: Profile = Profile {
    odds: Odds { half_win_score: 196.0, width: 258.0 },
    levels: [
        strength(2_000, 1, 900),
        strength(2_000, 1, 545),
        strength(2_000, 1, 345),
        strength(2_500, 1, 182),
        strength(4_000, 2, 198),
        strength(6_000, 2, 150),
        strength(6_000, 2, 74),
        strength(1_300, ANY, 39),
        strength(2_000, ANY, 13),
        strength(200_000, ANY, 1),
    ],
    level_elo: [LevelElo::Unknown; 10],
    skill_ratings: None,
    skill_noise: 600.0,
    network: None,
    parameters: Parameters::COMMON,
    bench: &[
        "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
        "p2k1qm1/1r1p4/3N4/N1B1P3/P1P1b1p1/2p2pB1/PPQPK1P1/6PR w - - 13 49",
        "3rqb2/ppkpppnp/7p/1b1P2B1/Pp1NPB1n/2mK1R2/1PPP2P1/MN2Q3 b - - 15 26",
        "4k3/8/2p1n3/3mM3/2N1b3/5P2/8/3K4 w - - 0 1",
    ],
    bench_depth: 7,
};

impl Searchable for Ultima {
    const VALUES: [i32; Role::MAX] = WEIGHTS.values;
    const VARIANT: Variant = Ultima::VARIANT;

    // There is no null move, because passing is often an advantage for a side with frozen men.

    fn evaluate(&self) -> i32 {
        WEIGHTS.evaluate(self)
    }

    fn is_material_draw(&self) -> bool {
        // U13: only the kings are left.
        (self.men(Color::White) | self.men(Color::Black)).len() == 2
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Square, Step};

    use super::*;

    fn position(fen: &str) -> Ultima {
        Ultima::from_fen(fen).expect("a position")
    }

    #[test]
    fn u4_a_frozen_enemy_is_a_bonus_even_if_the_immobilizer_is_frozen() {
        let frozen = position("k7/8/8/4n3/3M4/2m5/8/7K w - - 0 1").evaluate();
        let free = position("k7/8/8/5n2/3M4/2m5/8/7K w - - 0 1").evaluate();
        assert!(frozen > free + 60, "{frozen} {free}");
    }

    #[test]
    fn u14_giving_up_a_man_gains_nothing() {
        let position = position("7k/8/8/3mM3/8/8/8/K7 w - - 0 1");
        let step = Step::new(Square::E5, Square::E5);
        assert!(position.gives_up(step) && position.is_legal(step));
        assert_eq!(position.gain(step), 0);
    }
}
