//! Reads logs, and converts their events to messages for clients.

use std::sync::Arc;

use adoube_game::{Event, EventKind, Game};
use adoube_protocol::{GameId, LogEntry, ServerMessage, Version};
use adoube_rules::Color;
use adoube_store::StoredEvent;

use super::Ledger;
use crate::{
    error::{Error, LogError},
    wire::{self, EventContext},
};

/// A game from the cache, or the log of a game that is not cached.
#[derive(Debug)]
pub(crate) enum LoadedGame {
    Cached(Arc<Game>),
    Log(Vec<StoredEvent>),
}

impl LoadedGame {
    /// Returns the size of the log in bytes, or 0 if the game is cached.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Cached(_) => 0,
            Self::Log(events) => events.iter().map(|event| event.body.len()).sum(),
        }
    }

    /// Returns the game. Should be called on a worker thread, because replaying a log may take a long time.
    pub(crate) fn game(self, id: &GameId) -> Result<Arc<Game>, Error> {
        let stored = match self {
            Self::Cached(game) => return Ok(game),
            Self::Log(stored) if stored.is_empty() => return Err(Error::GameNotFound),
            Self::Log(stored) => stored,
        };
        let events = read_events(id, Version(0), stored)?;
        let game = Game::replay(events.iter().map(|(_, event)| event));
        Ok(Arc::new(game.map_err(|source| LogError::Replay { game: id.clone(), source })?))
    }
}

impl Ledger {
    /// Returns a game that is needed only once, from the cache if possible. Otherwise returns its log without
    /// adding the game to the cache.
    pub(crate) async fn load_once(&self, id: &GameId) -> Result<LoadedGame, Error> {
        if let Some(game) = self.cache.peek(id) {
            return Ok(LoadedGame::Cached(game));
        }
        Ok(LoadedGame::Log(self.store.list_events(id, Version(0)).await?))
    }

    /// Returns a game as it is in the store now, without caching it or adding downtimes to its log.
    pub(crate) async fn read(&self, id: &GameId) -> Result<Arc<Game>, Error> {
        LoadedGame::Log(self.store.list_events(id, Version(0)).await?).game(id)
    }

    /// Returns the events after a version, each with the version of the game after it.
    pub(super) async fn events(&self, id: &GameId, after: Version) -> Result<Vec<(u64, Event)>, Error> {
        Ok(read_events(id, after, self.store.list_events(id, after).await?)?)
    }

    /// Returns the log up to the version of `game`, as a viewer may see it.
    pub(in super::super) async fn log(
        &self,
        id: &GameId,
        game: &Game,
        viewer: Option<Color>,
        names: &wire::PlayerNames,
    ) -> Result<Vec<LogEntry>, Error> {
        let mut events = self.events(id, Version(0)).await?;
        // Later events are sent to the client separately.
        events.truncate(usize::try_from(game.version()).unwrap_or(usize::MAX));
        Ok(wire::log(&events, viewer, names))
    }

    /// Returns the events after a version as messages for a viewer.
    pub(crate) async fn events_since(
        &self,
        id: &GameId,
        after: Version,
        viewer: Option<Color>,
    ) -> Result<Vec<(u64, ServerMessage)>, Error> {
        let events = self.events(id, after).await?;
        let contexts = self.contexts_of(id, after, &events).await?;
        let message = |((version, event), context): (&(u64, Event), EventContext)| {
            let message = if event.kind.visible_to(viewer) {
                wire::event(*version, event, context)?
            } else {
                wire::hidden(*version, event)
            };
            Some((*version, message))
        };
        Ok(events.iter().zip(contexts).filter_map(message).collect())
    }

    /// Returns the contexts of the events after a version. The preceding log is read only if one of these
    /// events is a touch or a join. If it is not read, the context of an event that ends the game lacks the
    /// clocks.
    pub(super) async fn contexts_of(
        &self,
        id: &GameId,
        after: Version,
        events: &[(u64, Event)],
    ) -> Result<Vec<EventContext>, Error> {
        let needs_game =
            |event: &Event| matches!(event.kind, EventKind::Touched { .. } | EventKind::Joined { .. });
        if !events.iter().any(|(_, event)| needs_game(event)) {
            return Ok(vec![EventContext::default(); events.len()]);
        }
        let replay = |source| LogError::Replay { game: id.clone(), source };
        let mut before = self.events(id, Version(0)).await?;
        before.truncate(usize::try_from(after.0).unwrap_or(usize::MAX));
        let mut game = Game::replay(before.iter().map(|(_, event)| event)).map_err(replay)?;
        let mut contexts = Vec::with_capacity(events.len());
        for (_, event) in events {
            game.apply(event).map_err(replay)?;
            contexts.push(self.context_of(event, &game).await?);
        }
        Ok(contexts)
    }

    /// Returns the context of an event. `after` is the game after this event or after the whole command. Both
    /// give the same result, because only the context of a command's last event depends on the game.
    pub(super) async fn context_of(&self, event: &Event, after: &Game) -> Result<EventContext, Error> {
        let names = match &event.kind {
            EventKind::Joined { .. } => self.names.of_game(after).await?,
            _ => wire::PlayerNames::default(),
        };
        Ok(EventContext::of(event, after, &names))
    }
}

/// Parses the stored events after a version. Returns each with the version of the game after it.
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
