//! Watches the free space on the data disk. If it is low, new games and other new data are refused so that
//! games in progress can continue.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// The interval between two measurements.
const MEASUREMENT_INTERVAL: Duration = Duration::from_secs(5);

/// Measures the free space, and remembers whether it is low.
pub(crate) struct FreeSpace {
    /// Returns the number of free bytes, or `None` if it is unknown.
    free_bytes: Box<dyn Fn() -> Option<u64> + Send + Sync>,
    /// The number of free bytes below which space is low. Zero disables the measurement.
    watermark: u64,
    is_low: AtomicBool,
}

impl fmt::Debug for FreeSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreeSpace")
            .field("watermark", &self.watermark)
            .field("is_low", &self.is_low)
            .finish_non_exhaustive()
    }
}

impl FreeSpace {
    pub(crate) fn new(
        free_bytes: impl Fn() -> Option<u64> + Send + Sync + 'static,
        watermark: u64,
    ) -> Arc<Self> {
        let space = Self { free_bytes: Box::new(free_bytes), watermark, is_low: AtomicBool::new(false) };
        space.measure();
        Arc::new(space)
    }

    pub(crate) fn is_low(&self) -> bool {
        self.is_low.load(Ordering::Relaxed)
    }

    /// Measures periodically until `stop` is cancelled.
    pub(crate) async fn watch(self: Arc<Self>, stop: CancellationToken) {
        if self.watermark == 0 {
            return;
        }
        let mut rounds = tokio::time::interval(MEASUREMENT_INTERVAL);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
            }
            // A blocking thread is used because a network file system may be slow.
            let space = Arc::clone(&self);
            if tokio::task::spawn_blocking(move || space.measure()).await.is_err() {
                tracing::warn!("could not measure the free space");
            }
        }
    }

    fn measure(&self) {
        if self.watermark == 0 {
            return;
        }
        let Some(free) = (self.free_bytes)() else { return };
        let is_low = free < self.watermark;
        if is_low != self.is_low.swap(is_low, Ordering::Relaxed) {
            if is_low {
                tracing::error!(free, watermark = self.watermark, "disk space is low: new data is refused");
            } else {
                tracing::info!(free, "there is enough disk space again");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_low_below_the_watermark() {
        let is_low = |free, watermark| FreeSpace::new(move || free, watermark).is_low();
        assert!(!is_low(Some(10), 10));
        assert!(is_low(Some(9), 10));
        assert!(!is_low(Some(0), 0), "a watermark of zero disables the measurement");
        // If the free space cannot be measured, nothing is refused.
        assert!(!is_low(None, u64::MAX));
    }
}
