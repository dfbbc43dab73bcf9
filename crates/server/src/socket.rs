//! Sockets: one task each, which tells what happens and takes what the client says.
//!
//! What a socket owes its client is never more than the bus keeps for it: a client that takes too long for what it
//! is sent is closed, and one that fell behind is told anew.

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
    sync::broadcast,
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

/// Small buffers: most sockets are silent most of the time, and there are many.
const BUFFER_BYTES: usize = 4096;
/// What a client is still read for after it was told goodbye.
const FAREWELL: Duration = Duration::from_secs(1);

/// How many times longer a message may be than it should, to be read to its end.
const READ_ANYWAY: usize = 8;

static LET_GO: LogThrottle = LogThrottle::new();

const HOSTILE: u16 = close_code::POLICY;
const SIGNED_OUT: &str = "signed out";

/// What carries the messages of a socket: a connection, or whatever a test puts in its place.
pub(crate) trait Carrier:
    Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Send + Unpin
{
}

impl<T> Carrier for T where
    T: Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Send + Unpin
{
}

/// Why a socket ends.
pub(crate) enum End {
    /// The client has gone, or takes nothing any more: there is nobody to say goodbye to.
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
}

/// Whether a handshake comes from our own pages. It is asked before anything else.
fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), Error> {
    if is_own(app, headers, Missing::Refused) { Ok(()) } else { Err(Error::ForeignOrigin) }
}

/// Upgrades a request and runs a session on the line.
fn upgrade<F>(
    app: App,
    peer: &Peer,
    visitor: &Visitor,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    kind: Kind,
    session: impl FnOnce(Line) -> F + Send + 'static,
) -> Result<Response, Error>
where
    F: Future<Output = (Line, End)> + Send + 'static,
{
    let upgrade = upgrade.map_err(|_| Error::SocketExpected)?;
    let limit = app.config.limits.message_bytes;
    let owner = Owner { player: visitor.player.clone(), address: peer.address, slot: Arc::clone(&peer.slot) };
    // From now on, not from when the socket is open: a session that ends in between must not be missed.
    let ended = Ending { visitor: visitor.clone(), endings: app.accounts.ended.subscribe() };
    Ok(upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(1 << 20)
        // Longer than what is taken: a message that is a little too long is read to its end, so that its sender learns why the
        // socket is closed.
        .max_message_size(limit.saturating_mul(READ_ANYWAY))
        .max_frame_size(limit.saturating_mul(READ_ANYWAY))
        .on_upgrade(move |socket| talk(Line::new(app, Box::new(socket), owner, kind, Some(ended)), session)))
}

/// Runs a session on a line to its end; the server waits for it when it stops.
pub(crate) fn talk<F>(
    line: Line,
    session: impl FnOnce(Line) -> F + Send + 'static,
) -> impl Future<Output = ()> + Send
where
    F: Future<Output = (Line, End)> + Send,
{
    let tracker = line.app.sockets.clone();
    tracker.track_future(async move {
        // Boxed: what a session needs at most would otherwise be held by each of thousands.
        let (line, end) = Box::pin(session(line)).await;
        line.close(end).await;
    })
}

/// Whose socket it is, and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) player: PlayerId,
    pub(crate) address: IpAddr,
    /// Keeps the connection counted.
    pub(crate) slot: Arc<ConnectionSlot>,
}

/// A socket with its limits.
pub(crate) struct Line {
    app: App,
    carrier: Box<dyn Carrier>,
    owner: Owner,
    /// A message that waits, and until when, because all of this address together have sent too much. Nothing is read meanwhile.
    held: Option<(Instant, Message)>,
    beat: Interval,
    heard: Instant,
    /// The ping that has not come back.
    pinged: Option<Pinged>,
    /// How long pings take to come back; none before the first has.
    round_trip: Option<Duration>,
    /// By what the socket was opened; nothing in a simulation.
    ending: Option<Ending>,
    _counted: Counted,
}

/// By what a socket was opened, and where is told that it has ended.
pub(crate) struct Ending {
    visitor: Visitor,
    endings: broadcast::Receiver<Ended>,
}

/// A ping on its way.
struct Pinged {
    /// Only an answer that says it is believed: it shows that the ping had arrived.
    nonce: u128,
    sent: Instant,
    at: Millis,
}

/// What a line has to say to its session.
enum Heard {
    Text(Utf8Bytes),
    /// Nothing that the session has to know.
    Nothing,
}

impl Line {
    pub(crate) fn new(
        app: App,
        carrier: Box<dyn Carrier>,
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
            carrier,
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

    /// Takes from the allowances of who sends.
    fn spend(&self, kind: Allowed) -> Result<(), Error> {
        Ok(self.app.allowances.spend(kind, self.spender())?)
    }

    fn spender(&self) -> Spender<'_> {
        Spender { player: &self.owner.player, address: self.owner.address }
    }

    /// How long a turn was on its way: the other's down and the answer up, as pings are.
    fn lag_ms(&self) -> u32 {
        self.round_trip.map_or(0, |time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX))
    }

    /// Waits for the next thing from the client or from the clock. Losing the future loses nothing.
    async fn next(&mut self) -> Result<Heard, End> {
        let stop = self.app.stop.clone();
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(End::restart()),
            () = ended(&mut self.ending) => {
                Err(End::Close { code: HOSTILE, reason: SIGNED_OUT })
            }
            () = sleep_until(self.held.as_ref().map_or_else(Instant::now, |(until, _)| *until)), if self.held.is_some() => {
                self.heard = Instant::now();
                self.held.take().map_or(Ok(Heard::Nothing), |(_, message)| self.take(message))
            }
            message = self.carrier.next(), if self.held.is_none() => {
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
                Ok(Heard::Nothing)
            }
        }
    }

    fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<Heard, End> {
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

    /// Takes a message from the client, as soon as its address may send one. Others may come from there too: they wait for each other,
    /// and none is cut off.
    fn take(&mut self, message: Message) -> Result<Heard, End> {
        if let Err(wait) = self.app.allowances.of(Allowed::Messages).spend_at(self.owner.address) {
            self.held = Some((Instant::now() + wait.0, message));
            return Ok(Heard::Nothing);
        }
        match message {
            Message::Text(text) if text.len() > self.app.config.limits.message_bytes => {
                Err(End::Close { code: close_code::SIZE, reason: "the message is too long" })
            }
            Message::Text(text) => Ok(Heard::Text(text)),
            Message::Binary(_) => Err(End::Close { code: HOSTILE, reason: "only text is understood" }),
            Message::Close(_) => Err(End::Gone),
            // Pings are answered below us.
            Message::Ping(_) => Ok(Heard::Nothing),
            Message::Pong(sent) => {
                self.measure(&sent);
                Ok(Heard::Nothing)
            }
        }
    }

    /// Sends a ping. One that has not come back yet is given up: its answer says nothing any more.
    async fn ping(&mut self) -> Result<(), End> {
        let Ok(nonce) = self.app.entropy.random() else { return Ok(()) };
        self.pinged = Some(Pinged { nonce, sent: Instant::now(), at: self.app.clock.now() });
        self.send(Message::Ping(Bytes::copy_from_slice(&nonce.to_be_bytes()))).await
    }

    /// Takes in how long a ping took; single ones that are slow do not count much. An answer that was not asked for, or that was
    /// given already, says nothing.
    fn measure(&mut self, answer: &[u8]) {
        let Some(pinged) = self.pinged.take_if(|pinged| answer == pinged.nonce.to_be_bytes()) else { return };
        // A ping that comes back after the server stood still says nothing of the way.
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
                tracing::error!(%error, "a message cannot be written");
                Err(End::Close { code: close_code::ERROR, reason: "the server made a mistake" })
            }
        }
    }

    /// Sends what was written once for all sockets; the bytes are shared.
    async fn pass_on(&mut self, body: Bytes) -> Result<(), End> {
        match Utf8Bytes::try_from(body) {
            Ok(text) => self.tell(Message::Text(text)).await,
            Err(_) => Err(End::Close { code: close_code::ERROR, reason: "the server made a mistake" }),
        }
    }

    /// Sends what the session has to say. With its first word what was costly about the connection is over.
    async fn tell(&mut self, message: Message) -> Result<(), End> {
        let told = self.send(message).await;
        self.owner.slot.settle();
        told
    }

    /// Sends, unless the client takes too long to take it.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        let sending = self.carrier.send(message);
        match tokio::time::timeout(self.app.config.limits.send_time, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                if let Some(kept_back) = LET_GO.line(std::time::Instant::now()) {
                    tracing::info!(kept_back, "a client that takes too long is let go");
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
            // Reads on until the client has closed too: a connection that is dropped with something unread is
            // reset, and the client might never see why it was closed. What is read is not looked at.
            let farewell = async {
                while let Some(heard) = self.carrier.next().await {
                    if heard.is_err() {
                        // The rest cannot be understood, so it stays unread, and there is only time to be given.
                        std::future::pending::<()>().await;
                    }
                }
            };
            let _ = tokio::time::timeout(FAREWELL, farewell).await;
        }
    }
}

/// What a session cannot go on without.
fn or_close<T>(result: Result<T, Error>) -> Result<T, End> {
    result.map_err(|error| {
        error.log();
        tracing::debug!(code = error.code(), "a socket cannot go on");
        End::Close { code: close_code::AGAIN, reason: "this cannot be read now; try again" }
    })
}

/// Returns when that has ended by which the visitor came.
async fn ended(ending: &mut Option<Ending>) {
    let Some(Ending { visitor, endings }) = ending else { return std::future::pending().await };
    loop {
        match endings.recv().await {
            Ok(other) if !other.is_of(visitor) => {}
            // So many have ended that this one may have been missed: a new handshake will tell.
            _ => return,
        }
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
