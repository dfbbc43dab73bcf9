//! Giveaway (rules G1–G8): the men are those of chess, captures are compulsory, and the side without a legal
//! turn wins.
//!
//! The king is a man like any other. In this example, the only legal turn is a capture, which loses the game:
//!
//! ```
//! use adoube_rules::{AnyPosition, Color, DrawRules, Outcome, Position, Variant, Win, coordinate};
//!
//! let mut position = AnyPosition::from_fen(Variant::Giveaway, "8/8/8/3p4/4P3/8/8/8 w - - 0 1")?;
//! assert_eq!(position.legal_steps().len(), 1, "the capture is compulsory");
//! position.try_play(&coordinate::parse(&position, "e4d5")?)?;
//! let won = Outcome::Decisive { winner: Color::Black, reason: Win::NoMoves };
//! assert_eq!(position.outcome(DrawRules::Club), Some(won), "Black has no man left");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{
    attacks,
    board::Board,
    color::Color,
    game_info::{Clauses, FirstRank, GameInfo, Repetition, ShuffleInfo, Stalemate},
    moves::{Step, StepList},
    outcome::{DrawRules, Outcome},
    position::{Position, SearchPosition},
    role::{Piece, Role, RoleInfo},
    setup::{MAX_MEN, PositionError, Setup, SetupProblem},
    square::Square,
    square_set::SquareSet,
    variant::Variant,
    zobrist,
};

/// The roles of Giveaway.
pub mod role {
    use crate::role::Role;

    /// Pawn (G5, G6).
    pub const PAWN: Role = Role::new(0);
    /// Knight (G4).
    pub const KNIGHT: Role = Role::new(1);
    /// Bishop (G4).
    pub const BISHOP: Role = Role::new(2);
    /// Rook (G4).
    pub const ROOK: Role = Role::new(3);
    /// Queen (G4).
    pub const QUEEN: Role = Role::new(4);
    /// King (G3).
    pub const KING: Role = Role::new(5);
}

/// The fixed properties of Giveaway.
pub const INFO: GameInfo = GameInfo {
    name: "giveaway",
    number: 4,
    pgn_name: Some("Giveaway"),
    pgn_aliases: &["giveaway"],
    roles: &ROLES,
    royal: None,
    initial_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    shuffle: ShuffleInfo { count: 1, named: &[], first_rank },
    reserve_roles: &[],
    castling_rook: None,
    en_passant_names_pawn: false,
    repetition: Repetition::Draws,
    stalemate: Stalemate::Wins,
    freezing: None,
    san_lists_taken: false,
    clauses: Clauses {
        prefix: 'G',
        occupied: None,
        leap: None,
        landing: None,
        compulsory: Some("G2"),
        // Not used: there is no capture en passant.
        en_passant: "G5",
        promotion: "G6",
        king_exposed: None,
        // Not used: no king can be in check.
        checkmate: "G3",
        stalemate: "G7",
        // Not used: any material suffices to win.
        insufficient_material: "G8",
        passing: None,
    },
};

/// Places the men as in chess, because there is no other start.
fn first_rank(men: &mut FirstRank, _number: u16) {
    use role::{BISHOP, KING, KNIGHT, QUEEN, ROOK};
    for role in [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK] {
        men.place_on_free(0, role);
    }
}

const ROLES: [RoleInfo; 6] = [
    RoleInfo { role: role::PAWN, letter: 'P', name: "pawn", clause: "G5" },
    RoleInfo { role: role::KNIGHT, letter: 'N', name: "knight", clause: "G4" },
    RoleInfo { role: role::BISHOP, letter: 'B', name: "bishop", clause: "G4" },
    RoleInfo { role: role::ROOK, letter: 'R', name: "rook", clause: "G4" },
    RoleInfo { role: role::QUEEN, letter: 'Q', name: "queen", clause: "G4" },
    RoleInfo { role: role::KING, letter: 'K', name: "king", clause: "G3" },
];

/// The promotions of a pawn (G6).
pub const PROMOTIONS: [Role; 5] = [role::QUEEN, role::ROOK, role::BISHOP, role::KNIGHT, role::KING];

/// A playable Giveaway position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Giveaway {
    board: Board<6>,
    hash: u64,
    side_to_move: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Giveaway {
    /// The game of this type.
    pub const VARIANT: Variant = Variant::Giveaway;

    /// Returns the squares that the man on a square reaches, regardless of compulsory captures.
    pub(crate) fn reach(&self, from: Square, piece: Piece) -> SquareSet {
        let (own, enemies) = (self.board.color(piece.color), self.board.color(!piece.color));
        let occupied = own | enemies;
        let reach = match piece.role {
            role::KNIGHT => attacks::knight(from),
            role::BISHOP => attacks::bishop(from, occupied),
            role::ROOK => attacks::rook(from, occupied),
            role::QUEEN => attacks::queen(from, occupied),
            role::KING => attacks::king(from),
            _ => {
                let ahead = if piece.color == Color::White { 1 } else { -1 };
                let advance = SquareSet::of(from).step(0, ahead) - occupied;
                attacks::pawn(piece.color, from) & enemies | advance
            }
        };
        reach - own
    }

    /// Returns the position with the other side to move.
    pub(crate) fn after_passing(&self) -> Self {
        let hash = self.hash ^ zobrist::black_to_move();
        Self { side_to_move: !self.side_to_move, hash, ..self.clone() }
    }

    fn toggle(&mut self, square: Square, piece: Piece) {
        self.board.toggle(square, piece);
        self.hash ^= zobrist::piece(piece, square);
    }
}

impl Position for Giveaway {
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup.check_variant(Variant::Giveaway)?;
        let (board, hash) = setup.to_board();
        let position = Self {
            board,
            hash,
            side_to_move: setup.side_to_move,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        let mut problems = Vec::new();
        for color in Color::ALL {
            let found = position.board.color(color).len();
            if found > MAX_MEN {
                problems.push(SetupProblem::TooManyMen { color, found });
            }
        }
        let stray = position.board.role(role::PAWN) & SquareSet::BACK_RANKS;
        problems.extend(stray.into_iter().map(SetupProblem::PawnRank));
        if setup.castling.any() {
            problems.push(SetupProblem::NoCastling(Variant::Giveaway));
        }
        problems.extend(setup.en_passant.map(|advance| SetupProblem::EnPassant(advance.crossed)));
        PositionError::check(problems)?;
        Ok(position)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::from_board(Variant::Giveaway, &self.board);
        setup.side_to_move = self.side_to_move;
        setup.halfmove_clock = self.halfmove_clock;
        setup.fullmove_number = self.fullmove_number;
        setup
    }

    fn variant(&self) -> Variant {
        Variant::Giveaway
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    fn men(&self, color: Color) -> SquareSet {
        self.board.color(color)
    }

    fn men_of_role(&self, role: Role) -> SquareSet {
        self.board.role(role)
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    fn key(&self) -> u64 {
        self.hash
    }

    fn legal_steps(&self) -> StepList {
        let mut steps = StepList::default();
        self.add_legal_steps(&mut steps);
        steps
    }

    fn taken(&self, step: Step) -> SquareSet {
        SquareSet::of(step.to()) & self.board.color(!self.side_to_move)
    }

    fn play_unchecked(&mut self, step: Step) {
        let (from, to, us) = (step.from(), step.to(), self.side_to_move);
        let Some(piece) = self.board.piece_at(from) else { return };
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if piece.role == role::PAWN {
            self.halfmove_clock = 0;
        }
        self.toggle(from, piece);
        if let Some(victim) = self.board.piece_at(to) {
            self.toggle(to, victim);
            self.halfmove_clock = 0;
        }
        let role = step.promotion().unwrap_or(piece.role);
        self.toggle(to, Piece { role, ..piece });
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.side_to_move = !us;
        self.hash ^= zobrist::black_to_move();
    }

    fn checked_kings(&self) -> SquareSet {
        // G3: no man is royal.
        SquareSet::EMPTY
    }

    fn outcome(&self, _: DrawRules) -> Option<Outcome> {
        // G7: a side wins if its men cannot move, just as it does if it has none.
        (self.count_steps() == 0).then_some(INFO.stalemate.outcome(self.side_to_move))
    }
}

impl SearchPosition for Giveaway {
    fn add_legal_steps(&self, steps: &mut StepList) {
        let (us, enemies) = (self.side_to_move, self.board.color(!self.side_to_move));
        let men = || {
            self.board.color(us).into_iter().filter_map(|from| {
                let piece = self.board.piece_at(from)?;
                Some((from, piece, self.reach(from, piece)))
            })
        };
        // G2: if anything can be taken, something must be.
        let must_take = men().any(|(_, _, reach)| (reach & enemies).any());
        for (from, piece, reach) in men() {
            for to in if must_take { reach & enemies } else { reach } {
                if piece.role == role::PAWN && SquareSet::BACK_RANKS.contains(to) {
                    for role in PROMOTIONS {
                        steps.push(Step::promoting(from, to, role));
                    }
                } else {
                    steps.push(Step::new(from, to));
                }
            }
        }
    }
}
