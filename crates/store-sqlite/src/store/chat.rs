//! Chat messages and reports.

use adoube_store::{ChatAdded, ChatMessage, ChatStore, NewChatMessage, NewReport, Report, Result};
use adoube_vocabulary::{ChatRoom, GameId, PlayerId};
use async_trait::async_trait;

use crate::{SqliteStore, read, write::chat};

#[async_trait]
impl ChatStore for SqliteStore {
    async fn add_message(&self, new: NewChatMessage) -> Result<ChatAdded> {
        self.writer.apply(chat::AddMessage(new)).await
    }

    async fn list_messages(&self, game: &GameId, room: ChatRoom, limit: u32) -> Result<Vec<ChatMessage>> {
        read::chat::messages(&self.readers, game, room, limit).await
    }

    async fn list_messages_of(
        &self,
        player: &PlayerId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatMessage)>> {
        read::chat::messages_of(&self.readers, player, after, limit).await
    }

    async fn add_report(&self, report: NewReport) -> Result<bool> {
        self.writer.apply(chat::AddReport(report)).await
    }

    async fn list_reports(&self, limit: u32) -> Result<Vec<Report>> {
        read::chat::reports(&self.readers, limit).await
    }
}
