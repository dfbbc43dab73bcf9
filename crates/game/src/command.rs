use adoube_rules::{Color, coordinate::TurnError};
use thiserror::Error;

use crate::ending::Ending;

/// What a player may ask of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// Takes an open seat.
    Join { color: Color, player: String },
    /// A turn in coordinate text. `ply` is the number of turns that the player has seen: so a turn is never
    /// played in another position than the one it was meant for.
    Play { by: Color, turn: String, ply: usize },
    /// C17
    Resign { by: Color },
    /// C24
    OfferDraw { by: Color },
    /// C24
    AcceptDraw { by: Color },
    /// C24
    DeclineDraw { by: Color },
    /// Fifty moves or threefold repetition, where they do not end the game by themselves (C21, C22).
    ClaimDraw { by: Color },
}

/// Why a command was refused; the game is as before.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    #[error("a seat is still open")]
    NotStarted,
    #[error("the game is over by {}: {}", .0.reason.name(), .0.result.text())]
    Over(Ending),
    #[error("it is {turn}'s turn")]
    NotYourTurn { turn: Color },
    #[error("the turn was meant for ply {seen}, but the game is at ply {now}")]
    OtherPosition { seen: usize, now: usize },
    #[error("the turn is not legal: {0}")]
    Turn(#[from] TurnError),
    #[error("{by}'s offer of a draw stands already")]
    OfferStands { by: Color },
    #[error("one offer of a draw may be made per own turn")]
    OfferedThisTurn,
    #[error("no draw is offered")]
    NoOffer,
    #[error("neither fifty moves nor a threefold repetition can be claimed")]
    NothingToClaim,
    #[error("{color}'s seat is taken")]
    SeatTaken { color: Color },
    #[error("this player sits on {color}'s side already")]
    AlreadySeated { color: Color },
}

impl Refusal {
    /// Returns the stable name, by which a client finds the message in its user's language.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotStarted => "not-started",
            Self::Over(_) => "game-over",
            Self::NotYourTurn { .. } => "not-your-turn",
            Self::OtherPosition { .. } => "other-position",
            Self::Turn(error) => match error {
                TurnError::Syntax(_) => "turn-syntax",
                TurnError::EmptySquare(_) => "turn-empty-square",
                TurnError::NotYourMan { .. } => "turn-not-your-man",
                TurnError::PromotionMissing(_) => "turn-promotion-missing",
                TurnError::Unfinished(_) => "turn-unfinished",
                _ => "turn-illegal",
            },
            Self::OfferStands { .. } => "draw-offer-stands",
            Self::OfferedThisTurn => "draw-offered-this-turn",
            Self::NoOffer => "no-draw-offer",
            Self::NothingToClaim => "nothing-to-claim",
            Self::SeatTaken { .. } => "seat-taken",
            Self::AlreadySeated { .. } => "already-seated",
        }
    }

    /// Returns what the message of this refusal may mention, by name.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::NotStarted | Self::OfferedThisTurn | Self::NoOffer | Self::NothingToClaim => Vec::new(),
            Self::Over(ending) => {
                vec![("result", ending.result.text().into()), ("reason", ending.reason.name().into())]
            }
            Self::NotYourTurn { turn } => vec![("color", turn.to_string())],
            Self::OtherPosition { seen, now } => vec![("seen", seen.to_string()), ("now", now.to_string())],
            Self::Turn(error) => match error {
                TurnError::Syntax(text) => vec![("turn", text.clone())],
                TurnError::EmptySquare(square)
                | TurnError::PromotionMissing(square)
                | TurnError::Unfinished(square) => vec![("square", square.to_string())],
                TurnError::NotYourMan { square, owner } => {
                    vec![("square", square.to_string()), ("color", owner.to_string())]
                }
                TurnError::Illegal { text, from, to } => {
                    vec![("turn", text.clone()), ("from", from.to_string()), ("to", to.to_string())]
                }
                _ => Vec::new(),
            },
            Self::OfferStands { by: color } | Self::SeatTaken { color } | Self::AlreadySeated { color } => {
                vec![("color", color.to_string())]
            }
        }
    }
}
