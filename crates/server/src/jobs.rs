//! Jobs: long computations that any process can perform.
//!
//! A node that delegates a computation puts a job into the store and waits. A worker claims the job and
//! stores the result, and a notice on the bus tells the node that the result is available. Nothing depends on
//! that notice, because the node polls the store every second. Polling also shows that a visitor is still
//! waiting. Once no node polls for a job, the worker abandons it.
//!
//! The id of a job is a hash of its content. A request that is repeated, on this node or another, finds the
//! running job or its result.

use std::{
    fmt::Write as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_protocol::Millis;
use adoube_store::{Job, JobId, JobState, NewJob, Store};
use sha2::{Digest as _, Sha256};
use tokio::{
    sync::{Notify, Semaphore},
    time::{Instant, sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    audience,
    claims::Claims,
    clock::Clock,
    error::Error,
    metrics::Metrics,
    proofs::Proofs,
    work_notice::{self, WorkNotice},
};

/// The kind of a job that proves a composed problem.
pub(crate) const PROOF: &str = "proof";
/// The job kinds that this version supports.
const KINDS: [&str; 1] = [PROOF];
/// The interval at which nodes and workers poll the store.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The period after a node's last poll during which its visitor counts as waiting, in milliseconds.
const WAITER_TIMEOUT_MS: i64 = 3_000;
/// How many times a worker polls between deletions of old jobs.
const FORGET_EVERY: u64 = 60;

fn id_of(kind: &str, body: &str) -> JobId {
    JobId(Sha256::new().chain_update(kind).chain_update([0]).chain_update(body).finalize().into())
}

/// Returns the bus topic on which a job's result is announced.
fn topic(id: &JobId) -> String {
    let mut topic = String::from("job-");
    for byte in id.0 {
        // Writing to a string cannot fail.
        let _ = write!(topic, "{byte:02x}");
    }
    topic
}

/// A service that delegates jobs to other processes.
#[derive(Debug)]
pub(crate) struct Jobs {
    store: Arc<dyn Store>,
    bus: Arc<dyn Bus>,
    clock: Arc<dyn Clock>,
}

impl Jobs {
    pub(crate) fn new(store: Arc<dyn Store>, bus: Arc<dyn Bus>, clock: Arc<dyn Clock>) -> Self {
        Self { store, bus, clock }
    }

    /// Delegates a job and returns its result. Dropping the future abandons the job.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`] if no process has begun the job within `max_wait`; [`Error::Internal`] if several
    /// attempts at the job have failed or the bus does not respond; and the store's errors.
    pub(crate) async fn run_remotely(
        &self,
        kind: &'static str,
        body: String,
        max_wait: Duration,
    ) -> Result<String, Error> {
        let id = id_of(kind, &body);
        // The subscription precedes the first poll so that no result is missed in between.
        let mut results = self.bus.subscribe(&topic(&id)).await.map_err(|error| {
            tracing::error!(%error, "could not subscribe to the result of a job");
            Error::Internal("the bus is not responding")
        })?;
        let started = Instant::now();
        let mut is_published = false;
        loop {
            let now = self.clock.now();
            let requested_until = Millis(now.0 + WAITER_TIMEOUT_MS);
            let job = NewJob { id, kind, body: body.clone(), now, requested_until };
            match self.store.request_job(&job).await? {
                JobState::Done(result) => return Ok(result),
                JobState::GivenUp => return Err(Error::Internal("several attempts at a job failed")),
                JobState::Waiting if started.elapsed() > max_wait => return Err(Error::Busy),
                JobState::Waiting | JobState::Running => {}
            }
            if !is_published {
                is_published = true;
                work_notice::publish(&*self.bus, &WorkNotice::Job).await;
            }
            wait(&mut *results).await;
        }
    }
}

/// Waits for the notice that the result is available, for at most [`POLL_INTERVAL`].
async fn wait(results: &mut dyn Subscription) {
    let changed = async {
        if results.next().await == Delivery::Closed {
            sleep(POLL_INTERVAL).await;
        }
    };
    // In either case the store is polled again.
    let _ = timeout(POLL_INTERVAL, changed).await;
}

/// The part of a process that executes jobs.
#[derive(Debug)]
pub(crate) struct JobWorker {
    pub(crate) claims: Arc<Claims>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) proofs: Arc<Proofs>,
    pub(crate) metrics: Arc<Metrics>,
    /// The maximum number of jobs in progress at the same time.
    pub(crate) max_running: usize,
    /// The time that a job must have waited before it is claimed, in milliseconds.
    pub(crate) waiting_ms: i64,
    /// Notified when there may be a job.
    pub(crate) wake: Arc<Notify>,
}

impl JobWorker {
    /// Executes jobs, each in a task spawned on `tasks`, until `stop` is cancelled. Jobs in progress are then
    /// stopped and their claims released.
    pub(crate) async fn run(self: Arc<Self>, tasks: TaskTracker, stop: CancellationToken) {
        let slots = Arc::new(Semaphore::new(self.max_running.max(1)));
        for poll in 0u64.. {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = self.wake.notified() => {}
                () = sleep(POLL_INTERVAL) => {}
            }
            while let Ok(slot) = Arc::clone(&slots).try_acquire_owned() {
                let job = match self.claims.claim_job(&KINDS, self.waiting_ms).await {
                    Ok(Some(job)) => job,
                    Ok(None) => break,
                    Err(error) => {
                        error.log();
                        break;
                    }
                };
                let (worker, stop) = (Arc::clone(&self), stop.clone());
                tasks.spawn(async move {
                    worker.execute(&job, &stop).await;
                    drop(slot);
                    // Another job may be waiting for this slot.
                    worker.wake.notify_one();
                });
            }
            if poll % FORGET_EVERY == 0
                && let Err(error) = self.claims.forget_jobs().await
            {
                error.log();
            }
        }
    }

    async fn execute(&self, job: &Job, stop: &CancellationToken) {
        let ended = AtomicBool::new(false);
        let cancel = Arc::new(AtomicBool::new(false));
        let watching = async {
            self.watch(&job.id, stop).await;
            ended.store(true, Relaxed);
            cancel.store(true, Relaxed);
            // The computation sees `cancel` and ends.
            std::future::pending::<()>().await;
        };
        let result = tokio::select! {
            result = self.compute(job, Arc::clone(&cancel)) => result,
            () = watching => return,
        };
        match result {
            _ if ended.load(Relaxed) => {
                retry(stop, || self.claims.release_job(&job.id, false)).await;
            }
            Ok(result) => match retry(stop, || self.claims.finish_job(&job.id, &result)).await {
                Some(true) => self.announce(&job.id).await,
                Some(false) => tracing::debug!(kind = job.kind, "the result of a job is no longer needed"),
                None => {}
            },
            Err(error) => {
                error.log();
                tracing::warn!(kind = job.kind, code = error.code(), "a job failed");
                retry(stop, || self.claims.release_job(&job.id, true)).await;
            }
        }
    }

    async fn announce(&self, id: &JobId) {
        self.metrics.proof();
        let notice = Notice { sequence: 0, audience: audience::ALL, body: Vec::new().into() };
        if let Err(error) = self.bus.publish(&topic(id), notice).await {
            tracing::debug!(%error, "could not publish the end of a job");
        }
    }

    /// Completes when this process should abandon the job, because the process is stopping, no node requests
    /// the job any longer, or another process has claimed or finished it.
    async fn watch(&self, id: &JobId, stop: &CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = sleep(POLL_INTERVAL) => {}
            }
            match self.claims.is_job_requested(id).await {
                Ok(true) => {}
                Ok(false) => return,
                // The store may have recovered by the time the result is ready.
                Err(error) => error.log(),
            }
        }
    }

    async fn compute(&self, job: &Job, cancel: Arc<AtomicBool>) -> Result<String, Error> {
        match &*job.kind {
            PROOF => self.proofs.prove_job(&job.body, cancel).await,
            _ => Err(Error::Internal("an unknown kind of job was claimed")),
        }
    }
}

/// Repeats a write until it succeeds or this process stops. Returns `None` if the process stops first. As
/// long as a job is claimed by a process that is running, no other process performs it, so a failed write
/// would leave the job unfinished.
async fn retry<T, F: Future<Output = Result<T, Error>>>(
    stop: &CancellationToken,
    write: impl Fn() -> F,
) -> Option<T> {
    loop {
        match write().await {
            Ok(value) => return Some(value),
            Err(error) => error.log(),
        }
        tokio::select! {
            () = stop.cancelled() => return None,
            () = sleep(POLL_INTERVAL) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_write_is_repeated_until_it_succeeds_or_the_process_stops() {
        let attempts = Cell::new(0);
        let write = || async {
            attempts.set(attempts.get() + 1);
            if attempts.get() < 3 { Err(Error::Busy) } else { Ok(attempts.get()) }
        };
        let stop = CancellationToken::new();
        assert_eq!(retry(&stop, write).await, Some(3));
        stop.cancel();
        let failing = || async { Err::<(), _>(Error::Busy) };
        assert_eq!(retry(&stop, failing).await, None);
    }

    #[test]
    fn a_job_is_identified_by_its_content() {
        assert_eq!(id_of("a", "b"), id_of("a", "b"));
        assert_ne!(id_of("a", "b"), id_of("ab", ""));
        assert_ne!(id_of("a", "b"), id_of("a", "c"));
        assert_eq!(topic(&JobId([0xab; 32])), format!("job-{}", "ab".repeat(32)));
    }
}
