use adoube_protocol::Millis;
use adoube_store::{Proposal, Result};
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
