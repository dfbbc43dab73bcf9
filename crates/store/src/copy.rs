//! Copies a whole house from one database to another, whether or not they are of the same kind.
//!
//! The copy makes the target equal to the source. Table by table, in key order, it writes the rows that are
//! missing or different, and deletes those that the source does not have. It can therefore be interrupted at
//! any moment and run again, and a second run after the source has changed writes only the changes. A game is
//! written in one transaction with its log. It is skipped if its row, which contains the head of the [hash
//! chain](crate::chain), is the same on both sides.
//!
//! At the end both sides are read again and compared: the log of every game by its hash, and every other
//! table by its row count and a digest.
//!
//! The memory needed does not depend on the size of the house: rows are read in pages.
//!
//! A [mark](Mark) in the target names the house that is being copied. A store does not open a target whose
//! copy is not finished. When it opens a finished copy, it removes the mark, after which no further copy to
//! this target is possible.

mod compare;
mod cursor;
mod table;
mod value;
mod write;

use std::fmt;

use async_trait::async_trait;
use thiserror::Error;

use crate::StoreError;

pub use table::{Column, ColumnType, EVENTS, GAMES, NOT_COPIED, Numbers, TABLES, Table, check_tables};
pub use value::{Row, Value, messages};

type Result<T> = std::result::Result<T, CopyError>;

/// The tables that may contain rows before the first copy, because every server writes to them when it
/// starts.
const WRITTEN_AT_START: [&str; 4] = ["secrets", "heartbeat", "downtimes", "boot"];

/// The reason why a house was not copied completely. Each message is one line.
#[derive(Debug, Error)]
pub enum CopyError {
    #[error("{0} is both the source and the target: choose another target")]
    Same(String),
    #[error("{location} is being served by {by}: stop that first")]
    Served { location: String, by: String },
    #[error("another process is already copying to {location}")]
    Busy { location: String },
    #[error("{location} was served while it was being copied: stop all servers and run the command again")]
    ServedMeanwhile { location: String },
    #[error("{location} is an unfinished copy of {source_location}: finish it with adoube copy first")]
    Unfinished { location: String, source_location: String },
    #[error("{location} already holds a house, with rows in table {table}: choose an empty target")]
    Occupied { location: String, table: &'static str },
    #[error("{location} holds a copy of another house, {source_location}: choose an empty target")]
    OtherHouse { location: String, source_location: String },
    #[error(
        "{location} was migrated by a newer adoube: it has schema {found}, but this version knows {known}; use the newer one"
    )]
    Newer { location: String, found: i64, known: i64 },
    #[error("{location}: row {row} of table {table} cannot be copied: {problem}")]
    Value { location: String, table: &'static str, row: String, problem: String },
    #[error("{location}: table {table} cannot be read")]
    Read { location: String, table: &'static str, source: StoreError },
    #[error("{location}: table {table} cannot be written")]
    Write { location: String, table: &'static str, source: StoreError },
    #[error("{from} and {to} differ: {what}")]
    Differ { from: String, to: String, what: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A range of rows, with keys greater than `after`, up to and including `until`.
#[derive(Clone, Debug, Default)]
pub struct Range {
    pub after: Option<Vec<Value>>,
    pub until: Option<Vec<Value>>,
}

/// The mark in a target, which says what is being copied to it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mark {
    /// The id of the house.
    pub house: Vec<u8>,
    /// The source, without a password.
    pub source_location: String,
    pub is_finished: bool,
}

/// Read access to the source of a copy, as a snapshot, or to the target.
#[async_trait]
pub trait Reader: Send {
    /// Returns the name of the database for messages, without a password.
    fn location(&self) -> &str;

    async fn count(&mut self, table: &'static Table) -> Result<u64>;

    /// Reads at most `limit` rows in key order.
    async fn page(&mut self, table: &'static Table, range: &Range, limit: u32) -> Result<Vec<Row>>;

    /// Returns the last number assigned to a row if the table's [numbers](Numbers) are unique, or the
    /// highest number in use if they are reused. Returns 0 if there is none.
    async fn last_number(&mut self, table: &'static Table) -> Result<i64>;
}

/// The database to copy from.
#[async_trait]
pub trait Source: Send {
    fn reader(&mut self) -> &mut dyn Reader;

    /// Returns the id of the house.
    fn house(&self) -> &[u8];

    /// Returns `true` if a server has changed the database since it was opened as a source.
    async fn was_served(&mut self) -> Result<bool>;

    async fn close(self: Box<Self>);
}

/// The database to copy to. Changes are made between [`begin`](Self::begin) and
/// [`commit`](Self::commit).
#[async_trait]
pub trait Target: Send {
    fn reader(&mut self) -> &mut dyn Reader;

    async fn mark(&mut self) -> Result<Option<Mark>>;

    /// Writes the mark in a separate transaction.
    async fn set_mark(&mut self, mark: &Mark) -> Result<()>;

    async fn begin(&mut self) -> Result<()>;

    async fn commit(&mut self) -> Result<()>;

    /// Inserts rows, and updates those that exist.
    async fn upsert(&mut self, table: &'static Table, rows: &[Row]) -> Result<()>;

    async fn delete(&mut self, table: &'static Table, keys: &[Vec<Value>]) -> Result<()>;

    /// Deletes the logs of games.
    async fn delete_logs(&mut self, games: &[Value]) -> Result<()>;

    /// Sets the [unique column](Table::unique) of these rows to null.
    async fn clear_unique(&mut self, table: &'static Table, keys: &[Vec<Value>]) -> Result<()>;

    /// Sets the last number assigned to a row of a numbered table, so that the next row gets a new one.
    async fn set_last_number(&mut self, table: &'static Table, number: i64) -> Result<()>;

    /// Closes the database. If its query plans need statistics, collects these first.
    async fn close(self: Box<Self>) -> Result<()>;
}

/// The current step of a copy.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Step {
    Clearing,
    Copying,
    Comparing,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clearing => "clearing",
            Self::Copying => "copying",
            Self::Comparing => "comparing",
        })
    }
}

/// The progress of a copy.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub step: Step,
    pub table: &'static str,
    /// The number of the source's rows processed so far in this step, and their total number.
    pub done: u64,
    pub total: u64,
}

/// The result of a copy.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Copied {
    /// The numbers of games, events and other rows that both sides now have.
    pub games: u64,
    pub events: u64,
    pub rows: u64,
    /// The number of rows, including events, that this run has written.
    pub written: u64,
    /// The number of rows, not including events, that this run has deleted.
    pub deleted: u64,
}

/// Copies a house. Calls `report` regularly with the progress.
///
/// # Errors
///
/// If the target contains other data, if either side cannot be read or written, if a server changed the
/// source during the copy, or if the two differ at the end.
pub async fn copy(
    source: &mut dyn Source,
    target: &mut dyn Target,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Copied> {
    claim(source, target).await?;
    let mut copied = write::write(source.reader(), target, report).await?;
    compare::compare(source.reader(), target.reader(), &mut copied, report).await?;
    if source.was_served().await? {
        return Err(CopyError::ServedMeanwhile { location: source.reader().location().to_owned() });
    }
    set_mark(source, target, true).await?;
    Ok(copied)
}

/// Marks the target, if it is empty or a copy of the same house.
async fn claim(source: &mut dyn Source, target: &mut dyn Target) -> Result<()> {
    let location = target.reader().location().to_owned();
    match target.mark().await? {
        Some(mark) if mark.house == source.house() => {}
        Some(mark) => return Err(CopyError::OtherHouse { location, source_location: mark.source_location }),
        None => {
            for table in TABLES.iter().filter(|table| !WRITTEN_AT_START.contains(&table.name)) {
                if target.reader().count(table).await? > 0 {
                    return Err(CopyError::Occupied { location, table: table.name });
                }
            }
        }
    }
    set_mark(source, target, false).await
}

async fn set_mark(source: &mut dyn Source, target: &mut dyn Target, is_finished: bool) -> Result<()> {
    let source_location = source.reader().location().to_owned();
    let mark = Mark { house: source.house().to_vec(), source_location, is_finished };
    target.set_mark(&mark).await
}
