//! Server and connection faults, one at a time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use adoube_store::{
    AccountStore as _, Append, Appended, Created, GameStore as _, NewEvent, ProposalLimits,
    ProposalStore as _, Seat, StoreError, chain,
};
use adoube_store_postgres::PostgresStore;
use adoube_vocabulary::{Color, Millis, PlayerId, Version};

use crate::{append, command, database, new_game, open, open_with_short_timeouts, proxy::Proxy, start};

/// Many changes share a transaction; one that fails must not make the others fail.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_change_does_not_affect_others_in_its_group() {
    let Some((_server, address)) = start() else { return };
    let store = open(&address).await;
    for game in 0..40 {
        store.add_game(new_game(game)).await.unwrap();
    }
    let changes = (0..40u128).map(|game| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut change = append(game, 1);
            match game % 8 {
                // White's seat is taken.
                0 => change.seats.push(Seat { color: Color::White, player: PlayerId::from_random(1000) }),
                // PostgreSQL cannot store this character in text.
                4 => change.events[0].body.push('\0'),
                _ => {}
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

/// Creates insert triggers that raise a given error code, end the session, or sleep.
const FAULTY: &str = "\
    CREATE TABLE fault (code text, times bigint); INSERT INTO fault VALUES (NULL, 0); CREATE SEQUENCE raised; \
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ \
    DECLARE fault fault; BEGIN SELECT * INTO fault FROM fault; \
        IF fault.code = 'terminate' AND nextval('raised') <= fault.times THEN PERFORM pg_terminate_backend(pg_backend_pid()); \
        ELSIF fault.code = 'sleep' THEN PERFORM pg_sleep(60); \
        ELSIF fault.code IS NOT NULL AND nextval('raised') <= fault.times THEN RAISE EXCEPTION 'a fault' USING ERRCODE = fault.code; \
        END IF; RETURN NEW; END $$; \
    CREATE TRIGGER fail BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail(); \
    CREATE TRIGGER fail BEFORE INSERT ON proposals FOR EACH ROW EXECUTE FUNCTION fail()";

#[tokio::test(flavor = "multi_thread")]
async fn server_faults_are_distinguished() {
    let Some((server, address)) = start() else { return };
    let store = open_with_short_timeouts(&address).await;
    let fault = |code: &str, times: u32| {
        let set = format!(
            "UPDATE fault SET code = NULLIF('{code}', ''), times = {times}; ALTER SEQUENCE raised RESTART"
        );
        server.psql(database(&address), &set).unwrap();
    };
    server.psql(database(&address), FAULTY).unwrap();
    for game in 0..4 {
        store.add_game(new_game(game)).await.unwrap();
    }
    // For each fault: the number of occurrences (ignored for `sleep`), and the expected outcome.
    let faults = [
        ("53100", 1_000, "full"),
        ("40001", 1, "done"),
        ("40P01", 2, "done"),
        ("40001", 1_000, "again"),
        ("25006", 1_000, "again"),
        ("XX000", 1_000, "again"),
        ("57P03", 1_000, "again"),
        ("terminate", 1, "done"),
        ("terminate", 1_000, "again"),
        ("sleep", 1, "again"),
        ("P0001", 1_000, "mistake"),
    ];
    for (version, (code, times, error)) in (1..).zip(faults) {
        fault(code, times);
        let started = Instant::now();
        let appends = (0..4).map(|game| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.append(append(game, version)).await })
        });
        for appended in appends.collect::<Vec<_>>() {
            let got = match appended.await.unwrap() {
                Ok(Appended::Done(_)) => "done",
                Err(StoreError::Full { .. }) => "full",
                Err(StoreError::Unreachable { .. }) => "again",
                Err(StoreError::Statement { .. }) => "mistake",
                other => panic!("{code}: {other:?}"),
            };
            assert_eq!(got, error, "{code}");
        }
        assert!(started.elapsed() < Duration::from_secs(15), "{code}: {:?}", started.elapsed());
        fault("", 0);
        if error != "done" {
            // Nothing was written, and play can continue.
            for game in 0..4 {
                assert_eq!(
                    store.append(append(game, version)).await.unwrap(),
                    Appended::Done(Version(version + 1))
                );
            }
        }
    }
    // The same for other changes.
    let proposal = adoube_store::Proposal {
        id: "one".into(),
        from: PlayerId::from_random(1),
        to: None,
        command: None,
        body: String::new(),
        created_at: Millis(1),
        expires_at: Millis(9),
        signed_in: true,
        needs_maker: false,
        origin: None,
    };
    let limits = ProposalLimits {
        per_player: 1,
        per_origin: 1,
        per_recipient_and_origin: 1,
        per_recipient: 1,
        per_kind: 1,
    };
    fault("53100", 1_000);
    assert!(matches!(store.add_proposal(proposal.clone(), &limits).await, Err(StoreError::Full { .. })));
    fault("terminate", 1_000);
    assert!(matches!(
        store.add_proposal(proposal.clone(), &limits).await,
        Err(StoreError::Unreachable { .. })
    ));
    fault("", 0);
    store.add_proposal(proposal, &limits).await.unwrap();
}

/// A turn is committed, but its confirmation is lost once. The store detects this on its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_whose_confirmation_was_lost_is_not_written_again() {
    let Some((server, address)) = start() else { return };
    let proxy = Proxy::to(&server).await;
    let store = open(&proxy.address(database(&address))).await;
    store.add_game(new_game(1)).await.unwrap();
    // With and without a command.
    let turns = [Append { command: Some(command(1, 2)), ..append(1, 1) }, append(1, 2)];
    let expected = [Appended::Repeated("answer 2".into()), Appended::Conflict(Version(3))];
    for (turn, expected) in turns.into_iter().zip(expected) {
        proxy.cut_next_commit();
        assert_eq!(store.append(turn).await.unwrap(), expected);
    }
    assert_eq!(store.list_events(&new_game(1).id, Version(0)).await.unwrap().len(), 3);
}

/// A commit succeeds but its confirmation is lost. The command is not acknowledged, but repeating it finds
/// the commit.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_command_finds_an_unconfirmed_commit() {
    let Some((server, address)) = start() else { return };
    let proxy = Proxy::to(&server).await;
    let store = open_with_short_timeouts(&proxy.address(database(&address))).await;
    store.add_game(new_game(1)).await.unwrap();
    let turn = Append { command: Some(command(1, 2)), ..append(1, 1) };
    proxy.cut_all_commits();
    let error = store.append(turn.clone()).await.unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    let error = store.add_game(new_game(2)).await.unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    let account = crate::equivalence::account(1);
    let error = store.add_account(account.clone()).await.unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");

    proxy.stop_cutting();
    assert_eq!(store.append(turn).await.unwrap(), Appended::Repeated("answer 2".into()));
    assert_eq!(store.add_game(new_game(2)).await.unwrap(), Created::Repeated("answer 1".into()));
    assert_eq!(store.add_account(account).await.unwrap(), adoube_store::Registered::PlayerTaken);
    assert_eq!(store.list_events(&new_game(1).id, Version(0)).await.unwrap().len(), 2);
}

/// Another node is suspended inside a transaction.
#[tokio::test(flavor = "multi_thread")]
async fn a_locked_game_does_not_delay_others() {
    use sqlx::Connection as _;

    let Some((_server, address)) = start() else { return };
    let store = open(&address).await;
    for game in 0..20 {
        store.add_game(new_game(game)).await.unwrap();
    }
    let mut other = sqlx::PgConnection::connect(&address).await.unwrap();
    let mut transaction = other.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM games WHERE id = $1 FOR NO KEY UPDATE")
        .bind(new_game(0).id.as_str())
        .execute(&mut *transaction)
        .await
        .unwrap();
    let waiting = {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.append(append(0, 1)).await })
    };
    // The turns of the other games take less time than the lock timeout.
    let others = async {
        for version in 1..3 {
            let appends = (1..20).map(|game| {
                let store = Arc::clone(&store);
                tokio::spawn(async move { store.append(append(game, version)).await })
            });
            for appended in appends.collect::<Vec<_>>() {
                assert_eq!(appended.await.unwrap().unwrap(), Appended::Done(Version(version + 1)));
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(2), others).await.unwrap();
    assert!(!waiting.is_finished());
    transaction.rollback().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap(), Appended::Done(Version(2)));
}

/// An append waits for a locked game. In the meantime, another node commits the version on which the append
/// is based. The append's snapshot contains the game's old row, but the append must change the new row.
#[tokio::test(flavor = "multi_thread")]
async fn an_append_that_waited_for_another_changes_the_newest_row() {
    use sqlx::Connection as _;

    let Some((server, address)) = start() else { return };
    let store = open(&address).await;
    let other = open(&address).await;
    store.add_game(new_game(1)).await.unwrap();
    let end = NewEvent { at: Millis(3), body: "the end, é".into() };
    let mut last = append(1, 2);
    last.events.push(end.clone());
    last.command = Some(command(1, 7));
    let mut holder = sqlx::PgConnection::connect(&address).await.unwrap();
    let mut transaction = holder.begin().await.unwrap();
    sqlx::query("UPDATE games SET updated_at = updated_at WHERE id = $1")
        .bind(new_game(1).id.as_str())
        .execute(&mut *transaction)
        .await
        .unwrap();
    let start_append = |store: &Arc<PostgresStore>, change: &Append| {
        let (store, change) = (Arc::clone(store), change.clone());
        tokio::spawn(async move { store.append(change).await })
    };
    let until_waiting = async |count: usize| {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        while server.psql(database(&address), waiting).unwrap() != count.to_string() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    // One after the other: the first in the queue gets the lock first.
    let first = start_append(&store, &append(1, 1));
    until_waiting(1).await;
    let second = start_append(&other, &last);
    until_waiting(2).await;
    transaction.rollback().await.unwrap();
    assert_eq!(first.await.unwrap().unwrap(), Appended::Done(Version(2)));
    assert_eq!(second.await.unwrap().unwrap(), Appended::Done(Version(4)));
    let log = store.list_events(&new_game(1).id, Version(0)).await.unwrap();
    let bodies = log.iter().map(|event| event.body.as_str()).collect::<Vec<_>>();
    assert_eq!(bodies, ["created", "turn 1", "turn 2", "the end, é"]);
    assert_eq!(store.lookup_game(&new_game(1).id).await.unwrap().unwrap().version, Version(4));
    let mut head = chain::begin(new_game(1).id.as_str());
    for event in &log {
        head = chain::extend(&head, event.version.0 as i64, event.at.0, &event.body);
    }
    let stored = server.psql(database(&address), "SELECT encode(chain, 'hex') FROM games").unwrap();
    assert_eq!(stored, head.map(|byte| format!("{byte:02x}")).concat());
}

/// While the database cannot be reached, every turn is refused quickly; afterwards the store recovers by
/// itself.
#[tokio::test(flavor = "multi_thread")]
async fn turns_are_refused_quickly_while_the_database_is_unreachable() {
    let Some((server, address)) = start() else { return };
    let store = open_with_short_timeouts(&address).await;
    for game in 0..8 {
        store.add_game(new_game(game)).await.unwrap();
    }
    let try_all = async |bound: Duration| {
        let started = Instant::now();
        // More turns than the queue holds.
        let appends = (0..3_000).map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.append(append(number % 8, 1)).await })
        });
        for appended in appends.collect::<Vec<_>>() {
            let error = appended.await.unwrap().unwrap_err();
            assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
        }
        assert!(matches!(store.lookup_game(&new_game(1).id).await, Err(StoreError::Unreachable { .. })));
        assert!(matches!(store.check().await, Err(StoreError::Unreachable { .. })));
        assert!(started.elapsed() < bound, "{:?}", started.elapsed());
    };
    let mut version = 1;
    let mut check_recovery = async |bound: Duration| {
        let started = Instant::now();
        while store.check().await.is_err() {
            assert!(started.elapsed() < bound, "{:?}", started.elapsed());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for game in 0..8 {
            // A turn written just before the stall was not acknowledged, but may have been stored.
            let found = store.lookup_game(&new_game(game).id).await.unwrap().unwrap().version;
            assert!(found == Version(version) || found == Version(version + 1), "{found:?}");
            if found == Version(version) {
                assert_eq!(
                    store.append(append(game, version)).await.unwrap(),
                    Appended::Done(Version(version + 1))
                );
            }
        }
        version += 1;
    };
    server.pause().unwrap();
    try_all(Duration::from_secs(20)).await;
    server.resume().unwrap();
    check_recovery(Duration::from_secs(15)).await;
    server.stop().unwrap();
    try_all(Duration::from_secs(20)).await;
    server.restart().unwrap();
    check_recovery(Duration::from_secs(15)).await;
}

/// After a failover in which the server behind the address became a standby, turns are refused until the
/// address points to the primary.
#[tokio::test(flavor = "multi_thread")]
async fn a_standby_is_not_written_to() {
    let Some((server, address)) = start() else { return };
    let store = open_with_short_timeouts(&address).await;
    store.add_game(new_game(1)).await.unwrap();
    let signal = server.folder().join("data/standby.signal");
    server.stop().unwrap();
    std::fs::write(&signal, "").unwrap();
    server.restart().unwrap();
    assert!(matches!(store.append(append(1, 1)).await, Err(StoreError::Unreachable { .. })));
    let error = adoube_store_postgres::PostgresStore::open(&address).await.unwrap_err();
    let error = std::error::Error::source(&error).unwrap().to_string();
    assert!(
        error.contains("is a standby, which cannot be written to; use the address of the primary"),
        "{error}"
    );
    server.stop().unwrap();
    std::fs::remove_file(signal).unwrap();
    server.restart().unwrap();
    assert_eq!(store.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_stops_when_its_database_is_replaced() {
    let Some((server, address)) = start() else { return };
    let store = open(&address).await;
    store.add_game(new_game(1)).await.unwrap();
    store.check().await.unwrap();
    server.psql(database(&address), "UPDATE house SET id = gen_random_uuid()").unwrap();
    let error = store.check().await.unwrap_err();
    assert!(error.to_string().contains("replaced"), "{error}");
    assert!(matches!(store.wait_for_failure().await, StoreError::Broken(_)));
    assert!(matches!(store.append(append(1, 1)).await, Err(StoreError::Broken(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_store_returns_an_error() {
    let Some((_server, address)) = start() else { return };
    let store = open(&address).await;
    store.add_game(new_game(1)).await.unwrap();
    store.close().await;
    assert!(matches!(store.append(append(1, 1)).await, Err(StoreError::Closed)));
    assert!(matches!(store.check().await, Err(StoreError::Closed)));
    assert!(matches!(store.lookup_game(&new_game(1).id).await, Err(StoreError::Closed)));
    assert_eq!(open(&address).await.append(append(1, 1)).await.unwrap(), Appended::Done(Version(2)));
}
