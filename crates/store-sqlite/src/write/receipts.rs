//! Deletes the receipts of deleted games.
//!
//! Receipts are stored by player, so that no player can find or block another player's commands. With an
//! index by game, each turn would write one more page. Games are deleted rarely, so all receipts are searched
//! afterwards.

use adoube_store::Result;
use sqlx::sqlite::SqliteConnection;

use crate::{error::translate, text::get, writer::Change};

/// The number of receipts to search in one transaction, which takes a few milliseconds.
const ROWS_PER_SWEEP: i64 = 2_000;

/// The key of a receipt. The default sorts before all keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReceiptKey {
    player: String,
    command: Vec<u8>,
}

/// Searches a batch of receipts after a key, and deletes those of deleted games. Returns the last key of the
/// batch, or `None` if no receipts are left to search.
pub(crate) struct SweepReceipts {
    pub(crate) after: ReceiptKey,
}

impl Change for SweepReceipts {
    type Output = Option<ReceiptKey>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Option<ReceiptKey>> {
        let ReceiptKey { player, command } = &self.after;
        let row = sqlx::query(
            "SELECT player, id FROM commands WHERE (player, id) > (?, ?) ORDER BY player, id LIMIT 1 OFFSET ?",
        )
        .bind(player)
        .bind(command)
        .bind(ROWS_PER_SWEEP - 1)
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
        let last = match row {
            Some(row) => Some(ReceiptKey { player: get(&row, "player")?, command: get(&row, "id")? }),
            None => None,
        };
        let delete = match &last {
            Some(last) => sqlx::query(
                "DELETE FROM commands WHERE (player, id) > (?, ?) AND (player, id) <= (?, ?) \
                 AND NOT EXISTS (SELECT 1 FROM games WHERE games.id = commands.game)",
            )
            .bind(player)
            .bind(command)
            .bind(&last.player)
            .bind(&last.command),
            None => sqlx::query(
                "DELETE FROM commands WHERE (player, id) > (?, ?) \
                 AND NOT EXISTS (SELECT 1 FROM games WHERE games.id = commands.game)",
            )
            .bind(player)
            .bind(command),
        };
        delete.execute(connection).await.map_err(translate)?;
        Ok(last)
    }
}
