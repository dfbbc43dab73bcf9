use thiserror::Error;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// The reason why the store could not answer. A missing row is not an error but `Ok(None)`.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The data cannot be opened.
    #[error("the data in {place} cannot be opened")]
    Open { place: String, source: Source },
    /// Another process has opened the data, and would not notice the writes of this one.
    #[error("{place} is in use by {holder}; stop that first, or choose another file")]
    InUse { place: String, holder: String },
    /// A row has an impossible value: another program wrote it, or it is damaged.
    #[error("unexpected {what} in table {table}: {found:?}")]
    InvalidValue { table: &'static str, what: &'static str, found: String },
    /// The disk is full. Reads still work, and so do writes as soon as there is space.
    #[error("no space left to write")]
    Full { source: Source },
    /// The database did not respond, or not in time.
    #[error("the database does not respond")]
    Unreachable { source: Source },
    /// Writes can no longer be guaranteed to reach the disk. Nothing is written until a restart.
    #[error("writes no longer reach the disk: {0}")]
    Broken(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database rejected a statement, which is a bug in this program.
    #[error("the database rejected a statement")]
    Statement { source: Source },
}
