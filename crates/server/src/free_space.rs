//! How much room is left where the data is. When it becomes scarce, nothing new is begun, so that games that are played can go on.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// How often it is measured.
const EVERY: Duration = Duration::from_secs(5);

/// Whether room is scarce, as of the last measurement.
#[derive(Debug)]
pub(crate) struct FreeSpace {
    folder: PathBuf,
    /// Below so many bytes; 0 if it is not measured.
    watermark: u64,
    scarce: AtomicBool,
}

impl FreeSpace {
    pub(crate) fn new(data: &Path, watermark: u64) -> Arc<Self> {
        let folder = data.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let space = Self { folder: folder.to_owned(), watermark, scarce: AtomicBool::new(false) };
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
        let Some(free) = free_bytes(&self.folder) else { return };
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

/// Returns the bytes that this process could still write there, where the system can tell.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let space = rustix::fs::statvfs(folder).ok()?;
    Some(space.f_bavail.saturating_mul(space.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_scarce_below_the_watermark() {
        let folder = tempfile::tempdir().unwrap();
        let is_scarce = |watermark| FreeSpace::new(&folder.path().join("data.sqlite"), watermark).is_scarce();
        assert!(!is_scarce(0));
        assert!(!is_scarce(1));
        assert!(is_scarce(u64::MAX));
        // Where nothing can be measured, nothing is refused.
        assert!(!FreeSpace::new(Path::new("/no/such/folder/data.sqlite"), u64::MAX).is_scarce());
    }
}
