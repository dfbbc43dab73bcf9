//! Facts about a game, as data. Each game's module defines one [`GameInfo`].

use crate::{
    color::Color,
    outcome::{Draw, Outcome, Win},
    role::{Role, RoleInfo},
};

/// Facts about a game.
#[derive(Debug)]
#[non_exhaustive]
pub struct GameInfo {
    /// The stable name, such as `chess`, used in URLs, settings and logs.
    pub name: &'static str,
    /// The stable number, used in network files and in files of training positions.
    pub number: u16,
    /// The value of the PGN tag `Variant`; `None` for the game that PGN assumes if the tag is absent.
    pub pgn_name: Option<&'static str>,
    /// Values that other programs write for that tag, normalised: in lower case, without spaces, dots, dashes
    /// or underscores.
    pub pgn_aliases: &'static [&'static str],
    /// The roles, each at its index.
    pub roles: &'static [RoleInfo],
    /// The royal role, which must not be left in check; `None` if the game has none.
    pub royal: Option<Role>,
    /// The FEN of the position in which the game begins.
    pub initial_fen: &'static str,
    /// The shuffled starts.
    pub shuffle: ShuffleInfo,
    /// Roles that go into reserve when taken, in the order of the FEN; empty in most games.
    pub reserve_roles: &'static [Role],
    /// The role with which the king castles; `None` if the game has no castling.
    pub castling_rook: Option<Role>,
    /// Whether an en passant field names the pawn in addition to the square it crossed (N1).
    pub en_passant_names_pawn: bool,
    /// The effect of repeating a position.
    pub repetition: Repetition,
    /// The result for a side that has no legal turn and is not in check.
    pub stalemate: Stalemate,
    /// The roles that freeze other men; `None` if the game has none.
    pub freezing: Option<Freezing>,
    /// Whether, unlike in chess, SAN also gives the letter of a pawn and lists the men taken on squares other
    /// than the destination (N3).
    pub san_lists_taken: bool,
    /// The rule clauses that explanations refer to.
    pub clauses: Clauses,
}

impl GameInfo {
    /// Returns `true` if a side that can take must take.
    pub const fn taking_is_compulsory(&self) -> bool {
        self.clauses.compulsory.is_some()
    }
}

/// The roles that freeze other men (B4, U4).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Freezing {
    /// Freezes adjacent enemies.
    pub immobilizer: Role,
    /// Freezes an adjacent enemy immobilizer.
    pub chameleon: Role,
    /// Whether an immobilizer or chameleon next to an enemy immobilizer keeps it from freezing other men.
    pub neutralizable: bool,
    /// Whether a side may take one of its frozen men off the board instead of moving (U14).
    pub gives_up: bool,
}

/// The effect of repeating a position with the same side to move (C22, I12). Where repetition loses, it does
/// so at the third occurrence; where it draws, the [draw rules](crate::DrawRules::repetitions) determine at
/// which occurrence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// A draw.
    Draws,
    /// The side whose turn led to the repetition loses.
    Loses,
}

/// The result for a side that has no legal turn and is not in check (C18, U13, I12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stalemate {
    /// Neither side wins.
    Draws,
    /// The side loses.
    Loses,
    /// The side wins, as in games in which a side tries to lose all its men.
    Wins,
}

impl Stalemate {
    /// Returns the outcome for a side that has no legal turn and is not in check.
    pub fn outcome(self, side: Color) -> Outcome {
        match self {
            Self::Draws => Outcome::Draw { reason: Draw::Stalemate },
            Self::Loses => Outcome::Decisive { winner: !side, reason: Win::NoMoves },
            Self::Wins => Outcome::Decisive { winner: side, reason: Win::NoMoves },
        }
    }
}

/// The shuffled starts of a game; see [`shuffle`](crate::shuffle).
#[derive(Debug)]
#[non_exhaustive]
pub struct ShuffleInfo {
    /// The number of shuffled first ranks; they are numbered from 0.
    pub count: u16,
    /// The starts that players can choose by name; empty in most games.
    pub named: &'static [NamedStart],
    /// Fills in the first rank that has the given number, which must be below `count`. The numbering is
    /// stable across versions.
    pub(crate) first_rank: fn(&mut FirstRank, u16),
}

/// A shuffled start with a name of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NamedStart {
    /// The stable name, such as `kings-facing`.
    pub name: &'static str,
    /// The number of White's first rank.
    pub white: u16,
    /// The number of Black's first rank.
    pub black: u16,
}

/// A first rank that is being filled: the role on each square, from the a-file to the h-file.
#[derive(Default, Debug)]
pub(crate) struct FirstRank(pub(crate) [Option<Role>; 8]);

/// Ids of clauses in `RULES.md` that differ between games. `None` means the clause of the man in question,
/// unless the field says otherwise.
#[derive(Debug)]
#[non_exhaustive]
pub struct Clauses {
    /// The first letter of the ids of the game's own clauses.
    pub prefix: char,
    /// A man may not move to an occupied square.
    pub occupied: Option<&'static str>,
    /// A man may not leap over friends, or over two men in a row.
    pub leap: Option<&'static str>,
    /// A man takes by landing on the enemy.
    pub landing: Option<&'static str>,
    /// A side that can take must take; `None` if it need not.
    pub compulsory: Option<&'static str>,
    /// En passant.
    pub en_passant: &'static str,
    /// Promotion, or its absence.
    pub promotion: &'static str,
    /// The king must not be left in check; `None` means C4 for a king step and C12 for other steps.
    pub king_exposed: Option<&'static str>,
    /// Checkmate.
    pub checkmate: &'static str,
    /// No legal turn, and no check.
    pub stalemate: &'static str,
    /// Too little material on both sides.
    pub insufficient_material: &'static str,
    /// The clauses of Abbott's men; `None` if the game is played with other men.
    pub passing: Option<PassingClauses>,
}

/// Ids of the clauses that describe how Abbott's men freeze, and how each takes in passing.
#[derive(Debug)]
#[non_exhaustive]
pub struct PassingClauses {
    /// Men that cannot move.
    pub freezing: &'static str,
    /// Taking a man caught between a pawn and a friend.
    pub pincer: &'static str,
    /// Taking at the corners of a rectangle.
    pub coordination: &'static str,
    /// Taking by leaping over enemies.
    pub leap: &'static str,
    /// Taking by moving away.
    pub withdrawal: &'static str,
    /// Taking each kind of man in that kind's own way.
    pub imitation: &'static str,
    /// Taking a king in the way that a king takes.
    pub imitation_of_king: &'static str,
    /// Giving up a frozen man of one's own; `None` where [`Freezing::gives_up`] says that this is not
    /// allowed.
    pub giving_up: Option<&'static str>,
}
