//! A chain of hashes over the log of each game. It reveals damage that the database does not notice.
//!
//! The head of the chain is stored with the game: `SHA-256(previous head ‖ version ‖ time ‖ length ‖ body)`
//! for each event, starting from `SHA-256(id)`. An append needs only the head. The chain does not protect
//! against an attacker who can write the file.

use adoube_store::{NewEvent, Result, StoreError};
use sha2::{Digest as _, Sha256};
use sqlx::{Row as _, sqlite::SqliteConnection};

use crate::{error::translate, writer::Change};

pub(crate) type Head = [u8; 32];

/// The most games to chain in one transaction, and the number of events after which no further game is begun.
/// Takes a few milliseconds.
const GAMES: i64 = 64;
const EVENTS: usize = 4_096;

/// Returns the head of an empty log.
pub(crate) fn begin(game: &str) -> Head {
    Sha256::digest(game.as_bytes()).into()
}

pub(crate) fn extend(head: &Head, version: i64, at_ms: i64, body: &str) -> Head {
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(version.to_le_bytes());
    hash.update(at_ms.to_le_bytes());
    hash.update((body.len() as u64).to_le_bytes());
    hash.update(body.as_bytes());
    hash.finalize().into()
}

/// Extends a chain by the events after a version.
pub(crate) fn extend_all(head: Head, after: i64, events: &[NewEvent]) -> Head {
    let events = (after.saturating_add(1)..).zip(events);
    events.fold(head, |head, (version, event)| extend(&head, version, event.at.0, &event.body))
}

/// Reads a head from its column.
pub(crate) fn head(bytes: Option<Vec<u8>>) -> Result<Option<Head>> {
    bytes
        .map(|bytes| {
            Head::try_from(bytes).map_err(|bytes| StoreError::InvalidValue {
                table: "games",
                what: "chain",
                found: format!("{} bytes", bytes.len()),
            })
        })
        .transpose()
}

/// Adds chains to some of the games that have none. Returns whether there may be more.
pub(crate) struct ChainSome;

impl Change for ChainSome {
    type Done = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let games = sqlx::query("SELECT id FROM games WHERE chain IS NULL LIMIT ?")
            .bind(GAMES)
            .fetch_all(&mut *connection)
            .await
            .map_err(translate)?;
        let mut hashed = 0;
        for game in &games {
            if hashed >= EVENTS {
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
