//! The HTTP API and the pages.

use std::{sync::Arc, time::Duration};

use adoube_protocol::{Color, Seat, Status};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
};

use crate::house::{FirstTurnOpponent, House, command, eventually, times};

fn friend() -> Value {
    json!({ "command": command(), "variant": "chess", "color": "white", "opponent": { "type": "friend" } })
}

#[tokio::test]
async fn a_game_is_created_once_per_command() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let request = friend();
    let first = anna.post("/api/games", &request).await;
    assert_eq!(first.status, 201);
    let cookie = &first.headers["set-cookie"];
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let id = first.json()["id"].as_str().unwrap().to_owned();
    assert!(id.len() == 12 && first.json()["invitation"].is_string());
    let again = anna.post("/api/games", &request).await;
    assert_eq!((again.status, again.json()), (201, first.json()));
    assert!(!again.headers.contains_key("set-cookie"), "the visitor is already known");
    // Another visitor may use the same command id for a different command.
    assert_ne!(house.visitor().post("/api/games", &request).await.json(), first.json());

    let game = anna.game(&id).await;
    assert_eq!(
        (game.you, game.status, game.players.black),
        (Some(Color::White), Status::Waiting, Seat::Open)
    );
    assert_eq!(game.version.0, 1);
    assert_eq!(house.visitor().game(&id).await.you, None);
}

#[tokio::test]
async fn an_invitation_seats_the_first_other_visitor() {
    let house = House::new().await;
    let (mut anna, mut bela, mut carl) = (house.visitor(), house.visitor(), house.visitor());
    let (id, invitation) = anna.create("baroque", "black", &json!({ "type": "friend" })).await;
    let path = format!("/api/invitations/{}", invitation.unwrap());
    // For the creator of the game, the invitation just leads to the game, no matter how often it is used.
    assert_eq!(anna.post(&path, &Value::Null).await.json(), json!({ "id": id }));
    assert_eq!(anna.game(&id).await.status, Status::Waiting);
    assert_eq!(bela.post(&path, &Value::Null).await.json(), json!({ "id": id }));
    assert_eq!(bela.post(&path, &json!({})).await.json(), json!({ "id": id }));
    let args = carl.post(&path, &Value::Null).await.assert_error(409, "invitation-used");
    assert_eq!(args, json!({ "id": id }));
    assert_eq!(anna.post(&path, &Value::Null).await.status, 200);
    let game = bela.game(&id).await;
    assert_eq!((game.you, game.status), (Some(Color::White), Status::Playing));
    let unknown = "/api/invitations/00000000000000000000";
    carl.post(unknown, &Value::Null).await.assert_error(404, "invitation-not-found");
    carl.post("/api/invitations/x", &Value::Null).await.assert_error(404, "invitation-not-found");
}

#[tokio::test]
async fn one_of_many_visitors_with_an_invitation_is_seated() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (_, invitation) = anna.create("chess", "random", &json!({ "type": "friend" })).await;
    let path = format!("/api/invitations/{}", invitation.unwrap());
    let guests = (0..12).map(|_| {
        let (mut guest, path) = (house.visitor(), path.clone());
        tokio::spawn(async move { guest.post(&path, &Value::Null).await.status })
    });
    let mut seated = 0;
    for guest in guests.collect::<Vec<_>>() {
        match guest.await.unwrap() {
            200 => seated += 1,
            status => assert_eq!(status, 409),
        }
    }
    assert_eq!(seated, 1);
}

#[tokio::test]
async fn games_are_listed_newest_first_and_only_to_their_players() {
    let house = House::new().await;
    let mut anna = house.visitor();
    assert_eq!(anna.get("/api/games").await.json(), json!({ "games": [], "next": null }));
    let (first, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    house.clock.advance(1000);
    let (second, _) = anna.create("interweave", "white", &json!({ "type": "machine", "level": 1 })).await;
    let list = anna.get("/api/games").await.json();
    let ids =
        list["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids, [second.as_str(), first.as_str()]);
    let newest = &list["games"][0];
    assert_eq!(newest["you"], "white");
    assert_eq!(newest["turn"], "white");
    assert_eq!(newest["plies"], 0);
    assert_eq!(newest["status"], json!({ "type": "playing" }));
    assert_eq!(newest["players"]["black"], json!({ "type": "machine", "level": 1 }));
    assert_eq!(house.visitor().get("/api/games").await.json(), json!({ "games": [], "next": null }));
}

#[tokio::test]
async fn an_invalid_request_is_refused_with_a_code() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let request_with = |key: &str, value: Value| {
        let mut request = friend();
        request[key] = value;
        request
    };
    let args = anna
        .post("/api/games", &request_with("variant", json!("go")))
        .await
        .assert_error(422, "unknown-variant");
    assert_eq!(args["variant"], "go");
    for fen in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", &"8/".repeat(1000)] {
        let args =
            anna.post("/api/games", &request_with("fen", json!(fen))).await.assert_error(422, "bad-position");
        assert!(!args["problem"].as_str().unwrap().is_empty());
    }
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    anna.post("/api/games", &request_with("fen", json!(mated))).await.assert_error(422, "position-over");
    for (key, value) in [
        ("color", json!("green")),
        ("command", json!("one")),
        ("opponent", json!({ "type": "machine", "level": 11 })),
        ("opponent", json!({ "type": "dog" })),
        ("variant", json!(7)),
    ] {
        anna.post("/api/games", &request_with(key, value)).await.assert_error(400, "bad-message");
    }
    anna.post("/api/games", &request_with("fen", json!("8".repeat(9000))))
        .await
        .assert_error(413, "too-large");
    anna.get("/api/games/000000000000").await.assert_error(404, "game-not-found");
    anna.get("/api/games/000000000000/pgn").await.assert_error(404, "game-not-found");
    anna.get("/api/games/x").await.assert_error(404, "game-not-found");
    anna.get("/api/games/%ff").await.assert_error(404, "not-found");
    anna.get("/api/nothing").await.assert_error(404, "not-found");
    anna.request("DELETE", "/api/games", &[], "").await.assert_error(405, "method-not-allowed");
    anna.get("/api/games/000000000000/socket").await.assert_error(403, "foreign-origin");
    assert_eq!(anna.get("/api/health").await.status, 200);
    assert_eq!(anna.get("/api/games").await.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn s7_only_pages_of_the_house_may_change_data() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let body = friend().to_string();
    let json = ("content-type", "application/json");
    let own = format!("http://{}", house.address);
    for foreign in ["https://evil.example", "null", "http://127.0.0.1:1", ""] {
        let response = anna.request("POST", "/api/games", &[json, ("origin", foreign)], &body).await;
        response.assert_error(403, "foreign-origin");
    }
    let response = anna.request("POST", "/api/games", &[json, ("sec-fetch-site", "cross-site")], &body).await;
    response.assert_error(403, "foreign-origin");
    assert_eq!(anna.request("POST", "/api/games", &[json, ("origin", &own)], &body).await.status, 201);
    // The content types that a form on another site can send.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        anna.request("POST", "/api/games", &[("content-type", kind)], &body)
            .await
            .assert_error(415, "json-expected");
    }
    anna.request("POST", "/api/games", &[], &body).await.assert_error(415, "json-expected");
    let charset = ("content-type", "application/json; charset=utf-8");
    assert_eq!(anna.request("POST", "/api/games", &[charset], &body).await.status, 201);
}

#[tokio::test]
async fn with_a_public_origin_no_other_is_accepted_and_cookies_are_secure() {
    let change = |config: &mut adoube_server::Config| {
        config.public_origin = Some("https://chess.example.org".parse().unwrap());
    };
    let house = House::with(Arc::new(FirstTurnOpponent), change).await;
    let mut anna = house.visitor();
    let body = friend().to_string();
    let json = ("content-type", "application/json");
    let own = format!("http://{}", house.address);
    anna.request("POST", "/api/games", &[json, ("origin", &own)], &body)
        .await
        .assert_error(403, "foreign-origin");
    let public = [json, ("origin", "https://chess.example.org")];
    let response = anna.request("POST", "/api/games", &public, &body).await;
    let cookie = &response.headers["set-cookie"];
    assert!(cookie.starts_with("__Host-adoube=") && cookie.contains("Secure"), "{cookie}");
    assert!(response.headers.contains_key("strict-transport-security"));
}

#[tokio::test]
async fn an_identity_cannot_be_forged() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    assert_eq!(anna.game(&id).await.you, Some(Color::White));
    let cookie = anna.cookie.clone().unwrap();
    let mut forger = house.visitor();
    let altered = |index: usize| {
        let other = if cookie.as_bytes()[index] == b'A' { "B" } else { "A" };
        format!("{}{other}{}", &cookie[..index], &cookie[index + 1..])
    };
    // The signature comes first, then the identity.
    let (signature, identity) = (altered("adoube=".len()), altered(cookie.len() - 1));
    for cookie in
        [signature, identity, "adoube=00000000000000000001".into(), "adoube=".into(), "adoube=%00%ff".into()]
    {
        forger.cookie = Some(cookie);
        let response = forger.get(&format!("/api/games/{id}")).await;
        assert_eq!(response.json()["you"], Value::Null);
        assert!(response.headers.contains_key("set-cookie"), "a new identity replaces the forged one");
    }
}

#[tokio::test]
async fn s11_pages_and_errors_have_the_security_headers() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let home = anna.get("/").await;
    assert_eq!(home.status, 200);
    assert!(home.headers["content-type"].starts_with("text/html") && home.body.contains("<html"));
    for path in ["/analysis", "/analysis/baroque", "/account"] {
        assert_eq!(anna.get(path).await.status, 200, "{path}");
    }
    for path in ["/nothing", "/game", "/game/a/b", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/assets/none.js"]
    {
        let page = anna.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.headers["content-type"].starts_with("text/html") && !page.body.contains("[package]"));
    }
    let etag = home.headers["etag"].clone();
    let known = [("if-none-match", etag.as_str())];
    assert_eq!(anna.request("GET", "/", &known, "").await.status, 304);
    assert_eq!(anna.request("GET", "/nothing", &known, "").await.status, 404);
    for response in
        [home, anna.get("/nothing").await, anna.get("/api/games").await, anna.get("/api/no").await]
    {
        let policy = &response.headers["content-security-policy"];
        assert!(policy.contains("'wasm-unsafe-eval'") && policy.contains("worker-src 'self'"));
        assert!(policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-embedder-policy", "require-corp"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(response.headers[name], value);
        }
    }
}

#[tokio::test]
async fn s5_a_client_that_never_finishes_its_headers_is_disconnected() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.limits.header_time = Duration::from_millis(200);
    })
    .await;
    let mut slow = TcpStream::connect(house.address).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ").await.unwrap();
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(10), slow.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the server is still waiting");
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
}

#[tokio::test]
async fn s5_a_client_that_never_finishes_its_body_gets_a_timeout() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.limits.request_time = Duration::from_millis(200);
    })
    .await;
    let mut slow = TcpStream::connect(house.address).await.unwrap();
    let head = "POST /api/games HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    slow.write_all(head.as_bytes()).await.unwrap();
    let mut rest = vec![0; 4096];
    let read = tokio::time::timeout(Duration::from_secs(10), slow.read(&mut rest)).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&rest[..read]).contains("\"timeout\""));
}

/// The client requests pages without reading the responses.
#[tokio::test]
async fn s5_a_client_that_never_reads_the_responses_is_disconnected() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.limits.send_time = Duration::from_millis(200);
    })
    .await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut deaf = socket.connect(house.address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    let sending = async { while deaf.write_all(&request).await.is_ok() {} };
    let ended = tokio::time::timeout(Duration::from_mins(1), sending).await;
    assert!(ended.is_ok(), "the server is still waiting");
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
}

#[tokio::test]
async fn s5_connections_from_an_address_are_limited() {
    let house =
        House::with(Arc::new(FirstTurnOpponent), |config| config.limits.connections_per_address = 3).await;
    let mut connections = Vec::new();
    for _ in 0..3 {
        connections.push(TcpStream::connect(house.address).await.unwrap());
    }
    // Connections are accepted in order of arrival, so these three are counted before the fourth.
    let response = async || {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        let request = b"GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        let _ = stream.write_all(request).await;
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response).await;
        response
    };
    assert!(response().await.is_empty(), "the fourth connection got a response");
    connections.clear();
    eventually("a connection is free again", async || response().await.starts_with(b"HTTP/1.1 200")).await;
}

#[tokio::test]
async fn the_games_that_a_visitor_creates_are_limited() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(2);
    })
    .await;
    let mut anna = house.visitor();
    for _ in 0..2 {
        assert_eq!(anna.post("/api/games", &friend()).await.status, 201);
    }
    anna.post("/api/games", &friend()).await.assert_error(429, "too-many");
}

#[tokio::test]
async fn malformed_requests_leave_the_server_healthy() {
    let house = House::new().await;
    let noise: [&[u8]; 5] = [
        b"\0\0\0\0\r\n\r\n",
        b"GET",
        b"GET / HTTP/9.9\r\n\r\n",
        &vec![0xff; 70_000],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    for bytes in noise {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        let mut rest = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await.unwrap();
    }
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
}
