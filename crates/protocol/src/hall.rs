//! The hall: online visitors, seeks, challenges, and games to watch.

use serde::{Deserialize, Serialize};

use crate::{
    ChallengeId, ColorChoice, CommandId, GameId, GameSettings, GameSummary, HouseSettings, Millis, SeekId,
};

/// `POST /api/seeks`: creates a seek.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreateSeek {
    pub command: CommandId,
    pub color: ColorChoice,
    #[serde(flatten)]
    pub settings: GameSettings,
}

/// The response to [`CreateSeek`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreatedSeek {
    pub id: SeekId,
}

/// An offer to play, open to all visitors.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Seek {
    pub id: SeekId,
    /// The name of the account; `None` for visitors without an account.
    pub name: Option<String>,
    /// The side that the seeker requests.
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

/// The response to [`CreateChallenge`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreatedChallenge {
    pub id: ChallengeId,
}

/// An offer to play, addressed to one account.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    pub id: ChallengeId,
    /// The name of the challenger's account; `None` for visitors without an account.
    pub from: Option<String>,
    pub to: String,
    /// The side that the challenger requests.
    pub color: ColorChoice,
    pub settings: GameSettings,
    pub created_at: Millis,
}

/// The response to `GET /api/challenges`.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChallengeList {
    /// Challenges awaiting the visitor's answer.
    pub received: Vec<Challenge>,
    /// Challenges that the visitor has made.
    pub sent: Vec<Challenge>,
}

/// The response to `POST /api/pairings`. The body of the request is a [`CreateSeek`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum PairingResult {
    /// Another visitor was waiting for the same game, which has begun.
    Game { id: GameId },
    /// No other visitor was waiting, so a seek was created for this one.
    Seek { id: SeekId },
}

/// The visitors who have a hall or game socket.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct People {
    /// The number of visitors, with and without a name.
    pub count: u32,
    /// The names of accounts, sorted; at most a hundred.
    pub names: Vec<String>,
}

/// The complete state of the hall, as a visitor sees it.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Hall {
    /// Increases with each change to the seeks or the visitor's challenges while the socket is open.
    #[cfg_attr(test, ts(type = "number"))]
    pub version: u64,
    pub seeks: Vec<Seek>,
    /// The ids of the visitor's own seeks.
    pub mine: Vec<SeekId>,
    pub challenges: ChallengeList,
    pub people: People,
    /// Games that began in the hall and can be watched, newest first.
    pub games: Vec<GameSummary>,
}

/// The part of the hall that concerns only one visitor.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnProposals {
    /// Increases with each change to the visitor's seeks or challenges while the socket is open.
    #[cfg_attr(test, ts(type = "number"))]
    pub version: u64,
    /// The visitor's own seeks, newest first.
    pub seeks: Vec<Seek>,
    pub challenges: ChallengeList,
}

/// An event in one of the visitor's games that is also announced on other pages.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum GameNews {
    /// The opponent has accepted the visitor's seek, challenge, invitation or rematch offer, or the next game
    /// of a match has begun.
    Started,
    YourTurn,
    /// The opponent proposes a draw, a takeback or a rematch.
    Offer,
    Chat,
    Over,
}

/// A message from a client on the hall socket.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum HallClientMessage {
    /// Requests the complete state of the hall, and all changes from then on.
    ShowLists,
    /// Stops the messages that do not concern the visitor.
    HideLists,
    /// Requests the socket's first message again.
    Resync,
    Ping,
}

/// A message from the server on the hall socket.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum HallServerMessage {
    /// The first message to a client that shows the lists. Sent again whenever messages may have been lost.
    Hall {
        hall: Box<Hall>,
    },
    /// The counterpart of `Hall` for clients that do not show the lists.
    Own {
        own: Box<OwnProposals>,
    },
    SeekAdded {
        seek: Seek,
        /// Whether the seek is known to be the visitor's own.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        mine: bool,
        /// The version of the hall after this change.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
    },
    SeekRemoved {
        id: SeekId,
        /// The version of the hall after this change.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
    },
    People {
        people: People,
    },
    Games {
        games: Vec<GameSummary>,
    },
    /// The settings of the house have changed.
    House {
        settings: Box<HouseSettings>,
    },
    /// A challenge to the visitor, or one that the visitor has made.
    Challenge {
        challenge: Challenge,
        /// The version of the hall after this change.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
    },
    /// A challenge to or from the visitor is no longer open.
    ChallengeGone {
        id: ChallengeId,
        /// The version of the hall after this change.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
    },
    /// News about a game in which the visitor has a seat but no open socket.
    Game {
        news: GameNews,
        game: Box<GameSummary>,
    },
    /// The client's request was not carried out, or its message could not be read.
    Refused {
        code: String,
    },
    /// The answer to a ping. A client with an earlier version of the hall has missed a message.
    Pong {
        at: Millis,
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
    },
}
