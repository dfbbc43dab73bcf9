use adoube_store::{Ages, Result, Tidied};
use adoube_vocabulary::Millis;

use crate::{database::Database, text::get};

/// Selects the games of the given kind that are older than the time $1. The conditions use the indexes
/// `games_unjoined` and `games_finished`.
macro_rules! old_games {
    (unjoined, $before:literal, $after:literal) => {
        concat!($before, " FROM games WHERE phase = 'waiting' AND created_at < $1", $after)
    };
    (called_off, $before:literal, $after:literal) => {
        concat!(
            $before,
            " FROM games WHERE phase = 'over' AND updated_at < $1 AND match_id IS NULL \
             AND result = '*'",
            $after
        )
    };
    (anonymous, $before:literal, $after:literal) => {
        concat!(
            $before,
            " FROM games WHERE phase = 'over' AND updated_at < $1 AND NOT EXISTS (SELECT 1 FROM seats \
             JOIN accounts ON accounts.player = seats.player WHERE seats.game = games.id)",
            $after
        )
    };
}
pub(crate) use old_games;

/// Counts the data that would be deleted.
pub(crate) async fn count(database: &Database, before: &Ages) -> Result<Tidied> {
    let count = async |statement: &'static str, before: Option<Millis>| -> Result<u64> {
        let Some(before) = before else { return Ok(0) };
        let row = database.fetch_one(sqlx::query(statement).bind(before.0)).await?;
        let count: i64 = get(&row, "count")?;
        Ok(u64::try_from(count).unwrap_or_default())
    };
    Ok(Tidied {
        unjoined_games: count(old_games!(unjoined, "SELECT count(*) AS count", ""), before.unjoined_games)
            .await?,
        called_off_games: count(
            old_games!(called_off, "SELECT count(*) AS count", ""),
            before.called_off_games,
        )
        .await?,
        anonymous_games: count(old_games!(anonymous, "SELECT count(*) AS count", ""), before.anonymous_games)
            .await?,
        reports: count("SELECT count(*) AS count FROM reports WHERE at < $1", before.reports).await?,
        sessions: count("SELECT count(*) AS count FROM sessions WHERE expires_at < $1", before.expired)
            .await?,
        recoveries: count("SELECT count(*) AS count FROM recoveries WHERE expires_at < $1", before.expired)
            .await?,
        proposals: count("SELECT count(*) AS count FROM proposals WHERE expires_at < $1", before.expired)
            .await?,
    })
}
