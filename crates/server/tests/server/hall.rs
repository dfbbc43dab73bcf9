//! The hall: seeks, challenges, people and games.

use std::sync::Arc;

use adoube_protocol::{
    Act, Color, GameNews, GameSummary, Hall, HallServerMessage, Invitation, OwnProposals, Seat, Status,
};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::house::{
    FakeClock, FirstTurnOpponent, House, STEP_TIMEOUT, Socket, Visitor, act, chat, command, eventually, times,
};

pub(crate) async fn enter(visitor: &Visitor) -> Socket {
    visitor.try_open("/api/hall/socket", Some(&format!("http://{}", visitor.address))).await.unwrap()
}

pub(crate) async fn receive(
    socket: &mut Socket,
    matches: impl Fn(&HallServerMessage) -> bool,
) -> HallServerMessage {
    let receiving = async {
        loop {
            if let Message::Text(text) = socket.stream.next().await.unwrap().unwrap() {
                let message = serde_json::from_str(&text).unwrap();
                if matches(&message) {
                    return message;
                }
            }
        }
    };
    tokio::time::timeout(STEP_TIMEOUT, receiving).await.expect("the hall did not send the message")
}

pub(crate) async fn next_hall(socket: &mut Socket) -> Hall {
    match receive(socket, |message| matches!(message, HallServerMessage::Hall { .. })).await {
        HallServerMessage::Hall { hall } => *hall,
        _ => unreachable!(),
    }
}

/// Opens the hall socket of a page that does not show the lists.
pub(crate) async fn enter_without_lists(visitor: &Visitor) -> Socket {
    let origin = format!("http://{}", visitor.address);
    visitor.try_open("/api/hall/socket?lists=false", Some(&origin)).await.unwrap()
}

async fn next_own_proposals(socket: &mut Socket) -> OwnProposals {
    match receive(socket, |message| matches!(message, HallServerMessage::Own { .. })).await {
        HallServerMessage::Own { own } => *own,
        _ => unreachable!(),
    }
}

async fn send(socket: &mut Socket, message: &str) {
    socket.stream.send(Message::text(format!(r#"{{"type":"{message}"}}"#))).await.unwrap();
}

/// Returns a visitor with a cookie.
async fn visitor(house: &House) -> Visitor {
    let mut visitor = house.visitor();
    visitor.get("/api/account").await;
    visitor
}

/// Returns the next news item about a game.
pub(crate) async fn next_news(socket: &mut Socket) -> (GameNews, GameSummary) {
    match receive(socket, |message| matches!(message, HallServerMessage::Game { .. })).await {
        HallServerMessage::Game { news, game } => (news, *game),
        _ => unreachable!(),
    }
}

/// Waits until all other visitors have left the hall.
async fn wait_until_alone(socket: &mut Socket) {
    receive(socket, |message| matches!(message, HallServerMessage::People { people } if people.count == 1))
        .await;
}

pub(crate) fn seek(settings: &Value) -> Value {
    let mut seek = json!({ "command": command(), "color": "white", "variant": "chess" });
    seek.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    seek
}

#[tokio::test]
async fn a_seek_is_shown_accepted_once_and_becomes_a_public_game() {
    let house = House::new().await;
    let (mut anna, mut bela, mut carl) = (house.visitor(), house.visitor(), house.visitor());
    anna.get("/api/account").await;
    let (mut her_socket, mut his_socket) = (enter(&anna).await, enter(&bela).await);
    assert!(next_hall(&mut her_socket).await.seeks.is_empty());
    next_hall(&mut his_socket).await;
    let body = seek(
        &json!({ "timeControl": { "type": "delay", "initialMs": 60_000, "delayMs": 2_000 }, "shuffle": { "type": "random", "sides": "same" } }),
    );
    let created = anna.post("/api/seeks", &body).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(
        anna.post("/api/seeks", &body).await.json(),
        created.json(),
        "a repeat does not create another seek"
    );
    let id = created.json()["id"].as_str().unwrap().to_owned();
    receive(
        &mut his_socket,
        |message| matches!(message, HallServerMessage::SeekAdded { seek, .. } if seek.id.as_str() == id),
    )
    .await;
    let hall: Hall = serde_json::from_value(anna.get("/api/hall").await.json()).unwrap();
    assert_eq!((hall.seeks.len(), hall.mine.len()), (1, 1));

    let accept = format!("/api/seeks/{id}/accept");
    anna.post(&accept, &Value::Null).await.assert_error(409, "own-seek");
    bela.request("DELETE", &format!("/api/seeks/{id}"), &[], "").await.assert_error(403, "not-yours");
    let joined = bela.post(&accept, &Value::Null).await;
    assert_eq!(joined.status, 200, "{joined:?}");
    carl.post(&accept, &Value::Null).await.assert_error(404, "seek-not-found");
    let game = joined.json()["id"].as_str().unwrap().to_owned();
    let (news, started) = next_news(&mut her_socket).await;
    assert_eq!((news, started.id.as_str()), (GameNews::Started, game.as_str()));
    assert_eq!(started.you, Some(adoube_protocol::Color::White));
    receive(
        &mut his_socket,
        |message| matches!(message, HallServerMessage::SeekRemoved { id: gone, .. } if gone.as_str() == id),
    )
    .await;
    receive(
        &mut his_socket,
        |message| matches!(message, HallServerMessage::Games { games } if games[0].id.as_str() == game),
    )
    .await;
    assert_eq!(anna.game(&game).await.you, Some(adoube_protocol::Color::White));
    let start = anna.game(&game).await.initial_fen;
    let white = start.split(' ').next().unwrap().rsplit('/').next().unwrap().to_lowercase();
    assert!(start.starts_with(&white), "{start}");
    // The game leaves the hall when it ends.
    anna.socket(&game, "?version=1").await.command(&act(Act::Abort)).await.unwrap();
    receive(
        &mut his_socket,
        |message| matches!(message, HallServerMessage::Games { games } if games.is_empty()),
    )
    .await;
}

#[tokio::test]
async fn an_unplayable_seek_is_refused() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for (settings, status, code) in [
        (json!({ "variant": "go" }), 422, "unknown-variant"),
        (json!({ "fen": "nonsense" }), 422, "bad-position"),
        (
            json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "shuffle": { "type": "number", "white": 1, "black": 1 } }),
            422,
            "position-twice",
        ),
        (json!({ "shuffle": { "type": "number", "white": 960, "black": 0 } }), 422, "bad-shuffle"),
        (
            json!({ "timeControl": { "type": "fischer", "initialMs": 10, "incrementMs": 0 } }),
            422,
            "clock-initial",
        ),
        (
            json!({ "timeControl": { "type": "delay", "initialMs": 60_000, "delayMs": 999_999 } }),
            422,
            "clock-per-turn",
        ),
        (json!({ "timeControl": { "type": "correspondence", "daysPerTurn": 0 } }), 422, "clock-days"),
        (json!({ "timeControl": { "type": "correspondence", "daysPerTurn": 3 } }), 403, "account-needed"),
        (json!({ "games": 0 }), 422, "bad-games"),
        (json!({ "games": 21 }), 422, "bad-games"),
        (json!({ "color": "green" }), 400, "bad-message"),
    ] {
        anna.post("/api/seeks", &seek(&settings)).await.assert_error(status, code);
    }
    for _ in 0..5 {
        assert_eq!(anna.post("/api/seeks", &seek(&json!({}))).await.status, 201);
    }
    anna.post("/api/seeks", &seek(&json!({}))).await.assert_error(429, "too-many-seeks");
    anna.post("/api/seeks/x/accept", &Value::Null).await.assert_error(404, "seek-not-found");
}

#[tokio::test]
async fn a_live_seek_ends_when_its_maker_leaves_and_a_correspondence_seek_stays() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let socket = enter(&anna).await;
    anna.post("/api/seeks", &seek(&json!({}))).await;
    let days = json!({ "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    anna.post("/api/seeks", &seek(&days)).await;
    // The maker of this seek has no socket. Once the seek is removed, the hall has checked all seeks.
    let absent = house.visitor().post("/api/seeks", &seek(&json!({}))).await.json()["id"].clone();
    let mut viewer = enter(&house.visitor()).await;
    assert_eq!(next_hall(&mut viewer).await.seeks.len(), 3);
    house.clock.advance(3_600_000);
    receive(
        &mut viewer,
        |message| matches!(message, HallServerMessage::SeekRemoved { id, .. } if absent == id.as_str()),
    )
    .await;
    viewer.stream.send(Message::text(r#"{"type":"resync"}"#)).await.unwrap();
    assert_eq!(next_hall(&mut viewer).await.seeks.len(), 2, "Anna is still present, so her seeks stay");
    drop(socket);
    wait_until_alone(&mut viewer).await;
    house.clock.advance(61_000);
    receive(&mut viewer, |message| matches!(message, HallServerMessage::SeekRemoved { .. })).await;
    drop(viewer);
    let house = House::open_at(
        house.close().await,
        FakeClock::START + 9_000_000,
        Arc::new(FirstTurnOpponent),
        |_| (),
    )
    .await;
    let hall = next_hall(&mut enter(&house.visitor()).await).await;
    assert_eq!((hall.seeks.len(), hall.seeks[0].name.as_deref()), (1, Some("Anna")));
}

/// A refused acceptance does not affect others: the seek stays, and its removal is not announced.
#[tokio::test]
async fn a_seek_stays_if_a_visitor_who_may_not_play_it_tries_to_accept_it() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    let mut viewer = enter(&house.visitor()).await;
    next_hall(&mut viewer).await;
    let days = json!({ "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    let created = anna.post("/api/seeks", &seek(&days)).await.json();
    let id = created["id"].as_str().unwrap();
    bela.post(&format!("/api/seeks/{id}/accept"), &Value::Null).await.assert_error(403, "account-needed");
    viewer.stream.send(Message::text(r#"{"type":"resync"}"#)).await.unwrap();
    let is_end = |message: &HallServerMessage| {
        matches!(message, HallServerMessage::Hall { .. } | HallServerMessage::SeekRemoved { .. })
    };
    let HallServerMessage::Hall { hall } = receive(&mut viewer, is_end).await else {
        panic!("the seek was removed");
    };
    assert_eq!(hall.seeks.len(), 1);
}

#[tokio::test]
async fn a_challenge_is_visible_only_to_its_two_players() {
    let house = House::new().await;
    let (mut anna, mut bela, mut carl) = (house.visitor(), house.visitor(), house.visitor());
    bela.register("Bela").await;
    carl.register("Carl").await;
    let mut his_socket = enter(&bela).await;
    assert_eq!(next_hall(&mut his_socket).await.people.names, ["Bela"]);
    let challenge = |to: &str| seek(&json!({ "to": to }));
    anna.get("/api/account").await;
    let _socket = enter(&anna).await;
    anna.post("/api/challenges", &challenge("nobody")).await.assert_error(404, "player-not-found");
    bela.post("/api/challenges", &challenge("bela")).await.assert_error(409, "own-challenge");
    let created = anna.post("/api/challenges", &challenge("BELA")).await;
    assert_eq!(created.status, 201, "{created:?}");
    // As when signing in, a name may be typed without its accents.
    house.visitor().register("Zoé").await;
    let without_accent = carl.post("/api/challenges", &challenge("zoe")).await;
    assert_eq!(without_accent.status, 201, "{without_accent:?}");
    let id = created.json()["id"].as_str().unwrap().to_owned();
    receive(
        &mut his_socket,
        |message| matches!(message, HallServerMessage::Challenge { challenge, .. } if challenge.to == "Bela"),
    )
    .await;
    let accept = format!("/api/challenges/{id}/accept");
    carl.post(&accept, &Value::Null).await.assert_error(404, "challenge-not-found");
    carl.request("DELETE", &format!("/api/challenges/{id}"), &[], "")
        .await
        .assert_error(404, "challenge-not-found");
    anna.post(&accept, &Value::Null).await.assert_error(409, "own-challenge");
    assert_eq!(bela.get("/api/challenges").await.json()["received"][0]["id"], id.as_str());
    assert_eq!(bela.post(&accept, &Value::Null).await.status, 200);
    let second =
        anna.post("/api/challenges", &challenge("Bela")).await.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(bela.request("DELETE", &format!("/api/challenges/{second}"), &[], "").await.status, 204);
    bela.post(&format!("/api/challenges/{second}/accept"), &Value::Null)
        .await
        .assert_error(404, "challenge-not-found");
}

#[tokio::test]
async fn s6_the_hall_accepts_only_sockets_from_its_own_pages() {
    let house = House::new().await;
    for origin in [None, Some("null"), Some("https://evil.example")] {
        let refused = house.visitor().try_open("/api/hall/socket", origin).await;
        assert_eq!(refused.err(), Some(403), "{origin:?}");
    }
}

#[tokio::test]
async fn challenges_fill_neither_the_hall_nor_a_players_list() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        (config.limits.creations, config.limits.creations_per_address) = times(1_000);
        (config.limits.sign_ins, config.limits.sign_ins_per_address) = times(1_000);
    })
    .await;
    let mut bela = house.visitor();
    bela.register("Bela").await;
    let challenge = async |visitor: &mut Visitor, address: &str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
        let body = seek(&json!({ "to": "Bela" })).to_string();
        visitor.request("POST", "/api/challenges", &headers, &body).await
    };
    let mut sockets = Vec::new();
    let mut stranger = async || {
        let mut stranger = house.visitor();
        stranger.get("/api/account").await;
        sockets.push(enter(&stranger).await);
        stranger
    };
    // Only a few challenges from one address reach a player, even if different visitors send them.
    let mut one = stranger().await;
    for _ in 0..5 {
        assert_eq!(challenge(&mut one, "10.0.0.1").await.status, 201);
    }
    challenge(&mut one, "10.0.0.2").await.assert_error(429, "too-many-seeks");
    let args = challenge(&mut stranger().await, "10.0.0.1").await.assert_error(429, "too-many-from-here");
    assert_eq!(args["limit"], "5");
    for address in ["10.0.0.2", "10.0.0.3", "10.0.0.4"] {
        let mut other = stranger().await;
        for _ in 0..5 {
            assert_eq!(challenge(&mut other, address).await.status, 201);
        }
    }
    let args = challenge(&mut stranger().await, "10.0.0.5").await.assert_error(429, "too-many-challenges");
    assert_eq!(args["limit"], "20");
    assert_eq!(bela.get("/api/challenges").await.json()["received"].as_array().unwrap().len(), 20);
    // A challenge from an account still gets through, and seeks have separate limits.
    let mut anna = house.visitor();
    anna.register("Anna").await;
    assert_eq!(challenge(&mut anna, "10.0.0.6").await.status, 201);
    assert_eq!(anna.post("/api/seeks", &seek(&json!({}))).await.status, 201);
    // The challenges of visitors without an account end when they leave.
    let mut his_socket = enter(&bela).await;
    next_hall(&mut his_socket).await;
    drop(sockets);
    wait_until_alone(&mut his_socket).await;
    house.clock.advance(61_000);
    eventually("only the account's challenge is left", async || {
        bela.get("/api/challenges").await.json()["received"].as_array().unwrap().len() == 1
    })
    .await;
}

#[tokio::test]
async fn requests_for_the_whole_hall_are_limited() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.resyncs, config.limits.resyncs_per_address) = times(2);
    })
    .await;
    let mut anna = house.visitor();
    anna.get("/api/account").await;
    let mut her_socket = enter(&anna).await;
    next_hall(&mut her_socket).await;
    let resync = Message::text(r#"{"type":"resync"}"#);
    for _ in 0..2 {
        her_socket.stream.send(resync.clone()).await.unwrap();
        next_hall(&mut her_socket).await;
    }
    her_socket.stream.send(resync.clone()).await.unwrap();
    let refused =
        receive(&mut her_socket, |message| !matches!(message, HallServerMessage::People { .. })).await;
    assert_eq!(refused, HallServerMessage::Refused { code: "too-many".into() });
    // A request over HTTP counts against the same limit.
    let response = anna.get("/api/hall").await;
    response.assert_error(429, "too-many");
    assert_eq!(response.headers["retry-after"], "1800");
}

/// Deleting an account removes its proposals, and the challenges that were sent to it.
#[tokio::test]
async fn the_proposals_of_a_deleted_account_are_removed() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    bela.register("Bela").await;
    let live = json!({ "command": command(), "color": "random", "variant": "chess" });
    assert_eq!(anna.post("/api/seeks", &live).await.status, 201);
    let challenge =
        |to: &str| json!({ "command": command(), "color": "random", "variant": "chess", "to": to });
    assert_eq!(bela.post("/api/challenges", &challenge("Anna")).await.status, 201);
    assert_eq!(anna.post("/api/challenges", &challenge("Bela")).await.status, 201);
    let list = bela.get("/api/challenges").await.json();
    assert_eq!(
        (list["sent"][0]["to"].clone(), list["received"][0]["from"].clone()),
        (json!("Anna"), json!("Anna"))
    );
    let seek = house.visitor().get("/api/hall").await.json()["seeks"][0]["id"].as_str().unwrap().to_owned();
    let deleted = anna
        .request(
            "DELETE",
            "/api/account",
            &[("content-type", "application/json")],
            &json!({ "password": "correct horse" }).to_string(),
        )
        .await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    assert_eq!(house.visitor().get("/api/hall").await.json()["seeks"], json!([]));
    let list = bela.get("/api/challenges").await.json();
    assert_eq!((&list["sent"], &list["received"]), (&json!([]), &json!([])));
    let body = json!({ "command": command() });
    bela.post(&format!("/api/seeks/{seek}/accept"), &body).await.assert_error(404, "seek-not-found");
}

/// A live game begins only while the maker of the seek has a page open. If the page is reloaded in time, the
/// seek stays.
#[tokio::test]
async fn visitors_are_not_paired_with_a_maker_who_has_left() {
    let house = House::new().await;
    let (mut anna, mut bela) = (visitor(&house).await, house.visitor());
    let her_socket = enter_without_lists(&anna).await;
    let mut viewer = enter(&house.visitor()).await;
    let id = anna.post("/api/seeks", &seek(&json!({}))).await.json()["id"].as_str().unwrap().to_owned();
    let accept = format!("/api/seeks/{id}/accept");
    drop(her_socket);
    wait_until_alone(&mut viewer).await;
    bela.post(&accept, &Value::Null).await.assert_error(409, "maker-away");
    let paired = bela.post("/api/pairings", &seek(&json!({ "color": "black" }))).await;
    assert_eq!(paired.json()["type"], "seek", "{paired:?}");
    let mut her_socket = enter_without_lists(&anna).await;
    assert_eq!(next_own_proposals(&mut her_socket).await.seeks.len(), 1);
    assert_eq!(bela.post(&accept, &Value::Null).await.status, 200);
    assert_eq!(next_news(&mut her_socket).await.0, GameNews::Started);

    // A challenge from an account stays open, but does not start a game with an absent player.
    anna.register("Anna").await;
    bela.register("Bela").await;
    drop(her_socket);
    eventually("Anna has left", async || {
        house.visitor().get("/api/hall").await.json()["people"]["count"] == 1
    })
    .await;
    let id = anna.post("/api/challenges", &seek(&json!({ "to": "Bela" }))).await.json()["id"].clone();
    let accept = format!("/api/challenges/{}/accept", id.as_str().unwrap());
    bela.post(&accept, &Value::Null).await.assert_error(409, "maker-away");
    let _anna_socket = enter_without_lists(&anna).await;
    assert_eq!(bela.post(&accept, &Value::Null).await.status, 200);
}

/// A page that does not show the lists receives only the proposals that concern the visitor, until it
/// requests the lists.
#[tokio::test]
async fn a_page_without_lists_receives_only_its_own_proposals() {
    let house = House::new().await;
    let (mut anna, mut bela) = (visitor(&house).await, visitor(&house).await);
    anna.register("Anna").await;
    let mut her_socket = enter_without_lists(&anna).await;
    assert_eq!(next_own_proposals(&mut her_socket).await, OwnProposals::default());
    let _bela_socket = enter_without_lists(&bela).await;
    bela.post("/api/seeks", &seek(&json!({}))).await;
    let mine = anna.post("/api/seeks", &seek(&json!({ "variant": "baroque" }))).await.json()["id"].clone();
    // The first message is about Anna's own seek, not about Bela's.
    let added = receive(&mut her_socket, |_| true).await;
    let HallServerMessage::SeekAdded { seek: first, mine: true, version } = added else {
        panic!("{added:?}")
    };
    assert_eq!(first.id.as_str(), mine);
    send(&mut her_socket, "ping").await;
    let pong = receive(&mut her_socket, |message| matches!(message, HallServerMessage::Pong { .. })).await;
    assert!(matches!(pong, HallServerMessage::Pong { version: now, .. } if now == version), "{pong:?}");
    bela.post("/api/challenges", &seek(&json!({ "to": "Anna" }))).await;
    receive(&mut her_socket, |message| matches!(message, HallServerMessage::Challenge { .. })).await;

    send(&mut her_socket, "show-lists").await;
    let hall = next_hall(&mut her_socket).await;
    assert_eq!((hall.seeks.len(), hall.mine.len(), hall.challenges.received.len()), (2, 1, 1));
    bela.post("/api/seeks", &seek(&json!({}))).await;
    receive(&mut her_socket, |message| matches!(message, HallServerMessage::SeekAdded { mine: false, .. }))
        .await;
    send(&mut her_socket, "hide-lists").await;
    send(&mut her_socket, "resync").await;
    let own = next_own_proposals(&mut her_socket).await;
    assert_eq!((own.seeks.len(), own.challenges.received.len()), (1, 1));
}

/// News about a game reaches its players on their other pages, unless they have the board open.
#[tokio::test]
async fn news_of_a_game_reaches_its_players_on_other_pages() {
    let house = House::new().await;
    let (mut anna, mut bela) = (visitor(&house).await, visitor(&house).await);
    let (id, invitation) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut her_socket = enter_without_lists(&anna).await;
    next_own_proposals(&mut her_socket).await;
    let path = format!("/api/invitations/{}", invitation.unwrap());
    assert_eq!(bela.post(&path, &Value::Null).await.status, 200);
    let (news, game) = next_news(&mut her_socket).await;
    assert_eq!((news, game.id.as_str(), game.you), (GameNews::Started, id.as_str(), Some(Color::White)));

    let mut his_socket = enter_without_lists(&bela).await;
    next_own_proposals(&mut his_socket).await;
    let mut board = anna.socket(&id, "").await;
    let before = board.snapshot().await.version.0;
    board.play(before, "e2e4").await.unwrap();
    let (news, game) = next_news(&mut his_socket).await;
    assert_eq!((news, game.turn, game.plies), (GameNews::YourTurn, Some(Color::Black), 1));
    board.command(&chat("bonjour")).await.unwrap();
    assert_eq!(next_news(&mut his_socket).await.0, GameNews::Chat);
    let version = board.command(&act(Act::OfferDraw)).await.unwrap();
    assert!(version > before);
    assert_eq!(next_news(&mut his_socket).await.0, GameNews::Offer);

    // While Anna has the board open, her other page does not receive news. Once the board is closed, it does.
    let mut other = bela.socket(&id, "").await;
    other.presence((true, true, 0)).await;
    other.play(version, "e7e5").await.unwrap();
    drop(board);
    other.presence((false, true, 0)).await;
    other.command(&act(Act::Resign)).await.unwrap();
    let (news, game) = next_news(&mut her_socket).await;
    assert_eq!((news, game.plies), (GameNews::Over, 2));

    // Bela offers a rematch and leaves. Anna accepts it when she returns.
    other.command(&act(Act::OfferRematch)).await.unwrap();
    let (news, game) = next_news(&mut her_socket).await;
    assert_eq!((news, game.id.as_str()), (GameNews::Offer, id.as_str()));
    drop(other);
    let mut board = anna.socket(&id, "").await;
    board.presence((true, false, 0)).await;
    board.command(&act(Act::AcceptRematch)).await.unwrap();
    let next = anna.game(&id).await.rematch.unwrap();
    let (news, game) = next_news(&mut his_socket).await;
    assert_eq!((news, game.id, game.you), (GameNews::Started, next, Some(Color::White)));
}

/// A pairing accepts the oldest seek for the same game with a matching side, or creates a seek if there is
/// none.
#[tokio::test]
async fn a_pairing_accepts_the_oldest_seek_that_matches_or_creates_one() {
    let house = House::new().await;
    let request = |color: &str, variant: &str| {
        let mut request = seek(&json!({
            "variant": variant,
            "timeControl": { "type": "fischer", "initialMs": 300_000, "incrementMs": 0 },
        }));
        request["color"] = json!(color);
        request
    };
    let (mut anna, mut bela, mut carl) =
        (visitor(&house).await, visitor(&house).await, visitor(&house).await);
    let mut her_socket = enter_without_lists(&anna).await;
    let _others = [enter_without_lists(&bela).await, enter_without_lists(&carl).await];
    let waiting = anna.post("/api/pairings", &request("white", "chess")).await;
    assert_eq!((waiting.status, waiting.json()["type"].clone()), (200, json!("seek")), "{waiting:?}");
    house.clock.advance(1_000);
    // The visitor's own seek, a seek for another game, and one for the same side do not match.
    let own = anna.post("/api/pairings", &request("black", "chess")).await.json();
    assert_eq!(own["type"], "seek", "{own}");
    let path = format!("/api/seeks/{}", own["id"].as_str().unwrap());
    assert_eq!(anna.request("DELETE", &path, &[], "").await.status, 204);
    for (color, variant) in [("random", "baroque"), ("white", "chess")] {
        let response = bela.post("/api/pairings", &request(color, variant)).await.json();
        assert_eq!(response["type"], "seek", "{color} {variant}");
    }
    let game = carl.post("/api/pairings", &request("random", "chess")).await.json();
    assert_eq!(game["type"], "game", "{game}");
    let (news, started) = next_news(&mut her_socket).await;
    assert_eq!((news, started.id.as_str()), (GameNews::Started, game["id"].as_str().unwrap()));
    assert_eq!(started.you, Some(Color::White), "the oldest seek is Anna's, and she requested White");
    // A player's live seeks end when a live game begins.
    assert_eq!(carl.post("/api/pairings", &request("random", "ultima")).await.json()["type"], "seek");
    assert_eq!(anna.post("/api/pairings", &request("random", "interweave")).await.json()["type"], "seek");
    assert_eq!(bela.post("/api/pairings", &request("random", "ultima")).await.json()["type"], "game");
    let hall: Hall = serde_json::from_value(house.visitor().get("/api/hall").await.json()).unwrap();
    let remaining = hall.seeks.iter().map(|seek| seek.settings.variant.as_str()).collect::<Vec<_>>();
    assert_eq!(remaining, ["interweave"], "the other seeks of the paired players are gone");
}

/// A visitor who opens an invitation sees the terms before taking the seat, and later the outcome.
#[tokio::test]
async fn an_invitation_is_shown_before_it_is_taken() {
    let house = House::new().await;
    let (mut anna, mut bela, mut carl) =
        (visitor(&house).await, visitor(&house).await, visitor(&house).await);
    let (id, token) = anna.create("baroque", "black", &json!({ "type": "friend" })).await;
    let path = format!("/api/invitations/{}", token.unwrap());
    let offered: Invitation = serde_json::from_value(bela.get(&path).await.json()).unwrap();
    assert_eq!((offered.game.status.clone(), offered.game.you), (Status::Waiting, None));
    assert_eq!((offered.game.variant.as_str(), offered.host_is_here), ("baroque", false));
    assert_eq!((offered.game.players.white, anna.game(&id).await.status), (Seat::Open, Status::Waiting));
    let _socket = enter_without_lists(&anna).await;
    assert_eq!(bela.get(&path).await.json()["hostIsHere"], true);
    assert_eq!(anna.get(&path).await.json()["game"]["you"], "black", "it is Anna's own invitation");
    let qr = bela.get(&format!("{path}/qr.svg")).await;
    assert_eq!(qr.status, 200, "{qr:?}");
    assert!(qr.body.contains("<svg"), "{qr:?}");

    assert_eq!(bela.post(&path, &Value::Null).await.status, 200);
    let taken: Invitation = serde_json::from_value(carl.get(&path).await.json()).unwrap();
    assert_eq!((taken.game.status, taken.game.you), (Status::Playing, None));
    carl.post(&path, &Value::Null).await.assert_error(409, "invitation-used");

    // The host may cancel an invitation.
    let (id, token) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    anna.socket(&id, "?version=1").await.command(&act(Act::Abort)).await.unwrap();
    let path = format!("/api/invitations/{}", token.unwrap());
    let over: Invitation = serde_json::from_value(bela.get(&path).await.json()).unwrap();
    assert!(matches!(over.game.status, Status::Over { .. }), "{over:?}");
    let unknown = "/api/invitations/00000000000000000000";
    assert_eq!(bela.get(unknown).await.status, 404);
}
