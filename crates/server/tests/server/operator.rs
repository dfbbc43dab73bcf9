//! What those who run the house ask, and what stands before it.

use std::sync::Arc;

use adoube_store_sqlite::SqliteStore;
use serde_json::{Value, json};

use crate::house::{FakeClock, First, House, command, times, two_players};

#[tokio::test]
async fn figures_are_for_the_machine_itself() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    socket.play(1, "e2e4").await.unwrap();
    let text = house.visitor().get("/metrics").await.body;
    for line in [
        "adoube_games_created_total 1",
        "adoube_sockets{kind=\"game\"} 1",
        "adoube_commands_total{end=\"done\"} 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    for header in ["x-forwarded-for", "forwarded"] {
        house.visitor().ask("GET", "/metrics", &[(header, "10.0.0.1")], "").await.is_error(404, "not-found");
    }
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
    assert_eq!(house.visitor().get("/api/ready").await.status, 200);
}

#[tokio::test]
async fn s14_a_proxy_is_believed_if_it_is_trusted() {
    let game = || {
        json!({ "command": command(), "variant": "chess", "color": "white", "opponent": { "type": "friend" } }).to_string()
    };
    for (trusted, forwarded, second) in [
        (true, "10.0.0.1", "10.0.0.2"),
        // What the visitor itself has written is not the word of the proxy.
        (true, "10.0.0.9, 10.0.0.1", "10.0.0.9, 10.0.0.2"),
    ] {
        let house = House::with(Arc::new(First), |config| {
            (config.limits.creations, config.limits.creations_per_address) = times(1);
            if trusted {
                config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
            }
        })
        .await;
        let ask = async |from: &str| {
            let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
            house.visitor().ask("POST", "/api/games", &headers, &game()).await.status
        };
        assert_eq!(
            (ask(forwarded).await, ask(forwarded).await, ask(second).await),
            (201, 429, 201),
            "{forwarded}"
        );
    }
    let house = House::with(Arc::new(First), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(1);
    })
    .await;
    let ask = async |from: &str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
        house.visitor().ask("POST", "/api/games", &headers, &game()).await.status
    };
    assert_eq!((ask("10.0.0.1").await, ask("10.0.0.2").await), (201, 429));
}

#[tokio::test]
async fn s13_what_is_somebody_elses_is_refused() {
    let house = House::new().await;
    let mut stranger = house.visitor();
    for (method, path, status, code) in [
        ("GET", "/api/account/sessions", 401, "not-signed-in"),
        ("GET", "/api/account/export", 401, "not-signed-in"),
        ("GET", "/api/account/data", 401, "not-signed-in"),
        ("DELETE", "/api/account/sessions/000000000000", 401, "not-signed-in"),
        ("DELETE", "/api/seeks/000000000000", 404, "seek-not-found"),
        ("POST", "/api/seeks/000000000000/accept", 404, "seek-not-found"),
        ("DELETE", "/api/challenges/000000000000", 404, "challenge-not-found"),
        ("POST", "/api/challenges/000000000000/accept", 404, "challenge-not-found"),
        ("PATCH", "/api/games", 405, "method-not-allowed"),
        ("GET", "/api/games?state=lost", 422, "bad-state"),
    ] {
        stranger.ask(method, path, &[], "").await.is_error(status, code);
    }
    for (method, path, body) in [
        ("DELETE", "/api/account", json!({ "password": "x" })),
        ("PATCH", "/api/account", json!({ "password": "x" })),
    ] {
        let headers = [("content-type", "application/json")];
        stranger.ask(method, path, &headers, &body.to_string()).await.is_error(401, "not-signed-in");
    }
}

/// S7: what changes something is refused when it comes from another site, whatever it is.
#[tokio::test]
async fn s7_requests_of_other_sites_are_refused() {
    let house = House::new().await;
    for (method, path) in [
        ("POST", "/api/games"),
        ("POST", "/api/seeks"),
        ("DELETE", "/api/seeks/000000000000"),
        ("POST", "/api/challenges"),
        ("POST", "/api/account"),
        ("PATCH", "/api/account"),
        ("DELETE", "/api/account"),
        ("POST", "/api/session"),
        ("DELETE", "/api/session"),
        ("POST", "/api/recovery"),
        ("POST", "/api/invitations/00000000000000000000"),
    ] {
        for headers in [[("origin", "https://evil.example")], [("sec-fetch-site", "cross-site")]] {
            house.visitor().ask(method, path, &headers, "").await.is_error(403, "foreign-origin");
        }
        let form = [("content-type", "application/x-www-form-urlencoded")];
        house.visitor().ask(method, path, &form, "a=b").await.is_error(415, "json-expected");
    }
}

#[tokio::test]
async fn a_repeated_creation_is_one_game_whatever_its_settings() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let body = json!({
        "command": command(), "variant": "baroque", "color": "random", "opponent": { "type": "friend" },
        "games": 4, "touchMove": true, "casual": false, "shuffle": { "type": "random", "sides": "different" },
    });
    let first = anna.post("/api/games", &body).await.json();
    assert_eq!(anna.post("/api/games", &body).await.json(), first);
    let game = anna.get(&format!("/api/games/{}", first["id"].as_str().unwrap())).await.json();
    assert_eq!(
        (&game["touchMove"], &game["casual"], &game["match"]["bestOf"]),
        (&json!(true), &json!(false), &json!(4))
    );
    assert_ne!(game["id"], Value::Null);
}

#[tokio::test]
async fn r9_without_room_commands_are_refused_in_words_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = SqliteStore::open_bounded(&path, Some(90)).await.unwrap();
    let house = House::over(folder, store, FakeClock::BEGIN, Arc::new(First), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(10_000);
    })
    .await;
    // Enough to take the room that is left within the last pages.
    let mut tables = Vec::new();
    for _ in 0..16 {
        let (white, black, id) = two_players(&house, "chess").await;
        let sockets = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
        tables.push((black, id, sockets));
    }
    let mut filler = house.visitor();
    let body = || json!({ "command": command(), "variant": "chess", "color": "white", "opponent": { "type": "friend" } });
    let refused = loop {
        let answer = filler.post("/api/games", &body()).await;
        if answer.status != 201 {
            break answer;
        }
    };
    refused.is_error(503, "no-room");
    // The last pages may still take some events, and then none.
    let mut stopped = None;
    'tables: for (black, id, (one, two)) in &mut tables {
        for (version, turn) in (2..).zip(["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6"]) {
            let mover = if version % 2 == 0 { &mut *one } else { &mut *two };
            match mover.play(version, turn).await {
                Ok(now) => assert_eq!(now, version + 1),
                Err(code) => {
                    assert_eq!(code, "no-room");
                    stopped = Some((black.clone(), id.clone(), version));
                    break 'tables;
                }
            }
        }
    }
    let (black, id, version) = stopped.expect("there was room after all");
    assert_eq!(black.clone().game(&id).await.version.0, version);
    assert_eq!(house.visitor().socket(&id, "").await.snapshot().await.version.0, version);
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
}
