//! Visitors: two players of each game, and some spectators. They lose connections, repeat messages, send
//! nonsense, and come back; and they verify everything.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use adoube_protocol::{
    Act, ClientMessage, ColorChoice, CommandId, CreateGame, EventKind, Game, GameEvent, GameId, GameSettings,
    OpponentChoice, PlayerId, Seat, ServerMessage, SessionMessage, Status, TimeControl,
};
use adoube_rules::{AnyPosition, Color, Position as _, Variant, coordinate};
use axum::{body::Bytes, extract::ws::Message};
use tokio::time::{Instant, sleep, sleep_until};

use super::{
    chance::Chance,
    line::ClientEnd,
    world::{Credential, NODES, Node, Sent, Span, Wish, World},
};
use crate::{auth::Visitor, wire};

/// Time after which an unanswered command is sent again.
const PATIENCE: Duration = Duration::from_secs(3);
/// Interval of pings, and the silence after which a client looks for another process.
const PING: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_secs(6);
/// Time after which the sockets of an ended session are closed, in milliseconds: a second for a lost notice
/// to be reported, a second in which all sockets look their sessions up, and the way.
const CLOSED_MS: i64 = 1_000 + 1_000 + 1_000;

/// Creates a game, seats both players, and starts them and some spectators.
pub(super) async fn create(world: Arc<World>, chance: Chance, number: u64) {
    let against_machine = !world.is_alone() && chance.percent(35);
    // The visitors of some games all prefer the same process; in others each has one of its own.
    let place = if world.is_alone() { 0 } else { chance.below(NODES as u64) as usize };
    let (all_prefer, each_prefers) = match chance.below(100) {
        _ if world.is_alone() => (false, false),
        0..40 => (true, false),
        40..70 => (false, true),
        _ => (false, false),
    };
    let preferred = all_prefer.then_some(place);
    let settings = settings(&chance, against_machine || world.is_long());
    let (first, second) = (PlayerId::from_random(chance.wide()), PlayerId::from_random(chance.wide()));
    let command = new_command(&chance);
    let creation = CreateGame {
        command,
        color: ColorChoice::White,
        opponent: if against_machine {
            OpponentChoice::Machine { level: 1.try_into().unwrap() }
        } else {
            OpponentChoice::Friend
        },
        settings: settings.clone(),
    };
    let created = loop {
        sleep(chance.ms(300)).await;
        let Some(node) = world.preferred_node(preferred, &chance) else { continue };
        // Now and then the answer is lost.
        let created = world.ask(&node, node.app.games.creator.create(&first, creation.clone())).await;
        if let Some(Ok(created)) = created
            && (world.calm.is_cancelled() || chance.percent(80))
        {
            break created;
        }
    };
    world.record().games.push(created.id.clone());
    // Some games are abandoned by all visitors.
    let stays = chance.percent(if world.is_alone() { 70 } else { 50 });
    let mut visitors = vec![(first, Some(Color::White))];
    if !against_machine {
        visitors.push((second.clone(), Some(Color::Black)));
    }
    for _ in 0..chance.below(3) {
        visitors.push((PlayerId::from_random(chance.wide()), None));
    }
    let mut name = number * 10;
    for ((player, side), number) in visitors.into_iter().zip(place..) {
        let visitor = Arc::new(Mutex::new(Visitor { player, session: None, until: None }));
        let has_account = !world.is_alone() && chance.percent(25);
        // Some have the game open twice, usually at two processes.
        for _ in 0..=u64::from(!world.is_alone() && chance.percent(25)) {
            let client = Client {
                world: Arc::clone(&world),
                chance: chance.fork(),
                name,
                visitor: Arc::clone(&visitor),
                has_account,
                side,
                game: created.id.clone(),
                variant: settings.variant.parse().unwrap(),
                against_machine,
                view: None,
                pending: Vec::new(),
                gifts: 0,
                stays,
                pause_ms: if world.is_alone() { 400 } else { *chance.pick(&[400, 400, 4_500]) },
                pace_ms: if world.is_alone() { 1_200 } else { *chance.pick(&[1_200, 1_200, 8_000]) },
                preferred: preferred.or(each_prefers.then_some(number % NODES)),
                span: None,
            };
            name += 1;
            world.record().at_rest.insert(client.name, (created.id.clone(), 0));
            tokio::spawn(client.live());
        }
    }
    let Some(token) = created.invitation else { return };
    loop {
        sleep(chance.ms(300)).await;
        let Some(node) = world.preferred_node(preferred, &chance) else { continue };
        if let Some(Ok(id)) = world.ask(&node, node.app.games.commands.join(&second, &token)).await {
            if id != created.id {
                world.blame(format!("an invitation to {} leads to {id}", created.id));
            }
            return;
        }
    }
}

fn settings(chance: &Chance, is_long: bool) -> GameSettings {
    let initial_ms =
        *chance.pick(if is_long { &[20_000, 60_000, 120_000] } else { &[4_000, 10_000, 20_000] });
    let time_control = match chance.below(3) {
        0 => TimeControl::Fischer { initial_ms, increment_ms: 0 },
        1 => TimeControl::Fischer { initial_ms, increment_ms: 1_000 },
        _ => TimeControl::Delay { initial_ms, delay_ms: 700 },
    };
    let variant = *chance.pick(&Variant::ALL);
    GameSettings { variant: variant.to_string(), time_control: Some(time_control), ..GameSettings::default() }
}

fn new_command(chance: &Chance) -> CommandId {
    CommandId(uuid::Builder::from_random_bytes(chance.wide().to_le_bytes()).into_uuid())
}

/// The game as a client knows it.
#[derive(Debug)]
struct View {
    version: u64,
    turns: Vec<String>,
    position: AnyPosition,
    initial: AnyPosition,
    started: bool,
    over: bool,
    draw: Option<Color>,
    takeback: Option<Color>,
}

/// A command without an answer.
#[derive(Debug)]
struct Pending {
    id: CommandId,
    message: ClientMessage,
    at: Instant,
}

struct Client {
    world: Arc<World>,
    chance: Chance,
    name: u64,
    /// Shared by all clients of a visitor, like the cookies of a browser.
    visitor: Arc<Mutex<Visitor>>,
    has_account: bool,
    side: Option<Color>,
    game: GameId,
    variant: Variant,
    against_machine: bool,
    view: Option<View>,
    pending: Vec<Pending>,
    gifts: u32,
    stays: bool,
    /// The longest time before the client connects again, and between two commands, in milliseconds.
    pause_ms: u64,
    pace_ms: u64,
    /// The place of the process that the visitor prefers.
    preferred: Option<usize>,
    /// The number of the present connection in the record.
    span: Option<usize>,
}

impl Client {
    async fn live(mut self) {
        let done = self.world.done.clone();
        while !done.is_cancelled() {
            if self.has_left() {
                self.world.record().at_rest.remove(&self.name);
                return;
            }
            sleep(Duration::from_millis(10) + self.chance.ms(self.pause_ms)).await;
            let Some(node) = self.world.preferred_node(self.preferred, &self.chance) else { continue };
            let since = self.view.as_ref().map_or(0, |view| view.version);
            let visitor = self.visitor.lock().unwrap().clone();
            let line = self.world.connect(&node, &self.game, &visitor, since, &self.chance).await;
            let Some(line) = line else { continue };
            if let Some(side) = self.side {
                let now = self.world.now_ms();
                self.world.record().let_in.push((self.game.clone(), side, now));
            }
            let (line, unnoticed) = self.talk(line, &node, &visitor).await;
            if let Some(span) = self.span.take() {
                let now = self.world.now_ms();
                let span = &mut self.world.record().spans[span];
                (span.until, span.gone) = (now, now + unnoticed.as_millis() as i64);
            }
            line.abandon(unnoticed);
            if self.world.is_long() && !self.world.calm.is_cancelled() && self.chance.percent(25) {
                tokio::select! {
                    biased;
                    () = self.world.calm.cancelled() => {}
                    () = sleep(Duration::from_secs(55) + self.chance.ms(30_000)) => {}
                }
            }
        }
    }

    /// Runs the connection until it breaks. Returns the client's end, and how long the server does not
    /// notice.
    async fn talk(&mut self, mut line: ClientEnd, node: &Node, visitor: &Visitor) -> (ClientEnd, Duration) {
        let cuts_ms =
            if self.world.is_long() { &[10_000, 600_000, 600_000] } else { &[1_000, 10_000, 600_000] };
        let cut_ms = *self.chance.pick(cuts_ms);
        let cut = Instant::now() + self.chance.ms(cut_ms);
        for pending in &mut self.pending {
            pending.at = Instant::now();
            say(&self.world, &mut line, pending);
        }
        let (calm, done) = (self.world.calm.clone(), self.world.done.clone());
        let mut next = Instant::now() + self.chance.ms(800);
        let mut told = None;
        let pings = !self.world.is_alone();
        let mut ping = Instant::now() + PING;
        let mut heard = Instant::now();
        let credential = Credential::of(visitor);
        loop {
            let unquiet = !calm.is_cancelled();
            tokio::select! {
                biased;
                () = done.cancelled() => return (line, Duration::ZERO),
                message = line.hear() => {
                    heard = Instant::now();
                    self.connected(node);
                    match message {
                    None | Some(Message::Close(_)) => return (line, Duration::ZERO),
                    Some(Message::Ping(sent)) => {
                        line.say(Message::Pong(sent.clone()));
                        if self.chance.percent(30) {
                            told = Some(sent);
                        }
                    }
                    Some(Message::Text(text)) => self.learn(&text, &mut line),
                    Some(_) => {}
                    }
                }
                () = sleep_until(ping), if pings => {
                    ping = Instant::now() + PING;
                    if heard.elapsed() >= SILENCE {
                        let most_ms = *self.chance.pick(&[0, 3_000]);
                        return (line, self.chance.ms(most_ms));
                    }
                    line.say(text(&SessionMessage::Ping.into()));
                    self.is_open(&credential);
                }
                () = sleep_until(cut), if unquiet => {
                    let most_ms = *self.chance.pick(&[0, 3_000]);
                    return (line, self.chance.ms(most_ms));
                }
                () = sleep_until(next) => {
                    if self.has_left() {
                        return (line, Duration::ZERO);
                    }
                    self.again(&mut line);
                    // Answers to earlier pings, or to none, gain no time.
                    line.say(Message::Pong(told.clone().unwrap_or_else(|| Bytes::from_static(&[0; 16]))));
                    if unquiet {
                        if self.has_account && self.chance.percent(8) {
                            self.change_session();
                        }
                        self.act(&mut line);
                        next = Instant::now() + self.chance.ms(self.pace_ms);
                    } else {
                        next = Instant::now() + PATIENCE;
                    }
                }
            }
            self.tell_rest();
        }
    }

    /// Records a connection, when its first message arrives.
    fn connected(&mut self, node: &Node) {
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
            gone: i64::MAX,
            heard: Vec::new(),
        });
    }

    /// Checks that the socket of an ended credential is not open for long.
    fn is_open(&self, credential: &Credential) {
        let now = self.world.now_ms();
        let ended = {
            let record = self.world.record();
            let ended = record.ended.get(credential).copied();
            ended.map(|ended| record.troubles.quiet_since(ended, now)).filter(|quiet| now - quiet > CLOSED_MS)
        };
        if ended.is_some() && !self.world.loses_changes() {
            self.blame("the socket of a session that has ended is open");
        }
    }

    /// Signs out, and in again; with the first session, an anonymous visitor becomes an account.
    fn change_session(&self) {
        let (world, shared, chance) =
            (Arc::clone(&self.world), Arc::clone(&self.visitor), self.chance.fork());
        tokio::spawn(async move {
            let before = shared.lock().unwrap().clone();
            world.sign_out(&before, &chance).await;
            let now = world.sign_in(&before, &chance).await;
            *shared.lock().unwrap() = now;
        });
    }

    fn has_left(&self) -> bool {
        !self.stays && self.world.calm.is_cancelled()
    }

    /// Repeats commands that have been unanswered for too long.
    fn again(&mut self, line: &mut ClientEnd) {
        for pending in &mut self.pending {
            if pending.at.elapsed() >= PATIENCE {
                pending.at = Instant::now();
                say(&self.world, line, pending);
            }
        }
    }

    fn tell_rest(&self) {
        let version = match &self.view {
            Some(view) if self.pending.is_empty() => view.version,
            _ => 0,
        };
        self.world.record().at_rest.insert(self.name, (self.game.clone(), version));
    }

    fn blame(&self, what: &str) {
        self.world.blame(format!("client {}: {what}", self.name));
    }

    fn learn(&mut self, text: &str, line: &mut ClientEnd) {
        self.world.trace(text);
        match serde_json::from_str(text) {
            Ok(ServerMessage::Snapshot { game }) => self.take_snapshot(&game),
            Ok(ServerMessage::Event { version, event, .. }) => self.take_event(version.0, event, line),
            Ok(ServerMessage::Accepted { command, version }) => self.accepted(command, version.0),
            Ok(ServerMessage::Refused { command: Some(command), code, .. }) => self.refused(command, &code),
            Ok(ServerMessage::Refused { command: None, .. }) => self.blame("a message was not understood"),
            Ok(_) => {}
            Err(error) => self.blame(&format!("{text} cannot be read: {error}")),
        }
    }

    /// Records up to which version the client is up to date now.
    fn heard(&self, version: u64) {
        let now = self.world.now_ms();
        if let Some(span) = self.span {
            self.world.record().spans[span].heard.push((version, now));
        }
    }

    fn take_snapshot(&mut self, game: &Game) {
        self.heard(game.version.0);
        if self.view.as_ref().is_some_and(|view| view.version > game.version.0) {
            self.blame("a snapshot is older than the events before");
        }
        // A visitor who comes before taking the seat has none.
        if game.you.is_some() && game.you != self.side.map(wire::color) {
            self.blame("a snapshot is for another player");
        }
        let initial = AnyPosition::from_fen(self.variant, &game.initial_fen).unwrap();
        let Some(position) = replayed(&initial, &game.turns) else {
            self.blame(&format!("a snapshot has turns that are not legal: {:?}", game.turns));
            return;
        };
        let color = |color: adoube_protocol::Color| match color {
            adoube_protocol::Color::White => Color::White,
            adoube_protocol::Color::Black => Color::Black,
        };
        self.view = Some(View {
            version: game.version.0,
            turns: game.turns.clone(),
            position,
            initial,
            started: game.status != Status::Waiting,
            over: matches!(game.status, Status::Over { .. }),
            draw: game.draw_offer.map(color),
            takeback: game.takeback.map(color),
        });
    }

    fn take_event(&mut self, version: u64, mut event: GameEvent, line: &mut ClientEnd) {
        let Some(view) = &mut self.view else {
            return self.blame("an event arrived before any snapshot");
        };
        if version != view.version + 1 {
            let what = format!("version {version} arrived after {}", view.version);
            line.say(text(&SessionMessage::Resync.into()));
            return self.blame(&what);
        }
        view.version = version;
        self.heard(version);
        let Some(view) = &mut self.view else { return };
        let mut what = None;
        match &event {
            GameEvent::Joined { .. } => view.started = true,
            GameEvent::Kept(EventKind::Played { turn, .. }) => {
                match coordinate::parse(&view.position, turn) {
                    Ok(legal) => view.position.play_turn_unchecked(&legal),
                    Err(error) => what = Some(format!("{turn} is not legal: {error}")),
                }
                view.turns.push(turn.clone());
                (view.draw, view.takeback) = (None, None);
            }
            GameEvent::Kept(EventKind::TakenBack { plies, .. }) => {
                let left = view.turns.len().saturating_sub(usize::from(*plies));
                view.turns.truncate(left);
                match replayed(&view.initial, &view.turns) {
                    Some(position) => view.position = position,
                    None => what = Some("the turns that remain after a takeback are not legal".into()),
                }
                (view.draw, view.takeback) = (None, None);
            }
            GameEvent::Kept(EventKind::DrawOffered { color }) => view.draw = Some(*color),
            GameEvent::Kept(EventKind::DrawDeclined { .. }) => view.draw = None,
            GameEvent::Kept(EventKind::TakebackProposed { color }) => view.takeback = Some(*color),
            GameEvent::Kept(EventKind::TakebackDeclined { .. }) => view.takeback = None,
            GameEvent::Ended { .. } => view.over = true,
            _ => {}
        }
        if let GameEvent::Joined { seat: Seat::Person { name }, .. } = &mut event {
            // The player may have got an account between two looks.
            *name = None;
        }
        if let GameEvent::Ended { clock, .. } = &mut event {
            // Visitors who were present are sent the clock, and later ones request it.
            *clock = None;
        }
        if let Some(what) = what {
            self.blame(&what);
        }
        let told = serde_json::to_string(&event).unwrap();
        let mut record = self.world.record();
        let before = record.told.entry((self.game.clone(), version)).or_insert_with(|| told.clone()).clone();
        drop(record);
        if before != told {
            self.blame(&format!("version {version} was published as {before} and as {told}"));
        }
    }

    fn accepted(&mut self, command: CommandId, version: u64) {
        self.pending.retain(|pending| pending.id != command);
        let mut record = self.world.record();
        let Some(sent) = record.sent.get_mut(&command) else {
            record.broken.push(format!("{command} was accepted and never sent"));
            return;
        };
        let before = sent.accepted.replace(version);
        if sent.by.is_none() || before.is_some_and(|before| before != version) {
            let what = format!("{sent:?} was accepted before as {before:?}");
            record.broken.push(what);
        }
    }

    fn refused(&mut self, command: CommandId, code: &str) {
        match code {
            // Nothing was done: it will be sent again.
            "no-room" | "not-saved" | "too-many" => {}
            "internal" => self.blame("the server reported an internal error"),
            _ => {
                self.pending.retain(|pending| pending.id != command);
                if let Some(sent) = self.world.record().sent.get_mut(&command) {
                    sent.refused += 1;
                }
            }
        }
    }

    /// Sends a random command, or none.
    fn act(&mut self, line: &mut ClientEnd) {
        let Some(view) = &self.view else { return };
        if self.pending.len() >= 2 || !view.started || (view.over && self.chance.percent(90)) {
            return;
        }
        let command = new_command(&self.chance);
        let mine = self.side == Some(view.position.side_to_move());
        let other = self.side.map(|side| !side);
        let chance = &self.chance;
        let play = |turn: String, version| (Wish::Play(turn.clone()), Act::Play { seen: version, turn });
        let (wish, act) = match chance.below(100) {
            0..70 if mine => {
                let turns = view.position.legal_turns();
                if turns.is_empty() {
                    return;
                }
                play(coordinate::write(&view.position, chance.pick(&turns)), view.version)
            }
            70..73 => {
                let text = *chance.pick(&["e2e5", "a1a1", "zz", "", "e2e4", "e7e5"]);
                play(text.to_owned(), view.version.saturating_sub(chance.below(3)))
            }
            // The machine answers to proposals by itself.
            73.. if self.against_machine => return,
            40..70 if self.world.is_long() && !mine && self.side.is_some() => {
                (Wish::Other("abandonment"), Act::ClaimLeft)
            }
            73..77 if self.gifts < 3 => {
                self.gifts += 1;
                (Wish::Other("time-given"), Act::GiveTime)
            }
            77..80 => (Wish::Other("draw-offered"), Act::OfferDraw),
            80..84 if view.draw == other => (Wish::Other("draw-declined"), Act::DeclineDraw),
            84 if view.draw == other => (Wish::Other("agreement"), Act::AcceptDraw),
            85..89 => (Wish::Other("takeback-proposed"), Act::ProposeTakeback),
            89..96 if view.takeback == other => (Wish::Other("taken-back"), Act::AcceptTakeback),
            96..98 if view.takeback == other => (Wish::Other("takeback-declined"), Act::DeclineTakeback),
            98 if chance.percent(30) => (Wish::Other("resignation"), Act::Resign),
            99 if chance.percent(20) => (Wish::Other("aborted"), Act::Abort),
            20..22 => return line.say(text(&SessionMessage::Resync.into())),
            _ => return,
        };
        let sent =
            Sent { game: self.game.clone(), by: self.side, wish, accepted: None, copies: 0, refused: 0 };
        self.world.record().sent.insert(command, sent);
        let mut pending =
            Pending { id: command, message: ClientMessage::Act { command, act }, at: Instant::now() };
        for _ in 0..=u64::from(self.chance.percent(15)) {
            say(&self.world, line, &mut pending);
        }
        self.pending.push(pending);
    }
}

fn say(world: &World, line: &mut ClientEnd, pending: &mut Pending) {
    if let Some(sent) = world.record().sent.get_mut(&pending.id) {
        sent.copies += 1;
    }
    line.say(text(&pending.message));
}

fn text(message: &ClientMessage) -> Message {
    Message::text(serde_json::to_string(message).unwrap())
}

fn replayed(initial: &AnyPosition, turns: &[String]) -> Option<AnyPosition> {
    let mut position = initial.clone();
    for turn in turns {
        let legal = coordinate::parse(&position, turn).ok()?;
        position.play_turn_unchecked(&legal);
    }
    Some(position)
}
