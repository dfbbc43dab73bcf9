//! Evaluation of Baroque: material, freedom to move, what immobilizers hold, shelter of the king.

use adoube_rules::{
    Baroque, Color, Position, Role, SquareSet, Variant, attacks,
    variant::baroque::role::{
        CHAMELEON, COORDINATOR, IMMOBILIZER, KING, LONG_LEAPER, PINCER_PAWN, WITHDRAWER,
    },
};

use crate::{
    eval::{Searchable, SquareTable, file_and_rank, relative},
    game::Profile,
    levels::{ANY, strength},
    odds::Odds,
    search::Parameters,
};

const VALUES: [i32; Role::MAX] = [100, 500, 400, 420, 330, 0, 750, 0];

static SQUARES: [SquareTable; 7] = [
    // Pawns close on men in the middle of the board, and must leave the king some.
    file_and_rank([-6, 0, 3, 6, 6, 3, 0, -6], [0, 0, 6, 10, 8, 4, 0, -4]),
    file_and_rank([-6, 0, 4, 6, 6, 4, 0, -6], [-6, 0, 4, 6, 6, 4, 0, -6]),
    file_and_rank([-6, 0, 4, 6, 6, 4, 0, -6], [-6, 0, 6, 8, 6, 2, 0, -6]),
    file_and_rank([-4, 0, 2, 4, 4, 2, 0, -4], [-2, 2, 4, 4, 4, 2, 0, -4]),
    file_and_rank([-4, 0, 2, 2, 2, 2, 0, -4], [0, 2, 2, 2, 2, 2, 0, -4]),
    file_and_rank([4, 6, 2, 0, 0, 2, 6, 4], [24, 14, -4, -20, -30, -36, -40, -40]),
    file_and_rank([-8, 0, 8, 10, 10, 8, 0, -8], [-10, 0, 8, 12, 10, 4, 0, -6]),
];

fn side(position: &Baroque, color: Color, occupied: SquareSet) -> i32 {
    let own = position.men(color);
    let frozen = position.immobilized(color);
    let mut score = 0;
    for role in [PINCER_PAWN, LONG_LEAPER, CHAMELEON, COORDINATOR, WITHDRAWER, KING, IMMOBILIZER] {
        let index = role.index();
        for square in position.men_of_role(role) & own {
            score += VALUES[index] + SQUARES[index][relative(color, square).index()];
            if frozen.contains(square) {
                // A man that cannot move is not lost, but it is about to be; a frozen king defends nothing.
                score -= if role == KING { 70 } else { 15 + VALUES[index] / 6 };
                continue;
            }
            score += match role {
                PINCER_PAWN => (attacks::rook(square, occupied) - occupied).len() as i32,
                KING => 0,
                _ => (attacks::queen(square, occupied) - occupied).len() as i32 * 2,
            };
        }
    }
    let king = position.king(color);
    let around = attacks::king(king);
    score += (around & own).len().min(4) as i32 * 7;
    // Enemies next to a king take it by withdrawing, landing or closing in.
    score -= (around & position.men(!color)).len() as i32 * 12;
    if (position.men_of_role(IMMOBILIZER) & own).is_empty() {
        return score;
    }
    // Pawns next to the own immobilizer can be taken with nothing to answer; the enemy's chameleons watch it.
    let shadowed = position.men_of_role(CHAMELEON) & position.men(!color);
    score - shadowed.len() as i32 * 15
}

pub(crate) const PROFILE: Profile = Profile {
    odds: Odds { even_win: 196.0, width: 258.0 },
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
    skill_ratings: [800, 996, 1166, 1320, 1500, 1668, 1798, 1958, 2115, 2308, 2508, 2720, 2888, 3031, 3214],
    skill_noise: 600.0,
    parameters: Parameters::COMMON,
    bench: &[
        "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
        "p2k1qm1/1r1p4/3N4/N1B1P3/P1P1b1p1/2p2pB1/PPQPK1P1/6PR w - - 13 49",
        "1r1qnb2/3kp2p/8/p2PpN1b/1P4R1/7B/PP2P2Q/M3Km1P b - - 2 39",
        "3rqb2/ppkpppnp/7p/1b1P2B1/Pp1NPB1n/2mK1R2/1PPP2P1/MN2Q3 b - - 15 26",
        "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1",
    ],
    bench_depth: 9,
};

impl Searchable for Baroque {
    const VALUES: [i32; Role::MAX] = VALUES;
    const VARIANT: Variant = Baroque::VARIANT;

    // No turn is passed here: a side whose men are frozen is often glad to have to move nothing.

    fn evaluate(&self) -> i32 {
        let occupied = self.men(Color::White) | self.men(Color::Black);
        let score = side(self, Color::White, occupied) - side(self, Color::Black, occupied);
        let tempo = 12;
        if self.side_to_move() == Color::White { score + tempo } else { tempo - score }
    }

    fn is_material_draw(&self) -> bool {
        // B13: kings alone.
        (self.men(Color::White) | self.men(Color::Black)).len() == 2
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn b4_a_frozen_enemy_is_a_bonus() {
        let value = |fen: &str| Baroque::from_fen(fen).expect("a position").evaluate();
        // The same men; on d4 the immobilizer stands beside the leaper on e5.
        let holding = value("k7/8/8/4n3/3M4/8/8/7K w - - 0 1");
        let apart = value("k7/8/8/5n2/3M4/8/8/7K w - - 0 1");
        assert!(holding > apart + 60, "{holding} {apart}");
    }
}
