//! The logs of all games. When a decision is made, its events are appended to the game's log and, once
//! stored, published.
//!
//! No process owns a game. The cache only avoids reads. An append states the version that it is based on. If
//! another process has appended events in the meantime, they are read and the decision is made again.

mod flags;
mod read;

use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

use adoube_game::{AdvanceError, Command, Event, Game};
use adoube_protocol::{GameId, Millis, Version};
use adoube_rules::Color;
use adoube_store::{
    self as store, AdminChange, Administered, Append, Appended, AuditEntry, Created, Downtime, NewAuditEntry,
    NewEvent, NewGame, Phase, ReadModel, Store, StoreError,
};

pub(crate) use self::read::LoadedGame;
use super::memory::GameCache;
use crate::{
    deadlines::Deadlines,
    downtimes::Downtimes,
    error::{Error, LogError},
    lease::Lease,
    metrics::Metrics,
    names::Names,
    publisher::Publisher,
    rooms::Rooms,
    stored, wire,
};

/// The maximum number of attempts to append events if other processes keep appending theirs first.
const ATTEMPTS: usize = 16;
/// The maximum number of attempts to read the result of an append whose response was lost, and the pause
/// before each. Together they cover a database outage of a few minutes.
const IN_DOUBT_ATTEMPTS: usize = 600;
const IN_DOUBT_PAUSE: Duration = Duration::from_millis(500);
/// The number of reads without an event after which the append is assumed to have failed. PostgreSQL may
/// still commit for some time after the connection is lost.
const IN_DOUBT_EMPTY_READS: usize = 20;

/// Receives events after they have been stored.
pub(super) trait Observer: std::fmt::Debug + Send + Sync {
    /// Handles new events. `game` is the state after them. Slow work belongs in a separate task, because the
    /// response to the command is sent only after this returns.
    fn committed(&self, id: &GameId, game: &Arc<Game>, events: &[Event]);
}

/// A function that decides what to append to a game's log at a given time; it returns `None` to append
/// nothing.
pub(super) type Decide<'a> = &'a (dyn Fn(&Game, Millis) -> Result<Option<Draft>, Error> + Sync);

/// Events to be appended to a game's log.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) events: Vec<Event>,
    /// The state of the game after the events.
    pub(super) after: Arc<Game>,
    /// Seats that the events fill.
    pub(super) seats: Vec<store::Seat>,
    /// The command that caused the events, and its answer.
    pub(super) command: Option<store::CommandRecord>,
}

impl Draft {
    /// Returns the events that a command causes, and the state of the game after them. Fails if the game
    /// refuses the command.
    pub(super) fn new(id: &GameId, game: &Game, command: &Command, now: Millis) -> Result<Self, Error> {
        let (events, after) = game.advance(command, now.0).map_err(|error| match error {
            AdvanceError::Refused(refusal) => Error::Refused(refusal),
            AdvanceError::Inconsistent(source) => LogError::Replay { game: id.clone(), source }.into(),
        })?;
        Ok(Self { events, after: Arc::new(after), seats: Vec::new(), command: None })
    }
}

#[derive(Debug)]
pub(crate) struct Ledger {
    store: Arc<dyn Store>,
    names: Arc<Names>,
    downtimes: Arc<Downtimes>,
    publisher: Publisher,
    deadlines: Deadlines,
    cache: GameCache,
    rooms: Arc<Rooms>,
    lease: Arc<Lease>,
    metrics: Arc<Metrics>,
    observer: OnceLock<Weak<dyn Observer>>,
}

impl Ledger {
    pub(super) fn new(
        (store, names, rooms): (Arc<dyn Store>, Arc<Names>, Arc<Rooms>),
        downtimes: Arc<Downtimes>,
        publisher: Publisher,
        lease: Arc<Lease>,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self {
            store,
            names,
            rooms,
            downtimes,
            publisher,
            lease,
            metrics,
            deadlines: Deadlines::default(),
            cache: GameCache::default(),
            observer: OnceLock::new(),
        }
    }

    /// Sets the observer of events. The reference is weak, because the observer refers to the ledger.
    pub(super) fn observe(&self, observer: &Arc<impl Observer + 'static>) {
        let observer = Arc::downgrade(observer);
        // The observer is set only once, where the ledger is created.
        let _ = self.observer.set(observer);
    }

    pub(crate) fn deadlines(&self) -> &Deadlines {
        &self.deadlines
    }

    pub(crate) fn downtimes(&self) -> &Arc<Downtimes> {
        &self.downtimes
    }

    /// Loads the deadlines of games in progress. Logs are read only when needed, so the server starts quickly
    /// even with thousands of games.
    pub(crate) async fn begin(&self) -> Result<(), Error> {
        for game in self.store.list_running().await? {
            let downtime_ms = self.downtimes.within_ms(game.updated_at.0, i64::MAX);
            self.deadlines.set(&game.id, Some(game.deadline.0.saturating_add(downtime_ms)));
        }
        Ok(())
    }

    /// Creates the log of a game.
    pub(super) async fn create(
        &self,
        new: NewGame,
        game: Arc<Game>,
        events: &[Event],
    ) -> Result<Created, Error> {
        let id = new.id.clone();
        let created = self.store.add_game(new).await?;
        if matches!(created, Created::Done) {
            let game = self.cache(&id, game);
            self.committed(&id, &game, events);
        }
        Ok(created)
    }

    /// Records in a live game's log that a side was cut off for a period, if that side's clock was running.
    /// Returns `true` if it was recorded.
    pub(crate) async fn interrupt(
        self: &Arc<Self>,
        id: &GameId,
        side: Color,
        down: Downtime,
    ) -> Result<bool, Error> {
        let interrupt = |game: &Game, now: Millis| {
            if !game.options().clock.is_live() {
                return Ok(None);
            }
            let command = Command::CutOff { color: side, from_ms: down.from.0, until_ms: down.until.0 };
            match Draft::new(id, game, &command, now) {
                Ok(draft) => Ok(Some(draft)),
                // No clock was running at that time, or the log already has the event.
                Err(Error::Refused(_)) => Ok(None),
                Err(error) => Err(error),
            }
        };
        let game = self.load(id).await?;
        Ok(self.append(id, game, &interrupt).await?.1.is_some())
    }

    /// Records this node's pauses in a game's log, if they affect the game.
    pub(crate) async fn write_pauses(self: &Arc<Self>, id: &GameId) -> Result<(), Error> {
        let game = self.cached_or_loaded(id).await?;
        self.append(id, game, &|_, _| Ok(None)).await.map(|_| ())
    }

    /// Appends the draft that `decide` returns for a game. Returns the state that the decision was based on,
    /// and the outcome. If the cached game is outdated or other events are appended first, the decision is
    /// made again on the newest state. If `decide` returns `None`, nothing is appended.
    ///
    /// Downtimes are charged to neither side. Therefore, when a game is first used after a downtime, the
    /// downtime is appended to its log before anything else is decided.
    pub(super) async fn append(
        self: &Arc<Self>,
        id: &GameId,
        game: Arc<Game>,
        decide: Decide<'_>,
    ) -> Result<(Arc<Game>, Option<Appended>), Error> {
        let (game, outcome) = self.append_with(id, game, decide, None).await?;
        Ok((game, outcome.map(|(appended, _)| appended)))
    }

    /// Like [`append`](Self::append), but also adds the entry to the audit log in the same transaction.
    /// Returns the stored entry, or `None` if nothing was appended.
    pub(super) async fn append_audited(
        self: &Arc<Self>,
        id: &GameId,
        game: Arc<Game>,
        decide: Decide<'_>,
        entry: &NewAuditEntry,
    ) -> Result<Option<AuditEntry>, Error> {
        let (_, outcome) = self.append_with(id, game, decide, Some(entry)).await?;
        Ok(outcome.and_then(|(_, entry)| entry))
    }

    async fn append_with(
        self: &Arc<Self>,
        id: &GameId,
        mut game: Arc<Game>,
        decide: Decide<'_>,
        entry: Option<&NewAuditEntry>,
    ) -> Result<(Arc<Game>, Option<(Appended, Option<AuditEntry>)>), Error> {
        for _ in 0..ATTEMPTS {
            // All downtimes so far must be known before a decision is made.
            let now = self.downtimes.check();
            let interruptions = self.interruptions(id, &game)?;
            let is_interrupted = interruptions.is_some();
            let decided = if is_interrupted { Ok(interruptions) } else { decide(&game, now) };
            let draft = match decided {
                // This node was paused in the meantime and has lost its lease, so the events from other nodes
                // must be read first.
                Ok(Some(_)) if !self.lease.is_valid() => {
                    self.lease.wait().await?;
                    game = self.refresh(id).await?;
                    continue;
                }
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
            // Interruptions are appended before the decision to which the entry belongs.
            let entry = entry.filter(|_| !is_interrupted).cloned();
            match self.commit(id, &game, draft, entry).await? {
                (Appended::Conflict(_), _) => {
                    self.metrics.append_conflict();
                    game = self.refresh(id).await?;
                }
                (Appended::Missing, _) => return Err(Error::GameNotFound),
                (Appended::Done(_), _) if is_interrupted => game = after,
                outcome => return Ok((game, Some(outcome))),
            }
        }
        Err(Error::Busy)
    }

    /// Appends events to a game's log, with an entry in the audit log if one is given, and publishes them.
    /// Runs to completion even if the caller is dropped, because stored events must also be published.
    async fn commit(
        self: &Arc<Self>,
        id: &GameId,
        game: &Game,
        draft: Draft,
        entry: Option<NewAuditEntry>,
    ) -> Result<(Appended, Option<AuditEntry>), Error> {
        let Draft { events, after, seats, command } = draft;
        let mut contexts = Vec::with_capacity(events.len());
        for event in &events {
            contexts.push(self.context_of(event, &after).await?);
        }
        let append = Append {
            game: id.clone(),
            based_on: Version(game.version()),
            events: bodies(&events)?,
            seats,
            read_model: read_model(&after)?,
            command,
        };
        let ledger = Arc::clone(self);
        let first = game.version() + 1;
        let committed = tokio::spawn(async move {
            let id = append.game.clone();
            let (appended, entry) = match ledger.store_append(append, entry).await {
                Err(error @ StoreError::Unreachable { .. }) => {
                    tokio::spawn(ledger.publish_in_doubt(id, Version(first - 1)));
                    return Err(error.into());
                }
                appended => appended?,
            };
            if matches!(appended, Appended::Done(_)) {
                let after = ledger.cache(&id, after);
                for ((version, event), context) in (first..).zip(&events).zip(contexts) {
                    ledger.publisher.publish_event(&id, version, event, context).await;
                }
                ledger.committed(&id, &after, &events);
            }
            Ok((appended, entry))
        });
        committed.await.unwrap_or(Err(Error::Internal("a commit panicked")))
    }

    async fn store_append(
        &self,
        append: Append,
        entry: Option<NewAuditEntry>,
    ) -> Result<(Appended, Option<AuditEntry>), StoreError> {
        let Some(entry) = entry else { return Ok((self.store.append(append).await?, None)) };
        let version = Version(append.based_on.0 + append.events.len() as u64);
        match self.store.administer(AdminChange::Append(Box::new(append)), entry).await? {
            Administered::Done { entry, .. } => Ok((Appended::Done(version), Some(entry))),
            Administered::NotAppended(appended) => Ok((appended, None)),
            other => Err(StoreError::Statement { source: format!("an append returned {other:?}").into() }),
        }
    }

    /// Publishes the events of an append whose result was lost, as soon as the database responds again. The
    /// sender of the command learns the result by repeating the command, but other visitors would otherwise
    /// have to wait for the next event.
    async fn publish_in_doubt(self: Arc<Self>, id: GameId, before: Version) {
        let mut empty_reads = 0;
        for _ in 0..IN_DOUBT_ATTEMPTS {
            tokio::time::sleep(IN_DOUBT_PAUSE).await;
            let Ok(events) = self.events(&id, before).await else { continue };
            if events.is_empty() {
                empty_reads += 1;
                if empty_reads == IN_DOUBT_EMPTY_READS {
                    return;
                }
                continue;
            }
            let Ok(contexts) = self.contexts_of(&id, before, &events).await else { continue };
            // Recipients recognise the events they already have by their sequence numbers, and ignore them.
            for ((version, event), context) in events.iter().zip(contexts) {
                self.publisher.publish_event(&id, *version, event, context).await;
            }
            return;
        }
        tracing::warn!(game = %id, "the database did not respond for a long time; some events may not have been published");
    }

    fn committed(&self, id: &GameId, game: &Arc<Game>, events: &[Event]) {
        if let Some(observer) = self.observer.get().and_then(Weak::upgrade) {
            observer.committed(id, game, events);
        }
    }

    /// Returns the current state of the game in the store, with all downtimes recorded.
    pub(crate) async fn load(self: &Arc<Self>, id: &GameId) -> Result<Arc<Game>, Error> {
        let game = self.refresh(id).await?;
        Ok(self.append(id, game, &|_, _| Ok(None)).await?.0)
    }

    /// Returns the cached game, or loads it if it is not cached.
    pub(super) async fn cached_or_loaded(self: &Arc<Self>, id: &GameId) -> Result<Arc<Game>, Error> {
        match self.cached(id) {
            Some(game) => Ok(game),
            None => self.load(id).await,
        }
    }

    /// Returns the cached game, if there is one.
    pub(crate) fn cached(&self, id: &GameId) -> Option<Arc<Game>> {
        self.cache.get(id)
    }

    /// Returns the current state of the game in the store. Some downtimes may still be missing from it.
    async fn refresh(&self, id: &GameId) -> Result<Arc<Game>, Error> {
        let known = self.cached(id);
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
        Ok(self.cache(id, Arc::new(game)))
    }

    fn cache(&self, id: &GameId, game: Arc<Game>) -> Arc<Game> {
        let game = self.cache.insert_if_newer(id, game);
        self.deadlines.set(id, game.next_deadline_ms());
        game
    }

    /// Returns the number of cached games.
    pub(crate) fn cached_count(&self) -> usize {
        self.cache.len()
    }

    /// Drops cached games that have not been used for a while.
    pub(crate) fn evict_idle(&self) {
        self.cache.evict_idle();
    }

    /// Returns events that record the downtimes missing from a game's log, or `None` if none are missing or
    /// no clock is running. They are appended together so that no reader sees only some of them.
    fn interruptions(&self, id: &GameId, game: &Game) -> Result<Option<Draft>, Error> {
        let Some(turn_began_ms) = game.next_deadline_ms().and(game.turn_began_ms()) else { return Ok(None) };
        let downtime_commands = self.downtimes.after(game.updated_at_ms()).into_iter().map(|down| {
            let interrupt = Command::Interrupt { from_ms: down.from.0, until_ms: down.until.0 };
            (interrupt, down.until)
        });
        // A pause of this node affects only the players connected to it. It does not count if this node has
        // lost its lease, because then the time is refunded as for any dead node.
        let color = game.side_to_move();
        let includes_own = game.options().clock.is_live() && self.lease.is_valid();
        let own = self.downtimes.own_since(turn_began_ms).filter(|_| includes_own).collect::<Vec<_>>();
        let since_ms = if own.is_empty() { None } else { self.rooms.connected_since_ms(id, color) };
        let own = own
            .into_iter()
            .filter(|own| since_ms.is_some_and(|since| since < own.until.0))
            .map(|own| (Command::CutOff { color, from_ms: own.from.0, until_ms: own.until.0 }, own.until));
        let mut commands = downtime_commands.chain(own).peekable();
        if commands.peek().is_none() {
            return Ok(None);
        }
        let mut events = Vec::new();
        let mut after = game.clone();
        for (command, until) in commands {
            match after.advance(&command, until.0) {
                Ok((more, next)) => {
                    events.extend(more);
                    after = next;
                }
                // No clock was running at that time, or the log already has the event.
                Err(AdvanceError::Refused(_)) => {}
                Err(AdvanceError::Inconsistent(source)) => {
                    return Err(LogError::Replay { game: id.clone(), source }.into());
                }
            }
        }
        let draft = Draft { events, after: Arc::new(after), seats: Vec::new(), command: None };
        Ok(Some(draft).filter(|draft| !draft.events.is_empty()))
    }
}

pub(super) fn bodies(events: &[Event]) -> Result<Vec<NewEvent>, LogError> {
    let body = |event: &Event| {
        let body = serde_json::to_string(event).map_err(LogError::Write)?;
        Ok(NewEvent { at: Millis(event.at_ms), body })
    };
    events.iter().map(body).collect()
}

pub(super) fn read_model(game: &Game) -> Result<ReadModel, LogError> {
    let phase = match game.ending() {
        Some(_) => Phase::Over,
        None if game.is_started() => Phase::Playing,
        None => Phase::Waiting,
    };
    Ok(ReadModel {
        phase,
        turn: game.ending().is_none().then(|| wire::color_to_wire(game.side_to_move())),
        result: game.ending().map(|ending| wire::result_to_wire(ending.result)),
        deadline: game.next_deadline_ms().map(Millis),
        awaits_machine: game.machine_task().and_then(|task| task.level.try_into().ok()),
        summary: serde_json::to_string(&stored::summary(game)).map_err(LogError::Write)?,
    })
}
