//! A file as the source or the target of a copy.

use std::path::Path;

use adoube_store::{
    HOUSE_ID, StoreError,
    copy::{
        Column, ColumnType, CopyError, EVENTS, Mark, Numbers, Range, Reader, Row, Source, Table, Target,
        Value, messages,
    },
};
use async_trait::async_trait;
use sqlx::{
    AssertSqlSafe, Connection as _, Row as _, SqlSafeStr as _, Sqlite,
    query::Query,
    sqlite::{SqliteArguments, SqliteConnection, SqliteRow},
};

use crate::{chain::ChainSomeGames, error::translate, lock::DataLock, open_to_write, writer::Change as _};

type Result<T> = std::result::Result<T, CopyError>;

/// The maximum number of bound values in a statement, well below the 32,766 that `SQLite` allows.
const MAX_BOUND_VALUES: usize = 1_000;

/// A file that this process has locked, so that no server uses it.
#[derive(Debug)]
struct Data {
    connection: SqliteConnection,
    location: String,
    _lock: DataLock,
}

/// The file to copy from.
#[derive(Debug)]
pub struct SqliteSource {
    data: Data,
    house: Vec<u8>,
}

/// The file to copy to.
#[derive(Debug)]
pub struct SqliteTarget {
    data: Data,
}

impl SqliteSource {
    /// Opens a file that no server is using, and migrates it as a server would. `fresh` becomes the id of
    /// the house if the file has none yet.
    ///
    /// # Errors
    ///
    /// If the file does not exist, is in use by another process, holds an unfinished copy, or belongs to
    /// another program or a newer version.
    pub async fn open(path: &Path, fresh: &[u8]) -> Result<Self> {
        if !path.is_file() {
            let source = std::io::Error::from(std::io::ErrorKind::NotFound).into();
            return Err(StoreError::Open { location: path.display().to_string(), source }.into());
        }
        let mut data = Data::open(path).await?;
        if let Some(Mark { source_location, is_finished: false, .. }) = data.mark().await? {
            return Err(CopyError::Unfinished { location: data.location, source_location });
        }
        // Adds hash chains to games that have none. A server does this while it is running.
        while ChainSomeGames.apply(&mut data.connection).await? {}
        sqlx::query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .bind(HOUSE_ID)
            .bind(fresh)
            .execute(&mut data.connection)
            .await
            .map_err(translate)?;
        // Other programs may still write, so everything is read from one snapshot.
        sqlx::raw_sql("BEGIN").execute(&mut data.connection).await.map_err(translate)?;
        let row = sqlx::query("SELECT value FROM secrets WHERE name = ?")
            .bind(HOUSE_ID)
            .fetch_one(&mut data.connection)
            .await
            .map_err(translate)?;
        let house = row.try_get(0).map_err(translate)?;
        Ok(Self { data, house })
    }
}

impl SqliteTarget {
    /// Opens or creates a file that no server has open.
    pub async fn open(path: &Path) -> Result<Self> {
        Ok(Self { data: Data::open(path).await? })
    }
}

impl Data {
    async fn open(path: &Path) -> Result<Self> {
        let (connection, lock, _) = open_to_write(path).await.map_err(|error| match error {
            StoreError::InUse { location, holder } => CopyError::Served { location, by: holder },
            error => error.into(),
        })?;
        let location = path.display().to_string();
        Ok(Self { connection, location, _lock: lock })
    }

    async fn mark(&mut self) -> Result<Option<Mark>> {
        Ok(mark(&mut self.connection).await.map_err(translate)?)
    }

    fn read_error(&self, table: &'static Table, error: sqlx::Error) -> CopyError {
        CopyError::Read { location: self.location.clone(), table: table.name, source: translate(error) }
    }

    fn write_error(&self, table: &'static Table, error: sqlx::Error) -> CopyError {
        CopyError::Write { location: self.location.clone(), table: table.name, source: translate(error) }
    }

    fn row(&self, table: &'static Table, row: &SqliteRow) -> Result<Row> {
        let mut values = Vec::with_capacity(table.columns.len());
        for (at, column) in table.columns.iter().enumerate() {
            let value = value(row, at, column.kind).map_err(|problem| CopyError::Value {
                location: self.location.clone(),
                table: table.name,
                row: values.iter().take(table.key).map(ToString::to_string).collect::<Vec<_>>().join(" "),
                problem: format!("{}: {problem}", column.name),
            })?;
            values.push(value);
        }
        Ok(Row(values))
    }
}

#[async_trait]
impl Reader for Data {
    fn location(&self) -> &str {
        &self.location
    }

    async fn count(&mut self, table: &'static Table) -> Result<u64> {
        let statement = format!("SELECT count(*) FROM {}", table.name);
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_one(&mut self.connection).await;
        let count = row.and_then(|row| row.try_get::<i64, _>(0));
        Ok(count.map_err(|error| self.read_error(table, error))?.unsigned_abs())
    }

    async fn page(&mut self, table: &'static Table, range: &Range, limit: u32) -> Result<Vec<Row>> {
        let key = names(table.key_columns());
        let bound = |values: &[Value]| vec!["?"; values.len()].join(", ");
        let after = range.after.as_deref().map(|values| format!("({key}) > ({})", bound(values)));
        let until = range.until.as_deref().map(|values| format!("({key}) <= ({})", bound(values)));
        let conditions = after.into_iter().chain(until).collect::<Vec<_>>().join(" AND ");
        let condition = if conditions.is_empty() { String::new() } else { format!("WHERE {conditions}") };
        let statement = format!(
            "SELECT {} FROM {} {condition} ORDER BY {key} LIMIT {limit}",
            names(table.columns),
            table.name
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for value in [&range.after, &range.until].into_iter().flatten().flatten() {
            query = bind(query, value);
        }
        let rows = query.fetch_all(&mut self.connection).await;
        let rows = rows.map_err(|error| self.read_error(table, error))?;
        rows.iter().map(|row| self.row(table, row)).collect()
    }

    async fn last_number(&mut self, table: &'static Table) -> Result<i64> {
        let statement = match table.numbers {
            Numbers::Unique => {
                format!("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '{}'", table.name)
            }
            Numbers::Reused | Numbers::None => {
                format!("SELECT coalesce(max({}), 0) FROM {}", names(table.key_columns()), table.name)
            }
        };
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_one(&mut self.connection).await;
        row.and_then(|row| row.try_get(0)).map_err(|error| self.read_error(table, error))
    }
}

/// Reads the mark that a copy leaves in its target, if any.
pub(crate) async fn mark(connection: &mut SqliteConnection) -> sqlx::Result<Option<Mark>> {
    let row =
        sqlx::query("SELECT house, place, is_finished FROM copied_from").fetch_optional(connection).await?;
    row.map(|row| {
        Ok(Mark {
            house: row.try_get("house")?,
            source_location: row.try_get("place")?,
            is_finished: row.try_get("is_finished")?,
        })
    })
    .transpose()
}

fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| format!("\"{}\"", column.name)).collect::<Vec<_>>().join(", ")
}

fn value(row: &SqliteRow, at: usize, kind: ColumnType) -> std::result::Result<Value, String> {
    let message_of = |error: sqlx::Error| error.to_string();
    Ok(match kind {
        ColumnType::Integer | ColumnType::Boolean => {
            row.try_get::<Option<i64>, _>(at).map_err(message_of)?.map(Value::Integer)
        }
        ColumnType::Text => row.try_get::<Option<String>, _>(at).map_err(message_of)?.map(Value::Text),
        ColumnType::Bytes | ColumnType::Uuid => {
            row.try_get::<Option<Vec<u8>>, _>(at).map_err(message_of)?.map(Value::Bytes)
        }
        ColumnType::Messages => match row.try_get::<Option<&str>, _>(at).map_err(message_of)? {
            Some(text) => Some(Value::Text(messages(text).map_err(|error| error.to_string())?)),
            None => None,
        },
    }
    .unwrap_or(Value::Null))
}

fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    value: &'q Value,
) -> Query<'q, Sqlite, SqliteArguments> {
    match value {
        Value::Null => query.bind(None::<i64>),
        Value::Integer(number) => query.bind(number),
        Value::Text(text) => query.bind(text),
        Value::Bytes(bytes) => query.bind(bytes),
    }
}

#[async_trait]
impl Source for SqliteSource {
    fn reader(&mut self) -> &mut dyn Reader {
        &mut self.data
    }

    fn house(&self) -> &[u8] {
        &self.house
    }

    async fn was_served(&mut self) -> Result<bool> {
        // A server cannot have opened the file, because this process holds its lock.
        Ok(false)
    }

    async fn close(self: Box<Self>) {
        // An error is harmless, because no changes are pending on this connection.
        let _ = self.data.connection.close().await;
    }
}

#[async_trait]
impl Target for SqliteTarget {
    fn reader(&mut self) -> &mut dyn Reader {
        &mut self.data
    }

    async fn mark(&mut self) -> Result<Option<Mark>> {
        self.data.mark().await
    }

    async fn set_mark(&mut self, mark: &Mark) -> Result<()> {
        sqlx::query(
            "INSERT INTO copied_from (only_row, house, place, is_finished) VALUES (1, ?, ?, ?) \
             ON CONFLICT (only_row) DO UPDATE SET house = excluded.house, place = excluded.place, \
                 is_finished = excluded.is_finished",
        )
        .bind(&mark.house)
        .bind(&mark.source_location)
        .bind(mark.is_finished)
        .execute(&mut self.data.connection)
        .await
        .map_err(translate)?;
        Ok(())
    }

    async fn begin(&mut self) -> Result<()> {
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut self.data.connection).await.map_err(translate)?;
        Ok(())
    }

    async fn commit(&mut self) -> Result<()> {
        sqlx::raw_sql("COMMIT").execute(&mut self.data.connection).await.map_err(translate)?;
        Ok(())
    }

    async fn upsert(&mut self, table: &'static Table, rows: &[Row]) -> Result<()> {
        let placeholders = format!("({})", vec!["?"; table.columns.len()].join(", "));
        let changes =
            table.other_columns().iter().map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.name));
        let changes = changes.collect::<Vec<_>>().join(", ");
        let on_conflict =
            if changes.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {changes}") };
        for rows in rows.chunks(MAX_BOUND_VALUES / table.columns.len()) {
            // The batches have at most two different lengths, so few statements need to be prepared.
            let statement = format!(
                "INSERT INTO {} ({}) VALUES {} ON CONFLICT ({}) DO {on_conflict}",
                table.name,
                names(table.columns),
                vec![placeholders.as_str(); rows.len()].join(", "),
                names(table.key_columns())
            );
            let mut query = sqlx::query(AssertSqlSafe(statement).into_sql_str());
            for value in rows.iter().flat_map(|row| &row.0) {
                query = bind(query, value);
            }
            let written = query.execute(&mut self.data.connection).await;
            written.map_err(|error| self.data.write_error(table, error))?;
        }
        Ok(())
    }

    async fn delete(&mut self, table: &'static Table, keys: &[Vec<Value>]) -> Result<()> {
        self.for_keys(table, keys, &format!("DELETE FROM {}", table.name)).await
    }

    async fn delete_logs(&mut self, games: &[Value]) -> Result<()> {
        for game in games {
            let query = bind(sqlx::query("DELETE FROM events WHERE game = ?"), game);
            let deleted = query.execute(&mut self.data.connection).await;
            deleted.map_err(|error| self.data.write_error(&EVENTS, error))?;
        }
        Ok(())
    }

    async fn clear_unique(&mut self, table: &'static Table, keys: &[Vec<Value>]) -> Result<()> {
        let Some(unique) = table.unique else { return Ok(()) };
        self.for_keys(table, keys, &format!("UPDATE {} SET \"{unique}\" = NULL", table.name)).await
    }

    async fn set_last_number(&mut self, table: &'static Table, number: i64) -> Result<()> {
        if table.numbers != Numbers::Unique {
            return Ok(());
        }
        let set = async {
            let delete = sqlx::query("DELETE FROM sqlite_sequence WHERE name = ?").bind(table.name);
            delete.execute(&mut self.data.connection).await?;
            // A table in which no row was ever numbered has no entry in `sqlite_sequence`.
            sqlx::query("INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE ?2 > 0")
                .bind(table.name)
                .bind(number)
                .execute(&mut self.data.connection)
                .await
        };
        set.await.map_err(|error| self.data.write_error(table, error))?;
        Ok(())
    }

    async fn close(self: Box<Self>) -> Result<()> {
        Ok(self.data.connection.close().await.map_err(translate)?)
    }
}

impl SqliteTarget {
    /// Executes a statement for each of these keys.
    async fn for_keys(&mut self, table: &'static Table, keys: &[Vec<Value>], statement: &str) -> Result<()> {
        let condition = table.key_columns().iter().map(|column| format!("\"{}\" = ?", column.name));
        let statement = format!("{statement} WHERE {}", condition.collect::<Vec<_>>().join(" AND "));
        for key in keys {
            let mut query = sqlx::query(AssertSqlSafe(statement.clone()));
            for value in key {
                query = bind(query, value);
            }
            let done = query.execute(&mut self.data.connection).await;
            done.map_err(|error| self.data.write_error(table, error))?;
        }
        Ok(())
    }
}
