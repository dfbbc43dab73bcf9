//! Adds hash chains to games that have none because they were written by an earlier version, or because a
//! clock reset changed their logs.

use adoube_store::Result;
use sqlx::{Row as _, sqlite::SqliteConnection};

use crate::{error::translate, writer::Change};

pub(crate) use adoube_store::chain::{Head, begin, extend, extend_all, head};

/// Maximum number of games to chain in one transaction, and the number of events after which no further game
/// is added. Such a transaction takes a few milliseconds.
const GAMES_PER_TRANSACTION: i64 = 64;
const EVENTS_PER_TRANSACTION: usize = 4_096;

/// Adds chains to some of the games that have none. Returns `true` if there may be more.
pub(crate) struct ChainSomeGames;

impl Change for ChainSomeGames {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let games = sqlx::query("SELECT id FROM games WHERE chain IS NULL LIMIT ?")
            .bind(GAMES_PER_TRANSACTION)
            .fetch_all(&mut *connection)
            .await
            .map_err(translate)?;
        let mut hashed = 0;
        for game in &games {
            if hashed >= EVENTS_PER_TRANSACTION {
                break;
            }
            let id: String = game.try_get("id").map_err(translate)?;
            let events = sqlx::query("SELECT version, at, body FROM events WHERE game = ? ORDER BY version")
                .bind(&id)
                .fetch_all(&mut *connection)
                .await
                .map_err(translate)?;
            hashed += events.len();
            let mut head = begin(&id);
            for event in &events {
                let version = event.try_get("version").map_err(translate)?;
                let at = event.try_get("at").map_err(translate)?;
                head = extend(&head, version, at, event.try_get("body").map_err(translate)?);
            }
            sqlx::query("UPDATE games SET chain = ? WHERE id = ?")
                .bind(head.as_slice())
                .bind(&id)
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        Ok(!games.is_empty())
    }
}
