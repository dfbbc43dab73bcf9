use adoube_store::{Boot, Result};
use adoube_vocabulary::Millis;
use sqlx::SqlitePool;

use crate::{error::translate, text::get};

/// Returns the newest time recorded for the heartbeat, for a node or for a game with a deadline. Other games
/// are left out, because no index covers the times of all games.
pub(crate) async fn latest_write(readers: &SqlitePool) -> Result<Option<Millis>> {
    let row = sqlx::query(
        "SELECT max(at) AS newest FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes \
         UNION ALL SELECT updated_at FROM games WHERE deadline IS NOT NULL)",
    )
    .fetch_one(readers)
    .await
    .map_err(translate)?;
    let newest: Option<i64> = get(&row, "newest")?;
    Ok(newest.map(Millis))
}

pub(crate) async fn last_boot(readers: &SqlitePool) -> Result<Option<Boot>> {
    let row = sqlx::query("SELECT id, at FROM boot").fetch_optional(readers).await.map_err(translate)?;
    row.map(|row| Ok(Boot { id: get(&row, "id")?, at: Millis(get(&row, "at")?) })).transpose()
}
