//! Backup and restore.

use super::*;

/// Copies can be made while a server is running, but its file cannot be replaced.
#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_a_running_store_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap();
    let error = adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap_err();
    assert!(error.to_string().contains("in use by process"), "{error}");
    assert_eq!(store.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
    let partial_files = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().contains(".part")).count()
    };
    assert_eq!(partial_files(), 0, "a refused restore left a partial file behind");
    store.close().await;

    // A program that ignores the lock.
    let url = format!("sqlite://{}", path.display());
    let mut other = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::query("BEGIN; SELECT count(*) FROM games").fetch_all(&mut other).await.unwrap();
    let error = adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap_err();
    assert!(error.to_string().contains("another program"), "{error}");
    sqlx::Connection::close(other).await.unwrap();
    // The name for the replaced data is taken.
    fs::write(folder.path().join("data.sqlite.before"), "").unwrap();
    adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap_err();
    assert_eq!(partial_files(), 0, "a refused restore left a partial file behind");
    fs::remove_file(folder.path().join("data.sqlite.before")).unwrap();
    let previous =
        adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap().before.unwrap();
    assert_eq!(open(&path).await.list_events(&GameId::from_random(1), Version(0)).await.unwrap().len(), 1);
    assert_eq!(
        open(&previous).await.list_events(&GameId::from_random(1), Version(0)).await.unwrap().len(),
        2
    );
}

/// A restore works even if the data is no longer a database.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_replaces_damaged_data() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap();
    store.close().await;
    fs::write(&path, "not a database").unwrap();
    let previous =
        adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap().before.unwrap();
    assert_eq!(fs::read(previous).unwrap(), b"not a database");
    assert_eq!(open(&path).await.list_events(&GameId::from_random(1), Version(0)).await.unwrap().len(), 1);
}

/// A copy made while a server is writing contains everything acknowledged before the copy began.
#[tokio::test(flavor = "multi_thread")]
async fn r13_a_backup_under_load_can_be_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    for game in 0..8 {
        store.add_game(new_game(game)).await.unwrap();
    }
    let writers = (0..8u128).map(|game| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for version in 1..=60 {
                store.append(append(game, version)).await.unwrap();
            }
        })
    });
    let writers = writers.collect::<Vec<_>>();
    let mut before = Vec::new();
    for game in 0..8 {
        before.push(store.list_events(&GameId::from_random(game), Version(0)).await.unwrap().len());
    }
    let copy = folder.path().join("copy.sqlite");
    adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    assert!(matches!(
        adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await,
        Err(adoube_store_sqlite::BackupError::Exists(_))
    ));
    store.close().await;

    let previous =
        adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap().before.unwrap();
    let store = open(&path).await;
    for (game, before) in (0..8).zip(before) {
        let log = store.list_events(&GameId::from_random(game), Version(0)).await.unwrap();
        assert!(log.len() >= before, "only {} of {before} events", log.len());
        assert!(log.iter().zip(1..).all(|(event, version)| event.version == Version(version)));
    }
    let replaced = open(&previous).await;
    assert_eq!(replaced.list_events(&GameId::from_random(0), Version(0)).await.unwrap().len(), 61);

    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "not a database").unwrap();
    adoube_store_sqlite::restore(&notes, &path, &AcceptAnyLog, false).await.unwrap_err();
    assert_eq!(store.list_events(&GameId::from_random(0), Version(0)).await.unwrap()[0].body, "created");
}

/// Damage that the database does not detect: an event whose text or time was changed, an event that is
/// missing or cannot be read, and a changed chain.
#[tokio::test(flavor = "multi_thread")]
async fn a_changed_log_is_reported_and_restored_only_if_damage_is_accepted() {
    use sqlx::Connection as _;

    for (change, problem) in [
        ("UPDATE events SET body = 'turn 7' WHERE version = 3", "changed after it was written"),
        ("UPDATE events SET at = 3 WHERE version = 1", "changed after it was written"),
        ("DELETE FROM events WHERE version = 2", "event 2 is missing"),
        ("DELETE FROM events WHERE version = 3", "it has 2 events, not 3"),
        ("UPDATE games SET chain = x'00'", "chain"),
        ("UPDATE events SET body = 'unreadable' WHERE version = 2", "unreadable event"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
        let store = open(&path).await;
        for game in [1, 2] {
            store.add_game(new_game(game)).await.unwrap();
            for version in [1, 2] {
                store.append(append(game, version)).await.unwrap();
            }
        }
        let mut other =
            sqlx::SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
        let game = GameId::from_random(2);
        let change =
            change.replace("UPDATE games SET chain = x'00'", "UPDATE games SET chain = x'00' WHERE 1");
        let change =
            format!("{change} AND {} = '{game}'", if change.contains("games") { "id" } else { "game" });
        sqlx::query(sqlx::AssertSqlSafe(change)).execute(&mut other).await.unwrap();
        other.close().await.unwrap();
        let findings = adoube_store_sqlite::check_data(&path, &AcceptAnyLog).await.unwrap();
        let [(id, damage)] = &*findings.damaged else { panic!("{findings:?}") };
        assert!(*id == game.to_string() && damage.contains(problem), "{problem}: {id} {damage}");
        // The damaged data can be copied exactly, but the copy is restored only if damage is accepted.
        let copied = adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap();
        assert_eq!(copied.damaged, findings.damaged);
        store.close().await;
        let error = adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, false).await.unwrap_err();
        assert!(error.to_string().contains(&game.to_string()), "{error}");
        let restored = adoube_store_sqlite::restore(&copy, &path, &AcceptAnyLog, true).await.unwrap();
        assert_eq!(restored.findings.damaged, findings.damaged);
    }
}

/// Returns the content of all tables as text.
async fn content(path: &Path) -> Result<Vec<String>, sqlx::Error> {
    use sqlx::{AssertSqlSafe, Connection as _, Row as _};

    let mut connection =
        sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=ro", path.display())).await?;
    let mut rows = Vec::new();
    let tables = "SELECT name, (SELECT group_concat('quote(\"' || name || '\")', '||') FROM pragma_table_info(tables.name)) \
        FROM sqlite_schema AS tables WHERE type = 'table' ORDER BY name";
    for table in sqlx::query(tables).fetch_all(&mut connection).await? {
        let (name, columns) = (table.try_get::<String, _>(0)?, table.try_get::<String, _>(1)?);
        let select = format!("SELECT {columns} FROM \"{name}\"");
        for row in sqlx::query(AssertSqlSafe(select)).fetch_all(&mut connection).await? {
            rows.push(format!("{name} {:?}", row.try_get::<String, _>(0)?));
        }
    }
    Ok(rows)
}

/// The driver panics on column names that are not UTF-8, and the query may never complete.
#[tokio::test]
async fn a_definition_that_is_not_text_is_refused_without_hanging() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(0)).await.unwrap();
    store.close().await;
    assert!(adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap().is_intact());
    let bytes = fs::read(&copy).unwrap();
    let definition = b"CREATE TABLE accounts";
    // There is normally one occurrence. Any others, in unused space, are changed too.
    let found = |at: &usize| bytes[*at..].starts_with(definition);
    let starts = (0..bytes.len()).filter(found).collect::<Vec<_>>();
    assert!(!starts.is_empty());
    let (damaged, target) = (folder.path().join("damaged.sqlite"), folder.path().join("target.sqlite"));
    let mut named = 0;
    for offset in (2..150).step_by(3) {
        let mut changed = bytes.clone();
        for start in &starts {
            // This byte never occurs in valid UTF-8.
            changed[start + definition.len() + offset] = 0xff;
        }
        fs::write(&damaged, changed).unwrap();
        let restoring = adoube_store_sqlite::restore(&damaged, &target, &AcceptAnyLog, false);
        let restored = tokio::time::timeout(std::time::Duration::from_secs(30), restoring).await;
        let error = restored.expect("the restore did not finish in time").unwrap_err();
        assert!(error.to_string().contains("damaged.sqlite"), "{error}");
        // If the changed byte is outside a name, the definition cannot be parsed at all. The driver's thread
        // must not panic: after a panic, the query may return an error or never complete.
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(!cause.contains("crashed"), "{offset}: {cause}");
        named += usize::from(error.to_string().contains("accounts is not text"));
    }
    assert!(named > 2, "only {named} errors named the table");
}

/// A copy with a flipped bit is refused, or still has the same content.
#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_in_a_copy_is_detected_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    for game in 0..4 {
        store.add_game(new_game(game)).await.unwrap();
        for version in 1..30 {
            store.append(append(game, version)).await.unwrap();
        }
    }
    store.secret("cookie-key", &[7; 64]).await.unwrap();
    assert!(adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap().is_intact());
    store.close().await;
    let whole = content(&path).await.unwrap();
    let bytes = fs::read(&copy).unwrap();
    let (damaged, target) = (folder.path().join("damaged.sqlite"), folder.path().join("target.sqlite"));
    let mut refused = 0;
    let mut random = 17usize;
    // Most of a small file is unused space.
    let used = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect::<Vec<_>>();
    for _ in 0..200 {
        // Each run flips the same bits: a quarter of them anywhere, the others in used bytes, some of those
        // among the first 500.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = match (random >> 40) % 4 {
            0 => (random >> 20) % bytes.len(),
            1 => used[(random >> 20) % used.len().min(500)],
            _ => used[(random >> 20) % used.len()],
        };
        let bit = (random >> 16) % 8;
        let mut changed = bytes.clone();
        changed[at] ^= 1 << bit;
        fs::write(&damaged, changed).unwrap();
        if let Err(error) = adoube_store_sqlite::restore(&damaged, &target, &AcceptAnyLog, false).await {
            refused += 1;
            assert!(error.to_string().contains("damaged.sqlite"), "{error}");
            assert!(!target.exists());
        } else {
            let restored =
                content(&target).await.unwrap_or_else(|error| panic!("bit {bit} at byte {at}: {error}"));
            assert_eq!(restored, whole, "bit {bit} at byte {at} was not detected");
            SqliteStore::open(&target).await.unwrap().close().await;
        }
        for name in ["target.sqlite", "target.sqlite.before", "target.sqlite-wal", "target.sqlite-shm"] {
            let _ = fs::remove_file(folder.path().join(name));
        }
    }
    assert!((50..200).contains(&refused) && whole.len() > 120, "{refused} were refused");
}

/// The digest cannot cover the definition of its own table. SQLite accepts a definition in which the case
/// of a letter has changed, but then fails to drop the table completely.
#[tokio::test]
async fn a_damaged_definition_of_the_digest_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(0)).await.unwrap();
    store.close().await;
    assert!(adoube_store_sqlite::backup(&path, &copy, &AcceptAnyLog).await.unwrap().is_intact());
    let bytes = fs::read(&copy).unwrap();
    let definition = b"tablebackup_digestbackup_digest";
    let start = bytes
        .windows(definition.len())
        .position(|found| found == definition)
        .expect("the copy contains the definition");
    let target = folder.path().join("target.sqlite");
    for at in start..start + definition.len() + "?CREATE TABLE backup_digest (digest".len() {
        if bytes[at].is_ascii_alphabetic() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x20;
            fs::write(&copy, changed).unwrap();
            let restored = adoube_store_sqlite::restore(&copy, &target, &AcceptAnyLog, false).await;
            assert!(restored.is_err() && !target.exists(), "byte {} of the definition", at - start);
        }
    }
}

/// A restore replaces only regular files. If the given file is a link, its target is replaced and the link is
/// kept.
#[cfg(unix)]
#[tokio::test]
async fn a_restore_replaces_only_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = open(&path("data.sqlite")).await;
    store.add_game(new_game(1)).await.unwrap();
    store.close().await;
    adoube_store_sqlite::backup(&path("data.sqlite"), &path("copy"), &AcceptAnyLog).await.unwrap();

    fs::create_dir(path("folder")).unwrap();
    std::os::unix::fs::symlink("/dev/null", path("null")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
    for name in ["folder", "null", "socket"] {
        let refused =
            adoube_store_sqlite::restore(&path("copy"), &path(name), &AcceptAnyLog, false).await.unwrap_err();
        assert!(matches!(refused, adoube_store_sqlite::BackupError::NotRegular(_)), "{name}: {refused}");
    }
    drop(socket);

    // The link itself is kept.
    let store = open(&path("real.sqlite")).await;
    store.close().await;
    std::os::unix::fs::symlink(path("real.sqlite"), path("link.sqlite")).unwrap();
    adoube_store_sqlite::restore(&path("copy"), &path("link.sqlite"), &AcceptAnyLog, false).await.unwrap();
    assert!(fs::symlink_metadata(path("link.sqlite")).unwrap().is_symlink());
    let store = open(&path("real.sqlite")).await;
    assert!(store.lookup_game(&GameId::from_random(1)).await.unwrap().is_some());
    store.close().await;
}

/// A file is not restored without its write-ahead log, which contains the latest changes.
#[tokio::test]
async fn a_file_with_a_write_ahead_log_is_not_restored_alone() {
    use adoube_store_sqlite::BackupError;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = open(&path("data.sqlite")).await;
    store.add_game(new_game(1)).await.unwrap();
    for suffix in ["", "-wal"] {
        fs::copy(path(&format!("data.sqlite{suffix}")), path(&format!("raw{suffix}"))).unwrap();
    }
    store.close().await;
    let refused = adoube_store_sqlite::restore(&path("raw"), &path("new"), &AcceptAnyLog, false).await;
    assert!(matches!(refused, Err(BackupError::HasLog { .. })) && !path("new").exists(), "{refused:?}");
    // Both can be copied into one file.
    adoube_store_sqlite::backup(&path("raw"), &path("copy"), &AcceptAnyLog).await.unwrap();
    adoube_store_sqlite::restore(&path("copy"), &path("new"), &AcceptAnyLog, false).await.unwrap();
    let store = open(&path("new")).await;
    assert!(store.lookup_game(&GameId::from_random(1)).await.unwrap().is_some());
    store.close().await;
}

/// A mistyped name is not reported as a damaged copy.
#[tokio::test]
async fn a_copy_that_cannot_be_opened_is_not_called_damaged() {
    use adoube_store_sqlite::BackupError;

    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.sqlite");
    let missing = folder.path().join("copy");
    let refused = adoube_store_sqlite::restore(&missing, &data, &AcceptAnyLog, false).await.unwrap_err();
    assert!(matches!(refused, BackupError::Missing(_)), "{refused}");
    let refused = adoube_store_sqlite::restore(folder.path(), &data, &AcceptAnyLog, false).await.unwrap_err();
    assert!(matches!(refused, BackupError::Folder(_)), "{refused}");
    let refused = adoube_store_sqlite::check_data(&data, &AcceptAnyLog).await.unwrap_err();
    assert!(matches!(refused, BackupError::Missing(_)), "{refused}");
    let refused = adoube_store_sqlite::backup(&data, &missing, &AcceptAnyLog).await.unwrap_err();
    assert!(matches!(refused, BackupError::Missing(_)), "{refused}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A failed backup leaves no file behind.
#[cfg(unix)]
#[tokio::test]
async fn a_backup_has_the_requested_name_or_leaves_no_file() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data.sqlite")).await;
    let data = folder.path().join("data.sqlite");
    let bad = folder.path().join(std::ffi::OsStr::from_bytes(b"copy\xff"));
    let refused = adoube_store_sqlite::backup(&data, &bad, &AcceptAnyLog).await.unwrap_err();
    assert!(matches!(refused, adoube_store_sqlite::BackupError::Name(_)), "{refused}");
    // SQLite would read this as a URI.
    let odd = folder.path().join("file:copy?mode=memory");
    adoube_store_sqlite::backup(&data, &odd, &AcceptAnyLog).await.unwrap();
    store.close().await;
    let mut files: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, ["data.sqlite", "data.sqlite.lock", "file:copy?mode=memory"]);
}
