use adoube_store::{Match, Result};

use crate::{database::Database, text::get};

/// Returns the stored secret; stores `fresh` first if there is none.
pub(crate) async fn secret(database: &Database, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
    // An existing secret is kept; the second of two concurrent inserts waits for the first.
    let add = "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    database.execute(sqlx::query(add).bind(name).bind(fresh)).await?;
    let row = database.fetch_one(sqlx::query("SELECT value FROM secrets WHERE name = $1").bind(name)).await?;
    get(&row, "value")
}

pub(crate) async fn set_secret(database: &Database, name: &str, value: &[u8]) -> Result<()> {
    let set = "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    database.execute(sqlx::query(set).bind(name).bind(value)).await.map(|_| ())
}

pub(crate) async fn add_match(database: &Database, new: &Match) -> Result<()> {
    let add =
        sqlx::query("INSERT INTO matches (id, body) VALUES ($1, $2)").bind(new.id.as_str()).bind(&new.body);
    database.execute(add).await.map(|_| ())
}
