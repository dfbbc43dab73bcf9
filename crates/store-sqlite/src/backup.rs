//! Copies of the file, and the way back.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use adoube_store::StoreError;
use sqlx::{
    Connection as _, Row as _,
    sqlite::{SqliteConnectOptions, SqliteConnection, SqliteLockingMode},
};
use thiserror::Error;

use crate::{
    MIGRATIONS, PATIENCE,
    error::translate,
    lock::{DataLock, LockError, private},
};

/// Why a copy was not made.
#[derive(Debug, Error)]
pub enum BackupError {
    #[error("{} is there already; nothing is written over it", .0.display())]
    Exists(PathBuf),
    #[error("{} cannot be read as a database", path.display())]
    Read { path: PathBuf, source: sqlx::Error },
    #[error("{} is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("{} is not a file of this program, or of a newer one", .0.display())]
    Foreign(PathBuf),
    #[error("{} cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// A file that is being made; it goes again unless it is finished.
struct Part(PathBuf);

impl Part {
    /// Makes an empty file beside the one that it is to become: a copy that was interrupted must not look like one. Only its owner may
    /// read it.
    fn of(path: &Path) -> Result<Self, BackupError> {
        let part = with_suffix(path, ".part");
        remove(&part)?;
        let made = private(fs::OpenOptions::new().write(true).create_new(true)).open(&part);
        made.map_err(|source| BackupError::Write { path: part.clone(), source })?;
        Ok(Self(part))
    }

    /// Gives the finished file its name, and makes sure that it stays.
    fn settle(self, path: &Path) -> Result<(), BackupError> {
        let unwritten = |source| BackupError::Write { path: path.to_owned(), source };
        fs::File::open(&self.0).and_then(|file| file.sync_all()).map_err(unwritten)?;
        fs::rename(&self.0, path).map_err(unwritten)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritten)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Not there any more if it was finished.
        let _ = fs::remove_file(&self.0);
    }
}

/// Copies the data to a new file as it is at one moment, while servers go on.
pub async fn backup(data: &Path, copy: &Path) -> Result<(), BackupError> {
    if copy.exists() {
        return Err(BackupError::Exists(copy.to_owned()));
    }
    let unreadable = |source| BackupError::Read { path: data.to_owned(), source };
    let part = Part::of(copy)?;
    let options = SqliteConnectOptions::new().filename(data).read_only(true).busy_timeout(PATIENCE);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(unreadable)?;
    sqlx::query("VACUUM INTO ?")
        .bind(part.0.to_string_lossy().as_ref())
        .execute(&mut connection)
        .await
        .map_err(unreadable)?;
    connection.close().await.map_err(unreadable)?;
    check(&part.0).await?;
    part.settle(copy)
}

/// Puts a copy where the data is to be, unless a server has the data. Data that is there already is kept beside it, with `.before` at
/// the end of its name; returns that name.
pub async fn restore(copy: &Path, data: &Path) -> Result<Option<PathBuf>, BackupError> {
    check(copy).await?;
    let _lock = DataLock::take(data)?;
    let before = with_suffix(data, ".before");
    let there = data.exists();
    if there {
        if before.exists() {
            return Err(BackupError::Exists(before));
        }
        is_alone(data).await?;
    }
    let part = Part::of(data)?;
    let unwritten = |source| BackupError::Write { path: part.0.clone(), source };
    let mut from = fs::File::open(copy).map_err(unwritten)?;
    let mut to = fs::OpenOptions::new().write(true).open(&part.0).map_err(unwritten)?;
    io::copy(&mut from, &mut to).map_err(unwritten)?;
    if there {
        match backup(data, &before).await {
            Ok(()) => {}
            // Perhaps the very reason to restore: it is kept as it is, its log included.
            Err(BackupError::Damaged { .. } | BackupError::Read { .. } | BackupError::Foreign(_)) => {
                for suffix in ["-wal", ""] {
                    let (from, to) = (with_suffix(data, suffix), with_suffix(&before, suffix));
                    if from.exists() {
                        fs::rename(&from, &to).map_err(|source| BackupError::Write { path: to, source })?;
                    }
                }
            }
            Err(error) => return Err(error),
        }
    }
    for suffix in ["-wal", "-shm"] {
        remove(&with_suffix(data, suffix))?;
    }
    part.settle(data)?;
    Ok(there.then_some(before))
}

/// Errs if a program has the data open that knows nothing of our lock: another version of this one, for instance, or `sqlite3`.
async fn is_alone(data: &Path) -> Result<(), BackupError> {
    let options = SqliteConnectOptions::new()
        .filename(data)
        .locking_mode(SqliteLockingMode::Exclusive)
        .busy_timeout(Duration::ZERO);
    let taken = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        sqlx::query("BEGIN EXCLUSIVE").execute(&mut connection).await?;
        connection.close().await
    };
    match taken.await.map_err(translate) {
        Err(StoreError::Unreachable { source }) if source.to_string().contains("locked") => {
            let holder = "another program that has it open".to_owned();
            Err(LockError::InUse { data: data.to_owned(), holder }.into())
        }
        // What cannot be read is held by nobody.
        _ => Ok(()),
    }
}

/// Whether a file is a whole database of this program.
async fn check(path: &Path) -> Result<(), BackupError> {
    let unreadable = |source| BackupError::Read { path: path.to_owned(), source };
    let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(unreadable)?;
    let problem: String = sqlx::query("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await
        .and_then(|row| row.try_get(0))
        .map_err(unreadable)?;
    if problem != "ok" {
        return Err(BackupError::Damaged { path: path.to_owned(), problem });
    }
    let newest: Result<Option<i64>, _> = sqlx::query("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut connection)
        .await
        .and_then(|row| row.try_get(0));
    let known = MIGRATIONS.iter().map(|migration| migration.version).max();
    let ours = newest.is_ok_and(|newest| newest.is_some() && newest <= known);
    connection.close().await.map_err(unreadable)?;
    if ours { Ok(()) } else { Err(BackupError::Foreign(path.to_owned())) }
}

fn remove(path: &Path) -> Result<(), BackupError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BackupError::Write { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
