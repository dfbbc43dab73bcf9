//! What is kept of a game. The text of an event is read back years later, so a change of meaning needs a new
//! schema number, and the old one is still read.

use std::fmt;

use adoube_rules::{ByColor, Color, Variant};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ending::{GameResult, Reason};

/// The schema in which events are written.
pub const SCHEMA: u16 = 1;

/// A schema that this version cannot read.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("events of schema {0} are unknown; the newest known is {SCHEMA}")]
pub struct UnknownSchema(pub u16);

/// The schema of an event that could be read.
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
        if number == SCHEMA { Ok(Self(number)) } else { Err(UnknownSchema(number)) }
    }
}

impl From<Schema> for u16 {
    fn from(schema: Schema) -> Self {
        schema.0
    }
}

/// One entry of a game's log.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub schema: Schema,
    /// When the command came, in milliseconds since 1970; never earlier than the event before.
    pub at_ms: i64,
    #[serde(flatten)]
    pub kind: EventKind,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum EventKind {
    Created {
        #[serde(with = "as_text")]
        variant: Variant,
        initial_fen: String,
        draw_rules: DrawRules,
        seats: Seats,
    },
    Joined {
        #[serde(with = "as_text")]
        color: Color,
        player: String,
    },
    /// A turn in coordinate text, in the form in which the rules write it.
    Played {
        #[serde(with = "as_text")]
        color: Color,
        turn: String,
    },
    DrawOffered {
        #[serde(with = "as_text")]
        color: Color,
    },
    DrawDeclined {
        #[serde(with = "as_text")]
        color: Color,
    },
    Ended {
        result: GameResult,
        reason: Reason,
    },
}

/// Which draws end a game by themselves (C19, C21, C22).
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

/// Who sits on a side. Who a player is, the game does not know.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Seat {
    Open,
    Person { player: String },
    Machine { level: u8 },
}

/// Both seats, as events keep them.
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

/// Values of `rules`, which knows nothing of serde, by the text that they are written as.
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
    /// Names the event, for logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Created { .. } => "created",
            Self::Joined { .. } => "joined",
            Self::Played { .. } => "played",
            Self::DrawOffered { .. } => "draw-offered",
            Self::DrawDeclined { .. } => "draw-declined",
            Self::Ended { .. } => "ended",
        })
    }
}
