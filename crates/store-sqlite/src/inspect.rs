//! Inspects a data file for the operator.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use adoube_store::{HOUSE_ID, Inspection, StoreError};
use sqlx::{Connection as _, Row as _, SqliteConnection};
use thiserror::Error;

use crate::{
    data_file,
    error::{Cause, cause},
    is_foreign, lock, newest_schema, pool_to_read, read,
};

/// The reason why a data file cannot be inspected. The variants need different remedies, some of which would
/// lose data in the other cases.
#[derive(Debug, Error)]
pub enum InspectError {
    #[error("{} is not an adoube data file", .0.display())]
    Foreign(PathBuf),
    #[error("{} was written by a newer adoube: it has schema {found}, and this version reads up to {newest}", path.display())]
    Newer { path: PathBuf, found: i64, newest: i64 },
    #[error("{} is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("{} is locked by another program", .0.display())]
    Locked(PathBuf),
    /// The system does not let this process open the file, or one next to it. This says nothing about its
    /// content.
    #[error("{} cannot be opened", path.display())]
    Unopened { path: PathBuf, source: sqlx::Error },
    #[error("{} cannot be read", path.display())]
    Unreadable { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
}

impl InspectError {
    fn new(path: &Path, source: sqlx::Error) -> Self {
        let path = path.to_owned();
        match cause(&source) {
            Cause::NotOpened => Self::Unopened { path, source },
            Cause::Locked => Self::Locked(path),
            Cause::Damaged => Self::Damaged { path, problem: source.to_string() },
            Cause::Other => Self::Unreadable { path, source: source.into() },
        }
    }
}

/// Inspects a data file, which may not exist yet. Changes nothing; a server may be running.
///
/// # Errors
///
/// If the file cannot be read, or is not a data file that this version can open.
pub async fn inspect(path: &Path) -> Result<Inspection, InspectError> {
    let failed = |source: sqlx::Error| InspectError::new(path, source);
    let mut found = Inspection {
        version: format!("SQLite {}", sqlite_version().await.map_err(failed)?),
        newest_schema: newest_schema(),
        holder: lock::holder_of(path),
        bytes: data_file::size(path),
        free_bytes: data_file::free_bytes(path),
        ..Inspection::default()
    };
    match fs::metadata(path) {
        Ok(file) if file.len() > 0 => {}
        Ok(_) => return Ok(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(failed(error.into())),
    }
    if is_foreign(path).await {
        return Err(InspectError::Foreign(path.to_owned()));
    }
    let readers = pool_to_read(path).await.map_err(failed)?;
    let row = sqlx::query("SELECT EXISTS (SELECT 1 FROM sqlite_schema)").fetch_one(&readers).await;
    let has_tables: bool = row.and_then(|row| row.try_get(0)).map_err(failed)?;
    // A file without tables was left by a first start that was interrupted.
    if has_tables {
        let row = sqlx::query("SELECT max(version) FROM _sqlx_migrations").fetch_one(&readers).await;
        found.schema = row.and_then(|row| row.try_get(0)).map_err(failed)?;
    }
    match found.schema {
        Some(number) if number > found.newest_schema => {
            return Err(InspectError::Newer {
                path: path.to_owned(),
                found: number,
                newest: found.newest_schema,
            });
        }
        Some(number) if number == found.newest_schema => {
            found.latest_write = read::house::latest_write(&readers).await.map_err(|error| match error {
                StoreError::Broken(problem) => InspectError::Damaged { path: path.to_owned(), problem },
                error => InspectError::Unreadable { path: path.to_owned(), source: error.into() },
            })?;
            let row = sqlx::query("SELECT value FROM secrets WHERE name = ?").bind(HOUSE_ID);
            let row = row.fetch_optional(&readers).await.map_err(failed)?;
            found.house = row.map(|row| row.try_get(0)).transpose().map_err(failed)?;
        }
        _ => {}
    }
    readers.close().await;
    Ok(found)
}

async fn sqlite_version() -> sqlx::Result<String> {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await?;
    sqlx::query("SELECT sqlite_version()").fetch_one(&mut connection).await?.try_get(0)
}

#[cfg(test)]
mod tests {
    use adoube_store::GameStore as _;
    use adoube_vocabulary::Millis;

    use super::*;
    use crate::SqliteStore;

    #[tokio::test]
    async fn a_file_is_inspected_before_during_and_after_its_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.sqlite");
        let found = inspect(&path).await.unwrap();
        assert_eq!((found.schema, found.bytes, found.holder), (None, 0, None));
        assert!(found.version.starts_with("SQLite 3."), "{}", found.version);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is created");

        let store = SqliteStore::open(&path).await.unwrap();
        store.record_heartbeat(Millis(7_000)).await.unwrap();
        store.secret(HOUSE_ID, &[5; 16]).await.unwrap();
        let found = inspect(&path).await.unwrap();
        assert_eq!(found.schema, Some(found.newest_schema));
        assert_eq!((found.latest_write, found.house), (Some(Millis(7_000)), Some(vec![5; 16])));
        assert!(found.holder.is_some_and(|holder| holder.contains(&std::process::id().to_string())));
        assert!(found.bytes > 0);
        store.close().await;
        drop(store);
        assert_eq!(inspect(&path).await.unwrap().holder, None);
        // The inspection does not hold the lock.
        SqliteStore::open(&path).await.unwrap().close().await;
    }

    #[tokio::test]
    async fn a_foreign_or_newer_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.sqlite");
        fs::write(&path, "This is plain text, not a database file.").unwrap();
        let error = inspect(&path).await.unwrap_err();
        assert!(matches!(&error, InspectError::Foreign(found) if *found == path), "{error}");
        fs::remove_file(&path).unwrap();
        SqliteStore::open(&path).await.unwrap().close().await;
        let mut connection = SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.unwrap();
        sqlx::query("UPDATE _sqlx_migrations SET version = 9999 WHERE version = ?")
            .bind(newest_schema())
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
        let error = inspect(&path).await.unwrap_err();
        assert!(matches!(error, InspectError::Newer { found: 9999, .. }), "{error}");
        assert!(error.to_string().contains("was written by a newer adoube: it has schema 9999"), "{error}");
    }

    #[tokio::test]
    async fn a_damaged_file_is_not_mistaken_for_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.sqlite");
        SqliteStore::open(&path).await.unwrap().close().await;
        let mut bytes = fs::read(&path).unwrap();
        // The file's header is intact, but its list of tables is not.
        bytes[100..4096].fill(0xff);
        fs::write(&path, bytes).unwrap();
        let error = inspect(&path).await.unwrap_err();
        assert!(matches!(error, InspectError::Damaged { .. }), "{error:?}");
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_opened_is_not_called_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file").join("data.sqlite");
        fs::write(folder.path().join("file"), "not a folder").unwrap();
        let error = inspect(&path).await.unwrap_err();
        assert!(matches!(error, InspectError::Unopened { .. }), "{error:?}");
    }
}
