//! The facts about chess.

use crate::{
    game_info::{Clauses, FirstRank, GameInfo, Repetition, ShuffleInfo, Stalemate},
    role::{Role, RoleInfo},
    shuffle::Digits,
};

/// The initial position (C1).
pub const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The roles of chess.
pub mod role {
    use crate::role::Role;

    /// Pawn (C7–C9).
    pub const PAWN: Role = Role::new(0);
    /// Knight (C6).
    pub const KNIGHT: Role = Role::new(1);
    /// Bishop (C5).
    pub const BISHOP: Role = Role::new(2);
    /// Rook (C5).
    pub const ROOK: Role = Role::new(3);
    /// Queen (C5).
    pub const QUEEN: Role = Role::new(4);
    /// King (C4).
    pub const KING: Role = Role::new(5);
}

/// The facts about chess.
pub const INFO: GameInfo = GameInfo {
    name: "chess",
    number: 0,
    pgn_name: None,
    pgn_aliases: &[
        "chess",
        "classic",
        "classical",
        "frompos",
        "fromposition",
        "illegal",
        "normal",
        "orthodox",
        "orthodoxchess",
        "standard",
    ],
    roles: &ROLES,
    royal: Some(role::KING),
    initial_fen: INITIAL_FEN,
    shuffle: ShuffleInfo { count: 960, named: &[], first_rank },
    reserve_roles: &[],
    castling_rook: Some(role::ROOK),
    en_passant_names_pawn: false,
    repetition: Repetition::Draws,
    stalemate: Stalemate::Draws,
    freezing: None,
    san_lists_taken: false,
    clauses: Clauses {
        prefix: 'C',
        occupied: None,
        leap: None,
        landing: None,
        compulsory: None,
        en_passant: "C8",
        promotion: "C9",
        king_exposed: None,
        checkmate: "C16",
        stalemate: "C18",
        insufficient_material: "C19",
        passing: None,
    },
};

/// Places the men of a shuffled start (C1), with bishops on both shades and the king between the rooks, in
/// Reinhard Scharnagl's numbering, in which 518 is the usual order.
fn first_rank(men: &mut FirstRank, number: u16) {
    let mut digits = Digits::of(number);
    // One bishop on b, d, f or h, the other on a, c, e or g; then the queen, the knights, the rest.
    let light = 2 * digits.next(4) + 1;
    let dark = 2 * digits.next(4);
    men.place_on_file(light, role::BISHOP);
    men.place_on_file(dark, role::BISHOP);
    men.place_on_free(digits.next(6), role::QUEEN);
    men.place_pair(digits.next(10), role::KNIGHT);
    for role in [role::ROOK, role::KING, role::ROOK] {
        men.place_on_free(0, role);
    }
}

const ROLES: [RoleInfo; 6] = [
    RoleInfo { role: role::PAWN, letter: 'P', name: "pawn", clause: "C7" },
    RoleInfo { role: role::KNIGHT, letter: 'N', name: "knight", clause: "C6" },
    RoleInfo { role: role::BISHOP, letter: 'B', name: "bishop", clause: "C5" },
    RoleInfo { role: role::ROOK, letter: 'R', name: "rook", clause: "C5" },
    RoleInfo { role: role::QUEEN, letter: 'Q', name: "queen", clause: "C5" },
    RoleInfo { role: role::KING, letter: 'K', name: "king", clause: "C4" },
];

/// The roles that a pawn can promote to (C9), the strongest first.
pub const PROMOTIONS: [Role; 4] = [role::QUEEN, role::ROOK, role::BISHOP, role::KNIGHT];
