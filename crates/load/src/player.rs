//! A visitor with a socket, which reconnects when the connection breaks.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, sleep_until},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        ClientRequestBuilder, Message, Utf8Bytes, http::Uri, http::header, protocol::WebSocketConfig,
    },
};

use crate::http;

/// A small random number generator, the same for the same seed.
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
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

    /// Returns a number from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The part of the server's messages that is read.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Heard {
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
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Event {
    Played {
        turn: String,
    },
    Ended {
        reason: String,
    },
    #[serde(other)]
    Other,
}

type Socket = WebSocketStream<TcpStream>;

#[derive(Debug)]
pub(crate) struct Player {
    server: SocketAddr,
    game: String,
    visitor: usize,
    cookie: String,
    socket: Option<Socket>,
    /// When this visitor disconnects, to reconnect at once; drawn anew for each socket.
    leaves_at: Option<Instant>,
    churn: Option<Duration>,
    chance: Chance,
    /// The version that this visitor has; 0 before the first message.
    pub(crate) version: u64,
    /// The turns that this visitor was told of.
    pub(crate) plies: usize,
}

impl Player {
    pub(crate) fn new(server: SocketAddr, game: &str, visitor: usize, cookie: String) -> Self {
        let chance = Chance::new(visitor as u64 + 1);
        let game = game.to_owned();
        Self {
            server,
            game,
            visitor,
            cookie,
            socket: None,
            leaves_at: None,
            churn: None,
            chance,
            version: 0,
            plies: 0,
        }
    }

    /// Lets the visitor disconnect about every `stays`.
    pub(crate) fn with_churn(self, churn: Option<Duration>) -> Self {
        Self { churn, ..self }
    }

    /// Opens the socket; the server then sends what this visitor has missed.
    pub(crate) async fn connect(&mut self) -> Result<()> {
        let since = if self.version > 0 { format!("?version={}", self.version) } else { String::new() };
        let path = format!("ws://{}/api/games/{}/socket{since}", self.server, self.game);
        let request = ClientRequestBuilder::new(path.parse::<Uri>()?)
            .with_header(header::ORIGIN.as_str(), format!("http://{}", self.server))
            .with_header(header::COOKIE.as_str(), &self.cookie);
        let stream = http::connect(self.server, self.visitor).await?;
        let config = WebSocketConfig::default()
            .read_buffer_size(2048)
            .write_buffer_size(0)
            .max_write_buffer_size(65_536);
        let (socket, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        self.socket = Some(socket);
        let stays = self.churn.map(|churn| churn.mul_f64(0.5 + self.chance.fraction()));
        self.leaves_at = stays.map(|stays| Instant::now() + stays);
        Ok(())
    }

    /// Reconnects as a page does, with random delays that grow. Returns the time it took.
    pub(crate) async fn come_back(&mut self) -> Duration {
        let begin = Instant::now();
        let mut delay = 0.25;
        loop {
            sleep(Duration::from_secs_f64(delay * (0.5 + self.chance.fraction() / 2.0))).await;
            if self.connect().await.is_ok() {
                return begin.elapsed();
            }
            delay = (delay * 2.0_f64).min(4.0);
        }
    }

    /// Sends a text; false if the line is broken.
    pub(crate) async fn say(&mut self, text: String) -> bool {
        let Some(socket) = &mut self.socket else { return false };
        let sent = socket.send(Message::Text(Utf8Bytes::from(text))).await.is_ok();
        if !sent {
            self.socket = None;
        }
        sent
    }

    /// Waits for the next message; `None` if the connection is broken. Dropping the future loses no message.
    pub(crate) async fn hear(&mut self) -> Option<Result<Heard>> {
        let Some(socket) = &mut self.socket else { return None };
        loop {
            let next = tokio::select! {
                next = socket.next() => next,
                () = sleep_until(self.leaves_at.unwrap_or_else(Instant::now)), if self.leaves_at.is_some() => None,
            };
            match next {
                Some(Ok(Message::Text(text))) => {
                    let heard = serde_json::from_str(&text);
                    return Some(heard.with_context(|| format!("a message that cannot be read: {text}")));
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
