//! Sockets. Each runs in a task of its own, which sends what happens and handles what the client asks for.
//!
//! The backlog of a socket is limited to what the bus keeps for it: a client that is too slow to take a message
//! is disconnected, and one that fell behind is brought up to date from the log.

pub(crate) mod game;
pub(crate) mod hall;

use std::{net::IpAddr, sync::Arc, time::Duration};

use adoube_protocol::{Millis, PlayerId};
use axum::{
    body::Bytes,
    extract::ws::{
        CloseFrame, Message, Utf8Bytes, WebSocketUpgrade, close_code, rejection::WebSocketUpgradeRejection,
    },
    http::HeaderMap,
    response::Response,
};
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _};
use serde::Serialize;
use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::{Instant, Interval, MissedTickBehavior, sleep_until},
};

use crate::{
    app::{App, Peer},
    auth::{Ended, Visitor},
    error::Error,
    limits::{ConnectionSlot, Kind as Allowed, Spender},
    log_throttle::LogThrottle,
    metrics::{Counted, Socket as Kind},
    origin_check::{Missing, is_own},
};

/// Small buffers: there are many sockets, and most are silent most of the time.
const BUFFER_BYTES: usize = 4096;
/// Time for which a client is still read after a close frame was sent.
const FAREWELL: Duration = Duration::from_secs(1);

/// Period over which all sockets spread the check of their credentials, if any may have ended.
const CHECK_TIME: Duration = Duration::from_secs(1);

/// Factor by which a message may exceed its limit and still be read to its end.
const READ_ANYWAY: usize = 8;

static LET_GO: LogThrottle = LogThrottle::new();

const HOSTILE: u16 = close_code::POLICY;
const SIGNED_OUT: &str = "signed out";

/// The transport of a socket: a WebSocket, or a substitute in a test.
pub(crate) trait Transport:
    Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Send + Unpin
{
}

impl<T> Transport for T where
    T: Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Send + Unpin
{
}

/// The reason why a socket is closed.
pub(crate) enum End {
    /// The client has gone or takes nothing any more, so no close frame is sent.
    Gone,
    Close {
        code: u16,
        reason: &'static str,
    },
}

impl End {
    fn restart() -> Self {
        Self::Close { code: close_code::RESTART, reason: "the server restarts" }
    }

    fn busy() -> Self {
        Self::Close { code: close_code::AGAIN, reason: "too many games were opened; try again later" }
    }
}

/// Checks that a handshake comes from our own pages. This precedes everything else.
fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), Error> {
    if is_own(app, headers, Missing::Refused) { Ok(()) } else { Err(Error::ForeignOrigin) }
}

/// Upgrades a request and runs a session on the connection.
fn upgrade<F>(
    app: App,
    peer: &Peer,
    visitor: &Visitor,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    kind: Kind,
    session: impl FnOnce(Connection) -> F + Send + 'static,
) -> Result<Response, Error>
where
    F: Future<Output = (Connection, End)> + Send + 'static,
{
    let upgrade = upgrade.map_err(|_| Error::SocketExpected)?;
    let limit = app.config.limits.message_bytes;
    let owner = Owner { player: visitor.player.clone(), address: peer.address, slot: Arc::clone(&peer.slot) };
    // Subscribed now and not when the socket is open: a session that ends in between must not be missed.
    let ended = Ending { visitor: visitor.clone(), endings: app.accounts.changes.ended(), check_at: None };
    Ok(upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(1 << 20)
        // A message that is slightly too long is read to its end, so that its sender learns why the socket is
        // closed.
        .max_message_size(limit.saturating_mul(READ_ANYWAY))
        .max_frame_size(limit.saturating_mul(READ_ANYWAY))
        .on_upgrade(move |socket| {
            talk(Connection::new(app, Box::new(socket), owner, kind, Some(ended)), session)
        }))
}

/// Runs a session to its end. A stopping server waits for it.
pub(crate) fn talk<F>(
    line: Connection,
    session: impl FnOnce(Connection) -> F + Send + 'static,
) -> impl Future<Output = ()> + Send
where
    F: Future<Output = (Connection, End)> + Send,
{
    let tracker = line.app.sockets.clone();
    tracker.track_future(async move {
        // Boxed: otherwise each of thousands of sockets would hold the memory that a session needs at most.
        let (line, end) = Box::pin(session(line)).await;
        line.close(end).await;
    })
}

/// The owner of a socket, and its origin.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) player: PlayerId,
    pub(crate) address: IpAddr,
    /// Keeps the connection counted.
    pub(crate) slot: Arc<ConnectionSlot>,
}

/// A socket with its limits.
pub(crate) struct Connection {
    app: App,
    transport: Box<dyn Transport>,
    owner: Owner,
    /// A message that is delayed until the given time, because its address has sent too many. Nothing is read
    /// in the meantime.
    held: Option<(Instant, Message)>,
    beat: Interval,
    heard: Instant,
    /// The ping that has not been answered.
    pinged: Option<Pinged>,
    /// The smoothed round-trip time of pings; `None` before the first answer.
    round_trip: Option<Duration>,
    /// Watches the credential of the socket; `None` in a simulation.
    ending: Option<Ending>,
    _counted: Counted,
}

/// The credential of a socket, and the channel that announces when credentials end.
pub(crate) struct Ending {
    visitor: Visitor,
    endings: broadcast::Receiver<Ended>,
    /// When to check the credential in the store. Set until that is done, because the future that does it may be dropped.
    check_at: Option<Instant>,
}

/// A ping that has been sent.
struct Pinged {
    /// Only an answer with this number counts: it proves that the ping had arrived.
    nonce: u128,
    sent: Instant,
    at: Millis,
}

/// What a connection delivers to its session.
enum Incoming {
    Text(Utf8Bytes),
    /// Nothing that concerns the session.
    None,
}

impl Connection {
    pub(crate) fn new(
        app: App,
        transport: Box<dyn Transport>,
        owner: Owner,
        kind: Kind,
        ending: Option<Ending>,
    ) -> Self {
        let limits = &app.config.limits;
        let mut beat = tokio::time::interval(limits.silence / 3);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let counted = app.metrics.open(kind);
        Self {
            app,
            transport,
            owner,
            held: None,
            beat,
            heard: Instant::now(),
            pinged: None,
            round_trip: None,
            ending,
            _counted: counted,
        }
    }

    /// Takes one from the allowances of the owner.
    fn spend(&self, kind: Allowed) -> Result<(), Error> {
        Ok(self.app.allowances.spend(kind, self.spender())?)
    }

    fn spender(&self) -> Spender<'_> {
        Spender { player: &self.owner.player, address: self.owner.address }
    }

    /// Returns the lag of a turn in milliseconds: the trip of the opponent's turn down and of the answer up, as
    /// measured by pings.
    fn lag_ms(&self) -> u32 {
        self.round_trip.map_or(0, |time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX))
    }

    /// Waits for the next message or timer. Dropping the future loses nothing.
    async fn next(&mut self) -> Result<Incoming, End> {
        let stop = self.app.stop.clone();
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(End::restart()),
            () = ended(&self.app, &mut self.ending) => {
                Err(End::Close { code: HOSTILE, reason: SIGNED_OUT })
            }
            () = sleep_until(self.held.as_ref().map_or_else(Instant::now, |(until, _)| *until)), if self.held.is_some() => {
                self.heard = Instant::now();
                self.held.take().map_or(Ok(Incoming::None), |(_, message)| self.take(message))
            }
            message = self.transport.next(), if self.held.is_none() => {
                self.heard = Instant::now();
                self.hear(message)
            }
            _ = self.beat.tick() => {
                if self.held.is_none() && self.heard.elapsed() >= self.app.config.limits.silence {
                    return Err(End::Close { code: HOSTILE, reason: "silent for too long" });
                }
                let until = self.ending.as_ref().and_then(|ending| ending.visitor.until);
                if until.is_some_and(|until| self.app.clock.now() >= until) {
                    return Err(End::Close { code: HOSTILE, reason: SIGNED_OUT });
                }
                self.ping().await?;
                Ok(Incoming::None)
            }
        }
    }

    fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<Incoming, End> {
        let message = match message {
            None => return Err(End::Gone),
            Some(Err(error)) => return Err(end_of(&error)),
            Some(Ok(message)) => message,
        };
        let allowance = self.app.allowances.of(Allowed::Messages);
        if allowance.spend_of(&self.owner.player).is_err() {
            return Err(End::Close { code: HOSTILE, reason: "too many messages" });
        }
        self.take(message)
    }

    /// Handles a message as soon as its address may send one. Other visitors may share the address: they wait
    /// for each other, and none is disconnected.
    fn take(&mut self, message: Message) -> Result<Incoming, End> {
        if let Err(wait) = self.app.allowances.of(Allowed::Messages).spend_at(self.owner.address) {
            self.held = Some((Instant::now() + wait.0, message));
            return Ok(Incoming::None);
        }
        match message {
            Message::Text(text) if text.len() > self.app.config.limits.message_bytes => {
                Err(End::Close { code: close_code::SIZE, reason: "the message is too long" })
            }
            Message::Text(text) => Ok(Incoming::Text(text)),
            Message::Binary(_) => Err(End::Close { code: HOSTILE, reason: "only text is understood" }),
            Message::Close(_) => Err(End::Gone),
            // The WebSocket library answers pings.
            Message::Ping(_) => Ok(Incoming::None),
            Message::Pong(sent) => {
                self.measure(&sent);
                Ok(Incoming::None)
            }
        }
    }

    /// Sends a ping. An earlier one that is still unanswered no longer counts.
    async fn ping(&mut self) -> Result<(), End> {
        let Ok(nonce) = self.app.entropy.random() else { return Ok(()) };
        self.pinged = Some(Pinged { nonce, sent: Instant::now(), at: self.app.clock.now() });
        self.send(Message::Ping(Bytes::copy_from_slice(&nonce.to_be_bytes()))).await
    }

    /// Updates the round-trip time by an answer; single slow pings count little. An unsolicited or repeated
    /// answer is ignored.
    fn measure(&mut self, answer: &[u8]) {
        let Some(pinged) = self.pinged.take_if(|pinged| answer == pinged.nonce.to_be_bytes()) else { return };
        // A downtime in between would count as part of the trip.
        let downtimes = self.app.games.ledger.downtimes();
        if downtimes.within_ms(pinged.at.0, downtimes.look().0) > 0 {
            return;
        }
        let took = pinged.sent.elapsed();
        self.round_trip = Some(self.round_trip.map_or(took, |before| (before * 3 + took) / 4));
    }

    async fn say(&mut self, message: &impl Serialize) -> Result<(), End> {
        match serde_json::to_string(message) {
            Ok(text) => self.tell(Message::text(text)).await,
            Err(error) => {
                tracing::error!(%error, "a message cannot be serialized");
                Err(End::Close { code: close_code::ERROR, reason: "internal error" })
            }
        }
    }

    /// Sends a body that was serialized once for all sockets; the bytes are shared.
    async fn pass_on(&mut self, body: Bytes) -> Result<(), End> {
        match Utf8Bytes::try_from(body) {
            Ok(text) => self.tell(Message::Text(text)).await,
            Err(_) => Err(End::Close { code: close_code::ERROR, reason: "internal error" }),
        }
    }

    /// Sends a message of the session. With the first one the connection is no longer new.
    async fn tell(&mut self, message: Message) -> Result<(), End> {
        let told = self.send(message).await;
        self.owner.slot.settle();
        told
    }

    /// Sends a message within the write timeout.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        let sending = self.transport.send(message);
        match tokio::time::timeout(self.app.config.limits.send_time, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                if let Some(kept_back) = LET_GO.line(std::time::Instant::now()) {
                    tracing::info!(kept_back, "a client that is too slow is disconnected");
                }
                Err(End::Gone)
            }
        }
    }

    async fn close(mut self, end: End) {
        let End::Close { code, reason } = end else { return };
        tracing::debug!(code, reason, "socket closed");
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            // Reads on until the client has closed too. Dropping a connection with unread data would reset it,
            // and the client might never see the reason.
            let farewell = async {
                while let Some(heard) = self.transport.next().await {
                    if heard.is_err() {
                        // The rest cannot be decoded and stays unread, so only the time limit helps.
                        std::future::pending::<()>().await;
                    }
                }
            };
            let _ = tokio::time::timeout(FAREWELL, farewell).await;
        }
    }
}

/// Closes the socket if something fails that the session depends on.
fn or_close<T>(result: Result<T, Error>) -> Result<T, End> {
    result.map_err(|error| {
        error.log();
        tracing::debug!(code = error.code(), "a socket is closed because of an error");
        End::Close { code: close_code::AGAIN, reason: "this cannot be read now; try again" }
    })
}

/// Returns when the credential of the visitor has ended.
async fn ended(app: &App, ending: &mut Option<Ending>) {
    let Some(ending) = ending else { return std::future::pending().await };
    loop {
        let check = sleep_until(ending.check_at.unwrap_or_else(Instant::now));
        tokio::select! {
            biased;
            told = ending.endings.recv() => match told {
                Ok(Ended::Unknown) | Err(RecvError::Lagged(_)) => {
                    ending.check_at = Some(Instant::now() + spread(app));
                }
                Ok(ended) if !ended.is_of(&ending.visitor) => {}
                Ok(_) | Err(RecvError::Closed) => return,
            },
            () = check, if ending.check_at.is_some() => {
                match app.accounts.is_valid(&ending.visitor).await {
                    Ok(true) => ending.check_at = None,
                    Ok(false) => return,
                    Err(error) => {
                        error.log();
                        ending.check_at = Some(Instant::now() + CHECK_TIME);
                    }
                }
            }
        }
    }
}

/// Returns a random delay, so that thousands of sockets do not ask the store at the same moment.
fn spread(app: &App) -> Duration {
    const STEPS: u32 = 1_000;
    let random = app.entropy.random().unwrap_or_default() % u128::from(STEPS);
    CHECK_TIME * u32::try_from(random).unwrap_or(STEPS) / STEPS
}

/// Returns how to close after a message that could not be received.
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
