//! Games as the server handles them: from a command to the disk, and from there to all who look on.
//!
//! No process owns a game. What is remembered here only saves reading: an append names the version it is based
//! on, and if the log has gone on without us, we read what is new and decide again.

mod create;
mod follow;
mod matches;
mod memory;
mod receipt;

use std::sync::Arc;

use adoube_bus::{Bus, Notice, Subscription};
use adoube_game::{Act, ActContext, AdvanceError, Command, Event, EventKind, Game, Seat};
use adoube_protocol::{
    CommandId, GameId, InvitationToken, MatchState, Millis, PlayerId, ServerMessage, Version,
};
use adoube_rules::Color;
use adoube_store::{self as store, Append, Appended, Cursor, NewEvent, Phase, Shadow, Store, StoredEvent};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    ambient::{Clock, Entropy},
    audience,
    deadlines::Deadlines,
    downtimes::Downtimes,
    error::{Error, LogError},
    limits::Holder,
    machine::Wake,
    mail::Post,
    metrics::Metrics,
    names::Names,
    rooms::Rooms,
    wire::{self, Beside, View},
};
use memory::{Holders, Memory};
use receipt::Receipt;

/// How often a command tries again after somebody else's event came first.
const ATTEMPTS: usize = 16;

/// What the games are given.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) wake: Wake,
    pub(crate) names: Arc<Names>,
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) post: Arc<Post>,
    pub(crate) downtimes: Arc<Downtimes>,
}

/// The games of the server.
#[derive(Debug)]
pub(crate) struct Games {
    parts: Parts,
    deadlines: Deadlines,
    memory: Memory,
    holders: Holders,
}

/// What is to be appended to the log of a game.
#[derive(Debug)]
struct Draft {
    events: Vec<Event>,
    /// The game after them.
    after: Arc<Game>,
    /// Seats that are taken by them.
    seats: Vec<store::Seat>,
    /// The command that is done by them, with its answer.
    command: Option<store::Command>,
}

impl Draft {
    /// Returns what a command makes of a game.
    fn new(id: &GameId, game: &Game, command: &Command, now: Millis) -> Result<Self, Error> {
        let (events, after) = game.advance(command, now.0).map_err(|error| match error {
            AdvanceError::Refused(refusal) => Error::Refused(refusal),
            AdvanceError::Inconsistent(source) => LogError::Replay { game: id.clone(), source }.into(),
        })?;
        Ok(Self { events, after: Arc::new(after), seats: Vec::new(), command: None })
    }
}

/// A game as it was found.
#[derive(Debug)]
pub(crate) enum Look {
    Known(Arc<Game>),
    Log(Vec<StoredEvent>),
}

impl Look {
    /// Returns the bytes of its log, if it must be read from there.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Known(_) => 0,
            Self::Log(events) => events.iter().map(|event| event.body.len()).sum(),
        }
    }

    /// Returns the game. That may take long: it is not for a thread that answers others.
    pub(crate) fn game(self, id: &GameId) -> Result<Arc<Game>, Error> {
        let stored = match self {
            Self::Known(game) => return Ok(game),
            Self::Log(stored) if stored.is_empty() => return Err(Error::GameNotFound),
            Self::Log(stored) => stored,
        };
        let events = read_events(id, Version(0), stored)?;
        let game = Game::replay(events.iter().map(|(_, event)| event));
        Ok(Arc::new(game.map_err(|source| LogError::Replay { game: id.clone(), source })?))
    }
}

impl Games {
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            parts,
            deadlines: Deadlines::default(),
            memory: Memory::default(),
            holders: Holders::default(),
        }
    }

    pub(crate) fn deadlines(&self) -> &Deadlines {
        &self.deadlines
    }

    pub(crate) fn downtimes(&self) -> &Arc<Downtimes> {
        &self.parts.downtimes
    }

    /// Looks up which games run. Their logs are read only when somebody asks or their time is up, so thousands of
    /// them begin at once.
    pub(crate) async fn begin(&self) -> Result<(), Error> {
        for game in self.parts.store.list_running().await? {
            let away = self.parts.downtimes.within_ms(game.updated_at.0, i64::MAX);
            self.deadlines.set(&game.id, Some(game.deadline.0.saturating_add(away)));
        }
        Ok(())
    }

    /// Seats a player by an invitation, unless somebody else came first.
    pub(crate) async fn join(
        self: &Arc<Self>,
        player: &PlayerId,
        token: &InvitationToken,
    ) -> Result<GameId, Error> {
        let invitation = self.parts.store.lookup_invitation(token).await?.ok_or(Error::InvitationNotFound)?;
        let id = invitation.game;
        let game = self.load(&id).await?;
        if game.color_of(player.as_str()).is_some() {
            return Ok(id);
        }
        self.may_sit(player, game.options().clock).await?;
        let join = |game: &Game, now: Millis| {
            if game.color_of(player.as_str()).is_some() {
                return Ok(None);
            }
            let open = Color::ALL.into_iter().find(|&color| game.seats()[color] == Seat::Open);
            let color = open.ok_or_else(|| Error::InvitationUsed(id.clone()))?;
            let command = Command::Join { color, player: player.to_string() };
            let draft = Draft::new(&id, game, &command, now)?;
            let seat = store::Seat { color: wire::color(color), player: player.clone() };
            Ok(Some(Draft { seats: vec![seat], ..draft }))
        };
        match self.append(&id, game, &join).await?.1 {
            None | Some(Appended::Done(_)) => Ok(id),
            Some(_) => Err(Error::Internal("an answer to no command")),
        }
    }

    /// Does what a visitor asks, once, and returns the version of the game when it is on the disk.
    pub(crate) async fn act(
        self: &Arc<Self>,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        act: &Act,
        context: &ActContext,
    ) -> Result<Version, Error> {
        let sitting = |game: &Game| game.color_of(player.as_str()).ok_or(Error::NotAPlayer);
        let begun = Instant::now();
        let done = self.act_as(id, player, command, (act, context), &sitting).await;
        self.parts.metrics.command(&done, begun.elapsed());
        done
    }

    /// Returns the answer to a command of a game that a player has sent before.
    pub(crate) async fn answer_of(
        &self,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        act: &Act,
    ) -> Result<Option<Version>, Error> {
        let answer = self.parts.store.lookup_command(player, command).await?;
        answer.map(|answer| Receipt::read(&answer)?.version_for(id, act)).transpose()
    }

    /// Does what the machine asks in a game where it is to move.
    pub(crate) async fn act_for_machine(
        self: &Arc<Self>,
        id: &GameId,
        command: CommandId,
        act: &Act,
    ) -> Result<Version, Error> {
        let to_move =
            |game: &Game| game.awaits_machine().map(|_| game.side_to_move()).ok_or(Error::NotAPlayer);
        self.act_as(id, &house(), command, (act, &ActContext::default()), &to_move).await
    }

    /// Ends a game whose time is up, if it is.
    pub(crate) async fn tick(self: &Arc<Self>, id: &GameId) -> Result<(), Error> {
        let game = self.recall_or_load(id).await?;
        let tick = |game: &Game, now: Millis| match Draft::new(id, game, &Command::Tick, now) {
            Ok(draft) => Ok(Some(draft)),
            Err(Error::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        };
        let (game, appended) = self.append(id, game, &tick).await?;
        if appended.is_none() {
            self.deadlines.set(id, game.next_deadline_ms());
        }
        Ok(())
    }

    /// Does what the player on a side asks, once. `side` finds the side in the game as it is then.
    async fn act_as(
        self: &Arc<Self>,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        (act, context): (&Act, &ActContext),
        side: &(dyn Fn(&Game) -> Result<Color, Error> + Sync),
    ) -> Result<Version, Error> {
        let game = self.recall_or_load(id).await?;
        let decide = |game: &Game, now: Millis| {
            let by = side(game)?;
            let context = ActContext { opponent_away_ms: self.away_ms(id, !by), ..context.clone() };
            let asked = Command::Act { by, act: act.clone(), context };
            let draft = Draft::new(id, game, &asked, now)?;
            let answer = Receipt::new(id, act, Version(draft.after.version()))?.write()?;
            let command = store::Command { player: player.clone(), id: command, answer };
            Ok(Some(Draft { command: Some(command), ..draft }))
        };
        match self.append(id, game, &decide).await {
            Ok((_, Some(Appended::Done(version)))) => Ok(version),
            Ok((_, Some(Appended::Repeated(answer)))) => Receipt::read(&answer)?.version_for(id, act),
            Ok(_) => Err(Error::Internal("a command without an answer")),
            // It may be a repeat of a command that was done, for which it is too late now.
            Err(refusal) => self.answer_of(id, player, command, act).await?.ok_or(refusal),
        }
    }

    /// Appends what `decide` makes of a game, and returns the game that it was decided on. If somebody else's events came
    /// first, or the game that is remembered was not the newest, it is decided again on the newest one. Nothing is appended
    /// if `decide` returns nothing.
    ///
    /// The time in which no server was there, or one that stood still, is charged to nobody: it is written into the log when
    /// the game is first looked at afterwards, before anything else is decided.
    async fn append(
        self: &Arc<Self>,
        id: &GameId,
        mut game: Arc<Game>,
        decide: &(dyn Fn(&Game, Millis) -> Result<Option<Draft>, Error> + Sync),
    ) -> Result<(Arc<Game>, Option<Appended>), Error> {
        for _ in 0..ATTEMPTS {
            // Whatever happened until now must be known before it is decided.
            let now = self.parts.downtimes.look();
            let interruptions = self.interruptions(id, &game)?;
            let is_interrupted = interruptions.is_some();
            let decided = if is_interrupted { Ok(interruptions) } else { decide(&game, now) };
            let draft = match decided {
                Ok(Some(draft)) => draft,
                Ok(None) => return Ok((game, None)),
                Err(refusal) => {
                    let newest = self.refresh(id).await?;
                    if newest.version() == game.version() {
                        return Err(refusal);
                    }
                    game = newest;
                    continue;
                }
            };
            let after = Arc::clone(&draft.after);
            match self.commit(id, &game, draft).await? {
                Appended::Conflict(_) => game = self.refresh(id).await?,
                Appended::Missing => return Err(Error::GameNotFound),
                Appended::Done(_) if is_interrupted => game = after,
                appended => return Ok((game, Some(appended))),
            }
        }
        Err(Error::Busy)
    }

    /// Appends events that follow from a game, and tells all who look on. Once it has begun it goes to its end, even
    /// if the visitor who waits for it leaves: what is on the disk must also be told.
    async fn commit(self: &Arc<Self>, id: &GameId, game: &Game, draft: Draft) -> Result<Appended, Error> {
        let Draft { events, after, seats, command } = draft;
        let mut told = Vec::with_capacity(events.len());
        for event in &events {
            told.push(self.beside(event, &after).await?);
        }
        let append = Append {
            game: id.clone(),
            based_on: Version(game.version()),
            events: bodies(&events)?,
            seats,
            shadow: shadow(id, &after)?,
            command,
        };
        let games = Arc::clone(self);
        let first = game.version() + 1;
        let committed = tokio::spawn(async move {
            let id = append.game.clone();
            let appended = games.parts.store.append(append).await?;
            if matches!(appended, Appended::Done(_)) {
                let after = games.settle(&id, after);
                for ((version, event), beside) in (first..).zip(&events).zip(told) {
                    games.tell(&id, version, event, beside).await;
                }
                games.follow(&id, &after, &events);
            }
            Ok(appended)
        });
        committed.await.unwrap_or(Err(Error::Internal("the commit did not come to its end")))
    }

    /// What an event is told with, from the game after it. Events that need the game are the last of their command.
    async fn beside(&self, event: &Event, after: &Game) -> Result<Beside, Error> {
        let mut beside = Beside::default();
        match &event.kind {
            EventKind::Touched { .. } => beside.obligation = after.obligation(),
            EventKind::Ended { .. } => beside.left_ms = after.clock_at(event.at_ms),
            EventKind::Joined { color, .. } => {
                let names = self.parts.names.of_game(after).await?;
                beside.name = match color {
                    Color::White => names.white,
                    Color::Black => names.black,
                };
            }
            _ => {}
        }
        Ok(beside)
    }

    /// Remembers a game as it now is on the disk, and wakes the machine if it is to move.
    fn settle(&self, id: &GameId, game: Arc<Game>) -> Arc<Game> {
        if game.awaits_machine().is_some() {
            self.parts.wake.think(id);
        }
        if game.ending().is_some() {
            self.parts.wake.stop(id);
        }
        self.remember(id, game)
    }

    /// An event is written as text once, for however many look on.
    async fn tell(&self, id: &GameId, version: u64, event: &Event, beside: Beside) {
        tracing::debug!(game = %id, version, event = %event.kind, "event");
        let Some(message) = wire::event(version, event, beside) else { return };
        let who = audience::of_those(|viewer| event.kind.visible_to(viewer));
        self.whisper(id, version, who, &message).await;
        if who != audience::ALL {
            self.whisper(id, version, audience::ALL & !who, &wire::hidden(version, event)).await;
        }
    }

    /// Tells some of those who look on. `sequence` is 0 for what is not in the log.
    pub(crate) async fn whisper(&self, id: &GameId, sequence: u64, audience: u8, message: &ServerMessage) {
        let body = match serde_json::to_vec(message) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, game = %id, sequence, "a message cannot be told");
                return;
            }
        };
        let notice = Notice { sequence, audience, body: body.into() };
        if let Err(error) = self.parts.bus.publish(id.as_str(), notice).await {
            tracing::warn!(%error, game = %id, sequence, "something was not told; clients find events in the log");
        }
    }

    /// Returns the game as this process last saw it, or as the disk has it now.
    async fn recall_or_load(self: &Arc<Self>, id: &GameId) -> Result<Arc<Game>, Error> {
        match self.recall(id) {
            Some(game) => Ok(game),
            None => self.load(id).await,
        }
    }

    /// Returns the game as the disk has it now.
    pub(crate) async fn load(self: &Arc<Self>, id: &GameId) -> Result<Arc<Game>, Error> {
        let game = self.refresh(id).await?;
        Ok(self.append(id, game, &|_, _| Ok(None)).await?.0)
    }

    /// Returns the game as the disk has it now, whether or not it knows of all times without a server.
    async fn refresh(&self, id: &GameId) -> Result<Arc<Game>, Error> {
        let known = self.recall(id);
        let after = known.as_ref().map_or(0, |game| game.version());
        let events = self.events(id, Version(after)).await?;
        let replay = |source| LogError::Replay { game: id.clone(), source };
        let game = match known {
            Some(game) if events.is_empty() => return Ok(game),
            Some(game) => {
                let mut game = Game::clone(&game);
                for (_, event) in &events {
                    game.apply(event).map_err(replay)?;
                }
                game
            }
            None if events.is_empty() => return Err(Error::GameNotFound),
            None => Game::replay(events.iter().map(|(_, event)| event)).map_err(replay)?,
        };
        Ok(self.remember(id, Arc::new(game)))
    }

    /// Returns the events of all times without a server that a game does not know of yet, if its clock ran then. They are
    /// appended all at once: nobody must see the game with some of them.
    fn interruptions(&self, id: &GameId, game: &Game) -> Result<Option<Draft>, Error> {
        if game.next_deadline_ms().is_none() || !self.parts.downtimes.are_any_after(game.updated_at_ms()) {
            return Ok(None);
        }
        let mut events = Vec::new();
        let mut after = game.clone();
        for down in self.parts.downtimes.after(game.updated_at_ms()) {
            let interrupt = Command::Interrupt { from_ms: down.from.0, until_ms: down.until.0 };
            match after.advance(&interrupt, down.until.0) {
                Ok((more, next)) => {
                    events.extend(more);
                    after = next;
                }
                // No clock ran in that time.
                Err(AdvanceError::Refused(_)) => {}
                Err(AdvanceError::Inconsistent(source)) => {
                    return Err(LogError::Replay { game: id.clone(), source }.into());
                }
            }
        }
        let draft = Draft { events, after: Arc::new(after), seats: Vec::new(), command: None };
        Ok(Some(draft).filter(|draft| !draft.events.is_empty()))
    }

    /// Returns the events after a version, each with the version it leads to.
    async fn events(&self, id: &GameId, after: Version) -> Result<Vec<(u64, Event)>, Error> {
        Ok(read_events(id, after, self.parts.store.list_events(id, after).await?)?)
    }

    /// Returns the messages of the events after a version for one who looks on, or nothing if one of them cannot be
    /// told without the state of the game beside it.
    pub(crate) async fn missed(
        &self,
        id: &GameId,
        after: Version,
        viewer: Option<Color>,
    ) -> Result<Option<Vec<(u64, ServerMessage)>>, Error> {
        let events = self.events(id, after).await?;
        let needs_state =
            |event: &Event| matches!(event.kind, EventKind::Touched { .. } | EventKind::Joined { .. });
        if events.iter().any(|(_, event)| needs_state(event)) {
            return Ok(None);
        }
        let message = |(version, event): &(u64, Event)| {
            let message = if event.kind.visible_to(viewer) {
                wire::event(*version, event, Beside::default())?
            } else {
                wire::hidden(*version, event)
            };
            Some((*version, message))
        };
        Ok(Some(events.iter().filter_map(message).collect()))
    }

    /// Returns all of a game as a visitor sees it.
    pub(crate) async fn snapshot(
        self: &Arc<Self>,
        id: &GameId,
        player: &PlayerId,
    ) -> Result<adoube_protocol::Game, Error> {
        let game = self.load(id).await?;
        let view = View {
            you: game.color_of(player.as_str()),
            names: self.parts.names.of_game(&game).await?,
            in_match: self.match_state(id, &game).await?,
            now: self.now(),
        };
        Ok(wire::snapshot(id, &game, view))
    }

    pub(crate) async fn match_of(self: &Arc<Self>, id: &GameId) -> Result<Option<MatchState>, Error> {
        let game = self.load(id).await?;
        self.match_state(id, &game).await
    }

    pub(crate) async fn subscribe(&self, id: &GameId) -> Result<Box<dyn Subscription>, Error> {
        self.parts.bus.subscribe(id.as_str()).await.map_err(|error| {
            tracing::error!(%error, "no subscription");
            Error::Internal("the bus does not answer")
        })
    }

    pub(crate) async fn awaiting_machine(
        &self,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<Cursor>, Error> {
        Ok(self.parts.store.list_awaiting_machine(after, limit).await?)
    }

    /// Remembers from where a player comes, so that the machine thinks for one house after the other.
    pub(crate) fn seen(&self, player: &PlayerId, holder: Holder) {
        self.holders.put(player, holder);
    }

    /// Returns for whom the machine thinks in a game.
    pub(crate) fn machine_holder(&self, game: &Game) -> Holder {
        let person = Color::ALL.into_iter().find_map(|color| match &game.seats()[color] {
            Seat::Person { player } => player.parse::<PlayerId>().ok(),
            Seat::Open | Seat::Machine { .. } => None,
        });
        person.map_or(Holder::House, |player| self.holders.get(&player).unwrap_or(Holder::Account(player)))
    }

    /// Returns a game to be shown once: from memory if it is there, otherwise its log, which is not remembered.
    pub(crate) async fn look(&self, id: &GameId) -> Result<Look, Error> {
        if let Some(game) = self.memory.peek(id) {
            return Ok(Look::Known(game));
        }
        Ok(Look::Log(self.parts.store.list_events(id, Version(0)).await?))
    }

    /// Returns the game as it was when this process last saw it.
    pub(crate) fn recall(&self, id: &GameId) -> Option<Arc<Game>> {
        self.memory.get(id)
    }

    fn remember(&self, id: &GameId, game: Arc<Game>) -> Arc<Game> {
        let game = self.memory.put(id, game);
        self.deadlines.set(id, game.next_deadline_ms());
        game
    }

    pub(crate) fn remembered(&self) -> usize {
        self.memory.len()
    }

    /// Forgets games that nobody has looked at for a while.
    pub(crate) fn forget_idle(&self) {
        self.memory.forget_idle();
    }

    fn now(&self) -> Millis {
        self.parts.clock.now()
    }

    /// For how long a player has had no socket while a server was there that it could have come to.
    fn away_ms(&self, id: &GameId, side: Color) -> i64 {
        let now = self.now().0;
        let since = self.parts.rooms.away_since_ms(id, side).unwrap_or(now);
        (now - since - self.parts.downtimes.within_ms(since, now)).max(0)
    }
}

/// What nobody has asked for, such as the turns of the machine, is kept under a player of its own, which no random
/// number gives in practice.
fn house() -> PlayerId {
    PlayerId::from_random(0)
}

/// The command of a game that follows from something else: the same for everybody who comes to create it.
fn follows(from: &str, id: &str) -> CommandId {
    let digest = Sha256::new().chain_update(from).chain_update(id).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    CommandId(Uuid::from_bytes(bytes))
}

/// Reads the events after a version, each with the version it leads to.
fn read_events(id: &GameId, after: Version, stored: Vec<StoredEvent>) -> Result<Vec<(u64, Event)>, LogError> {
    let mut events = Vec::with_capacity(stored.len());
    for (expected, stored) in (after.0 + 1..).zip(stored) {
        if stored.version.0 != expected {
            return Err(LogError::Gap { game: id.clone(), version: expected });
        }
        let unreadable = |source| LogError::Event { game: id.clone(), version: expected, source };
        events.push((expected, serde_json::from_str(&stored.body).map_err(unreadable)?));
    }
    Ok(events)
}

fn bodies(events: &[Event]) -> Result<Vec<NewEvent>, LogError> {
    let body = |event: &Event| {
        let body = serde_json::to_string(event).map_err(LogError::Write)?;
        Ok(NewEvent { at: Millis(event.at_ms), body })
    };
    events.iter().map(body).collect()
}

fn shadow(id: &GameId, game: &Game) -> Result<Shadow, LogError> {
    let phase = match game.ending() {
        Some(_) => Phase::Over,
        None if game.is_started() => Phase::Playing,
        None => Phase::Waiting,
    };
    Ok(Shadow {
        phase,
        turn: game.ending().is_none().then(|| wire::color(game.side_to_move())),
        deadline: game.next_deadline_ms().map(Millis),
        awaits_machine: game.awaits_machine().and_then(|level| level.try_into().ok()),
        summary: serde_json::to_string(&wire::summary(id, game)).map_err(LogError::Write)?,
    })
}
