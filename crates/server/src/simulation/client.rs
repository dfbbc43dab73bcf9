//! Simulated visitors: the players of each game, and some spectators. They lose connections, reconnect,
//! repeat messages and send invalid ones, and they check every message that they receive.

mod create;
mod receive;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use adoube_protocol::{Act, ClientMessage, CommandId, GameId, SessionMessage};
use adoube_rules::{AnyPosition, Color, Position as _, Variant, coordinate};
use axum::{body::Bytes, extract::ws::Message};
use tokio::time::{Instant, sleep, sleep_until};

pub(super) use self::create::create;
use super::{
    connection::ClientEnd,
    rng::SeededRng,
    world::{ActName, Credential, Node, Sent, Span, World},
};
use crate::auth::Visitor;

/// The time after which an unanswered command is sent again.
const RESEND_INTERVAL: Duration = Duration::from_secs(3);
/// The interval between pings.
const PING: Duration = Duration::from_secs(2);
/// The time after the last message at which a client gives up its connection.
const SILENCE: Duration = Duration::from_secs(6);
/// The time after which the sockets of an ended session are closed, in milliseconds: a second until a lost
/// notice is reported, a second in which all sockets look up their sessions, and a second for the transport.
const SOCKET_CLOSE_MS: i64 = 1_000 + 1_000 + 1_000;

fn new_command(rng: &SeededRng) -> CommandId {
    CommandId(uuid::Builder::from_random_bytes(rng.wide().to_le_bytes()).into_uuid())
}

/// The game as a client knows it.
#[derive(Debug)]
struct View {
    version: u64,
    turns: Vec<String>,
    position: AnyPosition,
    initial: AnyPosition,
    started: bool,
    is_over: bool,
    draw: Option<Color>,
    takeback: Option<Color>,
}

/// A command that has not been answered yet.
#[derive(Debug)]
struct Pending {
    id: CommandId,
    message: ClientMessage,
    at: Instant,
}

struct Client {
    world: Arc<World>,
    rng: SeededRng,
    name: u64,
    /// Shared by all of a visitor's clients, like a browser's cookies.
    visitor: Arc<Mutex<Visitor>>,
    has_account: bool,
    side: Option<Color>,
    game: GameId,
    variant: Variant,
    against_machine: bool,
    view: Option<View>,
    pending: Vec<Pending>,
    gifts: u32,
    is_persistent: bool,
    /// The longest time before the client connects again, in milliseconds, unless it stays away for a minute.
    pause_ms: u64,
    /// The longest time between two calls to [`act`](Self::act), in milliseconds.
    pace_ms: u64,
    /// The index of the process that the visitor prefers.
    preferred: Option<usize>,
    /// The index of the current connection in the record.
    span: Option<usize>,
    /// The last version of the presence received on the current connection.
    presence_version: u64,
}

impl Client {
    /// Connects and plays until the simulation ends or the visitor leaves permanently.
    async fn run(mut self) {
        let done = self.world.done.clone();
        while !done.is_cancelled() {
            if self.has_left() {
                self.world.record().at_rest.remove(&self.name);
                return;
            }
            sleep(Duration::from_millis(10) + self.rng.ms(self.pause_ms)).await;
            let Some(node) = self.world.preferred_node(self.preferred, &self.rng) else { continue };
            let since = self.view.as_ref().map_or(0, |view| view.version);
            let visitor = self.visitor.lock().unwrap().clone();
            let connection = self.world.connect(&node, &self.game, &visitor, since, &self.rng).await;
            let Some(connection) = connection else { continue };
            if let Some(side) = self.side {
                let now = self.world.time_of(&node);
                self.world.record().admissions.push((self.game.clone(), side, now));
            }
            self.presence_version = 0;
            let (connection, unnoticed) = self.run_connection(connection, &node, &visitor).await;
            if let Some(span) = self.span.take() {
                let now = self.world.now_ms();
                let span = &mut self.world.record().spans[span];
                (span.until, span.disconnected_at) = (now, now + unnoticed.as_millis() as i64);
            }
            connection.abandon(unnoticed);
            if self.world.is_long() && !self.world.faults_ended.is_cancelled() && self.rng.percent(25) {
                tokio::select! {
                    biased;
                    () = self.world.faults_ended.cancelled() => {}
                    () = sleep(Duration::from_secs(55) + self.rng.ms(30_000)) => {}
                }
            }
        }
    }

    /// Runs the connection until it breaks. Returns the client's end, and the time until the server notices.
    async fn run_connection(
        &mut self,
        mut connection: ClientEnd,
        node: &Node,
        visitor: &Visitor,
    ) -> (ClientEnd, Duration) {
        let cuts_ms =
            if self.world.is_long() { &[10_000, 600_000, 600_000] } else { &[1_000, 10_000, 600_000] };
        let cut_ms = *self.rng.pick(cuts_ms);
        let cut = Instant::now() + self.rng.ms(cut_ms);
        for pending in &mut self.pending {
            pending.at = Instant::now();
            send(&self.world, &mut connection, pending);
        }
        let (faults_ended, done) = (self.world.faults_ended.clone(), self.world.done.clone());
        let mut next = Instant::now() + self.rng.ms(800);
        let mut last_ping = None;
        let pings = !self.world.has_one_process();
        let mut ping = Instant::now() + PING;
        let mut last_heard = Instant::now();
        let credential = Credential::of(visitor);
        loop {
            let is_active = !faults_ended.is_cancelled();
            tokio::select! {
                biased;
                () = done.cancelled() => return (connection, Duration::ZERO),
                message = connection.receive() => {
                    last_heard = Instant::now();
                    self.record_connection(node, &connection);
                    match message {
                    None | Some(Message::Close(_)) => return (connection, Duration::ZERO),
                    Some(Message::Ping(sent)) => {
                        connection.send(Message::Pong(sent.clone()));
                        if self.rng.percent(30) {
                            last_ping = Some(sent);
                        }
                    }
                    Some(Message::Text(text)) => self.receive(&text, &mut connection),
                    Some(_) => {}
                    }
                }
                () = sleep_until(ping), if pings => {
                    ping = Instant::now() + PING;
                    if last_heard.elapsed() >= SILENCE {
                        let max_ms = *self.rng.pick(&[0, 3_000]);
                        return (connection, self.rng.ms(max_ms));
                    }
                    connection.send(text(&SessionMessage::Ping.into()));
                    self.check_credential(&credential);
                }
                () = sleep_until(cut), if is_active => {
                    let max_ms = *self.rng.pick(&[0, 3_000]);
                    return (connection, self.rng.ms(max_ms));
                }
                () = sleep_until(next) => {
                    if self.has_left() {
                        return (connection, Duration::ZERO);
                    }
                    self.resend_unanswered(&mut connection);
                    // Repeated pongs and unsolicited pongs must not gain the player any time.
                    connection.send(Message::Pong(last_ping.clone().unwrap_or_else(|| Bytes::from_static(&[0; 16]))));
                    if is_active {
                        if self.has_account && self.rng.percent(8) {
                            self.change_session();
                        }
                        self.act(&mut connection);
                        next = Instant::now() + self.rng.ms(self.pace_ms);
                    } else {
                        next = Instant::now() + RESEND_INTERVAL;
                    }
                }
            }
            self.record_progress();
        }
    }

    /// Records the connection when its first message arrives.
    fn record_connection(&mut self, node: &Node, connection: &ClientEnd) {
        if self.span.is_some() {
            return;
        }
        let from = self.world.now_ms();
        let mut record = self.world.record();
        self.span = Some(record.spans.len());
        record.spans.push(Span {
            client: self.name,
            game: self.game.clone(),
            side: self.side,
            node: node.process.index(),
            from,
            until: i64::MAX,
            disconnected_at: i64::MAX,
            longest_round_trip_ms: connection.longest_round_trip_ms,
            received_versions: Vec::new(),
        });
    }

    /// Checks that the socket of an ended credential does not stay open for long.
    fn check_credential(&self, credential: &Credential) {
        let now = self.world.now_ms();
        let ended = {
            let record = self.world.record();
            let ended = record.ended.get(credential).copied();
            ended
                .map(|ended| record.disruptions.undisturbed_since(ended, now))
                .filter(|quiet| now - quiet > SOCKET_CLOSE_MS)
        };
        if ended.is_some() && !self.world.loses_changes() {
            self.report_violation("the socket of a session that has ended is open");
        }
    }

    /// Signs out and back in. With the first session, an anonymous visitor gets an account.
    fn change_session(&self) {
        let (world, shared, rng) = (Arc::clone(&self.world), Arc::clone(&self.visitor), self.rng.fork());
        tokio::spawn(async move {
            let before = shared.lock().unwrap().clone();
            world.sign_out(&before, &rng).await;
            let signed_in = world.sign_in(&before, &rng).await;
            *shared.lock().unwrap() = signed_in;
        });
    }

    fn has_left(&self) -> bool {
        !self.is_persistent && self.world.faults_ended.is_cancelled()
    }

    /// Repeats commands that have been unanswered for too long.
    fn resend_unanswered(&mut self, connection: &mut ClientEnd) {
        for pending in &mut self.pending {
            if pending.at.elapsed() >= RESEND_INTERVAL {
                pending.at = Instant::now();
                send(&self.world, connection, pending);
            }
        }
    }

    /// Records the version of the game that the client knows, or 0 if it knows none or a command is
    /// unanswered.
    fn record_progress(&self) {
        let version = match &self.view {
            Some(view) if self.pending.is_empty() => view.version,
            _ => 0,
        };
        self.world.record().at_rest.insert(self.name, (self.game.clone(), version));
    }

    fn report_violation(&self, violation: &str) {
        self.world.report_violation(format!("client {}: {violation}", self.name));
    }

    /// Sends a random command, or none.
    fn act(&mut self, connection: &mut ClientEnd) {
        let Some(view) = &self.view else { return };
        if self.pending.len() >= 2 || !view.started || (view.is_over && self.rng.percent(90)) {
            return;
        }
        let command = new_command(&self.rng);
        let is_my_turn = self.side == Some(view.position.side_to_move());
        let other = self.side.map(|side| !side);
        let rng = &self.rng;
        let play = |turn: String, version| (ActName::Play(turn.clone()), Act::Play { version, turn });
        let (name, act) = match rng.below(100) {
            0..70 if is_my_turn => {
                let turns = view.position.legal_turns();
                if turns.is_empty() {
                    return;
                }
                play(coordinate::write(&view.position, rng.pick(&turns)), view.version)
            }
            70..73 => {
                let text = *rng.pick(&["e2e5", "a1a1", "zz", "", "e2e4", "e7e5"]);
                play(text.to_owned(), view.version.saturating_sub(rng.below(3)))
            }
            // Against the machine, a draw is the only offer. The machine accepts every other proposal at
            // once, which the model does not expect.
            73..77 | 80.. if self.against_machine => return,
            40..70 if self.world.is_long() && !is_my_turn && self.side.is_some() => {
                (ActName::Other("abandonment"), Act::ClaimLeft)
            }
            73..77 if self.gifts < 3 => {
                self.gifts += 1;
                (ActName::Other("time-given"), Act::GiveTime)
            }
            77..80 => (ActName::Other("draw-offered"), Act::OfferDraw),
            80..84 if view.draw == other => (ActName::Other("draw-declined"), Act::DeclineDraw),
            84 if view.draw == other => (ActName::Other("agreement"), Act::AcceptDraw),
            85..89 => (ActName::Other("takeback-proposed"), Act::ProposeTakeback),
            89..96 if view.takeback == other => (ActName::Other("taken-back"), Act::AcceptTakeback),
            96..98 if view.takeback == other => (ActName::Other("takeback-declined"), Act::DeclineTakeback),
            98 if rng.percent(30) => (ActName::Other("resignation"), Act::Resign),
            99 if rng.percent(20) => (ActName::Other("aborted"), Act::Abort),
            20..22 => return connection.send(text(&SessionMessage::Resync.into())),
            _ => return,
        };
        let sent =
            Sent { game: self.game.clone(), by: self.side, act: name, accepted: None, copies: 0, refused: 0 };
        self.world.record().sent.insert(command, sent);
        let mut pending =
            Pending { id: command, message: ClientMessage::Act { command, act }, at: Instant::now() };
        for _ in 0..=u64::from(self.rng.percent(15)) {
            send(&self.world, connection, &mut pending);
        }
        self.pending.push(pending);
    }
}

fn send(world: &World, connection: &mut ClientEnd, pending: &mut Pending) {
    if let Some(sent) = world.record().sent.get_mut(&pending.id) {
        sent.copies += 1;
    }
    connection.send(text(&pending.message));
}

fn text(message: &ClientMessage) -> Message {
    Message::text(serde_json::to_string(message).unwrap())
}
