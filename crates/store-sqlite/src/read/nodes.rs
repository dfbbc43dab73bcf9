use adoube_store::{Presence, PresenceRow, Result};
use adoube_vocabulary::{Color, GameId, Millis};
use sqlx::{SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{color_text, get},
};

pub(crate) async fn presence(
    readers: &SqlitePool,
    game: &GameId,
    color: Color,
    now: Millis,
) -> Result<Presence> {
    let rows = sqlx::query(
        "SELECT away_since, is_cut_off, seen_at, valid_until FROM presence LEFT JOIN nodes ON nodes.id = presence.node \
         WHERE game = ? AND color = ?",
    )
    .bind(game.as_str())
    .bind(color_text(color))
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let row = |row: &SqliteRow| {
        let time = |column| get::<Option<i64>>(row, column).map(|time| time.map(Millis));
        Ok(PresenceRow {
            away_since: time("away_since")?,
            is_cut_off: get(row, "is_cut_off")?,
            lease: time("seen_at")?.zip(time("valid_until")?),
        })
    };
    Ok(Presence::of(&rows.iter().map(row).collect::<Result<Vec<_>>>()?, now))
}
