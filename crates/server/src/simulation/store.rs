//! An in-memory store that behaves like the disk of one process, or like a database that several processes
//! use. The disk is slow and may refuse changes, and a crash loses changes that were not synced. The database
//! may also be unreachable, and the response to a change that it has made may be lost. There are no studies,
//! matches, challenges, chat or problems, and accounts have only names and sessions.

mod accounts;
mod administration;
mod disk;
mod games;
mod limits;
mod nodes;
mod rest;

use std::{sync::Arc, time::Duration};

use adoube_store::{Result, StoreError};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};

pub(super) use self::disk::{Availability, Disk};
use self::disk::{Job, State, write};
use super::{fault::Fault, process::Process, rng::SeededRng};

/// One process's access to the store, which ends with the process.
#[derive(Debug)]
pub(super) struct SimStore {
    disk: Arc<Disk>,
    process: Process,
    queue: mpsc::UnboundedSender<Job>,
    rng: SeededRng,
}

/// The maximum time that a statement waits for the database.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(3);

impl SimStore {
    pub(super) fn open(disk: &Arc<Disk>, process: Process) -> Self {
        let (queue, jobs) = mpsc::unbounded_channel();
        tokio::spawn(write(Arc::clone(disk), process.clone(), jobs));
        Self { disk: Arc::clone(disk), process, queue, rng: disk.rng.fork() }
    }

    /// Runs `work`, but never completes after the process has crashed or while it is stopped.
    async fn or_pending_if_crashed<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            () = self.process.crashed() => std::future::pending().await,
            result = async {
                let result = work.await;
                self.process.running().await;
                result
            } => result,
        }
    }

    /// Makes a change as part of a group that is written together.
    async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        if self.disk.fault == Some(Fault::AnswerBeforeCommit) && !self.process.is_crashed() {
            let _ = answer.send(change(&mut self.disk.contents().state));
            // The commit follows.
            let _ = self.queue.send(Box::new(|_| Box::new(|| ())));
            return answered.await.map_err(|_| StoreError::Closed);
        }
        let job: Job = Box::new(move |state| {
            // The caller may have been dropped.
            match state.map(change) {
                Some(result) => Box::new(move || drop(answer.send(result))),
                None => Box::new(move || drop(answer)),
            }
        });
        let _ = self.queue.send(job);
        let is_shared = self.disk.is_shared;
        let refused = |_| if is_shared { unreachable() } else { full() };
        self.or_pending_if_crashed(answered).await.map_err(refused)
    }

    /// Makes a change in a separate transaction, which does not wait for others. On the disk of a single
    /// process, every change is written as part of a group instead.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T> {
        if !self.disk.is_shared {
            return self.write(change).await;
        }
        self.or_pending_if_crashed(async {
            self.process.running().await;
            sleep(self.rng.ms(self.disk.sync_ms)).await;
            self.wait_until_reachable().await?;
            if self.process.is_crashed() {
                return std::future::pending().await;
            }
            let result = change(&mut self.disk.contents().state);
            sleep(self.rng.ms(self.disk.sync_ms)).await;
            if self.disk.loses_response() { Err(unreachable()) } else { Ok(result) }
        })
        .await
    }

    async fn read<T>(&self, read: impl FnOnce(&State) -> T) -> Result<T> {
        let delay = if self.rng.percent(30) { self.rng.ms(5) } else { Duration::ZERO };
        self.or_pending_if_crashed(async {
            if self.disk.is_shared {
                self.process.running().await;
                self.wait_until_reachable().await?;
            }
            if !delay.is_zero() {
                sleep(delay).await;
            }
            Ok(read(&self.disk.contents().state))
        })
        .await
    }

    /// Waits until the database can be reached, for at most [`STATEMENT_TIMEOUT`]. If it refuses connections,
    /// gives up almost at once.
    async fn wait_until_reachable(&self) -> Result<()> {
        let refusal = Duration::from_millis(5);
        let is_reachable = match self.disk.availability() {
            Availability::Refusing => self.disk.wait_until_reachable(refusal, refusal).await,
            _ => self.disk.wait_until_reachable(STATEMENT_TIMEOUT, Duration::from_millis(100)).await,
        };
        if is_reachable { Ok(()) } else { Err(unreachable()) }
    }
}

fn full() -> StoreError {
    StoreError::Full { source: "refused at random".into() }
}

fn unreachable() -> StoreError {
    StoreError::Unreachable { source: "unreachable".into() }
}

fn absent<T>() -> Result<T> {
    Err(StoreError::Unreachable { source: "not simulated".into() })
}
