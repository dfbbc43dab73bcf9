//! Leases, presence, claimed work and limits.

use std::sync::atomic::Ordering::Relaxed;

use adoube_store::{
    DeadNode, Job, JobId, JobState, LeaseRequest, LimitStore, NewJob, NodeStore, Presence, PresenceChange,
    Renewal, Result, TakeOutcome, TokenRequest, WorkStore, WorkerRenewal,
};
use adoube_vocabulary::{Color, GameId, Millis, NodeId, PlayerId};
use async_trait::async_trait;

use crate::{
    PostgresStore, read,
    write::{limits, nodes, work},
};

#[async_trait]
impl NodeStore for PostgresStore {
    fn is_shared(&self) -> bool {
        true
    }

    async fn time(&self) -> Result<Option<Millis>> {
        read::nodes::time(&self.database).await.map(Some)
    }

    async fn renew_lease(&self, request: LeaseRequest, since: Millis) -> Result<Renewal> {
        nodes::renew_lease(&self.database, request, since).await
    }

    async fn last_renewal(&self, id: &NodeId) -> Result<Option<Millis>> {
        read::nodes::last_renewal(&self.database, id).await
    }

    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()> {
        self.database.apply(nodes::ReleaseLease { id: id.clone(), now }).await
    }

    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
        nodes::take_over(&self.database, by, now).await
    }

    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool> {
        self.database.apply(nodes::ForgetNode { by: by.clone(), id: id.clone(), now }).await
    }

    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
        nodes::set_presence(&self.database, id, changes).await
    }

    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence> {
        read::nodes::presence(&self.database, game, color, now).await
    }

    async fn tidy_presence(&self, before: Millis, limit: u32) -> Result<u64> {
        nodes::tidy_presence(&self.database, before, limit).await
    }

    async fn claim_machine_turn(&self, id: &NodeId, game: &GameId, now: Millis) -> Result<bool> {
        work::claim_machine_turn(&self.database, id, game, now).await
    }
}

#[async_trait]
impl WorkStore for PostgresStore {
    async fn renew_worker(
        &self,
        id: &NodeId,
        address: &str,
        now: Millis,
        since: Millis,
    ) -> Result<WorkerRenewal> {
        let (id, address) = (id.clone(), address.to_owned());
        self.database.apply(work::RenewWorker { id, address, now, since }).await
    }

    async fn release_worker(&self, id: &NodeId) -> Result<()> {
        work::release_worker(&self.database, id).await
    }

    async fn list_unclaimed_turns(
        &self,
        by: &NodeId,
        now: Millis,
        waiting_since: Millis,
        limit: u32,
    ) -> Result<Vec<GameId>> {
        work::list_unclaimed_turns(&self.database, by, now, waiting_since, limit).await
    }

    async fn request_job(&self, job: &NewJob) -> Result<JobState> {
        work::request_job(&self.database, job).await
    }

    async fn claim_job(
        &self,
        by: &NodeId,
        kinds: &[&str],
        now: Millis,
        requested_before: Millis,
    ) -> Result<Option<Job>> {
        work::claim_job(&self.database, by, kinds, now, requested_before).await
    }

    async fn is_job_requested(&self, id: &JobId, by: &NodeId, now: Millis) -> Result<bool> {
        work::is_job_requested(&self.database, id, by, now).await
    }

    async fn finish_job(&self, id: &JobId, by: &NodeId, result: &str) -> Result<bool> {
        work::finish_job(&self.database, id, by, result).await
    }

    async fn release_job(&self, id: &JobId, by: &NodeId, failed: bool) -> Result<()> {
        work::release_job(&self.database, id, by, failed).await
    }

    async fn forget_jobs(&self, now: Millis) -> Result<u64> {
        work::forget_jobs(&self.database, now).await
    }

    async fn claim_reminders(&self, by: &NodeId, now: Millis, limit: u32) -> Result<Vec<(PlayerId, GameId)>> {
        work::claim_reminders(&self.database, by, now, limit).await
    }

    async fn confirm_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()> {
        work::confirm_reminder(&self.database, player, game).await
    }
}

/// The number of calls to `take` after which full buckets are deleted. Each time, more buckets can be deleted
/// than were added since the previous time.
const FORGET_EVERY: u64 = 50;

#[async_trait]
impl LimitStore for PostgresStore {
    async fn take(&self, requests: &[TokenRequest], now: Millis) -> Result<TakeOutcome> {
        if self.take_calls.fetch_add(1, Relaxed).is_multiple_of(FORGET_EVERY) {
            limits::delete_full_buckets(&self.database, now).await?;
        }
        self.database.apply(limits::TakeTokens::new(requests, now)).await
    }

    async fn return_tokens(&self, requests: &[TokenRequest], _: Millis) -> Result<()> {
        self.database.apply(limits::ReturnTokens(requests.to_vec())).await
    }
}
