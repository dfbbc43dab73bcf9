//! The processes that serve one database, called nodes, and the players connected to each of them.
//!
//! A node holds a lease, which it renews every second. When the lease has expired, the other nodes consider
//! the node dead: no player counts as connected to it, and another node takes over its work. A node that was
//! only slow learns this from its next renewal, and starts over with a new lease.

use std::{fmt, sync::Arc};

use adoube_vocabulary::{Color, GameId, Millis, NodeId};
use async_trait::async_trait;

use crate::{Downtime, Result};

/// Duration of a lease after its last renewal, in milliseconds. It allows one renewal to be lost and the next
/// to be late.
pub const LEASE_MS: i64 = 3_000;
/// Duration of the lease of a node that is starting, in milliseconds. It is short because a node that dies
/// during startup must not be mistaken for one that has served.
pub const STARTING_LEASE_MS: i64 = 1_000;

/// A request for a lease.
#[derive(Clone, Debug)]
pub struct LeaseRequest {
    pub id: NodeId,
    /// See [`Node::address`].
    pub address: String,
    /// Whether the node is already serving requests. If not, the lease lasts only [`STARTING_LEASE_MS`].
    pub is_serving: bool,
    /// The time when the request was made.
    pub now: Millis,
    /// Provides the time when the lease is granted. A request may wait for the database for seconds, and a
    /// node whose lease expires in the meantime must not be considered alive.
    pub clock: LeaseClock,
}

impl LeaseRequest {
    /// Returns the duration of the lease in milliseconds.
    pub fn duration_ms(&self) -> i64 {
        if self.is_serving { LEASE_MS } else { STARTING_LEASE_MS }
    }

    /// Returns the time at which the lease is granted, if it is granted at the moment of this call.
    pub fn granted_at(&self) -> Millis {
        self.now.max((self.clock.0)())
    }
}

/// The clock that all nodes share.
#[derive(Clone)]
pub struct LeaseClock(pub Arc<dyn Fn() -> Millis + Send + Sync>);

impl LeaseClock {
    /// Returns a clock that always shows the same time.
    pub fn fixed(at: Millis) -> Self {
        Self(Arc::new(move || at))
    }
}

impl fmt::Debug for LeaseClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LeaseClock").field(&(self.0)()).finish()
    }
}

/// A node, as other nodes see it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Node {
    pub id: NodeId,
    /// The host name and port, with a host identifier, such as `chess-2:8787#5f0c21ab`. No two live nodes
    /// have the same address.
    pub address: String,
    /// The last renewal of its lease.
    pub seen_at: Millis,
}

/// The state of all nodes at the moment of a renewal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Renewal {
    /// Whether the lease was still valid. If not, the node has a new lease, but other nodes may have taken
    /// over its work, and the store no longer lists any player as connected to it.
    pub was_valid: bool,
    /// The players who were connected to this node until its lease expired. `None` unless it expired while
    /// other nodes were running.
    pub cut_off: Option<DeadNode>,
    /// The nodes with a valid lease, this one included, ordered by id.
    pub nodes: Vec<Node>,
    /// The downtimes that end after the requested time, in order.
    pub downtimes: Vec<Downtime>,
}

/// A node whose lease has expired, as handed over to another node.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DeadNode {
    pub id: NodeId,
    /// The last renewal of its lease.
    pub seen_at: Millis,
    /// The players who were connected to it and to no other node, ordered by game and side.
    pub players: Vec<CutOffPlayer>,
}

/// A player who was connected to a node when it died, and to no other node.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CutOffPlayer {
    pub game: GameId,
    pub color: Color,
    /// The last time at which the player is known to have been connected: the last renewal of the lease or,
    /// if later, the time when the player connected to that node.
    pub last_seen_at: Millis,
    /// When the player connected to another node afterwards; `None` if that has not happened.
    pub reconnected_at: Option<Millis>,
}

/// Whether a player is connected to a game, through any node.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Presence {
    /// The player is connected to a node with a valid lease, which was last renewed at `seen_at`. If there
    /// are several such nodes, it is the one whose lease was renewed last.
    Connected { node: NodeId, seen_at: Millis },
    /// The player is connected to a node whose lease has expired and which has not been taken over yet.
    Lost { seen_at: Millis },
    /// The player's last connection to any node ended at `since`.
    Away {
        since: Millis,
        /// Whether the connection ended because the node stopped or died.
        is_cut_off: bool,
    },
    /// The player has never been connected, as far as is known.
    Unknown,
}

/// A player's connections to one node, as a row in the database.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PresenceRow {
    pub node: NodeId,
    /// When the last connection ended; `None` if the player is connected.
    pub away_since: Option<Millis>,
    /// Whether the connection ended because the node stopped or died.
    pub is_cut_off: bool,
    /// The last renewal and the end of the node's lease. `None` if the node is gone.
    pub lease: Option<(Millis, Millis)>,
}

impl Presence {
    /// Computes the presence of a player in a game from the player's rows.
    pub fn of(rows: &[PresenceRow], now: Millis) -> Self {
        let connected = rows.iter().filter(|row| row.away_since.is_none());
        let leases =
            connected.filter_map(|row| row.lease.map(|(seen_at, until)| (seen_at, until, &row.node)));
        let latest = leases.max_by_key(|(seen_at, valid_until, _)| (*valid_until > now, *seen_at));
        let away = rows.iter().filter_map(|row| Some((row.away_since?, row.is_cut_off))).max();
        match (latest, away) {
            (Some((seen_at, valid_until, node)), _) if valid_until > now => {
                Self::Connected { node: node.clone(), seen_at }
            }
            (Some((seen_at, ..)), _) => Self::Lost { seen_at },
            (None, Some((since, is_cut_off))) => Self::Away { since, is_cut_off },
            (None, None) => Self::Unknown,
        }
    }
}

/// A change to a player's connections to one node.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PresenceChange {
    pub game: GameId,
    pub color: Color,
    /// When the player connected.
    pub since: Millis,
    /// When the last connection ended; `None` if the player is connected.
    pub away_since: Option<Millis>,
}

/// Nodes and their leases. `now` is the time by the clock that all nodes share: the database's clock
/// ([`time`](NodeStore::time)), or the host's if the database has none of its own.
#[async_trait]
pub trait NodeStore: Send + Sync {
    /// Returns `true` if several processes may serve this database at the same time. If not, there are no
    /// other nodes, and the other methods need not be called.
    fn is_shared(&self) -> bool;

    /// Returns the time by the database's clock, if it has one of its own.
    async fn time(&self) -> Result<Option<Millis>>;

    /// Adds a node, or renews its lease. If no node has a valid lease, not even this one, the time since the
    /// last heartbeat of any node is added as a downtime. The lease of an earlier node with the same address
    /// ends. The downtimes in the result are those that end after `since`.
    async fn renew_lease(&self, request: LeaseRequest, since: Millis) -> Result<Renewal>;

    /// Returns the last renewal of a node's lease, or `None` if the node has stopped gracefully or has been
    /// taken over.
    async fn last_renewal(&self, id: &NodeId) -> Result<Option<Millis>>;

    /// Removes a node that stops gracefully. Its players count as having disconnected at `now`, and it needs
    /// no takeover.
    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()>;

    /// Hands over all nodes whose lease has expired, each to one caller at a time. Until the caller calls
    /// [`forget_node`](Self::forget_node), a node is handed over to it again, or to another caller once the
    /// first caller's own lease has expired.
    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>>;

    /// Removes a dead node after `by` has taken everything over. Its players count as having disconnected at
    /// its last heartbeat. Returns `false`, and removes nothing, if in the meantime the node has renewed its
    /// lease or another node has taken it over.
    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool>;

    /// Stores which players are connected to a node. Has no effect for a node that does not exist.
    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()>;

    /// Returns the presence of a player in a game, combined from all nodes.
    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence>;

    /// Deletes the presence of players who disconnected before the given time, at most `limit` rows. Returns
    /// the number of rows.
    async fn tidy_presence(&self, before: Millis, limit: u32) -> Result<u64>;

    /// Claims the machine's turn in a game for a node. Returns `false` if it is not the machine's turn, or if
    /// another node with a valid lease has claimed it. The claim ends with the next event of the game.
    async fn claim_machine_turn(&self, id: &NodeId, game: &GameId, now: Millis) -> Result<bool>;
}
