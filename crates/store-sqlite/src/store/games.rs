//! Games, and the state of the whole database.

use std::sync::atomic::Ordering::Relaxed;

use adoube_store::{
    Ages, Append, Appended, Boot, Created, Cursor, Downtime, Game, GameFilter, GameStore, Invitation,
    ListedGame, Match, MatchedGame, NewGame, Result, RunningGame, StoreError, StoredEvent, Tidied,
    WriteCounts,
};
use adoube_vocabulary::{CommandId, GameId, InvitationToken, MatchId, Millis, PlayerId, Version};
use async_trait::async_trait;

use crate::{
    SqliteStore, read,
    write::{
        games, house,
        receipts::{ReceiptKey, SweepReceipts},
        tidy,
    },
};

#[async_trait]
impl GameStore for SqliteStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        self.writer.apply(games::Secret { name: name.to_owned(), fresh: fresh.to_owned() }).await
    }

    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()> {
        self.writer.apply(games::SetSecret { name: name.to_owned(), value: value.to_owned() }).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        self.writer.apply(games::AddGame(game)).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        read::games::game(&self.readers, id).await
    }

    async fn is_public(&self, id: &GameId) -> Result<bool> {
        read::games::is_public(&self.readers, id).await
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        read::games::events(&self.readers, id, after).await
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.writer.append(append).await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        read::games::command(&self.readers, player, command).await
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        read::games::invitation(&self.readers, token).await
    }

    async fn list_games(&self, filter: &GameFilter) -> Result<Vec<ListedGame>> {
        read::games::games_of(&self.readers, filter).await
    }

    async fn list_public(&self, limit: u32) -> Result<Vec<ListedGame>> {
        read::games::public(&self.readers, limit).await
    }

    async fn list_awaiting_machine(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<Cursor>> {
        read::games::awaiting_machine(&self.readers, after, limit).await
    }

    async fn list_running(&self) -> Result<Vec<RunningGame>> {
        read::games::running(&self.readers).await
    }

    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>> {
        read::games::due(&self.readers, after, until, limit).await
    }

    fn write_counts(&self) -> Option<WriteCounts> {
        Some(self.writer.counts())
    }

    async fn add_match(&self, new: Match) -> Result<()> {
        self.writer.apply(games::AddMatch(new)).await
    }

    async fn lookup_match(&self, id: &MatchId) -> Result<Option<Match>> {
        read::games::the_match(&self.readers, id).await
    }

    async fn list_match(&self, id: &MatchId) -> Result<Vec<MatchedGame>> {
        read::games::games_of_match(&self.readers, id).await
    }

    async fn record_heartbeat(&self, now: Millis) -> Result<()> {
        self.writer.apply(house::RecordHeartbeat(now)).await
    }

    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>> {
        self.writer.apply(house::RecordStart(now)).await
    }

    async fn add_downtime(&self, downtime: Downtime) -> Result<()> {
        self.writer.apply(house::AddDowntime(downtime)).await
    }

    async fn latest_write(&self) -> Result<Option<Millis>> {
        read::house::latest_write(&self.readers).await
    }

    async fn last_boot(&self) -> Result<Option<Boot>> {
        read::house::last_boot(&self.readers).await
    }

    async fn set_last_boot(&self, boot: &Boot) -> Result<()> {
        self.writer.apply(house::SetLastBoot(boot.clone())).await
    }

    async fn tidy(&self, before: &Ages, limit: u32, dry_run: bool) -> Result<Tidied> {
        if dry_run {
            return read::tidy::count(&self.readers, before).await;
        }
        let tidied = self.writer.apply(tidy::Tidy { before: *before, limit }).await?;
        if tidied.games() > 0 {
            self.has_stray_receipts.store(true, Relaxed);
        }
        // Only after the last batch, because this reads every receipt.
        if tidied.largest_count() < limit.into() && self.has_stray_receipts.load(Relaxed) {
            let mut next = Some(ReceiptKey::default());
            while let Some(after) = next {
                next = self.writer.apply(SweepReceipts { after }).await?;
            }
            self.has_stray_receipts.store(false, Relaxed);
        }
        Ok(tidied)
    }

    async fn check(&self) -> Result<()> {
        self.writer.check()?;
        self.data_file.check()?;
        self.data_file.check_space().await?;
        read::games::check(&self.readers).await
    }

    fn free_bytes(&self) -> Option<u64> {
        self.data_file.free_bytes()
    }

    async fn size(&self) -> Result<Option<u64>> {
        Ok(Some(self.data_file.size()))
    }

    async fn wait_for_failure(&self) -> StoreError {
        self.writer.wait_for_failure().await
    }

    async fn close(&self) {
        // The writer closes last: closing its connection empties the write-ahead log, and then the lock is
        // released.
        self.readers.close().await;
        self.writer.close().await;
    }
}
