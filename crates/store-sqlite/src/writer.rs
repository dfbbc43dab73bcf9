//! The single task that writes.

use std::{collections::HashSet, future::Future, pin::Pin, sync::Arc, time::Duration};

use adoube_store::{Append, Appended, Result, StoreError, WriteCounter, WriteCounts};
use sqlx::{Connection as _, sqlite::SqliteConnection};
use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    chain::ChainSomeGames,
    checkpoint::{self, Log, checkpoint},
    data_file::FileIdentity,
    error::translate,
    lock::DataLock,
    write::append,
};

/// The capacity of the queue. When it is full, callers wait for space.
const QUEUE_CAPACITY: usize = 1024;
/// The maximum number of changes in one transaction. A transaction can take everything in the queue, so each
/// change in the queue waits for at most one transaction before its own.
const MAX_GROUP_SIZE: usize = QUEUE_CAPACITY;

/// The pause between two rounds of chaining older games, so that turns come first.
const CHAIN_PAUSE: Duration = Duration::from_millis(50);

/// A change to the data. It may be applied more than once, each time in a new transaction; only the last
/// result counts.
pub(crate) trait Change: Send + 'static {
    type Output: Send + 'static;

    fn apply(&self, connection: &mut SqliteConnection) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// A change of any type, with its waiting caller.
trait Job: Send {
    fn apply<'a>(
        &'a mut self,
        connection: &'a mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

    /// Reports the outcome to the caller after the transaction has ended.
    fn answer(self: Box<Self>, end: Result<()>);
}

struct ChangeJob<C: Change> {
    change: C,
    done: Option<C::Output>,
    answer: oneshot::Sender<Result<C::Output>>,
}

impl<C: Change + Sync> Job for ChangeJob<C> {
    fn apply<'a>(
        &'a mut self,
        connection: &'a mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        Box::pin(async {
            self.done = Some(self.change.apply(connection).await?);
            Ok(())
        })
    }

    fn answer(self: Box<Self>, end: Result<()>) {
        let Self { done, answer, .. } = *self;
        // The caller may have stopped waiting. That is not an error: a repeated command finds the answer.
        let _ = answer.send(end.and_then(|()| done.ok_or(StoreError::Closed)));
    }
}

/// An append, with its waiting caller. Most writes are appends, which are applied together.
struct RequestedAppend {
    append: Append,
    done: Option<Appended>,
    answer: oneshot::Sender<Result<Appended>>,
}

/// One element of a group.
enum WriteRequest {
    Append(Box<RequestedAppend>),
    Other(Box<dyn Job>),
}

impl WriteRequest {
    fn as_append(&self) -> Option<&Append> {
        match self {
            Self::Append(request) => Some(&request.append),
            Self::Other(_) => None,
        }
    }

    fn answer(self, end: Result<()>) {
        match self {
            Self::Append(request) => {
                let RequestedAppend { done, answer, .. } = *request;
                let _ = answer.send(end.and_then(|()| done.ok_or(StoreError::Closed)));
            }
            Self::Other(job) => job.answer(end),
        }
    }
}

enum Request {
    Write(WriteRequest),
    Close(oneshot::Sender<()>),
}

#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Request>,
    broken: watch::Receiver<Option<String>>,
    log: Arc<Log>,
    counter: Arc<WriteCounter>,
}

impl Writer {
    /// Starts the writer. Takes two connections: one writes, the other runs checkpoints. The lock is held
    /// until the first one is closed.
    pub(crate) fn start(
        mut connection: SqliteConnection,
        checkpointer: SqliteConnection,
        data_file: FileIdentity,
        lock: DataLock,
    ) -> Self {
        let (queue, requests) = mpsc::channel(QUEUE_CAPACITY);
        let (broken_sender, broken) = watch::channel(None);
        let log = Arc::new(Log::default());
        let counter = Arc::new(WriteCounter::default());
        let task_counter = Arc::clone(&counter);
        let log_handle = Arc::clone(&log);
        let (stop_checkpoints, checkpoints_stopped) = oneshot::channel();
        let checkpoints = tokio::spawn(checkpoint::run(
            checkpointer,
            data_file,
            Arc::clone(&log),
            broken_sender.clone(),
            checkpoints_stopped,
        ));
        tokio::spawn(async move {
            let closed = write(&mut connection, requests, (&log, &task_counter), &broken_sender).await;
            drop(stop_checkpoints);
            let _ = checkpoints.await;
            // This is the last connection, so closing it empties and removes the log.
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "the database was not closed cleanly");
            }
            drop(lock);
            if let Some(closed) = closed {
                let _ = closed.send(());
            }
        });
        Self { queue, broken, log: log_handle, counter }
    }

    pub(crate) fn counts(&self) -> WriteCounts {
        self.counter.read()
    }

    /// Requests that the log be emptied soon, so that no deleted data stays in it.
    pub(crate) fn truncate_wal(&self) {
        self.log.request_truncation();
    }

    /// Adds hash chains to games that have none, a few at a time, until all have one, an attempt fails, or
    /// the store is closed.
    pub(crate) fn chain_older_games(&self) {
        let queue = self.queue.downgrade();
        tokio::spawn(async move {
            loop {
                let (answer, answered) = oneshot::channel();
                let job = Box::new(ChangeJob { change: ChainSomeGames, done: None, answer });
                let Some(queue) = queue.upgrade() else { return };
                if queue.send(Request::Write(WriteRequest::Other(job))).await.is_err() {
                    return;
                }
                drop(queue);
                match answered.await {
                    Ok(Ok(true)) => tokio::time::sleep(CHAIN_PAUSE).await,
                    Ok(Ok(false)) | Err(_) => return,
                    Ok(Err(error)) => {
                        // This can fail, for instance because the disk is full. The work is resumed at the
                        // next start.
                        tracing::warn!(%error, "hash chains could not be added to all older games");
                        return;
                    }
                }
            }
        });
    }

    /// Applies a change. Completes when the change is on disk.
    pub(crate) async fn apply<C: Change + Sync>(&self, change: C) -> Result<C::Output> {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(ChangeJob { change, done: None, answer });
        self.queue.send(Request::Write(WriteRequest::Other(job))).await.map_err(|_| self.closed_error())?;
        answered.await.map_err(|_| self.closed_error())?
    }

    /// Applies an append. Completes when the append is on disk.
    pub(crate) async fn append(&self, append: Append) -> Result<Appended> {
        let (answer, answered) = oneshot::channel();
        let work = WriteRequest::Append(Box::new(RequestedAppend { append, done: None, answer }));
        self.queue.send(Request::Write(work)).await.map_err(|_| self.closed_error())?;
        answered.await.map_err(|_| self.closed_error())?
    }

    /// Closes the data file. Completes when all earlier changes have been written and the lock is released.
    pub(crate) async fn close(&self) {
        let (closed, wait) = oneshot::channel();
        // If the writer has ended, nothing is left to close.
        if self.queue.send(Request::Close(closed)).await.is_ok() {
            let _ = wait.await;
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.queue.is_closed() || self.broken.borrow().is_some() {
            Err(self.closed_error())
        } else {
            Ok(())
        }
    }

    pub(crate) async fn wait_for_failure(&self) -> StoreError {
        let mut broken = self.broken.clone();
        let reason = broken.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
        match reason {
            Some(reason) => StoreError::Broken(reason),
            // The store was closed deliberately, so this is not a failure.
            None => std::future::pending().await,
        }
    }

    fn closed_error(&self) -> StoreError {
        self.broken.borrow().clone().map_or(StoreError::Closed, StoreError::Broken)
    }
}

/// Writes groups of changes until the store is closed, and then returns the caller to notify. If the disk can
/// no longer be trusted, stops writing and answers all callers with an error.
async fn write(
    connection: &mut SqliteConnection,
    mut requests: mpsc::Receiver<Request>,
    (log, counter): (&Log, &WriteCounter),
    broken: &watch::Sender<Option<String>>,
) -> Option<oneshot::Sender<()>> {
    let mut taken = Vec::new();
    let mut group = Vec::new();
    while requests.recv_many(&mut taken, MAX_GROUP_SIZE).await > 0 {
        let mut close = None;
        for request in taken.drain(..) {
            match request {
                Request::Write(work) => group.push(work),
                Request::Close(closed) => close = Some(closed),
            }
        }
        if broken.borrow().is_some() {
            return None;
        }
        let written = match shorten(connection, log).await {
            Ok(()) => write_group(connection, &mut group, counter).await,
            Err(reason) => Err(reason),
        };
        log.note_commit();
        if let Err(reason) = written {
            tracing::error!(
                reason,
                "the data file is lost or damaged, or cannot be synced; nothing more will be written"
            );
            broken.send_replace(Some(reason));
            return None;
        }
        if close.is_some() {
            return close;
        }
    }
    None
}

/// Copies the rest of a long log to the data file, so that the next transaction restarts the log. Returns an
/// error only if nothing more may be written.
async fn shorten(connection: &mut SqliteConnection, log: &Log) -> std::result::Result<(), String> {
    if log.take_long()
        && let Err(error) = checkpoint(connection).await
    {
        if let StoreError::Broken(reason) = error {
            return Err(reason);
        }
        tracing::warn!(%error, "a long log could not be checkpointed");
    }
    Ok(())
}

/// Writes all changes in one transaction. If one of them fails, the transaction is rolled back and each
/// change gets its own, so that none fails because of another. Returns an error only if nothing more may be
/// written.
async fn write_group(
    connection: &mut SqliteConnection,
    group: &mut Vec<WriteRequest>,
    counter: &WriteCounter,
) -> std::result::Result<(), String> {
    match transact(connection, group, counter).await {
        Ok(()) => group.drain(..).for_each(|work| work.answer(Ok(()))),
        Err(StoreError::Broken(reason)) => return Err(reason),
        Err(error) => {
            tracing::debug!(%error, changes = group.len(), "a group of changes failed; they are written one by one");
            for mut work in group.drain(..) {
                match transact(connection, std::slice::from_mut(&mut work), counter).await {
                    Err(StoreError::Broken(reason)) => return Err(reason),
                    end => work.answer(end),
                }
            }
        }
    }
    Ok(())
}

/// Writes all changes in one transaction, which is counted if it is committed.
async fn transact(
    connection: &mut SqliteConnection,
    group: &mut [WriteRequest],
    counter: &WriteCounter,
) -> Result<()> {
    if group.is_empty() {
        return Ok(());
    }
    // Take the write lock immediately: upgrading from a read lock can fail.
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(translate)?;
    let done = async {
        apply(connection, group).await?;
        sqlx::query("COMMIT").execute(&mut *connection).await.map_err(translate)?;
        counter.record(group.len());
        Ok(())
    }
    .await;
    if done.is_err() {
        // This fails if the database has already rolled back automatically, which is harmless.
        let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    }
    done
}

/// Applies changes in order. Consecutive appends that are independent of each other are applied together.
async fn apply(connection: &mut SqliteConnection, group: &mut [WriteRequest]) -> Result<()> {
    let mut rest = group;
    while !rest.is_empty() {
        let count = independent_appends(rest);
        let (batch, remaining) = rest.split_at_mut(count.max(1));
        rest = remaining;
        if let [WriteRequest::Other(job)] = batch {
            job.apply(connection).await?;
            continue;
        }
        let appends: Vec<_> = batch.iter().filter_map(WriteRequest::as_append).collect();
        let appended = append::append_all(connection, &appends).await?;
        for (work, end) in batch.iter_mut().zip(appended) {
            if let WriteRequest::Append(request) = work {
                request.done = Some(end);
            }
        }
    }
    Ok(())
}

/// Returns the number of appends at the beginning of a group, up to the first one that shares a game or a
/// command with an earlier one.
fn independent_appends(group: &[WriteRequest]) -> usize {
    let (mut games, mut commands) = (HashSet::new(), HashSet::new());
    let keys = group.iter().map_while(WriteRequest::as_append).map(append::keys);
    keys.take_while(|&(game, command)| {
        games.insert(game) && command.is_none_or(|command| commands.insert(command))
    })
    .count()
}
