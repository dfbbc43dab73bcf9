use adoube_rules::{Color, Draw, Outcome, Win};
use serde::{Deserialize, Serialize};

/// The result of a game, as in PGN.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The game was called off, or an arbiter ended it without a result: it does not count.
    #[serde(rename = "*")]
    NoResult,
}

impl GameResult {
    pub fn win_of(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    pub fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::NoResult => None,
        }
    }

    /// Returns the result as in PGN.
    pub fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::NoResult => "*",
        }
    }
}

/// The reason why a game is over.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum EndReason {
    /// The side to move is checkmated (C16, B13, U13).
    Checkmate,
    /// The side to move has no legal turn, in a variant where that loses (I12, U13).
    NoMoves,
    /// A king was captured (I3).
    KingCaptured,
    /// The side to move has no legal turn, in a variant where that is a draw (C18, B13).
    Stalemate,
    /// Neither side has enough material to win (C19, B13, U13).
    InsufficientMaterial,
    /// Neither side can win by any sequence of turns (C20).
    DeadPosition,
    /// Fifty moves by each side without progress (C21). In chess and Interweave, progress is a pawn move or a
    /// capture; in Baroque and Ultima, it is a turn in which a man leaves the board.
    FiftyMoves,
    /// Seventy-five moves by each side without progress, which end a game under the FIDE rules without a
    /// claim (C21).
    SeventyFiveMoves,
    /// A position has occurred for the third time. This is a draw (C22) or a loss for the side that caused it
    /// (I12).
    Repetition,
    /// A position has occurred for the fifth time, which ends a game under the FIDE rules without a claim
    /// (C22).
    FivefoldRepetition,
    /// The players have agreed to a draw (C24).
    Agreement,
    /// A player has resigned (C17).
    Resignation,
    /// A player has run out of time (C23, I12).
    TimeOut,
    /// A player has run out of time, but the opponent could not win by any sequence of turns, so it is a draw
    /// (C23).
    TimeOutUnwinnable,
    /// A player has left. A draw if the remaining side could not win by any sequence of turns.
    Abandonment,
    /// A player called the game off before both sides had played their first turn.
    Aborted,
    /// The game was called off because a side did not play its first turn in time.
    NoFirstTurn,
    /// A game in a match is lost, because a side called it off or did not play its first turn in time (C25).
    Forfeit,
    /// An arbiter ended the game, with or without a result.
    Adjudication,
}

impl EndReason {
    /// Returns the stable name, such as `king-captured`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The result of a game, with the reason.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ending {
    pub result: GameResult,
    pub reason: EndReason,
}

impl Ending {
    pub fn winner(self) -> Option<Color> {
        self.result.winner()
    }

    pub(crate) fn draw(reason: EndReason) -> Self {
        Self { result: GameResult::Draw, reason }
    }

    pub(crate) fn called_off(reason: EndReason) -> Self {
        Self { result: GameResult::NoResult, reason }
    }

    pub(crate) fn win(winner: Color, reason: EndReason) -> Self {
        Self { result: GameResult::win_of(winner), reason }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Decisive { winner, reason } => Self::win(
                winner,
                match reason {
                    Win::Checkmate => EndReason::Checkmate,
                    Win::KingCaptured => EndReason::KingCaptured,
                    Win::NoMoves => EndReason::NoMoves,
                    Win::Repetition => EndReason::Repetition,
                },
            ),
            Outcome::Draw { reason } => Self::draw(match reason {
                Draw::Stalemate => EndReason::Stalemate,
                Draw::InsufficientMaterial => EndReason::InsufficientMaterial,
                Draw::FiftyMoves => EndReason::FiftyMoves,
                Draw::Repetition => EndReason::Repetition,
            }),
        }
    }
}
