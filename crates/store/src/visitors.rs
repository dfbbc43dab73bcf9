//! The visitors with a socket, by the node that they are connected to, as the hall and the games show them.
//!
//! Rows of a node that has died count until another one has taken over from it
//! ([`forget_node`](crate::NodeStore::forget_node)), which takes a few seconds.

use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId, Version};
use async_trait::async_trait;

use crate::Result;

/// The sockets of a visitor at one node.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VisitorChange {
    pub player: PlayerId,
    /// Whether the visitor has a socket of the hall or of a game.
    pub is_here: bool,
    /// Whether the visitor has a socket of the hall.
    pub is_in_hall: bool,
    /// When the last socket of the hall was closed; `None` if it is open, or if there was none recently.
    pub left_hall_at: Option<Millis>,
}

/// The visitors at all nodes.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct VisitorList {
    /// The number of visitors, each counted once.
    pub count: u32,
    /// The names of accounts that are not invisible, sorted, at most as many as requested.
    pub names: Vec<VisitorName>,
}

/// The name of a visitor with an account.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VisitorName {
    pub name: String,
    /// Whether only visitors who are signed in may see it.
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
    /// The number of sockets of spectators.
    pub watchers: u32,
}

/// Visitors on several nodes. A process with exclusive use of the database does not need it.
#[async_trait]
pub trait VisitorStore: Send + Sync {
    /// Stores which visitors have connected to a node or left it. Deletes those who left the hall before
    /// `forget_before`.
    async fn set_visitors(
        &self,
        node: &NodeId,
        changes: &[VisitorChange],
        forget_before: Millis,
    ) -> Result<()>;

    /// Lists the visitors at all nodes, with at most `names` names.
    async fn list_visitors(&self, names: u32) -> Result<VisitorList>;

    /// Checks whether a visitor has a socket of the hall or of a game, on any node.
    async fn is_visiting(&self, player: &PlayerId) -> Result<bool>;

    /// Returns the players who have had no socket of the hall, on any node, since that time.
    async fn list_absent(&self, players: &[PlayerId], since: Millis) -> Result<Vec<PlayerId>>;

    /// Stores the number of spectators' sockets of some games on a node.
    async fn set_watchers(&self, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()>;

    /// Returns the state of those games that exist, ordered by id.
    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>>;
}
