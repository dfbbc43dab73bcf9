use adoube_rules::{Color, Square, coordinate::TurnError};
use adoube_vocabulary::GameId;
use thiserror::Error;

use crate::{
    conditions::{MAX_CONDITIONS, MAX_CONDITIONS_DEPTH},
    ending::Ending,
    game::LEFT_AFTER_MS,
    touch::Obligation,
};

/// The reason why a command was refused. The game is unchanged.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    #[error("a seat is still open")]
    NotStarted,
    #[error("the game is over: {} ({})", .0.result.text(), .0.reason.name())]
    Over(Ending),
    #[error("it is {turn}'s turn")]
    NotYourTurn { turn: Color },
    #[error("it is your own turn")]
    YourTurn,
    #[error(
        "this was meant for the position at version {seen}, but the position last changed at version {now}"
    )]
    OtherPosition { seen: u64, now: u64 },
    #[error("the turn is not legal: {0}")]
    Turn(#[from] TurnError),
    #[error("{0}")]
    Touched(Obligation),
    #[error("{by} has already offered a draw")]
    DrawOfferPending { by: Color },
    #[error("a player may offer a draw only once per turn")]
    OfferedThisTurn,
    #[error("no draw has been offered")]
    NoOffer,
    #[error("no draw by the fifty-move rule or threefold repetition can be claimed")]
    NothingToClaim,
    #[error("{color}'s seat is taken")]
    SeatTaken { color: Color },
    #[error("this player already has {color}'s seat")]
    AlreadySeated { color: Color },
    #[error("both sides have played their first turn; the game can no longer be called off")]
    FirstTurnsPlayed,
    #[error("the first turns have not been played yet; call the game off instead")]
    FirstTurnsPending,
    #[error("the other side has been away for less than {} s", LEFT_AFTER_MS / 1000)]
    OpponentNotAway,
    #[error("in a correspondence game, players need not be present")]
    Correspondence,
    #[error("turns can be taken back only in casual games")]
    NotCasual,
    #[error("there is no turn of your own to take back")]
    NothingToTakeBack,
    #[error("{by} has already proposed to take turns back")]
    TakebackPending { by: Color },
    #[error("you have already proposed a takeback in this position")]
    TakebackProposedHere,
    #[error("no takeback has been proposed")]
    NoTakeback,
    #[error("time can be given only in live games with a clock")]
    NoClock,
    #[error("no more time can be added to the opponent's clock")]
    ClockLimitReached,
    #[error("the game is played without touch-move")]
    NoTouchMove,
    #[error("{0:?} is not a square")]
    NoSquare(String),
    #[error("there is no man on {0}")]
    TouchEmptySquare(Square),
    #[error("the man on {0} has already been touched")]
    AlreadyTouched(Square),
    #[error("j'adoube has already been said for the next touch")]
    AlreadyAdjusting,
    #[error("j'adoube cannot be said again in this turn")]
    AdjustLimitReached,
    #[error("conditional turns are possible only in correspondence games")]
    NotCorrespondence,
    #[error("more than {MAX_CONDITIONS} conditional turns")]
    TooManyConditions,
    #[error("more than {MAX_CONDITIONS_DEPTH} conditional turns in a row")]
    ConditionsTooDeep,
    #[error("{turn} has two answers")]
    DuplicateCondition { turn: String },
    #[error("the conditional turn {turn:?} is not legal: {source}")]
    Condition { turn: String, source: TurnError },
    #[error(
        "you have reached the game's limit of {limit} touches, offers or changes to conditional turns; each turn raises it"
    )]
    GameLimitReached { limit: u32 },
    #[error("you have reached this turn's limit of {limit} touches, offers or changes to conditional turns")]
    TurnLimitReached { limit: u32 },
    #[error("neither player has run out of time")]
    TimeNotUp,
    #[error("no clock was running at that time")]
    NoClockRunning,
    #[error("the game is not over")]
    NotOver,
    #[error("{by} has already offered a rematch")]
    RematchPending { by: Color },
    #[error("your offer of a rematch was declined")]
    RematchDeclined,
    #[error("no rematch has been offered")]
    NoRematch,
    #[error("a rematch has already been agreed: {next}")]
    RematchAgreed { next: GameId },
    #[error("the rematch game has not been created")]
    RematchMissing,
}

impl Refusal {
    /// Returns the stable name. Clients use it to find the message in the user's language.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotStarted => "not-started",
            Self::Over(_) => "game-over",
            Self::NotYourTurn { .. } => "not-your-turn",
            Self::YourTurn => "your-turn",
            Self::OtherPosition { .. } => "other-position",
            Self::Turn(error) => match error {
                TurnError::Syntax(_) => "turn-syntax",
                TurnError::EmptySquare(_) => "turn-empty-square",
                TurnError::NotYourMan { .. } => "turn-not-your-man",
                TurnError::PromotionMissing(_) => "turn-promotion-missing",
                TurnError::Unfinished(_) => "turn-unfinished",
                _ => "turn-illegal",
            },
            Self::Touched(obligation) => match obligation {
                Obligation::MustMove(_) => "touched-must-move",
                Obligation::MustTake(_) => "touched-must-take",
                Obligation::MustTakeWith { .. } => "touched-must-take-with",
            },
            Self::DrawOfferPending { .. } => "draw-offer-stands",
            Self::OfferedThisTurn => "draw-offered-this-turn",
            Self::NoOffer => "no-draw-offer",
            Self::NothingToClaim => "nothing-to-claim",
            Self::SeatTaken { .. } => "seat-taken",
            Self::AlreadySeated { .. } => "already-seated",
            Self::FirstTurnsPlayed => "first-turns-played",
            Self::FirstTurnsPending => "first-turns-open",
            Self::OpponentNotAway => "still-there",
            Self::Correspondence => "correspondence",
            Self::NotCasual => "not-casual",
            Self::NothingToTakeBack => "nothing-to-take-back",
            Self::TakebackPending { .. } => "takeback-stands",
            Self::TakebackProposedHere => "takeback-proposed-here",
            Self::NoTakeback => "no-takeback",
            Self::NoClock => "no-clock",
            Self::ClockLimitReached => "time-enough",
            Self::NoTouchMove => "no-touch-move",
            Self::NoSquare(_) => "bad-square",
            Self::TouchEmptySquare(_) => "touch-empty-square",
            Self::AlreadyTouched(_) => "touched-already",
            Self::AlreadyAdjusting => "adjusting-already",
            Self::AdjustLimitReached => "adjusted-enough",
            Self::NotCorrespondence => "not-correspondence",
            Self::TooManyConditions => "too-many-conditions",
            Self::ConditionsTooDeep => "conditions-too-deep",
            Self::DuplicateCondition { .. } => "condition-twice",
            Self::Condition { .. } => "condition-illegal",
            Self::GameLimitReached { .. } => "enough-in-game",
            Self::TurnLimitReached { .. } => "enough-this-turn",
            Self::TimeNotUp => "nothing-due",
            Self::NoClockRunning => "no-clock-runs",
            Self::NotOver => "not-over",
            Self::RematchPending { .. } => "rematch-stands",
            Self::RematchDeclined => "rematch-offered",
            Self::NoRematch => "no-rematch",
            Self::RematchAgreed { .. } => "rematch-agreed",
            Self::RematchMissing => "rematch-missing",
        }
    }

    /// Returns the named arguments for this refusal's message.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
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
            Self::Touched(obligation) => [("own", obligation.own_man()), ("enemy", obligation.enemy())]
                .into_iter()
                .filter_map(|(name, square)| Some((name, square?.to_string())))
                .collect(),
            Self::DrawOfferPending { by: color }
            | Self::SeatTaken { color }
            | Self::AlreadySeated { color }
            | Self::TakebackPending { by: color }
            | Self::RematchPending { by: color } => vec![("color", color.to_string())],
            Self::OpponentNotAway => vec![("seconds", (LEFT_AFTER_MS / 1000).to_string())],
            Self::NoSquare(square) => vec![("square", square.clone())],
            Self::TouchEmptySquare(square) | Self::AlreadyTouched(square) => {
                vec![("square", square.to_string())]
            }
            Self::GameLimitReached { limit } | Self::TurnLimitReached { limit } => {
                vec![("limit", limit.to_string())]
            }
            Self::AdjustLimitReached => vec![("limit", crate::touch::ADJUSTS_PER_TURN.to_string())],
            Self::TooManyConditions => vec![("limit", MAX_CONDITIONS.to_string())],
            Self::ConditionsTooDeep => vec![("limit", MAX_CONDITIONS_DEPTH.to_string())],
            Self::DuplicateCondition { turn } | Self::Condition { turn, .. } => vec![("turn", turn.clone())],
            Self::RematchAgreed { next } => vec![("id", next.to_string())],
            Self::NotStarted
            | Self::YourTurn
            | Self::OfferedThisTurn
            | Self::NoOffer
            | Self::NothingToClaim
            | Self::FirstTurnsPlayed
            | Self::FirstTurnsPending
            | Self::Correspondence
            | Self::NotCasual
            | Self::NothingToTakeBack
            | Self::TakebackProposedHere
            | Self::NoTakeback
            | Self::NoClock
            | Self::ClockLimitReached
            | Self::NoTouchMove
            | Self::AlreadyAdjusting
            | Self::NotCorrespondence
            | Self::TimeNotUp
            | Self::NoClockRunning
            | Self::NotOver
            | Self::RematchDeclined
            | Self::NoRematch
            | Self::RematchMissing => Vec::new(),
        }
    }
}
