//! Work that costs a core for a while: passwords, proofs, long texts. It is done on threads of its own, a little at a
//! time; few may wait for their turn, and the rest is sent away.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::Error;

/// Who may wait while others are served.
pub(crate) const QUEUE: usize = 32;

/// A few places, and a short queue for them.
#[derive(Debug)]
pub(crate) struct Places {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
}

impl Places {
    /// At least one place, and so many who may wait for one.
    pub(crate) fn new(places: usize, queue: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(places.max(1))), waiting: AtomicUsize::new(0), queue }
    }

    /// Returns a place as soon as there is one; it is free again when it is dropped. Who no longer waits leaves the queue.
    ///
    /// [`Error::Busy`] if too many wait already.
    pub(crate) async fn take(&self) -> Result<OwnedSemaphorePermit, Error> {
        struct Leave<'a>(&'a AtomicUsize);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Relaxed);
            }
        }
        let before = self.waiting.fetch_add(1, Relaxed);
        let _leave = Leave(&self.waiting);
        if before >= self.queue {
            return Err(Error::Busy);
        }
        let place = Arc::clone(&self.free).acquire_owned().await;
        place.map_err(|_| Error::Internal("the places for work are closed"))
    }

    /// Returns how many places are free.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.free.available_permits()
    }

    /// Returns how many wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }
}

#[derive(Debug)]
pub(crate) struct Work(Places);

impl Work {
    /// At most so much is done at the same time.
    pub(crate) fn new(at_once: usize) -> Self {
        Self::with_queue(at_once, QUEUE)
    }

    /// The same, with so many who may wait.
    pub(crate) fn with_queue(at_once: usize, queue: usize) -> Self {
        Self(Places::new(at_once, queue))
    }

    /// Returns what work leads to, when its turn has come and it is done.
    pub(crate) async fn done<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let place = self.0.take().await?;
        let worked = tokio::task::spawn_blocking(move || {
            // Held by the thread: who gives up waiting does not free the core.
            let _place = place;
            work()
        });
        worked.await.unwrap_or(Err(Error::Internal("work was not done")))
    }
}
