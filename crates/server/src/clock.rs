//! The clock. The server receives it as a service and never reads the system clock directly, so tests can
//! control the time.

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

/// The clock whose times are written to game logs. Timeouts and limits use tokio's clock instead.
///
/// It must never go back while the process is running, because the players' clocks depend on it. If it is set
/// forward by a large amount, the skipped time counts as a pause of the server.
pub trait Clock: Send + Sync + Debug {
    fn now(&self) -> Millis;

    /// Returns a time in milliseconds for detecting pauses. It advances while the process is suspended, and
    /// is never set. The default is [`now`](Self::now).
    fn steady_ms(&self) -> i64 {
        self.now().0
    }

    /// Returns the id and time of the host's last boot, or `None` if the system does not report them. The
    /// time is computed from the current time of the system clock. Unlike [`now`](Self::now), it therefore
    /// changes when the system clock is set.
    fn boot(&self) -> Option<Boot> {
        None
    }
}

/// The system time at the start of the process, continued by a monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    started: Instant,
    started_at_ms: i64,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that everything else uses")]
    pub fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started: Instant::now(), started_at_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX) }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since = i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX);
        Millis(self.started_at_ms.saturating_add(since))
    }

    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_methods, reason = "this is the `Clock` that everything else uses")]
    fn boot(&self) -> Option<Boot> {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let up = Duration::try_from_secs_f64(uptime.split_whitespace().next()?.parse().ok()?).ok()?;
        let at = i64::try_from(now.as_millis()).ok()?.checked_sub(i64::try_from(up.as_millis()).ok()?)?;
        Some(Boot { id: id.trim().to_owned(), at: Millis(at) })
    }
}

/// A clock that continues from the latest time in the data if that is later than the system time. Without it,
/// if the system clock was set back between two starts, the players' clocks would stand still until the
/// system clock had caught up.
///
/// The clock is ahead of the system clock by at most [`ClockCheck::tolerance`](crate::ClockCheck), unless the
/// operator accepts more. The difference disappears once the servers have been stopped for at least that
/// long.
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
            "the system clock was set back; time continues from the latest time in the data"
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

/// A clock that follows the database's clock so that all nodes agree on the time.
///
/// The difference is measured every second. A difference of at most [`GRADUAL_MS`](Self::GRADUAL_MS) is
/// corrected gradually. A clock that is further behind is set forward immediately. A clock that is further
/// ahead stops until the database's clock has caught up, because time must never go back.
#[derive(Debug)]
pub(crate) struct SharedClock {
    clock: Arc<dyn Clock>,
    ahead_ms: AtomicI64,
    newest_ms: AtomicI64,
}

/// A measurement of the difference from the database's clock.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Measurement {
    /// The round-trip time of the request.
    took_ms: i64,
    /// The amount by which the database's clock is ahead.
    pub(crate) offset_ms: i64,
}

impl Measurement {
    /// Returns `true` if the clocks certainly differ by more than `ms`, regardless of how the round-trip time
    /// was divided between request and response.
    pub(crate) fn differs_by_more_than(self, ms: i64) -> bool {
        self.offset_ms.abs() - self.took_ms / 2 > ms
    }
}

impl SharedClock {
    /// The maximum gradual correction per measurement, in milliseconds. It exceeds the drift of any clock in
    /// a second, and is too small for players to notice.
    const CORRECTION_MS: i64 = 5;
    /// The maximum difference that is corrected gradually, in milliseconds. Until it is corrected, it is
    /// charged or credited to the player in each turn that begins on one node and ends on another.
    const GRADUAL_MS: i64 = 250;
    /// The number of measurements at startup. The one with the shortest round trip is used.
    const MEASUREMENTS: usize = 3;

    /// Returns a clock that follows the database's, or `None` if the store has no clock of its own.
    pub(crate) async fn of(
        store: &dyn Store,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Arc<Self>>, StoreError> {
        let shared = Self { clock, ahead_ms: AtomicI64::new(0), newest_ms: AtomicI64::new(i64::MIN) };
        let mut best: Option<Measurement> = None;
        for _ in 0..Self::MEASUREMENTS {
            let Some(measured) = shared.measure(store).await? else { return Ok(None) };
            best = Some(best.map_or(measured, |best| best.min(measured)));
        }
        shared.ahead_ms.store(best.map_or(0, |best| best.offset_ms), Relaxed);
        Ok(Some(Arc::new(shared)))
    }

    fn running_ms(&self) -> i64 {
        self.clock.now().0 + self.ahead_ms.load(Relaxed)
    }

    /// Measures the difference from the database's clock. Returns `None` if the store has no clock of its
    /// own.
    pub(crate) async fn measure(&self, store: &dyn Store) -> Result<Option<Measurement>, StoreError> {
        let sent_ms = self.running_ms();
        let Some(database) = store.time().await? else { return Ok(None) };
        let received_ms = self.running_ms();
        Ok(Some(Measurement {
            took_ms: received_ms - sent_ms,
            offset_ms: database.0 - sent_ms.midpoint(received_ms),
        }))
    }

    /// Corrects the clock by the whole difference if that exceeds [`GRADUAL_MS`](Self::GRADUAL_MS), otherwise
    /// by a small amount. Returns the number of milliseconds for which it now stands still, because time must
    /// never go back.
    pub(crate) fn correct(&self, measured: Measurement) -> i64 {
        let off_ms = measured.offset_ms;
        if measured.differs_by_more_than(Self::GRADUAL_MS) {
            self.ahead_ms.fetch_add(off_ms, Relaxed);
        } else if measured.differs_by_more_than(0) {
            // A difference below half the round-trip time may not be real, so it is left uncorrected.
            self.ahead_ms.fetch_add(off_ms.clamp(-Self::CORRECTION_MS, Self::CORRECTION_MS), Relaxed);
        }
        (self.now().0 - self.running_ms()).max(0)
    }
}

impl Clock for SharedClock {
    fn now(&self) -> Millis {
        let now = self.running_ms();
        Millis(self.newest_ms.fetch_max(now, Relaxed).max(now))
    }

    fn steady_ms(&self) -> i64 {
        self.clock.steady_ms()
    }

    fn boot(&self) -> Option<Boot> {
        self.clock.boot()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct ManualClock(AtomicI64);

    impl Clock for ManualClock {
        fn now(&self) -> Millis {
            Millis(self.0.load(Relaxed))
        }
    }

    fn shared() -> (Arc<ManualClock>, SharedClock) {
        let manual = Arc::new(ManualClock::default());
        let clock = Arc::clone(&manual) as Arc<dyn Clock>;
        (manual, SharedClock { clock, ahead_ms: AtomicI64::new(0), newest_ms: AtomicI64::new(i64::MIN) })
    }

    #[test]
    fn a_clock_that_drifts_is_corrected_gradually() {
        let (manual, clock) = shared();
        manual.0.store(1_000, Relaxed);
        let measured = |off_ms| Measurement { took_ms: 10, offset_ms: off_ms };
        assert_eq!(clock.correct(measured(5)), 0, "the clocks agree");
        assert_eq!(clock.now(), Millis(1_000));
        clock.correct(measured(200));
        assert_eq!(clock.now(), Millis(1_005));
        // The clock does not go back. It stands still instead.
        assert_eq!(clock.correct(measured(-200)), 5);
        assert_eq!(clock.now(), Millis(1_005));
        manual.0.store(2_000, Relaxed);
        assert_eq!(clock.now(), Millis(2_000));
    }

    #[test]
    fn a_clock_that_is_far_behind_is_set_forward_at_once() {
        let (manual, clock) = shared();
        manual.0.store(1_000, Relaxed);
        // A measurement with a slow response is too inaccurate to set the clock.
        clock.correct(Measurement { took_ms: 8_600, offset_ms: 4_500 });
        assert_eq!(clock.now(), Millis(1_005));
        assert_eq!(clock.correct(Measurement { took_ms: 10, offset_ms: 4_500 }), 0);
        assert_eq!(clock.now(), Millis(5_505));
    }

    #[test]
    fn a_clock_that_is_far_ahead_does_not_advance_until_the_database_has_caught_up() {
        let (manual, clock) = shared();
        manual.0.store(10_000, Relaxed);
        assert_eq!(clock.now(), Millis(10_000));
        assert_eq!(clock.correct(Measurement { took_ms: 10, offset_ms: -7_000 }), 7_000);
        manual.0.store(12_000, Relaxed);
        assert_eq!(clock.now(), Millis(10_000));
        // Another measurement finds no new difference, but the clock is still ahead by the rest of the
        // earlier one.
        assert_eq!(clock.correct(Measurement { took_ms: 10, offset_ms: 0 }), 5_000);
        manual.0.store(17_001, Relaxed);
        assert_eq!(
            (clock.correct(Measurement { took_ms: 10, offset_ms: 0 }), clock.now()),
            (0, Millis(10_001))
        );
    }
}
