//! Evaluation of the variants with Abbott's men: material, mobility, frozen men, king shelter.

use adoube_rules::{
    Color, Position, Role, SquareSet, attacks,
    variant::abbott::{
        AbbottPosition, Rules,
        role::{CHAMELEON, COORDINATOR, IMMOBILIZER, KING, LONG_LEAPER, PINCER_PAWN, WITHDRAWER},
    },
};

use crate::eval::{SquareTable, file_and_rank, relative};

static SQUARES: [SquareTable; 7] = [
    // Pawns capture by surrounding, most easily in the middle of the board, and must leave some room for the
    // king.
    file_and_rank([-6, 0, 3, 6, 6, 3, 0, -6], [0, 0, 6, 10, 8, 4, 0, -4]),
    file_and_rank([-6, 0, 4, 6, 6, 4, 0, -6], [-6, 0, 4, 6, 6, 4, 0, -6]),
    file_and_rank([-6, 0, 4, 6, 6, 4, 0, -6], [-6, 0, 6, 8, 6, 2, 0, -6]),
    file_and_rank([-4, 0, 2, 4, 4, 2, 0, -4], [-2, 2, 4, 4, 4, 2, 0, -4]),
    file_and_rank([-4, 0, 2, 2, 2, 2, 0, -4], [0, 2, 2, 2, 2, 2, 0, -4]),
    file_and_rank([4, 6, 2, 0, 0, 2, 6, 4], [24, 14, -4, -20, -30, -36, -40, -40]),
    file_and_rank([-8, 0, 8, 10, 10, 8, 0, -8], [-10, 0, 8, 12, 10, 4, 0, -6]),
];

/// Evaluation weights of a variant with Abbott's men, in units of the search.
#[derive(Debug)]
pub(crate) struct Weights {
    /// The values of men, by the index of their role.
    pub(crate) values: [i32; Role::MAX],
    /// The penalty for a frozen man: a fixed amount, and a share of its value in 60ths.
    pub(crate) frozen: (i32, i32),
    /// The penalty for a frozen king, which defends nothing.
    pub(crate) frozen_king: i32,
    /// The bonus for the side to move.
    pub(crate) tempo: i32,
}

impl Weights {
    /// Returns the evaluation of a position for the side to move.
    pub(crate) fn evaluate<R: Rules>(&self, position: &AbbottPosition<R>) -> i32
    where
        AbbottPosition<R>: Position,
    {
        let occupied = position.men(Color::White) | position.men(Color::Black);
        let score = self.side(position, Color::White, occupied) - self.side(position, Color::Black, occupied);
        if position.side_to_move() == Color::White { score + self.tempo } else { self.tempo - score }
    }

    fn side<R: Rules>(&self, position: &AbbottPosition<R>, color: Color, occupied: SquareSet) -> i32
    where
        AbbottPosition<R>: Position,
    {
        let own = position.men(color);
        let frozen = position.immobilized(color);
        let mut score = 0;
        for role in [PINCER_PAWN, LONG_LEAPER, CHAMELEON, COORDINATOR, WITHDRAWER, KING, IMMOBILIZER] {
            let index = role.index();
            for square in position.men_of_role(role) & own {
                score += self.values[index] + SQUARES[index][relative(color, square).index()];
                if frozen.contains(square) {
                    // A frozen man is not lost yet, but probably will be.
                    let (min, share) = self.frozen;
                    score -=
                        if role == KING { self.frozen_king } else { min + self.values[index] * share / 60 };
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
        // Enemies next to a king can capture it by withdrawing, moving onto it or surrounding it.
        score -= (around & position.men(!color)).len() as i32 * 12;
        if (position.men_of_role(IMMOBILIZER) & own).is_empty() {
            return score;
        }
        // Each enemy chameleon restrains the immobilizer.
        let chameleons = position.men_of_role(CHAMELEON) & position.men(!color);
        score - chameleons.len() as i32 * 15
    }
}
