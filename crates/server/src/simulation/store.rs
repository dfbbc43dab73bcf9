//! A store in memory that behaves like a disk: it is slow, it may refuse, and a crash loses what was not
//! synced. It has no accounts, studies, matches, chat or problems.

mod accounts;
mod disk;
mod games;
mod nodes;
mod rest;

use std::{sync::Arc, time::Duration};

use adoube_store::{Result, StoreError};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

pub(super) use self::disk::Disk;
use self::disk::{Job, State, write};
use super::{chance::Chance, fault::Fault};

/// The store of one process, which ends with it.
#[derive(Debug)]
pub(super) struct SimStore {
    disk: Arc<Disk>,
    crashed: CancellationToken,
    queue: mpsc::UnboundedSender<Job>,
    chance: Chance,
}

impl SimStore {
    pub(super) fn open(disk: &Arc<Disk>, crashed: CancellationToken) -> Self {
        let (queue, jobs) = mpsc::unbounded_channel();
        tokio::spawn(write(Arc::clone(disk), crashed.clone(), jobs));
        Self { disk: Arc::clone(disk), crashed, queue, chance: disk.chance.fork() }
    }

    /// Never returns once the process has crashed.
    async fn unless_crashed<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            () = self.crashed.cancelled() => std::future::pending().await,
            done = work => done,
        }
    }

    async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        if self.disk.fault == Some(Fault::AnswerBeforeCommit) && !self.crashed.is_cancelled() {
            let _ = answer.send(change(&mut self.disk.inside().state));
            // The commit follows.
            let _ = self.queue.send(Box::new(|_| Box::new(|| ())));
            return answered.await.map_err(|_| StoreError::Closed);
        }
        let job: Job = Box::new(move |state| {
            // A caller that has gone is not notified.
            match state.map(change) {
                Some(done) => Box::new(move || drop(answer.send(done))),
                None => Box::new(move || drop(answer)),
            }
        });
        let _ = self.queue.send(job);
        let full = || StoreError::Full { source: "refused by chance".into() };
        self.unless_crashed(answered).await.map_err(|_| full())
    }

    async fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        let delay = if self.chance.percent(30) { self.chance.ms(5) } else { Duration::ZERO };
        self.unless_crashed(async {
            if !delay.is_zero() {
                sleep(delay).await;
            }
            read(&self.disk.inside().state)
        })
        .await
    }
}

fn absent<T>() -> Result<T> {
    Err(StoreError::Unreachable { source: "not simulated".into() })
}
