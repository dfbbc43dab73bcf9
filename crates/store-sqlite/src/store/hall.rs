//! Proposals, visitors, game rooms and change counters.

use adoube_store::{
    ChangeStore, Proposal, ProposalAdded, ProposalLimits, ProposalList, ProposalStore, Result, RoomState,
    Versions, VisitorChange, VisitorList, VisitorStore,
};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use async_trait::async_trait;

use crate::{SqliteStore, read, write::hall};

#[async_trait]
impl ProposalStore for SqliteStore {
    async fn add_proposal(&self, proposal: Proposal, limits: &ProposalLimits) -> Result<ProposalAdded> {
        self.writer.apply(hall::AddProposal { new: proposal, limits: *limits }).await
    }

    async fn delete_proposal(&self, id: &str) -> Result<bool> {
        self.writer.apply(hall::DeleteProposal(id.to_owned())).await
    }

    async fn lookup_proposal(&self, id: &str, now: Millis) -> Result<Option<Proposal>> {
        read::hall::lookup_proposal(&self.readers, id, now).await
    }

    async fn list_proposals(&self, now: Millis) -> Result<ProposalList> {
        read::hall::proposals(&self.readers, now).await
    }
}

#[async_trait]
impl VisitorStore for SqliteStore {
    async fn set_visitors(
        &self,
        node: &NodeId,
        changes: &[VisitorChange],
        forget_before: Millis,
    ) -> Result<()> {
        self.writer
            .apply(hall::SetVisitors { node: node.clone(), changes: changes.to_vec(), forget_before })
            .await
    }

    async fn list_visitors(&self, names: u32) -> Result<VisitorList> {
        read::hall::visitors(&self.readers, names).await
    }

    async fn is_visiting(&self, player: &PlayerId) -> Result<bool> {
        read::hall::is_visiting(&self.readers, player).await
    }

    async fn list_absent(&self, players: &[PlayerId], since: Millis) -> Result<Vec<PlayerId>> {
        read::hall::absent(&self.readers, players, since).await
    }

    async fn set_watchers(&self, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()> {
        self.writer.apply(hall::SetWatchers { node: node.clone(), counts: counts.to_vec() }).await
    }

    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>> {
        read::hall::rooms(&self.readers, games).await
    }
}

#[async_trait]
impl ChangeStore for SqliteStore {
    async fn versions(&self) -> Result<Versions> {
        read::hall::versions(&self.readers).await
    }

    async fn announce_change(&self) -> Result<()> {
        self.writer.apply(hall::AnnounceChange).await
    }
}
