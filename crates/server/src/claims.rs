//! This process's claims on work that other processes could also do.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use adoube_protocol::{GameId, Millis};
use adoube_store::{Job, JobId, NodeId, Store};

use crate::{clock::Clock, error::Error};

/// Makes claims for a node or worker. A claim is valid for as long as the claimant's lease.
#[derive(Debug)]
pub(crate) struct Claims {
    id: NodeId,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    is_paused: AtomicBool,
}

impl Claims {
    pub(crate) fn new(id: NodeId, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { id, store, clock, is_paused: AtomicBool::new(false) }
    }

    /// Returns `true` if other processes may do the same work.
    pub(crate) fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Pauses or resumes claiming new work.
    pub(crate) fn set_paused(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Relaxed);
    }

    /// Claims the machine's task in a game. Returns `true` if this process may work on it. At any time, only
    /// one process may.
    pub(crate) async fn claim_machine_turn(&self, game: &GameId) -> Result<bool, Error> {
        if !self.is_shared() {
            return Ok(true);
        }
        if self.is_paused.load(Relaxed) {
            return Ok(false);
        }
        Ok(self.store.claim_machine_turn(&self.id, game, self.clock.now()).await?)
    }

    /// Returns at most `limit` games in which the machine has a task that has waited for at least
    /// `waiting_ms` and that no other process has claimed.
    pub(crate) async fn unclaimed_turns(&self, waiting_ms: i64, limit: u32) -> Result<Vec<GameId>, Error> {
        if self.is_paused.load(Relaxed) {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        Ok(self.store.list_unclaimed_turns(&self.id, now, Millis(now.0 - waiting_ms), limit).await?)
    }

    /// Claims a job of one of these kinds that has waited for at least `waiting_ms`, and returns it.
    pub(crate) async fn claim_job(&self, kinds: &[&str], waiting_ms: i64) -> Result<Option<Job>, Error> {
        if self.is_paused.load(Relaxed) {
            return Ok(None);
        }
        let now = self.clock.now();
        Ok(self.store.claim_job(&self.id, kinds, now, Millis(now.0 - waiting_ms)).await?)
    }

    pub(crate) async fn is_job_requested(&self, id: &JobId) -> Result<bool, Error> {
        Ok(self.store.is_job_requested(id, &self.id, self.clock.now()).await?)
    }

    /// Stores the result of a job. Returns `false` if another process has claimed or finished the job in the
    /// meantime, or the job was deleted.
    pub(crate) async fn finish_job(&self, id: &JobId, result: &str) -> Result<bool, Error> {
        Ok(self.store.finish_job(id, &self.id, result).await?)
    }

    /// Gives up the claim on a job that has no result. `failed` says whether to count the attempt as a
    /// failure.
    pub(crate) async fn release_job(&self, id: &JobId, failed: bool) -> Result<(), Error> {
        Ok(self.store.release_job(id, &self.id, failed).await?)
    }

    /// Deletes jobs whose results are no longer needed.
    pub(crate) async fn forget_jobs(&self) -> Result<(), Error> {
        self.store.forget_jobs(self.clock.now()).await?;
        Ok(())
    }
}
