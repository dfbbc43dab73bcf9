//! Evaluation of Interweave: material of each side's two teams (the men on light and on dark squares),
//! mobility, pawns that can be promoted, threatened kings.

use adoube_rules::{
    Color, Interweave, Position, Role, Square, SquareSet, Variant, attacks,
    variant::interweave::role::{KING, LEAPER, PAWN, REMOVER, SMASHER},
};

use crate::{
    eval::{Searchable, SquareTable, file_and_rank, relative},
    game::Profile,
    levels::{
        ANY,
        LevelElo::{Above, AboveAtLeast, Unknown},
        strength,
    },
    odds::Odds,
    search::Parameters,
};

const VALUES: [i32; Role::MAX] = [100, 520, 330, 420, 10_000, 0, 0, 0];

static SQUARES: [SquareTable; 5] = [
    file_and_rank([0, 0, 2, 4, 4, 2, 0, 0], [0, 0, 2, 4, 4, 2, 0, 0]),
    file_and_rank([-4, 0, 4, 6, 6, 4, 0, -4], [-4, 0, 4, 6, 6, 4, 0, -4]),
    file_and_rank([-6, 0, 6, 8, 8, 6, 0, -6], [-6, 0, 4, 8, 8, 6, 2, -6]),
    file_and_rank([-2, 0, 2, 2, 2, 2, 0, -2], [0, 0, 2, 2, 2, 2, 0, 0]),
    file_and_rank([10, 4, 0, -4, -4, 0, 4, 10], [20, 8, -8, -20, -28, -32, -34, -34]),
];

/// The bonus for a pawn by its rank, if the reserve has a man to promote to (I11).
const ADVANCE: [i32; 8] = [0, 0, 6, 14, 28, 56, 110, 0];

/// The penalty for the side to move if one of its kings can be captured, and if both can. A side can often
/// save one king, but rarely two.
const ONE_KING_THREATENED: i32 = 60;
const BOTH_KINGS_THREATENED: i32 = 600;

/// Returns `true` if an enemy could capture a king immediately under I5 to I9, ignoring custodian captures.
fn is_threatened(position: &Interweave, color: Color, king: Square, occupied: SquareSet) -> bool {
    let enemies = position.men(!color);
    let adjacent = attacks::adjacent(king) & enemies;
    if (adjacent & position.men_of_role(REMOVER)).any() {
        return true;
    }
    let center = SquareSet::of(king);
    let front = if color == Color::White { 1 } else { -1 };
    for (files, ranks) in attacks::ORTHOGONAL {
        let behind = center.step(-files, -ranks) - occupied;
        let next = center.step(files, ranks) & adjacent;
        if behind.is_empty() || next.is_empty() {
            continue;
        }
        // Short leaps: by a king from any side, by a pawn straight forward.
        if (next & position.men_of_role(KING)).any() {
            return true;
        }
        // A pawn may land on the last rank only if it can be promoted (I11).
        let pawn_may_land = (behind & SquareSet::BACK_RANKS).is_empty() || reserve(position, !color) > 0;
        if (files, ranks) == (0, front) && (next & position.men_of_role(PAWN)).any() && pawn_may_land {
            return true;
        }
    }
    // Men at an odd distance are on squares of the other shade.
    let in_line = (attacks::rook(king, occupied) & enemies) - SquareSet::same_shade(king);
    if ((in_line & position.men_of_role(SMASHER)) - adjacent).any() {
        return true;
    }
    for leaper in in_line & position.men_of_role(LEAPER) {
        if let Some(direction) = attacks::direction(leaper, king) {
            let (files, ranks) = attacks::DIRECTIONS[direction];
            if (center.step(files, ranks) - occupied).any() {
                return true;
            }
        }
    }
    (attacks::knight(king) & enemies & position.men_of_role(LEAPER)).into_iter().any(|leaper| {
        let (from, over) = (leaper.index() as i8, king.index() as i8);
        let (files, ranks) = ((over & 7) - (from & 7), (over >> 3) - (from >> 3));
        king.offset(files, ranks).is_some_and(|to| !occupied.contains(to))
    })
}

/// Returns the number of men that a side can put back on the board.
fn reserve(position: &Interweave, color: Color) -> i32 {
    [LEAPER, REMOVER, SMASHER].into_iter().map(|role| i32::from(position.reserve(color, role))).sum()
}

fn side(position: &Interweave, color: Color, occupied: SquareSet) -> i32 {
    let own = position.men(color);
    let mut score = 0;
    for role in [PAWN, LEAPER, REMOVER, SMASHER, KING] {
        let index = role.index();
        for square in position.men_of_role(role) & own {
            score += if role == KING { 0 } else { VALUES[index] };
            score += SQUARES[index][relative(color, square).index()];
            let free = |reach: SquareSet| (reach - occupied).len() as i32;
            score += match role {
                LEAPER | SMASHER => {
                    2 * free(attacks::bishop(square, occupied))
                        + free(attacks::rook(square, occupied) & SquareSet::same_shade(square)) * 2
                }
                REMOVER => 2 * free(attacks::bishop(square, occupied)),
                _ => 0,
            };
        }
    }
    let reserve = reserve(position, color);
    if reserve > 0 {
        for pawn in position.men_of_role(PAWN) & own {
            score += ADVANCE[relative(color, pawn).rank().index()];
        }
        score += 8 * reserve.min(3);
    }
    let others = own - position.men_of_role(PAWN) - position.men_of_role(KING);
    let enemy_kings = position.men_of_role(KING) & position.men(!color);
    for shade in [SquareSet::LIGHT, SquareSet::DARK] {
        // Men on one shade, especially kings, are safer if the enemy has only pawns and kings on the other.
        let team = (others & shade).len();
        score += match team {
            0 => -60,
            1 => 0,
            _ => 20,
        };
        if team > 0 && (enemy_kings - shade).any() {
            score += 10 * team.min(3) as i32;
        }
    }
    score
}

/// Even if a position has no captures, the next one usually does, so static scores deserve little trust and
/// reverse futility pruning is cautious. The other numbers were tuned by playing games; see docs/tuning.md.
const PARAMETERS: Parameters = Parameters {
    reverse_futility_depth: 3,
    reverse_futility_margin: 150,
    reverse_futility_slope: 68,
    internal_reduction_depth: 3,
    singular_slope: 26,
    reduction_pv: 1_200,
    bonus_slope: 190,
    bonus_base: -20,
    malus_slope: 145,
    correction_share: 280,
    window: 21,
    ..Parameters::COMMON
};

pub(crate) static PROFILE: Profile = Profile {
    odds: Odds { half_win_score: 83.0, width: 346.0 },
    levels: [
        strength(18, 1, 2_500),
        strength(55, 1, 2_500),
        strength(400, 1, 960),
        strength(900, 1, 230),
        strength(2_500, 2, 278),
        strength(3_500, 2, 142),
        strength(4_500, 3, 258),
        strength(5_500, 3, 72),
        strength(7_000, 4, 82),
        strength(400_000, ANY, 1),
    ],
    level_elo: [
        Unknown,
        Above(177),
        Above(205),
        Above(184),
        Above(196),
        Above(181),
        Above(147),
        Above(157),
        Above(179),
        AboveAtLeast(183),
    ],
    skill_ratings: Some([
        800, 812, 848, 1008, 1162, 1333, 1477, 1582, 1709, 1807, 1849, 1988, 2077, 2137, 2186,
    ]),
    skill_noise: 300.0,
    network: network_file!("interweave.network"),
    parameters: PARAMETERS,
    bench: &[
        "3kkBb1/p1b2pp1/5p2/p7/2PnN3/5p2/2PPP1P1/1B1KK1r1[RRNrn] b - - 2 18",
        "1b1kk1b1/pr1p1p2/5rp1/3pn3/6P1/1K1BP1PP/PPn4P/R1N1K1BR[N] w - - 3 16",
        "3kknbr/4pp2/6pN/1p1p4/r1K1P3/6pn/P6P/1B2K3[RRNBb] w - - 2 19",
        "4k3/b1k2b2/6R1/6P1/2K4P/4K3/1p6/8[RNNBBrrnn] b - - 0 41",
        "1b1k2br/8/1p1pk2n/8/1P5P/2B1K3/4K3/8[RRNNBrn] w - - 2 24",
    ],
    bench_depth: 9,
};

impl Searchable for Interweave {
    const VALUES: [i32; Role::MAX] = VALUES;
    const VARIANT: Variant = Interweave::VARIANT;

    fn evaluate(&self) -> i32 {
        let occupied = self.men(Color::White) | self.men(Color::Black);
        let us = self.side_to_move();
        let score = side(self, us, occupied) - side(self, !us, occupied);
        let kings = self.men_of_role(KING) & self.men(us);
        let threatened = kings.into_iter().filter(|&king| is_threatened(self, us, king, occupied)).count();
        score
            - match threatened {
                0 => -8,
                1 => ONE_KING_THREATENED,
                _ => BOTH_KINGS_THREATENED,
            }
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    /// The reference implementation: checks whether the opponent, if it were to move, could capture the king
    /// with its first step.
    fn can_be_taken(position: &Interweave, color: Color, king: Square) -> bool {
        let mut setup = position.to_setup();
        setup.side_to_move = !color;
        setup.en_passant = None;
        let position = Interweave::from_setup(&setup).expect("only the side to move changes");
        position.legal_steps().into_iter().any(|step| {
            let custodian =
                position.men_of_role(PAWN).contains(step.from()) && step.from().file() != step.to().file();
            // A pawn that leaps over another man may also take the king by custodian capture, which does not
            // count either. So for pawns the king must be the man that is leapt over.
            let counts = !custodian
                && (attacks::between(step.from(), step.to()).contains(king)
                    || !position.men_of_role(PAWN).contains(step.from()));
            counts && position.taken(step).contains(king)
        })
    }

    #[test]
    fn i3_threats_to_kings_match_the_rules() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let (mut threats, mut seen) = (0, 0);
        for _ in 0..150 {
            let mut position: Interweave =
                Interweave::from_fen(Variant::Interweave.initial_fen()).expect("a position");
            for _ in 0..80 {
                let steps = position.legal_steps();
                if steps.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                position.play_unchecked(steps[(seed >> 33) as usize % steps.len()]);
                let kings = position.men_of_role(KING);
                if position.chain().is_some() || kings.len() < 4 {
                    continue;
                }
                let occupied = position.men(Color::White) | position.men(Color::Black);
                for color in Color::ALL {
                    for king in kings & position.men(color) {
                        let found = is_threatened(&position, color, king, occupied);
                        assert_eq!(found, can_be_taken(&position, color, king), "{king} {}", position.fen());
                        threats += usize::from(found);
                        seen += 1;
                    }
                }
            }
        }
        assert!(threats > 100 && seen > 2 * threats, "{threats} of {seen}");
    }
}
