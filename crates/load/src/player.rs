//! A visitor with a socket, who can reconnect when the connection breaks.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use tokio::{
    net::TcpStream,
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        ClientRequestBuilder, Message, Utf8Bytes, http::Uri, http::header, protocol::WebSocketConfig,
    },
};

use crate::{http, nodes::Nodes};

/// A small deterministic random number generator (xorshift).
#[derive(Debug)]
pub(crate) struct SeededRng(u64);

impl SeededRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    /// Returns a number from 0 to 1, excluding 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The part of the server's messages that this client reads.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Received {
    Snapshot {
        game: Snapshot,
    },
    Event {
        version: u64,
        event: Event,
    },
    Accepted {
        command: uuid::Uuid,
    },
    Refused {
        command: Option<uuid::Uuid>,
        code: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) version: u64,
    pub(crate) turns: Vec<String>,
    pub(crate) status: Status,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Status {
    Over {
        reason: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Event {
    Played {
        turn: String,
        /// The clocks after the turn; absent in games without clocks.
        clock: Option<Clocks>,
    },
    Ended {
        result: String,
        reason: String,
    },
    /// A period that is charged to neither side, in milliseconds since 1970.
    Interrupted {
        from: i64,
        until: i64,
    },
    #[serde(other)]
    Other,
}

/// The remaining time of each side, in milliseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Clocks {
    pub(crate) white: i64,
    pub(crate) black: i64,
}

/// The maximum wait for a connection.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// The ping interval of a visitor with a heartbeat, and the silence after which it disconnects.
const PING_INTERVAL: Duration = Duration::from_millis(2_500);
const STALE_AFTER: Duration = Duration::from_secs(9);

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Opens a socket at a path on a server.
pub(crate) async fn open_socket(
    server: SocketAddr,
    path: &str,
    visitor: usize,
    cookie: &str,
) -> Result<Socket> {
    let request = ClientRequestBuilder::new(format!("ws://{server}{path}").parse::<Uri>()?)
        .with_header(header::ORIGIN.as_str(), format!("http://{server}"))
        .with_header(header::COOKIE.as_str(), cookie);
    let stream = http::connect(server, visitor).await?;
    let config =
        WebSocketConfig::default().read_buffer_size(2048).write_buffer_size(0).max_write_buffer_size(65_536);
    Ok(tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?.0)
}

/// What a visitor needs in order to open the socket of its game.
#[derive(Clone, Debug)]
struct Admission {
    nodes: Nodes,
    game: String,
    visitor: usize,
    cookie: String,
}

impl Admission {
    /// Opens the socket on a node. The server then sends the events after the version `since`.
    async fn open(&self, node: usize, since: u64) -> Result<Socket> {
        let server = self.nodes.get(node);
        let query = if since > 0 { format!("?version={since}") } else { String::new() };
        let path = format!("/api/games/{}/socket{query}", self.game);
        timeout(CONNECT_TIME, open_socket(server, &path, self.visitor, &self.cookie))
            .await
            .context("no response")?
    }
}

/// What happens to a visitor next.
#[derive(Debug)]
pub(crate) enum Next {
    Received(Result<Received>),
    /// The connection is broken.
    Disconnected,
    /// The visitor is connected again, after this time.
    Reconnected(Duration),
}

#[derive(Debug)]
pub(crate) struct Player {
    admission: Admission,
    socket: Option<Socket>,
    /// The task that reconnects, if one is running. It returns the socket and the time that it took.
    reconnection: JoinSet<(Socket, Duration)>,
    /// When this visitor disconnects in order to reconnect; chosen anew for each socket.
    disconnects_at: Option<Instant>,
    churn: Option<Duration>,
    has_heartbeat: bool,
    last_message_at: Instant,
    pinged_at: Instant,
    rng: SeededRng,
    /// The last version of the game that this visitor has received; 0 before the first message.
    pub(crate) version: u64,
    /// The number of turns that this visitor has received.
    pub(crate) plies: usize,
    /// The last turn that a probe has received, and whether it knows that the game is over.
    pub(crate) last_turn: Option<String>,
    pub(crate) is_over: bool,
}

impl Player {
    /// Returns a visitor, not yet connected. `visitor` is its number, which also selects its first node.
    pub(crate) fn new(nodes: &Nodes, game: &str, visitor: usize, cookie: String) -> Self {
        let rng = SeededRng::new(visitor as u64 + 1);
        Self {
            admission: Admission { nodes: nodes.clone(), game: game.to_owned(), visitor, cookie },
            socket: None,
            reconnection: JoinSet::new(),
            disconnects_at: None,
            churn: None,
            has_heartbeat: false,
            last_message_at: Instant::now(),
            pinged_at: Instant::now(),
            rng,
            version: 0,
            plies: 0,
            last_turn: None,
            is_over: false,
        }
    }

    /// Describes the state of the game as this visitor and each node know it, to find out what a visitor who
    /// received no answer has missed.
    pub(crate) async fn describe_game(&self) -> String {
        let Admission { nodes, game, .. } = &self.admission;
        let mut states = vec![format!("{game}: version {} with {} turns", self.version, self.plies)];
        for node in 0..nodes.len() {
            let first = async {
                let mut socket = self.admission.open(node, 0).await?;
                anyhow::Ok(socket.next().await.context("no message")??)
            };
            let state = match timeout(CONNECT_TIME, first).await {
                Ok(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(Received::Snapshot { game: Snapshot { version, turns, status } }) => {
                        format!("version {version} with {} turns, {status:?}", turns.len())
                    }
                    other => format!("{other:?}"),
                },
                other => format!("{other:?}"),
            };
            states.push(format!("on node {node} {state}"));
        }
        states.join("; ")
    }

    /// Makes the visitor disconnect and reconnect at intervals of about `churn`.
    pub(crate) fn with_churn(self, churn: Option<Duration>) -> Self {
        Self { churn, ..self }
    }

    /// If `has_heartbeat` is true, makes the visitor ping the server, and disconnect when the server stays
    /// silent.
    pub(crate) fn with_heartbeat(self, has_heartbeat: bool) -> Self {
        Self { has_heartbeat, ..self }
    }

    /// Opens the socket. The server then sends the events that this visitor has missed.
    pub(crate) async fn connect(&mut self) -> Result<()> {
        let socket = self.admission.open(self.admission.visitor, self.version).await?;
        self.connected(socket);
        Ok(())
    }

    fn connected(&mut self, socket: Socket) {
        self.socket = Some(socket);
        let lifetime = self.churn.map(|churn| churn.mul_f64(0.5 + self.rng.fraction()));
        self.disconnects_at = lifetime.map(|lifetime| Instant::now() + lifetime);
        (self.last_message_at, self.pinged_at) = (Instant::now(), Instant::now());
    }

    /// Starts to reconnect to a random node, with growing random delays, as the page does.
    pub(crate) fn start_reconnecting(&mut self) {
        let (admission, since) = (self.admission.clone(), self.version);
        let mut rng = SeededRng::new(self.rng.next());
        self.reconnection.spawn(async move {
            let start = Instant::now();
            let mut delay = 0.25;
            loop {
                sleep(Duration::from_secs_f64(delay * (0.5 + rng.fraction() / 2.0))).await;
                if let Ok(socket) = admission.open(rng.below(admission.nodes.len()), since).await {
                    return (socket, start.elapsed());
                }
                delay = (delay * 2.0_f64).min(4.0);
            }
        });
    }

    /// Reconnects, and returns the time it took.
    pub(crate) async fn reconnect(&mut self) -> Duration {
        self.start_reconnecting();
        loop {
            if let Next::Reconnected(after) = self.next().await {
                return after;
            }
        }
    }

    /// Waits until something happens to this visitor. Cancel-safe: dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Next {
        match self.reconnection.join_next().await {
            Some(Ok((socket, after))) => {
                self.connected(socket);
                Next::Reconnected(after)
            }
            // Only a bug in this program makes the task panic.
            Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            None => self.receive().await.map_or(Next::Disconnected, Next::Received),
        }
    }

    /// Sends a string; returns `false` if the connection is broken.
    pub(crate) async fn send(&mut self, text: String) -> bool {
        let Some(socket) = &mut self.socket else { return false };
        let sent = socket.send(Message::Text(Utf8Bytes::from(text))).await.is_ok();
        if !sent {
            self.socket = None;
        }
        sent
    }

    /// Waits for the next message. Returns `None` if the connection is broken. Cancel-safe: dropping the
    /// future loses no message.
    pub(crate) async fn receive(&mut self) -> Option<Result<Received>> {
        loop {
            let socket = self.socket.as_mut()?;
            let stale_at = self.last_message_at + STALE_AFTER;
            let next = tokio::select! {
                next = socket.next() => next,
                () = sleep_until(self.disconnects_at.unwrap_or_else(Instant::now)), if self.disconnects_at.is_some() => None,
                () = sleep_until(stale_at), if self.has_heartbeat => None,
                () = sleep_until(self.pinged_at + PING_INTERVAL), if self.has_heartbeat => {
                    self.pinged_at = Instant::now();
                    // If the connection is broken, the next read fails.
                    let _ = timeout(PING_INTERVAL, self.send(r#"{"type":"ping"}"#.to_owned())).await;
                    continue;
                }
            };
            self.last_message_at = Instant::now();
            match next {
                Some(Ok(Message::Text(text))) => {
                    let received = serde_json::from_str(&text);
                    return Some(received.with_context(|| format!("a message cannot be read: {text}")));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    self.socket = None;
                    return None;
                }
                // The library answers pings when it is polled next.
                Some(Ok(_)) => {}
            }
        }
    }
}
