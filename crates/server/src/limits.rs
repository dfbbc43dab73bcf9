//! Limits on the resources that one visitor may use: token buckets per player and per network, and the number
//! of connections.

mod buckets;
mod connections;
mod rate;
mod shared;

use std::net::IpAddr;

use adoube_protocol::PlayerId;

pub(crate) use buckets::{Buckets, TokenBucket, Wait};
pub(crate) use connections::{ConnectionSlot, Connections};
pub use rate::{Rate, RateError};
pub(crate) use shared::{SharedBucket, SharedLimits};

use crate::{auth::Visitor, config, error::Error};

/// A resource that is counted in the store if several nodes share the store, because the limit protects
/// people rather than a single process.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum SharedResource {
    ChatLines,
    /// Games (including rematches), seeks, challenges, saved analyses, published problems, and attempts at
    /// problems.
    Creations,
}

/// A resource that each process counts separately, because using it costs that process time and memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Resource {
    /// Messages on sockets.
    Messages,
    /// Trees of conditional turns.
    Conditions,
    /// Touches and *J'adoube*.
    Touches,
    /// Snapshots of games that clients request again on a socket, and snapshots of the hall requested on a
    /// socket or over HTTP.
    Resyncs,
    /// Requests that load a game: its state, PGN, page, socket, picture, animation or invitation.
    Snapshots,
    /// Exports of many games, of all of an account's analyses or of all its data.
    Exports,
    ProofAsks,
    /// Requests to register, sign in, recover or change an account, or use an invitation to the house.
    SignIns,
}

/// The visitor who uses a resource: a player id and an address. A new player id costs nothing, so the address
/// counts as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requester<'a> {
    pub(crate) player: &'a PlayerId,
    pub(crate) address: IpAddr,
}

/// The unit of fair scheduling: an account, or all visitors without one from the same network.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Tenant {
    Account(PlayerId),
    Network(IpAddr),
    /// The server itself: work for a game in which no person plays.
    Server,
}

impl Tenant {
    pub(crate) fn of(visitor: &Visitor, address: IpAddr) -> Self {
        match visitor.session {
            Some(_) => Self::Account(visitor.player.clone()),
            None => Self::at(address),
        }
    }

    /// Returns the tenant of an anonymous request.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self::Network(home_network(address))
    }
}

/// The allowances of all visitors. They belong to people and networks, not to connections, so reconnecting
/// does not renew them.
#[derive(Debug)]
pub(crate) struct Allowances {
    messages: Allowance,
    chat_lines: Allowance,
    creations: Allowance,
    conditions: Allowance,
    touches: Allowance,
    resyncs: Allowance,
    snapshots: Allowance,
    exports: Allowance,
    proof_asks: Allowance,
    sign_ins: Allowance,
    bytes: Allowance,
    requests: AddressBuckets,
    /// The allowances shared by all nodes, for limits that protect people rather than this process.
    shared: SharedLimits,
}

impl Allowances {
    pub(crate) fn new(limits: &config::Limits, shared: SharedLimits) -> Self {
        Self {
            messages: Allowance::new(limits.messages, limits.messages_per_address),
            chat_lines: Allowance::new(limits.chat_lines, limits.chat_lines_per_address),
            creations: Allowance::new(limits.creations, limits.creations_per_address),
            conditions: Allowance::new(limits.conditions, limits.conditions_per_address),
            touches: Allowance::new(limits.touches, limits.touches_per_address),
            resyncs: Allowance::new(limits.resyncs, limits.resyncs_per_address),
            snapshots: Allowance::new(limits.snapshots, limits.snapshots_per_address),
            exports: Allowance::new(limits.exports, limits.exports_per_address),
            proof_asks: Allowance::new(limits.proof_asks, limits.proof_asks_per_address),
            sign_ins: Allowance::new(limits.sign_ins, limits.sign_ins_per_address),
            bytes: Allowance::new(limits.bytes, limits.bytes_per_address),
            requests: AddressBuckets::new(limits.requests_per_address),
            shared,
        }
    }

    pub(crate) fn of(&self, kind: Resource) -> &Allowance {
        match kind {
            Resource::Messages => &self.messages,
            Resource::Conditions => &self.conditions,
            Resource::Touches => &self.touches,
            Resource::Resyncs => &self.resyncs,
            Resource::Snapshots => &self.snapshots,
            Resource::Exports => &self.exports,
            Resource::ProofAsks => &self.proof_asks,
            Resource::SignIns => &self.sign_ins,
        }
    }

    /// Counts an HTTP request.
    pub(crate) fn request(&self, address: IpAddr) -> Result<(), Wait> {
        self.requests.spend(address)
    }

    /// Takes one token from a visitor and one from the visitor's address. If either has none left, takes
    /// nothing and returns the time to wait.
    pub(crate) fn spend(&self, kind: Resource, by: Requester<'_>) -> Result<(), Wait> {
        self.of(kind).spend(by, 1.0, 0.0)
    }

    /// Takes `count` tokens for a resource that all nodes count together.
    pub(crate) async fn spend_shared(
        &self,
        resource: SharedResource,
        by: Requester<'_>,
        count: u8,
    ) -> Result<(), Error> {
        let (allowance, kind) = match resource {
            SharedResource::ChatLines => (&self.chat_lines, "chat-lines"),
            SharedResource::Creations => (&self.creations, "creations"),
        };
        allowance.spend(by, f64::from(count), 0.0)?;
        let shared = self.shared.take(&allowance.shared(kind, by, count.into())).await;
        shared.inspect_err(|_| allowance.refund(by, f64::from(count)))
    }

    /// Takes bytes for data to be stored. A quarter of the allowance is reserved for turns and most other
    /// acts in games in progress, so other writes are refused first.
    pub(crate) fn spend_bytes(&self, by: Requester<'_>, kind: WriteKind, bytes: usize) -> Result<(), Wait> {
        let reserve = match kind {
            WriteKind::Turn => 0.0,
            WriteKind::New => 0.25,
        };
        // A message is far smaller than 4 GiB.
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.bytes.spend(by, f64::from(bytes), reserve)
    }
}

/// The purpose of a write to the store.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum WriteKind {
    /// A game continues, or begins because an invitation was accepted.
    Turn,
    /// Anything else is written: a new object, such as a game, a seek or a chat message, or a changed
    /// setting.
    New,
}

/// One allowance: a bucket for each visitor and for each address.
#[derive(Debug)]
pub(crate) struct Allowance {
    visitors: Buckets<PlayerId>,
    addresses: AddressBuckets,
}

impl Allowance {
    fn new(visitor: Rate, address: Rate) -> Self {
        Self { visitors: Buckets::new(visitor), addresses: AddressBuckets::new(address) }
    }

    /// Takes `cost` tokens from both buckets if each keeps at least the share `reserve` of its capacity;
    /// otherwise takes nothing and returns the time to wait.
    pub(crate) fn spend(&self, by: Requester<'_>, cost: f64, reserve: f64) -> Result<(), Wait> {
        self.visitors.spend_cost(by.player.clone(), cost, reserve)?;
        self.addresses.spend_cost(by.address, cost, reserve).inspect_err(|_| {
            self.visitors.refund(by.player, cost);
        })
    }

    /// Returns the buckets in the store from which to take `cost` tokens.
    pub(crate) fn shared(&self, kind: &'static str, by: Requester<'_>, cost: u64) -> Vec<SharedBucket> {
        let mut buckets = self.addresses.shared(kind, by.address, cost);
        buckets.push(SharedBucket::tokens(kind, by.player, self.visitors.rate(), cost));
        buckets
    }

    /// Refunds tokens that were taken for an action that did not happen.
    fn refund(&self, by: Requester<'_>, cost: f64) {
        self.visitors.refund(by.player, cost);
        self.addresses.refund(by.address, cost);
    }

    /// Takes one token, from the address only.
    pub(crate) fn spend_at(&self, address: IpAddr) -> Result<(), Wait> {
        self.addresses.spend_cost(address, 1.0, 0.0)
    }

    /// Takes one token, from the visitor only.
    pub(crate) fn spend_for_player(&self, player: &PlayerId) -> Result<(), Wait> {
        self.visitors.spend(player.clone())
    }
}

/// A bucket for each IPv4 address and each IPv6 /64, and larger ones for the networks around a /64, because a
/// home often has a /56 or a /48, which contains hundreds of /64s or more.
#[derive(Debug)]
pub(crate) struct AddressBuckets([Buckets<IpAddr>; 3]);

/// The sizes of IPv6 networks that have a bucket, each as a prefix length and a factor for the bucket's
/// capacity.
pub(crate) const NETWORKS: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 16)];

impl AddressBuckets {
    pub(crate) fn new(rate: Rate) -> Self {
        Self(NETWORKS.map(|(_, times)| {
            Buckets::new(Rate { count: rate.count.saturating_mul(times.into()).min(rate::LARGEST), ..rate })
        }))
    }

    /// Takes one token, or returns the time until one is available.
    pub(crate) fn spend(&self, address: IpAddr) -> Result<(), Wait> {
        self.spend_cost(address, 1.0, 0.0)
    }

    /// Takes `cost` tokens from each network around an address if each keeps at least the share `reserve` of
    /// its capacity; otherwise takes nothing and returns the time to wait.
    pub(crate) fn spend_cost(&self, address: IpAddr, cost: f64, reserve: f64) -> Result<(), Wait> {
        let networks = networks(address);
        for (level, (buckets, &network)) in self.0.iter().zip(&networks).enumerate() {
            if let Err(wait) = buckets.spend_cost(network, cost, reserve) {
                for (buckets, network) in self.0.iter().zip(&networks).take(level) {
                    buckets.refund(network, cost);
                }
                return Err(wait);
            }
        }
        Ok(())
    }

    /// Returns the buckets in the store from which to take `cost` tokens, one per network.
    pub(crate) fn shared(&self, kind: &'static str, address: IpAddr, cost: u64) -> Vec<SharedBucket> {
        let networks = self.0.iter().zip(networks(address)).zip(NETWORKS);
        let bucket = |((buckets, network), (bits, _)): ((&Buckets<IpAddr>, IpAddr), (u32, u32))| {
            SharedBucket::tokens(kind, &format!("{network}/{bits}"), buckets.rate(), cost)
        };
        networks.map(bucket).collect()
    }

    /// Refunds tokens that were taken for an action that did not happen, or that turned out to be harmless.
    pub(crate) fn refund(&self, address: IpAddr, cost: f64) {
        for (buckets, network) in self.0.iter().zip(&networks(address)) {
            buckets.refund(network, cost);
        }
    }
}

/// Returns the network of the home or small company that an address belongs to. In fair scheduling, all
/// visitors without an account who come from one such network count as one.
pub(crate) fn home_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => network(address, 56),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Returns the networks around an address that have a bucket, narrowest first. For IPv4, that is only the
/// address itself.
pub(crate) fn networks(address: IpAddr) -> Vec<IpAddr> {
    match address.to_canonical() {
        IpAddr::V6(address) => NETWORKS.map(|(bits, _)| network(address, bits)).into(),
        v4 @ IpAddr::V4(_) => vec![v4],
    }
}

fn network(address: std::net::Ipv6Addr, bits: u32) -> IpAddr {
    IpAddr::V6((u128::from(address) & !(u128::MAX >> bits)).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requester<'a>(player: &'a PlayerId, address: &str) -> Requester<'a> {
        Requester { player, address: address.parse().unwrap() }
    }

    #[tokio::test(start_paused = true)]
    async fn allowances_are_counted_per_player_and_per_address() {
        let allowance = Allowance::new(Rate::per_min(2), Rate::per_min(3));
        let (one, two, three) =
            (PlayerId::from_random(1), PlayerId::from_random(2), PlayerId::from_random(3));
        let spend = |player, address| allowance.spend(requester(player, address), 1.0, 0.0).is_ok();
        assert!(spend(&one, "10.0.0.1"));
        assert!(spend(&one, "10.0.0.1"));
        // The player's own allowance is used up, regardless of the address.
        assert!(!spend(&one, "10.0.0.2"));
        assert!(spend(&two, "10.0.0.1"));
        // Now the allowance of the address is used up. A refusal costs the player nothing.
        assert!(!spend(&two, "10.0.0.1"));
        assert!(!spend(&three, "10.0.0.1"));
        assert!(spend(&two, "10.0.0.2"));
        assert!(spend(&three, "10.0.0.2"));
    }

    #[tokio::test(start_paused = true)]
    async fn the_ipv6_networks_of_a_home_share_an_allowance() {
        let buckets = AddressBuckets::new(Rate::per_min(10));
        let spend = |network: u32, host: u32| {
            let address = format!("2001:db8:{:x}:{:x}::{host:x}", network >> 16, network & 0xffff);
            buckets.spend(address.parse().unwrap()).is_ok()
        };
        // One /64.
        assert_eq!((0..100).filter(|&host| spend(0, host)).count(), 10);
        // All /64s of one /56, including the first.
        assert_eq!((0..100).filter(|&network| spend(network, 0)).count(), 30);
        // All /64s of one /48, including those already used.
        assert_eq!((0..0x1_0000).filter(|&network| spend(network, 0)).count(), 120);
        // Another /48 has its own allowance.
        assert_eq!((0..100).filter(|&host| spend(0x1_0000, host)).count(), 10);
        // An IPv4 address and its IPv4-mapped IPv6 address share a bucket.
        let v4 = |text: &str| buckets.spend(text.parse().unwrap()).is_ok();
        assert_eq!((0..10).filter(|_| v4("10.0.0.1") && v4("::ffff:10.0.0.1")).count(), 5);
        assert!(v4("10.0.0.2"));
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_quarter_of_the_bytes_is_reserved_for_turns() {
        let limits = config::Limits { bytes: Rate::per_hour(1_000), ..config::Limits::default() };
        let (allowances, player) = (Allowances::new(&limits, SharedLimits::none()), PlayerId::from_random(1));
        let spend = |what| allowances.spend_bytes(requester(&player, "10.0.0.1"), what, 50).is_ok();
        assert_eq!((0..100).filter(|_| spend(WriteKind::New)).count(), 15);
        assert_eq!((0..100).filter(|_| spend(WriteKind::Turn)).count(), 5);
    }
}
