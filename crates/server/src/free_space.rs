//! Watches the free space where the data is. When it becomes scarce, nothing new is begun, so that games that are played can go on.

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

/// Interval of the measurements.
const EVERY: Duration = Duration::from_secs(5);

/// Whether space is scarce, as of the last measurement.
pub(crate) struct FreeSpace {
    /// Returns the bytes that can still be written, if they can be told.
    free_bytes: Box<dyn Fn() -> Option<u64> + Send + Sync>,
    /// Space is scarce below this number of bytes; 0 if it is not measured.
    watermark: u64,
    scarce: AtomicBool,
}

impl fmt::Debug for FreeSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreeSpace")
            .field("watermark", &self.watermark)
            .field("scarce", &self.scarce)
            .finish_non_exhaustive()
    }
}

impl FreeSpace {
    pub(crate) fn new(
        free_bytes: impl Fn() -> Option<u64> + Send + Sync + 'static,
        watermark: u64,
    ) -> Arc<Self> {
        let space = Self { free_bytes: Box::new(free_bytes), watermark, scarce: AtomicBool::new(false) };
        space.measure();
        Arc::new(space)
    }

    pub(crate) fn is_scarce(&self) -> bool {
        self.scarce.load(Ordering::Relaxed)
    }

    /// Measures now and then, until `stop`.
    pub(crate) async fn watch(self: Arc<Self>, stop: CancellationToken) {
        if self.watermark == 0 {
            return;
        }
        let mut rounds = tokio::time::interval(EVERY);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
            }
            // A file system over a network may take its time.
            let space = Arc::clone(&self);
            if tokio::task::spawn_blocking(move || space.measure()).await.is_err() {
                tracing::warn!("the free space could not be measured");
            }
        }
    }

    fn measure(&self) {
        if self.watermark == 0 {
            return;
        }
        let Some(free) = (self.free_bytes)() else { return };
        let scarce = free < self.watermark;
        if scarce != self.scarce.swap(scarce, Ordering::Relaxed) {
            if scarce {
                tracing::error!(free, watermark = self.watermark, "room is scarce: nothing new is begun");
            } else {
                tracing::info!(free, "there is room again");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_scarce_below_the_watermark() {
        let is_scarce = |free, watermark| FreeSpace::new(move || free, watermark).is_scarce();
        assert!(!is_scarce(Some(10), 10));
        assert!(is_scarce(Some(9), 10));
        assert!(!is_scarce(Some(0), 0), "not measured");
        // Where nothing can be measured, nothing is refused.
        assert!(!is_scarce(None, u64::MAX));
    }
}
