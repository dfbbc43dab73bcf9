//! The events in a game's log. Their text is read back years later, so a change of meaning needs a new schema
//! number, and the old schemas must remain readable.
//!
//! - Schema 1: games without clocks.
//! - Schema 2: game options, clocks, touch-move, and everything added since. It has its own number because a
//!   schema 1 reader would mistake a game with clocks for one without. All new fields have defaults that
//!   give a schema 1 event its old meaning.

use std::fmt;

use adoube_rules::{ByColor, Color, Square, Variant};
use adoube_vocabulary::{GameId, PlayerId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    clock::Times,
    conditions::Condition,
    ending::{EndReason, GameResult},
    options::Options,
    touch::TouchOutcome,
};

/// The schema in which events are written. All earlier schemas can be read.
pub const SCHEMA: u16 = 2;

/// A schema that this version cannot read.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("event schema {0} is unknown; the newest known is {SCHEMA}")]
pub struct UnknownSchema(pub u16);

/// The schema of an event, one that this version can read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct Schema(u16);

impl Default for Schema {
    fn default() -> Self {
        Self(SCHEMA)
    }
}

impl TryFrom<u16> for Schema {
    type Error = UnknownSchema;

    fn try_from(number: u16) -> Result<Self, UnknownSchema> {
        if (1..=SCHEMA).contains(&number) { Ok(Self(number)) } else { Err(UnknownSchema(number)) }
    }
}

impl From<Schema> for u16 {
    fn from(schema: Schema) -> Self {
        schema.0
    }
}

/// An entry in a game's log.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub schema: Schema,
    /// The time when the event was decided, in milliseconds since 1970; never before the previous event.
    pub at_ms: i64,
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The kind of an event, with its data. This is the only list of kinds.
///
/// The JSON is stored in the log and also sent to the game's viewers. The TypeScript type leaves out
/// `Created`, which is not sent, and the events that have a different form on the wire; the protocol's
/// `GameEvent` adds these in that form.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, strum::IntoStaticStr)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "KeptEvent"))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum EventKind {
    #[cfg_attr(feature = "typescript", ts(skip))]
    Created {
        #[serde(with = "as_text")]
        variant: Variant,
        initial_fen: String,
        draw_rules: DrawRules,
        seats: Seats,
        #[serde(flatten)]
        options: Options,
    },
    #[cfg_attr(feature = "typescript", ts(skip))]
    Joined {
        #[serde(with = "as_text")]
        color: Color,
        player: PlayerId,
    },
    /// A turn in canonical coordinate notation.
    Played {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        turn: String,
        /// The time left on both clocks after the turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        clock: Option<Times>,
        /// The lag that was given back, in milliseconds.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        lag_ms: u32,
    },
    DrawOffered {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    DrawDeclined {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    TakebackProposed {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    TakebackDeclined {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    /// The last `plies` turns were taken back. The clocks are set to what they showed before those turns.
    TakenBack {
        plies: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        clock: Option<Times>,
    },
    /// A side has given time to the opponent.
    TimeGiven {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        ms: i64,
        /// The time left on both clocks afterwards.
        clock: Times,
    },
    /// The side to move has touched a man (C13).
    #[cfg_attr(feature = "typescript", ts(skip))]
    Touched {
        #[serde(with = "as_text")]
        color: Color,
        #[serde(with = "as_text")]
        square: Square,
        /// The effect of the touch. If it is missing, as in older logs, it is computed when the log is read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<TouchOutcome>,
    },
    /// The side to move has said *j'adoube*; its next touch does not bind it (C14).
    Adjusted {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    /// A side has set its answers to the opponent's turns. Only that side may see them.
    ConditionsSet {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        tree: Vec<Condition>,
    },
    /// The server was down, or the side to move could not reach it; that time is charged to neither side.
    #[cfg_attr(feature = "typescript", ts(skip))]
    Interrupted {
        from_ms: i64,
        until_ms: i64,
        /// The time left on both clocks afterwards.
        clock: Times,
    },
    #[cfg_attr(feature = "typescript", ts(skip))]
    Ended { result: GameResult, reason: EndReason },
    RematchOffered {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    RematchDeclined {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    /// The rematch is the game with the id `next`.
    RematchAccepted {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        next: GameId,
    },
}

impl EventKind {
    /// Returns `true` if a player, or a spectator (`None`), may see the event.
    pub fn visible_to(&self, viewer: Option<Color>) -> bool {
        match self {
            Self::ConditionsSet { color, .. } => viewer == Some(*color),
            _ => true,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Whether the fifty-move rule and threefold repetition end a game automatically or must be claimed (C21,
/// C22), and whether two knights against a bare king are a draw (C19).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRules {
    #[default]
    Club,
    Fide,
}

impl From<DrawRules> for adoube_rules::DrawRules {
    fn from(rules: DrawRules) -> Self {
        match rules {
            DrawRules::Club => Self::Club,
            DrawRules::Fide => Self::Fide,
        }
    }
}

/// The occupant of a seat. The game knows players only by their ids.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Seat {
    Open,
    Person { player: PlayerId },
    Machine { level: u8 },
}

/// Both seats, as stored in events.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Seats {
    pub white: Seat,
    pub black: Seat,
}

impl From<Seats> for ByColor<Seat> {
    fn from(seats: Seats) -> Self {
        Self { white: seats.white, black: seats.black }
    }
}

impl From<ByColor<Seat>> for Seats {
    fn from(seats: ByColor<Seat>) -> Self {
        Self { white: seats.white, black: seats.black }
    }
}

/// Serializes values of the rules crate as text, because that crate's `serde` feature is not enabled.
mod as_text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for EventKind {
    /// Writes the `type` of the event, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.into())
    }
}
