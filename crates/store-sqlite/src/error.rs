use adoube_store::StoreError;
use sqlx::error::DatabaseError;

// SQLite result codes, <https://www.sqlite.org/rescode.html>.
const PERMISSION: i32 = 3;
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READ_ONLY: i32 = 8;
const IO_ERROR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANNOT_OPEN: i32 = 14;
const NOT_A_DATABASE: i32 = 26;
const IO_ERROR_WRITE: i32 = IO_ERROR | (3 << 8);
const IO_ERROR_FSYNC: i32 = IO_ERROR | (4 << 8);
const IO_ERROR_DIR_FSYNC: i32 = IO_ERROR | (5 << 8);

fn code(error: &dyn DatabaseError) -> i32 {
    error.code().and_then(|code| code.parse().ok()).unwrap_or_default()
}

/// Returns `true` if the file is not a database.
pub(crate) fn is_not_a_database(error: &dyn DatabaseError) -> bool {
    code(error) & 0xff == NOT_A_DATABASE
}

/// What an error says about the data file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cause {
    /// The system did not let this process open the file, or one next to it.
    NotOpened,
    /// Another program has locked it.
    Locked,
    /// Its content is corrupt, or is not a database.
    Damaged,
    Other,
}

/// Classifies an error by what it says about the data file.
pub(crate) fn cause(error: &sqlx::Error) -> Cause {
    match error {
        sqlx::Error::Database(inner) => match code(inner.as_ref()) & 0xff {
            PERMISSION | READ_ONLY | CANNOT_OPEN => Cause::NotOpened,
            BUSY | LOCKED => Cause::Locked,
            CORRUPT | NOT_A_DATABASE => Cause::Damaged,
            _ => Cause::Other,
        },
        sqlx::Error::Io(_) => Cause::NotOpened,
        sqlx::Error::PoolTimedOut => Cause::Locked,
        _ => Cause::Other,
    }
}

/// Returns `true` if a file could not be written, for example because the disk is full.
pub(crate) fn is_write_failure(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(inner) = error else { return false };
    matches!(code(inner.as_ref()), FULL | IO_ERROR_WRITE | IO_ERROR_FSYNC | IO_ERROR_DIR_FSYNC)
}

/// Translates a database error into a store error.
pub(crate) fn translate(error: sqlx::Error) -> StoreError {
    match &error {
        sqlx::Error::Database(inner) => match code(inner.as_ref()) {
            // After a failed sync, a later one may seem to succeed although the data is lost. Therefore the
            // store must not continue.
            IO_ERROR_FSYNC | IO_ERROR_DIR_FSYNC => StoreError::Broken(error.to_string()),
            code => match code & 0xff {
                CORRUPT | NOT_A_DATABASE => StoreError::Broken(error.to_string()),
                FULL => StoreError::Full { source: error.into() },
                BUSY | LOCKED | READ_ONLY | IO_ERROR | CANNOT_OPEN => {
                    StoreError::Unreachable { source: error.into() }
                }
                _ => StoreError::Statement { source: error.into() },
            },
        },
        sqlx::Error::PoolClosed => StoreError::Closed,
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => {
            StoreError::Unreachable { source: error.into() }
        }
        _ => StoreError::Statement { source: error.into() },
    }
}
