//! Copies a house between the two databases.

use std::{fmt::Write as _, fs, path::Path};

use adoube_store::{
    GameStore as _, StoreError,
    copy::{self, Copied, CopyError, Mark, Source, TABLES, Target, check_tables},
};
use adoube_store_postgres::{PostgresSource, PostgresStore, PostgresTarget};
use adoube_store_sqlite::{SqliteSource, SqliteStore, SqliteTarget};
use adoube_vocabulary::GameId;
use sqlx::{
    AssertSqlSafe, Connection as _, Row as _, TypeInfo as _, ValueRef as _,
    sqlite::{SqliteConnectOptions, SqliteConnection},
};
use tempfile::TempDir;

use crate::{database, new_game, start};

const FRESH: [u8; 16] = [7; 16];

/// Changes to a house migrated from schema 25: they add rows to every empty table, some with unusual values.
const EXTRA_ROWS: &str = "
    INSERT INTO boot VALUES (1, 'boot-id', 1700000000000);
    INSERT INTO downtimes VALUES (0, 9), (1750000000000, 1750000000001);
    INSERT INTO recoveries SELECT zeroblob(32), player, 9223372036854775807, 0 FROM accounts ORDER BY player LIMIT 1;
    UPDATE accounts SET role = 'teacher', state = 'closed', silenced_until = 9223372036854775807
        WHERE player IN (SELECT player FROM accounts ORDER BY player LIMIT 1);
    UPDATE accounts SET teacher = player, class = 'CM2 ''é' WHERE role IS NULL;
    UPDATE reports SET handled_at = 5, handled_by = '', outcome = 'upheld', note = 'l’été' WHERE line = (SELECT min(line) FROM reports);
    INSERT INTO house_invitations VALUES (x'00', 1, 2, 3, 0, NULL), (zeroblob(32), -1, 9223372036854775807, 0, 1, 'arbiter');
    INSERT INTO documents VALUES ('legal', ''), ('é', 'l’été' || char(9));
    INSERT INTO audit VALUES (1, -1, '{}', x''), (9007199254740993, 5, 'é', zeroblob(32));
    INSERT INTO identities SELECT 'https://é.example.org', 'l''été' || char(9), player FROM accounts ORDER BY player LIMIT 1;
    INSERT INTO blocks SELECT player, 'é', -1 FROM accounts ORDER BY player LIMIT 1;
    UPDATE accounts SET shown_to = 'members' WHERE role IS NULL;
    INSERT INTO push_subscriptions SELECT id, player, 'https://push.example.org/é', x'0400ff', x'', -1 FROM sessions ORDER BY id LIMIT 1;
    INSERT INTO warnings SELECT id, 9007199254740993 FROM games LIMIT 2;
    INSERT INTO second_factors SELECT player, x'00ff27', NULL FROM accounts ORDER BY player;
    UPDATE second_factors SET spent_at = 1 WHERE player = (SELECT max(player) FROM second_factors);
    INSERT INTO preferences SELECT player, 3, '{}' FROM accounts ORDER BY player LIMIT 1;
    INSERT INTO recovery_codes SELECT player, x'' FROM second_factors;
    INSERT INTO recovery_codes SELECT player, x'00' FROM second_factors;
    INSERT INTO reminders SELECT player, id FROM accounts, games WHERE phase = 'waiting';
    INSERT INTO nodes VALUES ('node', 'here:1', 1, 2, NULL);
    INSERT INTO presence SELECT id, 'white', 'node', NULL, 3, 0 FROM games LIMIT 3;
    INSERT INTO visitors SELECT player, 'node', 0, 0, 5 FROM accounts;
    INSERT INTO watchers SELECT id, 'node', 2 FROM games LIMIT 3;
    UPDATE versions SET version = 7;
    INSERT INTO proposals (id, player, body, created_at, expires_at, command, origin, signed_in, needs_maker)
        SELECT 'proposal ' || row_number() OVER (), player, '', 3, 4, randomblob(16), x'007f', 0, 1 FROM accounts LIMIT 2;
    UPDATE games SET thinking_node = 'node', thinking_version = version WHERE awaits_machine IS NOT NULL;
    UPDATE chat SET text = 'l’été, ''\"\\ %s \u{1F600}' || char(9) || char(127) WHERE id = (SELECT min(id) FROM chat);
    UPDATE reports SET said = replace(said, '\"text\":\"', '\"text\":\"é\\u0001\\\"\\\\ ');
    UPDATE analyses SET name = '', body = printf('%.*c', 400000, 'x');
    UPDATE accounts SET skeleton = NULL WHERE name IS NOT NULL;
    INSERT INTO mails (id, recipient, pool, kind, at) VALUES (9007199254740993, x'27', '', '', -1);
    INSERT INTO games (id, version, created_at, updated_at, phase, summary, variant, public)
        VALUES ('Ultima000001', 2500, 1, 2, 'over', '', 'ultima', 0);
    WITH RECURSIVE n(v) AS (VALUES (1) UNION ALL SELECT v + 1 FROM n WHERE v < 2500)
        INSERT INTO events SELECT 'Ultima000001', v, v, 'event ' || v FROM n;
    INSERT INTO seats VALUES ('b', 'Ultima000001', 'white'), ('B', 'Ultima000001', 'black');
";

async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await.unwrap()
}

/// Creates a house with rows in every table.
async fn filled_house(folder: &TempDir) -> std::path::PathBuf {
    let path = folder.path().join("house.sqlite");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store-sqlite/tests/data/schema-25.db");
    fs::copy(old, &path).unwrap();
    SqliteStore::open(&path).await.unwrap().close().await;
    execute(&path, EXTRA_ROWS).await;
    path
}

async fn execute(path: &Path, statements: &'static str) {
    let mut connection = connect(path).await;
    sqlx::raw_sql(statements).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Returns the rows of all tables that belong to the house, one row per line.
async fn dump(path: &Path) -> String {
    let mut connection = connect(path).await;
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' \
        AND name NOT IN ('_sqlx_migrations', 'copied_from', 'nodes', 'presence', 'visitors', 'watchers', 'versions') \
        ORDER BY name";
    let mut text = String::new();
    for table in sqlx::query(tables).fetch_all(&mut connection).await.unwrap() {
        let table: String = table.get(0);
        let columns = sqlx::query(AssertSqlSafe(format!(
            "SELECT name FROM pragma_table_info('{table}') WHERE name NOT LIKE 'thinking%' ORDER BY cid"
        )));
        let columns = columns.fetch_all(&mut connection).await.unwrap();
        let columns = columns.iter().map(|row| format!("\"{}\"", row.get::<&str, _>(0))).collect::<Vec<_>>();
        let order = (1..=columns.len()).map(|column| column.to_string()).collect::<Vec<_>>().join(", ");
        let select = format!("SELECT {} FROM {table} ORDER BY {order}", columns.join(", "));
        for row in sqlx::query(AssertSqlSafe(select)).fetch_all(&mut connection).await.unwrap() {
            text += &table;
            for column in 0..row.len() {
                let value = row.try_get_raw(column).unwrap();
                let kind = value.type_info().name().to_owned();
                if value.is_null() {
                    text += "|NULL";
                } else if kind == "INTEGER" {
                    write!(text, "|{}", row.get::<i64, _>(column)).unwrap();
                } else if kind == "TEXT" {
                    write!(text, "|{:?}", row.get::<&str, _>(column)).unwrap();
                } else {
                    write!(text, "|x{:?}", row.get::<&[u8], _>(column)).unwrap();
                }
            }
            text.push('\n');
        }
    }
    connection.close().await.unwrap();
    text
}

#[track_caller]
fn assert_same(one: &str, other: &str) {
    for (one, other) in one.lines().zip(other.lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(one.lines().count(), other.lines().count());
}

async fn run(
    source: Result<impl Source + 'static, CopyError>,
    target: Result<impl Target + 'static, CopyError>,
) -> Result<Copied, CopyError> {
    let (mut source, mut target) = (Box::new(source?), Box::new(target?));
    let copied = copy::copy(&mut *source, &mut *target, &mut |_| ()).await;
    source.close().await;
    target.close().await?;
    copied
}

async fn to_postgres(from: &Path, to: &str) -> Result<Copied, CopyError> {
    let source = SqliteSource::open(from, &FRESH).await;
    run(source, PostgresTarget::open(to).await).await
}

async fn to_sqlite(from: &str, to: &Path) -> Result<Copied, CopyError> {
    let source = PostgresSource::open(from, &FRESH).await;
    run(source, SqliteTarget::open(to).await).await
}

/// Accepts the events that this test invents.
struct AcceptAnyLog;
impl adoube_store_sqlite::CheckLog for AcceptAnyLog {
    fn check(&self, _: &[String]) -> Result<(), String> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_complete_house_round_trips() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    let copied = to_postgres(&house, &address).await.unwrap();
    assert_eq!((copied.games, copied.events, copied.deleted), (42, 2_697, 0));
    assert_eq!(copied.written, copied.games + copied.events + copied.rows);
    for table in TABLES {
        let count = format!("SELECT count(*) > 0 FROM {}", table.name);
        assert_eq!(server.psql(database(&address), &count).unwrap(), "t", "{} is empty", table.name);
    }
    for not_copied in [
        "nodes",
        "presence",
        "visitors",
        "watchers",
        "versions WHERE version > 0",
        "games WHERE thinking_node IS NOT NULL",
    ] {
        let count = format!("SELECT count(*) FROM {not_copied}");
        assert_eq!(server.psql(database(&address), &count).unwrap(), "0", "{not_copied}");
    }

    // A reminder that has not been sent yet.
    let due = "INSERT INTO reminders (player, game, sender) SELECT player, id, '' FROM accounts, games \
        WHERE phase = 'over' LIMIT 1";
    server.psql(database(&address), due).unwrap();

    // From database to database, and back to a file.
    let other = server.create_database().unwrap();
    let source = PostgresSource::open(&address, &FRESH).await;
    run(source, PostgresTarget::open(&other).await).await.unwrap();
    let back = folder.path().join("back.sqlite");
    to_sqlite(&other, &back).await.unwrap();
    let third = folder.path().join("third.sqlite");
    let source = SqliteSource::open(&back, &FRESH).await;
    run(source, SqliteTarget::open(&third).await).await.unwrap();
    let before = dump(&house).await;
    assert!(before.lines().count() > 3_000);
    assert_same(&before, &dump(&back).await);
    assert_same(&before, &dump(&third).await);
    // The hashes and the references in the copy are correct.
    let findings = adoube_store_sqlite::check_data(&back, &AcceptAnyLog).await.unwrap();
    assert!(findings.is_intact() && findings.unchained == 0, "{findings:?}");

    // New chat messages continue the numbering after the last one.
    let next = "INSERT INTO chat (at, command, game, room, player, text) \
        SELECT 1, gen_random_uuid(), game, room, player, '' FROM chat LIMIT 1 RETURNING id";
    assert_eq!(server.psql(database(&other), next).unwrap(), "6");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_run_writes_only_what_has_changed() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    let first = to_postgres(&house, &address).await.unwrap();
    let again = to_postgres(&house, &address).await.unwrap();
    assert_eq!(again, Copied { written: 0, deleted: 0, ..first });

    // Rows are added, changed and deleted, in ways that collide if they are written in the wrong order.
    execute(
        &house,
        "UPDATE accounts SET name_key = name_key || ' ', name = name || ' ' WHERE name IS NOT NULL;
        UPDATE accounts SET name = 'Swapped', name_key = (SELECT min(trim(name_key)) FROM accounts)
            WHERE player = (SELECT player FROM accounts WHERE name IS NOT NULL ORDER BY name_key DESC LIMIT 1);
        UPDATE seats SET color = 'x' WHERE 0;
        DELETE FROM seats WHERE game = 'Ultima000001';
        INSERT INTO seats VALUES ('b', 'Ultima000001', 'black'), ('B', 'Ultima000001', 'white');
        DELETE FROM recovery_codes WHERE code = x'';
        UPDATE proposals SET command = x'ffffffffffffffffffffffffffffffff' WHERE id = 'proposal 2';
        UPDATE second_factors SET secret = x'01';
        DELETE FROM chat WHERE id = (SELECT max(id) FROM chat);
        INSERT INTO events VALUES ('Ultima000001', 2501, 3, 'one more');
        UPDATE games SET version = 2501, chain = NULL WHERE id = 'Ultima000001'",
    )
    .await;
    let deleted_game = "(SELECT id FROM games WHERE phase = 'waiting' ORDER BY id LIMIT 1)";
    let mut connection = connect(&house).await;
    for table in ["events", "seats", "commands", "invitations", "chat", "reminders", "presence", "watchers"] {
        let statement = format!("DELETE FROM {table} WHERE game = {deleted_game}");
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    }
    let statement = format!("DELETE FROM games WHERE id = {deleted_game}");
    sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let changed = to_postgres(&house, &address).await.unwrap();
    assert_eq!((changed.games, changed.events > first.events), (41, false));
    // Only the log of the changed game and some rows are written.
    assert!((2_502..2_600).contains(&changed.written), "{changed:?}");
    assert!((1..60).contains(&changed.deleted), "{changed:?}");

    // The same in the opposite direction, after a change in the database.
    let back = folder.path().join("back.sqlite");
    to_sqlite(&address, &back).await.unwrap();
    let change = "UPDATE games SET summary = 'changed' WHERE id = 'Ultima000001'; DELETE FROM tries";
    server.psql(database(&address), change).unwrap();
    let changed = to_sqlite(&address, &back).await.unwrap();
    assert_eq!((changed.written, changed.deleted), (2_502, 9));
    let (from, to) = (folder.path().join("from.sqlite"), folder.path().join("to.sqlite"));
    to_sqlite(&address, &from).await.unwrap();
    fs::copy(&back, &to).unwrap();
    assert_same(&dump(&from).await, &dump(&to).await);
}

/// Only the comparison at the end of a copy can detect an event that was changed in the target.
#[tokio::test(flavor = "multi_thread")]
async fn a_difference_is_reported_in_one_line() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    to_postgres(&house, &address).await.unwrap();
    server
        .psql(
            database(&address),
            "UPDATE events SET body = 'forged' WHERE game = 'Ultima000001' AND version = 7",
        )
        .unwrap();
    let error = to_postgres(&house, &address).await.unwrap_err();
    let reason = PostgresSource::open(&address, &FRESH).await.err().map(|error| error.to_string()).unwrap();
    assert!(reason.contains("is an unfinished copy of"), "{reason}");
    let message = error.to_string();
    assert!(message.contains("house.sqlite and postgres://postgres@127.0.0.1"), "{message}");
    assert!(
        message.ends_with("differ: the logs of 1 game (Ultima000001)") && !message.contains('\n'),
        "{message}"
    );

    // Damage in the source is reported as damage in the source.
    let damage = "UPDATE events SET body = 'forged' WHERE game = 'Ultima000001' AND version = 7";
    execute(&house, damage).await;
    let message = to_postgres(&house, &address).await.unwrap_err().to_string();
    assert!(
        message.contains("differ: the logs of 1 game (Ultima000001) in ")
            && message.ends_with("house.sqlite did not match their hashes even before the copy"),
        "{message}"
    );

    // So is a game that has lost its whole log.
    execute(&house, "DELETE FROM events WHERE game = 'Ultima000001'").await;
    let message = to_postgres(&house, &address).await.unwrap_err().to_string();
    assert!(
        message.contains("the logs of 1 game (Ultima000001) in ")
            && message.ends_with("did not match their hashes even before the copy"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_with_other_data_is_refused() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    let refused = async |to: &str| {
        let error = to_postgres(&house, to).await.unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        let message = format!("{error}: {source}");
        assert!(!message.contains('\n'), "{message}");
        message
    };

    // A house that a server has already started to use.
    let store = PostgresStore::open(&address).await.unwrap();
    store.secret("cookie-key", b"key").await.unwrap();
    store.add_game(new_game(1)).await.unwrap();
    store.close().await;
    let message = refused(&address).await;
    assert!(
        message.contains("already holds a house, with rows in table games: choose an empty target"),
        "{message}"
    );
    // The rows that every server writes at startup do not count as a house.
    let started = server.create_database().unwrap();
    let store = PostgresStore::open(&started).await.unwrap();
    store.secret("cookie-key", b"key").await.unwrap();
    store.close().await;
    to_postgres(&house, &started).await.unwrap();
    // Once a server has opened the copy, it is an independent house.
    PostgresStore::open(&started).await.unwrap().close().await;
    assert!(refused(&started).await.contains("already holds a house"));

    // A copy of another house.
    let other = server.create_database().unwrap();
    let another = folder.path().join("another.sqlite");
    SqliteStore::open(&another).await.unwrap().close().await;
    let source = SqliteSource::open(&another, &[8; 16]).await;
    run(source, PostgresTarget::open(&other).await).await.unwrap();
    let message = refused(&other).await;
    assert!(
        message.contains("holds a copy of another house, ") && message.contains("another.sqlite"),
        "{message}"
    );

    // Another program's tables, and a schema from a newer version.
    let foreign = server.create_database().unwrap();
    server.psql(database(&foreign), "CREATE TABLE bookmarks (address text)").unwrap();
    assert!(refused(&foreign).await.contains("belongs to another program: it has a table called bookmarks"));
    let newer = server.create_database().unwrap();
    to_postgres(&house, &newer).await.unwrap();
    server.psql(database(&newer), "INSERT INTO adoube_schema VALUES (7777, 1, '')").unwrap();
    assert!(refused(&newer).await.contains("it has schema 7777, but this version knows"));
    let message = to_sqlite(&newer, &folder.path().join("x.sqlite")).await.unwrap_err().to_string();
    assert!(message.contains("it has schema 7777"), "{message}");

    // A second copy at the same time.
    let busy = server.create_database().unwrap();
    let _held = PostgresTarget::open(&busy).await.unwrap();
    assert!(refused(&busy).await.contains("another process is already copying to"));
}

#[tokio::test(flavor = "multi_thread")]
async fn data_that_is_being_served_is_refused() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    let served = SqliteStore::open(&house).await.unwrap();
    let message = to_postgres(&house, &address).await.unwrap_err().to_string();
    assert!(
        message.contains("house.sqlite is being served by process ")
            && message.ends_with(": stop that first"),
        "{message}"
    );
    served.close().await;
    to_postgres(&house, &address).await.unwrap();

    let lease = "INSERT INTO nodes VALUES ('n', 'chess-2:8787', 1, extract(epoch FROM now()) * 1000 + 60000)";
    server.psql(database(&address), lease).unwrap();
    for message in [
        to_postgres(&house, &address).await.unwrap_err().to_string(),
        to_sqlite(&address, &folder.path().join("x.sqlite")).await.unwrap_err().to_string(),
    ] {
        assert!(message.contains(" is being served by chess-2:8787: stop that first"), "{message}");
    }
    // A server that starts while its data is being read, and one that both starts and stops.
    let starts = "INSERT INTO nodes VALUES ('n', 'chess-2:8787', extract(epoch FROM now()) * 1000, 0)";
    for (served, file) in [(starts, "y.sqlite"), ("UPDATE heartbeat SET at = at + 1", "z.sqlite")] {
        server.psql(database(&address), "DELETE FROM nodes").unwrap();
        let mut source = PostgresSource::open(&address, &FRESH).await.unwrap();
        let mut target = SqliteTarget::open(&folder.path().join(file)).await.unwrap();
        server.psql(database(&address), served).unwrap();
        let message = copy::copy(&mut source, &mut target, &mut |_| ()).await.unwrap_err().to_string();
        assert!(
            message
                .contains("was served while it was being copied: stop all servers and run the command again"),
            "{message}"
        );
    }
    // The copy is not mistaken for a house.
    let error = SqliteStore::open(&folder.path().join("y.sqlite")).await.unwrap_err();
    assert!(
        matches!(&error, StoreError::Open { source, .. } if source.to_string().contains("unfinished copy of"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_copy_is_not_served_and_a_finished_one_is() {
    let Some((server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    let mut target = PostgresTarget::open(&address).await.unwrap();
    let mark = |is_finished| Mark { house: FRESH.to_vec(), source_location: "the club".into(), is_finished };
    target.set_mark(&mark(false)).await.unwrap();
    let error = PostgresStore::open(&address).await.unwrap_err();
    let message = std::error::Error::source(&error).unwrap().to_string();
    assert!(
        message.ends_with("is an unfinished copy of the club: finish it with adoube copy first"),
        "{message}"
    );
    drop(target);
    to_postgres(&house, &address).await.unwrap();
    let store = PostgresStore::open(&address).await.unwrap();
    let ultima: GameId = "Ultima000001".parse().unwrap();
    assert_eq!(store.list_events(&ultima, adoube_vocabulary::Version(0)).await.unwrap().len(), 2_500);
    assert_eq!(server.psql(database(&address), "SELECT count(*) FROM copied_from").unwrap(), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_postgresql_cannot_store_is_reported() {
    let Some((_server, address)) = start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = filled_house(&folder).await;
    execute(&house, "UPDATE matches SET body = 'a' || char(0) WHERE id = (SELECT min(id) FROM matches)")
        .await;
    let message = to_postgres(&house, &address).await.unwrap_err().to_string();
    assert!(
        message.contains(
            " of table matches cannot be copied: body: PostgreSQL cannot store text with the character U+0000"
        ),
        "{message}"
    );
}

/// A new table or column must be listed as copied or as not copied.
#[tokio::test(flavor = "multi_thread")]
async fn every_column_of_both_databases_is_copied_or_listed_as_not_copied() {
    let Some((server, address)) = start() else { return };
    PostgresStore::open(&address).await.unwrap().close().await;
    let columns = "SELECT table_name || '.' || column_name FROM information_schema.columns \
        WHERE table_schema = 'public' AND table_name !~ '^(events|commands)_[0-9]+$'";
    let columns = server.psql(database(&address), columns).unwrap();
    check_tables(&columns.lines().map(ToOwned::to_owned).collect::<Vec<_>>()).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("house.sqlite");
    SqliteStore::open(&path).await.unwrap().close().await;
    let columns = sqlx::query(
        "SELECT tables.name || '.' || columns.name FROM sqlite_schema AS tables \
         JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'",
    );
    let columns = columns.fetch_all(&mut connect(&path).await).await.unwrap();
    check_tables(&columns.iter().map(|row| row.get(0)).collect::<Vec<_>>()).unwrap();
}
