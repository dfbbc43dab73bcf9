//! The engine's knowledge of chess: the evaluation of material, squares, mobility, pawns and king shelter,
//! with separate values for the middlegame and the endgame; the search parameters, the levels and ratings.

mod endings;
mod exchange;

use adoube_rules::{
    Chess, Color, DrawRules, File, Position, Role, SquareSet, Step, Variant, attacks,
    variant::chess::role::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

use crate::{
    eval::{FULL_SHARE, Searchable, SquareTable, distance, file_and_rank, relative},
    game::Profile,
    levels::{
        ANY,
        LevelElo::{Above, AboveAtLeast, Rating, Unknown},
        strength,
    },
    odds::Odds,
    search::Parameters,
};

/// Values for the middlegame and the endgame, in the order of the roles.
const MIDDLE: [i32; 6] = [90, 330, 345, 480, 980, 0];
const END: [i32; 6] = [110, 300, 325, 530, 980, 0];

/// The weight of each role in the game phase. The weights of all men at the start add up to 24.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

static MIDDLE_SQUARES: [SquareTable; 6] = [
    file_and_rank([-6, -2, 0, 12, 12, 0, -2, -6], [0, -4, 0, 8, 14, 22, 40, 0]),
    file_and_rank([-24, -10, 2, 8, 8, 2, -10, -24], [-18, -8, 4, 10, 16, 14, 4, -16]),
    file_and_rank([-8, 2, 2, 4, 4, 2, 2, -8], [-12, 6, 6, 8, 6, 4, 0, -8]),
    file_and_rank([-6, -2, 4, 8, 8, 4, -2, -6], [0, -4, -4, -2, 0, 4, 18, 8]),
    file_and_rank([-6, -2, 2, 4, 4, 2, -2, -6], [-4, 2, 4, 4, 4, 4, 2, 0]),
    file_and_rank([16, 24, 8, -14, -10, -4, 24, 16], [8, -8, -30, -44, -50, -50, -50, -50]),
];
static END_SQUARES: [SquareTable; 6] = [
    file_and_rank([4, 2, 0, 0, 0, 0, 2, 4], [0, 0, 2, 8, 20, 42, 74, 0]),
    file_and_rank([-22, -8, 2, 8, 8, 2, -8, -22], [-16, -6, 4, 8, 10, 6, -4, -18]),
    file_and_rank([-8, -2, 2, 4, 4, 2, -2, -8], [-8, -2, 4, 6, 6, 4, 0, -8]),
    file_and_rank([0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 2, 6, 8, 12, 6]),
    file_and_rank([-12, -4, 2, 6, 6, 2, -4, -12], [-14, -6, 2, 8, 12, 12, 8, 0]),
    file_and_rank([-24, -8, 4, 12, 12, 4, -8, -24], [-26, -10, 4, 12, 18, 18, 8, -14]),
];

/// The bonus for a passed pawn, by its rank.
const PASSED_MIDDLE: [i32; 8] = [0, 0, 4, 10, 22, 44, 70, 0];
const PASSED_END: [i32; 8] = [0, 8, 14, 26, 48, 84, 130, 0];

/// A score with separate values for the middlegame and the endgame.
#[derive(Clone, Copy, Default)]
struct TaperedScore {
    middle: i32,
    end: i32,
}

impl TaperedScore {
    #[inline]
    fn add(&mut self, middle: i32, end: i32) {
        self.middle += middle;
        self.end += end;
    }
}

/// Returns all squares in front of any of these pawns, on the same file.
#[inline]
fn front_span(color: Color, pawns: SquareSet) -> SquareSet {
    let mut filled = pawns.0;
    match color {
        Color::White => {
            filled <<= 8;
            filled |= filled << 8;
            filled |= filled << 16;
            filled |= filled << 32;
        }
        Color::Black => {
            filled >>= 8;
            filled |= filled >> 8;
            filled |= filled >> 16;
            filled |= filled >> 32;
        }
    }
    SquareSet(filled)
}

/// Returns the squares that pawns attack.
#[inline]
fn pawn_attacks(color: Color, pawns: SquareSet) -> SquareSet {
    let ahead = if color == Color::White { 1 } else { -1 };
    pawns.step(-1, ahead) | pawns.step(1, ahead)
}

#[inline]
fn piece(position: &Chess, color: Color, role: Role) -> SquareSet {
    position.men_of_role(role) & position.men(color)
}

/// Returns the passed pawns, which no enemy pawn can block or capture.
pub(super) fn passed_pawns(position: &Chess, color: Color) -> SquareSet {
    let enemy_front = front_span(!color, piece(position, !color, PAWN));
    piece(position, color, PAWN) - (enemy_front | enemy_front.step(-1, 0) | enemy_front.step(1, 0))
}

fn pawns(position: &Chess, color: Color, score: &mut TaperedScore) {
    let own = piece(position, color, PAWN);
    for pawn in passed_pawns(position, color) {
        let rank = relative(color, pawn).rank().index();
        score.add(PASSED_MIDDLE[rank], PASSED_END[rank]);
        let ahead = front_span(color, SquareSet::of(pawn));
        // In the endgame, the kings' distances from the square in front of the pawn matter most.
        if let Some(stop) = (ahead & SquareSet::file(pawn.file())).first().filter(|_| rank >= 3) {
            let stop = if color == Color::White { stop } else { ahead.last().unwrap_or(stop) };
            let near = distance(position.king(!color), stop) * 5 - distance(position.king(color), stop) * 2;
            score.add(0, near * (rank as i32 - 2) / 2);
        }
    }
    for file in File::ALL {
        let on_file = own & SquareSet::file(file);
        if on_file.is_empty() {
            continue;
        }
        let column = SquareSet::file(file);
        if ((column.step(-1, 0) | column.step(1, 0)) & own).is_empty() {
            let isolated = on_file.len() as i32;
            score.add(-10 * isolated, -12 * isolated);
        }
        let doubled = on_file.len() as i32 - 1;
        score.add(-8 * doubled, -18 * doubled);
    }
}

fn men(position: &Chess, color: Color, score: &mut TaperedScore) {
    let occupied = position.men(Color::White) | position.men(Color::Black);
    let (own, enemy_king) = (position.men(color), position.king(!color));
    let own_pawns = piece(position, color, PAWN);
    let enemy_pawns = piece(position, !color, PAWN);
    let safe = !own - pawn_attacks(!color, enemy_pawns);
    let zone = attacks::king(enemy_king);
    let mut pressure = 0;
    for from in piece(position, color, KNIGHT) {
        let reach = attacks::knight(from);
        let mobility = (reach & safe).len() as i32 - 4;
        score.add(4 * mobility, 4 * mobility);
        pressure += 2 * (reach & zone).len() as i32;
    }
    for from in piece(position, color, BISHOP) {
        let reach = attacks::bishop(from, occupied);
        let mobility = (reach & safe).len() as i32 - 6;
        score.add(4 * mobility, 5 * mobility);
        pressure += 2 * (reach & zone).len() as i32;
    }
    for from in piece(position, color, ROOK) {
        let reach = attacks::rook(from, occupied);
        let mobility = (reach & safe).len() as i32 - 7;
        score.add(2 * mobility, 4 * mobility);
        pressure += 3 * (reach & zone).len() as i32;
        let file = SquareSet::file(from.file());
        if (file & own_pawns).is_empty() {
            let open = if (file & enemy_pawns).is_empty() { 24 } else { 12 };
            score.add(open, 6);
        }
    }
    for from in piece(position, color, QUEEN) {
        let reach = attacks::queen(from, occupied);
        let mobility = (reach & safe).len() as i32 - 13;
        score.add(mobility, 2 * mobility);
        pressure += 4 * (reach & zone).len() as i32;
    }
    // The danger grows with the square of the pressure: several attackers count more than their sum.
    score.add((pressure * pressure / 6).min(160), 0);
    if piece(position, color, BISHOP).more_than_one() {
        score.add(28, 45);
    }
}

fn shelter(position: &Chess, color: Color, score: &mut TaperedScore) {
    let king = position.king(color);
    let ahead = front_span(color, SquareSet::of(king));
    let front = ahead | ahead.step(-1, 0) | ahead.step(1, 0);
    let pawns = piece(position, color, PAWN);
    let near = front & pawns & attacks::king(king);
    let further = (front & pawns) - near;
    score.add(12 * near.len() as i32 + 4 * further.len().min(3) as i32, 0);
    if (SquareSet::file(king.file()) & pawns).is_empty() {
        score.add(-22, 0);
    }
}

fn side(position: &Chess, color: Color, phase: &mut i32) -> TaperedScore {
    let mut score = TaperedScore::default();
    for role in [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING] {
        let index = role.index();
        for square in piece(position, color, role) {
            let at = relative(color, square).index();
            score.add(MIDDLE[index] + MIDDLE_SQUARES[index][at], END[index] + END_SQUARES[index][at]);
            *phase += PHASE[index];
        }
    }
    pawns(position, color, &mut score);
    men(position, color, &mut score);
    shelter(position, color, &mut score);
    score
}

/// Returns the winner's bonus for driving a lone king to the edge and for bringing its own king closer.
/// Square tables cannot express this.
fn mop_up(position: &Chess, winner: Color) -> i32 {
    let king = position.king(!winner);
    let (file, rank) = (king.index() as i32 & 7, king.index() as i32 >> 3);
    let from_center = (3 - file).max(file - 4) + (3 - rank).max(rank - 4);
    from_center * 12 + (7 - distance(king, position.king(winner))) * 8
}

/// Tuned by playing games; see docs/tuning.md.
const PARAMETERS: Parameters = Parameters {
    reverse_futility_depth: 8,
    reverse_futility_margin: -5,
    reverse_futility_slope: 88,
    reverse_futility_improving: 44,
    reverse_futility_doubt: 104,
    reverse_futility_share: 126,
    many_men_share: 65,
    razor_margin: 375,
    razor_slope: 175,
    null_move_margin: 10,
    null_move_reduction: 760,
    null_move_slope: 96,
    null_move_surplus: 154,
    null_move_surplus_max: 960,
    prob_cut_margin: 165,
    prob_cut_improving: 35,
    internal_reduction_depth: 5,
    singular_depth: 5,
    singular_slope: 36,
    double_extension_margin: 34,
    multi_cut_score: 1,
    late_depth: 9,
    late_base: 75,
    late_slope: 22,
    futility_depth: 9,
    futility_margin: 96,
    futility_slope: 60,
    futility_history: 290,
    history_slope: -5_900,
    exchange_history: 96,
    loud_exchange_slope: -114,
    quiet_exchange_slope: -19,
    reduction_slope: 1_960,
    reduction_history: 17_500,
    late_at_root: 5,
    reduction_pv: 1_130,
    reduction_pv_known: 200,
    reduction_killer: 780,
    reduction_check: 1_440,
    reduction_cut: 830,
    reduction_taking: 300,
    reduction_worsening: 1_000,
    reduction_refuted: 930,
    reduction_loud: 128,
    far_continuation: 1,
    bonus_slope: 220,
    bonus_base: 80,
    bonus_max: 1_850,
    bonus_refuted_parent: 256,
    bonus_research: 128,
    bonus_evaluation: 24,
    malus_slope: 238,
    malus_max: 1_700,
    correction_weight: 5,
    correction_share: 256,
    delta_margin: 300,
    quiescence_captures: 3,
    hindsight_margin: 100,
    softens_cutoffs: 1,
    ..Parameters::COMMON
};

pub(crate) static PROFILE: Profile = Profile {
    odds: Odds { half_win_score: 166.0, width: 118.0 },
    levels: [
        strength(4_000, 1, 900),
        strength(4_000, 1, 660),
        strength(4_000, 1, 480),
        strength(4_000, 1, 345),
        strength(4_000, 2, 345),
        strength(4_000, 2, 272),
        strength(4_000, 2, 203),
        strength(8_000, 3, 248),
        strength(8_000, 3, 190),
        strength(400_000, ANY, 1),
    ],
    level_elo: [
        Unknown,
        Above(200),
        Above(207),
        Above(211),
        Rating(1_550),
        Rating(1_700),
        Rating(1_900),
        Rating(1_950),
        Rating(2_050),
        AboveAtLeast(183),
    ],
    skill_ratings: Some([
        1214, 1386, 1549, 1677, 1878, 2036, 2233, 2404, 2534, 2671, 2779, 2896, 2987, 3115, 3186,
    ]),
    skill_noise: 600.0,
    network: network_file!("chess.network"),
    parameters: PARAMETERS,
    bench: &[
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP1N1PPP/R2QKB1R b KQkq - 1 6",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2rq1rk1/pb2bppp/1p2pn2/n7/2BP4/P1N1BN2/1P2QPPP/3R1RK1 w - - 4 14",
        "3r2k1/p4ppp/1q2p3/2b1P3/8/1P3Q2/P4PPP/3R2K1 b - - 2 25",
        "8/5pk1/1p2p1p1/p2nP2p/P2R3P/1P3PP1/6K1/3r4 w - - 0 37",
        "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
    ],
    bench_depth: 11,
};

impl Searchable for Chess {
    const VALUES: [i32; Role::MAX] = [100, 320, 335, 500, 980, 0, 0, 0];
    const VARIANT: Variant = Chess::VARIANT;
    const SEES_EXCHANGES: bool = true;
    const KNOWS_ENDINGS: bool = true;

    fn evaluate(&self) -> i32 {
        let mut phase = 0;
        let white = side(self, Color::White, &mut phase);
        let black = side(self, Color::Black, &mut phase);
        let phase = phase.min(FULL_PHASE);
        let mut end = white.end - black.end;
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            if self.men(!color).len() == 1 && self.men(color).more_than_one() {
                end += sign * mop_up(self, color);
            }
        }
        let middle = white.middle - black.middle;
        let score = (middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
        let tempo = 10;
        if self.side_to_move() == Color::White { score + tempo } else { tempo - score }
    }

    fn is_material_draw(&self) -> bool {
        let heavy = self.men_of_role(PAWN) | self.men_of_role(ROOK) | self.men_of_role(QUEEN);
        heavy.is_empty()
            && matches!(
                self.outcome(DrawRules::Club),
                Some(adoube_rules::Outcome::Draw { reason: adoube_rules::Draw::InsufficientMaterial })
            )
    }

    #[inline]
    fn share_of_advantage(&self, worth: i32, stronger: Color) -> i32 {
        if worth > endings::MAX_WORTH { FULL_SHARE } else { endings::share(self, stronger) }
    }

    fn null_move(&self) -> Option<Self> {
        let own = self.men(self.side_to_move());
        let others = own - self.men_of_role(PAWN) - self.men_of_role(KING);
        // If a side has only pawns besides its king, zugzwang is common.
        if others.is_empty() {
            return None;
        }
        Some(self.after_passing())
    }

    fn gain(&self, step: Step) -> i32 {
        gain(self, step)
    }

    #[inline]
    fn attacked(&self) -> SquareSet {
        let by = !self.side_to_move();
        let occupied = self.men(Color::White) | self.men(Color::Black);
        let mut squares = pawn_attacks(by, piece(self, by, PAWN)) | attacks::king(self.king(by));
        for knight in piece(self, by, KNIGHT) {
            squares |= attacks::knight(knight);
        }
        let queens = piece(self, by, QUEEN);
        for bishop in piece(self, by, BISHOP) | queens {
            squares |= attacks::bishop(bishop, occupied);
        }
        for rook in piece(self, by, ROOK) | queens {
            squares |= attacks::rook(rook, occupied);
        }
        squares
    }

    fn exchange_wins(&self, step: Step, gain: i32, min: i32) -> bool {
        exchange::wins(self, step, gain, min)
    }
}

/// Returns the gain of a step: the value of the captured men and of the promotion.
#[inline]
fn gain(position: &Chess, step: Step) -> i32 {
    let values = Chess::VALUES;
    let promotion = step.promotion().map_or(0, |role| values[role.index()] - values[0]);
    // A sum without branches is faster, because it is hard for the processor to predict which man, if any, is
    // captured.
    let taken = position.taken(step);
    let value = |role: Role| i32::from((position.men_of_role(role) & taken).any()) * values[role.index()];
    promotion + [PAWN, KNIGHT, BISHOP, ROOK, QUEEN].into_iter().map(value).sum::<i32>()
}

#[cfg(test)]
mod tests {

    use super::*;

    #[track_caller]
    fn position(fen: &str) -> Chess {
        Chess::from_fen(fen).expect("a position")
    }

    #[test]
    fn an_advanced_passed_pawn_is_worth_more() {
        let far = position("4k3/8/P7/8/8/8/8/4K3 w - - 0 1").evaluate();
        let near = position("4k3/8/8/8/8/P7/8/4K3 w - - 0 1").evaluate();
        assert!(far > near + 50, "{far} {near}");
    }

    #[test]
    fn attacked_squares_are_those_where_the_opponent_could_capture() {
        // The rook guards its own king, and attacks nothing beyond the king or the pawn. Nothing guards the
        // queen.
        let attacked_squares = position("8/7p/1n6/8/3r1k2/7q/3P4/b3K3 w - - 0 1").attacked();
        let expected = "\
8 x . x x . . . .
7 . . . x . . . x
6 . . . x x . x x
5 . . . x x x x x
4 x x x x x x x x
3 x x x x x x x .
2 . x . x . . x x
1 . . . . . x . x
  a b c d e f g h
";
        assert_eq!(attacked_squares.to_string(), expected);
    }

    #[test]
    fn a_null_move_needs_more_than_king_and_pawns_and_leaves_the_board_unchanged() {
        assert!(position("4k3/8/8/8/8/P7/8/4K3 w - - 0 1").null_move().is_none());
        let before = position("4k3/8/8/8/8/P7/8/R3K3 w Q - 3 9");
        let after = before.null_move().expect("a rook may move");
        assert_eq!(after.side_to_move(), Color::Black);
        assert_eq!(after.men(Color::White), before.men(Color::White));
    }
}
