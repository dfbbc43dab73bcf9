//! Workers for tasks that occupy a core for a while, such as hashing passwords, proving problems or parsing
//! long texts. Only a few tasks run at a time, on separate threads. A few more may wait. If the queue is
//! full, a task is refused: one of a tenant that has many, or the new one. Tenants take turns, so a tenant
//! with many tasks delays only itself.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{error::Error, fair_queue::FairQueue, limits::Tenant};

/// The maximum number of tasks waiting for workers created with [`Workers::new`].
pub(crate) const MAX_WAITING: usize = 32;

/// The interval at which tasks that are not urgent try to enter the queue.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// A few worker slots and a short queue for them.
#[derive(Clone, Debug)]
pub(crate) struct WorkerSlots(Arc<Mutex<Slots>>);

#[derive(Debug)]
struct Slots {
    free: usize,
    queue: FairQueue<Tenant, oneshot::Sender<WorkerSlot>>,
    /// The number of tasks that have stopped waiting, with or without a slot, since the queue was last
    /// cleaned.
    abandoned: usize,
}

/// A worker slot, which is freed on drop.
#[derive(Debug)]
pub(crate) struct WorkerSlot {
    slots: WorkerSlots,
    tenant: Tenant,
}

/// An entry in the queue, which is removed on drop.
struct QueueEntry<'a> {
    slots: &'a WorkerSlots,
    receiver: oneshot::Receiver<WorkerSlot>,
}

impl Drop for QueueEntry<'_> {
    fn drop(&mut self) {
        self.receiver.close();
        let mut slots = self.slots.slots();
        slots.abandoned += 1;
        // The queue is not cleaned every time, because if thousands of tasks left at once, it would be
        // cleaned thousands of times.
        if slots.abandoned * 2 > slots.queue.len() {
            slots.abandoned = 0;
            slots.queue.retain(|waiter| !waiter.is_closed());
        }
    }
}

impl WorkerSlots {
    /// Creates at least one slot and a queue of the given length. One tenant takes at most `max_per_tenant`
    /// slots.
    pub(crate) fn new(slots: usize, queue: usize, max_per_tenant: usize) -> Self {
        Self(Arc::new(Mutex::new(Slots {
            free: slots.max(1),
            queue: FairQueue::new(queue, max_per_tenant),
            abandoned: 0,
        })))
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a slot as soon as it is the tenant's turn. Dropping the future removes the task
    /// from the queue.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`] if too many tasks are already waiting, or if this one is displaced by a tenant with
    /// fewer tasks.
    pub(crate) async fn take(&self, tenant: Tenant) -> Result<WorkerSlot, Error> {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = QueueEntry { slots: self, receiver };
        // A displaced task finds its channel closed.
        drop(self.slots().queue.push(tenant, sender));
        self.serve();
        (&mut waiting.receiver).await.map_err(|_| Error::Busy)
    }

    /// Assigns free slots to the next tasks.
    fn serve(&self) {
        // Dropped after the lock is released, because dropping an unused slot frees it and takes the lock.
        let mut refused = Vec::new();
        let mut slots = self.slots();
        while slots.free > 0
            && let Some((tenant, sender)) = slots.queue.pop()
        {
            if sender.is_closed() {
                slots.queue.finish(&tenant);
                continue;
            }
            slots.free -= 1;
            if let Err(slot) = sender.send(WorkerSlot { slots: self.clone(), tenant }) {
                refused.push(slot);
            }
        }
        drop(slots);
        drop(refused);
    }

    /// Returns the number of free slots.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.slots().free
    }

    /// Returns the number of waiting tasks.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.slots().queue.len()
    }
}

impl Drop for WorkerSlot {
    fn drop(&mut self) {
        let mut slots = self.slots.slots();
        slots.free += 1;
        slots.queue.finish(&self.tenant);
        drop(slots);
        self.slots.serve();
    }
}

/// Workers that run tasks on separate threads.
#[derive(Debug)]
pub(crate) struct Workers(WorkerSlots);

impl Workers {
    /// Creates workers that run at most `max_running` tasks at the same time; a value below two counts as
    /// two. One tenant gets at most half of them so that its long tasks do not make others wait.
    pub(crate) fn new(max_running: usize) -> Self {
        let max_running = max_running.max(2);
        Self(WorkerSlots::new(max_running, MAX_WAITING, max_running / 2))
    }

    /// Creates workers that run at most `max_running` tasks at the same time, even if all are from one
    /// tenant, with a queue of the given length.
    pub(crate) fn with_queue(max_running: usize, queue: usize) -> Self {
        Self(WorkerSlots::new(max_running, queue, max_running))
    }

    /// Waits for a slot, runs a task, and returns its result.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        tenant: Tenant,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.0.take(tenant).await?;
        run(slot, work).await
    }

    /// Runs a task as [`run`](Self::run) does, but keeps trying while the queue is full. Meant for tasks that
    /// are not urgent.
    pub(crate) async fn run_with_retry<T: Send + 'static>(
        &self,
        tenant: Tenant,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = loop {
            match self.0.take(tenant.clone()).await {
                Err(Error::Busy) => tokio::time::sleep(RETRY_INTERVAL).await,
                slot => break slot?,
            }
        };
        run(slot, work).await
    }
}

async fn run<T: Send + 'static>(
    slot: WorkerSlot,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let task = tokio::task::spawn_blocking(move || {
        // Held by the thread, because a client that stops waiting does not free the core.
        let _slot = slot;
        work()
    });
    task.await.unwrap_or(Err(Error::Internal("a worker panicked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(number: u8) -> Tenant {
        Tenant::Network([10, 0, 0, number].into())
    }

    #[tokio::test]
    async fn a_tenant_with_one_task_does_not_wait_for_a_tenant_with_many() {
        let slots = WorkerSlots::new(1, 8, 1);
        let running = slots.take(tenant(1)).await.unwrap();
        let take = |number| {
            let slots = slots.clone();
            tokio::spawn(async move { slots.take(tenant(number)).await.map(drop) })
        };
        let many = (0..20).map(|_| take(1)).collect::<Vec<_>>();
        while slots.waiting() < 8 {
            tokio::task::yield_now().await;
        }
        let one = take(2);
        tokio::task::yield_now().await;
        drop(running);
        one.await.unwrap().unwrap();
        let mut served = 0;
        for waiter in many {
            served += usize::from(waiter.await.unwrap().is_ok());
        }
        // The last one of the eight was displaced.
        assert_eq!((served, slots.free(), slots.waiting()), (7, 1, 0));
    }

    #[tokio::test]
    async fn a_long_task_leaves_a_thread_for_others() {
        let work = Arc::new(Workers::new(1));
        let (finish, wait) = std::sync::mpsc::channel::<()>();
        let long = Arc::clone(&work);
        let long = tokio::spawn(async move {
            let wait = move || wait.recv().map_err(|_| Error::Internal("the test has ended"));
            long.run(tenant(1), wait).await
        });
        while work.0.free() == 2 {
            tokio::task::yield_now().await;
        }
        let another = Arc::clone(&work);
        let another = tokio::spawn(async move { another.run(tenant(1), || Ok(2)).await });
        while work.0.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(work.run(tenant(2), || Ok(3)).await, Ok(3)));
        finish.send(()).unwrap();
        assert!(long.await.unwrap().is_ok());
        assert!(matches!(another.await.unwrap(), Ok(2)));
    }
}
