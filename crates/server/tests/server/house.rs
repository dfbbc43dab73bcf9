//! A server for a test, and its visitors.

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use adoube_bus::{Bus, LocalBus};
use adoube_protocol::{
    Act, ClientMessage, CommandId, Game, GameEvent, Millis, ServerMessage, SessionMessage,
};
use adoube_rules::{AnyPosition, Position as _, coordinate};
use adoube_server::{
    Administration, Clock, Config, Entropy, EntropyError, FolderMailer, NoMailer, Opponent, OpponentRequest,
    PublicAddress, Rate, ServeError, Server, Services, SystemClock,
};
use adoube_store::{GameStore as _, Store};
use adoube_store_sqlite::SqliteStore;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinHandle,
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Error as SocketError, Message, client::IntoClientRequest as _, http::HeaderValue},
};
use tokio_util::sync::CancellationToken;

/// The timeout for each step of a test, longer than any step takes.
pub(crate) const STEP_TIMEOUT: Duration = Duration::from_secs(20);

/// Polls until a condition holds, for conditions that no socket announces. Panics after [`STEP_TIMEOUT`];
/// `what` completes the sentence "timed out waiting until …".
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let polling = async {
        while !holds().await {
            // Gives other tasks time to run. Nothing depends on the length of the pause.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(STEP_TIMEOUT, polling).await.is_ok(), "timed out waiting until {what}");
}

/// Returns the rate per visitor and the rate per address, each of which allows `count` uses per hour.
pub(crate) fn times(count: u64) -> (Rate, Rate) {
    let rate = Rate::new(count, Duration::from_hours(1));
    (rate, rate)
}

/// A clock that a test sets.
#[derive(Debug)]
pub(crate) struct FakeClock {
    now: AtomicI64,
    /// The total duration of the server's pauses. Other advances of the clock are not pauses.
    paused: AtomicI64,
}

impl FakeClock {
    /// The time at which a test begins by default.
    pub(crate) const START: i64 = 1_000_000;

    pub(crate) fn at(now_ms: i64) -> Arc<Self> {
        Arc::new(Self { now: AtomicI64::new(now_ms), paused: AtomicI64::new(0) })
    }

    pub(crate) fn advance(&self, ms: i64) {
        self.now.fetch_add(ms, Ordering::Relaxed);
    }

    /// Advances the clock as if the process had been suspended for `ms`.
    pub(crate) fn pause(&self, ms: i64) {
        // The order matters: a check in between must not see a pause that the clock does not show yet.
        self.now.fetch_add(ms, Ordering::SeqCst);
        self.paused.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Millis {
        Millis(self.now.load(Ordering::Relaxed))
    }

    fn steady_ms(&self) -> i64 {
        self.paused.load(Ordering::SeqCst)
    }
}

/// A source of numbers that are reproducible if requested in the same order.
#[derive(Debug)]
pub(crate) struct SeededEntropy(AtomicU64);

impl Entropy for SeededEntropy {
    fn random(&self) -> Result<u128, EntropyError> {
        let mix = |mut number: u64| {
            // SplitMix64.
            number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            number ^ (number >> 31)
        };
        let next = || mix(self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed));
        Ok((u128::from(next()) << 64) | u128::from(next()))
    }
}

/// An opponent that plays the first legal turn.
pub(crate) struct FirstTurnOpponent;

impl Opponent for FirstTurnOpponent {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        let mut position = AnyPosition::from_fen(request.variant, &request.initial_fen).unwrap();
        for text in &request.turns {
            let turn = coordinate::parse(&position, text).unwrap();
            position.play_turn_unchecked(&turn);
        }
        let turns = position.legal_turns();
        turns.first().map(|turn| coordinate::write(&position, turn))
    }
}

pub(crate) struct House {
    pub(crate) address: SocketAddr,
    /// The address of the metrics endpoint, if there is one.
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) administration: Arc<Administration>,
    pub(crate) folder: Option<TempDir>,
    services: Services,
    config: Config,
    stop: CancellationToken,
    task: JoinHandle<Result<(), ServeError>>,
}

impl House {
    pub(crate) async fn new() -> Self {
        Self::with(Arc::new(FirstTurnOpponent), |_| ()).await
    }

    pub(crate) async fn with(opponent: Arc<dyn Opponent>, change: impl FnOnce(&mut Config)) -> Self {
        Self::open(tempfile::tempdir().unwrap(), opponent, change).await
    }

    pub(crate) async fn open(
        folder: TempDir,
        opponent: Arc<dyn Opponent>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        Self::open_at(folder, FakeClock::START, opponent, change).await
    }

    /// Opens a house whose clock starts at a given time, as after a restart.
    pub(crate) async fn open_at(
        folder: TempDir,
        now_ms: i64,
        opponent: Arc<dyn Opponent>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let store = SqliteStore::open(&folder.path().join("data.sqlite")).await.unwrap();
        Self::on_store(folder, store, now_ms, opponent, change).await
    }

    /// Opens a house on a store that is already open.
    pub(crate) async fn on_store(
        folder: TempDir,
        store: SqliteStore,
        now_ms: i64,
        opponent: Arc<dyn Opponent>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        Self::try_on_store(folder, store, now_ms, opponent, change)
            .await
            .unwrap_or_else(|(_, error)| panic!("{error}"))
    }

    /// Opens a house on a store, or returns the folder and the error.
    pub(crate) async fn try_on_store(
        folder: TempDir,
        store: SqliteStore,
        now_ms: i64,
        opponent: Arc<dyn Opponent>,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, (TempDir, ServeError)> {
        // Boxed, because otherwise the future of every test would be large.
        Box::pin(Self::try_with_bus(folder, store, now_ms, opponent, change, Arc::new(LocalBus::new()))).await
    }

    async fn try_with_bus(
        folder: TempDir,
        store: SqliteStore,
        now_ms: i64,
        opponent: Arc<dyn Opponent>,
        change: impl FnOnce(&mut Config),
        bus: Arc<dyn Bus>,
    ) -> Result<Self, (TempDir, ServeError)> {
        let store = Arc::new(store);
        let clock = FakeClock::at(now_ms);
        let data: PathBuf = folder.path().join("data.sqlite");
        let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        config.machine_round = Duration::from_millis(100);
        change(&mut config);
        let services = Services {
            store: Arc::<SqliteStore>::clone(&store),
            bus,
            clock: Arc::<FakeClock>::clone(&clock),
            mailer: Arc::new(FolderMailer::new(folder.path().join("emails"))),
            // The seed depends on the size of the data, so ids do not repeat after a restart.
            entropy: Arc::new(SeededEntropy(AtomicU64::new(
                std::fs::metadata(&data).map_or(0, |data| data.len()),
            ))),
            opponent,
        };
        match Box::pin(Self::serve(config, services, clock)).await {
            Ok(house) => Ok(Self { folder: Some(folder), ..house }),
            Err(error) => {
                store.close().await;
                Err((folder, error))
            }
        }
    }

    async fn serve(config: Config, services: Services, clock: Arc<FakeClock>) -> Result<Self, ServeError> {
        let server = Server::bind(config.clone(), services.clone()).await?;
        let (address, metrics) = (server.listen_address().local_address().unwrap(), server.metrics_addr());
        let administration = Arc::clone(server.administration());
        let stop = CancellationToken::new();
        let task = tokio::spawn(server.run(stop.clone().cancelled_owned()));
        Ok(Self { address, metrics, clock, administration, folder: None, services, config, stop, task })
    }

    /// Opens two servers of one house that share a store, each with its own bus handle. A socket checks its
    /// session once, within a second of opening. The ping interval is longer than any test, so after that
    /// check a socket learns only from the bus that its session has ended.
    pub(crate) async fn pair(one: Arc<dyn Bus>, other: Arc<dyn Bus>) -> (Self, Self) {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("data.sqlite")).await.unwrap();
        let silent = |config: &mut Config| config.limits.silence = Duration::from_hours(1);
        // Boxed, because otherwise the future of every test would be large.
        let opened = Box::pin(Self::try_with_bus(
            folder,
            store,
            FakeClock::START,
            Arc::new(FirstTurnOpponent),
            silent,
            one,
        ))
        .await;
        let house = opened.unwrap_or_else(|(_, error)| panic!("{error}"));
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy(AtomicU64::new(u64::MAX / 2)));
        let services = Services { bus: other, entropy, ..house.services.clone() };
        let second =
            Box::pin(Self::serve(house.config.clone(), services, Arc::clone(&house.clock))).await.unwrap();
        (house, second)
    }

    /// Opens two servers, each with its own handles to a store and a bus. They use the system clock.
    pub(crate) async fn pair_over(
        stores: [Arc<dyn Store>; 2],
        buses: [Arc<dyn Bus>; 2],
        change: impl FnOnce(&mut Config),
    ) -> [Self; 2] {
        let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        config.limits.silence = Duration::from_hours(1);
        change(&mut config);
        let [one, other] = stores;
        let [bus, other_bus] = buses;
        [Self::node(0, one, bus, config.clone()).await, Self::node(1, other, other_bus, config).await]
    }

    /// Opens a server on a store that has no folder. It uses the system clock, and random numbers seeded by
    /// `number`.
    async fn node(number: u64, store: Arc<dyn Store>, bus: Arc<dyn Bus>, config: Config) -> Self {
        let services = Services {
            store,
            bus,
            clock: Arc::new(SystemClock::new()),
            mailer: Arc::new(NoMailer),
            entropy: Arc::new(SeededEntropy(AtomicU64::new(u64::MAX / 3 * number))),
            opponent: Arc::new(FirstTurnOpponent),
        };
        let clock = FakeClock::at(FakeClock::START);
        Box::pin(Self::serve(config, services, clock)).await.unwrap()
    }

    /// Opens a server that is the only one on its database, with random numbers different from those of any
    /// house whose store is a file.
    pub(crate) async fn single_on_store(store: Arc<dyn Store>) -> Self {
        let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        Self::node(2, store, Arc::new(LocalBus::new()), config).await
    }

    /// Stops the server as a shutdown would.
    pub(crate) async fn shut_down(&mut self) {
        self.stop.cancel();
        tokio::time::timeout(STEP_TIMEOUT, &mut self.task).await.unwrap().unwrap().unwrap();
    }

    /// Stops the server and returns the folder with the data.
    pub(crate) async fn close(mut self) -> TempDir {
        self.shut_down().await;
        self.folder.take().unwrap()
    }

    /// Returns the time of the fake clock, in milliseconds since 1970.
    pub(crate) fn clock_now(&self) -> i64 {
        self.clock.now().0
    }

    pub(crate) fn visitor(&self) -> Visitor {
        let base = self.config.public_origin.as_ref().map_or("", PublicAddress::path).to_owned();
        Visitor { address: self.address, base, cookie: None }
    }
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: String,
}

impl Response {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        let error = self.json()["error"].clone();
        assert_eq!(error["code"], code);
        assert!(!error["message"].as_str().unwrap().is_empty());
        error["args"].clone()
    }
}

/// Joins the chunks of a body. Panics if the last chunk is missing, which means that the body is incomplete.
#[track_caller]
fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    loop {
        let (length, after) = rest.split_once("\r\n").expect("the body is incomplete");
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            return body;
        }
        body += &after[..length];
        rest = &after[length + 2..];
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) address: SocketAddr,
    /// The path of the house, which is the prefix of every requested path.
    pub(crate) base: String,
    pub(crate) cookie: Option<String>,
}

impl Visitor {
    /// Returns a visitor to another server, or to the metrics endpoint.
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self { address, base: String::new(), cookie: None }
    }

    /// Sends a request as a browser would, with the given headers.
    pub(crate) async fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let Self { address, base, .. } = self;
        let mut request =
            format!("{method} {base}{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        if let Some(cookie) = &self.cookie {
            request.extend(["cookie: ", cookie, "\r\n"]);
        }
        if !body.is_empty() {
            request.extend(["content-length: ", &body.len().to_string(), "\r\n"]);
        }
        request += "\r\n";
        request += body;
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server may refuse a request, and close the connection, while the request is still being written.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut response = Vec::new();
        let read = tokio::time::timeout(STEP_TIMEOUT, stream.read_to_end(&mut response)).await.unwrap();
        assert!(read.is_ok() || !response.is_empty(), "{read:?}");
        let response = String::from_utf8_lossy(&response);
        let (head, body) =
            response.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {response:?}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        for (_, cookie) in headers.clone().filter(|(name, _)| *name == "set-cookie") {
            self.store_cookie(cookie);
        }
        let lists = headers.clone().filter(|(name, _)| *name == "vary").map(|(_, value)| value);
        let vary = lists.collect::<Vec<_>>().join(", ");
        let headers = headers.map(|(name, value)| (name.into(), value.into()));
        let mut headers = headers.collect::<HashMap<String, String>>();
        if !vary.is_empty() {
            headers.insert("vary".to_owned(), vary);
        }
        let is_chunked = headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked");
        let body = if is_chunked { unchunked(body) } else { body.into() };
        Response { status, headers, body }
    }

    /// Stores a cookie as a browser does: it replaces any cookie with the same name.
    fn store_cookie(&mut self, cookie: &str) {
        let pair = cookie.split(';').next().unwrap_or_default();
        let name = pair.split('=').next().unwrap_or_default();
        let others = self.cookie.take().unwrap_or_default();
        let others =
            others.split("; ").filter(|other| !other.is_empty() && other.split('=').next() != Some(name));
        self.cookie = Some(others.chain([pair]).collect::<Vec<_>>().join("; "));
    }

    pub(crate) async fn get(&mut self, path: &str) -> Response {
        self.request("GET", path, &[], "").await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Response {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.request("POST", path, &[("content-type", "application/json")], &body).await
    }

    /// Registers an account with the password `correct horse`.
    pub(crate) async fn register(&mut self, name: &str) {
        let body = json!({ "name": name, "password": "correct horse" });
        let registered = self.post("/api/account", &body).await;
        assert_eq!(registered.status, 201, "{registered:?}");
    }

    pub(crate) async fn sign_in(&mut self, name: &str, password: &str) -> Response {
        self.post("/api/session", &json!({ "name": name, "password": password })).await
    }

    /// Creates a game and returns its id and its invitation.
    #[track_caller]
    pub(crate) fn create(
        &mut self,
        variant: &str,
        color: &str,
        opponent: &Value,
    ) -> impl Future<Output = (String, Option<String>)> {
        let body = json!({ "command": command(), "variant": variant, "color": color, "opponent": opponent });
        async move {
            let response = self.post("/api/games", &body).await;
            assert_eq!(response.status, 201, "{response:?}");
            let response = response.json();
            (response["id"].as_str().unwrap().into(), response["invitation"].as_str().map(Into::into))
        }
    }

    pub(crate) async fn game(&mut self, id: &str) -> Game {
        serde_json::from_value(self.get(&format!("/api/games/{id}")).await.json()).unwrap()
    }

    pub(crate) async fn try_socket(
        &self,
        id: &str,
        query: &str,
        origin: Option<&str>,
    ) -> Result<Socket, u16> {
        self.try_open(&format!("/api/games/{id}/socket{query}"), origin).await
    }

    pub(crate) async fn try_open(&self, path: &str, origin: Option<&str>) -> Result<Socket, u16> {
        let url = format!("ws://{}{}{path}", self.address, self.base);
        let mut request = url.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", HeaderValue::from_str(origin).unwrap());
        }
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", HeaderValue::from_str(cookie).unwrap());
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((stream, _)) => Ok(Socket { stream }),
            Err(SocketError::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens a game's socket, with the origin that the server's own page sends.
    pub(crate) async fn socket(&self, id: &str, query: &str) -> Socket {
        self.try_socket(id, query, Some(&format!("http://{}", self.address))).await.unwrap()
    }
}

/// Returns a new command id.
pub(crate) fn command() -> CommandId {
    CommandId(uuid::Uuid::new_v4())
}

pub(crate) struct Socket {
    pub(crate) stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub(crate) async fn send(&mut self, message: &ClientMessage) {
        self.stream.send(Message::text(serde_json::to_string(message).unwrap())).await.unwrap();
    }

    /// Returns the next message; `None` if the socket was closed.
    pub(crate) async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            match tokio::time::timeout(STEP_TIMEOUT, self.stream.next()).await.unwrap()? {
                Ok(Message::Text(text)) => match serde_json::from_str(&text).unwrap() {
                    // Presence can arrive at any time; a test that needs it calls `presence`.
                    ServerMessage::Presence { .. } => {}
                    message => return Some(message),
                },
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Waits for a presence message with these values.
    pub(crate) async fn presence(&mut self, expected: (bool, bool, u32)) {
        loop {
            match tokio::time::timeout(STEP_TIMEOUT, self.stream.next()).await.unwrap().unwrap().unwrap() {
                Message::Text(text) => {
                    let message = serde_json::from_str(&text).unwrap();
                    let ServerMessage::Presence { white, black, watchers, .. } = message else { continue };
                    if (white, black, watchers) == expected {
                        return;
                    }
                }
                Message::Close(_) => panic!("the socket was closed"),
                _ => {}
            }
        }
    }

    /// Sends a ping and waits for the pong, which proves that the socket is open and that the server has
    /// handled all earlier messages.
    pub(crate) async fn assert_open(&mut self) {
        self.send(&SessionMessage::Ping.into()).await;
        while !matches!(self.next().await.expect("the socket was closed"), ServerMessage::Pong { .. }) {}
    }

    /// Reads until the socket is closed. Returns the close code and reason.
    pub(crate) async fn wait_for_close(&mut self) -> (u16, String) {
        loop {
            match tokio::time::timeout(STEP_TIMEOUT, self.stream.next()).await.unwrap() {
                Some(Ok(Message::Close(Some(frame)))) => {
                    return (frame.code.into(), frame.reason.to_string());
                }
                Some(Ok(Message::Close(None)) | Err(_)) | None => panic!("closed without a close frame"),
                Some(Ok(_)) => {}
            }
        }
    }

    pub(crate) async fn snapshot(&mut self) -> Game {
        match self.next().await {
            Some(ServerMessage::Snapshot { game }) => *game,
            other => panic!("no snapshot: {other:?}"),
        }
    }

    /// Returns the next event and the version after it. Skips confirmations of commands.
    pub(crate) async fn event(&mut self) -> (u64, GameEvent) {
        loop {
            match self.next().await {
                Some(ServerMessage::Event { version, event, .. }) => return (version.0, event),
                Some(ServerMessage::Accepted { .. }) => {}
                other => panic!("no event: {other:?}"),
            }
        }
    }

    /// Sends a command and returns the version at which it was accepted, or the code of the refusal. Skips
    /// events.
    pub(crate) async fn command(&mut self, message: &ClientMessage) -> Result<u64, String> {
        self.send(message).await;
        loop {
            match self.next().await {
                Some(ServerMessage::Accepted { version, .. }) => return Ok(version.0),
                Some(ServerMessage::Refused { code, .. }) => return Err(code),
                Some(_) => {}
                None => panic!("closed without a response"),
            }
        }
    }

    pub(crate) async fn play(&mut self, version: u64, turn: &str) -> Result<u64, String> {
        self.command(&play(version, turn)).await
    }
}

pub(crate) fn play(version: u64, turn: &str) -> ClientMessage {
    act(Act::Play { version, turn: turn.into() })
}

/// Returns a message that requests an act, with a new command id.
pub(crate) fn act(act: Act) -> ClientMessage {
    ClientMessage::Act { command: command(), act }
}

/// Returns a chat message, with a new command id.
pub(crate) fn chat(text: &str) -> ClientMessage {
    SessionMessage::Chat { command: command(), text: text.into() }.into()
}

/// Starts a game between two people. Returns White, Black and the id.
pub(crate) async fn two_players(house: &House, variant: &str) -> (Visitor, Visitor, String) {
    two_players_with(house, json!({ "variant": variant })).await
}

/// Starts a game between two people with the given settings.
pub(crate) async fn two_players_with(house: &House, settings: Value) -> (Visitor, Visitor, String) {
    let (mut white, mut black) = (house.visitor(), house.visitor());
    let id = begin(&mut white, &mut black, settings).await;
    (white, black, id)
}

/// Starts a game between two visitors and returns its id.
pub(crate) async fn begin(white: &mut Visitor, black: &mut Visitor, settings: Value) -> String {
    let mut body = json!({ "command": command(), "color": "white", "opponent": { "type": "friend" } });
    body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let created = white.post("/api/games", &body).await;
    assert_eq!(created.status, 201, "{created:?}");
    let created = created.json();
    let joined = black
        .post(&format!("/api/invitations/{}", created["invitation"].as_str().unwrap()), &Value::Null)
        .await;
    assert_eq!(joined.status, 200, "{joined:?}");
    created["id"].as_str().unwrap().into()
}
