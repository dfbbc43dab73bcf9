//! The presence of players in games, on this node and on others that use the same database.

use std::sync::Arc;

use adoube_protocol::{GameId, PlayerId};
use adoube_rules::Color;
use adoube_store::{Presence, Store};

use crate::{clock::Clock, error::Error, rooms::Rooms, wire};

/// The time, in milliseconds, during which only the node that a player is connected to may decide whether the flag has
/// fallen.
const OWN_NODE_JUDGES_MS: i64 = 1_000;

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

    /// Returns `true` if a player has a page of the site open, connected to any node. Pages connected to a
    /// dead node count until another node has taken over from it.
    pub(crate) async fn has_page(&self, player: &PlayerId) -> Result<bool, Error> {
        Ok(self.rooms.visitors().is_here(player)
            || self.is_shared() && self.store.is_visiting(player).await?)
    }

    /// Returns the time at which a player disconnected, in milliseconds since 1970. Returns `None` if the
    /// player is connected or may be, or if the room is empty on this node.
    pub(crate) async fn away_since_ms(&self, game: &GameId, side: Color) -> Result<Option<i64>, Error> {
        let Some(local) = self.rooms.away_since_ms(game, side) else { return Ok(None) };
        Ok(match self.presence_elsewhere(game, side).await? {
            Presence::Connected { .. } | Presence::Lost { .. } => None,
            Presence::Away { since, .. } => Some(since.0),
            Presence::Unknown => Some(local),
        })
    }

    /// Returns `true` if a player is connected to a node that may have been dead at `at_ms`, in milliseconds
    /// since 1970. Only a later renewal of the node's lease proves that the player could have played at that
    /// time. If that node was paused and its lease was still valid afterwards, no other node knows of the
    /// pause, so only that node may decide during the next second whether the flag has fallen.
    pub(crate) async fn is_uncertain(&self, game: &GameId, side: Color, at_ms: i64) -> Result<bool, Error> {
        if self.rooms.is_here(game, side) {
            return Ok(false);
        }
        Ok(match self.presence_elsewhere(game, side).await? {
            Presence::Connected { seen_at, .. } => seen_at.0 < at_ms + OWN_NODE_JUDGES_MS,
            Presence::Lost { .. } => true,
            Presence::Away { .. } | Presence::Unknown => false,
        })
    }

    /// Returns a player's presence according to the store, or `Unknown` if there are no other nodes, because
    /// this node's rooms are then complete.
    async fn presence_elsewhere(&self, game: &GameId, side: Color) -> Result<Presence, Error> {
        if !self.is_shared() {
            return Ok(Presence::Unknown);
        }
        Ok(self.store.lookup_presence(game, wire::color_to_wire(side), self.clock.now()).await?)
    }
}
