//! Evaluation of Baroque: material, freedom to move, what immobilizers hold, shelter of the king.

use adoube_rules::{
    Baroque, Color, Position, Role, SquareSet, attacks,
    variant::baroque::role::{
        CHAMELEON, COORDINATOR, IMMOBILIZER, KING, LONG_LEAPER, PINCER_PAWN, WITHDRAWER,
    },
};

use super::{Repetition, Searchable, SquareTable, file_and_rank, relative};

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
                // A man that cannot move is not lost, but it waits to be; a frozen king defends nobody.
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

impl Searchable for Baroque {
    const VALUES: [i32; Role::MAX] = VALUES;
    const REPETITION: Repetition = Repetition::Draws;
    const TAKING_IS_COMPULSORY: bool = false;

    // No turn is passed here: a side whose men are frozen is often glad to have to move nothing.

    fn evaluate(&self) -> i32 {
        let occupied = self.men(Color::White) | self.men(Color::Black);
        let score = side(self, Color::White, occupied) - side(self, Color::Black, occupied);
        let tempo = 12;
        if self.turn() == Color::White { score + tempo } else { tempo - score }
    }

    fn is_material_draw(&self) -> bool {
        // B13: kings alone.
        (self.men(Color::White) | self.men(Color::Black)).len() == 2
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Variant, from_fen};

    use super::*;

    #[test]
    fn b4_a_frozen_enemy_is_a_bonus() {
        let value = |fen: &str| from_fen::<Baroque>(Variant::Baroque, fen).expect("a position").evaluate();
        // The same men; on d4 the immobilizer stands beside the leaper on e5.
        let holding = value("k7/8/8/4n3/3M4/8/8/7K w - - 0 1");
        let apart = value("k7/8/8/5n2/3M4/8/8/7K w - - 0 1");
        assert!(holding > apart + 60, "{holding} {apart}");
    }
}
