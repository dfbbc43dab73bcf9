//! Tests with data files that other versions of the program wrote.

use super::*;

/// Opens a file, and creates it if there is none.
async fn connect(path: &Path) -> sqlx::SqliteConnection {
    use sqlx::Connection as _;

    sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap()
}

/// Checksums of the first migrations, as the first versions stored them. The comments in these files were
/// different then.
const CHECKSUMS: [&str; 4] = [
    "1119f271f44dca344d436b89433d4bdaae925108552a0e00\
     96a642e7a0e763d752c72ceb184887ee7ade9128fb63214c",
    "9b05cce826bebacb704a84ea678c5b22fb45203447e7baaf\
     a2f4ddf3c667cd1182ea357fc9d8a3cb88f133110ef9db29",
    "1efb9b736f109152ae0e8f0a0985ebf3d98d41cfd91b8c1d\
     4852826b168cfe8af3a34b692ad01f07385914e98427a70c",
    "e6c87d9321a716418325dd3e4b598c7260cdec72e0cb07c8\
     519180f9a02ecf31c759868b0dad21c8fee38b0234ebede6",
];

/// Creates a file with the tables of an older version, which knew only the first `count` migrations. Returns
/// the connection and the number of the current version's newest migration.
async fn older_version(path: &Path, count: usize) -> (sqlx::SqliteConnection, i64) {
    let mut connection = connect(path).await;
    let mut migrator = sqlx::migrate::Migrator::new(Path::new("migrations")).await.unwrap();
    let newest = migrator.iter().map(|migration| migration.version).max().unwrap();
    let older = migrator.migrations.iter().take(count).cloned().collect::<Vec<_>>();
    migrator.migrations = older.into();
    migrator.run(&mut connection).await.unwrap();
    for (migration, checksum) in migrator.iter().zip(CHECKSUMS) {
        sqlx::query("UPDATE _sqlx_migrations SET checksum = unhex(?) WHERE version = ?")
            .bind(checksum)
            .bind(migration.version)
            .execute(&mut connection)
            .await
            .unwrap();
    }
    (connection, newest)
}

/// A file that was written by the first version and contains a game is migrated to the current version.
#[tokio::test]
async fn r13_a_file_from_an_older_version_is_migrated() {
    use sqlx::{Connection as _, Row as _};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let (mut older, newest) = older_version(&path, 1).await;
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
    // A copy of the original file is kept, so that the older program can be used again.
    let previous = folder.path().join(format!("data.sqlite.before-{newest}"));
    let mut previous =
        sqlx::SqliteConnection::connect(&format!("sqlite://{}", previous.display())).await.unwrap();
    let row = sqlx::query("SELECT max(version), (SELECT body FROM events) FROM _sqlx_migrations");
    let row = row.fetch_one(&mut previous).await.unwrap();
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
    // The hash chains are added in the background. The next append extends them.
    let unchained = async || adoube_store_sqlite::check_data(&path, &AcceptAnyLog).await.unwrap().unchained;
    while unchained().await > 0 {
        tokio::task::yield_now().await;
    }
    let append = Append { game: "A".repeat(12).parse().unwrap(), ..append(1, 1) };
    assert_eq!(store.append(append).await.unwrap(), Appended::Done(Version(2)));
    let findings = adoube_store_sqlite::check_data(&path, &AcceptAnyLog).await.unwrap();
    assert_eq!((findings.games, findings.unchained, findings.is_intact()), (1, 0, true));
}

#[tokio::test]
async fn a_file_from_a_newer_version_is_refused_with_a_one_line_error() {
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    open(&path).await.close().await;
    let mut newer = sqlx::SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let add = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'from the future', 1, x'', 0)";
    sqlx::query(add).execute(&mut newer).await.unwrap();
    newer.close().await.unwrap();

    let refused = SqliteStore::open(&path).await.unwrap_err().source().unwrap().to_string();
    assert!(refused.contains("was written by a newer adoube: it has schema 9999"), "{refused}");
    assert!(!refused.contains('\n'));
    let checked = adoube_store_sqlite::check_data(&path, &AcceptAnyLog).await.unwrap_err().to_string();
    assert_eq!(checked, refused);
    let listed = adoube_store_sqlite::list_reports(&path, 9).await.unwrap_err();
    assert_eq!(listed.source().unwrap().to_string(), refused);
    let reset = adoube_store_sqlite::reset_clock(&path, Millis(9), &Unchanged).await.unwrap_err();
    assert_eq!(reset.to_string(), refused);
    // The refused database was not copied.
    assert!(!folder.path().join("data.sqlite.before-clock").exists());
}

/// Leaves all logs unchanged.
struct Unchanged;

impl adoube_store_sqlite::ClampTimes for Unchanged {
    fn log(&self, _: &mut [String], _: Millis) -> Result<(), String> {
        Ok(())
    }
}

#[tokio::test]
async fn a_repeated_start_copies_older_data_once() {
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let (connection, newest) = older_version(&path, 1).await;
    connection.close().await.unwrap();
    let original = fs::read(&path).unwrap();
    let copies = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        names.filter(|name| name.to_str().unwrap().contains(".before-")).count()
    };
    open(&path).await.close().await;
    assert_eq!(copies(), 1);
    // Simulates a first start that was interrupted before the tables were changed.
    fs::write(&path, &original).unwrap();
    open(&path).await.close().await;
    assert_eq!(copies(), 1);
    // Simulates use of the older program in the meantime.
    fs::write(&path, &original).unwrap();
    let mut connection = connect(&path).await;
    sqlx::query("INSERT INTO games VALUES ('AAAAAAAAAAAA', 1, 5, 6, 'waiting', NULL, '{}')")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    open(&path).await.close().await;
    assert_eq!(copies(), 2);
    assert!(folder.path().join(format!("data.sqlite.before-{newest}-2")).exists());
}

/// Before the migration, the file is opened to copy it. On Unix, closing it again while SQLite is connected
/// would release SQLite's locks on it. Without these locks, another program could delete the log of a running
/// server.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_migrated_file_stays_locked_against_other_programs() {
    use std::os::unix::fs::MetadataExt as _;

    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    older_version(&path, 1).await.0.close().await.unwrap();
    // This process's locks on the file; the server's own lock is on a different file. `/proc/locks` is not
    // used, because reading it can miss a lock while other processes release theirs.
    let locks = || {
        let inode = format!(":{} ", fs::metadata(&path).unwrap().ino());
        let is_lock =
            |line: &&str| line.starts_with("lock:") && line.contains(" POSIX ") && line.contains(&inode);
        let descriptors = fs::read_dir("/proc/self/fdinfo").unwrap();
        // A file may be closed in the meantime.
        let infos = descriptors.filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
        infos.map(|info| info.lines().filter(is_lock).count()).sum::<usize>()
    };
    let store = open(&path).await;
    let migrated = locks();
    store.close().await;
    assert_eq!(locks(), 0);
    let store = open(&path).await;
    assert!(locks() > 0);
    assert_eq!(migrated, locks());
    store.close().await;
}

/// An address stored by a version that did not yet confirm addresses is marked: it can still be used for
/// recovery, so that its owner is not locked out. An address set later is not marked.
#[tokio::test]
async fn unconfirmed_addresses_from_an_older_version_are_marked() {
    use adoube_store::AccountStore as _;
    use sqlx::Connection as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let (mut older, _) = older_version(&path, 4).await;
    sqlx::raw_sql(
        "INSERT INTO accounts VALUES ('AAAAAAAAAAAAAAAAAAAA', 'Anna', 'anna', 'hash', 'anna@example.org', 5);
        INSERT INTO accounts VALUES ('BBBBBBBBBBBBBBBBBBBB', 'Bela', 'bela', 'hash', NULL, 5);",
    )
    .execute(&mut older)
    .await
    .unwrap();
    older.close().await.unwrap();

    let store = open(&path).await;
    let flags = async |name: &str| {
        let account = store.lookup_account_by_name(name).await.unwrap().unwrap();
        (account.email_confirmed, account.email_from_before, account.reminders)
    };
    assert_eq!(flags("anna").await, (false, true, true));
    assert_eq!(flags("bela").await, (false, false, true));
    let bela = store.lookup_account_by_name("bela").await.unwrap().unwrap().player;
    let credentials = adoube_store::Credentials { password: "hash".into(), second_factor: false };
    assert!(store.set_email(&bela, &credentials, Some("bela@example.org")).await.unwrap());
    assert_eq!(flags("bela").await, (false, false, true));
}
