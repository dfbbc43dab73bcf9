//! Games, and the state of the whole database.

use adoube_store::{
    Ages, Append, Appended, Boot, Created, Cursor, Downtime, Game, GameFilter, GameStore, Invitation,
    ListedGame, Match, MatchedGame, NewGame, Result, RunningGame, StoreError, StoredEvent, Tidied,
    WriteCounts,
};
use adoube_vocabulary::{CommandId, GameId, InvitationToken, MatchId, Millis, PlayerId, Version};
use async_trait::async_trait;
use uuid::Uuid;

use crate::{
    PostgresStore, read, text,
    write::{games, house, tidy},
};

#[async_trait]
impl GameStore for PostgresStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        games::secret(&self.database, name, fresh).await
    }

    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()> {
        games::set_secret(&self.database, name, value).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        self.check_not_broken()?;
        self.writer.create(game).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        read::games::game(&self.database, id).await
    }

    async fn is_public(&self, id: &GameId) -> Result<bool> {
        read::games::is_public(&self.database, id).await
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        read::games::events(&self.database, id, after).await
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.check_not_broken()?;
        self.writer.append(append).await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        read::games::command(&self.database, player, command).await
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        read::games::invitation(&self.database, token).await
    }

    async fn list_games(&self, filter: &GameFilter) -> Result<Vec<ListedGame>> {
        read::games::games_of(&self.database, filter).await
    }

    async fn list_public(&self, limit: u32) -> Result<Vec<ListedGame>> {
        read::games::public(&self.database, limit).await
    }

    async fn list_awaiting_machine(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<Cursor>> {
        read::games::awaiting_machine(&self.database, after, limit).await
    }

    async fn list_running(&self) -> Result<Vec<RunningGame>> {
        read::games::running(&self.database).await
    }

    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>> {
        read::games::due(&self.database, after, until, limit).await
    }

    fn write_counts(&self) -> Option<WriteCounts> {
        Some(self.writer.counts())
    }

    async fn add_match(&self, new: Match) -> Result<()> {
        games::add_match(&self.database, &new).await
    }

    async fn lookup_match(&self, id: &MatchId) -> Result<Option<Match>> {
        read::games::the_match(&self.database, id).await
    }

    async fn list_match(&self, id: &MatchId) -> Result<Vec<MatchedGame>> {
        read::games::games_of_match(&self.database, id).await
    }

    async fn record_heartbeat(&self, now: Millis) -> Result<()> {
        house::record_heartbeat(&self.database, now).await
    }

    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>> {
        self.database.apply(house::RecordStart(now)).await
    }

    async fn add_downtime(&self, downtime: Downtime) -> Result<()> {
        house::add_downtime(&self.database, downtime).await
    }

    async fn size(&self) -> Result<Option<u64>> {
        read::house::size(&self.database).await.map(Some)
    }

    async fn latest_write(&self) -> Result<Option<Millis>> {
        read::house::latest_write(&self.database).await
    }

    async fn last_boot(&self) -> Result<Option<Boot>> {
        read::house::last_boot(&self.database).await
    }

    async fn set_last_boot(&self, boot: &Boot) -> Result<()> {
        house::set_last_boot(&self.database, boot).await
    }

    async fn tidy(&self, before: &Ages, limit: u32, dry_run: bool) -> Result<Tidied> {
        if dry_run {
            return read::tidy::count(&self.database, before).await;
        }
        self.database.apply(tidy::Tidy { before: *before, limit }).await
    }

    async fn check(&self) -> Result<()> {
        self.writer.check()?;
        self.check_not_broken()?;
        // This changes nothing, but its commit waits for the disk.
        let probe = "SELECT pg_logical_emit_message(true, 'adoube', 'probe')";
        self.database.execute(sqlx::query(probe)).await?;
        let row = self.database.fetch_optional(sqlx::query("SELECT id FROM house")).await?;
        let found = row.as_ref().map(|row| text::get::<Uuid>(row, "id")).transpose()?;
        if found != Some(self.house) {
            let reason = "the database was replaced by another one while it was in use; restart the server";
            self.broken.send_replace(Some(reason.into()));
        }
        self.check_not_broken()
    }

    async fn wait_for_failure(&self) -> StoreError {
        let mut broken = self.broken.subscribe();
        let reason = broken.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
        match reason {
            Some(reason) => StoreError::Broken(reason),
            None => std::future::pending().await,
        }
    }

    async fn close(&self) {
        // The pool closes last: appends that are waiting for a lock use it.
        self.writer.close().await;
        self.database.close().await;
    }
}
