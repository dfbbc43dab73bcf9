//! Houses whose data is in PostgreSQL: one is copied from SQLite and back, the other is served by two nodes.

use std::{path::Path, sync::Arc};

use adoube_bus::Bus;
use adoube_rules::{AnyPosition, Position as _, Variant, coordinate};
use adoube_server::{Clock as _, Config, SystemClock};
use adoube_store::{
    Store,
    copy::{self, Source, Target},
};
use adoube_store_postgres::{PostgresSource, PostgresStore, PostgresTarget};
use adoube_store_sqlite::{SqliteSource, SqliteStore, SqliteTarget};
use adoube_test_services::{Durability, Postgres, or_skip};
use serde_json::json;

use crate::{
    house::{FirstTurnOpponent, House, Visitor, begin, command, eventually, times},
    servers::{InterruptibleBus, at},
};

/// Returns the current time, so that a fake clock agrees with the system clock that the database uses.
fn now_ms() -> i64 {
    SystemClock::new().now().0
}

async fn open(address: &str) -> Arc<dyn Store> {
    Arc::new(PostgresStore::open(address).await.unwrap())
}

async fn copy_house(source: &mut dyn Source, target: &mut dyn Target) {
    copy::copy(source, target, &mut |_| ()).await.unwrap();
}

async fn to_postgres(from: &Path, to: &str) {
    let mut source = SqliteSource::open(from, &[7; 16]).await.unwrap();
    copy_house(&mut source, &mut PostgresTarget::open(to).await.unwrap()).await;
}

async fn to_sqlite(from: &str, to: &Path) {
    let mut source = PostgresSource::open(from, &[8; 16]).await.unwrap();
    copy_house(&mut source, &mut SqliteTarget::open(to).await.unwrap()).await;
}

/// Plays one turn in each game. Checks that the players are still signed in.
async fn play_on(house: &House, players: &mut [Visitor; 2], games: &[String], turn: usize) {
    for (visitor, name) in players.iter_mut().zip(["Anna", "Bela"]) {
        visitor.address = house.address;
        assert_eq!(visitor.get("/api/account").await.json()["account"]["name"], name);
    }
    for id in games {
        let game = players[turn % 2].game(id).await;
        assert_eq!(game.turns.len(), turn);
        let mut position = AnyPosition::initial(game.variant.parse().unwrap());
        for text in &game.turns {
            let turn = coordinate::parse(&position, text).unwrap();
            position.play_turn_unchecked(&turn);
        }
        let next = coordinate::write(&position, &position.legal_turns()[0]);
        let mut socket = players[turn % 2].socket(id, "").await;
        let version = socket.snapshot().await.version.0;
        socket.play(version, &next).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_continue_from_a_copy_and_from_a_copy_of_the_copy() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let address = server.create_database().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (first, last) = (folder.path().join("data.sqlite"), folder.path().join("last.sqlite"));
    let house = House::open_at(folder, now_ms(), Arc::new(FirstTurnOpponent), |_| ()).await;
    let [mut anna, mut bela] = [(); 2].map(|()| house.visitor());
    anna.register("Anna").await;
    bela.register("Bela").await;
    let mut games = Vec::new();
    for variant in Variant::ALL {
        games.push(begin(&mut anna, &mut bela, json!({ "variant": variant.to_string() })).await);
    }
    let mut players = [anna, bela];
    play_on(&house, &mut players, &games, 0).await;
    let folder = house.close().await;

    to_postgres(&first, &address).await;
    let mut house = House::single_on_store(open(&address).await).await;
    play_on(&house, &mut players, &games, 1).await;
    // The password is still valid.
    assert_eq!(house.visitor().sign_in("Anna", "correct horse").await.status, 200);
    house.shut_down().await;

    to_sqlite(&address, &last).await;
    let store = SqliteStore::open(&last).await.unwrap();
    let house = House::on_store(folder, store, now_ms(), Arc::new(FirstTurnOpponent), |_| ()).await;
    play_on(&house, &mut players, &games, 2).await;
    house.close().await;
}

/// Two nodes together allow no more guesses and creations than one.
#[tokio::test(flavor = "multi_thread")]
async fn nodes_share_the_limits_that_protect_people() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let address = server.create_database().unwrap();
    let bus = Arc::new(InterruptibleBus::default());
    let buses = [Arc::<InterruptibleBus>::clone(&bus) as Arc<dyn Bus>, bus];
    let few = |config: &mut Config| (config.limits.creations, config.limits.creations_per_address) = times(8);
    let mut nodes = House::pair_over([open(&address).await, open(&address).await], buses, few).await;
    let mut anna = nodes[0].visitor();
    anna.register("Anna").await;
    let mut guesses = Vec::new();
    for guess in 0..14 {
        let response = nodes[guess % 2].visitor().sign_in("Anna", "wrong horse").await;
        guesses.push(response.status);
        if response.status == 429 {
            let seconds =
                response.assert_error(429, "too-many")["seconds"].as_str().unwrap().parse::<u32>().unwrap();
            assert!((1..=360).contains(&seconds), "{seconds}");
        }
    }
    assert_eq!(guesses, [[401; 10].as_slice(), &[429; 4]].concat());

    // While the store is down, guesses are neither verified nor counted.
    let mut sessions = nodes.each_ref().map(|node| at(node, &anna));
    server.stop().unwrap();
    for _ in 0..12 {
        assert_eq!(nodes[0].visitor().sign_in("Bela", "wrong horse").await.status, 503);
    }
    server.restart().unwrap();
    eventually("the database is back", async || sessions[1].get("/api/account").await.status == 200).await;
    assert_eq!(nodes[1].visitor().sign_in("Bela", "wrong horse").await.status, 401);

    // The limit on the games that an account creates applies to both nodes together.
    let mut created = 0;
    for game in 0..12 {
        let body = json!({
            "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess",
        });
        created += u32::from(sessions[game % 2].post("/api/games", &body).await.status == 201);
    }
    assert_eq!(created, 8);
    let stored = server.psql(address.rsplit('/').next().unwrap(), "SELECT count(*) FROM limits").unwrap();
    assert!((1..100).contains(&stored.parse::<u32>().unwrap()), "{stored}");
    for node in &mut nodes {
        node.shut_down().await;
    }
}
