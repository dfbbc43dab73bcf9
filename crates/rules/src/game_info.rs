//! What is fixed about a game, as data: each game's own file has one value of [`GameInfo`].

use crate::role::{Role, RoleInfo};

/// What is fixed about a game.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug)]
#[non_exhaustive]
pub struct GameInfo {
    /// The stable name, in addresses, settings and logs: `chess`.
    pub name: &'static str,
    /// The stable number, in files of networks and of training positions.
    pub number: u16,
    /// The value of the PGN tag `Variant`; `None` for the game that PGN means without one.
    pub pgn_name: Option<&'static str>,
    /// What collections and programs write in that tag, in lower case and without anything but letters and digits.
    pub pgn_aliases: &'static [&'static str],
    /// The roles, each at its index.
    pub roles: &'static [RoleInfo],
    /// The role whose men must not be left in check; `None` where no man is royal.
    pub royal: Option<Role>,
    /// The FEN of the position in which the game begins.
    pub initial_fen: &'static str,
    /// The shuffled starts.
    pub shuffle: ShuffleInfo,
    /// The roles that go into reserve when taken, in the order in which a FEN counts them; most games have none.
    pub reserve_roles: &'static [Role],
    /// The role with which the king castles, if it does.
    pub castling_rook: Option<Role>,
    /// Whether an en passant field names the pawn beside the square it crossed (N1).
    pub en_passant_names_pawn: bool,
    /// Whether a side that can take must take.
    pub taking_is_compulsory: bool,
    /// What the same position for the third time means.
    pub repetition: Repetition,
    /// Whether a side that has no legal turn, and is not in check, has lost; otherwise it is a draw.
    pub stalemate_loses: bool,
    /// The men by which others are frozen, where there are such.
    pub freezing: Option<Freezing>,
    /// Whether the written turn names the man that takes and lists the men that are taken elsewhere than where it ends (N2), instead of being
    /// written as in orthodox chess.
    pub san_lists_taken: bool,
    /// The clauses by which it is told why.
    pub clauses: Clauses,
}

/// The men by which others are frozen (B4).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Freezing {
    /// Freezes the enemies next to it.
    pub immobilizer: Role,
    /// Neutralizes an immobilizer, as another one does, and freezes it.
    pub chameleon: Role,
}

/// What the same position for the third time means, the same side being to move (C22, I12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// A draw.
    Draws,
    /// The side that brought it about has lost.
    Loses,
}

/// The shuffled starts of a game, see [`shuffle`](crate::shuffle).
#[derive(Debug)]
#[non_exhaustive]
pub struct ShuffleInfo {
    /// How many first ranks there are, numbered from 0.
    pub count: u16,
    /// The first rank of a number below `count`. Numbers keep their first rank from one version to the next.
    pub(crate) first_rank: fn(&mut FirstRank, u16),
}

/// A first rank that is being filled, from the a-file to the h-file.
#[derive(Default, Debug)]
pub(crate) struct FirstRank(pub(crate) [Option<Role>; 8]);

/// The ids of the clauses in `RULES.md` that differ from game to game. `None`: the clause of the man that is meant.
#[derive(Debug)]
#[non_exhaustive]
pub struct Clauses {
    /// The letter with which the game's own clauses begin.
    pub prefix: char,
    /// A man may not go where another one stands.
    pub occupied: Option<&'static str>,
    /// A man may not leap so.
    pub leap: Option<&'static str>,
    /// A man takes where it ends.
    pub landing: Option<&'static str>,
    /// Taking in passing.
    pub en_passant: &'static str,
    /// Promotion, or that there is none.
    pub promotion: &'static str,
    /// The king must not be left to be taken; `None`: C4 for a step of the king, C12 for others.
    pub king_exposed: Option<&'static str>,
    /// Checkmate.
    pub checkmate: &'static str,
    /// No legal turn, and no check.
    pub stalemate: &'static str,
    /// Too little material on both sides.
    pub insufficient_material: &'static str,
}
