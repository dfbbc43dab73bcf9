//! Copies of the file, and the way back.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use sqlx::{
    Connection as _, Row as _,
    sqlite::{SqliteConnectOptions, SqliteConnection},
};
use thiserror::Error;

use crate::{MIGRATIONS, PATIENCE};

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
}

/// Copies the data to a new file as it is at one moment, while servers go on.
pub async fn backup(data: &Path, copy: &Path) -> Result<(), BackupError> {
    if copy.exists() {
        return Err(BackupError::Exists(copy.to_owned()));
    }
    let unreadable = |source| BackupError::Read { path: data.to_owned(), source };
    // Beside it first: a copy that was interrupted must not look like one.
    let part = with_suffix(copy, ".part");
    remove(&part)?;
    let options = SqliteConnectOptions::new().filename(data).read_only(true).busy_timeout(PATIENCE);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(unreadable)?;
    sqlx::query("VACUUM INTO ?")
        .bind(part.to_string_lossy().as_ref())
        .execute(&mut connection)
        .await
        .map_err(unreadable)?;
    connection.close().await.map_err(unreadable)?;
    check(&part).await?;
    settle(&part, copy)
}

/// Puts a copy where the data is to be. Data that is there already is kept beside it, with `.before` at the end of its name.
pub async fn restore(copy: &Path, data: &Path) -> Result<Option<PathBuf>, BackupError> {
    check(copy).await?;
    let part = with_suffix(data, ".part");
    remove(&part)?;
    let unwritten = |source| BackupError::Write { path: part.clone(), source };
    fs::copy(copy, &part).map_err(unwritten)?;
    let mut kept = None;
    if data.exists() {
        let before = with_suffix(data, ".before");
        // A copy that is whole without its log beside it.
        backup(data, &before).await?;
        kept = Some(before);
    }
    for suffix in ["-wal", "-shm"] {
        remove(&with_suffix(data, suffix))?;
    }
    settle(&part, data)?;
    Ok(kept)
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

/// Gives a finished file its name, and makes sure that it stays.
fn settle(part: &Path, path: &Path) -> Result<(), BackupError> {
    let unwritten = |source| BackupError::Write { path: path.to_owned(), source };
    fs::File::open(part).and_then(|file| file.sync_all()).map_err(unwritten)?;
    fs::rename(part, path).map_err(unwritten)?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritten)
}

fn remove(path: &Path) -> Result<(), BackupError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BackupError::Write { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
