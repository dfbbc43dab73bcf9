//! PostgreSQL is killed while turns are being played.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use adoube_store::{Append, Appended, Created, GameStore as _, StoreError};
use adoube_store_postgres::PostgresStore;
use adoube_vocabulary::Version;

use crate::{append, command, new_game, open_with_short_timeouts, start};

const GAMES: u128 = 24;
const KILLS: usize = 5;

/// Plays a game alternately on two nodes until `stop` is set, and repeats each turn until it is acknowledged.
/// Returns the number of turns, and how many of them were already stored when they were repeated.
async fn play(
    stores: [Arc<PostgresStore>; 2],
    game: u128,
    stop: Arc<AtomicBool>,
    played: Arc<AtomicUsize>,
) -> (u64, usize) {
    while !matches!(stores[0].add_game(new_game(game)).await, Ok(Created::Done | Created::Repeated(_))) {}
    let (mut version, mut already_stored) = (1, 0);
    while !stop.load(Ordering::Relaxed) {
        let turn =
            Append { command: Some(command(game, 100 + u128::from(version))), ..append(game, version) };
        for attempt in version.. {
            match stores[attempt as usize % 2].append(turn.clone()).await {
                Ok(Appended::Done(new_version)) => {
                    assert_eq!(new_version, Version(version + 1));
                    break;
                }
                Ok(Appended::Repeated(answer)) => {
                    assert_eq!(answer, format!("answer {}", 100 + version));
                    already_stored += 1;
                    break;
                }
                Ok(other) => panic!("game {game} at {version}: {other:?}"),
                Err(StoreError::Unreachable { .. }) => tokio::time::sleep(Duration::from_millis(20)).await,
                Err(other) => panic!("game {game} at {version}: {other:?}"),
            }
        }
        version += 1;
        played.fetch_add(1, Ordering::Relaxed);
    }
    (version - 1, already_stored)
}

#[tokio::test(flavor = "multi_thread")]
async fn r5_acknowledged_turns_survive_kills_and_none_is_duplicated() {
    let Some((server, address)) = start() else { return };
    let stores = [open_with_short_timeouts(&address).await, open_with_short_timeouts(&address).await];
    let (stop, played) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let players = (0..GAMES)
        .map(|game| tokio::spawn(play(stores.clone(), game, Arc::clone(&stop), Arc::clone(&played))));
    let players = players.collect::<Vec<_>>();
    for _ in 0..KILLS {
        let before = played.load(Ordering::Relaxed);
        while played.load(Ordering::Relaxed) < before + 300 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.stop().unwrap();
        server.restart().unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    let (mut turns, mut already_stored) = (0, 0);
    for (game, player) in (0..GAMES).zip(players) {
        let (acknowledged, of_one_game) = player.await.unwrap();
        let log = stores[1].list_events(&new_game(game).id, Version(0)).await.unwrap();
        let bodies = log.into_iter().map(|event| event.body).collect::<Vec<_>>();
        let expected = (1..=acknowledged).map(|version| format!("turn {version}"));
        assert_eq!(
            bodies,
            std::iter::once("created".into()).chain(expected).collect::<Vec<_>>(),
            "game {game}"
        );
        turns += acknowledged;
        already_stored += of_one_game;
    }
    println!(
        "{turns} turns, {KILLS} kills; {already_stored} turns were already stored when they were repeated"
    );
}
