use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A side of the board.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    White,
    Black,
}

/// The audience of a chat message: players and spectators each have their own room.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChatRoom {
    Players,
    Watchers,
}

/// The visitor's games that `GET /api/games?state=` lists.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ListState {
    /// All of the visitor's games.
    #[default]
    Mine,
    /// Games in which it is the visitor's turn, most urgent first.
    Waiting,
    /// Games that are not over.
    Playing,
    Finished,
}

/// The result of a game, as in PGN.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The game was called off, or an arbiter ended it without a result.
    #[serde(rename = "*")]
    NoResult,
}

/// An account's rights beyond those of a member.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// May do everything.
    Administrator,
    /// Handles reports; invites and approves members; renames, silences, closes and reopens their accounts,
    /// and ends their sessions; hides games.
    Moderator,
    /// Creates accounts for pupils and resets their passwords; renames, silences, closes, reopens and deletes
    /// these accounts, and ends their sessions.
    Teacher,
    /// Adjudicates games, with or without a result, and hides them.
    Arbiter,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Administrator, Self::Moderator, Self::Teacher, Self::Arbiter];

    /// Returns the stable name, such as `moderator`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Administrator => "administrator",
            Self::Moderator => "moderator",
            Self::Teacher => "teacher",
            Self::Arbiter => "arbiter",
        }
    }
}

/// A string that is not the name of a role.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is not one of administrator, moderator, teacher, arbiter")]
pub struct RoleError(pub String);

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        Self::ALL.into_iter().find(|role| role.name() == text).ok_or_else(|| RoleError(text.to_owned()))
    }
}

/// Whether an account can be used.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AccountState {
    #[default]
    Open,
    /// The account is waiting for approval, and cannot be used to sign in yet.
    Pending,
    /// The account was closed, and cannot be used to sign in.
    Closed,
}

/// The outcome of a report.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ReportOutcome {
    /// The report was justified.
    Upheld,
    /// The message was acceptable.
    Dismissed,
}

/// The policy for registration.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    #[default]
    Open,
    /// Only with an invitation from an administrator or a moderator.
    Invitation,
    /// Open to every visitor, but an administrator or a moderator must approve the account.
    Approval,
    /// No registration. Administrators and moderators can still invite, and teachers can still add pupils.
    Closed,
}

/// The visitors who may see that a player is online. In the player's own games, all visitors may see it.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PresenceAudience {
    #[default]
    Everybody,
    /// Visitors who are signed in.
    Members,
    /// The player is invisible.
    Nobody,
}

impl PresenceAudience {
    pub const ALL: [Self; 3] = [Self::Everybody, Self::Members, Self::Nobody];

    /// Returns the stable name, such as `members`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everybody => "everybody",
            Self::Members => "members",
            Self::Nobody => "nobody",
        }
    }
}

/// The policy for the chat.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChatPolicy {
    #[default]
    Everybody,
    /// All visitors except pupils, whose accounts belong to a teacher's class.
    NoPupils,
    Nobody,
}
