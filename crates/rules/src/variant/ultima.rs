//! Ultima under its original rules (Robert Abbott, 1962–63; rules U1–U14).
//!
//! Ultima is played with the men of [Baroque](super::baroque), whose documentation shows how each takes.
//! Apart from the initial position (U1), three rules differ: no man neutralises an immobilizer (U4), a frozen
//! man may be given up (U14), and a side without a legal turn loses (U13).
//!
//! ## Freezing
//!
//! A man next to an enemy immobilizer cannot move, regardless of other men next to the immobilizer (U4). Two
//! opposing immobilizers side by side freeze each other, and each still freezes all other enemies next to it:
//! the leaper on f5 cannot move.
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Square, Variant, explain::{self, Reason}};
//!
//! let position = AnyPosition::from_fen(Variant::Ultima, "7k/8/8/3mMn2/8/8/8/K7 b")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . m M n . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! let reasons = explain::step(&position, Square::F5, Square::G5, None).unwrap_err();
//! let [Reason::FrozenByImmobilizer { by, .. }] = reasons[..] else { panic!("{reasons:?}") };
//! assert_eq!((by.square, reasons[0].clause(Variant::Ultima)), (Square::E5, "U4"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Giving up
//!
//! Instead of moving, a side may take one of its own frozen men off the board (U14). The step goes from the
//! man's square to the same square. Here White gives up the immobilizer that Black's immobilizer has frozen;
//! the leaper on f5 is free again.
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Variant, coordinate};
//!
//! let mut position = AnyPosition::from_fen(Variant::Ultima, "7k/8/8/3mMn2/8/8/8/K7 w")?;
//! position.try_play(&coordinate::parse(&position, "e5e5")?)?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . m . n . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 K . . . . . . .
//!   a b c d e f g h
//! ");
//! assert!(coordinate::parse(&position, "f5g5").is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use super::abbott::role;
use super::abbott::{AbbottPosition, Rules, first_rank, roles};
use crate::{
    game_info::{Clauses, Freezing, GameInfo, PassingClauses, Repetition, ShuffleInfo, Stalemate},
    role::RoleInfo,
    variant::Variant,
};

/// A playable Ultima position.
pub type Ultima = AbbottPosition<OriginalRules>;

/// The rules of Ultima as first published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OriginalRules;

impl Rules for OriginalRules {
    const VARIANT: Variant = Variant::Ultima;
}

const ROLES: [RoleInfo; 7] = roles("U2");

/// The facts about Ultima.
pub const INFO: GameInfo = GameInfo {
    name: "ultima",
    number: 3,
    // The tag value `Ultima` alone means Baroque, as it did before this game was added.
    pgn_name: Some("Ultima (original rules)"),
    pgn_aliases: &["ultima(originalrules)", "ultimaoriginalrules", "ultimaoriginal", "originalultima"],
    roles: &ROLES,
    royal: Some(role::KING),
    initial_fen: "rnbqkbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
    shuffle: ShuffleInfo { count: 10_080, named: &[], first_rank },
    reserve_roles: &[],
    castling_rook: None,
    en_passant_names_pawn: false,
    repetition: Repetition::Draws,
    stalemate: Stalemate::Loses,
    freezing: Some(Freezing {
        immobilizer: role::IMMOBILIZER,
        chameleon: role::CHAMELEON,
        neutralizable: false,
        gives_up: true,
    }),
    san_lists_taken: true,
    clauses: Clauses {
        prefix: 'U',
        occupied: Some("U3"),
        leap: Some("U8"),
        landing: Some("U3"),
        compulsory: None,
        en_passant: "C8",
        // There is no promotion.
        promotion: "U1",
        king_exposed: Some("U12"),
        checkmate: "U13",
        stalemate: "U13",
        insufficient_material: "U13",
        passing: Some(PassingClauses {
            freezing: "U4",
            pincer: "U6",
            coordination: "U7",
            leap: "U8",
            withdrawal: "U9",
            imitation: "U10",
            imitation_of_king: "U11",
            giving_up: Some("U14"),
        }),
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u12_threats_match_playing_all_enemy_moves() {
        crate::variant::abbott::tests::threats_match_playing_all_enemy_moves::<OriginalRules>();
    }
}
