use adoube_game::Condition;
use serde::{Deserialize, Serialize};

use crate::{GameId, Level, MatchState, Millis, Obligation, TimeControl, Times, TouchState, Version};

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    White,
    Black,
}

/// Which draws come about by themselves, and which have to be claimed (clauses C21 and C22 of the rules).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DrawRules {
    #[default]
    Club,
    Fide,
}

/// Who sits on one side of the board.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Seat {
    Open,
    Person {
        /// Of an account; other visitors have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    Machine {
        level: Level,
    },
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Players {
    pub white: Seat,
    pub black: Seat,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The game was called off.
    #[serde(rename = "*")]
    NoResult,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Status {
    /// A seat is still open.
    Waiting,
    Playing,
    /// `reason` in kebab case: `checkmate`, `stalemate`, `resignation`, `time-out` …
    Over {
        result: GameResult,
        reason: String,
    },
}

/// All that a client needs to show a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Game {
    pub id: GameId,
    /// The name of the game that is played: `chess`, `baroque`, `interweave`.
    pub variant: String,
    pub initial_fen: String,
    pub draw_rules: DrawRules,
    /// Coordinate text of each turn.
    pub turns: Vec<String>,
    pub version: Version,
    pub players: Players,
    /// The side of the visitor who asks; none for a spectator.
    pub you: Option<Color>,
    pub status: Status,
    /// Who offers a draw that is not yet answered.
    pub draw_offer: Option<Color>,
    pub created_at: Millis,
    /// How much time each side has (C25).
    pub time_control: TimeControl,
    /// Time for the first turn of each side, for which its clock does not run.
    pub first_turn_ms: Option<i64>,
    /// The clocks as they stood at the instant `at`; none in a game without.
    pub clock: Option<ClockState>,
    /// Whether who touches a man is held to it (C13).
    pub touch_move: bool,
    /// What the side to move has touched.
    pub touch: TouchState,
    /// Whether turns may be taken back by agreement.
    pub casual: bool,
    /// Who proposes to take turns back and has no answer yet.
    pub takeback: Option<Color>,
    /// Who offers a rematch that is not yet answered.
    pub rematch_offer: Option<Color>,
    /// The game that is the rematch.
    pub rematch: Option<GameId>,
    /// What your side will answer to turns of the other one, while that one is to move.
    pub conditions: Vec<Condition>,
    /// The match that the game belongs to (C25).
    #[serde(rename = "match")]
    pub in_match: Option<MatchState>,
    /// When the server wrote this.
    pub at: Millis,
}

/// Both clocks at one instant.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClockState {
    pub left: Times,
    /// Whose clock runs: nobody's before the game, in the first turn of each side, and after the end.
    pub running: Option<Color>,
    /// For how long the running clock still waits, in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub delay_left_ms: i64,
    /// When the first turn must have been played.
    pub first_turn_until: Option<Millis>,
}

/// A line in the list of a visitor's games.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    pub id: GameId,
    pub variant: String,
    pub players: Players,
    pub you: Option<Color>,
    pub status: Status,
    /// The side to move; none when the game is over.
    pub turn: Option<Color>,
    /// Turns played so far, by both sides.
    pub plies: u32,
    #[serde(default)]
    pub time_control: TimeControl,
    #[serde(default)]
    pub touch_move: bool,
    /// When the time of the side to move is up.
    #[serde(default)]
    pub deadline: Option<Millis>,
    pub created_at: Millis,
    pub updated_at: Millis,
}

/// What happened in a game, as the clients learn it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum GameEvent {
    Joined {
        color: Color,
        seat: Seat,
    },
    /// A turn; it also ends the offer of a draw that the other side had made, every proposal to take turns back,
    /// and all touches.
    Played {
        color: Color,
        turn: String,
        /// What the clocks show after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        clock: Option<Times>,
        /// The lag that was given back, in milliseconds.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
        lag_ms: u32,
    },
    DrawOffered {
        color: Color,
    },
    DrawDeclined,
    TakebackProposed {
        color: Color,
    },
    TakebackDeclined {
        color: Color,
    },
    /// The last turns are no more, nor is anything that was offered or touched.
    TakenBack {
        plies: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        clock: Option<Times>,
    },
    /// A side has given time to the other one.
    TimeGiven {
        color: Color,
        #[cfg_attr(test, ts(type = "number"))]
        ms: i64,
        clock: Times,
    },
    /// The side to move has touched a man (C13); it is held to `obligation` from now on, if to anything.
    Touched {
        color: Color,
        square: String,
        obligation: Option<Obligation>,
    },
    /// The side to move has said *J'adoube*; its next touch binds nobody (C14).
    Adjusted {
        color: Color,
    },
    /// Only the side itself is told.
    ConditionsSet {
        color: Color,
        tree: Vec<Condition>,
    },
    /// Something that only the other player may know. It keeps the versions without a gap.
    Hidden,
    /// The server was down for that time, which is charged to nobody.
    Interrupted {
        from: Millis,
        until: Millis,
        clock: Times,
    },
    Ended {
        result: GameResult,
        reason: String,
        /// What the clocks show for good.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        clock: Option<Times>,
    },
    RematchOffered {
        color: Color,
    },
    RematchDeclined {
        color: Color,
    },
    /// The rematch is played as the game `next`.
    RematchAccepted {
        color: Color,
        next: GameId,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
