//! The visitors with a socket, by node, as the hall and the games show them.
//!
//! The visitors of a dead node count until another node has taken over from it
//! ([`forget_node`](crate::NodeStore::forget_node)), which takes a few seconds.

use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId, Version};
use async_trait::async_trait;

use crate::Result;

/// A visitor's sockets at one node.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VisitorChange {
    pub player: PlayerId,
    /// Whether the visitor has a hall or game socket.
    pub is_here: bool,
    /// Whether the visitor has a hall socket.
    pub is_in_hall: bool,
    /// When the visitor's last hall socket was closed. `None` if one is open, or if there was none recently.
    pub left_hall_at: Option<Millis>,
}

/// The visitors at all nodes.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct VisitorList {
    /// The number of visitors, each counted once.
    pub count: u32,
    /// The sorted names of the visitors whose presence is not hidden; at most as many as were requested.
    pub names: Vec<VisitorName>,
}

/// The name of a visitor with an account.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VisitorName {
    pub name: String,
    /// Whether only signed-in visitors may see the name.
    pub members_only: bool,
}

/// A game and the visitors connected to it, on all nodes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RoomState {
    pub game: GameId,
    /// The version of the game.
    pub version: Version,
    /// Whether each player is connected.
    pub white: bool,
    pub black: bool,
    /// The number of spectators' sockets.
    pub watchers: u32,
}

/// Visitors on several nodes. A process that has the database to itself does not need this.
#[async_trait]
pub trait VisitorStore: Send + Sync {
    /// Stores visitors' connections to a node. Deletes visitors without a socket, unless they left the hall
    /// at or after `forget_before`.
    async fn set_visitors(
        &self,
        node: &NodeId,
        changes: &[VisitorChange],
        forget_before: Millis,
    ) -> Result<()>;

    /// Lists the visitors at all nodes, with at most `names` names.
    async fn list_visitors(&self, names: u32) -> Result<VisitorList>;

    /// Returns `true` if a visitor has a hall or game socket, on any node.
    async fn is_visiting(&self, player: &PlayerId) -> Result<bool>;

    /// Returns those of the players who have had no hall socket, on any node, since the given time.
    async fn list_absent(&self, players: &[PlayerId], since: Millis) -> Result<Vec<PlayerId>>;

    /// Stores the number of spectators' sockets that a node has for each of these games.
    async fn set_watchers(&self, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()>;

    /// Returns the rooms of the games, ordered by id. Games that do not exist are left out.
    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>>;
}
