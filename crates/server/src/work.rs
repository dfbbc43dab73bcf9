//! Work that costs a core for a while: passwords, proofs, long texts. It is done on threads of its own, a little at a
//! time; few may wait for their turn, and the rest is sent away. The holders take turns, so that one that asks for much is behind
//! itself alone.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{error::Error, fair::Fair, limits::Holder};

/// How many may wait while others are served.
pub(crate) const QUEUE: usize = 32;

/// When what can wait comes again.
const AGAIN: Duration = Duration::from_millis(200);

/// A few worker slots, and a short queue for them.
#[derive(Clone, Debug)]
pub(crate) struct WorkerSlots(Arc<Mutex<Slots>>);

#[derive(Debug)]
struct Slots {
    free: usize,
    queue: Fair<Holder, oneshot::Sender<WorkerSlot>>,
    /// How many in the queue may have left it since it was last looked through.
    left: usize,
}

/// A slot, until it is dropped.
#[derive(Debug)]
pub(crate) struct WorkerSlot {
    slots: WorkerSlots,
    holder: Holder,
}

/// A place in the queue. Dropping it leaves the queue.
struct Waiting<'a> {
    slots: &'a WorkerSlots,
    answer: oneshot::Receiver<WorkerSlot>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.answer.close();
        let mut inside = self.slots.inside();
        inside.left += 1;
        // Now and then, so that thousands who leave at once are not looked through thousands of times.
        if inside.left * 2 > inside.queue.len() {
            inside.left = 0;
            inside.queue.retain(|asked| !asked.is_closed());
        }
    }
}

impl WorkerSlots {
    /// At least one slot, and a queue of that length; at most `at_once` slots are taken by one holder.
    pub(crate) fn new(slots: usize, queue: usize, at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(Slots { free: slots.max(1), queue: Fair::new(queue, at_once), left: 0 })))
    }

    fn inside(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a slot as soon as it is the holder's turn. Cancelling the future leaves the queue.
    ///
    /// [`Error::Busy`] if too many wait already, or if this one has to give way to others that wait for less.
    pub(crate) async fn take(&self, holder: Holder) -> Result<WorkerSlot, Error> {
        let (ask, answer) = oneshot::channel();
        let mut waiting = Waiting { slots: self, answer };
        // What gives way learns it by the end of its channel.
        drop(self.inside().queue.push(holder, ask));
        self.serve();
        (&mut waiting.answer).await.map_err(|_| Error::Busy)
    }

    /// Gives the slots that are free to those whose turn it is.
    fn serve(&self) {
        // Dropped after the lock is given back: a slot that nobody takes is free again.
        let mut refused = Vec::new();
        let mut inside = self.inside();
        while inside.free > 0
            && let Some((holder, ask)) = inside.queue.pop()
        {
            if ask.is_closed() {
                inside.queue.done(&holder);
                continue;
            }
            inside.free -= 1;
            if let Err(slot) = ask.send(WorkerSlot { slots: self.clone(), holder }) {
                refused.push(slot);
            }
        }
        drop(inside);
        drop(refused);
    }

    /// Returns how many slots are free.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.inside().free
    }

    /// Returns how many wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.inside().queue.len()
    }
}

impl Drop for WorkerSlot {
    fn drop(&mut self) {
        let mut inside = self.slots.inside();
        inside.free += 1;
        inside.queue.done(&self.holder);
        drop(inside);
        self.slots.serve();
    }
}

#[derive(Debug)]
pub(crate) struct Work(WorkerSlots);

impl Work {
    /// At least two things are done at the same time, half of them for one holder: a long text of one keeps no other waiting.
    pub(crate) fn new(at_once: usize) -> Self {
        let at_once = at_once.max(2);
        Self(WorkerSlots::new(at_once, QUEUE, at_once / 2))
    }

    /// At most so much is done at the same time, whoever asks, and so many may wait.
    pub(crate) fn with_queue(at_once: usize, queue: usize) -> Self {
        Self(WorkerSlots::new(at_once, queue, at_once))
    }

    /// Returns what work leads to, when its turn has come and it is done.
    pub(crate) async fn done<T: Send + 'static>(
        &self,
        holder: Holder,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.0.take(holder).await?;
        run(slot, work).await
    }

    /// The same, for what can wait: comes again for as long as too many wait.
    pub(crate) async fn done_later<T: Send + 'static>(
        &self,
        holder: Holder,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = loop {
            match self.0.take(holder.clone()).await {
                Err(Error::Busy) => tokio::time::sleep(AGAIN).await,
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
    let worked = tokio::task::spawn_blocking(move || {
        // Held by the thread: giving up waiting does not free the core.
        let _slot = slot;
        work()
    });
    worked.await.unwrap_or(Err(Error::Internal("work was not done")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(number: u8) -> Holder {
        Holder::Network([10, 0, 0, number].into())
    }

    #[tokio::test]
    async fn who_asks_for_little_is_not_behind_who_asks_for_much() {
        let slots = WorkerSlots::new(1, 8, 1);
        let running = slots.take(holder(1)).await.unwrap();
        let ask = |number| {
            let slots = slots.clone();
            tokio::spawn(async move { slots.take(holder(number)).await.map(drop) })
        };
        let many = (0..20).map(|_| ask(1)).collect::<Vec<_>>();
        while slots.waiting() < 8 {
            tokio::task::yield_now().await;
        }
        let one = ask(2);
        tokio::task::yield_now().await;
        drop(running);
        one.await.unwrap().unwrap();
        let mut served = 0;
        for asked in many {
            served += usize::from(asked.await.unwrap().is_ok());
        }
        // The last one of the eight has given way.
        assert_eq!((served, slots.free(), slots.waiting()), (7, 1, 0));
    }

    #[tokio::test]
    async fn the_long_work_of_one_leaves_a_thread_for_others() {
        let work = Arc::new(Work::new(1));
        let (finish, wait) = std::sync::mpsc::channel::<()>();
        let long = Arc::clone(&work);
        let long = tokio::spawn(async move {
            let wait = move || wait.recv().map_err(|_| Error::Internal("the test has gone"));
            long.done(holder(1), wait).await
        });
        while work.0.free() == 2 {
            tokio::task::yield_now().await;
        }
        let another = Arc::clone(&work);
        let another = tokio::spawn(async move { another.done(holder(1), || Ok(2)).await });
        while work.0.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(work.done(holder(2), || Ok(3)).await, Ok(3)));
        finish.send(()).unwrap();
        assert!(long.await.unwrap().is_ok());
        assert!(matches!(another.await.unwrap(), Ok(2)));
    }
}
