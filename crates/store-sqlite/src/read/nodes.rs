use adoube_store::{Presence, Result};
use adoube_vocabulary::{Color, GameId, Millis};
use sqlx::SqlitePool;

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
    let row = sqlx::query(
        "SELECT max(iif(away_since IS NULL, seen_at, NULL)) AS seen_at, \
         max(iif(away_since IS NULL, valid_until, NULL)) AS valid_until, max(away_since) AS away_since \
         FROM presence LEFT JOIN nodes ON nodes.id = presence.node WHERE game = ? AND color = ?",
    )
    .bind(game.as_str())
    .bind(color_text(color))
    .fetch_one(readers)
    .await
    .map_err(translate)?;
    let seen_at = get::<Option<i64>>(&row, "seen_at")?.map(Millis);
    let is_valid = get::<Option<i64>>(&row, "valid_until")?.is_some_and(|until| until > now.0);
    let away_since = get::<Option<i64>>(&row, "away_since")?.map(Millis);
    Ok(match (seen_at, away_since) {
        (Some(seen_at), _) if is_valid => Presence::Connected { seen_at },
        (Some(seen_at), _) => Presence::Lost { seen_at },
        (None, Some(away_since)) => Presence::AwaySince(away_since),
        (None, None) => Presence::Unknown,
    })
}
