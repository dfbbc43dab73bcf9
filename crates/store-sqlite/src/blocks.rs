//! Blocks between accounts, and the audience that may see an account's presence.

use adoube_store::{BLOCKS_PER_ACCOUNT, BlockStore, Blocked, BlockedPlayer, Blocks, Result};
use adoube_vocabulary::{Millis, PlayerId, PresenceAudience};
use async_trait::async_trait;
use sqlx::sqlite::SqliteConnection;

use crate::{
    SqliteStore,
    error::translate,
    text::{get, parse},
    writer::Change,
};

struct AddBlock {
    player: PlayerId,
    blocked: PlayerId,
    at: Millis,
}

impl Change for AddBlock {
    type Output = Blocked;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Blocked> {
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM accounts WHERE player IN (?1, ?2) AND name IS NOT NULL) AS accounts, \
             (SELECT count(*) FROM blocks WHERE player = ?1 AND blocked <> ?2) AS blocks",
        )
        .bind(self.player.as_str())
        .bind(self.blocked.as_str())
        .fetch_one(&mut *connection)
        .await
        .map_err(translate)?;
        if get::<i64>(&row, "accounts")? < 2 {
            return Ok(Blocked::NoAccount);
        }
        if get::<i64>(&row, "blocks")? >= i64::from(BLOCKS_PER_ACCOUNT) {
            return Ok(Blocked::Full);
        }
        sqlx::query(
            "INSERT INTO blocks (player, blocked, blocked_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )
        .bind(self.player.as_str())
        .bind(self.blocked.as_str())
        .bind(self.at.0)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(Blocked::Done)
    }
}

struct DeleteBlock {
    player: PlayerId,
    blocked: PlayerId,
}

impl Change for DeleteBlock {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let deleted = sqlx::query("DELETE FROM blocks WHERE player = ?1 AND blocked = ?2")
            .bind(self.player.as_str())
            .bind(self.blocked.as_str())
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(deleted.rows_affected() > 0)
    }
}

struct SetShownTo {
    player: PlayerId,
    shown_to: PresenceAudience,
}

impl Change for SetShownTo {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("UPDATE accounts SET shown_to = ?1 WHERE player = ?2 AND name IS NOT NULL")
            .bind(self.shown_to.name())
            .bind(self.player.as_str())
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

#[async_trait]
impl BlockStore for SqliteStore {
    async fn add_block(&self, player: &PlayerId, blocked: &PlayerId, at: Millis) -> Result<Blocked> {
        self.writer.apply(AddBlock { player: player.clone(), blocked: blocked.clone(), at }).await
    }

    async fn delete_block(&self, player: &PlayerId, blocked: &PlayerId) -> Result<bool> {
        self.writer.apply(DeleteBlock { player: player.clone(), blocked: blocked.clone() }).await
    }

    async fn lookup_blocks(&self, player: &PlayerId) -> Result<Blocks> {
        let rows = sqlx::query(
            "SELECT blocks.player, blocked, blocked_at, name FROM blocks JOIN accounts ON accounts.player = \
             CASE WHEN blocks.player = ?1 THEN blocked ELSE blocks.player END \
             WHERE (blocks.player = ?1 OR blocked = ?1) AND name IS NOT NULL \
             ORDER BY blocked_at DESC, blocks.player, blocked",
        )
        .bind(player.as_str());
        let rows = rows.fetch_all(&self.readers).await.map_err(translate)?;
        let mut blocks = Blocks::default();
        for row in &rows {
            let by: PlayerId = parse(row, "player", "blocks")?;
            if by == *player {
                blocks.blocked.push(BlockedPlayer {
                    player: parse(row, "blocked", "blocks")?,
                    name: get(row, "name")?,
                    at: Millis(get(row, "blocked_at")?),
                });
            } else {
                blocks.blockers.push((by, get(row, "name")?));
            }
        }
        Ok(blocks)
    }

    async fn set_shown_to(&self, player: &PlayerId, shown_to: PresenceAudience) -> Result<()> {
        self.writer.apply(SetShownTo { player: player.clone(), shown_to }).await
    }
}
