//! Starts a house's processes, and simulates visitors over plain HTTP and WebSocket.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Read as _, Write as _},
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use adoube_test_services::{Durability, Nats, Postgres, free_port, or_skip};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::{
    self, Message, WebSocket, client::IntoClientRequest as _, http::HeaderValue,
};

/// The timeout for a step of a test. No step takes that long, even on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);

/// Polls until a value is found. Returns the value and the time this took. Fails after [`TIMEOUT`].
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut probe: impl FnMut() -> Option<T>) -> (T, Duration) {
    let started = Instant::now();
    loop {
        if let Some(found) = probe() {
            return (found, started.elapsed());
        }
        assert!(started.elapsed() < TIMEOUT, "timed out waiting until {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// The database and the bus of a house, and the logs of its processes.
pub(crate) struct House {
    database: Postgres,
    data: String,
    pub(crate) bus: Nats,
    logs: TempDir,
    started: AtomicUsize,
}

impl House {
    /// Starts the database and the bus. Returns `None` if one of them is not installed.
    pub(crate) fn start() -> Option<Self> {
        let database = or_skip(Postgres::start(Durability::Off))?;
        let bus = or_skip(Nats::start())?;
        let data = database.create_database().unwrap();
        Some(Self { database, data, bus, logs: tempfile::tempdir().unwrap(), started: AtomicUsize::new(0) })
    }

    /// Executes a query. Returns one line per row.
    pub(crate) fn query(&self, query: &str) -> String {
        self.database.psql(self.data.rsplit('/').next().unwrap(), query).unwrap()
    }

    /// Returns the address of the database.
    pub(crate) fn data(&self) -> &str {
        &self.data
    }

    /// Starts `adoube`, and waits until it is ready.
    fn process(&self, command: &str, port: u16, metrics: u16, arguments: &[String]) -> Process {
        let log =
            self.logs.path().join(format!("{command}-{}", self.started.fetch_add(1, Ordering::Relaxed)));
        let mut adoube = Command::new(env!("CARGO_BIN_EXE_adoube"));
        adoube.arg(command).args(arguments);
        adoube.args(["--set", &format!("metrics=127.0.0.1:{metrics}"), "--set", "trusted_proxies=127.0.0.1"]);
        adoube.env("ADOUBE_LOG", "info,adoube_server=debug");
        adoube.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log).unwrap());
        let mut process = Process { child: adoube.spawn().unwrap(), port, metrics, log };
        let started = Instant::now();
        while !process.is_ready() {
            if let Some(status) = process.child.try_wait().unwrap() {
                panic!("{command} exited with {status}: {}", process.log());
            }
            assert!(started.elapsed() < TIMEOUT, "{command} is not ready: {}", process.log());
            std::thread::park_timeout(Duration::from_millis(20));
        }
        process
    }

    /// Returns the arguments that select `deploy/adoube.toml`, and this database and bus.
    fn shared(&self) -> Vec<String> {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/adoube.toml");
        ["--config", config, "--data", &self.data, "--bus", &self.bus.address()].map(Into::into).into()
    }

    fn server(&self, port: u16, proxy: Option<u16>, mut arguments: Vec<String>) -> Process {
        let origin = proxy.unwrap_or(port);
        arguments.extend([
            "--listen".into(),
            format!("127.0.0.1:{port}"),
            "--public-origin".into(),
            format!("http://127.0.0.1:{origin}"),
        ]);
        // Raise the limits, because the tests send more requests than human visitors do.
        for limit in ["limits.snapshots=100k/min", "limits.snapshots_per_address=100k/min"] {
            arguments.extend(["--set".into(), limit.into()]);
        }
        self.process("serve", port, free_port().unwrap(), &arguments)
    }

    /// Starts a node. `proxy` is the port of the proxy in front of it, if there is one.
    pub(crate) fn node(&self, port: u16, proxy: Option<u16>, arguments: &[&str]) -> Process {
        let mut all = self.shared();
        all.extend(arguments.iter().map(ToString::to_string));
        self.server(port, proxy, all)
    }

    /// Starts the only server of a house whose data is in a file.
    pub(crate) fn single(&self, port: u16, proxy: u16, file: &Path) -> Process {
        self.server(port, Some(proxy), vec!["--data".into(), file.display().to_string()])
    }

    pub(crate) fn worker(&self) -> Process {
        let metrics = free_port().unwrap();
        self.process("work", metrics, metrics, &self.shared())
    }
}

/// A server or a worker. It is killed when dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) port: u16,
    metrics: u16,
    log: PathBuf,
}

impl Process {
    fn is_ready(&self) -> bool {
        Visitor::at(self.port)
            .try_request("GET", "/api/ready", "")
            .is_some_and(|response| response.status == 200)
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Kills the process (`SIGKILL`) and waits until it has exited.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Tells the process to stop (`SIGTERM`), and waits until it has exited.
    pub(crate) fn stop(&mut self) {
        self.signal("TERM");
        eventually("the process has stopped", || self.child.try_wait().unwrap());
    }

    pub(crate) fn pause(&self) {
        self.signal("STOP");
    }

    pub(crate) fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let status = Command::new("/bin/sh")
            .args(["-c", r#"kill -s "$1" "$2""#, "sh", name, &self.child.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }

    /// Returns the value of one of the process's metrics.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = Visitor::at(self.metrics).request("GET", "/metrics", "").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).trim().parse().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("---- {}\n{}", self.log.display(), self.log());
        }
    }
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Response {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A simulated browser.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    port: u16,
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    pub(crate) fn at(port: u16) -> Self {
        Self { port, cookies: BTreeMap::new() }
    }

    /// Returns the value of the `cookie` header, or `None` if there are no cookies.
    fn cookie(&self) -> Option<String> {
        let cookies = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        (!cookies.is_empty()).then(|| cookies.join("; "))
    }

    /// Sends a request. Returns `None` if there is no response.
    pub(crate) fn try_request(&mut self, method: &str, path: &str, body: &str) -> Option<Response> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        stream.set_read_timeout(Some(TIMEOUT)).ok()?;
        let cookie = self.cookie().map_or_else(String::new, |cookie| format!("cookie: {cookie}\r\n"));
        let length = body.len();
        // In HTTP/1.0 the response ends when the connection is closed.
        let request = format!(
            "{method} {path} HTTP/1.0\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{cookie}\r\n{body}",
            self.port
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut response = Vec::new();
        stream.read_to_end(&mut response).ok()?;
        let response = String::from_utf8_lossy(&response);
        let (head, body) = response.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let headers = head.lines().filter_map(|line| line.split_once(": "));
        for (_, cookie) in headers.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie")) {
            let (name, value) = cookie.split(';').next()?.split_once('=')?;
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.into(), value.into());
            }
        }
        Some(Response { status, body: body.to_owned() })
    }

    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, path: &str, body: &str) -> Response {
        self.try_request(method, path, body).expect("a response")
    }

    #[track_caller]
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Response {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.request("POST", path, &body)
    }

    /// Creates a game. Returns the response, which contains the id and, if there is one, an invitation.
    #[track_caller]
    pub(crate) fn create(&mut self, variant: &str, color: &str, opponent: &Value) -> Value {
        self.create_with(&json!({ "variant": variant, "color": color, "opponent": opponent }))
    }

    /// Creates a game with these properties. Returns the response.
    #[track_caller]
    pub(crate) fn create_with(&mut self, game: &Value) -> Value {
        let mut body = game.clone();
        body["command"] = json!(command());
        let created = self.post("/api/games", &body);
        assert_eq!(created.status, 201, "{created:?}");
        created.json()
    }

    /// Returns the turns of a game so far.
    #[track_caller]
    pub(crate) fn turns(&mut self, game: &str) -> Vec<Value> {
        // For a moment after a node is killed, the proxy may have no node to forward to.
        let (response, _) = eventually("the proxy forwards the request", || {
            let response = self.request("GET", &format!("/api/games/{game}"), "");
            (response.status != 502).then_some(response)
        });
        assert_eq!(response.status, 200, "{response:?}");
        response.json()["turns"].as_array().unwrap().clone()
    }

    /// Opens a socket. Returns `None` if that fails.
    pub(crate) fn try_socket(&self, path: &str) -> Option<Socket> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        stream.set_read_timeout(Some(TIMEOUT)).ok()?;
        let mut request = format!("ws://127.0.0.1:{}{path}", self.port).into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("origin", HeaderValue::from_str(&format!("http://127.0.0.1:{}", self.port)).unwrap());
        if let Some(cookie) = self.cookie() {
            headers.insert("cookie", HeaderValue::from_str(&cookie).unwrap());
        }
        let (socket, _) = tungstenite::client(request, stream).ok()?;
        Some(Socket(socket))
    }

    /// Opens a socket, trying again until it succeeds, as the page does.
    #[track_caller]
    pub(crate) fn socket(&self, path: &str) -> Socket {
        eventually("a socket opens", || self.try_socket(path)).0
    }
}

pub(crate) fn command() -> String {
    uuid::Uuid::new_v4().to_string()
}

pub(crate) struct Socket(WebSocket<TcpStream>);

impl Socket {
    /// Sends a turn that is based on a version of the game.
    pub(crate) fn play(&mut self, seen: u64, turn: &str) {
        let play = json!({ "type": "play", "command": command(), "version": seen, "turn": turn });
        self.0.send(Message::text(play.to_string())).unwrap();
    }

    /// Returns the next message, or `None` if the socket was closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("timed out waiting for a message")
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Waits for a message of the given type. Fails if a refusal comes first.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().expect("the socket was closed");
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "refused", "{message}");
        }
    }

    /// Waits for an event of the given type. Returns the event, and the version after it.
    #[track_caller]
    pub(crate) fn wait_for_event(&mut self, kind: &str) -> (Value, u64) {
        loop {
            let message = self.wait_for("event");
            if message["event"]["type"] == kind {
                return (message["event"].clone(), message["version"].as_u64().unwrap());
            }
        }
    }

    /// Waits for the event that produces `version` or a later version.
    #[track_caller]
    pub(crate) fn wait_for_version(&mut self, version: u64) {
        while self.wait_for("event")["version"].as_u64().unwrap() < version {}
    }

    /// Returns `true` once no message has come for a second, or `false` if the socket is closed first.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.0.get_ref().set_read_timeout(Some(Duration::from_secs(1))).unwrap();
        let is_alive = loop {
            match self.0.read() {
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    break true;
                }
                Ok(Message::Close(_)) | Err(_) => break false,
                Ok(_) => {}
            }
        };
        self.0.get_ref().set_read_timeout(Some(TIMEOUT)).unwrap();
        is_alive
    }
}
