//! Classification of database errors.

use adoube_store::StoreError;

/// The state of the change and of the connection after an error.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ErrorClass {
    /// The statement was rejected, or its parameters or result could not be converted. Nothing was written.
    /// The connection can still be used.
    Refused,
    /// Another transaction conflicted with this one. Nothing was written, and a retry may succeed.
    Contended,
    /// The disk is full. Nothing was written.
    Full,
    /// The server cannot be reached, or cannot be written to at the moment.
    Unavailable,
}

/// Returns the class of an error. Codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
pub(crate) fn class(error: &sqlx::Error) -> ErrorClass {
    let sqlx::Error::Database(inner) = error else {
        return match error {
            sqlx::Error::Encode(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::RowNotFound => ErrorClass::Refused,
            _ => ErrorClass::Unavailable,
        };
    };
    let code = inner.code().unwrap_or_default();
    match &*code {
        // Serialization failure, deadlock, lock timeout.
        "40001" | "40P01" | "55P03" => ErrorClass::Contended,
        "53100" => ErrorClass::Full,
        // A standby; a session or statement ended by a time limit, an administrator or a crash; a server that is
        // starting; a dropped database.
        "25006" | "25P03" | "57014" | "57P01" | "57P02" | "57P03" | "57P04" | "57P05" => {
            ErrorClass::Unavailable
        }
        code => match code.get(..2) {
            // Connection, resources, operator, operating system, configuration file, internal error or
            // corruption.
            Some("08" | "53" | "57" | "58" | "F0" | "XX") => ErrorClass::Unavailable,
            _ => ErrorClass::Refused,
        },
    }
}

/// Translates a database error into a store error. If a retry may succeed, or it is not known whether the
/// change was written, the result is [`StoreError::Unreachable`]: the caller tries again, and a repeated
/// command finds what was written.
pub(crate) fn translate(error: sqlx::Error) -> StoreError {
    if matches!(error, sqlx::Error::PoolClosed) {
        return StoreError::Closed;
    }
    match class(&error) {
        ErrorClass::Refused => StoreError::Statement { source: error.into() },
        ErrorClass::Full => StoreError::Full { source: error.into() },
        ErrorClass::Contended | ErrorClass::Unavailable => StoreError::Unreachable { source: error.into() },
    }
}

/// Returns the error for a read or change that was not completed in time.
pub(crate) fn timed_out(reason: &'static str) -> StoreError {
    StoreError::Unreachable { source: reason.into() }
}
