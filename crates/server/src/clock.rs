//! The clock. The server is given one and never asks the system itself.

use std::{
    fmt::Debug,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use adoube_protocol::Millis;
use adoube_store::Boot;

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

    /// Returns when the machine was booted, computed from what the system's clock shows now. Unlike
    /// [`now`](Self::now) it changes when that clock is set. `None` if the system does not tell.
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
