//! The data file itself: its identity, its size, the space for it, and its permissions.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use adoube_store::{Result, StoreError};

use crate::{backup::with_suffix, lock::private};

/// Identifies the open file, so that its replacement by another file is detected.
#[derive(Clone, Debug)]
pub(crate) struct FileIdentity {
    path: PathBuf,
    opened: Option<FileId>,
}

#[cfg(unix)]
type FileId = (u64, u64);
#[cfg(not(unix))]
type FileId = ();

impl FileIdentity {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), opened: file_id(path)? })
    }

    /// Returns an error if no space is left on the file's disk, or if its folder is not writable.
    pub(crate) async fn check_space(&self) -> Result<()> {
        let path = self.path.clone();
        let probed = tokio::task::spawn_blocking(move || probe(&path)).await;
        probed.unwrap_or_else(|error| Err(StoreError::Unreachable { source: error.into() }))
    }

    /// Returns the number of bytes that this process can still write next to the file, if the system reports
    /// it.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        free_bytes(&self.path)
    }

    /// Returns the size of the file and its log in bytes.
    pub(crate) fn size(&self) -> u64 {
        size(&self.path)
    }

    /// Returns an error if the path no longer refers to the open file, because further writes would be lost
    /// with that file.
    pub(crate) fn check(&self) -> Result<()> {
        let moved_error = |what: &str| {
            Err(StoreError::Broken(format!(
                "the data file was {what} while it was in use; restart the server"
            )))
        };
        match file_id(&self.path) {
            Ok(found) if found == self.opened => Ok(()),
            Ok(_) => moved_error("replaced"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => moved_error("removed or renamed"),
            Err(error) => Err(StoreError::Unreachable { source: error.into() }),
        }
    }
}

/// Returns the number of bytes that this process can still write next to a file, if the system reports it.
#[cfg(unix)]
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let space = rustix::fs::statvfs(folder.unwrap_or(Path::new("."))).ok()?;
    Some(space.f_bavail.saturating_mul(space.f_frsize))
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Returns the size of a data file and its log in bytes.
pub(crate) fn size(path: &Path) -> u64 {
    let bytes = |suffix| fs::metadata(with_suffix(path, suffix)).map_or(0, |found| found.len());
    bytes("") + bytes("-wal")
}

/// The size in bytes of the file that is written to test for free space. Writing to the log would not reveal
/// a full disk, because the log reuses its own space.
const PROBE_BYTES: usize = 64 * 1024;

/// Creates a file next to the data, syncs it and removes it.
fn probe(path: &Path) -> Result<()> {
    let probe = with_suffix(path, ".probe");
    let write = || {
        let mut file = private(OpenOptions::new().write(true).create(true).truncate(true)).open(&probe)?;
        file.write_all(&vec![0; PROBE_BYTES])?;
        file.sync_all()
    };
    let written = write();
    let removed = fs::remove_file(&probe);
    written.and(removed).map_err(|source| match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            StoreError::Full { source: source.into() }
        }
        _ => StoreError::Unreachable { source: source.into() },
    })
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such number")]
fn identify(found: &fs::Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identify(_: &fs::Metadata) -> Option<FileId> {
    // On these systems, an open file can be neither replaced nor removed.
    None
}

fn file_id(path: &Path) -> io::Result<Option<FileId>> {
    fs::metadata(path).map(|found| identify(&found))
}

/// Creates the file if it is missing, readable only by its owner. If it exists, other users' access to it is
/// removed. SQLite gives the files that it creates next to it the same permissions.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    match private(OpenOptions::new().write(true).create_new(true)).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            for suffix in ["", "-wal", "-shm"] {
                deny_access_to_others(&with_suffix(path, suffix));
            }
            Ok(())
        }
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn deny_access_to_others(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    const OTHERS: u32 = 0o007;
    let Ok(found) = fs::metadata(path) else { return };
    let mode = found.permissions().mode();
    if mode & OTHERS == 0 {
        return;
    }
    // Group permissions may be intended, for instance for backups.
    match fs::set_permissions(path, fs::Permissions::from_mode(mode & !OTHERS)) {
        Ok(()) => {
            tracing::warn!(path = %path.display(), "all users of this machine had access to the file; its permissions were corrected");
        }
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "all users of this machine have access to the file");
        }
    }
}

#[cfg(not(unix))]
fn deny_access_to_others(_: &Path) {}
