//! Positions of the games that are played with Robert Abbott's men: how the men move and take, and who is frozen.

mod captures;
mod generate;
mod threats;

use crate::{
    attacks,
    board::Board,
    color::Color,
    game_info::{FirstRank, Freezing},
    moves::{Step, StepList},
    outcome::{Draw, DrawRules, Outcome, Win},
    position::{Position, SearchPosition},
    role::{Piece, Role, RoleInfo},
    setup::{PositionError, Setup, SetupProblem},
    shuffle::Digits,
    square::Square,
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};
use generate::{Count, EachAfter};

/// The roles.
pub mod role {
    use crate::role::Role;

    /// Pincer pawn (B6).
    pub const PINCER_PAWN: Role = Role::new(0);
    /// Long leaper (B8).
    pub const LONG_LEAPER: Role = Role::new(1);
    /// Chameleon (B10, B11).
    pub const CHAMELEON: Role = Role::new(2);
    /// Coordinator (B7).
    pub const COORDINATOR: Role = Role::new(3);
    /// Withdrawer (B9).
    pub const WITHDRAWER: Role = Role::new(4);
    /// King (B3).
    pub const KING: Role = Role::new(5);
    /// Immobilizer (B4, B5).
    pub const IMMOBILIZER: Role = Role::new(6);
}

/// Puts the men of a shuffled start (B1), in any order. The usual orders are 6412 for White and 5347 for Black.
pub(super) fn first_rank(men: &mut FirstRank, number: u16) {
    let mut digits = Digits::of(number);
    men.put(digits.next(8), role::KING);
    men.put(digits.next(7), role::WITHDRAWER);
    men.put(digits.next(6), role::IMMOBILIZER);
    men.put(digits.next(5), role::COORDINATOR);
    men.put_pair(digits.next(6), role::CHAMELEON);
    men.put(0, role::LONG_LEAPER);
    men.put(0, role::LONG_LEAPER);
}

pub(super) const ROLES: [RoleInfo; 7] = [
    RoleInfo { role: role::PINCER_PAWN, letter: 'P', name: "pincer-pawn", clause: "B2" },
    RoleInfo { role: role::LONG_LEAPER, letter: 'N', name: "long-leaper", clause: "B2" },
    RoleInfo { role: role::CHAMELEON, letter: 'B', name: "chameleon", clause: "B2" },
    RoleInfo { role: role::COORDINATOR, letter: 'R', name: "coordinator", clause: "B2" },
    RoleInfo { role: role::WITHDRAWER, letter: 'Q', name: "withdrawer", clause: "B2" },
    RoleInfo { role: role::KING, letter: 'K', name: "king", clause: "B2" },
    RoleInfo { role: role::IMMOBILIZER, letter: 'M', name: "immobilizer", clause: "B2" },
];

/// The men of Baroque on their squares.
type Men = Board<7>;

/// A playable position of Baroque.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Baroque {
    men: Men,
    hash: u64,
    side_to_move: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
}

const _: () = assert!(size_of::<Baroque>() == 88);

impl Baroque {
    /// The game.
    pub const VARIANT: Variant = Variant::Baroque;

    /// Returns the men on their squares, as sets of squares by role and by colour.
    #[inline]
    pub const fn board(&self) -> &Board<7> {
        &self.men
    }

    /// Returns the men of a side that cannot move (B4).
    pub fn immobilized(&self, color: Color) -> SquareSet {
        immobilized(&self.men, color)
    }

    /// Returns the square of a side's king.
    pub fn king(&self, color: Color) -> Square {
        king(&self.men, color)
    }

    /// Returns the position with the other side to move, as if this one had passed.
    pub(crate) fn passed(&self) -> Self {
        Self { side_to_move: !self.side_to_move, hash: self.hash ^ zobrist::black_to_move(), ..self.clone() }
    }

    /// Returns the position without the man of a square.
    pub(crate) fn without(&self, square: Square) -> Self {
        let mut without = self.clone();
        if let Some(piece) = self.men.piece_at(square) {
            without.toggle(square, piece);
        }
        without
    }

    /// Plays a move whose man and takings are known.
    #[inline]
    fn play_known(&mut self, role: Role, from: Square, to: Square, taken: SquareSet) {
        let us = self.side_to_move;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if taken.any() {
            self.halfmove_clock = 0;
            for square in taken {
                let role = self.men.role_of_man_at(square);
                self.toggle(square, Piece { color: !us, role });
            }
        }
        let man = Piece { color: us, role };
        self.men.shift(from, to, man);
        self.hash ^= zobrist::piece(man, from) ^ zobrist::piece(man, to) ^ zobrist::black_to_move();
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.side_to_move = !us;
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.men.toggle(square, piece);
        self.hash ^= zobrist::piece(piece, square);
    }
}

#[inline]
fn king(men: &Men, color: Color) -> Square {
    // A position has exactly one king a side; a1 is never returned for want of one.
    men.piece(color, role::KING).first().unwrap_or(Square::A1)
}

/// Returns the men of a side that cannot move (B4).
#[inline]
fn immobilized(men: &Men, color: Color) -> SquareSet {
    let (own, enemies) = (men.color(color), men.color(!color));
    Freezing::frozen(own, enemies, men.role(role::IMMOBILIZER), men.role(role::CHAMELEON))
}

impl Freezing {
    /// Returns those of one's own men that cannot move (B4), by where the men stand: one's own, the enemies, and the immobilizers and
    /// chameleons of both sides.
    #[inline]
    pub fn frozen(
        own: SquareSet,
        enemies: SquareSet,
        immobilizers: SquareSet,
        chameleons: SquareSet,
    ) -> SquareSet {
        let neutralizers = own & (immobilizers | chameleons);
        let mut frozen = SquareSet::EMPTY;
        for immobilizer in immobilizers & enemies {
            let around = attacks::king(immobilizer);
            let neutralizing = around & neutralizers;
            if neutralizing.is_empty() {
                frozen |= around & own;
            } else if !neutralizing.more_than_one() {
                // The only one frees the others, not itself.
                frozen |= neutralizing;
            }
        }
        // Either reason is enough, and neither lifts the other.
        for immobilizer in immobilizers & own {
            if (attacks::king(immobilizer) & chameleons & enemies).any() {
                frozen.insert(immobilizer);
            }
        }
        frozen
    }
}

impl Position for Baroque {
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup.check_variant(Variant::Baroque)?;
        let mut position = Self {
            men: Men::EMPTY,
            hash: if setup.side_to_move == Color::Black { zobrist::black_to_move() } else { 0 },
            side_to_move: setup.side_to_move,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                position.toggle(square, piece);
            }
        }
        let mut problems = Vec::new();
        for color in Color::ALL {
            let kings = position.men.piece(color, role::KING).len();
            if kings != 1 {
                problems.push(SetupProblem::Kings { color, found: kings, expected: 1..=1 });
            }
            let men = position.men.color(color).len();
            if men > 16 {
                problems.push(SetupProblem::TooManyMen { color, found: men });
            }
        }
        if setup.castling.any() {
            problems.push(SetupProblem::NoCastling(Variant::Baroque));
        }
        problems.extend(setup.en_passant.map(|en_passant| SetupProblem::EnPassant(en_passant.crossed)));
        PositionError::check(problems)?;
        if threats::king_threats(&position.men, !position.side_to_move).any() {
            PositionError::check(vec![SetupProblem::OpponentInCheck(!position.side_to_move)])?;
        }
        Ok(position)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty(Variant::Baroque);
        for (square, piece) in self.men.pieces() {
            setup.pieces[square.index()] = Some(piece);
        }
        setup.side_to_move = self.side_to_move;
        setup.halfmove_clock = self.halfmove_clock;
        setup.fullmove_number = self.fullmove_number;
        setup
    }

    fn variant(&self) -> Variant {
        Variant::Baroque
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline]
    fn men(&self, color: Color) -> SquareSet {
        self.men.color(color)
    }

    #[inline]
    fn men_of_role(&self, role: Role) -> SquareSet {
        if role.index() < ROLES.len() { self.men.role(role) } else { SquareSet::EMPTY }
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.men.piece_at(square)
    }

    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    #[inline]
    fn key(&self) -> u64 {
        self.hash
    }

    #[inline]
    fn legal_steps(&self) -> StepList {
        let mut steps = StepList::default();
        self.add_legal_steps(&mut steps);
        steps
    }

    fn taken(&self, step: Step) -> SquareSet {
        match self.men.role_at(step.from()) {
            Some(role) => captures::taken(&self.men, self.side_to_move, role, step.from(), step.to()),
            None => SquareSet::EMPTY,
        }
    }

    #[inline]
    fn play_unchecked(&mut self, step: Step) {
        let (from, to) = (step.from(), step.to());
        if let Some(role) = self.men.role_at(from) {
            self.play_known(role, from, to, captures::taken(&self.men, self.side_to_move, role, from, to));
        }
    }

    fn checked_kings(&self) -> SquareSet {
        if threats::king_threats(&self.men, self.side_to_move).any() {
            SquareSet::of(self.king(self.side_to_move))
        } else {
            SquareSet::EMPTY
        }
    }

    fn outcome(&self, _: DrawRules) -> Option<Outcome> {
        if self.count_steps() == 0 {
            return Some(if self.is_check() {
                Outcome::Decisive { winner: !self.side_to_move, reason: Win::Checkmate }
            } else {
                Outcome::Draw { reason: Draw::Stalemate }
            });
        }
        // B13: only where it is proved that no mate exists.
        (self.men.occupied().len() == 2).then_some(Outcome::Draw { reason: Draw::InsufficientMaterial })
    }
}

impl SearchPosition for Baroque {
    fn add_legal_steps(&self, steps: &mut StepList) {
        generate::generate(self, steps);
    }

    fn count_steps(&self) -> usize {
        let mut count = Count::default();
        generate::generate(self, &mut count);
        count.0
    }

    fn each_after(&self, visit: &mut impl FnMut(&Self)) {
        generate::generate(self, &mut EachAfter { position: self, visit });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Baroque {
        /// Gives every step that follows B2–B11, whatever becomes of the own king, to `visit`: the square left and
        /// the squares reached.
        fn pseudo_legal(&self, mut visit: impl FnMut(Role, Square, SquareSet)) {
            let men = &self.men;
            let occupied = men.occupied();
            let (own, enemies) = (men.color(self.side_to_move), men.color(!self.side_to_move));
            let movable = own - immobilized(men, self.side_to_move);
            for from in men.role(role::PINCER_PAWN) & movable {
                visit(role::PINCER_PAWN, from, attacks::rook(from, occupied) - occupied);
            }
            for role in [role::COORDINATOR, role::WITHDRAWER, role::IMMOBILIZER] {
                for from in men.role(role) & movable {
                    visit(role, from, attacks::queen(from, occupied) - occupied);
                }
            }
            for from in men.role(role::LONG_LEAPER) & movable {
                let quiet = attacks::queen(from, occupied) - occupied;
                visit(role::LONG_LEAPER, from, quiet | captures::leaps(from, occupied, enemies));
            }
            for from in men.role(role::CHAMELEON) & movable {
                let quiet = attacks::queen(from, occupied) - occupied;
                let leapers = men.role(role::LONG_LEAPER) & enemies;
                // B11: next to the enemy king it moves as a king does, onto it.
                let king = attacks::king(from) & men.role(role::KING) & enemies;
                visit(role::CHAMELEON, from, quiet | captures::leaps(from, occupied, leapers) | king);
            }
            for from in men.role(role::KING) & movable {
                visit(role::KING, from, attacks::king(from) - own);
            }
        }

        /// The definition of B12: the enemy, were it to move, has a move that takes the king.
        fn king_can_be_taken(men: &Men, color: Color) -> bool {
            let enemy_to_move = Self {
                men: men.clone(),
                hash: 0,
                side_to_move: !color,
                halfmove_clock: 0,
                fullmove_number: 1,
            };
            let king = SquareSet::of(king(men, color));
            let mut taken = false;
            enemy_to_move.pseudo_legal(|role, from, targets| {
                for to in targets {
                    taken |= (captures::taken(men, !color, role, from, to) & king).any();
                }
            });
            taken
        }
    }

    #[test]
    fn b12_threats_are_what_playing_all_enemy_moves_finds() {
        let mut random = 0x5eed_0000_ba20_c0de_u64;
        let mut below = |bound: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 11) as usize % bound
        };
        let (mut threatened, mut asked) = (0, 0);
        for _ in 0..150 {
            let mut position = Baroque::from_setup(&Variant::Baroque.initial_setup()).expect("the start");
            for _ in 0..120 {
                let us = position.side_to_move;
                let mut legal = Vec::new();
                position.pseudo_legal(|role, from, targets| {
                    for to in targets {
                        let mut men = position.men.clone();
                        men.clear(captures::taken(&men, us, role, from, to));
                        men.shift(from, to, Piece { color: us, role });
                        let by_definition = Baroque::king_can_be_taken(&men, us);
                        assert_eq!(
                            threats::king_threats(&men, us).any(),
                            by_definition,
                            "{}",
                            position.fen()
                        );
                        asked += 1;
                        threatened += usize::from(by_definition);
                        if !by_definition {
                            legal.push(Step::new(from, to));
                        }
                    }
                });
                let mut listed = position.legal_steps().to_vec();
                listed.sort();
                legal.sort();
                assert_eq!(listed, legal, "{}", position.fen());
                if legal.is_empty() {
                    break;
                }
                position.play_unchecked(legal[below(legal.len())]);
            }
        }
        assert!(threatened > 10_000 && asked > 500_000, "{threatened} of {asked}");
    }
}
