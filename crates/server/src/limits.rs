//! What one visitor may use up.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::OwnedSemaphorePermit, time::Instant};

/// An allowance that refills with time: `capacity` at once, and as many again in `period`.
#[derive(Clone, Debug)]
pub(crate) struct Credit {
    capacity: f64,
    per_second: f64,
    left: f64,
    counted_at: Instant,
}

impl Credit {
    pub(crate) fn new(capacity: u32, period: Duration) -> Self {
        let capacity = f64::from(capacity);
        let per_second = capacity / period.as_secs_f64().max(f64::MIN_POSITIVE);
        Self { capacity, per_second, left: capacity, counted_at: Instant::now() }
    }

    /// Takes one, if there is one.
    pub(crate) fn spend(&mut self) -> bool {
        self.refill();
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }

    fn refill(&mut self) {
        let now = Instant::now();
        let earned = now.duration_since(self.counted_at).as_secs_f64() * self.per_second;
        self.left = (self.left + earned).min(self.capacity);
        self.counted_at = now;
    }

    fn is_full(&mut self) -> bool {
        self.refill();
        self.left >= self.capacity
    }
}

/// IPv6 visitors own a whole /64, so that is what counts as one address.
pub(crate) fn holder(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Counts the open connections, of all and of each address.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    open: Arc<Mutex<Open>>,
    total: usize,
    per_address: usize,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl Connections {
    pub(crate) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).total
    }
}

/// A place among the connections; free again when dropped. An upgraded socket keeps it.
#[derive(Debug)]
pub(crate) struct Place {
    open: Arc<Mutex<Open>>,
    address: IpAddr,
    newcomer: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Place {
    /// Takes a place among the newcomers too, until the connection has settled.
    pub(crate) fn admit(&self, newcomer: OwnedSemaphorePermit) {
        *self.newcomer.lock().unwrap_or_else(PoisonError::into_inner) = Some(newcomer);
    }

    /// Lets the next newcomer in: this connection has its first answer, or has had its time.
    pub(crate) fn settle(&self) {
        self.newcomer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Connections {
    pub(crate) fn new(total: usize, per_address: usize) -> Self {
        Self { open: Arc::default(), total, per_address }
    }

    /// Returns a place, if there is one for this address. Of one that is not `alone`, only the sum of all counts.
    pub(crate) fn enter(&self, address: IpAddr, alone: bool) -> Option<Place> {
        let address = holder(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.total {
            return None;
        }
        let mine = open.by_address.entry(address).or_default();
        if alone && *mine >= self.per_address {
            return None;
        }
        *mine += 1;
        open.total += 1;
        Some(Place { open: Arc::clone(&self.open), address, newcomer: Mutex::default() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(mine) = open.by_address.get_mut(&self.address) {
            *mine -= 1;
            if *mine == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

/// A credit for each address.
pub(crate) type CreditByAddress = CreditBy<IpAddr>;

/// A credit for each holder.
#[derive(Debug)]
pub(crate) struct CreditBy<K> {
    credits: Mutex<HashMap<K, Credit>>,
    capacity: u32,
    period: Duration,
}

/// Holders remembered before those with a full credit are forgotten.
const REMEMBERED: usize = 10_000;

impl<K: Eq + Hash> CreditBy<K> {
    pub(crate) fn new(capacity: u32, period: Duration) -> Self {
        Self { credits: Mutex::default(), capacity, period }
    }

    pub(crate) fn spend(&self, holder: K) -> bool {
        let mut credits = self.credits.lock().unwrap_or_else(PoisonError::into_inner);
        if credits.len() >= REMEMBERED {
            credits.retain(|_, credit| !credit.is_full());
            if credits.len() >= REMEMBERED {
                // So many that spend at the same time are no crowd: nobody new is let in until it calms down.
                return false;
            }
        }
        let fresh = || Credit::new(self.capacity, self.period);
        credits.entry(holder).or_insert_with(fresh).spend()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn credit_comes_back_with_time() {
        let mut credit = Credit::new(100, Duration::from_secs(20));
        assert!((0..100).all(|_| credit.spend()));
        assert!(!credit.spend());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((0..10).filter(|_| credit.spend()).count(), 5);
        tokio::time::advance(Duration::from_hours(1)).await;
        assert_eq!((0..200).filter(|_| credit.spend()).count(), 100);
    }

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
        let _place = connections.enter("2001:db8::1".parse().unwrap(), true).unwrap();
        assert!(connections.enter("2001:db8::2".parse().unwrap(), true).is_none());
        assert!(connections.enter("2001:db8:0:1::1".parse().unwrap(), true).is_some());
        let _v4 = connections.enter("10.0.0.1".parse().unwrap(), true).unwrap();
        assert!(connections.enter("::ffff:10.0.0.1".parse().unwrap(), true).is_none());
    }
}
