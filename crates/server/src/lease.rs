//! This node's view of its own lease.
//!
//! Other nodes consider a node without a valid lease dead: they refund its players and may end its games. So
//! a node whose lease has expired makes no decisions until it has a new lease and has read the other nodes'
//! decisions.

use std::{
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicI64,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::{LEASE_MS, StoreError};
use tokio::sync::Notify;

use crate::{clock::Clock, error::Error};

/// The maximum time that a command waits for a new lease.
const RENEWAL_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct Lease {
    clock: Arc<dyn Clock>,
    valid_until_ms: AtomicI64,
    /// Notified after each renewal.
    renewed: Notify,
    /// Notified when a command is waiting for a renewal.
    requested: Notify,
    /// Whether the clock agrees with the database's.
    is_clock_correct: AtomicBool,
}

impl Lease {
    /// Returns a lease that is valid until `valid_until`. If that is `None`, as for a server without other
    /// nodes, the lease never expires.
    pub(crate) fn new(clock: Arc<dyn Clock>, valid_until: Option<Millis>) -> Self {
        let valid_until_ms = valid_until.map_or(i64::MAX, |until| until.0);
        Self {
            clock,
            valid_until_ms: AtomicI64::new(valid_until_ms),
            renewed: Notify::new(),
            requested: Notify::new(),
            is_clock_correct: AtomicBool::new(true),
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.clock.now().0 < self.valid_until_ms.load(SeqCst)
    }

    /// Returns `true` if this node may decide whether flags have fallen and which nodes are dead.
    pub(crate) fn may_judge(&self) -> bool {
        self.is_clock_correct.load(Relaxed) && self.is_valid()
    }

    /// Records whether the clock agrees with the database's. Returns the previous value.
    pub(crate) fn set_clock_agreement(&self, agrees: bool) -> bool {
        self.is_clock_correct.swap(agrees, Relaxed)
    }

    pub(crate) fn renewed_at(&self, at: Millis) {
        self.valid_until_ms.fetch_max(at.0.saturating_add(LEASE_MS), SeqCst);
        self.renewed.notify_waiters();
    }

    /// Waits until the lease is valid.
    ///
    /// # Errors
    ///
    /// If the lease is not renewed in time, because the store does not respond.
    pub(crate) async fn wait(&self) -> Result<(), Error> {
        if self.is_valid() {
            return Ok(());
        }
        self.requested.notify_one();
        let valid = async {
            loop {
                let renewed = self.renewed.notified();
                // The future is created before the check so that no renewal in between is missed.
                if self.is_valid() {
                    return;
                }
                renewed.await;
            }
        };
        match tokio::time::timeout(RENEWAL_TIMEOUT, valid).await {
            Ok(()) => Ok(()),
            Err(_) => Err(Error::Store(StoreError::Unreachable {
                source: "this node's lease has expired and could not be renewed".into(),
            })),
        }
    }

    /// Completes when a command is waiting for a renewal.
    pub(crate) async fn renewal_requested(&self) {
        self.requested.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicI64;

    use super::*;

    #[derive(Debug, Default)]
    struct ManualClock(AtomicI64);

    impl Clock for ManualClock {
        fn now(&self) -> Millis {
            Millis(self.0.load(Relaxed))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn commands_wait_for_a_lease_but_not_forever() {
        let clock = Arc::new(ManualClock::default());
        let lease = Arc::new(Lease::new(Arc::clone(&clock) as _, Some(Millis(LEASE_MS))));
        lease.wait().await.unwrap();
        clock.0.store(LEASE_MS, Relaxed);
        assert!(!lease.is_valid() && !lease.may_judge());
        let waiting = tokio::spawn({
            let lease = Arc::clone(&lease);
            async move { lease.wait().await }
        });
        lease.renewal_requested().await;
        lease.renewed_at(Millis(LEASE_MS));
        waiting.await.unwrap().unwrap();
        assert!(lease.may_judge());
        lease.set_clock_agreement(false);
        assert!(lease.is_valid() && !lease.may_judge());
        clock.0.store(3 * LEASE_MS, Relaxed);
        assert_eq!(lease.wait().await.unwrap_err().code(), "not-saved");
        // The lease of the only node never expires.
        clock.0.store(i64::MAX - 1, Relaxed);
        assert!(Lease::new(clock, None).may_judge());
    }
}
