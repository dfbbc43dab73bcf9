//! Work that costs a core for a while: passwords, proofs, long texts. It is done on threads of its own, a little at a
//! time; few may wait for their turn, and the rest is sent away.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use tokio::sync::Semaphore;

use crate::error::Error;

/// Who may wait while others are served.
pub(crate) const QUEUE: usize = 32;

#[derive(Debug)]
pub(crate) struct Work {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Work {
    /// At most so much is done at the same time.
    pub(crate) fn new(at_once: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(at_once.max(1))), waiting: AtomicUsize::new(0) }
    }

    /// Returns what work leads to, when its turn has come and it is done.
    pub(crate) async fn done<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        struct Leave<'a>(&'a AtomicUsize);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Relaxed);
            }
        }
        let before = self.waiting.fetch_add(1, Relaxed);
        let _leave = Leave(&self.waiting);
        if before >= QUEUE {
            return Err(Error::Busy);
        }
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| Error::Internal("the places for work are closed"))?;
        let worked = tokio::task::spawn_blocking(move || {
            // Held by the thread: who gives up waiting does not free the core.
            let _place = place;
            work()
        });
        worked.await.unwrap_or(Err(Error::Internal("work was not done")))
    }
}
