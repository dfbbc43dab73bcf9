use thiserror::Error;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why the store could not answer. What is merely absent is `Ok(None)`.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The data cannot be opened at all.
    #[error("the data in {place} cannot be opened")]
    Open { place: String, source: Source },
    /// Somebody else has the data, and would not learn of what is written beside it.
    #[error("{place} is in use by {holder}; stop that first, or choose another file")]
    InUse { place: String, holder: String },
    /// A row that makes no sense: the data was written by something else, or is damaged.
    #[error("the {what} in table {table} makes no sense: {found:?}")]
    Nonsense { table: &'static str, what: &'static str, found: String },
    /// No room is left. Reading goes on, and writing too as soon as there is room.
    #[error("no room is left to write")]
    Full { source: Source },
    /// The database did not answer, or not in time.
    #[error("the database does not answer")]
    Unreachable { source: Source },
    /// What is written is not surely kept any more; nothing is written until a restart.
    #[error("what is written is not kept any more: {0}")]
    Broken(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database refused a statement: a mistake of this program.
    #[error("the database refused a statement")]
    Statement { source: Source },
}
