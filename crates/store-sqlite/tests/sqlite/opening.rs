//! Tests which files can be opened, and by which process.

use super::*;

/// Only one server can open a file, even under a different name, because notices from one process do not
/// reach visitors connected to another.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_store_on_one_file_is_refused_until_the_first_one_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    let mut names = vec![path.clone(), folder.path().join("./data.sqlite")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&path, folder.path().join("link.sqlite")).unwrap();
        names.push(folder.path().join("link.sqlite"));
    }
    for name in names {
        let error = SqliteStore::open(&name).await.unwrap_err();
        assert!(matches!(&error, StoreError::InUse { .. }), "{error:?}");
        let message = error.to_string();
        assert!(message.contains(&name.display().to_string()), "{message}");
        assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    }
    // Another file in the same folder can be opened.
    open(&folder.path().join("other.sqlite")).await;
    store.close().await;
    assert_eq!(open(&path).await.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
}

/// The file contains the cookie key, e-mail addresses and password hashes.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn only_its_owner_can_read_the_data() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let modes = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
        let modes = entries.map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                entry.metadata().unwrap().permissions().mode() & 0o777,
            )
        });
        modes.collect::<std::collections::BTreeMap<_, _>>()
    };
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    store.list_public(1).await.unwrap();
    adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap();
    let found = modes();
    assert!(["data.sqlite", "data.sqlite-wal", "copy.sqlite"].iter().all(|name| found.contains_key(*name)));
    assert!(found.values().all(|mode| *mode == 0o600), "{found:?}");
    store.close().await;
    // Make both files readable by everyone. Older versions wrote such files.
    for file in [&path, &copy] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    }
    adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap();
    assert_eq!((modes()["data.sqlite"], modes()["data.sqlite.before"]), (0o600, 0o600));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    open(&path).await.close().await;
    assert_eq!(modes()["data.sqlite"], 0o640, "group permissions may be intended");
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "this is not a database, but long enough to be read as the header of one ".repeat(20))
        .unwrap();
    let error = SqliteStore::open(&path).await.unwrap_err();
    let source = error.source().unwrap().to_string();
    assert!(source.ends_with("notes.txt is not an adoube data file; choose another file"), "{source}");
    let error = SqliteStore::open(&folder.path().join("nowhere/data.sqlite")).await.unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[tokio::test]
async fn another_programs_data_is_not_modified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bookmarks.sqlite");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect_with(&options).await.unwrap();
    sqlx::query("CREATE TABLE bookmarks (address TEXT)").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = fs::read(&path).unwrap();
    let refused = SqliteStore::open(&path).await.unwrap_err();
    let source = std::error::Error::source(&refused).unwrap().to_string();
    assert!(source.contains("is not an adoube data file"), "{source}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "another file was created");
}
