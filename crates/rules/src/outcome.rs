//! The ways in which a game can end on the board.
//!
//! Resignation, agreement and the clock belong to the game, not to the position: see `adoube-game`.

use std::fmt;

use crate::color::Color;

/// The reason why a side has won. A new reason requires a new major version, because code that reports the
/// end of a game must know every reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Win {
    /// The king is in check and there is no legal turn (C16, B13).
    Checkmate,
    /// A king was taken (I3).
    KingCaptured,
    /// The side to move has no legal turn, and by the rules of its game it loses (U13, I12) or wins.
    NoMoves,
    /// The other side has brought about a position for the third time (I12).
    Repetition,
}

/// The reason why a game is drawn. A new reason requires a new major version, as with [`Win`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Draw {
    /// No legal turn, and no check (C18, B13).
    Stalemate,
    /// Too little material on both sides (C19, B13).
    InsufficientMaterial,
    /// Fifty turns by each side without progress, or seventy-five if draws must be claimed (C21).
    FiftyMoves,
    /// The same position for the third time, or for the fifth if draws must be claimed (C22).
    Repetition,
}

/// The way in which a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Outcome {
    /// One side has won.
    Decisive {
        /// The side that has won.
        winner: Color,
        /// The reason.
        reason: Win,
    },
    /// The game is drawn.
    Draw {
        /// The reason.
        reason: Draw,
    },
}

/// The draws that end a game automatically, chosen when the game is created (C19, C21, C22).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum DrawRules {
    /// Fifty moves and threefold repetition end the game. Two knights against a bare king is a draw.
    #[default]
    Club,
    /// Fifty moves and threefold repetition must be claimed; 75 moves and fivefold repetition end the game.
    /// Two knights against a bare king is not a draw.
    Fide,
}

impl Win {
    /// Returns the stable name of the reason, such as `king-captured`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::KingCaptured => "king-captured",
            Self::NoMoves => "no-moves",
            Self::Repetition => "repetition",
        }
    }
}

impl Draw {
    /// Returns the stable name of the reason, such as `fifty-moves`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient-material",
            Self::FiftyMoves => "fifty-moves",
            Self::Repetition => "repetition",
        }
    }
}

impl Outcome {
    /// Returns the side that has won, if one has.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Decisive { winner, .. } => Some(winner),
            Self::Draw { .. } => None,
        }
    }

    /// Returns the stable name of the reason.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Decisive { reason, .. } => reason.name(),
            Self::Draw { reason } => reason.name(),
        }
    }
}

/// Writes the result as PGN does: `1-0`, `0-1`, `1/2-1/2`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        })
    }
}
