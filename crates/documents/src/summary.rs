use adoube_game::{EndReason, TimeControl};
use serde::{Deserialize, Serialize};

use crate::Schema;

/// What lists of games show about a game, in addition to the columns in the store. Contains no names, because
/// names can change.
///
/// Schema 1 was an entry in the API's list of games. It also contained the data of the columns: id, variant,
/// result, side to move, times.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(from = "Stored", rename_all = "camelCase")]
pub struct SummaryDocument {
    pub schema: Schema<2>,
    /// The occupants of the seats.
    pub players: SummarySeats,
    /// The reason why the game is over, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
    /// The number of turns played so far, by both sides.
    pub plies: u32,
    pub time_control: TimeControl,
    /// Whether a player must move or take a touched man (C13).
    pub touch_move: bool,
}

/// Both seats.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SummarySeats {
    pub white: SummarySeat,
    pub black: SummarySeat,
}

/// The occupant of a seat.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum SummarySeat {
    Open,
    /// A person. The store's seats identify the player.
    Person,
    /// The machine, at a level that existed when the game was created and may no longer exist.
    Machine {
        level: u8,
    },
}

/// A document in either format. In schema 1, the reason is part of the status.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    // Parsed only so that newer schemas are refused.
    #[serde(default = "Schema::first", rename = "schema")]
    _schema: Schema<2>,
    players: SummarySeats,
    #[serde(default)]
    reason: Option<EndReason>,
    #[serde(default)]
    status: Option<Status>,
    plies: u32,
    #[serde(default)]
    time_control: TimeControl,
    #[serde(default)]
    touch_move: bool,
}

/// The status in schema 1.
#[derive(Deserialize)]
struct Status {
    #[serde(default)]
    reason: Option<EndReason>,
}

impl From<Stored> for SummaryDocument {
    fn from(stored: Stored) -> Self {
        Self {
            schema: Schema::default(),
            players: stored.players,
            reason: stored.reason.or_else(|| stored.status?.reason),
            plies: stored.plies,
            time_control: stored.time_control,
            touch_move: stored.touch_move,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    fn document() -> SummaryDocument {
        SummaryDocument {
            schema: Schema::default(),
            players: SummarySeats { white: SummarySeat::Person, black: SummarySeat::Machine { level: 3 } },
            reason: Some(EndReason::Checkmate),
            plies: 41,
            time_control: TimeControl::Fischer { initial_ms: 180_000, increment_ms: 2_000 },
            touch_move: true,
        }
    }

    #[test]
    fn its_serialized_form_is_stable() {
        assert_serialized(
            &document(),
            concat!(
                r#"{"schema":2,"players":{"white":{"type":"person"},"black":{"type":"machine","level":3}},"#,
                r#""reason":"checkmate","plies":41,"#,
                r#""timeControl":{"type":"fischer","initialMs":180000,"incrementMs":2000},"touchMove":true}"#
            ),
        );
        let open = SummarySeats { white: SummarySeat::Open, black: SummarySeat::Person };
        let waiting = SummaryDocument {
            players: open,
            reason: None,
            plies: 0,
            time_control: TimeControl::Unlimited,
            touch_move: false,
            ..document()
        };
        assert_serialized(
            &waiting,
            concat!(
                r#"{"schema":2,"players":{"white":{"type":"open"},"black":{"type":"person"}},"#,
                r#""plies":0,"timeControl":{"type":"unlimited"},"touchMove":false}"#
            ),
        );
    }

    #[test]
    fn schema_1_can_be_read() {
        let text = concat!(
            r#"{"id":"4GgHPzOYO9o7","variant":"chess","players":{"white":{"type":"person"},"#,
            r#""black":{"type":"machine","level":3}},"you":null,"#,
            r#""status":{"type":"over","result":"1-0","reason":"checkmate"},"turn":null,"plies":41,"#,
            r#""timeControl":{"type":"fischer","initialMs":180000,"incrementMs":2000},"touchMove":true,"#,
            r#""deadline":null,"createdAt":1750000002000,"updatedAt":1750000003000}"#
        );
        assert_eq!(serde_json::from_str::<SummaryDocument>(text).unwrap(), document());
        // A document from before games had clocks.
        let text = concat!(
            r#"{"id":"4GgHPzOYO9o7","variant":"chess","players":{"white":{"type":"person"},"#,
            r#""black":{"type":"open"}},"you":null,"status":{"type":"waiting"},"turn":"white","plies":0,"#,
            r#""createdAt":1,"updatedAt":1}"#
        );
        let read = serde_json::from_str::<SummaryDocument>(text).unwrap();
        assert_eq!((read.reason, read.time_control, read.touch_move), (None, TimeControl::Unlimited, false));
    }
}
