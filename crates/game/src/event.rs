//! What is kept of a game. The text of an event is read back years later, so a change of meaning needs a new
//! schema number, and the old ones are still read.
//!
//! - Schema 1: games without clocks.
//! - Schema 2: options of a game, clocks, touch-move, and whatever else the game now knows. A reader of schema 1
//!   would take a game with clocks for one without; that is why the number is another one. All that is
//!   new has a default, with which an event of schema 1 means what it always meant.

use std::fmt;

use adoube_rules::{ByColor, Color, Square, Variant};
use adoube_vocabulary::{GameId, PlayerId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    clock::Times,
    conditions::Condition,
    ending::{GameResult, Reason},
    options::Options,
    touch::TouchOutcome,
};

/// The schema in which events are written; all before it are read.
pub const SCHEMA: u16 = 2;

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
        if (1..=SCHEMA).contains(&number) { Ok(Self(number)) } else { Err(UnknownSchema(number)) }
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

/// What has happened: the one list of it.
///
/// Its JSON is what is kept, and also what is told to those who follow the game. Events that are told otherwise are left out
/// of the TypeScript; `GameEvent` of the protocol has them.
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
    /// A turn in coordinate text, in the form in which the rules write it.
    Played {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        turn: String,
        /// What the clocks show after it.
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
    /// The last turns are no more; the clocks show what they showed before them.
    TakenBack {
        plies: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        clock: Option<Times>,
    },
    /// A side has given time to the other one.
    TimeGiven {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        ms: i64,
        /// What the clocks show now.
        clock: Times,
    },
    /// The side to move has touched a man (C13).
    #[cfg_attr(feature = "typescript", ts(skip))]
    Touched {
        #[serde(with = "as_text")]
        color: Color,
        #[serde(with = "as_text")]
        square: Square,
        /// What it came to; in older logs this is found out when they are read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<TouchOutcome>,
    },
    /// The side to move has said *J'adoube*; its next touch binds nobody (C14).
    Adjusted {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
    },
    /// What a side will answer to turns of the other one. For its eyes only.
    ConditionsSet {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        tree: Vec<Condition>,
    },
    /// The server was down for that time, which is charged to nobody.
    #[cfg_attr(feature = "typescript", ts(skip))]
    Interrupted {
        from_ms: i64,
        until_ms: i64,
        /// What the clocks show now.
        clock: Times,
    },
    #[cfg_attr(feature = "typescript", ts(skip))]
    Ended { result: GameResult, reason: Reason },
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
    /// The rematch is played as the game with the id `next`.
    RematchAccepted {
        #[serde(with = "as_text")]
        #[cfg_attr(feature = "typescript", ts(type = "'white' | 'black'"))]
        color: Color,
        next: GameId,
    },
}

impl EventKind {
    /// Returns whether somebody may know of the event: a player, or a spectator.
    pub fn visible_to(&self, viewer: Option<Color>) -> bool {
        match self {
            Self::ConditionsSet { color, .. } => viewer == Some(*color),
            _ => true,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(number: &u32) -> bool {
    *number == 0
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
    Person { player: PlayerId },
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
    /// Names the event as its `type` does, for logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.into())
    }
}
