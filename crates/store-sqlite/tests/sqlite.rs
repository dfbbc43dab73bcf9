//! The shared story on `SQLite`, and what is peculiar to a file.

use std::{fs, path::Path, sync::Arc};

use adoube_protocol::{Color, CommandId, GameId, Millis, PlayerId, Version};
use adoube_store::{
    Append, Appended, Command, Created, NewEvent, NewGame, Phase, Seat, Shadow, Store as _, StoreError,
};
use adoube_store_sqlite::SqliteStore;

async fn open(path: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(path).await.unwrap())
}

fn new_game(number: u128) -> NewGame {
    NewGame {
        id: GameId::from_random(number),
        created_at: Millis(1),
        events: vec![NewEvent { at: Millis(1), body: "created".into() }],
        seats: vec![Seat { color: Color::White, player: PlayerId::from_random(number) }],
        invitation: None,
        shadow: Shadow { phase: Phase::Playing, awaits_machine: None, summary: String::new() },
        command: Command {
            player: PlayerId::from_random(number),
            id: CommandId("00000000-0000-4000-8000-000000000001".parse().unwrap()),
            answer: "created".into(),
        },
    }
}

fn append(game: u128, based_on: u64) -> Append {
    Append {
        game: GameId::from_random(game),
        based_on: Version(based_on),
        events: vec![NewEvent { at: Millis(2), body: format!("turn {based_on}") }],
        seats: Vec::new(),
        shadow: Shadow { phase: Phase::Playing, awaits_machine: None, summary: String::new() },
        command: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tells_the_story() {
    let folder = tempfile::tempdir().unwrap();
    adoube_store::story(open(&folder.path().join("data.sqlite")).await).await;
}

/// The process ends without closing anything: all that was acknowledged is found again.
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
    // What a kill leaves: the files as they are now, the write-ahead log not yet folded in.
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

/// Many changes share a transaction; one that fails must not take its neighbours with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_fails_does_no_harm_to_its_neighbours() {
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
async fn a_closed_store_says_so_and_can_be_opened_again() {
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

/// Two processes on one file: the version decides, whoever comes first.
#[tokio::test(flavor = "multi_thread")]
async fn two_stores_on_one_file_agree() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let (one, two) = (open(&path).await, open(&path).await);
    one.add_game(new_game(1)).await.unwrap();
    assert_eq!(two.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
    assert_eq!(one.append(append(1, 1)).await.unwrap(), Appended::Conflict(Version(2)));
    let key = one.secret("key", b"one").await.unwrap();
    assert_eq!(two.secret("key", b"two").await.unwrap(), key);
}

#[tokio::test]
async fn what_is_no_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "this is no database, and long enough to be read as the head of one ".repeat(20))
        .unwrap();
    let error = SqliteStore::open(&path).await.unwrap_err();
    assert!(error.to_string().contains("notes.txt"), "{error}");
    let error = SqliteStore::open(&folder.path().join("nowhere/data.sqlite")).await.unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[tokio::test]
async fn a_row_that_makes_no_sense_is_told_from_a_lost_connection() {
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
        matches!(&error, StoreError::Nonsense { table: "games", what: "phase", found } if found == "lost in thought")
    );
}
