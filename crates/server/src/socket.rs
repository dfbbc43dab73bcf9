//! WebSockets. Each runs in its own task, which sends events and handles the client's requests.
//!
//! The backlog of a socket is limited to the notices that the bus holds for it. A client that is too slow to
//! receive a message is disconnected. One that has fallen behind is brought up to date from the log.

pub(crate) mod game;
pub(crate) mod hall;
mod shown;

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
    auth::{CredentialNotice, Visitor},
    error::Error,
    limits::{ConnectionSlot, Requester, Resource},
    log_throttle::LogThrottle,
    metrics::{Socket as SocketKind, SocketGuard},
    origin_check::{MissingOrigin, is_same_origin},
};

/// The size of the read and write buffers of a socket. They are small, because there are many sockets, and
/// most are idle most of the time.
const BUFFER_BYTES: usize = 4096;
/// The time during which a client's messages are still read after a close frame has been sent.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The period over which the sockets spread their credential checks when some credentials may have ended.
const CHECK_TIME: Duration = Duration::from_secs(1);

/// The factor by which a message may exceed its limit and still be read completely.
const OVERSIZE_FACTOR: usize = 8;

static SLOW_CLIENT_LOG: LogThrottle = LogThrottle::new();

const VIOLATION: u16 = close_code::POLICY;
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

/// The reason a socket is closed.
pub(crate) enum CloseReason {
    /// The client has disconnected or stopped reading, so no close frame is sent.
    Gone,
    Close {
        code: u16,
        reason: &'static str,
    },
}

impl CloseReason {
    fn restart() -> Self {
        Self::Close { code: close_code::RESTART, reason: "the server is restarting" }
    }

    fn busy() -> Self {
        Self::Close { code: close_code::AGAIN, reason: "too many games were opened; try again later" }
    }
}

/// Checks that a handshake comes from a page of this house. Handlers call this before any other check.
fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), Error> {
    if is_same_origin(app, headers, MissingOrigin::Refused) { Ok(()) } else { Err(Error::ForeignOrigin) }
}

/// Upgrades a request and runs a session on the connection.
fn upgrade<F>(
    app: App,
    peer: &Peer,
    visitor: &Visitor,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    kind: SocketKind,
    session: impl FnOnce(Box<Connection>) -> F + Send + 'static,
) -> Result<Response, Error>
where
    F: Future<Output = (Box<Connection>, CloseReason)> + Send + 'static,
{
    let upgrade = upgrade.map_err(|_| Error::SocketExpected)?;
    let limit = app.config.limits.message_bytes;
    let owner =
        SocketOwner { player: visitor.player.clone(), address: peer.address, slot: Arc::clone(&peer.slot) };
    // Subscribes now rather than when the socket is open. Otherwise the end of a session in between would be
    // missed.
    let credential = CredentialWatch::of(&app, visitor);
    Ok(upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(1 << 20)
        // A message that exceeds the limit by no more than this factor is read to its end so that its sender
        // learns why the socket is closed.
        .max_message_size(limit.saturating_mul(OVERSIZE_FACTOR))
        .max_frame_size(limit.saturating_mul(OVERSIZE_FACTOR))
        .on_upgrade(move |socket| {
            run_session(Connection::new(app, Box::new(socket), owner, kind, credential), session)
        }))
}

/// Runs a session to its end. A server that is stopping waits for it.
pub(crate) fn run_session<F>(
    connection: Connection,
    session: impl FnOnce(Box<Connection>) -> F + Send + 'static,
) -> impl Future<Output = ()> + Send
where
    F: Future<Output = (Box<Connection>, CloseReason)> + Send,
{
    let tracker = connection.app.sockets.clone();
    // A future keeps room for each value that is moved into it, and there are thousands of sockets. So the
    // connection is boxed, and so is whatever is awaited only now and then.
    let connection = Box::new(connection);
    tracker.track_future(async move {
        let (connection, end) = Box::pin(session(connection)).await;
        Box::pin(connection.close(end)).await;
    })
}

/// The visitor who owns a socket, with the address and the slot of the connection.
#[derive(Clone, Debug)]
pub(crate) struct SocketOwner {
    pub(crate) player: PlayerId,
    pub(crate) address: IpAddr,
    /// Counts the connection until it closes.
    pub(crate) slot: Arc<ConnectionSlot>,
}

/// A socket with its limits.
pub(crate) struct Connection {
    app: App,
    transport: Box<dyn Transport>,
    owner: SocketOwner,
    /// A message that is delayed until the given time, because its address has sent too many. Nothing is read
    /// in the meantime.
    delayed: Option<(Instant, Message)>,
    ping_timer: Interval,
    last_received: Instant,
    /// The last ping, until its pong arrives.
    pending_ping: Option<PendingPing>,
    /// The smoothed round-trip time of pings; `None` before the first pong.
    round_trip: Option<Duration>,
    /// Watches the socket's credential, which can end.
    credential: CredentialWatch,
    _guard: SocketGuard,
}

/// A socket's credential, with the channel that announces the end of credentials.
pub(crate) struct CredentialWatch {
    visitor: Visitor,
    changes: broadcast::Receiver<CredentialNotice>,
    /// The time at which to check the credential in the store. Stays set until the check is done, because the
    /// check's future may be dropped.
    check_at: Option<Instant>,
}

impl CredentialWatch {
    /// Subscribes to announcements of ended credentials. An early check in the store detects a credential
    /// that ended between its lookup for the request and this call.
    pub(crate) fn of(app: &App, visitor: &Visitor) -> Self {
        let check_at = Some(Instant::now() + random_delay(app));
        Self { visitor: visitor.clone(), changes: app.accounts.changes.subscribe_ended(), check_at }
    }
}

/// A ping that has been sent.
struct PendingPing {
    /// Only a pong with this nonce counts, because it proves that the ping has arrived.
    nonce: u128,
    sent: Instant,
    at: Millis,
}

/// Input from a connection to its session.
enum Incoming {
    Text(Utf8Bytes),
    /// Nothing for the session to handle: a control frame, a delayed message or a timer.
    None,
}

impl Connection {
    pub(crate) fn new(
        app: App,
        transport: Box<dyn Transport>,
        owner: SocketOwner,
        kind: SocketKind,
        credential: CredentialWatch,
    ) -> Self {
        let limits = &app.config.limits;
        let mut ping_timer = tokio::time::interval(limits.silence / 3);
        ping_timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let guard = app.metrics.open(kind);
        Self {
            app,
            transport,
            owner,
            delayed: None,
            ping_timer,
            last_received: Instant::now(),
            pending_ping: None,
            round_trip: None,
            credential,
            _guard: guard,
        }
    }

    /// Takes one token from the owner's allowances.
    fn spend(&self, kind: Resource) -> Result<(), Error> {
        Ok(self.app.allowances.spend(kind, self.requester())?)
    }

    fn requester(&self) -> Requester<'_> {
        Requester { player: &self.owner.player, address: self.owner.address }
    }

    /// Returns the lag of a turn in milliseconds, as measured by pings: the transit time of the opponent's
    /// turn plus that of the reply.
    fn lag_ms(&self) -> u32 {
        self.round_trip.map_or(0, |time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX))
    }

    /// Waits for the next message or timer. If the future is dropped, no message from the client is lost.
    async fn next(&mut self) -> Result<Incoming, CloseReason> {
        let stop = self.app.stop.clone();
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(CloseReason::restart()),
            () = credential_ended(&self.app, &mut self.credential) => {
                Err(CloseReason::Close { code: VIOLATION, reason: SIGNED_OUT })
            }
            () = sleep_until(self.delayed.as_ref().map_or_else(Instant::now, |(until, _)| *until)), if self.delayed.is_some() => {
                self.last_received = Instant::now();
                self.delayed.take().map_or(Ok(Incoming::None), |(_, message)| self.take(message))
            }
            message = self.transport.next(), if self.delayed.is_none() => {
                self.last_received = Instant::now();
                self.receive(message)
            }
            _ = self.ping_timer.tick() => {
                if self.delayed.is_none() && self.last_received.elapsed() >= self.app.config.limits.silence {
                    return Err(CloseReason::Close { code: VIOLATION, reason: "silent for too long" });
                }
                let until = self.credential.visitor.until;
                if until.is_some_and(|until| self.app.clock.now() >= until) {
                    return Err(CloseReason::Close { code: VIOLATION, reason: SIGNED_OUT });
                }
                Box::pin(self.ping()).await?;
                Ok(Incoming::None)
            }
        }
    }

    fn receive(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<Incoming, CloseReason> {
        let message = match message {
            None => return Err(CloseReason::Gone),
            Some(Err(error)) => return Err(close_reason_of(&error)),
            Some(Ok(message)) => message,
        };
        let allowance = self.app.allowances.of(Resource::Messages);
        if allowance.spend_for_player(&self.owner.player).is_err() {
            return Err(CloseReason::Close { code: VIOLATION, reason: "too many messages" });
        }
        self.take(message)
    }

    /// Handles a message as soon as its address may send one. Visitors who share an address wait for each
    /// other instead of being disconnected.
    fn take(&mut self, message: Message) -> Result<Incoming, CloseReason> {
        if let Err(wait) = self.app.allowances.of(Resource::Messages).spend_at(self.owner.address) {
            self.delayed = Some((Instant::now() + wait.0, message));
            return Ok(Incoming::None);
        }
        match message {
            Message::Text(text) if text.len() > self.app.config.limits.message_bytes => {
                Err(CloseReason::Close { code: close_code::SIZE, reason: "the message is too long" })
            }
            Message::Text(text) => Ok(Incoming::Text(text)),
            Message::Binary(_) => {
                Err(CloseReason::Close { code: VIOLATION, reason: "only text is understood" })
            }
            Message::Close(_) => Err(CloseReason::Gone),
            // The WebSocket library replies to pings.
            Message::Ping(_) => Ok(Incoming::None),
            Message::Pong(sent) => {
                self.measure(&sent);
                Ok(Incoming::None)
            }
        }
    }

    /// Sends a ping. Any earlier ping that is still unanswered no longer counts.
    async fn ping(&mut self) -> Result<(), CloseReason> {
        let Ok(nonce) = self.app.entropy.random() else { return Ok(()) };
        self.pending_ping = Some(PendingPing { nonce, sent: Instant::now(), at: self.app.clock.now() });
        self.send(Message::Ping(Bytes::copy_from_slice(&nonce.to_be_bytes()))).await
    }

    /// Updates the round-trip time when the pong to a ping arrives. A single slow ping has little effect. An
    /// unsolicited or repeated pong is ignored.
    fn measure(&mut self, pong: &[u8]) {
        let Some(pending_ping) =
            self.pending_ping.take_if(|pending_ping| pong == pending_ping.nonce.to_be_bytes())
        else {
            return;
        };
        // A downtime in between must not count as part of the round trip.
        let downtimes = self.app.games.ledger.downtimes();
        if downtimes.within_ms(pending_ping.at.0, downtimes.check().0) > 0 {
            return;
        }
        let took = pending_ping.sent.elapsed();
        self.round_trip = Some(self.round_trip.map_or(took, |before| (before * 3 + took) / 4));
    }

    async fn send_json(&mut self, message: &impl Serialize) -> Result<(), CloseReason> {
        match serde_json::to_string(message) {
            Ok(text) => self.send_and_settle(Message::text(text)).await,
            Err(error) => {
                tracing::error!(%error, "a message cannot be serialized");
                Err(CloseReason::Close { code: close_code::ERROR, reason: "internal error" })
            }
        }
    }

    /// Sends a body that was serialized once and whose bytes all sockets share.
    async fn forward(&mut self, body: Bytes) -> Result<(), CloseReason> {
        match Utf8Bytes::try_from(body) {
            Ok(text) => self.send_and_settle(Message::Text(text)).await,
            Err(_) => Err(CloseReason::Close { code: close_code::ERROR, reason: "internal error" }),
        }
    }

    /// Sends a message from the session. From the first one on, the connection no longer counts as new.
    async fn send_and_settle(&mut self, message: Message) -> Result<(), CloseReason> {
        let result = self.send(message).await;
        self.owner.slot.free_new_slot();
        result
    }

    /// Sends a message within the write timeout.
    async fn send(&mut self, message: Message) -> Result<(), CloseReason> {
        let sending = self.transport.send(message);
        match tokio::time::timeout(self.app.config.limits.send_time, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(CloseReason::Gone),
            Err(_) => {
                if let Some(suppressed) = SLOW_CLIENT_LOG.line(std::time::Instant::now()) {
                    tracing::info!(suppressed, "disconnected a slow client");
                }
                Err(CloseReason::Gone)
            }
        }
    }

    async fn close(mut self, end: CloseReason) {
        let CloseReason::Close { code, reason } = end else { return };
        tracing::debug!(code, reason, "socket closed");
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            // Keeps reading until the client has also closed the connection. Dropping a connection with
            // unread data would reset it, and the client might never see the reason.
            let closing = async {
                while let Some(message) = self.transport.next().await {
                    if message.is_err() {
                        // The rest cannot be decoded and is not read, so only the time limit ends the wait.
                        std::future::pending::<()>().await;
                    }
                }
            };
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, closing).await;
        }
    }
}

/// Converts an error to a close reason, for services without which the session cannot continue.
fn or_close<T>(result: Result<T, Error>) -> Result<T, CloseReason> {
    result.map_err(|error| {
        error.log();
        tracing::debug!(code = error.code(), "closed a socket because of an error");
        CloseReason::Close { code: close_code::AGAIN, reason: "temporarily unavailable; try again" }
    })
}

/// Completes when the visitor's credential has ended.
async fn credential_ended(app: &App, credential: &mut CredentialWatch) {
    loop {
        let check = sleep_until(credential.check_at.unwrap_or_else(Instant::now));
        tokio::select! {
            biased;
            received = credential.changes.recv() => match received {
                Ok(CredentialNotice::Unknown) | Err(RecvError::Lagged(_)) => {
                    credential.check_at = Some(Instant::now() + random_delay(app));
                }
                Ok(CredentialNotice::InDoubt(player)) => {
                    if player == credential.visitor.player {
                        credential.check_at = Some(Instant::now() + random_delay(app));
                    }
                }
                Ok(ended) if !ended.affects(&credential.visitor) => {}
                Ok(_) | Err(RecvError::Closed) => return,
            },
            () = check, if credential.check_at.is_some() => {
                match app.accounts.is_valid(&credential.visitor).await {
                    Ok(true) => credential.check_at = None,
                    Ok(false) => return,
                    Err(error) => {
                        error.log();
                        credential.check_at = Some(Instant::now() + CHECK_TIME);
                    }
                }
            }
        }
    }
}

/// Returns a random delay so that thousands of sockets do not query the store at the same moment.
fn random_delay(app: &App) -> Duration {
    const STEPS: u32 = 1_000;
    let random = app.entropy.random().unwrap_or_default() % u128::from(STEPS);
    CHECK_TIME * u32::try_from(random).unwrap_or(STEPS) / STEPS
}

/// Returns the close reason for a message that could not be received.
fn close_reason_of(error: &axum::Error) -> CloseReason {
    use tokio_tungstenite::tungstenite::Error as Cause;

    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        match inner.downcast_ref::<Cause>() {
            Some(Cause::Capacity(_)) => {
                return CloseReason::Close { code: close_code::SIZE, reason: "the message is too long" };
            }
            Some(Cause::Utf8(_)) => {
                return CloseReason::Close { code: VIOLATION, reason: "only text is understood" };
            }
            Some(Cause::Protocol(_)) => {
                return CloseReason::Close { code: VIOLATION, reason: "malformed frames" };
            }
            _ => cause = inner.source(),
        }
    }
    CloseReason::Gone
}

#[cfg(test)]
mod tests {
    /// Fails if a session holds a lot of memory for as long as it runs. What is needed only while a message
    /// is handled must be boxed.
    pub(super) fn assert_size_of_session<T, F>(_: impl FnOnce(T) -> F) {
        let bytes = size_of::<F>();
        assert!(bytes <= 1_536, "{bytes} bytes");
    }
}
