use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CommandId, Game, GameId, GameSettings, GameSummary, InvitationToken, Level};

/// The side that the creator of a game requests.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ColorChoice {
    White,
    Black,
    Random,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum OpponentChoice {
    /// The visitor who uses the invitation.
    Friend,
    Machine {
        level: Level,
    },
}

/// `POST /api/games`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreateGame {
    pub command: CommandId,
    pub color: ColorChoice,
    pub opponent: OpponentChoice,
    #[serde(flatten)]
    pub settings: GameSettings,
}

/// The response to [`CreateGame`]. There is no invitation if no seat is open.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CreatedGame {
    pub id: GameId,
    pub invitation: Option<InvitationToken>,
}

/// The response to `GET /api/invitations/{token}`. The request does not take the seat.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// The game as the visitor sees it. The visitor can take the open seat if the game is waiting for an
    /// opponent, the visitor is not already a player, and neither the visitor nor the inviting player has
    /// blocked the other. In a correspondence game, the visitor must also have an account.
    pub game: Box<Game>,
    /// Whether the inviting player has a page of this site open; `false` if that player has blocked the
    /// visitor.
    pub host_is_here: bool,
}

/// The response to `POST /api/invitations/{token}`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JoinedGame {
    pub id: GameId,
}

/// The response to `GET /api/games`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameList {
    pub games: Vec<GameSummary>,
    /// The value of `cursor` for the next page; null on the last one.
    pub next: Option<String>,
}

/// The body of every error response.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorBody {
    pub error: ErrorDetail,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorDetail {
    /// A stable code that the client uses to look up the message in the visitor's language.
    pub code: String,
    pub args: BTreeMap<String, String>,
    /// An English message, for those who use the API without the client.
    pub message: String,
}
