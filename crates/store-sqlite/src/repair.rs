//! Repairs data that contains times in the future because a clock was wrong.

use std::path::{Path, PathBuf};

use adoube_vocabulary::Millis;
use sqlx::{
    AssertSqlSafe, Connection as _, Row as _,
    sqlite::{SqliteConnectOptions, SqliteConnection},
};

use crate::{
    BUSY_TIMEOUT,
    backup::{BackupError, copy_beside},
    integrity::has_chain,
    lock::DataLock,
    newest_schema, schema,
};

/// Clamps the times in a log to a latest time. The store does not interpret events.
pub trait ClampTimes {
    /// Changes the bodies of a game's events, or returns the reason why the log cannot be read.
    fn log(&self, bodies: &mut [String], latest: Millis) -> Result<(), String>;
}

/// The result of a clock reset.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClockReset {
    /// The copy of the data made beforehand.
    pub before: PathBuf,
    /// The number of games whose logs contained times in the future.
    pub games: usize,
    /// The number of changes outside these logs, except to deadlines: one for each time set back, and one for
    /// each row deleted.
    pub rows: u64,
}

/// Sets every recorded time that is later than `now` to `now`, except in the audit log and in the messages
/// stored with reports; a deadline or expiry time counted from such a time is counted from `now` instead.
/// Deletes downtimes that begin at `now` or later, and recovery and confirmation links that have not expired.
/// Turns, results and the players' clocks do not change, nor do the ends of silences and of name retirements.
/// No server may be running. First, a copy of the data is made next to it, with the suffix `.before-clock`.
pub async fn reset_clock(
    data: &Path,
    now: Millis,
    clamp: &impl ClampTimes,
) -> Result<ClockReset, BackupError> {
    let _lock = DataLock::take(data)?;
    let failed = |source| BackupError::Read { path: data.to_owned(), source };
    let options = SqliteConnectOptions::new().filename(data).busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    let newest = newest_schema();
    match schema(&mut connection).await {
        Some(found) if found > newest => {
            return Err(BackupError::Newer { path: data.to_owned(), found, newest });
        }
        Some(_) => {}
        None => return Err(BackupError::Foreign(data.to_owned())),
    }
    let before = copy_beside(data, ".before-clock").await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    let games = set_games_back(&mut transaction, data, now, clamp).await?;
    let rows = set_rows_back(&mut transaction, now).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)?;
    connection.close().await.map_err(failed)?;
    Ok(ClockReset { before, games, rows })
}

async fn set_games_back(
    connection: &mut SqliteConnection,
    data: &Path,
    now: Millis,
    clamp: &impl ClampTimes,
) -> Result<usize, BackupError> {
    let failed = |source| BackupError::Read { path: data.to_owned(), source };
    let games = sqlx::query(
        "SELECT id FROM games \
         WHERE updated_at > ?1 OR id IN (SELECT game FROM events WHERE at > ?1)",
    )
    .bind(now.0)
    .fetch_all(&mut *connection)
    .await
    .map_err(failed)?;
    // A server rebuilds the chains when it starts.
    let unchain = if has_chain(connection).await.map_err(failed)? { ", chain = NULL" } else { "" };
    let update =
        format!("UPDATE games SET deadline = deadline - max(updated_at - ?, 0){unchain} WHERE id = ?");
    for game in &games {
        let id: String = game.try_get("id").map_err(failed)?;
        let damaged = |problem| BackupError::Damaged {
            path: data.to_owned(),
            problem: format!("game {id} cannot be read: {problem}"),
        };
        let events = sqlx::query("SELECT version, at, body FROM events WHERE game = ? ORDER BY version")
            .bind(&id)
            .fetch_all(&mut *connection)
            .await
            .map_err(failed)?;
        let bodies = events.iter().map(|event| event.try_get("body")).collect::<Result<Vec<String>, _>>();
        let mut bodies = bodies.map_err(failed)?;
        clamp.log(&mut bodies, now).map_err(damaged)?;
        for (event, body) in events.iter().zip(bodies) {
            sqlx::query("UPDATE events SET at = min(at, ?), body = ? WHERE game = ? AND version = ?")
                .bind(now.0)
                .bind(body)
                .bind(&id)
                .bind(event.try_get::<i64, _>("version").map_err(failed)?)
                .execute(&mut *connection)
                .await
                .map_err(failed)?;
        }
        sqlx::query(AssertSqlSafe(update.clone()))
            .bind(now.0)
            .bind(&id)
            .execute(&mut *connection)
            .await
            .map_err(failed)?;
    }
    Ok(games.len())
}

/// Sets later times back to `now`, in all tables except `events` and the audit log, and moves expiry times
/// counted from them back as well. Deletes downtimes that begin at `now` or later, and links that have not
/// expired, because it is not known when they were created. Returns the number of changes.
async fn set_rows_back(connection: &mut SqliteConnection, now: Millis) -> Result<u64, sqlx::Error> {
    let mut rows = 0;
    for statement in [
        // A downtime entirely in the future cannot have happened.
        "DELETE FROM downtimes WHERE from_at >= ?1",
        "UPDATE downtimes SET until_at = ?1 WHERE until_at > ?1",
        // Links are valid for three days at most, and when they were created is not stored.
        "DELETE FROM recoveries WHERE expires_at > ?1",
        "DELETE FROM confirmations WHERE expires_at > ?1",
    ] {
        rows += sqlx::query(statement).bind(now.0).execute(&mut *connection).await?.rows_affected();
    }
    let columns = sqlx::query(
        "SELECT tables.name AS of, columns.name AS name FROM sqlite_schema AS tables \
         JOIN pragma_table_info(tables.name) AS columns \
         WHERE tables.type = 'table' AND tables.name NOT IN ('downtimes', 'events') \
             AND tables.name NOT LIKE '\\_sqlx%' ESCAPE '\\' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             AND columns.type = 'INTEGER' AND (columns.name = 'at' OR columns.name LIKE '%\\_at' ESCAPE '\\' \
                 OR columns.name IN ('since', 'away_since', 'valid_until')) \
         ORDER BY tables.name, columns.name = 'expires_at' DESC",
    )
    .fetch_all(&mut *connection)
    .await?;
    let columns = columns
        .iter()
        .map(|row| Ok((row.try_get("of")?, row.try_get("name")?)))
        .collect::<Result<Vec<(String, String)>, sqlx::Error>>()?;
    for (table, column) in &columns {
        // Our own table and column names; names cannot be bound parameters.
        let statement = if column == "expires_at" {
            let since = ["used_at", "created_at"];
            let since =
                since.iter().find(|since| columns.iter().any(|(of, name)| of == table && name == *since));
            let Some(since) = since else { continue };
            format!("UPDATE {table} SET expires_at = expires_at - ({since} - ?1) WHERE {since} > ?1")
        } else {
            format!("UPDATE {table} SET {column} = ?1 WHERE {column} > ?1")
        };
        rows += sqlx::query(AssertSqlSafe(statement))
            .bind(now.0)
            .execute(&mut *connection)
            .await?
            .rows_affected();
    }
    Ok(rows)
}
