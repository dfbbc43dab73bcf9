//! Limits on the number of open connections, in total and per network.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use super::{NETWORKS, networks};
use crate::work::WorkerSlot;

/// The open connections, counted in total and per network.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    open: Arc<Mutex<Counts>>,
    total: usize,
    per_address: usize,
}

#[derive(Debug, Default)]
struct Counts {
    total: usize,
    /// Keyed by level as well as network, because networks of different sizes can have the same first
    /// address.
    by_network: HashMap<(usize, IpAddr), usize>,
}

impl Connections {
    pub(crate) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).total
    }
}

/// The slot of an open connection, freed on drop. A WebSocket keeps the slot of its connection.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    open: Arc<Mutex<Counts>>,
    networks: Vec<IpAddr>,
    newcomer: Mutex<Option<WorkerSlot>>,
}

impl ConnectionSlot {
    /// Also holds one of the slots for new connections, until [`free_new_slot`](Self::free_new_slot).
    pub(crate) fn hold_new_slot(&self, newcomer: WorkerSlot) {
        *self.newcomer.lock().unwrap_or_else(PoisonError::into_inner) = Some(newcomer);
    }

    /// Frees the slot for new connections. Called when this connection has had its first response or is no
    /// longer new.
    pub(crate) fn free_new_slot(&self) {
        self.newcomer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Connections {
    pub(crate) fn new(total: usize, per_address: usize) -> Self {
        Self { open: Arc::default(), total, per_address }
    }

    /// Returns a slot if the total and the counts of the networks around this address are below their
    /// limits. If `has_network_limits` is `false`, as for a proxy, only the total is checked.
    pub(crate) fn enter(&self, address: IpAddr, has_network_limits: bool) -> Option<ConnectionSlot> {
        let networks = networks(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let has_slot = |(level, network): (usize, &IpAddr)| {
            let max =
                self.per_address.saturating_mul(NETWORKS.get(level).map_or(1, |&(_, times)| times as usize));
            open.by_network.get(&(level, *network)).is_none_or(|&count| count < max)
        };
        if open.total >= self.total || (has_network_limits && !networks.iter().enumerate().all(has_slot)) {
            return None;
        }
        for (level, &network) in networks.iter().enumerate() {
            *open.by_network.entry((level, network)).or_default() += 1;
        }
        open.total += 1;
        Some(ConnectionSlot { open: Arc::clone(&self.open), networks, newcomer: Mutex::default() })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        for (level, &network) in self.networks.iter().enumerate() {
            if let Some(count) = open.by_network.get_mut(&(level, network)) {
                *count -= 1;
                if *count == 0 {
                    open.by_network.remove(&(level, network));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_by_address_and_freed() {
        let connections = Connections::new(3, 2);
        let (one, two) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        let first = connections.enter(one, true).unwrap();
        let _second = connections.enter(one, true).unwrap();
        assert!(connections.enter(one, true).is_none());
        let _third = connections.enter(two, true).unwrap();
        assert!(connections.enter(two, true).is_none());
        drop(first);
        assert!(connections.enter(one, true).is_some());
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let connections = Connections::new(10, 1);
        let _slot = connections.enter("2001:db8::1".parse().unwrap(), true).unwrap();
        assert!(connections.enter("2001:db8::2".parse().unwrap(), true).is_none());
        assert!(connections.enter("2001:db8:0:1::1".parse().unwrap(), true).is_some());
        let _v4 = connections.enter("10.0.0.1".parse().unwrap(), true).unwrap();
        assert!(connections.enter("::ffff:10.0.0.1".parse().unwrap(), true).is_none());
    }

    #[test]
    fn a_network_with_many_subnets_does_not_take_all_connections() {
        let connections = Connections::new(20_000, 256);
        let mut slots = Vec::new();
        for network in 0..256 {
            for host in 0..256 {
                let address = format!("2001:db8:0:{network:x}::{host:x}");
                slots.extend(connections.enter(address.parse().unwrap(), true));
            }
        }
        assert_eq!(slots.len(), 4 * 256);
        assert!(connections.enter("2001:db8:0:100::1".parse().unwrap(), true).is_some());
        drop(slots);
        assert!(connections.enter("2001:db8::1".parse().unwrap(), true).is_some());
    }
}
