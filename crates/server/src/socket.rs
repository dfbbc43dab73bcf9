//! The socket of a game: one task per socket, which tells what happens and takes commands.
//!
//! What a socket owes its client is never more than the bus keeps for it: a client that takes too long for what it
//! is sent is closed, and one that fell behind reads what it missed out of the log.

use std::sync::Arc;

use adoube_bus::{Delivery, Notice};
use adoube_protocol::{ClientMessage, CommandId, GameId, PlayerId, ServerMessage, Version};
use axum::{
    Extension,
    extract::{
        Query, State,
        rejection::QueryRejection,
        ws::{
            CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
            rejection::WebSocketUpgradeRejection,
        },
    },
    http::HeaderMap,
    response::Response,
};
use serde::Deserialize;
use tokio::time::{Instant, MissedTickBehavior};

use crate::{
    app::{App, Peer},
    error::Error,
    games::Ask,
    handlers::Name,
    identity::Visitor,
    limits::{Credit, Place},
    router::{Missing, is_own},
    wire,
};

/// A client that missed more events than this gets a snapshot, which is shorter.
const REPLAYED: u64 = 64;
/// Small buffers: most sockets are silent most of the time, and there are many.
const BUFFER_BYTES: usize = 4096;

#[derive(Debug, Deserialize)]
pub(crate) struct Since {
    /// The version that the client has.
    version: Option<String>,
}

pub(crate) async fn open(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Visitor(player): Visitor,
    game: Name,
    since: Result<Query<Since>, QueryRejection>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Error> {
    if !is_own(&app, &headers, Missing::Refused) {
        return Err(Error::ForeignOrigin);
    }
    let id = game.id::<GameId>(Error::GameNotFound)?;
    app.games.load(&id).await?;
    let upgrade = upgrade.map_err(|_| Error::SocketExpected)?;
    // A version that is no number is as good as none.
    let since = since.ok().and_then(|Query(since)| since.version?.parse().ok()).map_or(Version(0), Version);
    let limit = app.config.limits.message_bytes;
    let tracker = app.sockets.clone();
    Ok(upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(1 << 20)
        .max_message_size(limit)
        .max_frame_size(limit)
        .on_upgrade(move |socket| {
            tracker.track_future(async move {
                let limits = &app.config.limits;
                let credit = Credit::new(limits.messages, limits.messages_per);
                let session =
                    Session { app: app.clone(), id, player, socket, sent: 0, credit, _place: peer.place };
                session.run(since).await;
            })
        }))
}

/// Why a socket ends.
enum End {
    /// The client has gone, or takes nothing any more: there is nobody to say goodbye to.
    Gone,
    Close {
        code: u16,
        reason: &'static str,
    },
}

const HOSTILE: u16 = close_code::POLICY;

struct Session {
    app: App,
    id: GameId,
    player: PlayerId,
    socket: WebSocket,
    /// The version up to which the client has been told.
    sent: u64,
    credit: Credit,
    _place: Arc<Place>,
}

impl Session {
    async fn run(mut self, since: Version) {
        tracing::debug!(game = %self.id, since = %since, "socket opened");
        let Err(end) = self.talk(since).await;
        let (code, reason) = match end {
            End::Gone => (close_code::AWAY, "gone"),
            End::Close { code, reason } => {
                let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
                if self.send(Message::Close(Some(frame))).await.is_ok() {
                    self.hear_farewell().await;
                }
                (code, reason)
            }
        };
        tracing::debug!(game = %self.id, code, reason, "socket closed");
    }

    /// Reads on until the client has closed too: a connection that is dropped with something unread is reset, and
    /// the client might never see why it was closed. What is read is not looked at.
    async fn hear_farewell(&mut self) {
        let farewell = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        let _ = tokio::time::timeout(std::time::Duration::from_secs(1), farewell).await;
    }

    /// Tells and listens until one side ends it.
    async fn talk(&mut self, since: Version) -> Result<std::convert::Infallible, End> {
        // First listen to the bus, then look at the log: so nothing falls in between.
        let subscribed = self.app.games.subscribe(&self.id).await;
        let mut news = self.or_close(subscribed)?;
        self.begin(since).await?;
        let silence = self.app.config.limits.silence;
        let mut beat = tokio::time::interval(silence / 3);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let stop = self.app.stop.clone();
        loop {
            tokio::select! {
                () = stop.cancelled() => {
                    return Err(End::Close { code: close_code::RESTART, reason: "the server restarts" });
                }
                message = self.socket.recv() => {
                    heard = Instant::now();
                    self.hear(message).await?;
                }
                delivery = news.next() => self.pass_on(delivery).await?,
                _ = beat.tick() => {
                    if heard.elapsed() >= silence {
                        return Err(End::Close { code: HOSTILE, reason: "silent for too long" });
                    }
                    self.send(Message::Ping(axum::body::Bytes::new())).await?;
                }
            }
        }
    }

    /// Brings the client from the version it has to the present one.
    async fn begin(&mut self, since: Version) -> Result<(), End> {
        let loaded = self.app.games.load(&self.id).await;
        let game = self.or_close(loaded)?;
        let known = 1..=game.version();
        if known.contains(&since.0) && game.version() - since.0 <= REPLAYED {
            self.sent = since.0;
            return self.catch_up().await;
        }
        self.send_snapshot(&game).await
    }

    async fn send_snapshot(&mut self, game: &adoube_game::Game) -> Result<(), End> {
        let you = game.color_of(self.player.as_str());
        self.sent = self.sent.max(game.version());
        let game = Box::new(wire::snapshot(&self.id, game, you));
        self.say(&ServerMessage::Snapshot { game }).await
    }

    /// Sends what the log has beyond what the client was told.
    async fn catch_up(&mut self) -> Result<(), End> {
        let missed = self.app.games.missed(&self.id, Version(self.sent)).await;
        for (version, message) in self.or_close(missed)? {
            self.say(&message).await?;
            self.sent = version;
        }
        Ok(())
    }

    async fn pass_on(&mut self, delivery: Delivery) -> Result<(), End> {
        match delivery {
            Delivery::Notice(Notice { sequence, .. }) if sequence <= self.sent => Ok(()),
            Delivery::Notice(Notice { sequence, body }) if sequence == self.sent + 1 => {
                // Written once for all sockets; the bytes are shared.
                let Ok(text) = Utf8Bytes::try_from(body) else { return self.catch_up().await };
                self.send(Message::Text(text)).await?;
                self.sent = sequence;
                Ok(())
            }
            Delivery::Notice(_) | Delivery::Lost => self.catch_up().await,
            Delivery::Closed => Err(End::Close { code: close_code::RESTART, reason: "the server restarts" }),
        }
    }

    async fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), End> {
        let message = match message {
            None => return Err(End::Gone),
            Some(Err(error)) => return Err(end_of(&error)),
            Some(Ok(message)) => message,
        };
        if !self.credit.spend() {
            return Err(End::Close { code: HOSTILE, reason: "too many messages" });
        }
        match message {
            Message::Text(text) => self.obey(&text).await,
            Message::Binary(_) => Err(End::Close { code: HOSTILE, reason: "only text is understood" }),
            Message::Close(_) => Err(End::Gone),
            // Pings are answered below us.
            Message::Ping(_) | Message::Pong(_) => Ok(()),
        }
    }

    async fn obey(&mut self, text: &str) -> Result<(), End> {
        let (command, ask) = match serde_json::from_str(text) {
            Ok(ClientMessage::Ping) => return self.say(&ServerMessage::Pong).await,
            Ok(ClientMessage::Resync) => {
                let loaded = self.app.games.load(&self.id).await;
                let game = self.or_close(loaded)?;
                return self.send_snapshot(&game).await;
            }
            Ok(ClientMessage::Play { command, version, turn }) => {
                (command, Ask::Play { seen: version, turn })
            }
            Ok(ClientMessage::Resign { command }) => (command, Ask::Resign),
            Ok(ClientMessage::OfferDraw { command }) => (command, Ask::OfferDraw),
            Ok(ClientMessage::AcceptDraw { command }) => (command, Ask::AcceptDraw),
            Ok(ClientMessage::DeclineDraw { command }) => (command, Ask::DeclineDraw),
            Ok(ClientMessage::ClaimDraw { command }) => (command, Ask::ClaimDraw),
            Err(error) => return self.refuse(None, &Error::Message(error.to_string())).await,
        };
        match self.app.games.ask(&self.id, &self.player, command, &ask).await {
            Ok(version) => self.say(&ServerMessage::Accepted { command, version }).await,
            Err(error) => self.refuse(Some(command), &error).await,
        }
    }

    async fn refuse(&mut self, command: Option<CommandId>, error: &Error) -> Result<(), End> {
        error.log();
        self.say(&ServerMessage::Refused { command, code: error.code().to_owned(), args: error.args() }).await
    }

    async fn say(&mut self, message: &ServerMessage) -> Result<(), End> {
        match serde_json::to_string(message) {
            Ok(text) => self.send(Message::text(text)).await,
            Err(error) => {
                tracing::error!(%error, game = %self.id, "a message cannot be written");
                Err(End::Close { code: close_code::ERROR, reason: "the server made a mistake" })
            }
        }
    }

    /// Sends, unless the client takes too long to take it.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        let sending = self.socket.send(message);
        match tokio::time::timeout(self.app.config.limits.send_time, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                tracing::info!(game = %self.id, "a client that takes too long is let go");
                Err(End::Gone)
            }
        }
    }

    /// What the socket cannot go on without.
    fn or_close<T>(&self, result: Result<T, Error>) -> Result<T, End> {
        result.map_err(|error| {
            error.log();
            tracing::warn!(game = %self.id, code = error.code(), "a socket cannot go on");
            End::Close { code: close_code::AGAIN, reason: "the game cannot be read now; try again" }
        })
    }
}

/// How to end after a message that could not be received.
fn end_of(error: &axum::Error) -> End {
    use tokio_tungstenite::tungstenite::Error as Cause;

    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        match inner.downcast_ref::<Cause>() {
            Some(Cause::Capacity(_)) => {
                return End::Close { code: close_code::SIZE, reason: "the message is too long" };
            }
            Some(Cause::Utf8(_)) => {
                return End::Close { code: HOSTILE, reason: "only text is understood" };
            }
            Some(Cause::Protocol(_)) => {
                return End::Close { code: HOSTILE, reason: "the frames make no sense" };
            }
            _ => cause = inner.source(),
        }
    }
    End::Gone
}
