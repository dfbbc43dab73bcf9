use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

/// The reason why a string is not an id.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum IdError {
    /// The text has the wrong length for this kind of id.
    #[error("an id of this kind must have {expected} characters, not {found}")]
    Length { expected: usize, found: usize },
    /// The text contains a character other than ASCII letters and digits.
    #[error("an id can contain only ASCII letters and digits, not {0:?}")]
    Character(char),
}

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn check(text: &str, expected: usize) -> Result<(), IdError> {
    if let Some(other) = text.chars().find(|character| !character.is_ascii_alphanumeric()) {
        return Err(IdError::Character(other));
    }
    if text.len() == expected { Ok(()) } else { Err(IdError::Length { expected, found: text.len() }) }
}

/// Returns the last `length` digits of a number in base 62. Twenty digits hold fewer than 120 of its 128
/// bits, so the modulo bias is too small to matter.
fn digits(mut number: u128, length: usize) -> String {
    let mut text = String::with_capacity(length);
    for _ in 0..length {
        text.push(char::from(ALPHABET[(number % 62) as usize]));
        number /= 62;
    }
    text
}

/// Defines one newtype per entity: a fixed number of ASCII letters and digits, checked on input.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $length:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        #[serde(try_from = "String", into = "String")]
        #[cfg_attr(feature = "typescript", ts(type = "string"))]
        pub struct $name(Box<str>);

        impl $name {
            /// The number of characters.
            pub const LENGTH: usize = $length;

            /// Returns the id for a random number, which the caller provides.
            pub fn from_random(random: u128) -> Self {
                Self(digits(random, $length).into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                check(text, $length)?;
                Ok(Self(text.into()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                check(&text, $length)?;
                Ok(Self(text.into()))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    )*};
}

ids! {
    /// The id of a game, as in its address.
    GameId, 12;
    /// The id of a visitor. No page shows it. Outside the server, only the visitor's signed cookie and the
    /// signed tokens that turn off notifications and reminders contain it.
    PlayerId, 20;
    /// The token of an invitation to a game. The first visitor, other than the inviting player, who accepts
    /// the invitation takes the open seat.
    InvitationToken, 20;
    /// The id of a match: several games that belong together (C25).
    MatchId, 12;
    /// The id of a seek: a proposal to play, open to all visitors.
    SeekId, 12;
    /// The id of a challenge: a proposal to play, addressed to one account.
    ChallengeId, 12;
    /// The id of an account's session. It does not grant access; the secret is in the cookie.
    SessionId, 12;
    /// The id of a server process, from its start to its end.
    NodeId, 12;
    /// The id of a composed problem.
    ProblemId, 12;
    /// The id of an analysis saved by an account.
    AnalysisId, 12;
    /// A token that allows an account's owner to choose a new password.
    RecoveryToken, 20;
}

/// The id of a command. The client chooses the id, and can therefore safely send the command again.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", ts(type = "string"))]
pub struct CommandId(pub Uuid);

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A version. A game's version is the number of events in its log; the versions of an analysis and of an
/// account's preferences increase with each change.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", ts(type = "number"))]
pub struct Version(pub u64);

impl Version {
    /// Returns the version after one more event.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Milliseconds since 1970, by the server's clock.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", ts(type = "number"))]
pub struct Millis(pub i64);

/// The error for a level that the machine does not have.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("the machine has levels 1 to 10, not {0}")]
pub struct LevelError(pub u8);

/// The machine's playing strength.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "typescript", ts(type = "1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10"))]
pub struct Level(u8);

impl Level {
    /// The strongest level.
    pub const MAX: u8 = 10;

    pub fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Level {
    type Error = LevelError;

    fn try_from(level: u8) -> Result<Self, LevelError> {
        if (1..=Self::MAX).contains(&level) { Ok(Self(level)) } else { Err(LevelError(level)) }
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_and_refuse_invalid_text() {
        let id = GameId::from_random(u128::MAX / 3);
        assert_eq!(id.as_str().parse(), Ok(id.clone()));
        assert_eq!(id.as_str().len(), GameId::LENGTH);
        assert_eq!("short".parse::<GameId>(), Err(IdError::Length { expected: 12, found: 5 }));
        assert_eq!("../../passwd".parse::<GameId>(), Err(IdError::Character('.')));
        assert_eq!("éééééééééééé".parse::<GameId>(), Err(IdError::Character('é')));
        serde_json::from_str::<GameId>("\"x\"").unwrap_err();
    }

    #[test]
    fn different_randomness_gives_different_ids() {
        let ids: std::collections::BTreeSet<_> = (0..1000).map(PlayerId::from_random).collect();
        assert_eq!(ids.len(), 1000);
    }

    #[test]
    fn levels_are_one_to_ten() {
        assert_eq!(serde_json::from_str::<Level>("10").unwrap().get(), 10);
        for level in ["0", "11", "256", "-1", "\"1\""] {
            serde_json::from_str::<Level>(level).unwrap_err();
        }
    }
}
