//! What is in the write-ahead log goes to its place in the file beside the writer, not within a commit.
//!
//! SQLite would do it every thousand pages, in whichever commit comes to be the one; that commit then waits for two
//! more syncs and for a thousand pages in random places. Here a connection of its own does it; the writer only helps
//! when the log has become long, because a log begins anew only at an instant when nothing is left to move, and under
//! steady load there is none but between two groups of the writer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use adoube_store::{Result, StoreError};
use sqlx::{Connection as _, Row as _, sqlite::SqliteConnection};
use tokio::sync::{Notify, oneshot, watch};

use crate::{error::translate, place::Place};

/// Between two rounds. A shorter pause moves pages more often that are written again anyway.
const PAUSE: Duration = Duration::from_secs(1);
/// For how long the writer may be kept waiting by an attempt to empty the log.
pub(crate) const SHORT_PATIENCE: Duration = Duration::from_millis(50);
/// Pages of 4 KiB in the log from which on the writer helps: some 64 MiB, read again in a tenth of a second after a
/// crash.
const LONG: i64 = 16_384;

/// What the writer and the task that moves pages tell each other.
#[derive(Debug, Default)]
pub(crate) struct Log {
    written: Notify,
    long: AtomicBool,
    /// Whether something in the log must not stay there.
    empty: AtomicBool,
}

impl Log {
    /// Tells that something has been committed.
    pub(crate) fn written(&self) {
        self.written.notify_one();
    }

    /// Asks for an empty log: what was deleted is still in it.
    pub(crate) fn empty(&self) {
        self.empty.store(true, Ordering::Relaxed);
        self.written.notify_one();
    }

    /// Returns once whether the log has become long: then it is the caller's to move the rest, before it writes anything.
    pub(crate) fn take_long(&self) -> bool {
        self.long.swap(false, Ordering::Relaxed)
    }
}

/// Moves what no reader still needs in the log; waits for nobody. Returns how many pages the log has.
pub(crate) async fn checkpoint(connection: &mut SqliteConnection) -> Result<i64> {
    let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await;
    row.and_then(|row| row.try_get(1)).map_err(translate)
}

/// Moves all pages and truncates the log. Returns false if a reader was in the way.
async fn truncate(connection: &mut SqliteConnection) -> Result<bool> {
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await;
    match row.and_then(|row| row.try_get::<i64, _>(0)).map_err(translate) {
        Ok(busy) => Ok(busy == 0),
        Err(StoreError::Unreachable { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn move_pages(connection: &mut SqliteConnection, log: &Log) -> Result<i64> {
    let pages = checkpoint(connection).await?;
    if log.empty.swap(false, Ordering::Relaxed) && !truncate(connection).await? {
        // In the next round, then.
        log.empty();
    }
    Ok(pages)
}

/// Moves pages for as long as the store is open. A sync that failed ends everything, as one of a commit does; and so does another
/// file in the place of the one that is open, for what is written would be lost with it.
pub(crate) async fn run(
    mut connection: SqliteConnection,
    place: Place,
    log: Arc<Log>,
    broken: watch::Sender<Option<String>>,
    mut stop: oneshot::Receiver<()>,
) {
    loop {
        let something_to_move = async {
            log.written.notified().await;
            tokio::time::sleep(PAUSE).await;
        };
        tokio::select! {
            // The sender is dropped.
            _ = &mut stop => break,
            () = something_to_move => {}
        }
        let moved = match place.check() {
            Ok(()) => move_pages(&mut connection, &log).await,
            Err(error) => Err(error),
        };
        match moved {
            Ok(pages) => log.long.store(pages > LONG, Ordering::Relaxed),
            Err(StoreError::Broken(reason)) => {
                tracing::error!(reason, "the data cannot be kept where it belongs; nothing more is written");
                broken.send_replace(Some(reason));
                break;
            }
            // The log keeps what it has, and grows: a full disk says so to the writer.
            Err(error) => tracing::warn!(%error, "nothing was moved out of the log this time"),
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the connection that moves pages did not close well");
    }
}
