//! The store in one `SQLite` file.
//!
//! One connection writes and several read. The writer applies all waiting changes, from any number of games,
//! in one transaction and confirms each after the commit (group commit), so they share the cost of one sync.
//! With the write-ahead log and `synchronous = FULL`, committed data survives a power failure.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod backup;
mod blocks;
mod chain;
mod checkpoint;
mod copy;
mod data_file;
mod error;
mod identities;
mod inspect;
mod integrity;
mod lock;
mod migrations;
mod push;
mod read;
mod repair;
mod store;
mod text;
mod write;
mod writer;

use std::{error::Error, fs::File, path::Path, sync::atomic::AtomicBool, time::Duration};

use adoube_store::{Ages, MemoryLimits, Report, Result, StoreError, Tidied, copy::CopyError};
use sqlx::{
    Connection as _, Row as _, SqlitePool,
    sqlite::{
        SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
    },
};

use crate::{
    backup::FileCopy, checkpoint::SHORT_BUSY_TIMEOUT, data_file::FileIdentity, migrations::MIGRATIONS,
    writer::Writer,
};

pub use backup::{BackupError, Restored, backup, check_data, restore};
pub use copy::{SqliteSource, SqliteTarget};
pub use inspect::{InspectError, inspect};
pub use integrity::{CheckLog, Findings};
pub use lock::{DataLock, LockError};
pub use repair::{ClampTimes, ClockReset, reset_clock};

/// Number of read connections. Readers never wait for the writer, only for a free connection.
const READ_CONNECTIONS: u32 = 4;
/// The maximum time to wait for another process that has locked the file, or for a free read connection.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The store in one file, which only this process may write to.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: SqlitePool,
    data_file: FileIdentity,
    limits: MemoryLimits,
    /// Whether receipts for deleted games may still be stored.
    has_stray_receipts: AtomicBool,
}

impl SqliteStore {
    /// Opens or creates the file and migrates its tables. No other process can open it for writing until the
    /// store is closed or this process has ended.
    pub async fn open(path: &Path) -> Result<Self> {
        Self::open_with_max_pages(path, None).await
    }

    /// Opens the file with a maximum size in pages of 4 KiB. At that size it behaves like a file on a full
    /// disk: it can be read from, but not written to.
    pub async fn open_with_max_pages(path: &Path, max_pages: Option<u32>) -> Result<Self> {
        let failed = |source: sqlx::Error| StoreError::Open {
            location: path.display().to_string(),
            source: source.into(),
        };
        let unopened = |source: std::io::Error| StoreError::Open {
            location: path.display().to_string(),
            source: source.into(),
        };
        let (mut connection, lock, options) = open_to_write(path).await?;
        match copy::mark(&mut connection).await.map_err(failed)? {
            Some(mark) if !mark.is_finished => {
                let location = path.display().to_string();
                let source = CopyError::Unfinished {
                    location: location.clone(),
                    source_location: mark.source_location,
                };
                return Err(StoreError::Open { location, source: source.into() });
            }
            // The data may now diverge from the source of the copy.
            Some(_) => {
                sqlx::raw_sql("DELETE FROM copied_from").execute(&mut connection).await.map_err(failed)?;
            }
            None => {}
        }
        if let Some(max_pages) = max_pages {
            // Formatting is safe here, because the value is a number. A pragma takes no bound parameters.
            let pragma = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {max_pages}"));
            sqlx::query(pragma).fetch_all(&mut connection).await.map_err(failed)?;
        }
        // Overwrite deleted data instead of only unlinking it.
        sqlx::query("PRAGMA secure_delete = ON").fetch_all(&mut connection).await.map_err(failed)?;
        sqlx::query("PRAGMA wal_autocheckpoint = 0").fetch_all(&mut connection).await.map_err(failed)?;
        let short_wait = options.clone().busy_timeout(SHORT_BUSY_TIMEOUT);
        let checkpointer = SqliteConnection::connect_with(&short_wait).await.map_err(failed)?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READ_CONNECTIONS)
            .acquire_timeout(BUSY_TIMEOUT)
            .connect_with(options.read_only(true).create_if_missing(false))
            .await
            .map_err(failed)?;
        let data_file = FileIdentity::of(path).map_err(unopened)?;
        let writer = Writer::start(connection, checkpointer, data_file.clone(), lock);
        writer.chain_older_games();
        Ok(Self {
            writer,
            readers,
            data_file,
            limits: MemoryLimits::default(),
            // The last process may have ended between deleting games and deleting their receipts.
            has_stray_receipts: AtomicBool::new(true),
        })
    }
}

/// Locks a file, creates or migrates it, and opens it for writing. No other process can open it for writing
/// while the lock is held.
async fn open_to_write(path: &Path) -> Result<(SqliteConnection, DataLock, SqliteConnectOptions)> {
    let failed = |source: sqlx::Error| StoreError::Open {
        location: path.display().to_string(),
        source: source.into(),
    };
    let unopened = |source: std::io::Error| StoreError::Open {
        location: path.display().to_string(),
        source: source.into(),
    };
    if is_foreign(path).await {
        let source = BackupError::Foreign(path.to_owned());
        return Err(StoreError::Open { location: path.display().to_string(), source: source.into() });
    }
    let lock = DataLock::take(path).map_err(|error| match error {
        LockError::InUse { data, holder } => {
            StoreError::InUse { location: data.display().to_string(), holder }
        }
        error @ LockError::CannotLock { .. } => {
            StoreError::Open { location: path.display().to_string(), source: error.into() }
        }
    })?;
    data_file::make_private(path).map_err(unopened)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    let copied = migrate(&mut connection, path)
        .await
        .map_err(|source| StoreError::Open { location: path.display().to_string(), source })?;
    if let Some(copied) = copied {
        // Closing the copied file releases the locks that SQLite has on it in this process. Without them,
        // another program, such as `sqlite3`, could delete the write-ahead log while it is in use. So this
        // connection is closed first, and a new one takes the locks again.
        connection.close().await.map_err(failed)?;
        drop(copied);
        connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    }
    Ok((connection, lock, options))
}

/// Returns `true` if the file is another program's database, or not a database at all. Other read errors are
/// reported later, when the file is opened.
async fn is_foreign(path: &Path) -> bool {
    if std::fs::metadata(path).map_or(0, |found| found.len()) == 0 {
        return false;
    }
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let call = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let row = sqlx::query(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema) \
             AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations') AS is_foreign",
        )
        .fetch_one(&mut connection)
        .await?;
        connection.close().await?;
        row.try_get("is_foreign")
    };
    match call.await {
        Ok(is_foreign) => is_foreign,
        Err(sqlx::Error::Database(error)) => error::is_not_a_database(error.as_ref()),
        Err(_) => false,
    }
}

/// Returns the number of the last migration applied to a database, or `None` if it is new or another
/// program's.
async fn schema(connection: &mut SqliteConnection) -> Option<i64> {
    let found = sqlx::query("SELECT max(version) FROM _sqlx_migrations").fetch_one(connection).await;
    found.and_then(|row| row.try_get(0)).ok().flatten()
}

/// Returns the number of the newest migration of this program.
fn newest_schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// Migrates the tables. Data written by an older version is copied as it was, so that the older program can
/// still be used; the migrations take effect only once the copy is stored. Refuses data written by a newer
/// version. Returns the data file if it was opened to be copied: it must be closed after the connection.
async fn migrate(
    connection: &mut SqliteConnection,
    path: &Path,
) -> std::result::Result<Option<File>, Box<dyn Error + Send + Sync>> {
    let Some(suffix) = copy_suffix(connection, path).await? else {
        MIGRATIONS.run(connection).await?;
        return Ok(None);
    };
    // The result, which says whether other connections kept SQLite from emptying the log, is not needed: the
    // size of the log, checked below, shows this too, and also whether anything has been written since.
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_all(&mut *connection).await?;
    // While this transaction lasts, no program can write to the file, not even one that ignores our lock.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    if !backup::is_in_one_file(path) {
        transaction.rollback().await?;
        report_copy(&backup::copy_beside(path, &suffix).await?);
        MIGRATIONS.run(connection).await?;
        return Ok(None);
    }
    // Copying is limited by the disk and migrating by the processor, so they run concurrently.
    let copying = FileCopy::begin(path, &suffix)?;
    let migrated = MIGRATIONS.run(&mut *transaction).await;
    let (copy, copied) = copying.finish().await?;
    report_copy(&copy);
    migrated?;
    transaction.commit().await?;
    Ok(Some(copied))
}

fn report_copy(copy: &Path) {
    tracing::warn!(copy = %copy.display(), "the data is from an older version; a copy of it was kept");
}

/// Returns the suffix of the copy to make before a migration: `.before-` and the number of the newest
/// migration, followed by a counter if such a copy already exists. Returns `None` if no copy is needed.
/// Refuses data written by a newer version.
async fn copy_suffix(
    connection: &mut SqliteConnection,
    path: &Path,
) -> std::result::Result<Option<String>, BackupError> {
    let newest = newest_schema();
    let Some(found) = schema(connection).await else { return Ok(None) };
    if found > newest {
        return Err(BackupError::Newer { path: path.to_owned(), found, newest });
    }
    if found == newest {
        return Ok(None);
    }
    let mut suffix = format!(".before-{newest}");
    let mut number = 1;
    let mut last = None;
    // A copy may exist from an earlier attempt, or from an earlier migration that was undone by returning to
    // the older program.
    while backup::with_suffix(path, &suffix).exists() {
        last = Some(backup::with_suffix(path, &suffix));
        number += 1;
        suffix = format!(".before-{newest}-{number}");
    }
    if let Some(copy) = last
        && has_same_content(connection, path, &copy).await?
    {
        tracing::warn!(copy = %copy.display(), "the data is from an older version; it was already copied during an earlier start");
        return Ok(None);
    }
    Ok(Some(suffix))
}

/// Returns `true` if a copy has the same content as the data. Returns `false` if the copy cannot be read.
async fn has_same_content(
    data: &mut SqliteConnection,
    path: &Path,
    copy: &Path,
) -> std::result::Result<bool, BackupError> {
    let options = SqliteConnectOptions::new().filename(copy).read_only(true).immutable(true);
    let copied = async {
        let mut copy = SqliteConnection::connect_with(&options).await?;
        let digest = integrity::digest(&mut copy).await?;
        copy.close().await?;
        Ok::<_, sqlx::Error>(digest)
    };
    let Ok(copied) = copied.await else { return Ok(false) };
    let unreadable = |source| BackupError::Read { path: path.to_owned(), source };
    Ok(integrity::digest(data).await.map_err(unreadable)? == copied)
}

/// Counts the records in a file that are past their age limits. Read-only; a server may be running. Refuses a
/// file that this version has not migrated.
pub async fn count_old(path: &Path, before: &Ages) -> Result<Tidied> {
    let readers = open_to_read(path).await?;
    let counted = match check_schema(&readers, path).await {
        Ok(()) => read::tidy::count(&readers, before).await,
        Err(error) => Err(error),
    };
    readers.close().await;
    counted
}

/// Lists chat reports, newest first. Read-only; a server may be running. Refuses a file that this version
/// has not migrated.
pub async fn list_reports(path: &Path, limit: u32) -> Result<Vec<Report>> {
    let readers = open_to_read(path).await?;
    let reports = match check_schema(&readers, path).await {
        Ok(()) => read::chat::reports(&readers, limit).await,
        Err(error) => Err(error),
    };
    readers.close().await;
    reports
}

/// Refuses a file that does not have the tables of this version.
async fn check_schema(readers: &SqlitePool, path: &Path) -> Result<()> {
    let newest = newest_schema();
    let refused = match schema(&mut *readers.acquire().await.map_err(error::translate)?).await {
        Some(found) if found == newest => return Ok(()),
        Some(found) if found > newest => BackupError::Newer { path: path.to_owned(), found, newest },
        Some(_) => BackupError::Older(path.to_owned()),
        None => BackupError::Foreign(path.to_owned()),
    };
    Err(StoreError::Open { location: path.display().to_string(), source: refused.into() })
}

async fn open_to_read(path: &Path) -> Result<SqlitePool> {
    pool_to_read(path)
        .await
        .map_err(|source| StoreError::Open { location: path.display().to_string(), source: source.into() })
}

async fn pool_to_read(path: &Path) -> sqlx::Result<SqlitePool> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY_TIMEOUT);
    SqlitePoolOptions::new().max_connections(1).acquire_timeout(BUSY_TIMEOUT).connect_with(options).await
}
