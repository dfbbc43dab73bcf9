//! The time, which the server is given and never takes for itself.

use std::{
    fmt::Debug,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use adoube_protocol::Millis;
use adoube_store::Boot;

/// Tells the time that is written into the games. (Timeouts and limits go by tokio's clock.)
///
/// It never goes back nor jumps while the process lives: the clocks of the players go by it.
pub trait Clock: Send + Sync + Debug {
    fn now(&self) -> Millis;

    /// Tells pauses: a time in milliseconds that goes on while the process stands still. [`now`](Self::now) does, except where a
    /// test sets it by hand.
    fn steady_ms(&self) -> i64 {
        self.now().0
    }

    /// When the machine was booted, by what the system's clock says at this moment; unlike [`now`](Self::now) it changes
    /// when that clock is set. None where the system does not tell.
    fn boot(&self) -> Option<Boot> {
        None
    }
}

/// The time of the system when the process began, and from there on what a clock says that nobody can set.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    begun: Instant,
    begun_at_ms: i64,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that all others ask")]
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
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that all others ask")]
    fn boot(&self) -> Option<Boot> {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let up = Duration::try_from_secs_f64(uptime.split_whitespace().next()?.parse().ok()?).ok()?;
        let at = i64::try_from(now.as_millis()).ok()?.checked_sub(i64::try_from(up.as_millis()).ok()?)?;
        Some(Boot { id: id.trim().to_owned(), at: Millis(at) })
    }
}

/// A clock that goes on from where the last server stopped, if that is later than its own time: when the system's clock is set back
/// between two starts, the players' clocks would otherwise stand still until it has caught up.
///
/// It is ahead by no more than [`ClockCheck::tolerance`](crate::ClockCheck), unless the operator wants it, and no longer than until
/// the house has been closed for as long.
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
        tracing::warn!(ahead_ms, "the system's clock was set back; time goes on from where it stood");
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
