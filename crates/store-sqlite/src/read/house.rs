use adoube_store::{Boot, Proposal, Result};
use adoube_vocabulary::Millis;
use sqlx::{SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{get, parse},
};

pub(crate) async fn proposals(readers: &SqlitePool, now: Millis) -> Result<Vec<Proposal>> {
    let rows = sqlx::query(
        "SELECT id, player, recipient, body, created_at, expires_at FROM proposals WHERE expires_at > ? \
         ORDER BY created_at, id",
    )
    .bind(now.0)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let proposal = |row: &SqliteRow| {
        Ok(Proposal {
            id: get(row, "id")?,
            from: parse(row, "player", "proposals")?,
            to: match get::<Option<&str>>(row, "recipient")? {
                Some(_) => Some(parse(row, "recipient", "proposals")?),
                None => None,
            },
            body: get(row, "body")?,
            created_at: Millis(get(row, "created_at")?),
            expires_at: Millis(get(row, "expires_at")?),
        })
    };
    rows.iter().map(proposal).collect()
}

/// Looks only at running games, for which there is an index. The others do not matter here.
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
