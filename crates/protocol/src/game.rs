use adoube_game::{Condition, EventKind, Times, TouchOutcome};
use serde::{Deserialize, Serialize};

use crate::{
    Color, GameId, GameResult, Level, MatchState, Millis, Obligation, TimeControl, TouchState, Version,
};

/// Determines which draws end the game automatically and which must be claimed (clauses C21 and C22 of the
/// rules), and whether two knights against a bare king are a draw (C19).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DrawRules {
    #[default]
    Club,
    Fide,
}

/// The occupant of one side of the board.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Seat {
    Open,
    Person {
        /// The name of the account; absent for visitors without an account.
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

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Status {
    /// A seat is still open.
    Waiting,
    Playing,
    /// `reason` is in kebab case, such as `checkmate`, `resignation` or `time-out`.
    Over {
        result: GameResult,
        reason: String,
    },
}

/// Everything that a client needs to show a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Game {
    pub id: GameId,
    /// The name of the variant: `chess`, `baroque`, `interweave` or `ultima`.
    pub variant: String,
    pub initial_fen: String,
    pub draw_rules: DrawRules,
    /// The turns so far, in coordinate notation.
    pub turns: Vec<String>,
    pub version: Version,
    pub players: Players,
    /// The visitor's side; `None` for a spectator.
    pub you: Option<Color>,
    pub status: Status,
    /// The side whose draw offer is open.
    pub draw_offer: Option<Color>,
    pub created_at: Millis,
    /// The time control (C25).
    pub time_control: TimeControl,
    /// The time for the first turn of each side, during which its clock does not run, in milliseconds.
    pub first_turn_ms: Option<i64>,
    /// The clocks at time `at`; `None` in a game without clocks.
    pub clock: Option<ClockState>,
    /// Whether a touched man must be moved or taken (C13).
    pub touch_move: bool,
    /// The state of touch-move for the side to move.
    pub touch: TouchState,
    /// Whether turns may be taken back by agreement.
    pub casual: bool,
    /// The side whose takeback proposal is open.
    pub takeback: Option<Color>,
    /// The side whose rematch offer is open.
    pub rematch_offer: Option<Color>,
    /// The id of the rematch.
    pub rematch: Option<GameId>,
    /// The visitor's conditional turns, while the opponent is to move.
    pub conditions: Vec<Condition>,
    /// The match that the game belongs to (C25).
    #[serde(rename = "match")]
    pub in_match: Option<MatchState>,
    /// The time of the snapshot.
    pub at: Millis,
    /// All events since the game was created, in the form that this visitor may see. The client rebuilds the
    /// game from them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<LogEntry>>"))]
    pub log: Vec<LogEntry>,
}

/// One event of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogEntry {
    /// The version of the game after the event.
    pub version: Version,
    pub at: Millis,
    pub event: GameEvent,
}

/// Both clocks at one instant.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClockState {
    pub left: Times,
    /// The side whose clock is running; `None` before the game, during each side's first turn, and after the
    /// game.
    pub running: Option<Color>,
    /// The remaining delay of the running clock, in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub delay_left_ms: i64,
    /// The deadline of the first turn.
    pub first_turn_until: Option<Millis>,
}

/// A row in a list of games.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    pub id: GameId,
    pub variant: String,
    pub players: Players,
    pub you: Option<Color>,
    pub status: Status,
    /// The side to move; `None` when the game is over.
    pub turn: Option<Color>,
    /// The number of turns so far, counting both sides.
    pub plies: u32,
    #[serde(default)]
    pub time_control: TimeControl,
    #[serde(default)]
    pub touch_move: bool,
    /// The deadline of the side to move.
    #[serde(default)]
    pub deadline: Option<Millis>,
    pub created_at: Millis,
    pub updated_at: Millis,
}

/// An event of a game, as sent to clients. Most have the same form as in the store.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum GameEvent {
    /// A player has taken a seat. The seat contains the player's name, if any.
    Joined { color: Color, seat: Seat },
    /// The side to move has touched a man (C13). From then on, `obligation` binds that side. In the log of a
    /// snapshot, `obligation` is always null, because it follows from the events.
    Touched {
        color: Color,
        square: String,
        obligation: Option<Obligation>,
        /// The effect of this touch, such as whether it binds; absent in games from older versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        outcome: Option<TouchOutcome>,
    },
    /// An event that this visitor may not see. It is sent to keep the version numbers contiguous.
    Hidden,
    /// The server was down, or the side to move could not reach it. That time is charged to neither side.
    Interrupted { from: Millis, until: Millis, clock: Times },
    Ended {
        result: GameResult,
        reason: String,
        /// The final state of the clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        clock: Option<Times>,
    },
    /// Any other event.
    #[serde(untagged)]
    Other(EventKind),
}

impl From<EventKind> for GameEvent {
    fn from(kind: EventKind) -> Self {
        Self::Other(kind)
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::Color as Side;

    use super::*;

    #[test]
    fn events_have_the_documented_form() {
        let clock = Times { white: 1, black: 2 };
        let color = Side::White;
        for (text, event) in [
            (
                r#"{"type":"joined","color":"black","seat":{"type":"person","name":"Anna"}}"#,
                GameEvent::Joined { color: Color::Black, seat: Seat::Person { name: Some("Anna".into()) } },
            ),
            (r#"{"type":"draw-declined","color":"white"}"#, EventKind::DrawDeclined { color }.into()),
            (
                r#"{"type":"touched","color":"white","square":"e2","obligation":{"type":"must-move","own":"e2"}}"#,
                GameEvent::Touched {
                    color: Color::White,
                    square: "e2".into(),
                    obligation: Some(Obligation::MustMove { own: "e2".into() }),
                    outcome: None,
                },
            ),
            (r#"{"type":"hidden"}"#, GameEvent::Hidden),
            (
                r#"{"type":"interrupted","from":3,"until":4,"clock":{"white":1,"black":2}}"#,
                GameEvent::Interrupted { from: Millis(3), until: Millis(4), clock },
            ),
            (
                r#"{"type":"ended","result":"1-0","reason":"checkmate"}"#,
                GameEvent::Ended { result: GameResult::WhiteWins, reason: "checkmate".into(), clock: None },
            ),
            (
                r#"{"type":"played","color":"white","turn":"e2e4"}"#,
                EventKind::Played { color, turn: "e2e4".into(), clock: None, lag_ms: 0 }.into(),
            ),
            (
                r#"{"type":"played","color":"white","turn":"e2e4","clock":{"white":1,"black":2},"lagMs":5}"#,
                EventKind::Played { color, turn: "e2e4".into(), clock: Some(clock), lag_ms: 5 }.into(),
            ),
            (r#"{"type":"draw-offered","color":"white"}"#, EventKind::DrawOffered { color }.into()),
            (r#"{"type":"takeback-proposed","color":"white"}"#, EventKind::TakebackProposed { color }.into()),
            (r#"{"type":"takeback-declined","color":"white"}"#, EventKind::TakebackDeclined { color }.into()),
            (r#"{"type":"taken-back","plies":2}"#, EventKind::TakenBack { plies: 2, clock: None }.into()),
            (
                r#"{"type":"time-given","color":"white","ms":15000,"clock":{"white":1,"black":2}}"#,
                EventKind::TimeGiven { color, ms: 15_000, clock }.into(),
            ),
            (r#"{"type":"adjusted","color":"white"}"#, EventKind::Adjusted { color }.into()),
            (
                r#"{"type":"conditions-set","color":"white","tree":[]}"#,
                EventKind::ConditionsSet { color, tree: Vec::new() }.into(),
            ),
            (r#"{"type":"rematch-offered","color":"white"}"#, EventKind::RematchOffered { color }.into()),
            (r#"{"type":"rematch-declined","color":"white"}"#, EventKind::RematchDeclined { color }.into()),
            (
                r#"{"type":"rematch-accepted","color":"white","next":"0123456789AB"}"#,
                EventKind::RematchAccepted { color, next: "0123456789AB".parse().unwrap() }.into(),
            ),
        ] {
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(serde_json::from_str::<GameEvent>(text).unwrap(), event, "{text}");
        }
    }
}
