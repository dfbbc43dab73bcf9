//! Sockets: players, spectators, clients that reconnect, and hostile clients.

use std::{sync::Arc, time::Duration};

use adoube_protocol::{
    Act, ClientMessage, Color, EventKind, GameEvent, GameResult, Millis, Seat, ServerMessage, SessionMessage,
    Status,
};
use adoube_rules::Color as Side;
use futures_util::SinkExt as _;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{
    Bytes, Message,
    protocol::frame::{
        Frame,
        coding::{Data, OpCode},
    },
};

use crate::house::{FakeClock, FirstTurnOpponent, House, Visitor, act, command, play, times, two_players};

/// Returns the event for a turn in a game without clocks.
fn played(color: Side, turn: &str) -> GameEvent {
    GameEvent::Other(EventKind::Played { color, turn: turn.into(), clock: None, lag_ms: 0 })
}

/// Asserts that a message is a pong with the time at which every test begins and the expected version of the
/// game.
#[track_caller]
fn assert_pong(message: Option<&ServerMessage>, expected: u64) {
    let Some(&ServerMessage::Pong { at, version, .. }) = message else { panic!("{message:?}") };
    assert_eq!((at, version.0), (Millis(FakeClock::START), expected));
}

#[tokio::test]
async fn two_players_see_each_others_turns() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let (mut one, mut two) = (white.socket(&id, "").await, black.socket(&id, "").await);
    let mut spectator = house.visitor().socket(&id, "").await;
    assert_eq!(one.snapshot().await.you, Some(Color::White));
    assert_eq!(two.snapshot().await.you, Some(Color::Black));
    assert_eq!(spectator.snapshot().await.you, None);

    one.send(&play(2, "e2e4")).await;
    assert_eq!(one.event().await, (3, played(Side::White, "e2e4")));
    assert_eq!(two.event().await, (3, played(Side::White, "e2e4")));
    assert_eq!(spectator.event().await, (3, played(Side::White, "e2e4")));
    two.send(&play(3, "e7e5")).await;
    assert_eq!(one.event().await, (4, played(Side::Black, "e7e5")));
    assert_eq!(spectator.event().await, (4, played(Side::Black, "e7e5")));
}

#[tokio::test]
async fn a_waiting_player_learns_that_the_opponent_has_joined() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    let (id, invitation) = anna.create("interweave", "white", &json!({ "type": "friend" })).await;
    let mut socket = anna.socket(&id, "").await;
    assert_eq!(socket.snapshot().await.status, Status::Waiting);
    assert_eq!(socket.play(1, "b2c3").await, Err("not-started".into()));
    bela.post(&format!("/api/invitations/{}", invitation.unwrap()), &Value::Null).await;
    assert_eq!(
        socket.event().await,
        (2, GameEvent::Joined { color: Color::Black, seat: Seat::Person { name: None } })
    );
    assert_eq!(socket.play(2, "b2c3").await, Ok(3));
}

#[tokio::test]
async fn a_spectators_socket_becomes_a_players_when_the_visitor_takes_the_seat() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    let (id, invitation) = anna.create("baroque", "white", &json!({ "type": "friend" })).await;
    let mut her_socket = anna.socket(&id, "").await;
    bela.get("/api/account").await;
    // The invitation page opens the game's socket before the visitor takes the seat, and keeps it open.
    let mut his_socket = bela.socket(&id, "").await;
    assert_eq!(his_socket.snapshot().await.you, None);
    bela.post(&format!("/api/invitations/{}", invitation.unwrap()), &Value::Null).await;
    let seated = his_socket.snapshot().await;
    assert_eq!((seated.you, seated.version), (Some(Color::Black), adoube_protocol::Version(2)));
    assert_eq!(her_socket.play(2, "a2a4").await, Ok(3));
    assert_eq!(his_socket.play(3, "a7a5").await, Ok(4));
    assert_eq!(her_socket.play(4, "h2h4").await, Ok(5));
    // The socket now counts as the player's presence, so the opponent cannot claim that the player has left.
    house.clock.advance(600_000);
    let claim = act(Act::ClaimLeft);
    assert_eq!(her_socket.command(&claim).await, Err("still-there".into()));
}

#[tokio::test]
async fn a_mate_ends_the_game_for_all() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.play(2, "f2f3").await.unwrap();
    two.play(3, "e7e5").await.unwrap();
    one.play(4, "g2g4").await.unwrap();
    // The version in the response includes the event that ends the game.
    assert_eq!(two.play(5, "d8h4").await, Ok(7));
    while one.event().await.0 < 6 {}
    let ended = GameEvent::Ended { result: GameResult::BlackWins, reason: "checkmate".into(), clock: None };
    assert_eq!(one.event().await, (7, ended));
    let pgn = white.clone().get(&format!("/api/games/{id}/pgn")).await;
    assert!(pgn.headers["content-type"].starts_with("application/x-chess-pgn"));
    assert!(
        pgn.body.contains("[Date \"1970.01.01\"]") && pgn.body.contains("[Result \"0-1\"]"),
        "{}",
        pgn.body
    );
    assert!(pgn.body.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n\n"), "{}", pgn.body);
    assert_eq!(one.command(&act(Act::Resign)).await, Err("game-over".into()));
}

#[tokio::test]
async fn a_client_that_reconnects_receives_the_events_it_missed() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let (mut one, mut two) = (white.socket(&id, "").await, black.socket(&id, "").await);
    one.snapshot().await;
    two.snapshot().await;
    one.play(2, "e2e4").await.unwrap();
    drop(one);
    two.play(3, "e7e5").await.unwrap();
    two.command(&act(Act::OfferDraw)).await.unwrap();

    let mut reconnected = white.socket(&id, "?version=3").await;
    assert_eq!(reconnected.event().await, (4, played(Side::Black, "e7e5")));
    assert_eq!(
        reconnected.event().await,
        (5, GameEvent::Other(EventKind::DrawOffered { color: Side::Black }))
    );
    // A client that is up to date receives nothing and can play.
    let mut same = white.socket(&id, "?version=5").await;
    assert_eq!(same.play(5, "g1f3").await, Ok(6));
    // A client with an impossible version, or with none, gets a snapshot.
    for query in [
        "",
        "?version=0",
        "?version=99",
        "?version=-1",
        "?version=x",
        "?version=",
        "?version=1&version=2",
        "?other=1",
    ] {
        let game = white.socket(&id, query).await.snapshot().await;
        assert_eq!((game.version.0, game.turns.len()), (6, 3), "{query}");
    }
    same.send(&SessionMessage::Resync.into()).await;
    while !matches!(same.next().await, Some(ServerMessage::Snapshot { game }) if game.version.0 == 6) {}
}

#[tokio::test]
async fn a_client_that_missed_many_events_gets_a_snapshot() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    let mut version = 2;
    // Only pawns move so that no position is repeated.
    for file in "abcdefgh".chars() {
        for (white, black) in [('2', '7'), ('3', '6')] {
            let next = |rank: char, by: i8| char::from((rank as u8).wrapping_add_signed(by));
            version = one.play(version, &format!("{file}{white}{file}{}", next(white, 1))).await.unwrap();
            two.play(version, &format!("{file}{black}{file}{}", next(black, -1))).await.unwrap();
            // White also offers a draw, and Black declines, so that the log has more events than turns.
            version = one.command(&act(Act::OfferDraw)).await.unwrap();
            version = two.command(&act(Act::DeclineDraw)).await.unwrap_or(version);
        }
    }
    assert_eq!(version, 66);
    // The first client has missed one event too many; the second has missed exactly the limit.
    assert_eq!(white.socket(&id, "?version=1").await.snapshot().await.version.0, 66);
    assert!(matches!(white.socket(&id, "?version=2").await.next().await, Some(ServerMessage::Event { .. })));
}

#[tokio::test]
async fn a_repeated_command_is_carried_out_once() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let mut one = white.socket(&id, "?version=2").await;
    let turn = play(2, "e2e4");
    assert_eq!(one.command(&turn).await, Ok(3));
    assert_eq!(one.command(&turn).await, Ok(3));
    // A repeat gets the same response after further turns, over another socket, and after a restart.
    black.socket(&id, "?version=3").await.play(3, "e7e5").await.unwrap();
    let mut again = white.socket(&id, "?version=4").await;
    assert_eq!(again.command(&turn).await, Ok(3));
    drop((one, again));
    let house = House::open(house.close().await, Arc::new(FirstTurnOpponent), |_| ()).await;
    let mut white = Visitor { address: house.address, ..white };
    assert_eq!(white.socket(&id, "?version=4").await.command(&turn).await, Ok(3));
    assert_eq!(white.game(&id).await.turns, ["e2e4", "e7e5"]);
    // From another player, the same command id denotes a new command.
    let mut black = Visitor { address: house.address, ..black }.socket(&id, "?version=4").await;
    assert_eq!(black.command(&turn).await, Err("other-position".into()));
}

#[tokio::test]
async fn a_command_id_stands_for_one_act_in_one_game() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let mut one = white.clone().socket(&id, "?version=2").await;
    let turn = play(2, "e2e4");
    assert_eq!(one.command(&turn).await, Ok(3));
    let ClientMessage::Act { command: used, .. } = turn else { unreachable!() };
    // The id cannot be used for another act in the same game.
    let other = ClientMessage::Act { command: used, act: Act::Play { version: 2, turn: "d2d4".into() } };
    assert_eq!(one.command(&other).await, Err("command-used".into()));
    assert_eq!(
        one.command(&ClientMessage::Act { command: used, act: Act::Resign }).await,
        Err("command-used".into())
    );
    assert_eq!(one.command(&turn).await, Ok(3));
    // Nor can it be used in another game, even for the same act.
    let mut white = white;
    let request = json!({
        "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess",
    });
    let response = white.post("/api/games", &request).await.json();
    let second = response["id"].as_str().unwrap().to_owned();
    let mut black = black;
    black.post(&format!("/api/invitations/{}", response["invitation"].as_str().unwrap()), &Value::Null).await;
    let mut two = white.clone().socket(&second, "?version=2").await;
    assert_eq!(two.command(&turn).await, Err("command-used".into()));
    assert_eq!(
        two.command(&ClientMessage::Act { command: used, act: Act::Resign }).await,
        Err("command-used".into())
    );
    let game = white.game(&second).await;
    assert!(game.turns.is_empty() && game.status == Status::Playing);
    // A repeated request to create a game gets the same game; any other request needs a new id.
    assert_eq!(white.post("/api/games", &request).await.json(), response);
    let mut changed = request.clone();
    changed["color"] = "black".into();
    for command in [request["command"].clone(), json!(used)] {
        changed["command"] = command;
        white.post("/api/games", &changed).await.assert_error(409, "command-used");
    }
    // A chat message may reuse the id of an act, but a second chat message may not.
    let line = |text: &str| ClientMessage::from(SessionMessage::Chat { command: used, text: text.into() });
    assert!(one.command(&line("hello")).await.is_ok());
    assert!(one.command(&line("hello")).await.is_ok());
    assert_eq!(one.command(&line("bye")).await, Err("command-used".into()));
    assert_eq!(two.command(&line("hello")).await, Err("command-used".into()));
}

#[tokio::test]
async fn the_server_alone_decides_what_is_legal() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    let mut stranger = house.visitor().socket(&id, "?version=2").await;
    assert_eq!(two.play(2, "e7e5").await, Err("not-your-turn".into()));
    assert_eq!(one.play(2, "e7e5").await, Err("turn-not-your-man".into()));
    assert_eq!(one.play(2, "e2e5").await, Err("turn-illegal".into()));
    assert_eq!(one.play(2, "e3e4").await, Err("turn-empty-square".into()));
    assert_eq!(one.play(2, "check!").await, Err("turn-syntax".into()));
    assert_eq!(one.play(99, "e2e4").await, Err("other-position".into()));
    assert_eq!(stranger.play(2, "e2e4").await, Err("not-a-player".into()));
    let resign = act(Act::Resign);
    assert_eq!(stranger.command(&resign).await, Err("not-a-player".into()));
    assert_eq!(one.command(&act(Act::AcceptDraw)).await, Err("no-draw-offer".into()));
    assert_eq!(one.play(2, "e2e4").await, Ok(3));
    // This turn is based on the previous position.
    assert_eq!(two.play(2, "e7e5").await, Err("other-position".into()));
    // An offer in between does not invalidate a turn.
    one.command(&act(Act::OfferDraw)).await.unwrap();
    assert_eq!(two.play(3, "e7e5").await, Ok(5));
    assert_eq!(white.clone().game(&id).await.draw_offer, None);
}

#[tokio::test]
async fn a_draw_is_agreed() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "baroque").await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.command(&act(Act::OfferDraw)).await.unwrap();
    assert_eq!(two.event().await, (3, GameEvent::Other(EventKind::DrawOffered { color: Side::White })));
    two.command(&act(Act::DeclineDraw)).await.unwrap();
    two.command(&act(Act::OfferDraw)).await.unwrap();
    one.command(&act(Act::AcceptDraw)).await.unwrap();
    let status = white.clone().game(&id).await.status;
    assert_eq!(status, Status::Over { result: GameResult::Draw, reason: "agreement".into() });
}

#[tokio::test]
async fn concurrent_commands_are_all_answered_and_the_log_has_no_gap() {
    let house = House::new().await;
    let (white, _, id) = two_players(&house, "chess").await;
    let mut sockets = Vec::new();
    for _ in 0..8 {
        sockets.push(white.socket(&id, "?version=2").await);
    }
    let rivals = sockets.into_iter().zip(["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"]);
    let rivals = rivals.map(|(mut socket, turn)| tokio::spawn(async move { socket.play(2, turn).await }));
    let mut accepted = 0;
    for rival in rivals.collect::<Vec<_>>() {
        match rival.await.unwrap() {
            Ok(version) => accepted += usize::from(version == 3),
            Err(code) => assert_eq!(code, "other-position"),
        }
    }
    assert_eq!(accepted, 1);
    assert_eq!(white.clone().game(&id).await.version.0, 3);
}

#[tokio::test]
async fn s4_an_invalid_message_is_refused_and_the_socket_stays_open() {
    let house = House::new().await;
    let (white, _, id) = two_players(&house, "chess").await;
    let mut socket = white.socket(&id, "?version=2").await;
    for text in [
        "",
        "{",
        "null",
        "[]",
        "{\"type\":\"cheat\"}",
        "{\"type\":\"play\"}",
        "\u{0}",
        "🤷",
        &"[".repeat(8000),
    ] {
        socket.stream.send(Message::text(text)).await.unwrap();
        let response = socket.next().await;
        let Some(ServerMessage::Refused { command: None, code, .. }) = response else {
            panic!("{response:?}")
        };
        assert_eq!(code, "bad-message");
    }
    socket.send(&SessionMessage::Ping.into()).await;
    assert_pong(socket.next().await.as_ref(), 2);
    assert_eq!(socket.play(2, "e2e4").await, Ok(3));
}

#[tokio::test]
async fn s4_hostile_messages_close_their_own_connection_with_a_reason() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let mut peaceful = black.socket(&id, "?version=2").await;

    let mut socket = white.socket(&id, "?version=2").await;
    socket.stream.send(Message::binary(vec![0; 10])).await.unwrap();
    assert_eq!(socket.wait_for_close().await, (1008, "only text is understood".into()));

    for length in [8_193, 9 * 1_024, 16 * 1_024, 60 * 1_024] {
        let mut socket = white.socket(&id, "?version=2").await;
        let _ = socket.stream.send(Message::text("x".repeat(length))).await;
        assert_eq!(socket.wait_for_close().await, (1009, "the message is too long".into()), "{length}");
    }

    // A message in fragments, each of which is short enough, is still too long.
    let mut socket = white.socket(&id, "?version=2").await;
    for piece in 0..5 {
        let kind = if piece == 0 { Data::Text } else { Data::Continue };
        let frame = Frame::message(Bytes::from(vec![b'x'; 2000]), OpCode::Data(kind), piece == 4);
        let _ = socket.stream.send(Message::Frame(frame)).await;
    }
    assert_eq!(socket.wait_for_close().await, (1009, "the message is too long".into()));

    let mut socket = white.socket(&id, "?version=2").await;
    let frame = Frame::message(Bytes::from(vec![0xff, 0xfe]), OpCode::Data(Data::Text), true);
    socket.stream.send(Message::Frame(frame)).await.unwrap();
    assert_eq!(socket.wait_for_close().await, (1008, "only text is understood".into()));

    let mut socket = white.socket(&id, "?version=2").await;
    for _ in 0..120 {
        let _ = socket.stream.send(Message::text("{\"type\":\"ping\"}")).await;
    }
    assert_eq!(socket.wait_for_close().await, (1008, "too many messages".into()));

    let mut socket = white.socket(&id, "?version=2").await;
    for _ in 0..120 {
        let _ = socket.stream.send(Message::Ping(Bytes::new())).await;
    }
    assert_eq!(socket.wait_for_close().await, (1008, "too many messages".into()));

    // The other player is not affected.
    peaceful.send(&SessionMessage::Ping.into()).await;
    assert_pong(peaceful.next().await.as_ref(), 2);
}

/// The client requests snapshots without reading them. It is disconnected once a write to it has made no
/// progress for the duration of the write timeout. Other clients are not affected.
#[tokio::test]
async fn s5_a_client_that_never_reads_its_socket_is_disconnected() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.limits.send_time = Duration::from_millis(200);
        (config.limits.messages, config.limits.messages_per_address) = times(1_000_000);
    })
    .await;
    let (white, black, id) = two_players(&house, "chess").await;
    let mut deaf = white.socket(&id, "").await;
    let sending = async {
        let message = serde_json::to_string(&SessionMessage::Resync).unwrap();
        while deaf.stream.send(Message::text(message.as_str())).await.is_ok() {}
    };
    let ended = tokio::time::timeout(Duration::from_mins(1), sending).await;
    assert!(ended.is_ok(), "the server is still waiting");
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.play(2, "e2e4").await.unwrap();
    assert_eq!(two.event().await.1, played(Side::White, "e2e4"));
}

#[tokio::test]
async fn s6_a_handshake_must_come_from_a_page_of_the_house() {
    let house = House::new().await;
    let (white, _, id) = two_players(&house, "chess").await;
    for origin in [None, Some("null"), Some("https://evil.example"), Some("http://127.0.0.1"), Some("")] {
        assert_eq!(white.try_socket(&id, "", origin).await.err(), Some(403), "{origin:?}");
    }
    let own = format!("http://{}", house.address);
    assert_eq!(white.try_socket("000000000000", "", Some(&own)).await.err(), Some(404));
    assert_eq!(white.try_socket("x", "", Some(&own)).await.err(), Some(404));
    assert!(white.try_socket(&id, "", Some(&own)).await.is_ok());
}

#[tokio::test]
async fn a_silent_client_is_disconnected() {
    let house =
        House::with(Arc::new(FirstTurnOpponent), |config| config.limits.silence = Duration::from_millis(300))
            .await;
    let (white, black, id) = two_players(&house, "chess").await;
    let mut silent = white.socket(&id, "").await;
    silent.snapshot().await;
    let mut alive = black.socket(&id, "?version=2").await;
    // The client answers the server's pings only while it reads, so a client that does not read is silent.
    alive.presence((false, true, 0)).await;
    assert_eq!(silent.wait_for_close().await, (1008, "silent for too long".into()));
    alive.assert_open().await;
}

#[tokio::test]
async fn a_stopping_server_closes_its_sockets_and_its_games_continue_later() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "interweave").await;
    let mut socket = white.socket(&id, "?version=2").await;
    assert_eq!(socket.play(2, "b2c3").await, Ok(3));
    let closing = tokio::spawn(house.close());
    assert_eq!(socket.wait_for_close().await, (1012, "the server is restarting".into()));
    let house = House::open(closing.await.unwrap(), Arc::new(FirstTurnOpponent), |_| ()).await;
    let mut socket = Visitor { address: house.address, ..black }.socket(&id, "?version=2").await;
    assert_eq!(socket.event().await, (3, played(Side::White, "b2c3")));
    assert!(socket.play(3, "b7c6").await.is_ok());
}
