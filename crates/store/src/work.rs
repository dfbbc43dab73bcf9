//! Work that processes hand over to each other: machine turns, long computations (jobs), and reminders that
//! are due.
//!
//! A worker is a process that does such work but does not serve players. It holds a lease like a node, but is
//! not a node: a period in which only workers run is a downtime, because no game can be played.
//!
//! A database for a single process needs no handover and uses the default implementations.

use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use async_trait::async_trait;

use crate::{Downtime, Result, StoreError};

/// Number of attempts at a job before it is given up: the next attempt would probably fail or kill its
/// worker, too.
pub const JOB_ATTEMPTS: u32 = 3;
/// How long a finished or abandoned job is stored, in milliseconds, so that a request repeated after a node
/// has died finds the result.
pub const JOB_RETENTION_MS: i64 = 60_000;

/// The state of a worker's lease after a renewal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WorkerRenewal {
    /// Whether the lease was still valid. If not, other workers may have claimed this worker's tasks.
    pub was_valid: bool,
    /// The downtimes that end after the requested time, in order.
    pub downtimes: Vec<Downtime>,
}

/// Identifies a job by its content, so that a repeated request finds the existing job.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct JobId(pub [u8; 32]);

/// A request for a job.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewJob {
    pub id: JobId,
    /// The kind of job, which is opaque to the store. A worker claims only the kinds that it knows.
    pub kind: &'static str,
    /// Text that only the server interprets.
    pub body: String,
    pub now: Millis,
    /// The time at which the job is abandoned unless it is requested again.
    pub requested_until: Millis,
}

/// The state of a job.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JobState {
    /// No live process is working on it.
    Waiting,
    Running,
    /// Contains the result: text that only the server interprets.
    Done(String),
    /// [`JOB_ATTEMPTS`] attempts at the job failed, or their workers died.
    GivenUp,
}

/// A claimed job.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub kind: String,
    pub body: String,
}

/// Workers, jobs and due reminders. A claim is valid only while the node or worker that made it holds a valid
/// lease. `now` is the time by the clock that all processes share.
#[async_trait]
pub trait WorkStore: Send + Sync {
    /// Adds a worker, or renews its lease for [`LEASE_MS`](crate::LEASE_MS). The lease of an earlier worker
    /// with the same address ends. Returns the downtimes that end after `since`.
    async fn renew_worker(
        &self,
        _id: &NodeId,
        _address: &str,
        _now: Millis,
        _since: Millis,
    ) -> Result<WorkerRenewal> {
        Err(not_shared_error())
    }

    /// Ends the lease of a worker, and with it all its claims.
    async fn release_worker(&self, _id: &NodeId) -> Result<()> {
        Err(not_shared_error())
    }

    /// Lists games in which the machine has a task, longest wait first. Their last event is no later than
    /// `waiting_since`, and no live process other than `by` has
    /// [claimed](crate::NodeStore::claim_machine_turn) the turn.
    async fn list_unclaimed_turns(
        &self,
        _by: &NodeId,
        _now: Millis,
        _waiting_since: Millis,
        _limit: u32,
    ) -> Result<Vec<GameId>> {
        Ok(Vec::new())
    }

    /// Adds a job, unless it already exists, and returns its state. Must be called again until the result is
    /// available, because a job is abandoned unless it is requested again before its `requested_until`.
    async fn request_job(&self, _job: &NewJob) -> Result<JobState> {
        Err(not_shared_error())
    }

    /// Claims the job of one of these kinds that has waited longest, among those first requested no later
    /// than `requested_before`.
    async fn claim_job(
        &self,
        _by: &NodeId,
        _kinds: &[&str],
        _now: Millis,
        _requested_before: Millis,
    ) -> Result<Option<Job>> {
        Ok(None)
    }

    /// Returns `true` if this process should continue a job that it has claimed, because a visitor is still
    /// waiting for the result and no other process has claimed the job.
    async fn is_job_requested(&self, _id: &JobId, _by: &NodeId, _now: Millis) -> Result<bool> {
        Ok(false)
    }

    /// Stores the result of a job. Returns `false`, without storing it, if another process has claimed the
    /// job in the meantime, or if the job is already finished.
    async fn finish_job(&self, _id: &JobId, _by: &NodeId, _result: &str) -> Result<bool> {
        Ok(false)
    }

    /// Ends the claim on a job without a result. `failed` is `true` if the attempt counts.
    async fn release_job(&self, _id: &JobId, _by: &NodeId, _failed: bool) -> Result<()> {
        Ok(())
    }

    /// Deletes jobs, finished or not, whose `requested_until` is at least [`JOB_RETENTION_MS`] in the past,
    /// at most 1,000 at a time. Returns their number.
    async fn forget_jobs(&self, _now: Millis) -> Result<u64> {
        Ok(0)
    }

    /// Claims at most `limit` reminders that are due and that no live process has claimed.
    async fn claim_reminders(
        &self,
        _by: &NodeId,
        _now: Millis,
        _limit: u32,
    ) -> Result<Vec<(PlayerId, GameId)>> {
        Ok(Vec::new())
    }

    /// Records that a reminder was sent, so that it is not claimed again.
    async fn confirm_reminder(&self, _player: &PlayerId, _game: &GameId) -> Result<()> {
        Ok(())
    }
}

fn not_shared_error() -> StoreError {
    StoreError::Statement {
        source: "this database serves a single process, which cannot hand work over".into(),
    }
}
