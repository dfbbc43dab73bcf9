use serde::{Deserialize, Serialize};

use crate::{ChatRoom, Color, Millis};

/// Something that was said. It is text and nothing else: never read it as HTML.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChatLine {
    /// Grows with time.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    pub room: ChatRoom,
    /// The same for all that one visitor says in one game, so that it can be muted.
    pub author: String,
    /// Of an account; other visitors have none.
    pub name: Option<String>,
    /// The side of a player.
    pub color: Option<Color>,
    pub text: String,
    pub at: Millis,
}
