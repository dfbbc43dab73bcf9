//! Leases, presence, claimed work and limits.

use adoube_store::{
    DeadNode, LeaseRequest, LimitStore, NodeStore, Presence, PresenceChange, Renewal, Result, TakeOutcome,
    TokenRequest, WorkStore,
};
use adoube_vocabulary::{Color, GameId, Millis, NodeId};
use async_trait::async_trait;

use crate::{SqliteStore, read, write::nodes};

#[async_trait]
impl NodeStore for SqliteStore {
    fn is_shared(&self) -> bool {
        // The lock file prevents other servers from opening the file.
        false
    }

    async fn time(&self) -> Result<Option<Millis>> {
        Ok(None)
    }

    async fn renew_lease(&self, request: LeaseRequest, since: Millis) -> Result<Renewal> {
        self.writer.apply(nodes::RenewLease { request, since }).await
    }

    async fn last_renewal(&self, id: &NodeId) -> Result<Option<Millis>> {
        read::nodes::last_renewal(&self.readers, id).await
    }

    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()> {
        self.writer.apply(nodes::ReleaseLease { id: id.clone(), now }).await
    }

    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
        self.writer.apply(nodes::TakeOver { by: by.clone(), now }).await
    }

    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool> {
        self.writer.apply(nodes::ForgetNode { by: by.clone(), id: id.clone(), now }).await
    }

    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
        self.writer.apply(nodes::SetPresence { id: id.clone(), changes: changes.to_vec() }).await
    }

    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence> {
        read::nodes::presence(&self.readers, game, color, now).await
    }

    async fn tidy_presence(&self, before: Millis, limit: u32) -> Result<u64> {
        self.writer.apply(nodes::TidyPresence { before, limit }).await
    }

    async fn claim_machine_turn(&self, id: &NodeId, game: &GameId, now: Millis) -> Result<bool> {
        self.writer.apply(nodes::ClaimMachineTurn { id: id.clone(), game: game.clone(), now }).await
    }
}

impl WorkStore for SqliteStore {}

/// Keeps the buckets in memory, because only one process can serve the file.
#[async_trait]
impl LimitStore for SqliteStore {
    async fn take(&self, requests: &[TokenRequest], now: Millis) -> Result<TakeOutcome> {
        Ok(self.limits.take(requests, now))
    }

    async fn return_tokens(&self, requests: &[TokenRequest], _: Millis) -> Result<()> {
        self.limits.return_tokens(requests);
        Ok(())
    }
}
