//! Chat messages and reports.

use adoube_store::{ChatAdded, ChatMessage, ChatStore, NewChatMessage, NewReport, Report, Result};
use adoube_vocabulary::{ChatRoom, GameId, PlayerId};
use async_trait::async_trait;

use crate::{PostgresStore, read, write::chat};

#[async_trait]
impl ChatStore for PostgresStore {
    async fn add_message(&self, new: NewChatMessage) -> Result<ChatAdded> {
        chat::add_message(&self.database, &new).await
    }

    async fn list_messages(&self, game: &GameId, room: ChatRoom, limit: u32) -> Result<Vec<ChatMessage>> {
        read::chat::messages(&self.database, game, room, limit).await
    }

    async fn list_messages_of(
        &self,
        player: &PlayerId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatMessage)>> {
        read::chat::messages_of(&self.database, player, after, limit).await
    }

    async fn add_report(&self, report: NewReport) -> Result<bool> {
        chat::add_report(&self.database, &report).await
    }

    async fn list_reports(&self, limit: u32) -> Result<Vec<Report>> {
        read::chat::reports(&self.database, limit).await
    }
}
