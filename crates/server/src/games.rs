//! Games as the server handles them: from a command to the disk, and from there to all who look on.
//!
//! No process owns a game. What is remembered here only saves reading: an append names the version it is based
//! on, and if the log has gone on without us, we read what is new and decide again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use adoube_bus::{Bus, Notice, Subscription};
use adoube_game::{Command, Event, Game, NewGame, Options, Refusal, Seat};
use adoube_protocol::{
    ColorChoice, CommandId, CreateGame, CreatedGame, GameId, GameSummary, InvitationToken, Level,
    OpponentChoice, PlayerId, ServerMessage, Version,
};
use adoube_rules::{ByColor, Color, Variant};
use adoube_store::{self as store, Append, Appended, Created, NewEvent, Phase, Shadow, Store};

use crate::{
    ambient::{Clock, Entropy},
    error::{Error, LogError},
    machine::Wake,
    wire,
};

/// Games that are remembered; who needs another one reads its log.
const REMEMBERED: usize = 4096;
/// How often a command tries again after somebody else's event came first.
const ATTEMPTS: usize = 16;
/// Games in the list of a visitor.
const LISTED: u32 = 100;
/// Draws of a new id that is taken already; one is enough with 71 bits.
const DRAWS: usize = 3;

/// What a player asks of a game over the socket.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Ask {
    Play { seen: Version, turn: String },
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    ClaimDraw,
}

/// The games of the server.
#[derive(Debug)]
pub(crate) struct Games {
    store: Arc<dyn Store>,
    bus: Arc<dyn Bus>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    wake: Wake,
    remembered: Mutex<HashMap<GameId, Arc<Game>>>,
}

impl Games {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        wake: Wake,
    ) -> Self {
        Self { store, bus, clock, entropy, wake, remembered: Mutex::default() }
    }

    /// Creates a game for a player.
    pub(crate) async fn create(
        self: &Arc<Self>,
        player: &PlayerId,
        request: CreateGame,
    ) -> Result<CreatedGame, Error> {
        if let Some(answer) = self.store.lookup_command(player, request.command).await? {
            return created_from(&answer);
        }
        let unknown = |_| Error::UnknownVariant(request.variant.chars().take(32).collect());
        let variant = request.variant.parse::<Variant>().map_err(unknown)?;
        let color = match request.color {
            ColorChoice::White => Color::White,
            ColorChoice::Black => Color::Black,
            ColorChoice::Random => Color::ALL[usize::from(self.entropy.random()? & 1 == 0)],
        };
        let other = match request.opponent {
            OpponentChoice::Friend => Seat::Open,
            OpponentChoice::Machine { level } => Seat::Machine { level: level.get() },
        };
        let mut seats = ByColor { white: other.clone(), black: other };
        seats[color] = Seat::Person { player: player.to_string() };
        let new = NewGame {
            variant,
            fen: request.fen,
            draw_rules: wire::draw_rules(request.draw_rules.unwrap_or_default()),
            seats,
            options: Options::default(),
        };
        let (game, events) = Game::create(new, self.clock.now().0)?;
        for _ in 0..DRAWS {
            let id = GameId::from_random(self.entropy.random()?);
            let invitation = if game.is_started() {
                None
            } else {
                Some(InvitationToken::from_random(self.entropy.random()?))
            };
            let answer = CreatedGame { id: id.clone(), invitation: invitation.clone() };
            let text = serde_json::to_string(&answer).map_err(LogError::Write)?;
            let new = store::NewGame {
                id: id.clone(),
                created_at: adoube_protocol::Millis(game.created_at_ms()),
                events: bodies(&events)?,
                seats: vec![store::Seat { color: wire::color(color), player: player.clone() }],
                invitation,
                shadow: shadow(&id, &game)?,
                command: store::Command { player: player.clone(), id: request.command, answer: text },
            };
            match self.store.add_game(new).await? {
                Created::Done => {
                    tracing::info!(game = %id, %variant, "game created");
                    self.settle(&id, game);
                    return Ok(answer);
                }
                Created::Repeated(answer) => return created_from(&answer),
                Created::IdTaken => {}
            }
        }
        Err(Error::Internal("every id that was drawn is taken"))
    }

    /// Seats a player by an invitation, unless somebody else came first.
    pub(crate) async fn join(
        self: &Arc<Self>,
        player: &PlayerId,
        token: &InvitationToken,
    ) -> Result<GameId, Error> {
        let invitation = self.store.lookup_invitation(token).await?.ok_or(Error::InvitationNotFound)?;
        let id = invitation.game;
        for _ in 0..ATTEMPTS {
            let game = self.load(&id).await?;
            let Some(color) = Color::ALL.into_iter().find(|&color| game.seats()[color] == Seat::Open) else {
                let seated = game.color_of(player.as_str()).is_some();
                return if seated { Ok(id) } else { Err(Error::InvitationUsed(id)) };
            };
            let command = Command::Join { color, player: player.to_string() };
            let events = match game.decide(&command, self.clock.now().0) {
                Ok(events) => events,
                Err(Refusal::AlreadySeated { .. }) => return Ok(id),
                Err(refusal) => return Err(refusal.into()),
            };
            let seat = store::Seat { color: wire::color(color), player: player.clone() };
            match self.commit(&id, &game, events, vec![seat], None).await? {
                Appended::Done(_) => return Ok(id),
                Appended::Conflict(_) => {}
                Appended::Repeated(_) => return Err(Error::Internal("an answer to no command")),
                Appended::Missing => return Err(Error::GameNotFound),
            }
        }
        Err(Error::TooMany)
    }

    /// Does what a visitor asks, once, and returns the version of the game when it is on the disk.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        ask: &Ask,
    ) -> Result<Version, Error> {
        let sitting = |game: &Game| game.color_of(player.as_str()).ok_or(Error::NotAPlayer);
        self.act(id, player, command, ask, &sitting).await
    }

    /// Does what the machine asks in a game where it is to move.
    pub(crate) async fn ask_for_machine(
        self: &Arc<Self>,
        id: &GameId,
        command: CommandId,
        ask: &Ask,
    ) -> Result<Version, Error> {
        let to_move = |game: &Game| game.awaits_machine().map(|_| game.turn()).ok_or(Error::NotAPlayer);
        self.act(id, &machine_player(), command, ask, &to_move).await
    }

    async fn act(
        self: &Arc<Self>,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        ask: &Ask,
        side: &(dyn Fn(&Game) -> Result<Color, Error> + Sync),
    ) -> Result<Version, Error> {
        let mut game = match self.recall(id) {
            Some(game) => game,
            None => self.load(id).await?,
        };
        for _ in 0..ATTEMPTS {
            let decided = side(&game).and_then(|by| {
                let wanted = command_of(ask, by);
                game.decide(&wanted, self.clock.now().0).map_err(Error::from)
            });
            let events = match decided {
                Ok(events) => events,
                Err(refusal) => {
                    // It may be a repeat of a command that was done, or we may remember an old state.
                    if let Some(answer) = self.store.lookup_command(player, command).await? {
                        return version_from(&answer);
                    }
                    let now = self.load(id).await?;
                    if now.version() == game.version() {
                        return Err(refusal);
                    }
                    game = now;
                    continue;
                }
            };
            let version = Version(game.version() + events.len() as u64);
            let record = store::Command { player: player.clone(), id: command, answer: version.to_string() };
            match self.commit(id, &game, events, Vec::new(), Some(record)).await? {
                Appended::Done(version) => return Ok(version),
                Appended::Repeated(answer) => return version_from(&answer),
                Appended::Conflict(_) => game = self.load(id).await?,
                Appended::Missing => return Err(Error::GameNotFound),
            }
        }
        Err(Error::TooMany)
    }

    /// Appends events that follow from a game, and tells all who look on. Once it has begun it goes to its end, even
    /// if the visitor who waits for it leaves: what is on the disk must also be told.
    async fn commit(
        self: &Arc<Self>,
        id: &GameId,
        game: &Game,
        events: Vec<Event>,
        seats: Vec<store::Seat>,
        command: Option<store::Command>,
    ) -> Result<Appended, Error> {
        let mut after = game.clone();
        for event in &events {
            after.apply(event).map_err(|source| LogError::Replay { game: id.clone(), source })?;
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
            let appended = games.store.append(append).await?;
            if matches!(appended, Appended::Done(_)) {
                games.settle(&id, after);
                games.tell(&id, first, &events).await;
            }
            Ok(appended)
        });
        committed.await.unwrap_or(Err(Error::Internal("the commit did not come to its end")))
    }

    /// Remembers a game as it now is on the disk, and wakes the machine if it is to move.
    fn settle(&self, id: &GameId, game: Game) {
        if game.awaits_machine().is_some() {
            self.wake.think(id);
        }
        if game.ending().is_some() {
            self.wake.stop(id);
        }
        self.remember(id, Arc::new(game));
    }

    /// Each event is written as text once, for however many look on.
    async fn tell(&self, id: &GameId, first: u64, events: &[Event]) {
        for (version, event) in (first..).zip(events) {
            tracing::info!(game = %id, version, event = %event.kind, "event");
            let Some(message) = wire::event(version, event) else { continue };
            let body = match serde_json::to_vec(&message) {
                Ok(body) => body,
                Err(error) => {
                    tracing::error!(%error, game = %id, version, "an event cannot be told");
                    continue;
                }
            };
            let notice = Notice { sequence: version, body: body.into() };
            if let Err(error) = self.bus.publish(id.as_str(), notice).await {
                tracing::warn!(%error, game = %id, version, "an event was not told; clients will find it in the log");
            }
        }
    }

    /// Returns the game as the disk has it now.
    pub(crate) async fn load(&self, id: &GameId) -> Result<Arc<Game>, Error> {
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
        let game = Arc::new(game);
        self.remember(id, Arc::clone(&game));
        Ok(game)
    }

    /// Returns the events after a version, each with the version it leads to.
    async fn events(&self, id: &GameId, after: Version) -> Result<Vec<(u64, Event)>, Error> {
        let stored = self.store.list_events(id, after).await?;
        let mut events = Vec::with_capacity(stored.len());
        for (expected, stored) in (after.0 + 1..).zip(stored) {
            if stored.version.0 != expected {
                return Err(LogError::Gap { game: id.clone(), version: expected }.into());
            }
            let unreadable = |source| LogError::Event { game: id.clone(), version: expected, source };
            events.push((expected, serde_json::from_str(&stored.body).map_err(unreadable)?));
        }
        Ok(events)
    }

    /// Returns the messages of the events after a version.
    pub(crate) async fn missed(
        &self,
        id: &GameId,
        after: Version,
    ) -> Result<Vec<(u64, ServerMessage)>, Error> {
        let events = self.events(id, after).await?;
        let message = |(version, event): &(u64, Event)| Some((*version, wire::event(*version, event)?));
        Ok(events.iter().filter_map(message).collect())
    }

    pub(crate) async fn subscribe(&self, id: &GameId) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(id.as_str()).await.map_err(|error| {
            tracing::error!(%error, "no subscription");
            Error::Internal("the bus does not answer")
        })
    }

    pub(crate) async fn list(&self, player: &PlayerId) -> Result<Vec<GameSummary>, Error> {
        let listed = self.store.list_games(player, LISTED).await?;
        let summary = |listed: store::ListedGame| {
            let unreadable = |source| LogError::Summary { game: listed.game.id.clone(), source };
            let summary = serde_json::from_str::<GameSummary>(&listed.game.summary).map_err(unreadable)?;
            Ok(GameSummary { you: Some(listed.color), ..summary })
        };
        listed.into_iter().map(summary).collect()
    }

    pub(crate) async fn awaiting_machine(&self, limit: u32) -> Result<Vec<GameId>, Error> {
        Ok(self.store.list_awaiting_machine(limit).await?)
    }

    pub(crate) async fn check(&self) -> Result<(), Error> {
        Ok(self.store.check().await?)
    }

    /// Returns the game as it was when this process last saw it.
    pub(crate) fn recall(&self, id: &GameId) -> Option<Arc<Game>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn remember(&self, id: &GameId, game: Arc<Game>) {
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered.get(id).is_some_and(|known| known.version() > game.version()) {
            return;
        }
        if remembered.len() >= REMEMBERED && !remembered.contains_key(id) {
            // The order of a hash map is as good as chance, and a wrong choice costs one reading of a log.
            let half = remembered.keys().take(REMEMBERED / 2).cloned().collect::<Vec<_>>();
            for id in half {
                remembered.remove(&id);
            }
        }
        remembered.insert(id.clone(), game);
    }
}

/// The machine's commands are kept under a player of their own, which no random number gives in practice.
fn machine_player() -> PlayerId {
    PlayerId::from_random(0)
}

fn command_of(ask: &Ask, by: Color) -> Command {
    match ask {
        Ask::Play { seen, turn } => Command::Play { by, turn: turn.clone(), seen: seen.0, lag_ms: 0 },
        Ask::Resign => Command::Resign { by },
        Ask::OfferDraw => Command::OfferDraw { by },
        Ask::AcceptDraw => Command::AcceptDraw { by },
        Ask::DeclineDraw => Command::DeclineDraw { by },
        Ask::ClaimDraw => Command::ClaimDraw { by },
    }
}

fn bodies(events: &[Event]) -> Result<Vec<NewEvent>, LogError> {
    let body = |event: &Event| {
        let body = serde_json::to_string(event).map_err(LogError::Write)?;
        Ok(NewEvent { at: adoube_protocol::Millis(event.at_ms), body })
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
        awaits_machine: game.awaits_machine().and_then(|level| Level::try_from(level).ok()),
        summary: serde_json::to_string(&wire::summary(id, game)).map_err(LogError::Write)?,
    })
}

fn created_from(answer: &str) -> Result<CreatedGame, Error> {
    serde_json::from_str(answer)
        .map_err(|_| Error::Message("this command was sent before, for something else".into()))
}

fn version_from(answer: &str) -> Result<Version, Error> {
    let other = |_| Error::Message("this command was sent before, for something else".into());
    answer.parse().map(Version).map_err(other)
}
