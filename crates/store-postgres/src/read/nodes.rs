use adoube_store::{Presence, Result};
use adoube_vocabulary::{Color, GameId, Millis};

use crate::{
    database::Database,
    text::{color_text, get},
};

/// Returns the time by the clock of the database.
pub(crate) async fn time(database: &Database) -> Result<Millis> {
    let time = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time";
    get(&database.fetch_one(sqlx::query(time)).await?, "time").map(Millis)
}

pub(crate) async fn presence(
    database: &Database,
    game: &GameId,
    color: Color,
    now: Millis,
) -> Result<Presence> {
    let row = database
        .fetch_one(
            sqlx::query(
                "SELECT max(seen_at) FILTER (WHERE away_since IS NULL) AS seen_at, \
                 max(valid_until) FILTER (WHERE away_since IS NULL) AS valid_until, max(away_since) AS away_since \
                 FROM presence LEFT JOIN nodes ON nodes.id = presence.node WHERE game = $1 AND color = $2",
            )
            .bind(game.as_str())
            .bind(color_text(color)),
        )
        .await?;
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
