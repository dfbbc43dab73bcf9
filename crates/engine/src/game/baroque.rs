//! The engine's knowledge of Baroque.

use adoube_rules::{Baroque, Color, Position, Role, Variant};

use crate::{
    eval::Searchable,
    game::{Profile, abbott::Weights},
    levels::{
        ANY,
        LevelElo::{Above, AboveAtLeast, Unknown},
        strength,
    },
    odds::Odds,
    search::Parameters,
};

const WEIGHTS: Weights =
    Weights { values: [100, 500, 400, 420, 330, 0, 750, 0], frozen: (15, 10), frozen_king: 70, tempo: 12 };

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
    level_elo: [
        Unknown,
        Above(183),
        Above(179),
        Above(209),
        Above(191),
        Above(152),
        Above(220),
        Above(196),
        Above(224),
        AboveAtLeast(183),
    ],
    skill_ratings: Some([
        800, 996, 1166, 1320, 1500, 1668, 1798, 1958, 2115, 2308, 2508, 2720, 2888, 3031, 3214,
    ]),
    skill_noise: 600.0,
    network: network_file!("baroque.network"),
    parameters: Parameters::COMMON,
    bench: &[
        // The initial position once more; without it, node counts could not be compared with earlier ones.
        "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
        "p2k1qm1/1r1p4/3N4/N1B1P3/P1P1b1p1/2p2pB1/PPQPK1P1/6PR w - - 13 49",
        "1r1qnb2/3kp2p/8/p2PpN1b/1P4R1/7B/PP2P2Q/M3Km1P b - - 2 39",
        "3rqb2/ppkpppnp/7p/1b1P2B1/Pp1NPB1n/2mK1R2/1PPP2P1/MN2Q3 b - - 15 26",
        "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1",
    ],
    bench_depth: 9,
};

impl Searchable for Baroque {
    const VALUES: [i32; Role::MAX] = WEIGHTS.values;
    const VARIANT: Variant = Baroque::VARIANT;

    // There is no null move, because passing is often an advantage for a side with frozen men.

    fn evaluate(&self) -> i32 {
        WEIGHTS.evaluate(self)
    }

    fn is_material_draw(&self) -> bool {
        // B13: only the kings are left.
        (self.men(Color::White) | self.men(Color::Black)).len() == 2
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn b4_a_frozen_enemy_is_a_bonus() {
        let value = |fen: &str| Baroque::from_fen(fen).expect("a position").evaluate();
        // The men are the same, but only in the first position is the immobilizer on d4 next to the leaper.
        let frozen = value("k7/8/8/4n3/3M4/8/8/7K w - - 0 1");
        let free = value("k7/8/8/5n2/3M4/8/8/7K w - - 0 1");
        assert!(frozen > free + 60, "{frozen} {free}");
    }
}
