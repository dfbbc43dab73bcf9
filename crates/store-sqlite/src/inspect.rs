//! Inspects a data file for the operator.

use std::{fs, path::Path};

use adoube_store::{HOUSE_ID, Inspection, Result, StoreError};
use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::{
    BackupError, data_file, error::translate, is_foreign, lock, newest_schema, open_to_read, read, schema,
};

/// Inspects a data file, which may not exist yet. Changes nothing; a server may be running.
///
/// # Errors
///
/// If the file cannot be read, or is not a data file that this version can open.
pub async fn inspect(path: &Path) -> Result<Inspection> {
    let mut found = Inspection {
        version: format!("SQLite {}", sqlite_version().await?),
        newest_schema: newest_schema(),
        holder: lock::holder_of(path),
        bytes: data_file::size(path),
        free_bytes: data_file::free_bytes(path),
        ..Inspection::default()
    };
    if fs::metadata(path).map_or(0, |found| found.len()) == 0 {
        return Ok(found);
    }
    let refused = |source: BackupError| StoreError::Open {
        location: path.display().to_string(),
        source: source.into(),
    };
    if is_foreign(path).await {
        return Err(refused(BackupError::Foreign(path.to_owned())));
    }
    let readers = open_to_read(path).await?;
    found.schema = schema(&mut *readers.acquire().await.map_err(translate)?).await;
    match found.schema {
        Some(number) if number > found.newest_schema => {
            return Err(refused(BackupError::Newer {
                path: path.to_owned(),
                found: number,
                newest: found.newest_schema,
            }));
        }
        Some(number) if number == found.newest_schema => {
            found.latest_write = read::house::latest_write(&readers).await?;
            let row = sqlx::query("SELECT value FROM secrets WHERE name = ?").bind(HOUSE_ID);
            let row = row.fetch_optional(&readers).await.map_err(translate)?;
            found.house = row.map(|row| row.try_get(0)).transpose().map_err(translate)?;
        }
        _ => {}
    }
    readers.close().await;
    Ok(found)
}

async fn sqlite_version() -> Result<String> {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await.map_err(translate)?;
    let row = sqlx::query("SELECT sqlite_version()").fetch_one(&mut connection).await.map_err(translate)?;
    row.try_get(0).map_err(translate)
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
    async fn a_file_of_another_program_or_a_newer_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.sqlite");
        fs::write(&path, "This is plain text, not a database file.").unwrap();
        let error = inspect(&path).await.unwrap_err();
        assert!(format!("{:#}", error_chain(&error)).contains("is not an adoube data file"));
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
        assert!(
            format!("{:#}", error_chain(&error))
                .contains("was written by a newer adoube: it has schema 9999")
        );
    }

    /// Returns the message with its cause.
    fn error_chain(error: &StoreError) -> String {
        use std::error::Error as _;
        format!("{error}: {}", error.source().map(ToString::to_string).unwrap_or_default())
    }
}
