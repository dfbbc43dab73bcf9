//! The game socket.

use adoube_bus::{Delivery, Notice, Subscription};
use adoube_game::{Act, ActContext, Game, Refusal, Seat};
use adoube_protocol::{
    ClientMessage, CommandId, GameId, Millis, PlayerId, ServerMessage, SessionMessage, Version,
};
use adoube_rules::Color;
use axum::{
    Extension,
    extract::{
        Query, State,
        rejection::QueryRejection,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::Response,
};
use serde::Deserialize;

use super::{CloseReason, Connection, Incoming, check_origin, or_close, shown::SentVersions, upgrade};
use crate::{
    app::{App, Peer},
    audience,
    auth::Visitor,
    chat::{ChatVisitor, REPORT_BYTES},
    error::Error,
    hall::Room,
    handlers::{GAME_BYTES, PathSegment},
    limits::{Resource, SharedResource, WriteKind},
    metrics::Socket as SocketKind,
    names::{Profile, player_of},
    rooms::{RoomGuard, RoomUpdate},
};

/// The maximum number of missed events that are replayed when a socket opens. A client that missed more
/// gets a snapshot.
const MAX_REPLAYED_EVENTS: u64 = 64;

/// The maximum time for bringing a client up to date that counts only as lag, in milliseconds. If it takes
/// longer and the player's absence is refunded, the refund covers this time too.
const MAX_CATCH_UP_MS: i64 = 50;

/// The size of an event on disk in addition to its message, in bytes: its own row and the row of its command.
const EVENT_BYTES: usize = 200;

#[derive(Debug, Deserialize)]
pub(crate) struct GameSocketQuery {
    /// The version that the client has.
    version: Option<String>,
}

pub(crate) async fn open(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    game: PathSegment,
    query: Result<Query<GameSocketQuery>, QueryRejection>,
    headers: HeaderMap,
    upgraded: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Error> {
    check_origin(&app, &headers)?;
    let id = game.id::<GameId>(Error::GameNotFound)?;
    let entry = Admission::of(&app, id, visitor.player.clone()).await?;
    app.games.record_tenant(&visitor.player, peer.tenant(&visitor));
    // An invalid version is treated as missing.
    let since = query.ok().and_then(|Query(since)| since.version?.parse().ok()).map_or(Version(0), Version);
    upgrade(app, &peer, &visitor, upgraded, SocketKind::Game, move |connection| entry.run(connection, since))
}

/// A visitor who is admitted to a game's socket.
pub(crate) struct Admission {
    visitor: ChatVisitor,
    profile: Option<Profile>,
}

impl Admission {
    pub(crate) async fn of(app: &App, game: GameId, player: PlayerId) -> Result<Self, Error> {
        let side = app.games.ledger.load(&game).await?.color_of(&player);
        let profile = app.names.profile(&player).await?;
        Ok(Self { visitor: ChatVisitor { game, player, side }, profile })
    }

    /// Runs the session of a visitor who already has version `since` of the game, or no version if `since` is
    /// 0.
    pub(crate) async fn run(
        self,
        connection: Box<Connection>,
        since: Version,
    ) -> (Box<Connection>, CloseReason) {
        let Self { visitor, profile } = self;
        let shown = SentVersions::new(connection.app.clock.now());
        // Subscribes before reading the log. Otherwise an event in between would be missed.
        let news = match or_close(connection.app.games.publisher.subscribe(&visitor.game).await) {
            Ok(news) => news,
            Err(end) => return (connection, end),
        };
        let mut absent_since = None;
        if let Some(side) = visitor.side.filter(|side| !connection.app.rooms.is_here(&visitor.game, *side)) {
            let refunded = Box::pin(connection.app.nodes.refund_absence(
                &visitor.game,
                side,
                &connection.app.games.ledger,
            ))
            .await;
            absent_since = refunded_since(refunded, &visitor.game);
        }
        let room = connection.app.rooms.enter(&visitor.game, visitor.side);
        if visitor.side.is_some()
            && let Err(error) =
                Box::pin(connection.app.games.reminders.record_viewed(&visitor.game, &visitor.player)).await
        {
            error.log();
        }
        let _presence = connection.app.hall.enter(&visitor.player, profile, Room::Game);
        let mut session =
            Session { connection, visitor, room, can_join: true, news, sent: 0, shown, presence_sent: 0 };
        let Err(end) = session.run(since, absent_since).await;
        (session.connection, end)
    }
}

/// Returns the start of the absence if it has been refunded. Logs a failure to refund it.
fn refunded_since(refunded: Result<Option<Millis>, Error>, game: &GameId) -> Option<Millis> {
    refunded.unwrap_or_else(|error| {
        error.log();
        tracing::warn!(%game, code = error.code(), "could not refund the time since a node stopped or died");
        None
    })
}

struct Session {
    connection: Box<Connection>,
    visitor: ChatVisitor,
    room: RoomGuard,
    /// Whether the visitor could still take a seat in another tab when the game was last read.
    can_join: bool,
    news: Box<dyn Subscription>,
    /// The latest version that the client has.
    sent: u64,
    /// The times at which the client was sent the newest versions.
    shown: SentVersions,
    /// The version of the presence last sent to the client.
    presence_sent: u64,
}

impl Session {
    /// Forwards notices and handles messages until the session ends. The futures that do so are boxed,
    /// because otherwise each of thousands of idle sockets would permanently hold the memory of the largest
    /// future.
    async fn run(
        &mut self,
        since: Version,
        absent_since: Option<Millis>,
    ) -> Result<std::convert::Infallible, CloseReason> {
        Box::pin(self.begin(since)).await?;
        if let (Some(side), Some(absent_since)) = (self.visitor.side, absent_since) {
            Box::pin(self.refund_catch_up(side, absent_since)).await;
        }
        loop {
            tokio::select! {
                biased;
                incoming = self.connection.next() => match incoming? {
                    Incoming::Text(text) => Box::pin(self.handle(&text)).await?,
                    Incoming::None => {}
                },
                delivery = self.news.next() => Box::pin(self.forward(delivery)).await?,
                update = self.room.next() => Box::pin(self.send_room_update(update)).await?,
            }
        }
    }

    /// Brings the client from the version that it has to the current one.
    async fn begin(&mut self, since: Version) -> Result<(), CloseReason> {
        let game = or_close(self.connection.app.games.ledger.load(&self.visitor.game).await)?;
        self.update_side(&game);
        let known = 1..=game.version();
        if known.contains(&since.0) && game.version() - since.0 <= MAX_REPLAYED_EVENTS {
            self.sent = since.0;
            self.catch_up().await?;
        } else {
            self.connection.spend(Resource::Snapshots).map_err(|_| CloseReason::busy())?;
            self.send_snapshot().await?;
        }
        self.shown.begin(self.sent, self.connection.app.clock.now());
        let lines = or_close(self.connection.app.chat.history(&self.visitor).await)?;
        if lines.is_empty() {
            Ok(())
        } else {
            self.connection.send_json(&ServerMessage::ChatHistory { lines }).await
        }
    }

    /// Extends the refund of an absence until now if bringing the client up to date was slow. Catching up can
    /// take a second on a node to which many players reconnect at once.
    async fn refund_catch_up(&mut self, side: Color, absent_since: Millis) {
        let app = &self.connection.app;
        if self.shown.catch_up_ms() <= MAX_CATCH_UP_MS {
            return;
        }
        let (game, now) = (&self.visitor.game, app.clock.now());
        if let Err(error) = app.nodes.refund(game, side, absent_since, now, &app.games.ledger).await {
            error.log();
            tracing::warn!(%game, code = error.code(), "could not refund the time until a player was up to date");
        }
    }

    /// Updates the visitor's side, because the visitor may have taken a seat since the socket was opened.
    /// Returns `true` if it has changed.
    fn update_side(&mut self, game: &Game) -> bool {
        let side = game.color_of(&self.visitor.player);
        self.can_join =
            side.is_none() && Color::ALL.iter().any(|&color| matches!(game.seats()[color], Seat::Open));
        if side == self.visitor.side {
            return false;
        }
        self.visitor.side = side;
        self.room = self.connection.app.rooms.enter(&self.visitor.game, side);
        true
    }

    async fn send_snapshot(&mut self) -> Result<(), CloseReason> {
        let ChatVisitor { game, player, .. } = &self.visitor;
        let game = Box::new(or_close(self.connection.app.games.snapshot(game, player).await)?);
        self.sent = self.sent.max(game.version.0);
        self.connection.send_json(&ServerMessage::Snapshot { game }).await?;
        self.shown.add(self.sent, self.connection.app.clock.now());
        Ok(())
    }

    /// Sends the events that the client lacks.
    async fn catch_up(&mut self) -> Result<(), CloseReason> {
        let ChatVisitor { game, side, .. } = &self.visitor;
        let missed = self.connection.app.games.ledger.events_since(game, Version(self.sent), *side).await;
        for (version, message) in or_close(missed)? {
            self.connection.send_json(&message).await?;
            self.sent = version;
            self.shown.add(version, self.connection.app.clock.now());
        }
        Ok(())
    }

    async fn forward(&mut self, delivery: Delivery) -> Result<(), CloseReason> {
        let is_event = !matches!(&delivery, Delivery::Notice(Notice { sequence: 0, .. }) | Delivery::Closed);
        if self.can_join && is_event {
            let game = or_close(self.connection.app.games.ledger.load(&self.visitor.game).await)?;
            if self.update_side(&game) {
                // A player sees more than a spectator.
                return self.send_snapshot().await;
            }
        }
        match delivery {
            Delivery::Notice(Notice { audience, .. }) if audience & self.audience() == 0 => Ok(()),
            Delivery::Notice(Notice { sequence: 0, body, .. }) => {
                if or_close(self.connection.app.chat.is_hidden(&self.visitor, &body).await)? {
                    return Ok(());
                }
                self.connection.forward(body).await
            }
            Delivery::Notice(Notice { sequence, .. }) if sequence <= self.sent => Ok(()),
            Delivery::Notice(Notice { sequence, body, .. }) if sequence == self.sent + 1 => {
                self.connection.forward(body).await?;
                self.sent = sequence;
                self.shown.add(sequence, self.connection.app.clock.now());
                Ok(())
            }
            Delivery::Notice(_) | Delivery::Lost => self.catch_up().await,
            Delivery::Closed => Err(CloseReason::restart()),
        }
    }

    /// Sends the presence in the room, and the events whose notices were lost.
    async fn send_room_update(&mut self, update: RoomUpdate) -> Result<(), CloseReason> {
        if update.game_version.0 > self.sent {
            self.forward(Delivery::Lost).await?;
        }
        match update.presence {
            Some(presence) if update.presence_version != self.presence_sent => {
                self.presence_sent = update.presence_version;
                self.connection.forward(presence).await
            }
            _ => Ok(()),
        }
    }

    fn audience(&self) -> u8 {
        audience::of(self.visitor.side)
    }

    async fn handle(&mut self, text: &str) -> Result<(), CloseReason> {
        let message = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return self.refuse(None, &Error::Message(error.to_string())).await,
        };
        let app = self.connection.app.clone();
        let (command, done) = match message {
            ClientMessage::Act { command, act } => (command, self.act(command, &act, text.len()).await),
            ClientMessage::Session(SessionMessage::Chat { command, text: line }) => {
                let posted = async {
                    self.charge_chat(text.len()).await?;
                    check_contact(&app, &self.visitor).await?;
                    app.chat.post(&self.visitor, command, &line).await
                }
                .await;
                (command, posted.map(|()| Version(self.sent)))
            }
            ClientMessage::Session(SessionMessage::ReportChat { command, line, reason }) => {
                let reported = match self.charge_chat(text.len() + REPORT_BYTES).await {
                    Ok(()) => app.chat.report(&self.visitor, line, &reason).await,
                    Err(error) => Err(error),
                };
                (command, reported.map(|()| Version(self.sent)))
            }
            ClientMessage::Session(SessionMessage::Resync) => {
                return match self.connection.spend(Resource::Resyncs) {
                    Ok(()) => {
                        self.presence_sent = 0;
                        self.room.resend();
                        self.send_snapshot().await
                    }
                    Err(error) => self.refuse(None, &error).await,
                };
            }
            ClientMessage::Session(SessionMessage::Ping) => {
                let at = app.clock.now();
                let update = self.room.latest();
                let presence = update.presence_version;
                // The events up to the version in the pong must be sent first.
                self.send_room_update(update).await?;
                let version = Version(self.sent);
                return self.connection.send_json(&ServerMessage::Pong { at, version, presence }).await;
            }
        };
        match done {
            Ok(version) => self.connection.send_json(&ServerMessage::Accepted { command, version }).await,
            Err(error) => self.refuse(Some(command), &error).await,
        }
    }

    /// Carries out a player's act, if the player's allowances suffice.
    async fn act(&mut self, command: CommandId, act: &Act, bytes: usize) -> Result<Version, Error> {
        if matches!(act, Act::OfferRematch | Act::AcceptRematch)
            && let Err(error) = check_contact(&self.connection.app, &self.visitor).await
        {
            return self.previous_answer_or(command, act, error).await;
        }
        match act {
            Act::AcceptRematch => self.accept_rematch(command, bytes).await,
            // Two offers that cross are an agreement: the later one is handled as an acceptance. If it is
            // repeated, its command id already belongs to that acceptance, and the answer is the same.
            Act::OfferRematch => match self.act_in_game(command, act, bytes).await {
                Err(error @ (Error::Refused(Refusal::RematchPending { .. }) | Error::CommandUsed)) => {
                    self.accept_rematch(command, bytes).await.map_err(|_| error)
                }
                done => done,
            },
            act => self.act_in_game(command, act, bytes).await,
        }
    }

    /// Carries out an act that concerns only this game.
    async fn act_in_game(&mut self, command: CommandId, act: &Act, bytes: usize) -> Result<Version, Error> {
        let received_at = self.connection.app.clock.now();
        if let Err(error) = self.charge_act(act, bytes).await {
            return self.previous_answer_or(command, act, error).await;
        }
        let ChatVisitor { game, player, side } = &self.visitor;
        let app = &self.connection.app;
        if let (Act::Play { .. }, Some(side)) = (act, side) {
            app.nodes.settle_reconnection(game, *side, &app.games.ledger).await?;
        }
        let (lag_ms, shown) = (self.connection.lag_ms(), &self.shown);
        let context = |game: &Game, now: Millis| ActContext {
            lag_ms,
            shown: shown.wait_for(game.position_version()),
            handled: received_at.0..now.0,
            ..ActContext::default()
        };
        app.games.commands.act(game, player, command, act, &context).await
    }

    /// Accepts a rematch, which creates a game.
    async fn accept_rematch(&mut self, command: CommandId, bytes: usize) -> Result<Version, Error> {
        let allowances = &self.connection.app.allowances;
        let allowed =
            allowances.spend_shared(SharedResource::Creations, self.connection.requester(), 1).await;
        if let Err(error) = allowed.and_then(|()| self.charge_bytes(WriteKind::New, GAME_BYTES + bytes)) {
            return self.previous_answer_or(command, &Act::AcceptRematch, error).await;
        }
        let ChatVisitor { game, player, .. } = &self.visitor;
        self.connection.app.games.commands.accept_rematch(game, player, command).await
    }

    /// Returns the earlier answer if the command was carried out before, because a repeated command gets the
    /// same answer even if it would now be refused. Otherwise refuses the command with `refused`.
    async fn previous_answer_or(
        &mut self,
        command: CommandId,
        act: &Act,
        refused: Error,
    ) -> Result<Version, Error> {
        let ChatVisitor { game, player, .. } = &self.visitor;
        self.connection.app.games.commands.previous_answer(game, player, command, act).await?.ok_or(refused)
    }

    /// Charges an act. A rematch offer is charged like the creation of a game; the games of a match were
    /// charged when it began. Other acts are charged for the bytes that they store, and conditions and
    /// touches also have limits of their own.
    async fn charge_act(&mut self, act: &Act, bytes: usize) -> Result<(), Error> {
        match act {
            Act::OfferRematch => {
                self.connection.app.charge_creation(self.connection.requester(), 1, GAME_BYTES + bytes).await
            }
            Act::SetConditions { .. } => {
                self.connection.spend(Resource::Conditions)?;
                self.charge_bytes(WriteKind::New, EVENT_BYTES + bytes)
            }
            Act::Touch { .. } | Act::Adjust { .. } => {
                self.connection.spend(Resource::Touches)?;
                self.charge_bytes(WriteKind::Turn, EVENT_BYTES + bytes)
            }
            _ => self.charge_bytes(WriteKind::Turn, EVENT_BYTES + bytes),
        }
    }

    async fn charge_chat(&mut self, bytes: usize) -> Result<(), Error> {
        let app = &self.connection.app;
        let spent =
            app.allowances.spend_shared(SharedResource::ChatLines, self.connection.requester(), 1).await;
        spent.map_err(|error| match error {
            Error::TooMany(wait) => Error::ChatTooFast(wait),
            error => error,
        })?;
        self.charge_bytes(WriteKind::New, EVENT_BYTES + bytes)
    }

    /// Charges bytes to be stored.
    fn charge_bytes(&self, what: WriteKind, bytes: usize) -> Result<(), Error> {
        self.connection.app.charge_bytes(self.connection.requester(), what, bytes)
    }

    async fn refuse(&mut self, command: Option<CommandId>, error: &Error) -> Result<(), CloseReason> {
        error.log();
        let refused = ServerMessage::Refused { command, code: error.code().to_owned(), args: error.args() };
        self.connection.send_json(&refused).await
    }
}

/// Fails if one of the two players of a game has blocked the other. Both can play on, but neither can write
/// to the other or agree to a rematch.
async fn check_contact(app: &App, visitor: &ChatVisitor) -> Result<(), Error> {
    let Some(side) = visitor.side else { return Ok(()) };
    if app.blocks.of(&visitor.player).await?.is_empty() {
        return Ok(());
    }
    let game = app.games.ledger.load(&visitor.game).await?;
    match player_of(&game.seats()[!side]) {
        Some(opponent) => app.blocks.check_contact(&visitor.player, opponent).await,
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::socket::tests::assert_size_of_session;

    #[test]
    fn an_idle_session_is_small() {
        assert_size_of_session(|(visit, connection): (Admission, _)| visit.run(connection, Version(0)));
    }
}
