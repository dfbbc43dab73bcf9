//! The facts about Interweave.

use arrayvec::ArrayVec;

use super::role;
use crate::{
    game_info::{Clauses, FirstRank, GameInfo, Repetition, ShuffleInfo, Stalemate},
    role::{Role, RoleInfo},
    shuffle::Digits,
};

/// The initial position (I1).
pub const INITIAL_FEN: &str = "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR[] w - - 0 1";

/// The facts about Interweave.
pub const INFO: GameInfo = GameInfo {
    name: "interweave",
    number: 2,
    pgn_name: Some("Interweave"),
    pgn_aliases: &["interweave"],
    roles: &ROLES,
    royal: None,
    initial_fen: INITIAL_FEN,
    shuffle: ShuffleInfo { count: 576, named: &[], first_rank },
    reserve_roles: &RESERVE_ROLES,
    castling_rook: None,
    en_passant_names_pawn: true,
    repetition: Repetition::Loses,
    stalemate: Stalemate::Loses,
    freezing: None,
    san_lists_taken: true,
    clauses: Clauses {
        prefix: 'I',
        occupied: None,
        leap: None,
        landing: None,
        compulsory: Some("I4"),
        en_passant: "I10",
        promotion: "I11",
        king_exposed: None,
        checkmate: "C16",
        stalemate: "I12",
        insufficient_material: "C19",
        passing: None,
    },
};

/// Places the men of a shuffled start (I1): each team of smasher, leaper, remover and king on its own four
/// squares. 276 is the usual order.
fn first_rank(men: &mut FirstRank, number: u16) {
    let mut digits = Digits::of(number);
    for team in 0..2 {
        // The files of the team's own squares, from the left.
        let mut files: ArrayVec<usize, 4> = (0..4).map(|index| 2 * index + team).collect();
        for role in [role::SMASHER, role::LEAPER, role::REMOVER, role::KING] {
            let file = files.remove(digits.next(files.len()));
            men.place_on_file(file, role);
        }
    }
}

const ROLES: [RoleInfo; 5] = [
    RoleInfo { role: role::PAWN, letter: 'P', name: "pawn", clause: "I9" },
    RoleInfo { role: role::LEAPER, letter: 'N', name: "leaper", clause: "I7" },
    RoleInfo { role: role::REMOVER, letter: 'B', name: "remover", clause: "I8" },
    RoleInfo { role: role::SMASHER, letter: 'R', name: "smasher", clause: "I6" },
    RoleInfo { role: role::KING, letter: 'K', name: "king", clause: "I5" },
];

/// The roles that a pawn can promote to (I11), in the order in which a FEN lists them (N1).
pub(crate) const RESERVE_ROLES: [Role; 3] = [role::SMASHER, role::LEAPER, role::REMOVER];
