//! Backup and restore of the data file.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::Duration,
};

use adoube_store::StoreError;
use sqlx::{
    Connection as _,
    sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteLockingMode},
};
use thiserror::Error;
use tokio::task::JoinHandle;

use crate::{
    BUSY_TIMEOUT,
    error::{is_write_failure, translate},
    integrity::{self, CheckLog, Findings},
    lock::{DataLock, LockError, private},
};

/// The number of bytes to write to a copy between two syncs.
const SYNCED_AT_ONCE: u64 = 8 << 20;

/// The reason why a backup or a restore failed.
#[derive(Debug, Error)]
pub enum BackupError {
    #[error("{} already exists and will not be overwritten", .0.display())]
    Exists(PathBuf),
    #[error("{} does not exist", .0.display())]
    Missing(PathBuf),
    #[error("{} is a folder, not a file", .0.display())]
    Folder(PathBuf),
    #[error("{} cannot be opened", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("{} cannot be read as a database", path.display())]
    Read { path: PathBuf, source: sqlx::Error },
    #[error("{} is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("{} is not an adoube data file; choose another file", .0.display())]
    Foreign(PathBuf),
    #[error("{} was written by a newer adoube: it has schema {found}, and this version reads up to {newest}; use the newer one", path.display())]
    Newer { path: PathBuf, found: i64, newest: i64 },
    #[error("{} was written by an older version: start a server once to bring it up to date", .0.display())]
    Older(PathBuf),
    #[error(
        "{path} has a write-ahead log, {path}-wal, with changes that would be lost; copy both into one file with `adoube backup --data {path} FILE`, and restore that",
        path = path.display()
    )]
    HasLog { path: PathBuf },
    #[error("{} is not a regular file and will not be replaced", .0.display())]
    NotRegular(PathBuf),
    #[error("{} is not valid UTF-8; choose another file name", .0.display())]
    Name(PathBuf),
    #[error("{} cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// An unfinished file. It is removed on drop unless [`commit`](Self::commit) has renamed it.
struct PartialFile(PathBuf);

impl PartialFile {
    /// Creates an empty `.part` file next to the final path, so that an interrupted copy is never mistaken
    /// for a complete one. Only its owner can read it.
    fn of(path: &Path) -> Result<Self, BackupError> {
        let part = with_suffix(path, ".part");
        remove(&part)?;
        let created = private(fs::OpenOptions::new().write(true).create_new(true)).open(&part);
        created.map_err(|source| BackupError::Write { path: part.clone(), source })?;
        Ok(Self(part))
    }

    /// Renames the finished file to its final name, and syncs the folder.
    fn commit(self, path: &Path) -> Result<(), BackupError> {
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

impl Drop for PartialFile {
    fn drop(&mut self) {
        // If the file was renamed, there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

/// Copies a consistent snapshot of the data to a new file; a server may be running. Damaged games are copied
/// too, but a database that SQLite finds damaged is refused. Returns the findings about the copy.
pub async fn backup(data: &Path, copy: &Path, logs: &impl CheckLog) -> Result<Findings, BackupError> {
    if copy.exists() {
        return Err(BackupError::Exists(copy.to_owned()));
    }
    if copy.to_str().is_none() {
        return Err(BackupError::Name(copy.to_owned()));
    }
    check_opens(data)?;
    let part = PartialFile::of(copy)?;
    copy_to(data, &part).await?;
    let unreadable = |source| BackupError::Read { path: part.0.clone(), source };
    let mut connection = open_exclusive(&part.0).await.map_err(unreadable)?;
    integrity::write_digest(&mut connection).await.map_err(unreadable)?;
    connection.close().await.map_err(unreadable)?;
    let findings = check(&part.0, logs).await?;
    part.commit(copy)?;
    Ok(findings)
}

/// Copies the data to a new file next to it with this suffix. Returns the path of the copy.
pub(crate) async fn copy_beside(data: &Path, suffix: &str) -> Result<PathBuf, BackupError> {
    let (copy, part) = new_copy(data, suffix)?;
    copy_to(data, &part).await?;
    part.commit(&copy)?;
    Ok(copy)
}

/// A plain copy of the data file, made by another thread. For several gigabytes, it takes a third of the time
/// of `VACUUM INTO`. Until it is finished, nothing may be written to the data file. A transaction may write
/// to the write-ahead log, because SQLite does not copy anything from there to the data file before the
/// commit.
pub(crate) struct FileCopy {
    copy: PathBuf,
    part: PartialFile,
    copying: JoinHandle<io::Result<fs::File>>,
}

impl FileCopy {
    /// Begins to copy the data to a new file next to it with this suffix.
    pub(crate) fn begin(data: &Path, suffix: &str) -> Result<Self, BackupError> {
        let (copy, part) = new_copy(data, suffix)?;
        let (from, to) = (data.to_owned(), part.0.clone());
        let copying = tokio::task::spawn_blocking(move || copy_and_sync(&from, &to));
        Ok(Self { copy, part, copying })
    }

    /// Waits until the copy is stored. Returns its path, and the data file that was copied, still open. On
    /// Unix, closing that file releases the locks that SQLite has on it in this process, so it must be closed
    /// after SQLite's connection.
    pub(crate) async fn finish(self) -> Result<(PathBuf, fs::File), BackupError> {
        let copied = self.copying.await.unwrap_or_else(|panicked| Err(io::Error::other(panicked)));
        let copied = copied.map_err(|source| BackupError::Write { path: self.part.0.clone(), source })?;
        self.part.commit(&self.copy)?;
        Ok((self.copy, copied))
    }
}

/// Returns `true` if the write-ahead log is empty, so the file alone contains all the data.
pub(crate) fn is_in_one_file(data: &Path) -> bool {
    fs::metadata(with_suffix(data, "-wal")).map_or(true, |write_ahead_log| write_ahead_log.len() == 0)
}

/// Returns the path of a copy next to the data, and the file in which the copy is made. Refuses to overwrite
/// an earlier copy.
fn new_copy(data: &Path, suffix: &str) -> Result<(PathBuf, PartialFile), BackupError> {
    let copy = with_suffix(data, suffix);
    if copy.exists() {
        return Err(BackupError::Exists(copy));
    }
    let part = PartialFile::of(&copy)?;
    Ok((copy, part))
}

/// Copies a file into an existing one, which is synced while it is written, so that the disk is not idle
/// until the end. Returns the file that was copied, still open.
fn copy_and_sync(from: &Path, to: &Path) -> io::Result<fs::File> {
    let mut from = fs::File::open(from)?;
    let mut to = fs::OpenOptions::new().write(true).truncate(true).open(to)?;
    let synced = to.try_clone()?;
    std::thread::scope(|scope| {
        let (written, writes) = std::sync::mpsc::channel();
        let syncing = scope.spawn(move || writes.iter().try_for_each(|()| synced.sync_data()));
        loop {
            if io::copy(&mut from.by_ref().take(SYNCED_AT_ONCE), &mut to)? == 0 {
                break;
            }
            // The thread ends early only if a sync fails. Its error is returned below.
            if written.send(()).is_err() {
                break;
            }
        }
        drop(written);
        syncing.join().unwrap_or_else(|_| Err(io::Error::other("the thread that syncs the copy panicked")))
    })?;
    Ok(from)
}

async fn copy_to(data: &Path, part: &PartialFile) -> Result<(), BackupError> {
    let unreadable = |source| BackupError::Read { path: data.to_owned(), source };
    let options = SqliteConnectOptions::new().filename(data).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(unreadable)?;
    // SQLite takes names as text, and reads one that begins with `file:` as a URI. An absolute path never
    // begins with `file:`.
    let absolute =
        std::path::absolute(&part.0).map_err(|source| BackupError::Write { path: part.0.clone(), source })?;
    let name = absolute.to_str().ok_or_else(|| BackupError::Name(part.0.clone()))?;
    let copied = sqlx::query("VACUUM INTO ?").bind(name).execute(&mut connection).await;
    copied.map_err(|error| {
        // The data is only read, so the write that failed must have been to the copy.
        if is_write_failure(&error) {
            BackupError::Write { path: part.0.clone(), source: io::Error::other(error) }
        } else {
            unreadable(error)
        }
    })?;
    connection.close().await.map_err(unreadable)
}

/// Opens a file that no other process is using, without a write-ahead log.
async fn open_exclusive(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(path).journal_mode(SqliteJournalMode::Delete);
    SqliteConnection::connect_with(&options).await
}

/// The result of a restore.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The new location of the replaced data, if there was any.
    pub before: Option<PathBuf>,
    pub findings: Findings,
}

/// Replaces the data with a copy, unless a server has the data open. The previous data is kept next to it
/// with the suffix `.before`. A copy that has been changed or contains damaged games is refused unless the
/// caller accepts damage; one that SQLite finds damaged is always refused, and so is one with a write-ahead
/// log.
pub async fn restore(
    copy: &Path,
    data: &Path,
    logs: &impl CheckLog,
    accept_damaged: bool,
) -> Result<Restored, BackupError> {
    check_opens(copy)?;
    // Only the file itself is copied.
    if fs::metadata(with_suffix(copy, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(BackupError::HasLog { path: copy.to_owned() });
    }
    let findings = check(copy, logs).await?;
    if !findings.is_intact() && !accept_damaged {
        return Err(BackupError::Damaged { path: copy.to_owned(), problem: findings.to_string() });
    }
    // Follow a symbolic link, so that the link stays and its target is replaced.
    let resolved = data.canonicalize().unwrap_or_else(|_| data.to_owned());
    let data = resolved.as_path();
    // Never replace a device, a socket or a folder.
    if fs::symlink_metadata(data).is_ok_and(|found| !found.is_file()) {
        return Err(BackupError::NotRegular(data.to_owned()));
    }
    let _lock = DataLock::take(data)?;
    let before = with_suffix(data, ".before");
    let has_data = data.exists();
    if has_data {
        if before.exists() {
            return Err(BackupError::Exists(before));
        }
        check_not_open(data).await?;
    }
    let part = PartialFile::of(data)?;
    let unwritten = |source| BackupError::Write { path: part.0.clone(), source };
    let mut from =
        fs::File::open(copy).map_err(|source| BackupError::Open { path: copy.to_owned(), source })?;
    let mut to = fs::OpenOptions::new().write(true).open(&part.0).map_err(unwritten)?;
    io::copy(&mut from, &mut to).map_err(unwritten)?;
    drop(to);
    let unreadable = |source| BackupError::Read { path: copy.to_owned(), source };
    let mut connection = open_exclusive(&part.0).await.map_err(unreadable)?;
    integrity::remove_digest(&mut connection).await.map_err(unreadable)?;
    connection.close().await.map_err(unreadable)?;
    if has_data {
        match copy_beside(data, ".before").await {
            Ok(_) => {}
            // Damaged data may be the reason for the restore, so it is kept as it is, with its write-ahead
            // log.
            Err(BackupError::Read { .. }) => {
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
    part.commit(data)?;
    Ok(Restored { before: has_data.then_some(before), findings })
}

/// Checks the data, which a server may have open.
pub async fn check_data(data: &Path, logs: &impl CheckLog) -> Result<Findings, BackupError> {
    check_opens(data)?;
    let unreadable = |source| BackupError::Read { path: data.to_owned(), source };
    let options = SqliteConnectOptions::new().filename(data).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(unreadable)?;
    // Read everything in one transaction, so that it is consistent.
    let mut snapshot = connection.begin().await.map_err(unreadable)?;
    integrity::check(&mut snapshot, data, logs).await
}

/// Returns an error if the data is open in a program that ignores our lock, such as an older version or
/// `sqlite3`.
async fn check_not_open(data: &Path) -> Result<(), BackupError> {
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
            let holder = "another program".to_owned();
            Err(LockError::InUse { data: data.to_owned(), holder }.into())
        }
        // Any other error means that the file is unreadable. It can still be replaced.
        _ => Ok(()),
    }
}

/// Returns an error if a file cannot be opened for reading; SQLite would not give the reason. The file is not
/// opened here, because closing it would release the locks that SQLite may have on it in this process.
fn check_opens(path: &Path) -> Result<(), BackupError> {
    let not_opened = |source: io::Error| BackupError::Open { path: path.to_owned(), source };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(BackupError::Folder(path.to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(BackupError::Missing(path.to_owned()));
        }
        Err(error) => return Err(not_opened(error)),
    }
    #[cfg(unix)]
    rustix::fs::access(path, rustix::fs::Access::READ_OK).map_err(|error| not_opened(error.into()))?;
    Ok(())
}

/// Checks a file that no process is writing.
async fn check(path: &Path, logs: &impl CheckLog) -> Result<Findings, BackupError> {
    let unreadable = |source| BackupError::Read { path: path.to_owned(), source };
    let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(unreadable)?;
    let findings = integrity::check(&mut connection, path, logs).await?;
    connection.close().await.map_err(unreadable)?;
    Ok(findings)
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
