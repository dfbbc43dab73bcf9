use adoube_store::{Ages, Result, Tidied};
use adoube_vocabulary::Millis;
use sqlx::sqlite::SqliteConnection;

use crate::{error::translate, read::tidy::old_games, text::get, writer::Change};

/// Deletes data past its age limit, at most `limit` items of each kind, because other changes wait for the
/// writer.
pub(crate) struct Tidy {
    pub(crate) before: Ages,
    pub(crate) limit: u32,
}

impl Change for Tidy {
    type Output = Tidied;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Tidied> {
        let Self { before, limit } = *self;
        let unjoined = old_games!(unjoined, "SELECT id", " LIMIT ?2");
        let called_off = old_games!(called_off, "SELECT id", " LIMIT ?2");
        let anonymous = old_games!(anonymous, "SELECT id", " LIMIT ?2");
        Ok(Tidied {
            unjoined_games: games(connection, unjoined, before.unjoined_games, limit).await?,
            called_off_games: games(connection, called_off, before.called_off_games, limit).await?,
            anonymous_games: games(connection, anonymous, before.anonymous_games, limit).await?,
            reports: rows(
                connection,
                "DELETE FROM reports WHERE (line, player) IN (SELECT line, player FROM reports WHERE at < ?1 LIMIT ?2)",
                before.reports,
                limit,
            )
            .await?,
            sessions: rows(
                connection,
                "DELETE FROM sessions WHERE token IN (SELECT token FROM sessions WHERE expires_at < ?1 LIMIT ?2)",
                before.expired,
                limit,
            )
            .await?,
            recoveries: rows(
                connection,
                "DELETE FROM recoveries WHERE token IN (SELECT token FROM recoveries WHERE expires_at < ?1 LIMIT ?2)",
                before.expired,
                limit,
            )
            .await?,
            proposals: rows(
                connection,
                "DELETE FROM proposals WHERE id IN (SELECT id FROM proposals WHERE expires_at < ?1 LIMIT ?2)",
                before.expired,
                limit,
            )
            .await?,
        })
    }
}

async fn rows(
    connection: &mut SqliteConnection,
    statement: &'static str,
    before: Option<Millis>,
    limit: u32,
) -> Result<u64> {
    let Some(before) = before else { return Ok(0) };
    let deleted =
        sqlx::query(statement).bind(before.0).bind(limit).execute(connection).await.map_err(translate)?;
    Ok(deleted.rows_affected())
}

/// Deletes games and everything that belongs to them, including chat. Receipts are deleted by
/// [`super::receipts`], and reports keep their copies of the messages.
async fn games(
    connection: &mut SqliteConnection,
    sql: &'static str,
    before: Option<Millis>,
    limit: u32,
) -> Result<u64> {
    let Some(before) = before else { return Ok(0) };
    let old =
        sqlx::query(sql).bind(before.0).bind(limit).fetch_all(&mut *connection).await.map_err(translate)?;
    for row in &old {
        let id: &str = get(row, "id")?;
        for statement in [
            "DELETE FROM chat WHERE game = ?",
            "DELETE FROM invitations WHERE game = ?",
            "DELETE FROM seats WHERE game = ?",
            "DELETE FROM events WHERE game = ?",
            "DELETE FROM games WHERE id = ?",
        ] {
            sqlx::query(statement).bind(id).execute(&mut *connection).await.map_err(translate)?;
        }
    }
    Ok(old.len() as u64)
}
