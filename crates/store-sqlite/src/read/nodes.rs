use adoube_store::{Presence, PresenceRow, Result};
use adoube_vocabulary::{Color, GameId, Millis, NodeId};
use sqlx::{SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{color_text, get, parse},
};

/// Returns the time at which a node last renewed its lease, or `None` for an unknown node.
pub(crate) async fn last_renewal(readers: &SqlitePool, id: &NodeId) -> Result<Option<Millis>> {
    let row = sqlx::query("SELECT seen_at FROM nodes WHERE id = ?").bind(id.as_str());
    let row = row.fetch_optional(readers).await.map_err(translate)?;
    row.map(|row| get(&row, "seen_at").map(Millis)).transpose()
}

/// Returns the presence of a player in a game, combined from all nodes.
pub(crate) async fn presence(
    readers: &SqlitePool,
    game: &GameId,
    color: Color,
    now: Millis,
) -> Result<Presence> {
    let rows = sqlx::query(
        "SELECT node, away_since, is_cut_off, seen_at, valid_until FROM presence \
         LEFT JOIN nodes ON nodes.id = presence.node WHERE game = ? AND color = ?",
    )
    .bind(game.as_str())
    .bind(color_text(color))
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let row = |row: &SqliteRow| {
        let time = |column| get::<Option<i64>>(row, column).map(|time| time.map(Millis));
        Ok(PresenceRow {
            node: parse(row, "node", "presence")?,
            away_since: time("away_since")?,
            is_cut_off: get(row, "is_cut_off")?,
            lease: time("seen_at")?.zip(time("valid_until")?),
        })
    };
    Ok(Presence::of(&rows.iter().map(row).collect::<Result<Vec<_>>>()?, now))
}
