use adoube_store::{Boot, Result};
use adoube_vocabulary::Millis;

use crate::{database::Database, text::get};

/// Selects the newest time recorded for the heartbeat, for a node or for a game with a deadline. Other games
/// are left out, because no index covers the times of all games.
pub(crate) const LATEST_WRITE: &str = "SELECT max(at) AS newest FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes \
     UNION ALL SELECT updated_at FROM games WHERE deadline IS NOT NULL) AS times";

pub(crate) async fn latest_write(database: &Database) -> Result<Option<Millis>> {
    let row = database.fetch_one(sqlx::query(LATEST_WRITE)).await?;
    let newest: Option<i64> = get(&row, "newest")?;
    Ok(newest.map(Millis))
}

/// Returns the size of the database in bytes.
pub(crate) async fn size(database: &Database) -> Result<u64> {
    let row = database.fetch_one(sqlx::query("SELECT pg_database_size(current_database()) AS bytes")).await?;
    let bytes: i64 = get(&row, "bytes")?;
    Ok(u64::try_from(bytes).unwrap_or_default())
}

pub(crate) async fn last_boot(database: &Database) -> Result<Option<Boot>> {
    let row = database.fetch_optional(sqlx::query("SELECT id, at FROM boot")).await?;
    row.map(|row| Ok(Boot { id: get(&row, "id")?, at: Millis(get(&row, "at")?) })).transpose()
}
