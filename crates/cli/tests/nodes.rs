//! Tests real servers that share a PostgreSQL database and a NATS server: games when one of the servers dies
//! or stops, a clock that disagrees with the database, and a second server without a bus.
#![cfg(target_os = "linux")]

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use adoube_test_services::{Durability, Nats, Postgres, free_port, or_skip};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest as _, http::HeaderValue},
};

/// The timeout for a step of a test.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A server in a separate process, which is killed when this is dropped.
struct Server {
    process: Child,
    address: SocketAddr,
    metrics: SocketAddr,
    log: PathBuf,
    _folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may already have exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    async fn start(database: &str, bus: Option<&Nats>) -> Self {
        Self::try_start(database, bus).await.unwrap_or_else(|log| panic!("the server did not start: {log}"))
    }

    /// Starts a server, or returns its standard error.
    async fn try_start(database: &str, bus: Option<&Nats>) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let metrics: SocketAddr = ([127, 0, 0, 1], free_port().unwrap()).into();
        let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data", database]);
        command.arg("--set").arg(format!("metrics={metrics}"));
        if let Some(bus) = bus {
            command.arg("--bus").arg(bus.address());
        }
        command.env("NO_COLOR", "1").env_remove("ADOUBE_LOG").stdin(Stdio::null()).stdout(Stdio::null());
        let mut process = command.stderr(File::create(&log).unwrap()).spawn().unwrap();
        let start = Instant::now();
        loop {
            let text = fs::read_to_string(&log).unwrap();
            let listening = text.lines().find_map(|line| line.strip_prefix("adoube: http://"));
            if let Some(address) = listening.and_then(|address| address.parse().ok()) {
                return Ok(Self { process, address, metrics, log, _folder: folder });
            }
            if process.try_wait().unwrap().is_some() {
                return Err(fs::read_to_string(&log).unwrap());
            }
            assert!(start.elapsed() < TIMEOUT, "{text}");
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Kills the server (`SIGKILL`).
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Tells the server to stop (`SIGTERM`).
    fn terminate(&self) {
        let mut kill = Command::new("kill");
        assert!(kill.arg(self.process.id().to_string()).status().unwrap().success());
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Returns the value of a metric.
    async fn metric(&self, name: &str) -> String {
        let text = request(self.metrics, "GET", "/metrics", None, "").await.1;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).to_owned()
    }
}

/// Sends a request as a browser would. Returns the cookie, if one was set, and the body.
async fn request(
    to: SocketAddr,
    method: &str,
    path: &str,
    cookie: Option<&str>,
    body: &str,
) -> (Option<String>, String) {
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nhost: {to}\r\norigin: http://{to}\r\nconnection: close\r\n");
    if let Some(cookie) = cookie {
        request.extend(["cookie: ", cookie, "\r\n"]);
    }
    if !body.is_empty() {
        let length = body.len().to_string();
        request.extend(["content-type: application/json\r\ncontent-length: ", &length, "\r\n"]);
    }
    let mut stream = TcpStream::connect(to).await.unwrap();
    stream.write_all(format!("{request}\r\n{body}").as_bytes()).await.unwrap();
    let mut response = String::new();
    timeout(TIMEOUT, stream.read_to_string(&mut response)).await.unwrap().unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 2"), "{path}: {response}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
    (cookie.map(str::to_owned), body.to_owned())
}

/// A player, whom every server of the house identifies by a cookie.
#[derive(Default)]
struct Player {
    cookie: Option<String>,
}

impl Player {
    async fn post(&mut self, to: &Server, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (cookie, response) = request(to.address, "POST", path, self.cookie.as_deref(), &body).await;
        self.cookie = cookie.or(self.cookie.take());
        serde_json::from_str(&response).unwrap_or_else(|error| panic!("{error}: {response}"))
    }

    /// Opens a game's socket, to receive the events after a version.
    async fn open(&self, at: &Server, game: &str, version: u64) -> Socket {
        let url = format!("ws://{}/api/games/{game}/socket?version={version}", at.address);
        let mut request = url.into_client_request().unwrap();
        let origin = format!("http://{}", at.address);
        let headers = request.headers_mut();
        headers.insert("origin", HeaderValue::from_str(&origin).unwrap());
        headers.insert("cookie", HeaderValue::from_str(self.cookie.as_deref().unwrap()).unwrap());
        let connecting = timeout(TIMEOUT, tokio_tungstenite::connect_async(request));
        Socket(connecting.await.unwrap().unwrap().0)
    }
}

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn next(&mut self) -> Message {
        timeout(TIMEOUT, self.0.next()).await.expect("a message in time").expect("an open socket").unwrap()
    }

    /// Returns the next event of a type, and its version.
    async fn event(&mut self, kind: &str) -> (Value, u64) {
        // Pings arrive all the time, so the timeout covers the whole wait.
        let event = timeout(TIMEOUT, self.wait_for_event(kind)).await;
        event.unwrap_or_else(|_| panic!("no event {kind:?} in time"))
    }

    async fn wait_for_event(&mut self, kind: &str) -> (Value, u64) {
        loop {
            let Message::Text(text) = self.next().await else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            assert_ne!(message["type"], "refused", "{message}");
            if message["type"] == "event" && message["event"]["type"] == kind {
                return (message["event"].clone(), message["version"].as_u64().unwrap());
            }
        }
    }

    /// Plays a turn. Returns its event, and the version after it.
    async fn play(&mut self, version: u64, turn: &str) -> (Value, u64) {
        let command = format!("00000000-0000-4000-8000-{version:012}");
        let message = json!({ "type": "play", "command": command, "version": version, "turn": turn });
        self.0.send(Message::text(message.to_string())).await.unwrap();
        loop {
            let (event, version) = self.event("played").await;
            if event["turn"] == turn {
                return (event, version);
            }
        }
    }

    /// Returns the code with which the server closes the socket.
    async fn close_code(&mut self) -> u16 {
        loop {
            if let Message::Close(frame) = self.next().await {
                return frame.unwrap().code.into();
            }
        }
    }
}

/// A game in which White is to move and the clock is running. White is connected to one server, and Black to
/// the other.
struct Table {
    white: Player,
    game: String,
    sockets: [Socket; 2],
    version: u64,
}

impl Table {
    async fn new(one: &Server, other: &Server, initial_ms: u32) -> Self {
        let (mut white, mut black) = (Player::default(), Player::default());
        let clock = json!({ "type": "fischer", "initialMs": initial_ms, "incrementMs": 0 });
        let game = json!({
            "command": format!("00000000-0000-4000-9000-{initial_ms:012}"), "variant": "chess", "color": "white",
            "opponent": { "type": "friend" }, "timeControl": clock,
        });
        let created = white.post(one, "/api/games", &game).await;
        let (game, token) = (created["id"].as_str().unwrap(), created["invitation"].as_str().unwrap());
        black.post(other, &format!("/api/invitations/{token}"), &Value::Null).await;
        let mut white_socket = white.open(one, game, 2).await;
        let mut black_socket = black.open(other, game, 2).await;
        let (_, version) = white_socket.play(2, "e2e4").await;
        // The notice reaches the other server.
        assert_eq!(black_socket.event("played").await.1, version);
        let (_, version) = black_socket.play(version, "e7e5").await;
        assert_eq!(white_socket.event("played").await.1, version);
        Self { white, game: game.to_owned(), sockets: [white_socket, black_socket], version }
    }
}

async fn two_servers() -> Option<(Postgres, Nats, String, Server, Server)> {
    let postgres = or_skip(Postgres::start(Durability::Off))?;
    let nats = or_skip(Nats::start())?;
    let database = postgres.create_database().unwrap();
    let one = Server::start(&database, Some(&nats)).await;
    let other = Server::start(&database, Some(&nats)).await;
    Some((postgres, nats, database, one, other))
}

fn number(event: &Value, name: &str) -> i64 {
    event[name].as_i64().unwrap_or_else(|| panic!("no {name} in {event}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn r5_players_of_a_killed_server_continue_on_the_other() {
    let Some((_postgres, _nats, _database, mut one, other)) = two_servers().await else { return };
    let Table { white, game, sockets: [_before, mut black_socket], version } =
        Table::new(&one, &other, 600_000).await;
    // This player comes back and plays before the death can be detected.
    let Table { white: quick, game: quick_game, sockets: [_broken, _], version: quick_version } =
        Table::new(&one, &other, 700_000).await;
    // This player does not come back.
    let Table { sockets: [_lost, mut opponent_socket], .. } = Table::new(&one, &other, 8_000).await;
    let killed = Instant::now();
    one.kill();
    sleep(Duration::from_millis(300)).await;
    let mut quick_socket = quick.open(&other, &quick_game, quick_version).await;
    let (_, after_turn) = quick_socket.play(quick_version, "g1f3").await;
    assert_eq!(after_turn, quick_version + 2, "the lost time was refunded before the turn");
    let mut white_socket = white.open(&other, &game, version).await;
    let back_after = killed.elapsed();
    // When the death is noticed, the time from the last heartbeat until the player came back is refunded.
    let (refund, after_refund) = white_socket.event("interrupted").await;
    let noticed_after = killed.elapsed();
    assert_eq!(after_refund, version + 1, "no turn was lost, and no other event was added");
    let refunded_ms = number(&refund, "until") - number(&refund, "from");
    let back_ms = i64::try_from(back_after.as_millis()).unwrap();
    assert!((200..=back_ms + 1_100).contains(&refunded_ms), "{refund}, back after {back_ms} ms");
    let (_, version) = white_socket.play(after_refund, "g1f3").await;
    assert_eq!(black_socket.event("played").await.1, version);
    // The player who does not come back is refunded at most five seconds, and then the flag falls.
    let (ended, _) = opponent_socket.event("ended").await;
    let fell_after = killed.elapsed();
    println!(
        "noticed after {noticed_after:?}, {refunded_ms} ms refunded, the flag fell after {fell_after:?}"
    );
    assert_eq!((&ended["result"], &ended["reason"]), (&json!("0-1"), &json!("time-out")));
    assert!((Duration::from_secs(7)..Duration::from_secs(20)).contains(&fell_after), "{fell_after:?}");
    assert!(noticed_after < Duration::from_secs(8), "{noticed_after:?}");
    assert_eq!(other.metric("adoube_takeovers_total").await, "1");
    assert_eq!(other.metric("adoube_refunds_total").await, "3");
    assert_eq!(other.metric("adoube_nodes_alive").await, "1");
    assert!(other.log().contains("a node has died; this one takes over from it"), "{}", other.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn r11_an_orderly_shutdown_of_a_server_costs_its_players_no_time() {
    let Some((_postgres, nats, database, one, other)) = two_servers().await else { return };
    let mut servers = vec![one, other];
    let Table { white, game, mut sockets, mut version } = Table::new(&servers[0], &servers[1], 600_000).await;
    let start = Instant::now();
    let mut absent = Duration::ZERO;
    // This is a rolling upgrade: each server stops and is replaced. The page would reconnect immediately, but
    // this player takes a second.
    for _ in 0..2 {
        servers[0].terminate();
        let closed = sockets[0].close_code().await;
        let disconnected = Instant::now();
        assert_eq!(closed, 1012);
        sleep(Duration::from_secs(1)).await;
        sockets[0] = white.open(&servers[1], &game, version).await;
        absent += disconnected.elapsed();
        let (refund, after_refund) = sockets[0].event("interrupted").await;
        assert_eq!(after_refund, version + 1, "{refund}");
        version = after_refund;
        assert!(number(&refund, "until") - number(&refund, "from") >= 900, "{refund}");
        servers[0].process.wait().unwrap();
        let log = servers[0].log();
        assert!(log.contains("stopped") && !log.contains("of this node"), "{log}");
        drop(servers.remove(0));
        servers.push(Server::start(&database, Some(&nats)).await);
    }
    let present_ms = i64::try_from(start.elapsed().saturating_sub(absent).as_millis()).unwrap();
    let (played, _) = sockets[0].play(version, "g1f3").await;
    let used_ms = 600_000 - number(&played["clock"], "white");
    println!("present for {present_ms} ms, charged {used_ms} ms");
    assert!(used_ms <= present_ms + 100, "{used_ms} ms were charged for {present_ms} ms at the board");
    for server in &servers {
        assert_eq!(server.metric("adoube_takeovers_total").await, "0", "no server was mistaken for dead");
    }
}

/// Defines a clock that differs from PostgreSQL's by the interval in `shifted.clock`.
const SHIFTED_CLOCK: &str = "\
    CREATE SCHEMA shifted; \
    CREATE TABLE shifted.clock (by interval NOT NULL); \
    INSERT INTO shifted.clock VALUES ('0'); \
    CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS \
    'SELECT pg_catalog.clock_timestamp() + by FROM shifted.clock'";

#[tokio::test(flavor = "multi_thread")]
async fn r10_a_server_whose_clock_is_ahead_of_the_database_does_not_call_a_flag() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Off)) else { return };
    let database = postgres.create_database().unwrap();
    let name = database.rsplit('/').next().unwrap();
    postgres.psql(name, SHIFTED_CLOCK).unwrap();
    // With this path, sessions find the shifted function before PostgreSQL's own.
    let set = format!("ALTER DATABASE {name} SET search_path = public, shifted, pg_catalog");
    postgres.psql(name, &set).unwrap();
    let server = Server::start(&database, None).await;
    let Table { sockets: [mut white_socket, _black_socket], .. } = Table::new(&server, &server, 3_000).await;
    let logged = async |text| {
        let start = Instant::now();
        while !server.log().contains(text) {
            assert!(start.elapsed() < TIMEOUT, "{text:?} is not in {}", server.log());
            sleep(Duration::from_millis(50)).await;
        }
    };
    // Simulate a failover to a standby whose clock is behind.
    postgres.psql(name, "UPDATE shifted.clock SET by = '-20 s'").unwrap();
    logged("the clock is ahead of the database's, and stands still").await;
    let fallen = timeout(Duration::from_secs(4), white_socket.wait_for_event("ended")).await;
    assert!(fallen.is_err(), "a wrong clock made the flag fall: {fallen:?}");
    postgres.psql(name, "UPDATE shifted.clock SET by = '0'").unwrap();
    logged("the clock agrees with the database's again").await;
    let (ended, _) = white_socket.event("ended").await;
    assert_eq!((&ended["result"], &ended["reason"]), (&json!("0-1"), &json!("time-out")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_without_a_bus_is_refused() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Off)) else { return };
    let database = postgres.create_database().unwrap();
    let mut one = Server::start(&database, None).await;
    let Err(stderr) = Server::try_start(&database, None).await else { panic!("the server was not refused") };
    let stderr = stderr.lines().last().unwrap_or_default();
    assert!(stderr.starts_with("adoube: another server, "), "{stderr}");
    assert!(stderr.ends_with("Stop the other server, or start both with --bus nats://HOST:4222"), "{stderr}");
    let start = Instant::now();
    while !one.log().contains("other servers use this database, and this server has no bus") {
        assert!(start.elapsed() < TIMEOUT, "{}", one.log());
        sleep(Duration::from_millis(50)).await;
    }
    // A server that has died does not prevent another one from starting.
    one.kill();
    Server::start(&database, None).await;
}
