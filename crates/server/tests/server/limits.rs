//! Limits on the resources that a visitor may use, regardless of the number of connections and identities.

use std::{sync::Arc, time::Duration};

use adoube_protocol::{Act, ClientMessage, EventKind, GameEvent, ServerMessage, SessionMessage};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::house::{FirstTurnOpponent, House, Visitor, act, chat, command, eventually, times};

#[tokio::test]
async fn opening_another_socket_does_not_reset_an_allowance() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.chat_lines, config.limits.chat_lines_per_address) = times(3);
    })
    .await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut accepted = 0;
    for _ in 0..4 {
        let mut socket = anna.socket(&id, "").await;
        for _ in 0..2 {
            let line = chat("spam");
            match socket.command(&line).await {
                Ok(_) => accepted += 1,
                Err(code) => assert_eq!(code, "chat-too-fast"),
            }
        }
    }
    assert_eq!(accepted, 3);
    // Another identity from the same address does not get a separate allowance.
    let mut other = house.visitor();
    other.get("/api/account").await;
    let line = chat("spam");
    assert_eq!(other.socket(&id, "").await.command(&line).await, Err("chat-too-fast".into()));
}

#[tokio::test]
async fn a_rematch_counts_against_the_creation_limit() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(3);
    })
    .await;
    let mut anna = house.visitor();
    let (mut id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let mut games = 1;
    loop {
        let mut socket = anna.socket(&id, "").await;
        socket.command(&act(Act::Abort)).await.unwrap();
        match socket.command(&act(Act::OfferRematch)).await {
            Ok(_) => games += 1,
            Err(code) => {
                assert_eq!(code, "too-many");
                break;
            }
        }
        id = loop {
            if let Some(ServerMessage::Event {
                event: GameEvent::Other(EventKind::RematchAccepted { next, .. }),
                ..
            }) = socket.next().await
            {
                break next.to_string();
            }
        };
    }
    assert_eq!(games, 3);
    // Each game of a match is charged.
    let body = json!({ "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess", "games": 20 });
    house.visitor().post("/api/games", &body).await.assert_error(429, "too-many");
}

#[tokio::test]
async fn opening_a_game_counts_against_the_snapshot_limit() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.snapshots, config.limits.snapshots_per_address) = times(3);
    })
    .await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let page = format!("/api/games/{id}");
    assert_eq!(anna.get(&page).await.status, 200);
    anna.socket(&id, "").await.snapshot().await;
    assert_eq!(anna.get(&page).await.status, 200);
    anna.get(&page).await.assert_error(429, "too-many");
    assert_eq!(anna.socket(&id, "").await.wait_for_close().await.0, 1013);
    // Sending the missed events does not count as a snapshot, so a player who reconnects can continue.
    let mut socket = anna.socket(&id, "?version=1").await;
    assert_eq!(socket.play(1, "e2e4").await, Ok(2));
}

#[tokio::test]
async fn a_refusal_says_how_long_to_wait() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(1);
    })
    .await;
    let mut anna = house.visitor();
    anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let body = json!({ "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess" });
    let refused = anna.post("/api/games", &body).await;
    assert_eq!(refused.assert_error(429, "too-many")["seconds"], "3600");
    assert_eq!(refused.headers["retry-after"], "3600");
}

#[tokio::test]
async fn stored_bytes_are_limited_with_a_reserve_for_turns() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.bytes, config.limits.bytes_per_address) = times(10_000);
    })
    .await;
    let mut anna = house.visitor();
    let friend = json!({ "type": "friend" });
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let body = || json!({ "command": command(), "color": "white", "opponent": friend, "variant": "chess" });
    for _ in 0..2 {
        assert_eq!(anna.post("/api/games", &body()).await.status, 201);
    }
    anna.post("/api/games", &body()).await.assert_error(429, "too-many");
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    assert_eq!(socket.play(1, "e2e4").await, Ok(2));
}

#[tokio::test]
async fn a_full_disk_blocks_new_games_but_not_running_ones() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let house = House::open_at(house.close().await, 2_000_000, Arc::new(FirstTurnOpponent), |config| {
        config.limits.low_disk_bytes = u64::MAX;
    })
    .await;
    anna.address = house.address;
    let body = json!({ "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess" });
    let refused = anna.post("/api/games", &body).await;
    refused.assert_error(503, "low-disk");
    assert_eq!(refused.headers["retry-after"], "60");
    anna.post("/api/account", &json!({ "name": "Anna", "password": "correct horse" }))
        .await
        .assert_error(503, "low-disk");
    let mut socket = anna.socket(&id, "").await;
    let version = socket.snapshot().await.version.0;
    let line = chat("hello");
    assert_eq!(socket.command(&line).await, Err("low-disk".into()));
    assert_eq!(socket.play(version, "e2e4").await, Ok(version + 1));
}

#[tokio::test]
async fn exports_are_complete_and_cache_no_games() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(1_000);
        (config.limits.exports, config.limits.exports_per_address) = times(4);
    })
    .await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    // More games than fit on a page of the list.
    for _ in 0..130 {
        anna.create("chess", "white", &json!({ "type": "friend" })).await;
    }
    let text = format!("1. e4 {{{}}} *", "x".repeat(5_000));
    for name in ["one", "two"] {
        let body = json!({ "command": command(), "name": name, "pgn": text });
        assert_eq!(
            anna.request("POST", "/api/analyses", &[("content-type", "application/json")], &body.to_string())
                .await
                .status,
            201
        );
    }
    let house = House::open_at(house.close().await, 2_000_000, Arc::new(FirstTurnOpponent), |config| {
        (config.limits.exports, config.limits.exports_per_address) = times(4);
        config.metrics = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    anna.address = house.address;
    let pgn = anna.get("/api/account/export").await;
    assert_eq!(pgn.headers["content-type"], "application/x-chess-pgn; charset=utf-8");
    assert_eq!(pgn.body.matches("[White \"Anna\"]").count(), 130);
    assert_eq!(anna.get("/api/games/pgn?variant=baroque").await.body, "");
    let metrics = Visitor::at(house.metrics.unwrap()).get("/metrics").await.body;
    assert!(metrics.lines().any(|line| line == "adoube_games_remembered 0"), "{metrics}");
    let data = anna.get("/api/account/data").await.json();
    let count = |what: &str| data[what].as_array().unwrap().len();
    assert_eq!((count("games"), count("chat"), count("sessions"), count("analyses")), (130, 0, 1, 2));
    assert_eq!((&data["account"]["name"], &data["analyses"][0]["pgn"]), (&json!("Anna"), &json!(text)));
    assert_eq!(anna.get("/api/analyses/pgn").await.body.matches("1. e4").count(), 2);
    anna.get("/api/account/data").await.assert_error(429, "too-many");
}

#[tokio::test]
async fn account_storage_is_limited() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| config.limits.account_bytes = 100).await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let save = |pgn: &str| json!({ "command": command(), "name": "a", "pgn": pgn });
    assert_eq!(
        anna.post("/api/analyses", &save(&format!("1. e4 {{{}}} *", "x".repeat(80)))).await.status,
        201
    );
    let args = anna.post("/api/analyses", &save("1. e4 e5 2. Nf3 *")).await.assert_error(507, "account-full");
    assert_eq!(args["limit"], "100");
}

#[tokio::test]
async fn paths_that_are_not_utf8_get_json_responses() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for path in [
        "/api/problems/chess/composed/%ff",
        "/api/problems/%ff/composed/x",
        "/api/problems/%ff",
        "/api/drills/%ff",
        "/api/rules/%ff",
        "/api/games/%ff",
        "/api/standings/%ff",
        "/api/analyses/%ff",
        "/api/challenges/%ff/accept",
    ] {
        let response = anna.get(path).await;
        assert_eq!(response.headers["content-type"], "application/json", "{path}: {response:?}");
        assert!((400..500).contains(&response.status), "{path}: {response:?}");
    }
}

#[tokio::test]
async fn old_data_is_deleted() {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let house = House::new().await;
    let mut anna = house.visitor();
    let (first, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    house.clock.advance(2 * DAY_MS);
    let (second, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut folder = house.close().await;
    // A game without a second player is deleted thirty days after its creation. Once the first game is gone,
    // the sweep has run, so if the second game is still there, the sweep has kept it.
    for (days, left) in [(31, &[&second][..]), (33, &[])] {
        let at = 1_000_000 + days * DAY_MS;
        let house = House::open_at(folder, at, Arc::new(FirstTurnOpponent), |config| {
            config.clock.accept = true;
            config.first_sweep = Duration::ZERO;
        })
        .await;
        anna.address = house.address;
        let mut listed = async || {
            let games = anna.get("/api/games").await.json()["games"].as_array().unwrap().clone();
            games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        // The sweep runs without a request.
        eventually("a game is deleted", async || listed().await.len() <= left.len()).await;
        assert_eq!(listed().await.iter().collect::<Vec<_>>(), left, "after {days} days");
        for id in [&first, &second] {
            let expected = if left.contains(&id) { 200 } else { 404 };
            assert_eq!(anna.get(&format!("/api/games/{id}")).await.status, expected, "after {days} days");
        }
        folder = house.close().await;
    }
}

#[tokio::test]
async fn a_request_must_name_one_host() {
    let house = House::new().await;
    for (head, status) in [
        ("GET /api/health HTTP/1.1\r\nconnection: close\r\n\r\n", "400"),
        ("GET /api/health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n", "400"),
        ("GET /api/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", "200"),
        ("GET /api/health HTTP/1.0\r\n\r\n", "200"),
    ] {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert_eq!(response.split(' ').nth(1), Some(status), "{head:?}: {response:?}");
    }
}

#[tokio::test]
async fn a_chat_line_can_be_reported_only_from_its_own_room() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut her_socket = anna.socket(&id, "").await;
    let line = chat("hello");
    her_socket.send(&line).await;
    let number = loop {
        if let Some(ServerMessage::Chat { line }) = her_socket.next().await {
            break line.id;
        }
    };
    let report = || {
        ClientMessage::from(SessionMessage::ReportChat {
            command: command(),
            line: number,
            reason: "rude".into(),
        })
    };
    let mut spectator = house.visitor();
    spectator.get("/api/account").await;
    assert_eq!(spectator.socket(&id, "").await.command(&report()).await, Err("chat-line-not-found".into()));
    her_socket.command(&report()).await.unwrap();
}

/// A report also stores the lines around the reported one, so their maximum size is charged.
#[tokio::test]
async fn a_report_is_charged_for_its_size() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.bytes, config.limits.bytes_per_address) = times(100_000);
    })
    .await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut her_socket = anna.socket(&id, "").await;
    her_socket.send(&chat("hello")).await;
    let line = loop {
        if let Some(ServerMessage::Chat { line }) = her_socket.next().await {
            break line.id;
        }
    };
    let report = || {
        ClientMessage::from(SessionMessage::ReportChat { command: command(), line, reason: "rude".into() })
    };
    her_socket.command(&report()).await.unwrap();
    her_socket.command(&report()).await.unwrap();
    assert_eq!(her_socket.command(&report()).await, Err("too-many".into()), "3 × 27 KB exceed 75 KB");
}
