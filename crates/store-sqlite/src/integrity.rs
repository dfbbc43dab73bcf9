//! Checks that stored data has not changed since it was written.
//!
//! `PRAGMA integrity_check` detects a broken B-tree, but not a changed byte in a value. Each game is
//! therefore compared with its hash chain, and its events are parsed by the caller, which knows what they
//! mean. A copy also contains a digest of all its rows.

use std::{fmt, path::Path};

use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use sqlx::{
    AssertSqlSafe, Decode, Row as _, Sqlite, TypeInfo as _, ValueRef as _,
    sqlite::{SqliteConnection, SqliteRow, SqliteValueRef},
};

use crate::{backup::BackupError, chain, newest_schema, schema};

/// The number of games read at a time.
const GAMES_PER_PAGE: i64 = 256;
/// The maximum number of games named in a message.
const MAX_NAMED_GAMES: usize = 10;

/// Checks that a log describes a valid game. The store does not interpret events.
pub trait CheckLog {
    fn check(&self, bodies: &[String]) -> Result<(), String>;
}

/// The result of a check of data that SQLite itself considers intact.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Findings {
    pub games: u64,
    /// The number of games that have no hash chain yet.
    pub unchained: u64,
    /// The ids of damaged games, each with the problem.
    pub damaged: Vec<(String, String)>,
    /// Whether a copy has changed since it was made.
    pub changed: bool,
}

impl Findings {
    pub fn is_intact(&self) -> bool {
        self.damaged.is_empty() && !self.changed
    }
}

impl fmt::Display for Findings {
    /// Lists the damage.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changed {
            f.write_str("it was changed after it was made; ")?;
        }
        write!(f, "damaged games: {} of {}", self.damaged.len(), self.games)?;
        for (game, problem) in self.damaged.iter().take(MAX_NAMED_GAMES) {
            write!(f, "; {game}: {problem}")?;
        }
        if self.damaged.len() > MAX_NAMED_GAMES {
            write!(f, "; and {} more", self.damaged.len() - MAX_NAMED_GAMES)
        } else {
            Ok(())
        }
    }
}

/// Checks a whole database. Returns an error if it is damaged or is not an adoube database; problems in
/// individual games are part of the findings.
pub(crate) async fn check(
    connection: &mut SqliteConnection,
    path: &Path,
    logs: &impl CheckLog,
) -> Result<Findings, BackupError> {
    let unreadable = |source| BackupError::Read { path: path.to_owned(), source };
    let damaged = |problem| BackupError::Damaged { path: path.to_owned(), problem };
    let problem: String = sqlx::query("PRAGMA integrity_check(1)")
        .fetch_one(&mut *connection)
        .await
        .and_then(|row| row.try_get(0))
        .map_err(unreadable)?;
    if problem != "ok" {
        return Err(damaged(problem));
    }
    if let Some(name) = corrupt_definition(connection).await.map_err(unreadable)? {
        return Err(damaged(format!("the definition of {name} is not text")));
    }
    let Some(found) = schema(connection).await else { return Err(BackupError::Foreign(path.to_owned())) };
    if found > newest_schema() {
        return Err(BackupError::Newer { path: path.to_owned(), found, newest: newest_schema() });
    }
    let orphan = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *connection).await;
    if let Some(row) = orphan.map_err(unreadable)? {
        let table: String = row.try_get(0).map_err(unreadable)?;
        return Err(damaged(format!("a row in {table} has no parent row")));
    }
    let changed = match stored_digest(connection).await.map_err(unreadable)? {
        Some(stored) => stored != digest(connection).await.map_err(unreadable)?,
        None => false,
    };
    let mut findings = Findings { changed, ..Findings::default() };
    check_games(connection, logs, &mut findings).await.map_err(unreadable)?;
    Ok(findings)
}

/// Returns the name of a table, index or trigger whose definition is not UTF-8, if there is one. If a column
/// name is not UTF-8, the driver panics, and a query on that table may never complete.
async fn corrupt_definition(connection: &mut SqliteConnection) -> Result<Option<String>, sqlx::Error> {
    let definitions = "SELECT CAST(name AS BLOB) AS name, CAST(sql AS BLOB) AS sql FROM sqlite_schema WHERE sql IS NOT NULL";
    for row in sqlx::query(definitions).fetch_all(connection).await? {
        let (name, sql): (Vec<u8>, Vec<u8>) = (row.try_get("name")?, row.try_get("sql")?);
        if std::str::from_utf8(&name).is_err() || std::str::from_utf8(&sql).is_err() {
            return Ok(Some(String::from_utf8_lossy(&name).into_owned()));
        }
    }
    Ok(None)
}

async fn check_games(
    connection: &mut SqliteConnection,
    logs: &impl CheckLog,
    findings: &mut Findings,
) -> Result<(), sqlx::Error> {
    let has_chain = has_chain(connection).await?;
    let select = if has_chain {
        "SELECT id, version, chain FROM games WHERE id > ? ORDER BY id LIMIT ?"
    } else {
        "SELECT id, version, NULL AS chain FROM games WHERE id > ? ORDER BY id LIMIT ?"
    };
    let mut last = String::new();
    loop {
        let games = sqlx::query(select).bind(&last).bind(GAMES_PER_PAGE).fetch_all(&mut *connection).await?;
        let Some(row) = games.last() else { return Ok(()) };
        last = row.try_get("id")?;
        for row in &games {
            findings.games += 1;
            let id: String = row.try_get("id")?;
            match check_game(connection, row, &id, logs).await {
                Ok(is_chained) => findings.unchained += u64::from(!is_chained),
                Err(problem) => findings.damaged.push((id, problem)),
            }
        }
    }
}

/// Checks a game. Returns `true` if it has a chain, or an error that describes the damage.
async fn check_game(
    connection: &mut SqliteConnection,
    row: &SqliteRow,
    id: &str,
    logs: &impl CheckLog,
) -> Result<bool, String> {
    let message_of = |error: sqlx::Error| error.to_string();
    let expected: i64 = row.try_get("version").map_err(message_of)?;
    let stored = chain::head(row.try_get("chain").map_err(message_of)?).map_err(|error| error.to_string())?;
    let events = sqlx::query("SELECT version, at, body FROM events WHERE game = ? ORDER BY version")
        .bind(id)
        .fetch_all(&mut *connection)
        .await
        .map_err(message_of)?;
    let mut head = chain::begin(id);
    let mut bodies = Vec::with_capacity(events.len());
    for (event, version) in events.iter().zip(1..) {
        if event.try_get::<i64, _>("version").map_err(message_of)? != version {
            return Err(format!("event {version} is missing"));
        }
        let body: String = event.try_get("body").map_err(message_of)?;
        head = chain::extend(&head, version, event.try_get("at").map_err(message_of)?, &body);
        bodies.push(body);
    }
    if i64::try_from(bodies.len()) != Ok(expected) {
        return Err(format!("it has {} events, not {expected}", bodies.len()));
    }
    logs.check(&bodies)?;
    match stored {
        Some(stored) if stored != head => Err("its log was changed after it was written".to_owned()),
        stored => Ok(stored.is_some()),
    }
}

/// Returns `true` if the schema has a column for hash chains.
pub(crate) async fn has_chain(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let found = sqlx::query("SELECT 1 FROM pragma_table_info('games') WHERE name = 'chain'");
    Ok(found.fetch_optional(connection).await?.is_some())
}

/// The definition of the table with the digest. The digest covers all other definitions.
const DIGEST_TABLE: &str = "CREATE TABLE backup_digest (digest BLOB NOT NULL) STRICT";

/// Computes the digest of a copy and stores it in the copy.
pub(crate) async fn write_digest(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let digest = digest(connection).await?;
    sqlx::raw_sql(DIGEST_TABLE).execute(&mut *connection).await?;
    let insert = sqlx::query("INSERT INTO backup_digest (digest) VALUES (?)").bind(digest.as_slice());
    insert.execute(connection).await.map(|_| ())
}

/// Removes the digest, because the data will change.
pub(crate) async fn remove_digest(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("DROP TABLE IF EXISTS backup_digest").execute(connection).await.map(|_| ())
}

async fn stored_digest(connection: &mut SqliteConnection) -> Result<Option<Vec<u8>>, sqlx::Error> {
    // One of the three conditions holds even if one character of the definition is damaged.
    let definition = sqlx::query(
        "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || sql FROM sqlite_schema \
         WHERE name = 'backup_digest' OR tbl_name = 'backup_digest' OR sql = ?",
    );
    let Some(definition) = definition.bind(DIGEST_TABLE).fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    // An empty digest matches nothing. If the definition is different, even only in case, SQLite can read the
    // digest but cannot remove the table completely.
    if definition.try_get::<String, _>(0)? != format!("table backup_digest backup_digest {DIGEST_TABLE}") {
        return Ok(Some(Vec::new()));
    }
    let row = sqlx::query("SELECT digest FROM backup_digest").fetch_optional(connection).await?;
    row.map_or(Ok(Some(Vec::new())), |row| row.try_get(0).map(Some))
}

/// Hashes all definitions and the rows of all tables, except for the digest's own table.
pub(crate) async fn digest(connection: &mut SqliteConnection) -> Result<Vec<u8>, sqlx::Error> {
    let mut hash = Sha256::new();
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name <> 'backup_digest' ORDER BY type, name";
    hash_rows(&mut hash, connection, schema.to_owned()).await?;
    let tables = sqlx::query(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'backup_digest' ORDER BY name",
    );
    for table in tables.fetch_all(&mut *connection).await? {
        // The name may be damaged, so it is quoted; it cannot be a bound parameter.
        let name = table.try_get::<String, _>(0)?.replace('"', "\"\"");
        hash_rows(&mut hash, connection, format!("SELECT * FROM \"{name}\"")).await?;
    }
    Ok(hash.finalize().to_vec())
}

async fn hash_rows(
    hash: &mut Sha256,
    connection: &mut SqliteConnection,
    select: String,
) -> Result<(), sqlx::Error> {
    hash.update(select.as_bytes());
    let query = sqlx::query(AssertSqlSafe(select));
    let mut rows = query.fetch(connection);
    while let Some(row) = rows.try_next().await? {
        hash.update([b'r']);
        for column in 0..row.len() {
            hash_value(hash, row.try_get_raw(column)?)?;
        }
    }
    Ok(())
}

fn hash_value(hash: &mut Sha256, value: SqliteValueRef<'_>) -> Result<(), sqlx::Error> {
    if value.is_null() {
        hash.update([b'n']);
        return Ok(());
    }
    let name = value.type_info().name().to_owned();
    let bytes = match name.as_str() {
        "INTEGER" => <i64 as Decode<Sqlite>>::decode(value).map(|number| number.to_le_bytes().to_vec()),
        _ => <Vec<u8> as Decode<Sqlite>>::decode(value),
    };
    let bytes = bytes.map_err(sqlx::Error::Decode)?;
    hash.update(name.as_bytes());
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(&bytes);
    Ok(())
}
