use thiserror::Error;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a store operation failed. A missing row is not an error but `Ok(None)`.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The data cannot be opened.
    #[error("the data in {location} cannot be opened")]
    Open { location: String, source: Source },
    /// Another process has the data open, and would not notice this process's writes.
    #[error("{location} is in use by {holder}; stop that first, or choose another file")]
    InUse { location: String, holder: String },
    /// A row has an invalid value, because it is damaged or was written by another program.
    #[error("unexpected {what} in table {table}: {found:?}")]
    InvalidValue { table: &'static str, what: &'static str, found: String },
    /// The disk is full. Reads still work. Writes work again as soon as there is space.
    #[error("no space left to write")]
    Full { source: Source },
    /// The database cannot be reached or used at the moment. A change may or may not have been written.
    #[error("the database does not respond")]
    Unreachable { source: Source },
    /// The data can no longer be relied on: a sync failed, or the data is damaged or was replaced while in
    /// use. Once a write has failed in this way, nothing more is written until a restart.
    #[error("the data can no longer be relied on: {0}")]
    Broken(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database rejected a statement, which is a bug in this program.
    #[error("the database rejected a statement")]
    Statement { source: Source },
}
