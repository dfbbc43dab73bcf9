//! The hall: who is here, who would like to play, and which games can be watched.

use serde::{Deserialize, Serialize};

use crate::{ChallengeId, ColorChoice, CommandId, GameId, GameSettings, GameSummary, Millis, SeekId};

/// `POST /api/seeks`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreateSeek {
    pub command: CommandId,
    pub color: ColorChoice,
    #[serde(flatten)]
    pub settings: GameSettings,
}

/// The answer to [`CreateSeek`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreatedSeek {
    pub id: SeekId,
}

/// A wish to play, open to all who come.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Seek {
    pub id: SeekId,
    /// Of an account; other visitors have none.
    pub name: Option<String>,
    /// The side that the seeker wants.
    pub color: ColorChoice,
    pub settings: GameSettings,
    pub created_at: Millis,
}

/// `POST /api/challenges`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreateChallenge {
    pub command: CommandId,
    /// The name of an account.
    pub to: String,
    pub color: ColorChoice,
    #[serde(flatten)]
    pub settings: GameSettings,
}

/// The answer to [`CreateChallenge`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreatedChallenge {
    pub id: ChallengeId,
}

/// A wish to play, to one whose name is known.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    pub id: ChallengeId,
    /// The name of the challenger, if it has an account.
    pub from: Option<String>,
    pub to: String,
    /// The side that the challenger wants.
    pub color: ColorChoice,
    pub settings: GameSettings,
    pub created_at: Millis,
}

/// The answer to `GET /api/challenges`.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChallengeList {
    /// That wait for an answer of yours.
    pub received: Vec<Challenge>,
    /// That you made.
    pub sent: Vec<Challenge>,
}

/// Who has a socket of the hall or of a game.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct People {
    /// Everybody, with and without a name.
    pub count: u32,
    /// The names of accounts, in order; at most a hundred.
    pub names: Vec<String>,
}

/// All that there is to see of the hall.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Hall {
    pub seeks: Vec<Seek>,
    /// The seeks among them that are yours.
    pub mine: Vec<SeekId>,
    pub challenges: ChallengeList,
    pub people: People,
    /// Games that began here and can be watched, newest first.
    pub games: Vec<GameSummary>,
}

/// What a client says on the socket of the hall.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum HallClientMessage {
    /// Asks for all of it again.
    Resync,
    Ping,
}

/// What the server says on the socket of the hall.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum HallServerMessage {
    /// First, and whenever something may have been lost on the way.
    Hall {
        hall: Box<Hall>,
    },
    SeekAdded {
        seek: Seek,
    },
    SeekRemoved {
        id: SeekId,
    },
    People {
        people: People,
    },
    Games {
        games: Vec<GameSummary>,
    },
    /// Somebody challenges you, or you somebody from another page.
    Challenge {
        challenge: Challenge,
    },
    /// A challenge to you or of yours is no more.
    ChallengeGone {
        id: ChallengeId,
    },
    /// A seek or a challenge of yours has become a game.
    GameStarted {
        id: GameId,
    },
    /// The message could not be read.
    Refused {
        code: String,
    },
    Pong {
        at: Millis,
    },
}
