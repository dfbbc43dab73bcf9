use adoube_store::{Presence, PresenceRow, Result};
use adoube_vocabulary::{Color, GameId, Millis, NodeId};
use sqlx::postgres::PgRow;

use crate::{
    database::Database,
    text::{color_text, get, parse},
};

/// Returns the time by the database's clock.
pub(crate) async fn time(database: &Database) -> Result<Millis> {
    let time = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time";
    get(&database.fetch_one(sqlx::query(time)).await?, "time").map(Millis)
}

/// Returns the time at which a node last renewed its lease, or `None` for an unknown node.
pub(crate) async fn last_renewal(database: &Database, id: &NodeId) -> Result<Option<Millis>> {
    let row =
        database.fetch_optional(sqlx::query("SELECT seen_at FROM nodes WHERE id = $1").bind(id.as_str()));
    row.await?.map(|row| get(&row, "seen_at").map(Millis)).transpose()
}

/// Returns the presence of a player in a game, combined from all nodes.
pub(crate) async fn presence(
    database: &Database,
    game: &GameId,
    color: Color,
    now: Millis,
) -> Result<Presence> {
    let rows = database
        .fetch_all(
            sqlx::query(
                "SELECT node, away_since, is_cut_off, seen_at, valid_until FROM presence \
                 LEFT JOIN nodes ON nodes.id = presence.node WHERE game = $1 AND color = $2",
            )
            .bind(game.as_str())
            .bind(color_text(color)),
        )
        .await?;
    let row = |row: &PgRow| {
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
