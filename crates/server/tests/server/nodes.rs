//! Two nodes on one PostgreSQL database: the hall and the games are the same on both.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use adoube_bus::Bus;
use adoube_bus_nats::{NatsBus, NatsSettings};
use adoube_protocol::{GameNews, HallServerMessage};
use adoube_server::{Announcement, SystemEntropy, announce, rotate_cookie_key};
use adoube_store::Store;
use adoube_store_postgres::PostgresStore;
use adoube_test_services::{Durability, Nats, Postgres, or_skip};
use serde_json::{Value, json};

use crate::{
    blocks::{block, people, show_to, unblock},
    hall::{enter, enter_without_lists, next_hall, next_news, receive, seek},
    house::{House, Socket, Visitor, act, eventually},
    servers::{InterruptibleBus, at},
};

/// How long a seek stays in the hall after its maker has left.
const GRACE: Duration = Duration::from_secs(3);

/// Two nodes, with an additional handle to their database.
struct Pair {
    one: House,
    other: House,
    store: Arc<dyn Store>,
    _server: Postgres,
}

async fn pair_on(buses: [Arc<dyn Bus>; 2]) -> Option<Pair> {
    let server = or_skip(Postgres::start(Durability::Off))?;
    let address = server.create_database().unwrap();
    let open = async || Arc::new(PostgresStore::open(&address).await.unwrap()) as Arc<dyn Store>;
    let stores = [open().await, open().await];
    let change = |config: &mut adoube_server::Config| {
        config.seek_grace = GRACE;
        (config.limits.creations, config.limits.creations_per_address) = crate::house::times(10_000);
    };
    let [one, other] = House::pair_over(stores, buses, change).await;
    Some(Pair { one, other, store: open().await, _server: server })
}

async fn pair() -> Option<Pair> {
    let bus = Arc::new(InterruptibleBus::default());
    pair_on([Arc::<InterruptibleBus>::clone(&bus), bus]).await
}

async fn interruptible_pair() -> Option<(Arc<InterruptibleBus>, Pair)> {
    let bus = Arc::new(InterruptibleBus::default());
    let pair = pair_on([Arc::<InterruptibleBus>::clone(&bus), Arc::<InterruptibleBus>::clone(&bus)]).await?;
    Some((bus, pair))
}

/// Returns a visitor with a cookie.
async fn visitor(house: &House) -> Visitor {
    let mut visitor = house.visitor();
    visitor.get("/api/account").await;
    visitor
}

async fn post_seek(visitor: &mut Visitor) -> String {
    let created = visitor.post("/api/seeks", &seek(&json!({}))).await;
    assert_eq!(created.status, 201, "{created:?}");
    created.json()["id"].as_str().unwrap().to_owned()
}

async fn wait_for_added(socket: &mut Socket, id: &str) {
    receive(
        socket,
        |message| matches!(message, HallServerMessage::SeekAdded { seek, .. } if seek.id.as_str() == id),
    )
    .await;
}

async fn wait_for_removed(socket: &mut Socket, id: &str) {
    receive(
        socket,
        |message| matches!(message, HallServerMessage::SeekRemoved { id: gone, .. } if gone.as_str() == id),
    )
    .await;
}

async fn wait_for_start(socket: &mut Socket) -> String {
    loop {
        if let (GameNews::Started, game) = next_news(socket).await {
            return game.id.to_string();
        }
    }
}

/// Accepts a seek or a challenge. Repeats the request until the node knows that the maker is on another node.
/// Returns the status and the id of the game.
async fn accept(visitor: &mut Visitor, what: &str, id: &str) -> (u16, Value) {
    loop {
        let response = visitor.post(&format!("/api/{what}/{id}/accept"), &Value::Null).await;
        if response.status != 409 {
            return (response.status, response.json()["id"].clone());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// If two visitors accept a seek at the same moment on two nodes, one game begins, and the maker of the seek
/// is notified.
#[tokio::test(flavor = "multi_thread")]
async fn a_seek_accepted_on_two_nodes_at_once_starts_one_game() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let (mut anna, mut bela, mut carl) = (visitor(&one).await, visitor(&one).await, visitor(&other).await);
    let (mut her_socket, mut his_socket) = (enter(&anna).await, enter(&carl).await);
    next_hall(&mut her_socket).await;
    next_hall(&mut his_socket).await;
    for round in 0..10 {
        let id = post_seek(&mut anna).await;
        wait_for_added(&mut his_socket, &id).await;
        let ((first, game), (second, other_game)) =
            tokio::join!(accept(&mut bela, "seeks", &id), accept(&mut carl, "seeks", &id));
        let (winner, game) = match (first, second) {
            (200, 404) => (&bela, game),
            (404, 200) => (&carl, other_game),
            _ => panic!("round {round}: {first} {second}"),
        };
        assert_eq!(wait_for_start(&mut her_socket).await, game.as_str().unwrap());
        wait_for_removed(&mut his_socket, &id).await;
        // The request is repeated on both nodes, as if the response had been lost. Both nodes show the game
        // to its players.
        for house in [&one, &other] {
            assert_eq!(accept(&mut at(house, winner), "seeks", &id).await, (200, game.clone()));
            let you = at(house, &anna).game(game.as_str().unwrap()).await.you;
            assert_eq!(you, Some(adoube_protocol::Color::White));
        }
    }
}

/// A seek soon appears on the other node, over NATS. If it is accepted on a node that the notice has not yet
/// reached, that node finds it in the store.
#[tokio::test(flavor = "multi_thread")]
async fn a_seek_is_seen_on_every_node() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let settings = NatsSettings { url: server.address(), ..NatsSettings::default() };
    let bus = async || Arc::new(NatsBus::open(&settings, "house").await.unwrap()) as Arc<dyn Bus>;
    let Some(Pair { one, other, _server, .. }) = pair_on([bus().await, bus().await]).await else { return };
    let mut viewer = enter(&visitor(&other).await).await;
    next_hall(&mut viewer).await;
    let mut durations = Vec::new();
    for _ in 0..20 {
        let mut anna = visitor(&one).await;
        for _ in 0..5 {
            let start = Instant::now();
            let id = post_seek(&mut anna).await;
            wait_for_added(&mut viewer, &id).await;
            durations.push(start.elapsed());
            let path = format!("/api/seeks/{id}");
            assert_eq!(anna.request("DELETE", &path, &[], "").await.status, 204);
        }
    }
    durations.sort_unstable();
    let (median, p99) = (durations[durations.len() / 2], durations[durations.len() * 99 / 100 - 1]);
    println!("a seek is seen on the other node: p50 {median:?}, p99 {p99:?}");
    // The goal is 250 ms for 99% of the seeks. A busy computer may reach it for only half of them, so only
    // the median is checked.
    assert!(median < Duration::from_millis(250), "median {median:?}");
    let (mut anna, mut bela) = (visitor(&one).await, visitor(&other).await);
    let _anna_socket = enter(&anna).await;
    let id = post_seek(&mut anna).await;
    assert_eq!(accept(&mut bela, "seeks", &id).await.0, 200);
}

/// A new seek, its end, and the game that begins from it are found within seconds even if the bus silently
/// loses the notices of these changes.
#[tokio::test(flavor = "multi_thread")]
async fn a_seek_whose_notices_are_lost_is_found() {
    let Some((bus, Pair { one, other, _server, .. })) = interruptible_pair().await else { return };
    let (mut anna, mut bela) = (visitor(&one).await, visitor(&other).await);
    let (mut her_socket, mut his_socket) = (enter(&anna).await, enter(&bela).await);
    next_hall(&mut her_socket).await;
    let before = next_hall(&mut his_socket).await.version;
    bus.interrupt();
    let id = post_seek(&mut anna).await;
    wait_for_added(&mut his_socket, &id).await;
    let (status, game) = accept(&mut bela, "seeks", &id).await;
    assert_eq!(status, 200);
    assert_eq!(wait_for_start(&mut her_socket).await, game.as_str().unwrap());
    // A pong contains the version of the hall.
    let ping = tokio_tungstenite::tungstenite::Message::text(r#"{"type":"ping"}"#);
    futures_util::SinkExt::send(&mut his_socket.stream, ping).await.unwrap();
    let pong = receive(&mut his_socket, |message| matches!(message, HallServerMessage::Pong { .. })).await;
    assert!(matches!(pong, HallServerMessage::Pong { version, .. } if version > before), "{pong:?}");
    // If the bus reports the loss after an outage, the changes are found immediately.
    let id = post_seek(&mut anna).await;
    bus.restore();
    wait_for_added(&mut his_socket, &id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_reaches_its_recipient_on_another_node_and_is_answered_once() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let (mut anna, mut bela) = (one.visitor(), other.visitor());
    anna.register("Anna").await;
    bela.register("Bela").await;
    let (mut her_socket, mut his_socket, mut stranger) =
        (enter(&anna).await, enter(&bela).await, enter(&visitor(&other).await).await);
    for socket in [&mut her_socket, &mut his_socket, &mut stranger] {
        next_hall(socket).await;
    }
    let challenge = async |anna: &mut Visitor| {
        let created = anna.post("/api/challenges", &seek(&json!({ "to": "Bela" }))).await;
        assert_eq!(created.status, 201, "{created:?}");
        created.json()["id"].as_str().unwrap().to_owned()
    };
    let id = challenge(&mut anna).await;
    receive(&mut his_socket, |message| matches!(message, HallServerMessage::Challenge { challenge, .. } if challenge.id.as_str() == id))
        .await;
    // The recipient accepts in two tabs, on two nodes.
    let mut other_tab = at(&one, &bela);
    let ((first, game), (second, same)) =
        tokio::join!(accept(&mut bela, "challenges", &id), accept(&mut other_tab, "challenges", &id));
    assert_eq!((first, second, &game), (200, 200, &same), "one game");
    assert_eq!(wait_for_start(&mut her_socket).await, game.as_str().unwrap());
    // A challenge can be withdrawn on another node.
    let id = challenge(&mut anna).await;
    let path = format!("/api/challenges/{id}");
    assert_eq!(at(&other, &anna).request("DELETE", &path, &[], "").await.status, 204);
    receive(
        &mut her_socket,
        |message| matches!(message, HallServerMessage::ChallengeGone { id: gone, .. } if gone.as_str() == id),
    )
    .await;
    assert_eq!(accept(&mut bela, "challenges", &id).await.0, 404);
    // The stranger was not notified of the challenges.
    let id = post_seek(&mut anna).await;
    let next = receive(&mut stranger, |message| {
        !matches!(message, HallServerMessage::People { .. } | HallServerMessage::Games { .. })
    });
    assert!(matches!(next.await, HallServerMessage::SeekAdded { seek, .. } if seek.id.as_str() == id));
}

/// A live game begins only if the maker of the seek is on some node. News of the game reaches the other node,
/// and its players' other pages.
#[tokio::test(flavor = "multi_thread")]
async fn a_maker_on_another_node_is_found_and_notified_of_the_game() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let (mut anna, mut bela) = (visitor(&one).await, visitor(&other).await);
    let id = post_seek(&mut anna).await;
    let path = format!("/api/seeks/{id}/accept");
    bela.post(&path, &Value::Null).await.assert_error(409, "maker-away");
    // A page that does not show the hall's lists also counts.
    let mut her_socket = enter_without_lists(&anna).await;
    let game = accept(&mut bela, "seeks", &id).await.1.as_str().unwrap().to_owned();
    assert_eq!(wait_for_start(&mut her_socket).await, game);
    let mut his_socket = bela.socket(&game, "").await;
    his_socket.presence((false, true, 0)).await;
    let mut elsewhere = enter_without_lists(&bela).await;
    let version = anna.game(&game).await.version.0;
    let mut board = anna.socket(&game, "?version=1").await;
    board.play(version, "e2e4").await.unwrap();
    his_socket.event().await;
    drop(his_socket);
    // Bela has closed the game, so later events reach his other page.
    board.presence((true, false, 0)).await;
    board.command(&act(adoube_protocol::Act::OfferDraw)).await.unwrap();
    // When it became Bela's turn, Anna's node may not have known yet that he had the game open.
    let mut received = next_news(&mut elsewhere).await;
    if received.0 == GameNews::YourTurn {
        received = next_news(&mut elsewhere).await;
    }
    assert_eq!((received.0, received.1.id.as_str()), (GameNews::Offer, game.as_str()));
}

/// A live seek stays as long as its maker is in the hall on any node, and ends everywhere when the maker has
/// left.
#[tokio::test(flavor = "multi_thread")]
async fn a_seek_ends_when_its_maker_has_left_all_nodes() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let mut anna = visitor(&one).await;
    // Anna creates the seek on one node and is in the hall on the other.
    let her_socket = enter(&at(&other, &anna)).await;
    let id = post_seek(&mut anna).await;
    let (mut one_socket, mut other_socket) =
        (enter(&visitor(&one).await).await, enter(&visitor(&other).await).await);
    for socket in [&mut one_socket, &mut other_socket] {
        assert_eq!(next_hall(socket).await.seeks.len(), 1);
    }
    tokio::time::sleep(GRACE + Duration::from_secs(2)).await;
    for node in [&one, &other] {
        let mut late_socket = enter(&visitor(node).await).await;
        assert_eq!(next_hall(&mut late_socket).await.seeks.len(), 1, "its maker is still here");
    }
    drop(her_socket);
    for socket in [&mut one_socket, &mut other_socket] {
        wait_for_removed(socket, &id).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_are_counted_across_all_nodes() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let mut anna = one.visitor();
    anna.register("Anna").await;
    let mut bela = other.visitor();
    bela.register("Bela").await;
    let game = bela.create("chess", "white", &json!({ "type": "friend" })).await.0;
    // Anna is on both nodes and is counted once. Bela is in a game.
    let mut sockets = [enter(&anna).await, enter(&at(&other, &anna)).await];
    let game_socket = bela.socket(&game, "").await;
    for socket in &mut sockets {
        receive(socket, |message| {
            matches!(message, HallServerMessage::People { people } if people.count == 2 && people.names == ["Anna", "Bela"])
        })
        .await;
    }
    drop(game_socket);
    for socket in &mut sockets {
        receive(socket, |message| {
            matches!(message, HallServerMessage::People { people } if people.count == 1 && people.names == ["Anna"])
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn presence_in_a_game_is_the_same_on_all_nodes() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let (mut anna, mut bela) = (visitor(&one).await, visitor(&other).await);
    let _present = enter(&anna).await;
    let id = post_seek(&mut anna).await;
    let game = accept(&mut bela, "seeks", &id).await.1.as_str().unwrap().to_owned();
    let mut her_socket = anna.socket(&game, "").await;
    her_socket.presence((true, false, 0)).await;
    let mut his_socket = bela.socket(&game, "").await;
    her_socket.presence((true, true, 0)).await;
    let mut spectators = Vec::new();
    for house in [&one, &other, &other] {
        spectators.push(visitor(house).await.socket(&game, "").await);
    }
    her_socket.presence((true, true, 3)).await;
    his_socket.presence((true, true, 3)).await;
    spectators[0].presence((true, true, 3)).await;
    spectators.truncate(1);
    her_socket.presence((true, true, 1)).await;
    drop(her_socket);
    his_socket.presence((false, true, 1)).await;
    spectators[0].presence((false, true, 1)).await;
    // A second tab receives the current presence immediately.
    bela.socket(&game, "").await.presence((false, true, 1)).await;
}

/// The notice of the last turn is lost silently, but visitors on the other node still see the turn.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_whose_notice_is_lost_is_found() {
    let Some((bus, Pair { one, other, _server, .. })) = interruptible_pair().await else { return };
    let (mut anna, mut bela) = (visitor(&one).await, visitor(&other).await);
    let _present = enter(&anna).await;
    let id = post_seek(&mut anna).await;
    let game = accept(&mut bela, "seeks", &id).await.1.as_str().unwrap().to_owned();
    let (mut her_socket, mut his_socket) = (anna.socket(&game, "").await, bela.socket(&game, "").await);
    let version = her_socket.snapshot().await.version.0;
    his_socket.snapshot().await;
    bus.interrupt();
    let new_version = her_socket.play(version, "e2e4").await.unwrap();
    assert_eq!(his_socket.event().await.0, new_version);
    his_socket.assert_open().await;
}

/// The servers detect the changes that an operator's command makes in the database, with or without a
/// notice.
#[tokio::test(flavor = "multi_thread")]
async fn all_servers_notice_operator_commands() {
    let bus = Arc::new(InterruptibleBus::default());
    let buses = [Arc::<InterruptibleBus>::clone(&bus) as Arc<dyn Bus>, Arc::<InterruptibleBus>::clone(&bus)];
    let Some(Pair { one, other, store, _server }) = pair_on(buses).await else { return };
    let mut anna = one.visitor();
    anna.register("Anna").await;
    let account = store.lookup_account_by_name("Anna").await.unwrap().unwrap();
    for bus in [Some(&*bus as &dyn Bus), None] {
        assert_eq!(anna.sign_in("Anna", "correct horse").await.status, 200);
        let mut sockets = [enter(&anna).await, enter(&at(&other, &anna)).await];
        let mut stranger = enter(&visitor(&other).await).await;
        for socket in &mut sockets {
            next_hall(socket).await;
        }
        next_hall(&mut stranger).await;
        let ended = store.end_sessions(&account.player).await.unwrap();
        let start = Instant::now();
        announce(&*store, bus, Announcement::SessionsEnded(ended)).await.unwrap();
        for socket in &mut sockets {
            assert_eq!(socket.wait_for_close().await, (1008, "signed out".into()));
        }
        let limit = if bus.is_some() { Duration::from_secs(1) } else { Duration::from_secs(5) };
        assert!(start.elapsed() < limit, "it took {:?}", start.elapsed());
        post_seek(&mut visitor(&one).await).await;
        receive(&mut stranger, |message| matches!(message, HallServerMessage::SeekAdded { .. })).await;
    }

    // The key is revoked immediately, so neither node recognises earlier identities.
    let mut bela = visitor(&one).await;
    let game = bela.create("chess", "white", &json!({ "type": "friend" })).await.0;
    for house in [&one, &other] {
        assert!(at(house, &bela).game(&game).await.you.is_some());
    }
    rotate_cookie_key(&*store, &SystemEntropy, adoube_protocol::Millis(0), None).await.unwrap();
    announce(&*store, None, Announcement::KeysReplaced).await.unwrap();
    for house in [&one, &other] {
        eventually("the old key is refused", async || at(house, &bela).game(&game).await.you.is_none()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_and_invisibility_are_respected_on_all_nodes() {
    let Some(Pair { one, other, _server, .. }) = pair().await else { return };
    let mut anna = one.visitor();
    anna.register("Anna").await;
    let mut eve = other.visitor();
    eve.register("Eve").await;
    let _anna_socket = enter(&anna).await;
    let mut eve_socket = enter(&eve).await;
    people(&mut eve_socket, &["Anna", "Eve"]).await;
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    people(&mut eve_socket, &["Eve"]).await;
    assert_eq!(unblock(&mut anna, "Eve").await.status, 200);
    people(&mut eve_socket, &["Anna", "Eve"]).await;
    show_to(&mut anna, "nobody").await;
    people(&mut eve_socket, &["Eve"]).await;
}
