//! Checkpoints of the write-ahead log, run in parallel with the writer instead of within a commit.
//!
//! By default SQLite runs a checkpoint every thousand pages, inside whichever commit reaches that number.
//! That commit then waits for two more syncs and a thousand random writes. Here a separate connection runs
//! the checkpoints. The writer helps only when the log has grown long: SQLite restarts the log only when all
//! of it has been copied, and under steady load that happens only between two of the writer's group commits.

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

use crate::{data_file::FileIdentity, error::translate};

/// The pause between two rounds. With a shorter pause, pages that are soon written again would be copied more
/// often.
const PAUSE: Duration = Duration::from_secs(1);
/// The busy timeout of the checkpoint connection. While an attempt to empty the log waits for readers, the
/// writer is delayed.
pub(crate) const SHORT_BUSY_TIMEOUT: Duration = Duration::from_millis(50);
/// The log length, in 4 KiB pages, at which the writer helps. This is about 64 MiB, which takes a tenth of
/// a second to read after a crash.
const LONG_LOG_PAGES: i64 = 16_384;

/// State shared by the writer and the checkpoint task.
#[derive(Debug, Default)]
pub(crate) struct Log {
    written: Notify,
    is_long: AtomicBool,
    /// Whether the log must be emptied because it contains deleted data.
    must_empty: AtomicBool,
}

impl Log {
    /// Records that something has been committed.
    pub(crate) fn note_commit(&self) {
        self.written.notify_one();
    }

    /// Requests that the log be emptied, because it still contains deleted data.
    pub(crate) fn request_truncation(&self) {
        self.must_empty.store(true, Ordering::Relaxed);
        self.written.notify_one();
    }

    /// Returns `true` if the log has grown long, and resets that state. If true, the caller must copy the
    /// rest of the log before it writes anything.
    pub(crate) fn take_long(&self) -> bool {
        self.is_long.swap(false, Ordering::Relaxed)
    }
}

/// Copies as much of the log to the data file as is possible without waiting for readers. Returns the number
/// of pages in the log.
pub(crate) async fn checkpoint(connection: &mut SqliteConnection) -> Result<i64> {
    let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await;
    row.and_then(|row| row.try_get(1)).map_err(translate)
}

/// Copies all pages and truncates the log. Returns `false` if a reader or the writer prevented it.
async fn truncate(connection: &mut SqliteConnection) -> Result<bool> {
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await;
    match row.and_then(|row| row.try_get::<i64, _>(0)).map_err(translate) {
        Ok(busy) => Ok(busy == 0),
        Err(StoreError::Unreachable { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn copy_pages(connection: &mut SqliteConnection, log: &Log) -> Result<i64> {
    let pages = checkpoint(connection).await?;
    if log.must_empty.swap(false, Ordering::Relaxed) {
        match truncate(connection).await {
            Ok(true) => {}
            // Try again in the next round.
            Ok(false) => log.request_truncation(),
            Err(error) => {
                // Try again after the next commit, because a full disk would make every round fail.
                log.must_empty.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    }
    Ok(pages)
}

/// Runs checkpoints while the store is open. A failed sync stops the store, as in a commit. So does a
/// replaced data file, because further writes would be lost with the old file.
pub(crate) async fn run(
    mut connection: SqliteConnection,
    data_file: FileIdentity,
    log: Arc<Log>,
    broken: watch::Sender<Option<String>>,
    mut stop: oneshot::Receiver<()>,
) {
    loop {
        let pages_to_copy = async {
            log.written.notified().await;
            tokio::time::sleep(PAUSE).await;
        };
        tokio::select! {
            // The sender was dropped.
            _ = &mut stop => break,
            () = pages_to_copy => {}
        }
        let copied = match data_file.check() {
            Ok(()) => copy_pages(&mut connection, &log).await,
            Err(error) => Err(error),
        };
        match copied {
            Ok(pages) => log.is_long.store(pages > LONG_LOG_PAGES, Ordering::Relaxed),
            Err(StoreError::Broken(reason)) => {
                tracing::error!(
                    reason,
                    "the data file is lost or damaged, or cannot be synced; nothing more will be written"
                );
                broken.send_replace(Some(reason));
                break;
            }
            // The log keeps its content and grows. If the disk is full, the writer reports that.
            Err(error) => tracing::warn!(%error, "a checkpoint failed and will be retried"),
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the checkpoint connection was not closed cleanly");
    }
}
