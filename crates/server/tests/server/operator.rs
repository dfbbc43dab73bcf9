//! Operating a server: metrics, readiness, proxies, refused requests and host names, full disks and the
//! clock.

use std::{path::PathBuf, sync::Arc};

use adoube_protocol::Millis;
use adoube_server::{ClockError, Config, ServeError, maintenance};
use adoube_store_sqlite::{ClampTimes, SqliteStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::house::{
    FakeClock, FirstTurnOpponent, House, Visitor, begin, command, eventually, times, two_players,
};

#[tokio::test]
async fn metrics_have_a_separate_address() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.metrics = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    socket.play(1, "e2e4").await.unwrap();
    let mut monitor = Visitor::at(house.metrics.unwrap());
    let text = monitor.get("/metrics").await.body;
    for line in [
        "adoube_games_created_total 1",
        "adoube_sockets{kind=\"game\"} 1",
        "adoube_commands_total{end=\"done\"} 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    // Visitors cannot reach the metrics, and the metrics address serves nothing else.
    assert_ne!(house.visitor().get("/metrics").await.body, text);
    assert!(!house.visitor().get("/metrics").await.body.contains("adoube_"));
    assert_eq!(monitor.get("/api/health").await.status, 404);
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
    assert_eq!(house.visitor().get("/api/ready").await.status, 200);
}

#[tokio::test]
async fn s14_addresses_are_accepted_only_from_trusted_proxies() {
    let game = || {
        json!({ "command": command(), "variant": "chess", "color": "white", "opponent": { "type": "friend" } }).to_string()
    };
    for (forwarded, second) in [
        ("10.0.0.1", "10.0.0.2"),
        // Only the last value in the header is trusted, because the proxy has added it.
        ("10.0.0.9, 10.0.0.1", "10.0.0.9, 10.0.0.2"),
    ] {
        let house = House::with(Arc::new(FirstTurnOpponent), |config| {
            (config.limits.creations, config.limits.creations_per_address) = times(1);
            config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        })
        .await;
        let request = async |from: &str| {
            let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
            house.visitor().request("POST", "/api/games", &headers, &game()).await.status
        };
        assert_eq!(
            (request(forwarded).await, request(forwarded).await, request(second).await),
            (201, 429, 201),
            "{forwarded}"
        );
    }
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(1);
    })
    .await;
    let request = async |from: &str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
        house.visitor().request("POST", "/api/games", &headers, &game()).await.status
    };
    assert_eq!((request("10.0.0.1").await, request("10.0.0.2").await), (201, 429));
}

#[tokio::test]
async fn s13_requests_without_an_account_or_with_unknown_ids_or_bad_queries_are_refused_with_a_reason() {
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
        ("GET", "/api/games?variant=draughts", 422, "unknown-variant"),
        ("GET", "/api/games?cursor=1-", 422, "bad-cursor"),
        ("GET", "/api/games/pgn?cursor=x-000000000000", 422, "bad-cursor"),
        ("GET", "/api/games?state=mine&state=playing", 400, "bad-message"),
        ("GET", "/api/problems/chess/composed?cursor=99999999999999999999-000000000000", 422, "bad-cursor"),
        ("GET", "/api/problems/chess/composed?mine=perhaps", 400, "bad-message"),
    ] {
        stranger.request(method, path, &[], "").await.assert_error(status, code);
    }
    for (method, path, body) in [
        ("DELETE", "/api/account", json!({ "password": "x" })),
        ("PATCH", "/api/account", json!({ "password": "x" })),
    ] {
        let headers = [("content-type", "application/json")];
        stranger.request(method, path, &headers, &body.to_string()).await.assert_error(401, "not-signed-in");
    }
}

/// A request from another site that would change data is refused, whatever its path.
#[tokio::test]
async fn s7_requests_from_other_sites_are_refused() {
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
            house.visitor().request(method, path, &headers, "").await.assert_error(403, "foreign-origin");
        }
        let form = [("content-type", "application/x-www-form-urlencoded")];
        house.visitor().request(method, path, &form, "a=b").await.assert_error(415, "json-expected");
    }
}

#[tokio::test]
async fn a_repeated_creation_request_creates_one_game_whatever_its_settings() {
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
async fn r9_on_a_full_disk_commands_are_refused_and_reads_continue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let store = SqliteStore::open_with_max_pages(&path, Some(96)).await.unwrap();
    let house = House::on_store(folder, store, FakeClock::START, Arc::new(FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(10_000);
    })
    .await;
    // Further down, turns are played in these games until the last pages of the database file are full.
    let mut tables = Vec::new();
    for _ in 0..16 {
        let (white, black, id) = two_players(&house, "chess").await;
        let sockets = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
        tables.push((black, id, sockets));
    }
    let mut filler = house.visitor();
    let body = || json!({ "command": command(), "variant": "chess", "color": "white", "opponent": { "type": "friend" } });
    let refused = loop {
        let response = filler.post("/api/games", &body()).await;
        if response.status != 201 {
            break response;
        }
    };
    refused.assert_error(503, "no-room");
    // The last pages may still have space for some events, so turns are played until no space is left.
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
    let (black, id, version) = stopped.expect("the disk was never full");
    assert_eq!(black.clone().game(&id).await.version.0, version);
    assert_eq!(house.visitor().socket(&id, "").await.snapshot().await.version.0, version);
    assert_eq!(house.visitor().get("/api/health").await.status, 200);
}

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Opens a house whose system clock shows `now_ms`, which may be the wrong time.
async fn start(
    folder: TempDir,
    now_ms: i64,
    change: impl FnOnce(&mut Config),
) -> Result<House, (TempDir, ServeError)> {
    let store = SqliteStore::open(&folder.path().join("data.sqlite")).await.unwrap();
    House::try_on_store(folder, store, now_ms, Arc::new(FirstTurnOpponent), change).await
}

fn correspondence() -> Value {
    json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 3 } })
}

/// Starts a correspondence game between two new accounts. Returns White, Black and the id.
async fn correspondence_players(house: &House, names: [&str; 2]) -> (Visitor, Visitor, String) {
    let (mut white, mut black) = (house.visitor(), house.visitor());
    white.register(names[0]).await;
    black.register(names[1]).await;
    let id = begin(&mut white, &mut black, correspondence()).await;
    (white, black, id)
}

async fn seek(visitor: &mut Visitor) {
    let body = json!({
        "command": command(), "color": "random", "variant": "chess",
        "timeControl": { "type": "correspondence", "daysPerTurn": 3 },
    });
    assert_eq!(visitor.post("/api/seeks", &body).await.status, 201);
}

#[tokio::test]
async fn a_start_with_a_wrong_clock_is_refused_and_changes_nothing() {
    let installed = 1_000 * DAY;
    let mut house = start(tempfile::tempdir().unwrap(), installed, |_| ()).await.unwrap();
    let mut anna = house.visitor();
    anna.register("Anna").await;
    seek(&mut anna).await;
    let (mut white, _, id) = correspondence_players(&house, ["White", "Black"]).await;
    let left = white.game(&id).await.clock;
    let mut folder = house.close().await;
    for (now, expected) in [
        (installed + 401 * DAY, "last written at 1972-09-27 00:00 UTC"),
        (installed + 30_000 * DAY, "the system clock says 2054-11-16 00:00 UTC"),
        (installed - 7 * HOUR, "reset-clock"),
        (0, "1970-01-01"),
    ] {
        let Err((back, error)) = start(folder, now, |_| ()).await else { panic!("started at {now}") };
        assert!(matches!(&error, ServeError::Clock(_)), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains("--accept-clock"), "{error}");
        folder = back;
    }
    // With the correct clock, a minute later, everything is unchanged.
    house = start(folder, installed + 60_000, |_| ()).await.unwrap();
    anna.address = house.address;
    white.address = house.address;
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
    assert_eq!(anna.get("/api/hall").await.json()["seeks"].as_array().unwrap().len(), 1);
    assert_eq!(white.game(&id).await.clock.unwrap().left, left.unwrap().left);
    // A year without a server is plausible.
    let folder = house.close().await;
    start(folder, installed + 366 * DAY, |_| ()).await.unwrap().close().await;
}

struct Logs;

impl ClampTimes for Logs {
    fn log(&self, bodies: &mut [String], latest: Millis) -> Result<(), String> {
        maintenance::set_log_back(bodies, latest)
    }
}

/// The clock was forty days ahead at boot. To the server, this looks like forty days of downtime.
#[tokio::test]
async fn times_written_by_a_clock_that_was_ahead_can_be_reset() {
    let installed = 1_000 * DAY;
    let house = start(tempfile::tempdir().unwrap(), installed, |_| ()).await.unwrap();
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (mut white, mut black, id) = correspondence_players(&house, ["White", "Black"]).await;
    let (_, _, other) = correspondence_players(&house, ["Carl", "Dora"]).await;
    let mut socket = white.socket(&id, "?version=2").await;
    let version = socket.play(2, "e2e4").await.unwrap();
    drop(socket);
    let house = start(house.close().await, installed + 40 * DAY, |_| ()).await.unwrap();
    for visitor in [&mut anna, &mut white, &mut black] {
        visitor.address = house.address;
    }
    let mut bela = house.visitor();
    bela.register("Bela").await;
    seek(&mut bela).await;
    let mut socket = black.socket(&id, "").await;
    let seen = socket.snapshot().await.version.0;
    assert_eq!(seen, version + 1, "the time without a server is in the log");
    let version = socket.play(seen, "e7e5").await.unwrap();
    drop(socket);

    let now = installed + HOUR;
    let Err((folder, error)) = start(house.close().await, now, |_| ()).await else { panic!("started") };
    assert!(matches!(error, ServeError::Clock(ClockError::Behind { .. })), "{error}");
    let data: PathBuf = folder.path().join("data.sqlite");
    let reset = adoube_store_sqlite::reset_clock(&data, Millis(now), &Logs).await.unwrap();
    assert_eq!(reset.games, 1, "the other game was not changed");
    assert!(reset.before.exists());

    let house = start(folder, now, |_| ()).await.unwrap();
    for visitor in [&mut anna, &mut bela, &mut white, &mut black] {
        visitor.address = house.address;
    }
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
    assert_eq!(bela.get("/api/account").await.json()["account"]["name"], "Bela");
    let seeks = house.visitor().get("/api/hall").await.json()["seeks"].clone();
    assert_eq!((seeks.as_array().unwrap().len(), &seeks[0]["createdAt"]), (1, &json!(now)));
    let game = white.game(&id).await;
    assert_eq!(game.turns, ["e2e4", "e7e5"]);
    assert_eq!(game.version.0, version);
    for id in [&id, &other] {
        let clock = white.game(id).await.clock.unwrap();
        assert_eq!((clock.left.white, clock.left.black), (3 * DAY, 3 * DAY));
    }
    // From now on, time is counted as usual: a day later White has two days left, not forty-two.
    house.clock.advance(DAY);
    assert_eq!(white.game(&id).await.clock.unwrap().left.white, 2 * DAY);
    house.clock.advance(2 * DAY);
    eventually("the flag falls", async || white.game(&id).await.status != adoube_protocol::Status::Playing)
        .await;
}

/// A load balancer must be able to see that the disk is full or that the file has been moved.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn readiness_fails_when_nothing_can_be_written() {
    let house = House::new().await;
    let mut anyone = house.visitor();
    assert_eq!(anyone.get("/api/ready").await.status, 200);
    let data = house.folder.as_ref().unwrap().path().join("data.sqlite");
    // The probe file cannot be written, because a folder is in its place.
    let probe = data.with_file_name("data.sqlite.probe");
    std::fs::create_dir(&probe).unwrap();
    assert_eq!(anyone.get("/api/ready").await.status, 200, "a response is cached for a second");
    house.clock.advance(1_000);
    let response = anyone.get("/api/ready").await;
    response.assert_error(503, "not-saved");
    assert!(response.json()["error"]["message"].as_str().unwrap().contains("directory"), "{response:?}");
    std::fs::remove_dir(&probe).unwrap();
    house.clock.advance(1_000);
    assert_eq!(anyone.get("/api/ready").await.status, 200, "it recovers on its own");
    std::fs::rename(&data, data.with_file_name("elsewhere.sqlite")).unwrap();
    house.clock.advance(1_000);
    let response = anyone.get("/api/ready").await;
    response.assert_error(503, "not-saved");
    assert!(
        response.json()["error"]["message"].as_str().unwrap().contains("removed or renamed"),
        "{response:?}"
    );
    assert_eq!(anyone.get("/api/health").await.status, 200);
}

/// Protects against DNS rebinding: a foreign name that points at this computer does not reach the house.
#[tokio::test]
async fn without_a_public_origin_only_ip_addresses_and_local_names_are_accepted() {
    let request = async |house: &House, host: &str| {
        let mut stream = tokio::net::TcpStream::connect(house.address).await.unwrap();
        let request = format!("GET /api/hall HTTP/1.1\r\n{host}connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    };
    let house = House::new().await;
    let foreign = [
        "evil.example",
        "127.0.0.1.evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "a@127.0.0.1",
        "notlocal.org",
        "clubpc.local.org",
        "",
    ];
    for host in foreign {
        let response = request(&house, &format!("host: {host}\r\n")).await;
        assert!(
            response.starts_with("HTTP/1.1 421") && response.contains("unknown-host"),
            "{host}: {response}"
        );
    }
    for host in [
        "127.0.0.1:8787",
        "[::1]:8787",
        "192.168.1.7",
        "localhost",
        "LOCALHOST:1",
        "localhost.",
        "chess.localhost",
        "clubpc:8787",
        "clubpc.local",
        "chess.home.arpa",
    ] {
        let response = request(&house, &format!("host: {host}\r\n")).await;
        assert!(response.starts_with("HTTP/1.1 200"), "{host}: {response}");
    }
    // With a public origin, the proxy may send any host; the origin is checked instead.
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.public_origin = Some("https://chess.example.org".parse().unwrap());
        config.hsts = adoube_server::Hsts::Subdomains;
    })
    .await;
    let response = request(&house, "host: upstream\r\n").await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.contains("max-age=31536000; includeSubDomains"), "{response}");
}
