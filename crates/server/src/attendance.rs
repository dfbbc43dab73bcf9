//! Whether a player is connected to a game, on this node or on another one that uses the same database.

use std::sync::Arc;

use adoube_protocol::GameId;
use adoube_rules::Color;
use adoube_store::{Presence, Store};

use crate::{clock::Clock, error::Error, rooms::Rooms, wire};

/// Time in which only the node to which a player is connected may judge the flag, in milliseconds.
const FIRST_MS: i64 = 1_000;

#[derive(Debug)]
pub(crate) struct Attendance {
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Attendance {
    /// Returns `true` if players may be connected to other nodes.
    pub(crate) fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Returns `true` if a player is connected to a game, at any node.
    pub(crate) async fn is_here(&self, game: &GameId, side: Color) -> Result<bool, Error> {
        if self.rooms.is_here(game, side) {
            return Ok(true);
        }
        Ok(matches!(
            self.presence_elsewhere(game, side).await?,
            Presence::Connected { .. } | Presence::Lost { .. }
        ))
    }

    /// Returns since when a player has been disconnected, in milliseconds since 1970. `None` if the player is
    /// connected, if that cannot be known, or if the room is empty at this node.
    pub(crate) async fn away_since_ms(&self, game: &GameId, side: Color) -> Result<Option<i64>, Error> {
        let Some(local) = self.rooms.away_since_ms(game, side) else { return Ok(None) };
        Ok(match self.presence_elsewhere(game, side).await? {
            Presence::Connected { .. } | Presence::Lost { .. } => None,
            Presence::Away { since, .. } => Some(since.0),
            Presence::Unknown => Some(local),
        })
    }

    /// Returns `true` if a player is connected to a node that may have been dead at that time, in
    /// milliseconds since 1970: only a later renewal of its lease proves that the player could have played.
    /// If its lease was still valid after a pause, only that node knows of the pause, so it has a second to
    /// judge first.
    pub(crate) async fn is_uncertain(&self, game: &GameId, side: Color, at_ms: i64) -> Result<bool, Error> {
        if self.rooms.is_here(game, side) {
            return Ok(false);
        }
        Ok(match self.presence_elsewhere(game, side).await? {
            Presence::Connected { seen_at, .. } => seen_at.0 < at_ms + FIRST_MS,
            Presence::Lost { .. } => true,
            Presence::Away { .. } | Presence::Unknown => false,
        })
    }

    /// Returns the presence of a player according to the store. `None` without other nodes: then this node
    /// knows everything.
    async fn presence_elsewhere(&self, game: &GameId, side: Color) -> Result<Presence, Error> {
        if !self.is_shared() {
            return Ok(Presence::Unknown);
        }
        Ok(self.store.lookup_presence(game, wire::color(side), self.clock.now()).await?)
    }
}
