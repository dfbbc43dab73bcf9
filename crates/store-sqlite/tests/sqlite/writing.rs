//! Writes, and the bytes that they leave in the file.

use adoube_store::{
    AccountChange, AdminChange, AdminStore as _, Administered, Ages, NameRetirement, NewAuditEntry,
};
use sqlx::{
    Connection as _, Row as _,
    sqlite::{SqliteConnectOptions, SqliteConnection},
};

use super::*;

/// All acknowledged events survive if the process exits without closing anything.
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
    // Copy the files as a kill would leave them, with a write-ahead log that has not been checkpointed.
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        if !entry.file_name().to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
    }
    assert!(copy.path().join("data.sqlite-wal").metadata().unwrap().len() > 0);
    let store = open(&copy.path().join("data.sqlite")).await;
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
    let written = || store.write_counts().unwrap().changes;
    let written_before = written();
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
    // Each change is counted once, and only if it was committed.
    assert_eq!(written() - written_before, 30);
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

/// Writes to a file that has been replaced or removed would be lost when the process ends.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_store_stops_with_an_error_when_its_file_is_replaced_or_removed() {
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
    assert!(matches!(store.wait_for_failure().await, StoreError::Broken(_)));
    assert!(matches!(store.append(append(1, 2)).await, Err(StoreError::Broken(_))));
}

#[tokio::test]
async fn an_invalid_value_is_reported_with_its_table_and_column() {
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

/// A full file refuses writes, keeps acknowledged data and can be read.
#[tokio::test(flavor = "multi_thread")]
async fn r9_a_full_file_can_still_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = SqliteStore::open_with_max_pages(&path, Some(80)).await.unwrap();
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
        assert!(version < 1_000, "the file did not become full");
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    let log = store.list_events(&GameId::from_random(1), Version(0)).await.unwrap();
    assert_eq!(log.last().unwrap().version, Version(version));
    store.check().await.unwrap();
    store.close().await;
    // Once there is space again, writing resumes.
    let store = open(&path).await;
    assert_eq!(store.append(append(1, version)).await.unwrap(), Appended::Done(Version(version + 1)));
}

/// Returns an account with long, searchable values.
fn long_account(number: u128) -> adoube_store::NewAccount {
    adoube_store::NewAccount {
        player: PlayerId::from_random(number),
        name: format!("Nebukadnezar{number}"),
        skeleton: adoube_store::NameSkeleton {
            skeleton: format!("nebukadnezar{number}"),
            alternatives: Vec::new(),
            retired: Vec::new(),
        },
        password: format!("argon-hash-of-{number}-{}", "x".repeat(3_000)),
        identity: None,
        email: Some(format!("babylon{number}@example.org")),
        language: "fr".into(),
        created_at: Millis(9),
        admission: adoube_store::Admission::Open,
    }
}

/// Waits until a condition holds. Returns `false` if it does not within twenty seconds.
async fn becomes_true(holds: impl Fn() -> bool) -> bool {
    let waiting = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), waiting).await.is_ok()
}

/// Deleted data disappears from the data file and the write-ahead log a second or two later, when a
/// checkpoint truncates the log.
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
        store.add_account(long_account(number)).await.unwrap();
    }
    let session = NewSession {
        token: adoube_store::TokenHash([0x5a; 32]),
        id: adoube_vocabulary::SessionId::from_random(1),
        player: player.clone(),
        credentials: adoube_store::Credentials { password: long_account(7).password, second_factor: true },
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
    let removed: [&[u8]; 10] = [
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
    assert!(removed.iter().all(|text| holds(text)), "the data is not in the files before the deletion");
    store.delete_account(&player, &NameRetirement::default()).await.unwrap();
    assert!(
        becomes_true(|| !removed.iter().any(|text| holds(text))).await,
        "still in the files: {:?}",
        removed.map(|text| (String::from_utf8_lossy(text).into_owned(), holds(text)))
    );
    assert!(holds(b"Nebukadnezar8") && holds(b"argon-hash-of-8"), "the data of other accounts is gone");

    // A report belongs to the house, so it remains when the account of the message's author is deleted.
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
        panic!("the message was not added")
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
    // A deletion by an administrator also removes the password from the files.
    let change = AccountChange::Delete(NameRetirement::default());
    let change = AdminChange::Account { player: PlayerId::from_random(8), change };
    let entry = NewAuditEntry { at: Millis(12), body: "{}".into() };
    assert!(matches!(store.administer(change, entry).await.unwrap(), Administered::Done { .. }));
    assert!(becomes_true(|| !holds(b"argon-hash-of-8")).await, "still in the files");
    let [kept] = &*store.list_reports(9).await.unwrap() else { panic!("the report is gone") };
    assert_eq!((kept.name.as_deref(), &*kept.messages[0].text), (Some("Nebukadnezar8"), "reported of eight"));
}

/// Receipts have no index by game, so all receipts are searched for those of deleted games.
#[tokio::test(flavor = "multi_thread")]
async fn only_receipts_of_deleted_games_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    // The first game is old enough to be deleted.
    for (game, updated_at) in [(1, 1), (2, 1_000)] {
        store.add_game(new_game(game)).await.unwrap();
        let read_model = ReadModel { phase: Phase::Over, ..read_model() };
        let event = NewEvent { at: Millis(updated_at), body: "over".into() };
        store.append(Append { events: vec![event], read_model, ..append(game, 1) }).await.unwrap();
    }
    store.close().await;
    // Receipts of the two games alternate. One player has many of them; many other players have one each.
    let add = "WITH RECURSIVE n(v) AS (VALUES (0) UNION ALL SELECT v + 1 FROM n WHERE v < 8998)
        INSERT INTO commands SELECT CASE WHEN v < 6000 THEN 'machine' ELSE 'player ' || v END, randomblob(16),
            (SELECT id FROM games WHERE (updated_at = 1) = (v % 2 = 0)), 'done' FROM n";
    let mut connection = connect(&path).await;
    sqlx::raw_sql(add).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();

    let store = open(&path).await;
    let ages = Ages { anonymous_games: Some(Millis(500)), ..Ages::default() };
    assert_eq!(store.tidy(&ages, 50, false).await.unwrap().anonymous_games, 1);
    store.close().await;
    let mut connection = connect(&path).await;
    let count = "SELECT game, count(*) FROM commands GROUP BY game";
    let left: Vec<(String, i64)> = sqlx::query_as(count).fetch_all(&mut connection).await.unwrap();
    // Every other one of the 8,999 receipts, plus the receipt for the creation of the game.
    assert_eq!(left, [(GameId::from_random(2).to_string(), 4_499 + 1)]);
    // The search for the end of a batch uses the key, even if one player has many receipts.
    let plan = "EXPLAIN QUERY PLAN SELECT player, id FROM commands \
        WHERE (player, id) > ('machine', x'70') ORDER BY player, id LIMIT 1 OFFSET 1999";
    let plan: String = sqlx::query(plan).fetch_one(&mut connection).await.unwrap().get("detail");
    assert_eq!(plan, "SEARCH commands USING PRIMARY KEY ((player,id)>(?,?))");
}

/// A process may end after it has deleted games and before it has deleted their receipts.
#[tokio::test(flavor = "multi_thread")]
async fn receipts_left_by_the_last_process_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = open(&path).await;
    store.add_game(new_game(1)).await.unwrap();
    store.close().await;
    let mut connection = connect(&path).await;
    let add = "INSERT INTO commands VALUES ('player', randomblob(16), 'a deleted game', 'done')";
    sqlx::raw_sql(add).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();

    let store = open(&path).await;
    store.tidy(&Ages::default(), 50, false).await.unwrap();
    store.close().await;
    let mut connection = connect(&path).await;
    let left: Vec<String> =
        sqlx::query_scalar("SELECT game FROM commands").fetch_all(&mut connection).await.unwrap();
    assert_eq!(left, [GameId::from_random(1).to_string()]);
}

async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await.unwrap()
}
