use adoube_vocabulary::{ChatRoom, Color, CommandId, GameId, Millis, PlayerId};
use async_trait::async_trait;

use crate::Result;

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewChatMessage {
    pub game: GameId,
    pub room: ChatRoom,
    pub player: PlayerId,
    pub command: CommandId,
    pub color: Option<Color>,
    pub text: String,
    pub at: Millis,
}

/// A chat message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ChatMessage {
    pub id: i64,
    pub room: ChatRoom,
    pub player: PlayerId,
    /// The name of the author's account, if there is one.
    pub name: Option<String>,
    pub color: Option<Color>,
    pub text: String,
    pub at: Millis,
}

/// The outcome of [`ChatStore::add_message`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChatAdded {
    /// The id of the new message.
    New(i64),
    /// The player has already sent this message with the same command id.
    Repeated,
    /// The player has already used this command id for a different message.
    CommandReused,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewReport {
    pub game: GameId,
    /// The reporter's room. Messages in other rooms cannot be reported.
    pub room: ChatRoom,
    /// The id of the reported message.
    pub message: i64,
    /// The reporter.
    pub player: PlayerId,
    pub reason: String,
    pub at: Millis,
}

/// The number of messages before and after a reported one that are stored with the report.
pub const CONTEXT_MESSAGES: u32 = 10;

/// A report, with the messages as they were when it was made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Report {
    pub report: NewReport,
    /// The author of the reported message.
    pub author: PlayerId,
    /// The name of the author's account at the time of the report.
    pub name: Option<String>,
    /// The reported message and its neighbours in the room, oldest first.
    pub messages: Vec<ChatMessage>,
}

#[async_trait]
pub trait ChatStore: Send + Sync {
    /// Adds a message, unless the player has already used its command id.
    async fn add_message(&self, new: NewChatMessage) -> Result<ChatAdded>;

    /// Lists the last messages of a room, oldest first.
    async fn list_messages(&self, game: &GameId, room: ChatRoom, limit: u32) -> Result<Vec<ChatMessage>>;

    /// Lists a page of a player's messages, oldest first, each with its game. The page starts after the
    /// message with the id `after`.
    async fn list_messages_of(
        &self,
        player: &PlayerId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatMessage)>>;

    /// Adds a report, at most one per player and message, together with up to [`CONTEXT_MESSAGES`] messages
    /// on either side. The report remains when the messages are deleted. Returns `false` if the message does
    /// not exist in the room.
    async fn add_report(&self, report: NewReport) -> Result<bool>;

    /// Lists reports, newest first.
    async fn list_reports(&self, limit: u32) -> Result<Vec<Report>>;
}
