use adoube_store::{Boot, Proposal, Result};
use adoube_vocabulary::Millis;
use sqlx::postgres::PgRow;

use crate::{
    database::Database,
    text::{get, parse},
};

pub(crate) async fn proposals(database: &Database, now: Millis) -> Result<Vec<Proposal>> {
    let rows = database.fetch_all(sqlx::query(
        "SELECT id, player, recipient, body, created_at, expires_at FROM proposals WHERE expires_at > $1 \
         ORDER BY created_at, id",
    )
    .bind(now.0)).await?;
    let proposal = |row: &PgRow| {
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

/// Considers only running games, which have an index.
pub(crate) async fn latest_write(database: &Database) -> Result<Option<Millis>> {
    let row = database
        .fetch_one(sqlx::query(
            "SELECT max(at) AS newest FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes \
         UNION ALL SELECT updated_at FROM games WHERE deadline IS NOT NULL) AS times",
        ))
        .await?;
    let newest: Option<i64> = get(&row, "newest")?;
    Ok(newest.map(Millis))
}

pub(crate) async fn last_boot(database: &Database) -> Result<Option<Boot>> {
    let row = database.fetch_optional(sqlx::query("SELECT id, at FROM boot")).await?;
    row.map(|row| Ok(Boot { id: get(&row, "id")?, at: Millis(get(&row, "at")?) })).transpose()
}
