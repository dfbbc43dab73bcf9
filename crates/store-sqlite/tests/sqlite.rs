//! The contract test on `SQLite`, and tests of what is specific to a file.

use std::{error::Error as _, fs, path::Path, sync::Arc};

use adoube_store::{
    Append, Appended, CommandRecord, Created, GameStore as _, NewEvent, NewGame, Phase, ReadModel, Seat,
    StoreError,
};
use adoube_store_sqlite::{CheckLog, SqliteStore};
use adoube_vocabulary::{Color, CommandId, GameId, Millis, PlayerId, Version};

async fn open(path: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(path).await.unwrap())
}

fn new_game(number: u128) -> NewGame {
    NewGame {
        id: GameId::from_random(number),
        created_at: Millis(1),
        variant: "chess".into(),
        public: false,
        in_match: None,
        events: vec![NewEvent { at: Millis(1), body: "created".into() }],
        seats: vec![Seat { color: Color::White, player: PlayerId::from_random(number) }],
        invitation: None,
        read_model: read_model(),
        command: CommandRecord {
            player: PlayerId::from_random(number),
            id: CommandId("00000000-0000-4000-8000-000000000001".parse().unwrap()),
            answer: "created".into(),
        },
        proposal: None,
    }
}

fn read_model() -> ReadModel {
    ReadModel {
        phase: Phase::Playing,
        turn: Some(Color::White),
        result: None,
        deadline: None,
        awaits_machine: None,
        summary: String::new(),
    }
}

fn append(game: u128, based_on: u64) -> Append {
    Append {
        game: GameId::from_random(game),
        based_on: Version(based_on),
        events: vec![NewEvent { at: Millis(2), body: format!("turn {based_on}") }],
        seats: Vec::new(),
        read_model: read_model(),
        command: None,
    }
}

/// Accepts any log, because the games in these tests are not real.
struct Anything;

impl CheckLog for Anything {
    fn check(&self, bodies: &[String]) -> Result<(), String> {
        if bodies.iter().any(|body| body == "unreadable") { Err("unreadable event".into()) } else { Ok(()) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_contract_test() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data.sqlite")).await;
    adoube_store::check_contract(store.clone()).await;
    // A file has one server, but many tasks of that server use it at once.
    adoube_store::check_concurrency(store.clone(), store).await;
}

/// After a process ends without closing anything, all acknowledged events are found.
#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_events_are_found_after_an_abrupt_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    let writers = (0..16u128).map(|game| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            assert_eq!(store.add_game(new_game(game)).await.unwrap(), Created::Done);
            for version in 1..=25 {
                assert_eq!(
                    store.append(append(game, version)).await.unwrap(),
                    Appended::Done(Version(version + 1))
                );
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    // Copy the files as a kill would leave them, with a write-ahead log that has not been copied back.
    let left = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        if !entry.file_name().to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), left.path().join(entry.file_name())).unwrap();
        }
    }
    assert!(left.path().join("data.sqlite-wal").metadata().unwrap().len() > 0);
    let store = open(&left.path().join("data.sqlite")).await;
    for game in 0..16u128 {
        let log = store.list_events(&GameId::from_random(game), Version(0)).await.unwrap();
        let bodies = log.into_iter().map(|event| event.body).collect::<Vec<_>>();
        let expected =
            std::iter::once("created".into()).chain((1..=25).map(|version| format!("turn {version}")));
        assert_eq!(bodies, expected.collect::<Vec<_>>());
    }
}

/// Changes share a transaction; one that fails must not affect the others.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_change_does_not_affect_others_in_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data.sqlite")).await;
    for game in 0..40 {
        store.add_game(new_game(game)).await.unwrap();
    }
    let changes = (0..40u128).map(|game| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut change = append(game, 1);
            if game % 4 == 0 {
                // White's seat is taken.
                change.seats.push(Seat { color: Color::White, player: PlayerId::from_random(1000) });
            }
            store.append(change).await
        })
    });
    for (game, change) in changes.collect::<Vec<_>>().into_iter().enumerate() {
        match change.await.unwrap() {
            Ok(appended) => assert_eq!((appended, game % 4 == 0), (Appended::Done(Version(2)), false)),
            Err(error) => {
                assert!(matches!(error, StoreError::Statement { .. }) && game % 4 == 0, "{error:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_store_refuses_work_and_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    store.close().await;
    assert!(matches!(store.append(append(1, 1)).await, Err(StoreError::Closed)));
    assert!(matches!(store.check().await, Err(StoreError::Closed)));
    let store = open(&path).await;
    assert_eq!(store.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
}

/// A file has only one server, also under another name, because notices of one process do not reach visitors
/// of another.
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
        let told = error.to_string();
        assert!(told.contains(&name.display().to_string()), "{told}");
        assert!(told.contains(&format!("process {}", std::process::id())), "{told}");
    }
    // Another file in the same folder can be opened.
    open(&folder.path().join("other.sqlite")).await;
    store.close().await;
    assert_eq!(open(&path).await.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
}

/// Copies can be made while a server runs, but its file cannot be replaced.
#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_a_running_store_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap();
    let error = adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap_err();
    assert!(error.to_string().contains("in use by process"), "{error}");
    assert_eq!(store.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
    let files = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().contains(".part")).count()
    };
    assert_eq!(files(), 0, "a refused copy leaves a partial file behind");
    store.close().await;

    // A program that ignores our lock.
    let url = format!("sqlite://{}", path.display());
    let mut other = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::query("BEGIN; SELECT count(*) FROM games").fetch_all(&mut other).await.unwrap();
    let error = adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap_err();
    assert!(error.to_string().contains("another program"), "{error}");
    sqlx::Connection::close(other).await.unwrap();
    // The name under which the former data would be kept is taken.
    fs::write(folder.path().join("data.sqlite.before"), "").unwrap();
    adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap_err();
    assert_eq!(files(), 0, "a refused copy leaves a partial file behind");
    fs::remove_file(folder.path().join("data.sqlite.before")).unwrap();
    let kept = adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap().before.unwrap();
    assert_eq!(open(&path).await.list_events(&GameId::from_random(1), Version(0)).await.unwrap().len(), 1);
    assert_eq!(open(&kept).await.list_events(&GameId::from_random(1), Version(0)).await.unwrap().len(), 2);
}

/// A restore works when the data is no longer a database.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_replaces_damaged_data() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap();
    store.close().await;
    fs::write(&path, "not a database").unwrap();
    let kept = adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap().before.unwrap();
    assert_eq!(fs::read(kept).unwrap(), b"not a database");
    assert_eq!(open(&path).await.list_events(&GameId::from_random(1), Version(0)).await.unwrap().len(), 1);
}

/// Writes to a file that has lost its name would be lost with the process.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_store_stops_with_an_error_when_its_file_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    store.check().await.unwrap();
    let other = folder.path().join("other.sqlite");
    fs::copy(&path, &other).unwrap();
    fs::rename(&other, &path).unwrap();
    let error = store.check().await.unwrap_err();
    assert!(error.to_string().contains("replaced"), "{error}");
    fs::remove_file(&path).unwrap();
    let error = store.check().await.unwrap_err();
    assert!(error.to_string().contains("removed"), "{error}");
    store.append(append(1, 1)).await.unwrap();
    assert!(matches!(store.failed().await, StoreError::Broken(_)));
    assert!(matches!(store.append(append(1, 2)).await, Err(StoreError::Broken(_))));
}

/// The file contains the key of the cookies, addresses and password hashes.
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
    adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap();
    let found = modes();
    assert!(["data.sqlite", "data.sqlite-wal", "copy.sqlite"].iter().all(|name| found.contains_key(*name)));
    assert!(found.values().all(|mode| *mode == 0o600), "{found:?}");
    store.close().await;
    // A file of an older version and a copy, both made readable to all.
    for file in [&path, &copy] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    }
    adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap();
    assert_eq!((modes()["data.sqlite"], modes()["data.sqlite.before"]), (0o600, 0o600));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    open(&path).await.close().await;
    assert_eq!(modes()["data.sqlite"], 0o640, "group permissions may be intended");
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "this is not a database, but long enough to be read as the header of one ".repeat(20))
        .unwrap();
    let error = SqliteStore::open(&path).await.unwrap_err();
    let source = error.source().unwrap().to_string();
    assert!(source.ends_with("notes.txt is not a data file of adoube; choose another file"), "{source}");
    let error = SqliteStore::open(&folder.path().join("nowhere/data.sqlite")).await.unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[tokio::test]
async fn an_invalid_row_is_distinguished_from_a_lost_connection() {
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    let url = format!("sqlite://{}", path.display());
    let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("PRAGMA ignore_check_constraints = ON").execute(&mut other).await.unwrap();
    sqlx::query("UPDATE games SET phase = 'lost in thought'").execute(&mut other).await.unwrap();
    let error = store.lookup_game(&GameId::from_random(1)).await.unwrap_err();
    assert!(
        matches!(&error, StoreError::InvalidValue { table: "games", what: "phase", found } if found == "lost in thought")
    );
}

/// A copy made while a server writes contains everything acknowledged before it began.
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
    adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    assert!(matches!(
        adoube_store_sqlite::backup(&path, &copy, &Anything).await,
        Err(adoube_store_sqlite::BackupError::Exists(_))
    ));
    store.close().await;

    let kept = adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap().before.unwrap();
    let store = open(&path).await;
    for (game, before) in (0..8).zip(before) {
        let log = store.list_events(&GameId::from_random(game), Version(0)).await.unwrap();
        assert!(log.len() >= before, "{} events of {before}", log.len());
        assert!(log.iter().zip(1..).all(|(event, version)| event.version == Version(version)));
    }
    let all = open(&kept).await;
    assert_eq!(all.list_events(&GameId::from_random(0), Version(0)).await.unwrap().len(), 61);

    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "no database").unwrap();
    adoube_store_sqlite::restore(&notes, &path, &Anything, false).await.unwrap_err();
    assert_eq!(store.list_events(&GameId::from_random(0), Version(0)).await.unwrap()[0].body, "created");
}

/// A file of the first version, with a game in it, is migrated to the current version.
#[tokio::test]
async fn r13_a_file_of_an_older_version_is_migrated() {
    use sqlx::{Connection as _, Row as _};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let mut older =
        sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap();
    let mut migrator = sqlx::migrate::Migrator::new(Path::new("migrations")).await.unwrap();
    let newest = migrator.iter().map(|migration| migration.version).max().unwrap();
    migrator.migrations = migrator.migrations.iter().take(1).cloned().collect::<Vec<_>>().into();
    migrator.run(&mut older).await.unwrap();
    sqlx::raw_sql(
        r#"INSERT INTO games VALUES ('AAAAAAAAAAAA', 1, 5, 6, 'playing', NULL,
            '{"id":"AAAAAAAAAAAA","variant":"baroque","players":{"white":{"type":"machine","level":2},"black":{"type":"person"}},
            "you":null,"status":{"type":"playing"},"turn":"black","plies":1,"createdAt":5,"updatedAt":6}');
        INSERT INTO events VALUES ('AAAAAAAAAAAA', 1, 5, 'created');
        INSERT INTO seats VALUES ('AAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAA', 'black');"#,
    )
    .execute(&mut older)
    .await
    .unwrap();
    older.close().await.unwrap();

    let ages = adoube_store::Ages { called_off_games: Some(Millis(9)), ..adoube_store::Ages::default() };
    let error = adoube_store_sqlite::count_old(&path, &ages).await.unwrap_err();
    assert!(error.source().unwrap().to_string().contains("was written by an older version"), "{error:?}");

    let store = open(&path).await;
    // The file as it was, for the older program.
    let kept = folder.path().join(format!("data.sqlite.before-{newest}"));
    let mut kept = sqlx::SqliteConnection::connect(&format!("sqlite://{}", kept.display())).await.unwrap();
    let row = sqlx::query("SELECT max(version), (SELECT body FROM events) FROM _sqlx_migrations");
    let row = row.fetch_one(&mut kept).await.unwrap();
    assert_eq!((row.get::<i64, _>(0), row.get::<&str, _>(1)), (1, "created"));
    let mut filter = adoube_store::GameFilter::all_of(&"A".repeat(20).parse().unwrap(), 9);
    filter.variant = Some("baroque".into());
    filter.state = adoube_vocabulary::ListState::Waiting;
    let listed = store.list_games(&filter).await.unwrap();
    assert_eq!((listed.len(), listed[0].color), (1, Some(Color::Black)));
    let game = &listed[0].game;
    assert_eq!((game.turn, game.result, game.variant.as_str()), (Some(Color::Black), None, "baroque"));
    assert_eq!(
        game.summary,
        concat!(
            r#"{"schema":2,"players":{"white":{"type":"machine","level":2},"black":{"type":"person"}},"#,
            r#""plies":1,"timeControl":{"type":"unlimited"},"touchMove":false}"#
        )
    );
    assert_eq!(store.list_running().await.unwrap(), []);
    // Its games get their chains later, including those that continue before that.
    let unchained = async || adoube_store_sqlite::check_data(&path, &Anything).await.unwrap().unchained;
    while unchained().await > 0 {
        tokio::task::yield_now().await;
    }
    let append = Append { game: "A".repeat(12).parse().unwrap(), ..append(1, 1) };
    assert_eq!(store.append(append).await.unwrap(), Appended::Done(Version(2)));
    let findings = adoube_store_sqlite::check_data(&path, &Anything).await.unwrap();
    assert_eq!((findings.games, findings.unchained, findings.is_whole()), (1, 0, true));
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused_in_one_line() {
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    open(&path).await.close().await;
    let mut newer = sqlx::SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let added = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of tomorrow', 1, x'', 0)";
    sqlx::query(added).execute(&mut newer).await.unwrap();
    newer.close().await.unwrap();

    let refused = SqliteStore::open(&path).await.unwrap_err().source().unwrap().to_string();
    assert!(refused.contains("was written by a newer adoube: it has schema 9999"), "{refused}");
    assert!(!refused.contains('\n'));
    let checked = adoube_store_sqlite::check_data(&path, &Anything).await.unwrap_err().to_string();
    assert_eq!(checked, refused);
    let listed = adoube_store_sqlite::list_reports(&path, 9).await.unwrap_err();
    assert_eq!(listed.source().unwrap().to_string(), refused);
    let reset = adoube_store_sqlite::reset_clock(&path, Millis(9), &Unchanged).await.unwrap_err();
    assert_eq!(reset.to_string(), refused);
    // Nothing was copied for it.
    assert!(!folder.path().join("data.sqlite.before-clock").exists());
}

/// Leaves all logs as they are.
struct Unchanged;

impl adoube_store_sqlite::SetBack for Unchanged {
    fn log(&self, _: &mut [String], _: Millis) -> Result<(), String> {
        Ok(())
    }
}

#[tokio::test]
async fn a_start_that_is_repeated_copies_older_data_once() {
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let older = async || {
        sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap()
    };
    let mut connection = older().await;
    let mut migrator = sqlx::migrate::Migrator::new(Path::new("migrations")).await.unwrap();
    let newest = migrator.iter().map(|migration| migration.version).max().unwrap();
    migrator.migrations = migrator.migrations.iter().take(1).cloned().collect::<Vec<_>>().into();
    migrator.run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let original = fs::read(&path).unwrap();
    let copies = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        names.filter(|name| name.to_str().unwrap().contains(".before-")).count()
    };
    open(&path).await.close().await;
    assert_eq!(copies(), 1);
    // As if the first start had been interrupted before the tables were changed.
    fs::write(&path, &original).unwrap();
    open(&path).await.close().await;
    assert_eq!(copies(), 1);
    // As if the older program had gone on in between.
    fs::write(&path, &original).unwrap();
    let mut connection = older().await;
    sqlx::query("INSERT INTO games VALUES ('AAAAAAAAAAAA', 1, 5, 6, 'waiting', NULL, '{}')")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    open(&path).await.close().await;
    assert_eq!(copies(), 2);
    assert!(folder.path().join(format!("data.sqlite.before-{newest}-2")).exists());
}

/// Changes that the database does not notice: a letter, a time, a version, and an event that cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_changed_log_is_named_and_restored_only_if_damage_is_accepted() {
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
        let findings = adoube_store_sqlite::check_data(&path, &Anything).await.unwrap();
        let [(id, told)] = &*findings.damaged else { panic!("{findings:?}") };
        assert!(*id == game.to_string() && told.contains(problem), "{problem}: {id} {told}");
        // It can be copied and the copy is faithful, but it is restored only if damage is accepted.
        let copied = adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap();
        assert_eq!(copied.damaged, findings.damaged);
        store.close().await;
        let error = adoube_store_sqlite::restore(&copy, &path, &Anything, false).await.unwrap_err();
        assert!(error.to_string().contains(&game.to_string()), "{error}");
        let restored = adoube_store_sqlite::restore(&copy, &path, &Anything, true).await.unwrap();
        assert_eq!(restored.findings.damaged, findings.damaged);
    }
}

/// Returns the content of all tables as text.
async fn content(path: &Path) -> Result<Vec<String>, sqlx::Error> {
    use sqlx::{AssertSqlSafe, Connection as _, Row as _};

    let mut all = sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=ro", path.display())).await?;
    let mut rows = Vec::new();
    let tables = "SELECT name, (SELECT group_concat('quote(\"' || name || '\")', '||') FROM pragma_table_info(tables.name)) \
        FROM sqlite_schema AS tables WHERE type = 'table' ORDER BY name";
    for table in sqlx::query(tables).fetch_all(&mut all).await? {
        let (name, columns) = (table.try_get::<String, _>(0)?, table.try_get::<String, _>(1)?);
        let select = format!("SELECT {columns} FROM \"{name}\"");
        for row in sqlx::query(AssertSqlSafe(select)).fetch_all(&mut all).await? {
            rows.push(format!("{name} {:?}", row.try_get::<String, _>(0)?));
        }
    }
    Ok(rows)
}

/// The driver panics on such column names, and the query may never complete.
#[tokio::test]
async fn a_definition_that_is_not_text_is_refused_without_hanging() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("data.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    store.add_game(new_game(0)).await.unwrap();
    store.close().await;
    assert!(adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap().is_whole());
    let bytes = fs::read(&copy).unwrap();
    let definition = b"CREATE TABLE accounts";
    // Some of them are left over from migrations, in unused pages.
    let found = |at: &usize| bytes[*at..].starts_with(definition);
    let begins = (0..bytes.len()).filter(found).collect::<Vec<_>>();
    assert!(!begins.is_empty());
    let (spoilt, place) = (folder.path().join("spoilt.sqlite"), folder.path().join("place.sqlite"));
    let mut named = 0;
    for behind in (2..150).step_by(3) {
        let mut changed = bytes.clone();
        for begin in &begins {
            // Never a valid byte of UTF-8.
            changed[begin + definition.len() + behind] = 0xff;
        }
        fs::write(&spoilt, changed).unwrap();
        let restoring = adoube_store_sqlite::restore(&spoilt, &place, &Anything, false);
        let restored = tokio::time::timeout(std::time::Duration::from_secs(30), restoring).await;
        let error = restored.expect("a restore ends").unwrap_err();
        assert!(error.to_string().contains("spoilt.sqlite"), "{error}");
        // Outside of a name, the definition cannot be parsed at all. The driver's thread must not panic:
        // afterwards its answer may be an error or may never come.
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(!cause.contains("crashed"), "{behind}: {cause}");
        named += usize::from(error.to_string().contains("accounts is not text"));
    }
    assert!(named > 2, "{named} names");
}

/// A copy with a flipped bit is refused, or still has the same content.
#[tokio::test(flavor = "multi_thread")]
async fn a_restore_detects_every_flipped_bit_of_a_copy() {
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
    assert!(adoube_store_sqlite::backup(&path, &copy, &Anything).await.unwrap().is_whole());
    store.close().await;
    let whole = content(&path).await.unwrap();
    let bytes = fs::read(&copy).unwrap();
    let (spoilt, place) = (folder.path().join("spoilt.sqlite"), folder.path().join("place.sqlite"));
    let mut refused = 0;
    let mut bit = 17usize;
    // Most of a small file is unused space.
    let used = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect::<Vec<_>>();
    for _ in 0..200 {
        // The same bits in each run: a quarter of them anywhere, the others in used bytes, some of those in
        // the first page.
        bit = bit.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = match (bit >> 40) % 4 {
            0 => (bit >> 20) % bytes.len(),
            1 => used[(bit >> 20) % used.len().min(500)],
            _ => used[(bit >> 20) % used.len()],
        };
        let mut changed = bytes.clone();
        changed[at] ^= 1 << ((bit >> 16) % 8);
        fs::write(&spoilt, changed).unwrap();
        if let Err(error) = adoube_store_sqlite::restore(&spoilt, &place, &Anything, false).await {
            refused += 1;
            assert!(error.to_string().contains("spoilt.sqlite"), "{error}");
            assert!(!place.exists());
        } else {
            assert_eq!(content(&place).await.unwrap(), whole, "bit {bit} at byte {at} got through");
            SqliteStore::open(&place).await.unwrap().close().await;
        }
        for name in ["place.sqlite", "place.sqlite.before", "place.sqlite-wal", "place.sqlite-shm"] {
            let _ = fs::remove_file(folder.path().join(name));
        }
    }
    assert!((50..200).contains(&refused) && whole.len() > 120, "{refused} were refused");
}

/// An address from before confirmations can still be used for recovery, so that its owner is not locked out.
#[tokio::test]
async fn addresses_of_an_older_version_are_marked() {
    use adoube_store::AccountStore as _;
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let mut older =
        sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap();
    let mut migrator = sqlx::migrate::Migrator::new(Path::new("migrations")).await.unwrap();
    migrator.migrations = migrator.migrations.iter().take(4).cloned().collect::<Vec<_>>().into();
    migrator.run(&mut older).await.unwrap();
    sqlx::raw_sql(
        "INSERT INTO accounts VALUES ('AAAAAAAAAAAAAAAAAAAA', 'Anna', 'anna', 'hash', 'anna@example.org', 5);
        INSERT INTO accounts VALUES ('BBBBBBBBBBBBBBBBBBBB', 'Bela', 'bela', 'hash', NULL, 5);",
    )
    .execute(&mut older)
    .await
    .unwrap();
    older.close().await.unwrap();

    let store = open(&path).await;
    let marks = async |name: &str| {
        let account = store.lookup_account_by_name(name).await.unwrap().unwrap();
        (account.email_confirmed, account.email_from_before, account.reminders)
    };
    assert_eq!(marks("anna").await, (false, true, true));
    assert_eq!(marks("bela").await, (false, false, true));
    let bela = store.lookup_account_by_name("bela").await.unwrap().unwrap().player;
    let shown = adoube_store::Credentials { password: "hash".into(), second_factor: false };
    assert!(store.set_email(&bela, &shown, Some("bela@example.org")).await.unwrap());
    assert_eq!(marks("bela").await, (false, false, true));
}

/// A full file refuses writes, keeps what was acknowledged and can be read.
#[tokio::test(flavor = "multi_thread")]
async fn r9_a_full_file_can_still_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = SqliteStore::open_bounded(&path, Some(80)).await.unwrap();
    store.add_game(new_game(1)).await.unwrap();
    let mut version = 1;
    let error = loop {
        let events = vec![NewEvent { at: Millis(2), body: format!("{version} {}", "x".repeat(3_000)) }];
        match store.append(Append { events, ..append(1, version) }).await {
            Ok(appended) => {
                version += 1;
                assert_eq!(appended, Appended::Done(Version(version)));
            }
            Err(error) => break error,
        }
        assert!(version < 1_000, "the bound does not hold");
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    let log = store.list_events(&GameId::from_random(1), Version(0)).await.unwrap();
    assert_eq!(log.last().unwrap().version, Version(version));
    store.check().await.unwrap();
    store.close().await;
    // With space again, it continues where it was.
    let store = open(&path).await;
    assert_eq!(store.append(append(1, version)).await.unwrap(), Appended::Done(Version(version + 1)));
}

/// An account with long, searchable values.
fn wordy_account(number: u128) -> adoube_store::NewAccount {
    adoube_store::NewAccount {
        player: PlayerId::from_random(number),
        name: format!("Nebukadnezar{number}"),
        look: adoube_store::NameLook {
            skeleton: format!("nebukadnezar{number}"),
            also: Vec::new(),
            retired: Vec::new(),
        },
        password: format!("argon-hash-of-{number}-{}", "x".repeat(3_000)),
        email: Some(format!("babylon{number}@example.org")),
        language: "fr".into(),
        created_at: Millis(9),
    }
}

/// Deleted data is gone from the file and, once the log is emptied within a second or two, from the log.
#[tokio::test(flavor = "multi_thread")]
async fn no_bytes_of_a_deleted_account_remain() {
    use adoube_store::{
        AccountStore as _, ChatStore as _, NewChatMessage, NewReport, NewSession, SecondFactorStore as _,
    };

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    let player = PlayerId::from_random(7);
    for number in [7, 8] {
        store.add_account(wordy_account(number)).await.unwrap();
    }
    let session = NewSession {
        token: adoube_store::TokenHash([0x5a; 32]),
        id: adoube_vocabulary::SessionId::from_random(1),
        player: player.clone(),
        credentials: adoube_store::Credentials { password: wordy_account(7).password, second_factor: true },
        agent: "Hanging Garden 7".into(),
        created_at: Millis(9),
        expires_at: Millis(99),
    };
    store.add_session(session.clone()).await.unwrap();
    assert!(store.add_second_factor(&player, b"secret of seven").await.unwrap());
    let codes = [adoube_store::TokenHash([0x5b; 32])];
    store.confirm_second_factor(&player, b"secret of seven", Millis(9), &codes, &session.id).await.unwrap();
    for (command, text) in [(1u128, "said by seven"), (2, "reported of seven")] {
        let line = NewChatMessage {
            game: GameId::from_random(1),
            room: adoube_vocabulary::ChatRoom::Players,
            player: player.clone(),
            command: CommandId(uuid::Uuid::from_u128(command)),
            color: None,
            text: text.into(),
            at: Millis(10),
        };
        store.add_message(line).await.unwrap();
    }
    assert!(store.set_email(&player, &session.credentials, Some("second7@example.org")).await.unwrap());
    let holds = |text: &[u8]| {
        ["data.sqlite", "data.sqlite-wal"].iter().any(|name| {
            let bytes = fs::read(folder.path().join(name)).unwrap_or_default();
            bytes.windows(text.len()).any(|window| window == text)
        })
    };
    let gone: [&[u8]; 10] = [
        b"Nebukadnezar7",
        b"nebukadnezar7",
        b"babylon7@",
        b"second7@",
        b"argon-hash-of-7",
        b"Hanging Garden 7",
        b"said by seven",
        &[0x5a; 32],
        b"secret of seven",
        &[0x5b; 32],
    ];
    assert!(gone.iter().all(|text| holds(text)), "the test would find nothing");
    store.delete_account(&player).await.unwrap();
    let emptied = async {
        while gone.iter().any(|text| holds(text)) {
            tokio::task::yield_now().await;
        }
    };
    let emptied = tokio::time::timeout(std::time::Duration::from_secs(20), emptied).await;
    assert!(
        emptied.is_ok(),
        "{:?} are left",
        gone.map(|text| (String::from_utf8_lossy(text).into_owned(), holds(text)))
    );
    assert!(holds(b"Nebukadnezar8") && holds(b"argon-hash-of-8"), "other accounts' data is there");

    // A report is the house's record, and stays when its author is deleted.
    let line = NewChatMessage {
        game: GameId::from_random(1),
        room: adoube_vocabulary::ChatRoom::Players,
        player: PlayerId::from_random(8),
        command: CommandId(uuid::Uuid::from_u128(3)),
        color: None,
        text: "reported of eight".into(),
        at: Millis(10),
    };
    let adoube_store::ChatAdded::New(line) = store.add_message(line).await.unwrap() else {
        panic!("the message is new")
    };
    let report = NewReport {
        game: GameId::from_random(1),
        room: adoube_vocabulary::ChatRoom::Players,
        message: line,
        player: PlayerId::from_random(9),
        reason: "rude".into(),
        at: Millis(11),
    };
    assert!(store.add_report(report).await.unwrap());
    store.delete_account(&PlayerId::from_random(8)).await.unwrap();
    let [kept] = &*store.list_reports(9).await.unwrap() else { panic!("the report is gone") };
    assert_eq!((kept.name.as_deref(), &*kept.messages[0].text), (Some("Nebukadnezar8"), "reported of eight"));
}

/// A restore replaces only regular files and the targets of links.
#[cfg(unix)]
#[tokio::test]
async fn a_restore_replaces_only_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = open(&path("data.sqlite")).await;
    store.add_game(new_game(1)).await.unwrap();
    store.close().await;
    adoube_store_sqlite::backup(&path("data.sqlite"), &path("copy"), &Anything).await.unwrap();

    fs::create_dir(path("folder")).unwrap();
    std::os::unix::fs::symlink("/dev/null", path("null")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
    for name in ["folder", "null", "socket"] {
        let refused =
            adoube_store_sqlite::restore(&path("copy"), &path(name), &Anything, false).await.unwrap_err();
        assert!(matches!(refused, adoube_store_sqlite::BackupError::NoFile(_)), "{name}: {refused}");
    }
    drop(socket);

    // The link itself is kept.
    let store = open(&path("real.sqlite")).await;
    store.close().await;
    std::os::unix::fs::symlink(path("real.sqlite"), path("link.sqlite")).unwrap();
    adoube_store_sqlite::restore(&path("copy"), &path("link.sqlite"), &Anything, false).await.unwrap();
    assert!(fs::symlink_metadata(path("link.sqlite")).unwrap().is_symlink());
    let store = open(&path("real.sqlite")).await;
    assert!(store.lookup_game(&GameId::from_random(1)).await.unwrap().is_some());
    store.close().await;
}

/// A failed backup leaves no file behind.
#[cfg(unix)]
#[tokio::test]
async fn a_copy_has_the_requested_name_or_is_not_made() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data.sqlite")).await;
    let data = folder.path().join("data.sqlite");
    let bad = folder.path().join(std::ffi::OsStr::from_bytes(b"copy\xff"));
    let refused = adoube_store_sqlite::backup(&data, &bad, &Anything).await.unwrap_err();
    assert!(matches!(refused, adoube_store_sqlite::BackupError::Name(_)), "{refused}");
    // SQLite would read this as a URI.
    let odd = folder.path().join("file:copy?mode=memory");
    adoube_store_sqlite::backup(&data, &odd, &Anything).await.unwrap();
    store.close().await;
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["data.sqlite", "data.sqlite.lock", "file:copy?mode=memory"]);
}

/// The database of another program is not modified.
#[tokio::test]
async fn the_data_of_another_program_is_not_modified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bookmarks.sqlite");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect_with(&options).await.unwrap();
    sqlx::query("CREATE TABLE bookmarks (address TEXT)").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = fs::read(&path).unwrap();
    let refused = SqliteStore::open(&path).await.unwrap_err();
    let source = std::error::Error::source(&refused).unwrap().to_string();
    assert!(source.contains("is not a data file of adoube"), "{source}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file was created");
}
