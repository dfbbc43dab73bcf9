use serde::{Deserialize, Serialize};

use crate::{ChatRoom, Color, Millis};

/// A chat message. It is plain text and must never be interpreted as HTML.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChatLine {
    /// The id, larger than those of earlier messages.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    pub room: ChatRoom,
    /// A tag that is the same for all messages by one visitor in one game. It allows muting that visitor.
    pub author: String,
    /// The name of the account; `None` for visitors without an account.
    pub name: Option<String>,
    /// The author's side if the author is a player; `None` for a spectator.
    pub color: Option<Color>,
    pub text: String,
    pub at: Millis,
}
