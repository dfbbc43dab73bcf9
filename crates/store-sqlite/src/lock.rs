//! Ensures that at most one server uses a data file.
//!
//! A file next to the data, with the suffix `.lock`, is locked (`flock`, `LockFileEx`) while a server has the
//! data open or a command replaces or changes it. The lock belongs to the open file, so the system releases
//! it when the process ends, however it ends. The data file itself is not locked, because `restore` replaces
//! it and because SQLite has its own locks on it.
//!
//! The lock works between all processes on one host, including containers that share the folder. Whether it
//! works on a network file system depends on that file system; SQLite's write-ahead log needs shared memory
//! and does not work there anyway.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::backup::with_suffix;

/// The maximum number of bytes read from the lock file to name the holder.
const MAX_NOTE_BYTES: u64 = 200;

/// The reason why the data cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    #[error("{} is in use by {holder}; stop that first, or choose another file", data.display())]
    InUse { data: PathBuf, holder: String },
    #[error("{} cannot be locked; the server's user must own it, and its folder must be writable and on a file system that supports locking", lock.display())]
    CannotLock { lock: PathBuf, source: io::Error },
}

/// The exclusive right to write the data, released on drop.
#[derive(Debug)]
pub struct DataLock {
    /// Holds the lock while it is open.
    _file: File,
}

impl DataLock {
    /// Takes the lock, or returns an error that names the holder. Does not wait.
    pub fn take(data: &Path) -> Result<Self, LockError> {
        let lock = with_suffix(&resolve_links(data), ".lock");
        let cannot_lock = |source| LockError::CannotLock { lock: lock.clone(), source };
        let options = &mut OpenOptions::new();
        let options = private(options.read(true).write(true).create(true).truncate(false));
        let mut file = options.open(&lock).map_err(cannot_lock)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::InUse { data: data.to_owned(), holder: holder(&mut file) });
            }
            Err(TryLockError::Error(source)) => return Err(cannot_lock(source)),
        }
        // The note is only for human readers. The lock works without it.
        let note = format!("process {} on {}\n", std::process::id(), host());
        if let Err(error) = file.set_len(0).and_then(|()| file.write_all(note.as_bytes())) {
            tracing::debug!(%error, "the lock file does not name its holder");
        }
        Ok(Self { _file: file })
    }
}

/// Returns a description of the process that has locked the data, if there is one. Does not create a lock
/// file.
pub(crate) fn holder_of(data: &Path) -> Option<String> {
    let mut file = File::open(with_suffix(&resolve_links(data), ".lock")).ok()?;
    // This lock is released at the end, when the file is closed.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| holder(&mut file))
}

/// Configures the options to create files that only their owner can access.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Returns the real path of the data, so that the lock is the same if the data is opened through a link.
fn resolve_links(data: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(data) {
        return path;
    }
    // The data file does not exist yet.
    let folder = data.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), data.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => data.to_owned(),
    }
}

fn holder(file: &mut File) -> String {
    let mut note = Vec::new();
    // On Windows a locked file cannot be read.
    let _ = file.take(MAX_NOTE_BYTES).read_to_end(&mut note);
    let note = String::from_utf8_lossy(&note);
    let note = note.lines().next().unwrap_or_default().replace(char::is_control, "");
    if note.is_empty() { "another process".to_owned() } else { note }
}

fn host() -> String {
    let name =
        fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
    name.ok()
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .unwrap_or_else(|| "this machine".to_owned())
}
