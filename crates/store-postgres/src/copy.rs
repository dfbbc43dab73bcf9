//! A database as the source or the target of a copy.

mod columns;

use std::{fmt::Write as _, time::Duration};

use adoube_store::{
    HOUSE_ID, StoreError,
    copy::{
        Column, ColumnType, CopyError, EVENTS, Mark, Numbers, Range, Reader, Row, Source, TABLES, Table,
        Target, Value,
    },
};
use async_trait::async_trait;
use sqlx::{
    AssertSqlSafe, Connection as _, Row as _,
    postgres::{PgConnection, PgRow},
};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use self::columns::{array, arrays, bind, bind_all, names, read, value};
use crate::{
    Limits, OpenError,
    address::Address,
    database::Connector,
    error::translate,
    open::{self, Opened},
    schema,
};

type Result<T> = std::result::Result<T, CopyError>;

/// The key of the advisory lock that a copy's session holds. `GlobalLock` and `schema` use other keys.
const COPY_LOCK: i64 = 0x6164_6f75_6263;

/// How long to wait for the lock: the session of a killed copy may still hold it for a moment.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// The source or the target of a copy, and the connection on which its tables are read or written.
#[derive(Debug)]
struct CopyDatabase {
    connection: PgConnection,
    connector: Connector,
    location: String,
    /// Identifies the database, whatever its address.
    id: Uuid,
}

/// The database to copy from.
#[derive(Debug)]
pub struct PostgresSource {
    data: CopyDatabase,
    house: Vec<u8>,
    /// The last heartbeat of any node at the time of the snapshot.
    heartbeat: Option<i64>,
}

/// The database to copy to.
#[derive(Debug)]
pub struct PostgresTarget {
    data: CopyDatabase,
}

impl PostgresSource {
    /// Opens a database that no server is using, and migrates it as a server would. `fresh` becomes the id of
    /// the house if the database has none yet. All reads see the database as of this moment.
    ///
    /// # Errors
    ///
    /// If the database cannot be opened, a server has a lease in it, it holds an unfinished copy, it belongs
    /// to another program, or it was migrated by a newer version.
    pub async fn open(address: &str, fresh: &[u8]) -> Result<Self> {
        let mut data = CopyDatabase::open(address).await?;
        data.check_not_served().await?;
        if let Some(Mark { source_location, is_finished: false, .. }) = data.mark().await? {
            return Err(CopyError::Unfinished { location: data.location, source_location });
        }
        sqlx::query("INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(HOUSE_ID)
            .bind(fresh)
            .execute(&mut data.connection)
            .await
            .map_err(translate)?;
        sqlx::raw_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .execute(&mut data.connection)
            .await
            .map_err(translate)?;
        let row = sqlx::query("SELECT value FROM secrets WHERE name = $1")
            .bind(HOUSE_ID)
            .fetch_one(&mut data.connection)
            .await
            .map_err(translate)?;
        let house = row.try_get(0).map_err(translate)?;
        let heartbeat = heartbeat(&mut data.connection).await.map_err(translate)?;
        Ok(Self { data, house, heartbeat })
    }

    /// Returns `true` if the target is this same database, whatever the addresses.
    pub fn is_target(&self, target: &PostgresTarget) -> bool {
        self.data.id == target.data.id
    }
}

impl PostgresTarget {
    /// Opens a database that no server is using, and creates or migrates its tables.
    pub async fn open(address: &str) -> Result<Self> {
        let mut data = CopyDatabase::open(address).await?;
        let started = Instant::now();
        while !lock(&mut data.connection).await.map_err(translate)? {
            if started.elapsed() > LOCK_TIMEOUT {
                return Err(CopyError::Busy { location: data.location });
            }
            sleep(Duration::from_millis(100)).await;
        }
        data.check_not_served().await?;
        Ok(Self { data })
    }
}

/// Takes the lock of a copy. Returns `false` if another session holds it.
async fn lock(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query("SELECT pg_try_advisory_lock($1)").bind(COPY_LOCK).fetch_one(connection).await?.try_get(0)
}

/// Returns the time of the last heartbeat of any node, running or not.
async fn heartbeat(connection: &mut PgConnection) -> sqlx::Result<Option<i64>> {
    let latest = "SELECT max(at) FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes) AS seen";
    sqlx::query(latest).fetch_one(connection).await?.try_get(0)
}

impl CopyDatabase {
    async fn open(address: &str) -> Result<Self> {
        let address: Address =
            address.parse().map_err(|error: OpenError| error.into_store("the database"))?;
        let location = address.to_string();
        // Reading a page of a large table may take longer than any statement that a server executes.
        let limits = Limits { statement_timeout: Duration::from_mins(10), ..Limits::default() };
        let connector = Connector::new(address, limits);
        let Opened { house: id, found } =
            open::open(&connector).await.map_err(|error| error.into_store(&location))?;
        let known = schema::newest();
        if found.number > known {
            return Err(CopyError::Newer { location, found: found.number, known });
        }
        let mut connection = connector.connect().await.map_err(translate)?;
        // This connection is idle while the other side of the copy is working.
        sqlx::raw_sql(
            "SET idle_in_transaction_session_timeout = 0; SET enable_seqscan = off; SET enable_sort = off",
        )
        .execute(&mut connection)
        .await
        .map_err(translate)?;
        Ok(Self { connection, connector, location, id })
    }

    async fn check_not_served(&mut self) -> Result<()> {
        let row = sqlx::query(
            "SELECT string_agg(address, ', ' ORDER BY address) FROM nodes \
             WHERE valid_until > extract(epoch FROM clock_timestamp()) * 1000",
        )
        .fetch_one(&mut self.connection)
        .await
        .map_err(translate)?;
        match row.try_get(0).map_err(translate)? {
            Some(by) => Err(CopyError::Served { location: self.location.clone(), by }),
            None => Ok(()),
        }
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

    fn row(&self, table: &'static Table, row: &PgRow) -> Result<Row> {
        let mut values = Vec::with_capacity(table.columns.len());
        for (index, column) in table.columns.iter().enumerate() {
            let value = value(row, index, column.kind)
                .map_err(|problem| self.value_error(table, &Row(values.clone()), column, &problem))?;
            values.push(value);
        }
        Ok(Row(values))
    }

    fn value_error(&self, table: &'static Table, row: &Row, column: &Column, problem: &str) -> CopyError {
        CopyError::Value {
            location: self.location.clone(),
            table: table.name,
            row: row.key(table.key).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            problem: format!("{}: {problem}", column.name),
        }
    }
}

#[async_trait]
impl Reader for CopyDatabase {
    fn location(&self) -> &str {
        &self.location
    }

    async fn count(&mut self, table: &'static Table) -> Result<u64> {
        let statement = format!("SELECT count(*) FROM {} WHERE {}", table.name, condition(table));
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_one(&mut self.connection).await;
        let count = row.and_then(|row| row.try_get::<i64, _>(0));
        Ok(count.map_err(|error| self.read_error(table, error))?.unsigned_abs())
    }

    async fn page(&mut self, table: &'static Table, range: &Range, limit: u32) -> Result<Vec<Row>> {
        let key = names(table.key_columns());
        let mut statement =
            format!("SELECT {} FROM {} WHERE {}", read(table.columns), table.name, condition(table));
        let mut bound = 0;
        for (values, relation) in [(&range.after, ">"), (&range.until, "<=")] {
            let Some(values) = values else { continue };
            let numbers = (bound + 1..).take(values.len()).map(|number| format!("${number}"));
            // Writing to a string cannot fail.
            let _ = write!(statement, " AND ({key}) {relation} ({})", numbers.collect::<Vec<_>>().join(", "));
            bound += values.len();
        }
        let _ = write!(statement, " ORDER BY {key} LIMIT {limit}");
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for values in [&range.after, &range.until].into_iter().flatten() {
            for (value, column) in values.iter().zip(table.key_columns()) {
                query = bind(query, value, column.kind);
            }
        }
        let rows =
            query.fetch_all(&mut self.connection).await.map_err(|error| self.read_error(table, error))?;
        rows.iter().map(|row| self.row(table, row)).collect()
    }

    async fn last_number(&mut self, table: &'static Table) -> Result<i64> {
        let key = names(table.key_columns());
        let statement = match table.numbers {
            // `last_value` of an unused sequence is not 0, but `pg_sequence_last_value` returns NULL for it.
            Numbers::Unique => format!(
                "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('{}', {})), 0)",
                table.name,
                key.replace('"', "'")
            ),
            Numbers::Reused | Numbers::None => {
                format!("SELECT coalesce(max({key}), 0)::bigint FROM {}", table.name)
            }
        };
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_one(&mut self.connection).await;
        row.and_then(|row| row.try_get(0)).map_err(|error| self.read_error(table, error))
    }
}

/// Reads the mark that a copy leaves in its target, if any.
pub(crate) async fn mark(connection: &mut PgConnection) -> sqlx::Result<Option<Mark>> {
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

/// Returns the condition that selects the rows to copy. Reminders that have not been sent yet are left out,
/// because SQLite has no such rows. So they are never sent, but the players are still warned before the
/// deadline.
fn condition(table: &Table) -> &'static str {
    if table.name == "reminders" { "sender IS NULL" } else { "true" }
}

#[async_trait]
impl Source for PostgresSource {
    fn reader(&mut self) -> &mut dyn Reader {
        &mut self.data
    }

    fn house(&self) -> &[u8] {
        &self.house
    }

    async fn was_served(&mut self) -> Result<bool> {
        // Read outside the transaction, which sees only its snapshot.
        let mut connection = self.data.connector.connect().await.map_err(translate)?;
        let now = heartbeat(&mut connection).await.map_err(translate)?;
        Ok(now != self.heartbeat)
    }

    async fn close(self: Box<Self>) {
        // An error is harmless: no changes are pending on this connection.
        let _ = self.data.connection.close().await;
    }
}

#[async_trait]
impl Target for PostgresTarget {
    fn reader(&mut self) -> &mut dyn Reader {
        &mut self.data
    }

    async fn mark(&mut self) -> Result<Option<Mark>> {
        self.data.mark().await
    }

    async fn set_mark(&mut self, mark: &Mark) -> Result<()> {
        sqlx::query(
            "INSERT INTO copied_from (house, place, is_finished) VALUES ($1, $2, $3) \
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
        sqlx::raw_sql("BEGIN").execute(&mut self.data.connection).await.map_err(translate)?;
        Ok(())
    }

    async fn commit(&mut self) -> Result<()> {
        sqlx::raw_sql("COMMIT").execute(&mut self.data.connection).await.map_err(translate)?;
        Ok(())
    }

    async fn upsert(&mut self, table: &'static Table, rows: &[Row]) -> Result<()> {
        let values = table.columns.iter().map(|Column { name, kind }| match kind {
            ColumnType::Messages => format!("\"{name}\"::jsonb"),
            _ => format!("\"{name}\""),
        });
        let changes =
            table.other_columns().iter().map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.name));
        let changes = changes.collect::<Vec<_>>().join(", ");
        let on_conflict =
            if changes.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {changes}") };
        let statement = format!(
            "INSERT INTO {} ({}) SELECT {} FROM {} ON CONFLICT ({}) DO {on_conflict}",
            table.name,
            names(table.columns),
            values.collect::<Vec<_>>().join(", "),
            arrays(table.columns),
            names(table.key_columns())
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (index, column) in table.columns.iter().enumerate() {
            let values = rows.iter().map(|row| row.0.get(index).unwrap_or(&Value::Null));
            let array = array(column.kind, values)
                .map_err(|(number, problem)| self.data.value_error(table, &rows[number], column, problem))?;
            query = bind_all(query, array);
        }
        let written = query.execute(&mut self.data.connection).await;
        written.map_err(|error| self.data.write_error(table, error))?;
        Ok(())
    }

    async fn delete(&mut self, table: &'static Table, keys: &[Vec<Value>]) -> Result<()> {
        self.for_keys(table, keys, &format!("DELETE FROM {} AS stored USING", table.name)).await
    }

    async fn delete_logs(&mut self, games: &[Value]) -> Result<()> {
        let games = games.iter().filter_map(|game| match game {
            Value::Text(game) => Some(game.as_str()),
            _ => None,
        });
        let deleted = sqlx::query("DELETE FROM events WHERE game = ANY($1)")
            .bind(games.collect::<Vec<_>>())
            .execute(&mut self.data.connection)
            .await;
        deleted.map_err(|error| self.data.write_error(&EVENTS, error))?;
        Ok(())
    }

    async fn clear_unique(&mut self, table: &'static Table, keys: &[Vec<Value>]) -> Result<()> {
        let Some(unique) = table.unique else { return Ok(()) };
        let statement = format!("UPDATE {} AS stored SET \"{unique}\" = NULL FROM", table.name);
        self.for_keys(table, keys, &statement).await
    }

    async fn set_last_number(&mut self, table: &'static Table, number: i64) -> Result<()> {
        let statement = format!(
            "SELECT setval(pg_get_serial_sequence('{}', {}), greatest($1, 1), $1 > 0)",
            table.name,
            names(table.key_columns()).replace('"', "'")
        );
        let set = sqlx::query(AssertSqlSafe(statement)).bind(number).execute(&mut self.data.connection).await;
        set.map_err(|error| self.data.write_error(table, error))?;
        Ok(())
    }

    async fn close(self: Box<Self>) -> Result<()> {
        let mut data = self.data;
        // Without statistics, the first query plans would scan the newly filled tables.
        for table in TABLES.iter().chain([&EVENTS]) {
            let statement = format!("ANALYZE {}", table.name);
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut data.connection).await.map_err(translate)?;
        }
        Ok(data.connection.close().await.map_err(translate)?)
    }
}

impl PostgresTarget {
    /// Executes a statement that joins a table, as `stored`, with these keys.
    async fn for_keys(&mut self, table: &'static Table, keys: &[Vec<Value>], statement: &str) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let columns = table.key_columns();
        let condition =
            columns.iter().map(|Column { name, .. }| format!("stored.\"{name}\" = given.\"{name}\""));
        let condition = condition.collect::<Vec<_>>().join(" AND ");
        let statement = format!("{statement} {} WHERE {condition}", arrays(columns));
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (index, column) in columns.iter().enumerate() {
            let values = keys.iter().map(|key| key.get(index).unwrap_or(&Value::Null));
            let array = array(column.kind, values).map_err(|(number, problem)| {
                self.data.value_error(table, &Row(keys[number].clone()), column, problem)
            })?;
            query = bind_all(query, array);
        }
        let done = query.execute(&mut self.data.connection).await;
        done.map_err(|error| self.data.write_error(table, error))?;
        Ok(())
    }
}

/// Refuses an unfinished copy. Removes the mark of a finished copy, because the database may now diverge from
/// its source.
pub(crate) async fn check_unfinished_copy(
    connection: &mut PgConnection,
    location: &str,
) -> std::result::Result<(), StoreError> {
    match mark(connection).await.map_err(translate)? {
        Some(Mark { source_location, is_finished: false, .. }) => {
            let source = CopyError::Unfinished { location: location.to_owned(), source_location };
            Err(StoreError::Open { location: location.to_owned(), source: source.into() })
        }
        Some(_) => {
            sqlx::raw_sql("DELETE FROM copied_from").execute(connection).await.map_err(translate)?;
            Ok(())
        }
        None => Ok(()),
    }
}
