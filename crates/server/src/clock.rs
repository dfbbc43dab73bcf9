//! The clock. The server is given one and never asks the system itself.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use adoube_protocol::Millis;
use adoube_store::{Boot, Store, StoreError};

/// The clock whose times are written into the games. (Timeouts and limits use tokio's clock.)
///
/// It never goes back or jumps while the process lives, because the players' clocks depend on it.
pub trait Clock: Send + Sync + Debug {
    fn now(&self) -> Millis;

    /// Returns a time in milliseconds that goes on while the process is suspended, for detecting such pauses.
    /// Equals [`now`](Self::now), unless a test sets that by hand.
    fn steady_ms(&self) -> i64 {
        self.now().0
    }

    /// Returns the time at which the machine was booted, computed from the current time of the system's
    /// clock. Unlike [`now`](Self::now) it changes when that clock is set. `None` if the system does not
    /// report it.
    fn boot(&self) -> Option<Boot> {
        None
    }
}

/// The system's time at the start of the process, continued by a monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    begun: Instant,
    begun_at_ms: i64,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that everything else asks")]
    pub fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { begun: Instant::now(), begun_at_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX) }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since = i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        Millis(self.begun_at_ms.saturating_add(since))
    }

    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that everything else asks")]
    fn boot(&self) -> Option<Boot> {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let up = Duration::try_from_secs_f64(uptime.split_whitespace().next()?.parse().ok()?).ok()?;
        let at = i64::try_from(now.as_millis()).ok()?.checked_sub(i64::try_from(up.as_millis()).ok()?)?;
        Some(Boot { id: id.trim().to_owned(), at: Millis(at) })
    }
}

/// A clock that continues from the time at which the last server stopped, if that is later than the system's
/// time. Otherwise, if the system's clock was set back between two starts, the players' clocks would stand
/// still until it has caught up.
///
/// It is ahead by at most [`ClockCheck::tolerance`](crate::ClockCheck) unless the operator accepts more, and
/// only until the house has been closed for that long.
#[derive(Debug)]
pub(crate) struct MonotonicClock {
    clock: Arc<dyn Clock>,
    ahead_ms: i64,
}

impl MonotonicClock {
    pub(crate) fn from(clock: Arc<dyn Clock>, newest: Option<Millis>) -> Arc<dyn Clock> {
        let ahead_ms = newest.map_or(0, |newest| newest.0.saturating_sub(clock.now().0));
        if ahead_ms <= 0 {
            return clock;
        }
        tracing::warn!(
            ahead_ms,
            "the system's clock was set back; time continues from the newest time in the data"
        );
        Arc::new(Self { clock, ahead_ms })
    }
}

impl Clock for MonotonicClock {
    fn now(&self) -> Millis {
        Millis(self.clock.now().0.saturating_add(self.ahead_ms))
    }

    fn steady_ms(&self) -> i64 {
        self.clock.steady_ms()
    }

    fn boot(&self) -> Option<Boot> {
        self.clock.boot()
    }
}

/// A clock that follows that of the database, so that all nodes agree on the time.
///
/// The difference is measured with every renewal of a lease and made up for gradually: time never jumps and never
/// goes back.
#[derive(Debug)]
pub(crate) struct SharedClock {
    clock: Arc<dyn Clock>,
    ahead_ms: AtomicI64,
    newest_ms: AtomicI64,
}

impl SharedClock {
    /// Maximum correction per measurement, in milliseconds: more than any clock drifts in a second, too little to
    /// be noticed on a clock.
    const CORRECTION_MS: i64 = 5;
    /// Number of measurements at the start, of which the quickest counts.
    const MEASUREMENTS: usize = 3;

    /// Returns a clock that goes like the database's, if that has one of its own.
    pub(crate) async fn of(
        store: &dyn Store,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Arc<Self>>, StoreError> {
        let shared = Self { clock, ahead_ms: AtomicI64::new(0), newest_ms: AtomicI64::new(i64::MIN) };
        let mut best: Option<(i64, i64)> = None;
        for _ in 0..Self::MEASUREMENTS {
            let Some(measured) = shared.measure(store).await? else { return Ok(None) };
            best = Some(best.map_or(measured, |best| best.min(measured)));
        }
        shared.ahead_ms.store(best.map_or(0, |(_, off_ms)| off_ms), Relaxed);
        Ok(Some(Arc::new(shared)))
    }

    /// Asks the database for the time. Returns how long the answer took, and by how much the database's clock is
    /// ahead of this one, in milliseconds.
    async fn measure(&self, store: &dyn Store) -> Result<Option<(i64, i64)>, StoreError> {
        let asked = self.clock.now().0 + self.ahead_ms.load(Relaxed);
        let Some(database) = store.time().await? else { return Ok(None) };
        let answered = self.clock.now().0 + self.ahead_ms.load(Relaxed);
        Ok(Some((answered - asked, database.0 - asked.midpoint(answered))))
    }

    /// Measures how far the database's clock is ahead, in milliseconds, and goes a little in its direction.
    pub(crate) async fn steer(&self, store: &dyn Store) -> Result<i64, StoreError> {
        let Some((took_ms, off_ms)) = self.measure(store).await? else { return Ok(0) };
        // Within what the way of the answer leaves open, the clocks agree.
        if off_ms.abs() > took_ms / 2 {
            self.ahead_ms.fetch_add(off_ms.clamp(-Self::CORRECTION_MS, Self::CORRECTION_MS), Relaxed);
        }
        Ok(off_ms)
    }
}

impl Clock for SharedClock {
    fn now(&self) -> Millis {
        let now = self.clock.now().0 + self.ahead_ms.load(Relaxed);
        Millis(self.newest_ms.fetch_max(now, Relaxed).max(now))
    }

    fn steady_ms(&self) -> i64 {
        self.clock.steady_ms()
    }

    fn boot(&self) -> Option<Boot> {
        self.clock.boot()
    }
}
