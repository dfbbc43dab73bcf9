//! Blocked players, and the visibility of a player's presence.

use std::sync::Arc;

use adoube_bus::LocalBus;
use adoube_protocol::{Act, Hall, HallServerMessage, ServerMessage};
use serde_json::{Value, json};

use crate::{
    hall::{enter, next_hall, receive, seek},
    house::{House, Response, Socket, Visitor, act, begin, chat, command},
};

async fn member(house: &House, name: &str) -> Visitor {
    let mut visitor = house.visitor();
    visitor.register(name).await;
    visitor
}

pub(crate) async fn block(visitor: &mut Visitor, name: &str) -> Response {
    visitor.post("/api/account/blocks", &json!({ "name": name })).await
}

pub(crate) async fn unblock(visitor: &mut Visitor, name: &str) -> Response {
    let body = json!({ "name": name }).to_string();
    visitor.request("DELETE", "/api/account/blocks", &[("content-type", "application/json")], &body).await
}

pub(crate) async fn show_to(visitor: &mut Visitor, audience: &str) {
    let body = json!({ "shownTo": audience }).to_string();
    let headers = [("content-type", "application/json")];
    let changed = visitor.request("PATCH", "/api/account/presence", &headers, &body).await;
    assert_eq!(changed.json()["account"]["shownTo"], audience, "{changed:?}");
}

async fn challenge(visitor: &mut Visitor, to: &str) -> Response {
    let body = json!({ "command": command(), "to": to, "color": "white", "variant": "chess" });
    visitor.post("/api/challenges", &body).await
}

async fn hall(visitor: &mut Visitor) -> Hall {
    serde_json::from_value(visitor.get("/api/hall").await.json()).unwrap()
}

/// Waits until the hall sends exactly these names.
pub(crate) async fn people(socket: &mut Socket, expected: &[&str]) {
    receive(socket, |message| match message {
        HallServerMessage::People { people } => people.names == expected,
        HallServerMessage::Hall { hall } => hall.people.names == expected,
        _ => false,
    })
    .await;
}

/// Returns the next chat message.
async fn line(socket: &mut Socket) -> String {
    loop {
        if let ServerMessage::Chat { line } = socket.next().await.expect("the socket was closed") {
            return line.text;
        }
    }
}

#[tokio::test]
async fn blocks_can_be_listed_and_undone_and_are_limited_to_accounts() {
    let house = House::new().await;
    let mut anna = member(&house, "Anna").await;
    member(&house, "Eve").await;
    block(&mut house.visitor(), "Eve").await.assert_error(401, "not-signed-in");
    block(&mut anna, "Nobody").await.assert_error(404, "player-not-found");
    block(&mut anna, "anna").await.assert_error(422, "own-block");
    let blocked = block(&mut anna, "eve").await.json();
    assert_eq!(blocked["blocked"][0]["name"], "Eve");
    assert_eq!(block(&mut anna, "Eve").await.json()["blocked"].as_array().unwrap().len(), 1);
    // The export of the account's data includes its blocks.
    let data = anna.get("/api/account/data").await.json();
    assert_eq!(data["blocks"][0]["name"], "Eve");
    assert_eq!(data["account"]["shownTo"], "everybody");
    assert_eq!(unblock(&mut anna, "Eve").await.json()["blocked"], json!([]));
    assert_eq!(unblock(&mut anna, "Eve").await.json()["blocked"], json!([]));
}

#[tokio::test]
async fn a_blocked_player_can_neither_challenge_nor_be_paired() {
    let house = House::new().await;
    let (mut anna, mut eve) = (member(&house, "Anna").await, member(&house, "Eve").await);
    let (mut anna_socket, mut eve_socket) = (enter(&anna).await, enter(&eve).await);
    next_hall(&mut anna_socket).await;
    next_hall(&mut eve_socket).await;
    let open_challenge = challenge(&mut eve, "Anna").await.json()["id"].as_str().unwrap().to_owned();
    let request =
        seek(&json!({ "timeControl": { "type": "fischer", "initialMs": 60_000, "incrementMs": 0 } }));
    let own_seek = anna.post("/api/seeks", &request).await.json()["id"].as_str().unwrap().to_owned();
    people(&mut eve_socket, &["Anna", "Eve"]).await;

    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    // The blocked player's open page is updated immediately: the seek and the name disappear.
    people(&mut eve_socket, &["Eve"]).await;
    let shown = hall(&mut eve).await;
    assert_eq!((shown.people.count, shown.people.names), (2, vec!["Eve".to_owned()]));
    assert_eq!((shown.seeks.len(), shown.challenges.sent.len()), (0, 0));
    eve.post(&format!("/api/seeks/{own_seek}/accept"), &Value::Null)
        .await
        .assert_error(404, "seek-not-found");
    challenge(&mut eve, "Anna").await.assert_error(403, "blocked");
    challenge(&mut anna, "Eve").await.assert_error(409, "blocked-by-you");
    let response = anna.post(&format!("/api/challenges/{open_challenge}/accept"), &Value::Null).await;
    response.assert_error(404, "challenge-not-found");
    // A pairing does not accept the seek of a player who has blocked the visitor.
    let mut same = request.clone();
    same["command"] = json!(command());
    same["color"] = json!("random");
    assert_eq!(eve.post("/api/pairings", &same).await.json()["type"], "seek");
    assert_eq!(hall(&mut anna).await.seeks.len(), 1, "Anna does not see Eve's seek either");

    assert_eq!(unblock(&mut anna, "Eve").await.status, 200);
    people(&mut eve_socket, &["Anna", "Eve"]).await;
    assert_eq!(challenge(&mut eve, "Anna").await.status, 201);
}

#[tokio::test]
async fn a_blocked_players_lines_are_hidden_from_the_blocker_on_all_nodes() {
    let bus = Arc::new(LocalBus::new());
    let (one, other) = House::pair(Arc::<LocalBus>::clone(&bus), bus).await;
    let (mut anna, eve) = (member(&one, "Anna").await, member(&one, "Eve").await);
    let mut bela = member(&one, "Bela").await;
    let mut carl = one.visitor();
    let game = begin(&mut bela, &mut carl, json!({ "variant": "chess" })).await;
    // Anna watches on the other node.
    let at_other = Visitor { address: other.address, ..anna.clone() };
    let mut anna_socket = at_other.socket(&game, "").await;
    let mut eve_socket = eve.socket(&game, "").await;
    let mut guest_socket = other.visitor().socket(&game, "").await;
    eve_socket.command(&chat("before")).await.unwrap();
    assert_eq!(line(&mut anna_socket).await, "before");
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    // Once the other node has sent the hall to a new socket, it has received the notice of the block.
    let mut in_hall = enter(&at_other).await;
    next_hall(&mut in_hall).await;
    eve_socket.command(&chat("hidden")).await.unwrap();
    assert_eq!([line(&mut guest_socket).await, line(&mut guest_socket).await], ["before", "hidden"]);
    let mut second_socket = anna.socket(&game, "").await;
    second_socket.command(&chat("after")).await.unwrap();
    assert_eq!(line(&mut anna_socket).await, "after");
    // The history on a page that is opened later does not contain the lines either.
    let mut late = anna.socket(&game, "").await;
    let lines = loop {
        if let ServerMessage::ChatHistory { lines } = late.next().await.unwrap() {
            break lines;
        }
    };
    assert_eq!(lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["after"]);
}

#[tokio::test]
async fn a_blocked_opponent_can_play_on_but_cannot_chat_or_offer_a_rematch() {
    let house = House::new().await;
    let (mut anna, mut eve) = (member(&house, "Anna").await, member(&house, "Eve").await);
    let game = begin(&mut anna, &mut eve, json!({ "variant": "chess" })).await;
    let (mut anna_socket, mut eve_socket) = (anna.socket(&game, "").await, eve.socket(&game, "").await);
    let before = chat("before");
    eve_socket.command(&before).await.unwrap();
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    assert_eq!(eve_socket.command(&chat("you fool")).await, Err("blocked".to_owned()));
    // The player who has blocked the other cannot write either, because the other could not answer.
    assert_eq!(anna_socket.command(&chat("you fool")).await, Err("blocked-by-you".to_owned()));
    let version = anna_socket.play(1, "e2e4").await.unwrap();
    eve_socket.play(version, "e7e5").await.unwrap();
    anna_socket.command(&act(Act::Resign)).await.unwrap();
    assert_eq!(eve_socket.command(&act(Act::OfferRematch)).await, Err("blocked".to_owned()));
    assert_eq!(anna_socket.command(&act(Act::OfferRematch)).await, Err("blocked-by-you".to_owned()));
    assert_eq!(unblock(&mut anna, "Eve").await.status, 200);
    let offer = act(Act::OfferRematch);
    let offered = eve_socket.command(&offer).await.unwrap();
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    assert_eq!(eve_socket.command(&offer).await, Ok(offered), "a repeated command is answered as before");
    assert_eq!(anna_socket.command(&act(Act::AcceptRematch)).await, Err("blocked-by-you".to_owned()));
    assert_eq!(unblock(&mut anna, "Eve").await.status, 200);
    anna_socket.command(&act(Act::AcceptRematch)).await.unwrap();
}

#[tokio::test]
async fn after_a_block_neither_player_can_take_the_others_invitation() {
    let house = House::new().await;
    let (mut anna, mut eve) = (member(&house, "Anna").await, member(&house, "Eve").await);
    let _anna_socket = enter(&anna).await;
    let body = json!({ "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess" });
    let invitation = async |visitor: &mut Visitor, body: &Value| {
        let created = visitor.post("/api/games", body).await.json();
        format!("/api/invitations/{}", created["invitation"].as_str().unwrap())
    };
    let by_anna = invitation(&mut anna, &body).await;
    let by_eve = invitation(&mut eve, &body).await;
    assert_eq!(eve.get(&by_anna).await.json()["hostIsHere"], true);
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    assert_eq!(eve.get(&by_anna).await.json()["hostIsHere"], false);
    eve.post(&by_anna, &Value::Null).await.assert_error(403, "blocked");
    anna.post(&by_eve, &Value::Null).await.assert_error(409, "blocked-by-you");
    // If the seat is taken, the refusal says so instead. The link still works for the game's players.
    let mut guest = house.visitor();
    assert_eq!(guest.post(&by_anna, &Value::Null).await.status, 200);
    eve.post(&by_anna, &Value::Null).await.assert_error(409, "invitation-used");
    assert_eq!(anna.post(&by_anna, &Value::Null).await.status, 200);
    assert_eq!(unblock(&mut anna, "Eve").await.status, 200);
    assert_eq!(anna.post(&by_eve, &Value::Null).await.status, 200);
}

#[tokio::test]
async fn a_deleted_account_leaves_no_block() {
    let house = House::new().await;
    let (mut anna, mut eve) = (member(&house, "Anna").await, member(&house, "Eve").await);
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    challenge(&mut eve, "Anna").await.assert_error(403, "blocked");
    let deletion = json!({ "password": "correct horse" }).to_string();
    let headers = [("content-type", "application/json")];
    assert_eq!(eve.request("DELETE", "/api/account", &headers, &deletion).await.status, 204);
    assert_eq!(anna.get("/api/account/blocks").await.json()["blocked"], json!([]));
    assert_eq!(anna.get("/api/account/data").await.json()["blocks"], json!([]));
    let mut bela = member(&house, "Bela").await;
    assert_eq!(block(&mut bela, "Anna").await.status, 200);
    assert_eq!(bela.request("DELETE", "/api/account", &headers, &deletion).await.status, 204);
    challenge(&mut anna, "Bela").await.assert_error(404, "player-not-found");
}

#[tokio::test]
async fn a_player_chooses_who_sees_their_presence() {
    let house = House::new().await;
    let (mut anna, mut bela) = (member(&house, "Anna").await, member(&house, "Bela").await);
    let mut guest = house.visitor();
    guest.get("/api/account").await;
    let _anna_socket = enter(&anna).await;
    let (mut bela_socket, mut guest_socket) = (enter(&bela).await, enter(&guest).await);
    people(&mut bela_socket, &["Anna", "Bela"]).await;
    people(&mut guest_socket, &["Anna", "Bela"]).await;
    show_to(&mut anna, "members").await;
    people(&mut guest_socket, &["Bela"]).await;
    assert_eq!(hall(&mut bela).await.people.names, ["Anna", "Bela"]);
    show_to(&mut anna, "nobody").await;
    people(&mut bela_socket, &["Bela"]).await;
    let shown = hall(&mut bela).await.people;
    assert_eq!((shown.count, shown.names.len()), (3, 1), "an invisible player is counted like a guest");
    // In their own games, invisible players are shown as present.
    let game = begin(&mut bela, &mut anna, json!({ "variant": "chess" })).await;
    let _playing = anna.socket(&game, "").await;
    bela.socket(&game, "").await.presence((true, true, 0)).await;
    show_to(&mut anna, "everybody").await;
    people(&mut guest_socket, &["Anna", "Bela"]).await;
    let body = json!({ "shownTo": "friends" }).to_string();
    let headers = [("content-type", "application/json")];
    anna.request("PATCH", "/api/account/presence", &headers, &body).await.assert_error(400, "bad-message");
}
