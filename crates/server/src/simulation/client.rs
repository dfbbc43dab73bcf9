//! Visitors: two players of each game, and some spectators. They lose connections, repeat messages, send
//! nonsense, and come back; and they verify everything.

use std::{sync::Arc, time::Duration};

use adoube_protocol::{
    Act, ClientMessage, ColorChoice, CommandId, CreateGame, EventKind, Game, GameEvent, GameId, GameSettings,
    OpponentChoice, PlayerId, ServerMessage, SessionMessage, Status, TimeControl,
};
use adoube_rules::{AnyPosition, Color, Position as _, Variant, coordinate};
use axum::{body::Bytes, extract::ws::Message};
use tokio::time::{Instant, sleep, sleep_until};

use super::{
    chance::Chance,
    line::ClientEnd,
    world::{Sent, Wish, World},
};
use crate::wire;

/// Time after which an unanswered command is sent again.
const PATIENCE: Duration = Duration::from_secs(3);

/// Creates a game, seats both players, and starts them and some spectators.
pub(super) async fn create(world: Arc<World>, chance: Chance, number: u64) {
    let settings = settings(&chance);
    let (first, second) = (PlayerId::from_random(chance.wide()), PlayerId::from_random(chance.wide()));
    let command = new_command(&chance);
    let creation = CreateGame {
        command,
        color: ColorChoice::White,
        opponent: OpponentChoice::Friend,
        settings: settings.clone(),
    };
    let created = loop {
        sleep(chance.ms(300)).await;
        let Some(node) = world.node(&chance) else { continue };
        // Now and then the answer is lost.
        let created = world.ask(&node, node.app.games.creator.create(&first, creation.clone())).await;
        if let Some(Ok(created)) = created
            && (world.calm.is_cancelled() || chance.percent(80))
        {
            break created;
        }
    };
    let token = created.invitation.unwrap();
    world.record().games.push(created.id.clone());
    // Some games are abandoned by all visitors.
    let stays = chance.percent(70);
    let mut visitors = vec![(first, Some(Color::White)), (second.clone(), Some(Color::Black))];
    for _ in 0..chance.below(3) {
        visitors.push((PlayerId::from_random(chance.wide()), None));
    }
    for ((player, side), place) in visitors.into_iter().zip(0..) {
        let client = Client {
            world: Arc::clone(&world),
            chance: chance.fork(),
            name: number * 10 + place,
            player,
            side,
            game: created.id.clone(),
            variant: settings.variant.parse().unwrap(),
            view: None,
            pending: Vec::new(),
            gifts: 0,
            stays,
        };
        world.record().at_rest.insert(client.name, (created.id.clone(), 0));
        tokio::spawn(client.live());
    }
    loop {
        sleep(chance.ms(300)).await;
        let Some(node) = world.node(&chance) else { continue };
        if let Some(Ok(id)) = world.ask(&node, node.app.games.commands.join(&second, &token)).await {
            if id != created.id {
                world.blame(format!("an invitation to {} leads to {id}", created.id));
            }
            return;
        }
    }
}

fn settings(chance: &Chance) -> GameSettings {
    let initial_ms = *chance.pick(&[4_000, 10_000, 20_000]);
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
    player: PlayerId,
    side: Option<Color>,
    game: GameId,
    variant: Variant,
    view: Option<View>,
    pending: Vec<Pending>,
    gifts: u32,
    stays: bool,
}

impl Client {
    async fn live(mut self) {
        let done = self.world.done.clone();
        while !done.is_cancelled() {
            if self.has_left() {
                self.world.record().at_rest.remove(&self.name);
                return;
            }
            sleep(Duration::from_millis(10) + self.chance.ms(400)).await;
            let Some(node) = self.world.node(&self.chance) else { continue };
            let since = self.view.as_ref().map_or(0, |view| view.version);
            let line = self.world.connect(&node, &self.game, &self.player, since, &self.chance).await;
            let Some(line) = line else { continue };
            let unnoticed = self.talk(line).await;
            unnoticed.0.abandon(unnoticed.1);
        }
    }

    /// Runs the connection until it breaks. Returns the client's end, and how long the server does not notice.
    async fn talk(&mut self, mut line: ClientEnd) -> (ClientEnd, Duration) {
        let cut_ms = *self.chance.pick(&[1_000, 10_000, 600_000]);
        let cut = Instant::now() + self.chance.ms(cut_ms);
        for pending in &mut self.pending {
            pending.at = Instant::now();
            say(&self.world, &mut line, pending);
        }
        let (calm, done) = (self.world.calm.clone(), self.world.done.clone());
        let mut next = Instant::now() + self.chance.ms(800);
        let mut told = None;
        loop {
            let unquiet = !calm.is_cancelled();
            tokio::select! {
                biased;
                () = done.cancelled() => return (line, Duration::ZERO),
                message = line.hear() => match message {
                    None | Some(Message::Close(_)) => return (line, Duration::ZERO),
                    Some(Message::Ping(sent)) => {
                        line.say(Message::Pong(sent.clone()));
                        if self.chance.percent(30) {
                            told = Some(sent);
                        }
                    }
                    Some(Message::Text(text)) => self.learn(&text, &mut line),
                    Some(_) => {}
                },
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
                        self.act(&mut line);
                        next = Instant::now() + self.chance.ms(1_200);
                    } else {
                        next = Instant::now() + PATIENCE;
                    }
                }
            }
            self.tell_rest();
        }
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

    fn take_snapshot(&mut self, game: &Game) {
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
