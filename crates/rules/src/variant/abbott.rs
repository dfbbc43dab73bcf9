//! Positions of the games that are played with Robert Abbott's men: Baroque and Ultima.
//!
//! The games differ in the initial position, in the conditions for being frozen, in whether a frozen man may
//! be given up, and in the result of a stalemate; their [`GameInfo`] contains these facts. In both games the
//! men move and take in the same way (B2, B3, B5–B11; the clauses of Ultima have the same numbers).

mod captures;
mod generate;
#[cfg(test)]
pub(super) mod tests;
mod threats;

use std::{fmt, hash::Hash, marker::PhantomData};

use crate::{
    attacks,
    board::Board,
    color::Color,
    game_info::{FirstRank, Freezing, GameInfo},
    moves::{Step, StepList},
    outcome::{Draw, DrawRules, Outcome, Win},
    position::{Position, SearchPosition, sealed::Sealed},
    role::{Piece, Role, RoleInfo},
    setup::{PositionError, Setup, SetupProblem, army_problems},
    shuffle::Digits,
    square::Square,
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};
use generate::{Count, SuccessorSink};

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

/// Places the men of a shuffled start (B1, U1). Every order of the men has a number. In the initial position,
/// White's is 6412; Black's is 5347 in Baroque and 5348 in Ultima.
pub(super) fn first_rank(men: &mut FirstRank, number: u16) {
    let mut digits = Digits::of(number);
    men.place_on_free(digits.next(8), role::KING);
    men.place_on_free(digits.next(7), role::WITHDRAWER);
    men.place_on_free(digits.next(6), role::IMMOBILIZER);
    men.place_on_free(digits.next(5), role::COORDINATOR);
    men.place_pair(digits.next(6), role::CHAMELEON);
    men.place_on_free(0, role::LONG_LEAPER);
    men.place_on_free(0, role::LONG_LEAPER);
}

/// Returns the roles; `clause` is the clause that describes how they move.
pub(super) const fn roles(clause: &'static str) -> [RoleInfo; 7] {
    [
        RoleInfo { role: role::PINCER_PAWN, letter: 'P', name: "pincer-pawn", clause },
        RoleInfo { role: role::LONG_LEAPER, letter: 'N', name: "long-leaper", clause },
        RoleInfo { role: role::CHAMELEON, letter: 'B', name: "chameleon", clause },
        RoleInfo { role: role::COORDINATOR, letter: 'R', name: "coordinator", clause },
        RoleInfo { role: role::WITHDRAWER, letter: 'Q', name: "withdrawer", clause },
        RoleInfo { role: role::KING, letter: 'K', name: "king", clause },
        RoleInfo { role: role::IMMOBILIZER, letter: 'M', name: "immobilizer", clause },
    ]
}

/// The number of roles.
const ROLES: usize = 7;

/// The men on their squares.
type Men = Board<ROLES>;

/// A game that is played with Abbott's men.
pub trait Rules: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The game.
    const VARIANT: Variant;

    /// The facts about the game.
    const INFO: &GameInfo = Self::VARIANT.info();

    /// The rules of freezing.
    const FREEZING: Freezing = match Self::INFO.freezing {
        Some(freezing) => freezing,
        None => panic!("a game with Abbott's men must define how immobilizers freeze"),
    };
}

/// A playable position of a game with Abbott's men.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AbbottPosition<R> {
    men: Men,
    hash: u64,
    side_to_move: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
    rules: PhantomData<R>,
}

const _: () = assert!(size_of::<AbbottPosition<()>>() == 88);

impl<R: Rules> AbbottPosition<R> {
    /// The game.
    pub const VARIANT: Variant = R::VARIANT;

    /// Returns the men on their squares, as sets of squares by role and by colour.
    #[inline]
    pub const fn board(&self) -> &Board<7> {
        &self.men
    }

    /// Returns the frozen men of a side (B4, U4).
    pub fn immobilized(&self, color: Color) -> SquareSet {
        immobilized::<R>(&self.men, color)
    }

    /// Returns the men that a side may give up instead of moving (U14).
    pub fn can_give_up(&self, color: Color) -> SquareSet {
        if R::FREEZING.gives_up {
            self.immobilized(color) - self.men.role(role::KING)
        } else {
            SquareSet::EMPTY
        }
    }

    /// Returns the square of a side's king.
    pub fn king(&self, color: Color) -> Square {
        king(&self.men, color)
    }

    /// Returns the position with the other side to move, as after a pass.
    pub(crate) fn after_passing(&self) -> Self {
        Self { side_to_move: !self.side_to_move, hash: self.hash ^ zobrist::black_to_move(), ..self.clone() }
    }

    /// Returns the position without the man on a square.
    pub(crate) fn without(&self, square: Square) -> Self {
        let mut without = self.clone();
        if let Some(piece) = self.men.piece_at(square) {
            without.toggle(square, piece);
        }
        without
    }

    /// Plays a move whose man and takings are known.
    #[inline]
    fn play_with_taken(&mut self, role: Role, from: Square, to: Square, taken: SquareSet) {
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

    /// Removes a man of the side to move from the board (U14).
    #[inline]
    fn play_giving_up(&mut self, role: Role, square: Square) {
        let us = self.side_to_move;
        self.toggle(square, Piece { color: us, role });
        self.halfmove_clock = 0;
        self.hash ^= zobrist::black_to_move();
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
    // A position has exactly one king per side, so the default is never used.
    men.piece(color, role::KING).first().unwrap_or(Square::A1)
}

/// Returns the frozen men of a side (B4, U4).
#[inline]
fn immobilized<R: Rules>(men: &Men, color: Color) -> SquareSet {
    let (own, enemies) = (men.color(color), men.color(!color));
    R::FREEZING.frozen(own, enemies, men.role(role::IMMOBILIZER), men.role(role::CHAMELEON))
}

impl Freezing {
    /// Returns the men in `own` that cannot move (B4, U4). `immobilizers` and `chameleons` are those of both
    /// sides.
    #[inline]
    pub fn frozen(
        self,
        own: SquareSet,
        enemies: SquareSet,
        immobilizers: SquareSet,
        chameleons: SquareSet,
    ) -> SquareSet {
        let neutralizers =
            if self.neutralizable { own & (immobilizers | chameleons) } else { SquareSet::EMPTY };
        let mut frozen = SquareSet::EMPTY;
        for immobilizer in immobilizers & enemies {
            let around = attacks::king(immobilizer);
            let neutralizing = around & neutralizers;
            if neutralizing.is_empty() {
                frozen |= around & own;
            } else if !neutralizing.more_than_one() {
                // A single neutralising man frees the others, but not itself.
                frozen |= neutralizing;
            }
        }
        // An immobilizer next to an enemy chameleon is frozen too (B4b, U4b), and nothing neutralises this.
        for immobilizer in immobilizers & own {
            if (attacks::king(immobilizer) & chameleons & enemies).any() {
                frozen.insert(immobilizer);
            }
        }
        frozen
    }
}

impl<R: Rules> Position for AbbottPosition<R>
where
    Self: Sealed + fmt::Display,
{
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup.check_variant(R::VARIANT)?;
        let (men, hash) = setup.to_board();
        let position = Self {
            men,
            hash,
            side_to_move: setup.side_to_move,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            rules: PhantomData,
        };
        let mut problems = army_problems(&position.men, role::KING);
        if setup.castling.any() {
            problems.push(SetupProblem::NoCastling(R::VARIANT));
        }
        problems.extend(setup.en_passant.map(|en_passant| SetupProblem::EnPassant(en_passant.crossed)));
        PositionError::check(problems)?;
        if threats::king_threats::<R>(&position.men, !position.side_to_move).any() {
            PositionError::check(vec![SetupProblem::OpponentInCheck(!position.side_to_move)])?;
        }
        Ok(position)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::from_board(R::VARIANT, &self.men);
        setup.side_to_move = self.side_to_move;
        setup.halfmove_clock = self.halfmove_clock;
        setup.fullmove_number = self.fullmove_number;
        setup
    }

    fn variant(&self) -> Variant {
        R::VARIANT
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
        self.men.role(role)
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
            Some(role) if !self.gives_up(step) => {
                captures::taken(&self.men, self.side_to_move, role, step.from(), step.to())
            }
            _ => SquareSet::EMPTY,
        }
    }

    #[inline]
    fn gives_up(&self, step: Step) -> bool {
        R::FREEZING.gives_up && step.from() == step.to()
    }

    #[inline]
    fn play_unchecked(&mut self, step: Step) {
        let (from, to) = (step.from(), step.to());
        let Some(role) = self.men.role_at(from) else { return };
        if self.gives_up(step) {
            self.play_giving_up(role, from);
        } else {
            self.play_with_taken(
                role,
                from,
                to,
                captures::taken(&self.men, self.side_to_move, role, from, to),
            );
        }
    }

    fn checked_kings(&self) -> SquareSet {
        if threats::king_threats::<R>(&self.men, self.side_to_move).any() {
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
                R::INFO.stalemate.outcome(self.side_to_move)
            });
        }
        // B13, U13: only where it is proved that neither side can win.
        (self.men.occupied().len() == 2).then_some(Outcome::Draw { reason: Draw::InsufficientMaterial })
    }
}

impl<R: Rules> SearchPosition for AbbottPosition<R>
where
    Self: Sealed + fmt::Display,
{
    fn add_legal_steps(&self, steps: &mut StepList) {
        generate::generate(self, steps);
    }

    fn count_steps(&self) -> usize {
        let mut count = Count::default();
        generate::generate(self, &mut count);
        count.0
    }

    fn for_each_successor(&self, visit: &mut impl FnMut(&Self)) {
        generate::generate(self, &mut SuccessorSink { position: self, visit });
    }
}
