//! Proposals, visitors, game rooms and change counters.

use adoube_store::{
    ChangeStore, Proposal, ProposalAdded, ProposalLimits, ProposalList, ProposalStore, Result, RoomState,
    Versions, VisitorChange, VisitorList, VisitorStore,
};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use async_trait::async_trait;

use crate::{PostgresStore, read, write::hall};

#[async_trait]
impl ProposalStore for PostgresStore {
    async fn add_proposal(&self, proposal: Proposal, limits: &ProposalLimits) -> Result<ProposalAdded> {
        self.database.apply(hall::AddProposal { new: proposal, limits: *limits }).await
    }

    async fn delete_proposal(&self, id: &str) -> Result<bool> {
        self.database.apply(hall::DeleteProposal(id.to_owned())).await
    }

    async fn lookup_proposal(&self, id: &str, now: Millis) -> Result<Option<Proposal>> {
        read::hall::lookup_proposal(&self.database, id, now).await
    }

    async fn list_proposals(&self, now: Millis) -> Result<ProposalList> {
        read::hall::proposals(&self.database, now).await
    }
}

#[async_trait]
impl VisitorStore for PostgresStore {
    async fn set_visitors(
        &self,
        node: &NodeId,
        changes: &[VisitorChange],
        forget_before: Millis,
    ) -> Result<()> {
        hall::set_visitors(&self.database, node, changes, forget_before).await
    }

    async fn list_visitors(&self, names: u32) -> Result<VisitorList> {
        read::hall::visitors(&self.database, names).await
    }

    async fn is_visiting(&self, player: &PlayerId) -> Result<bool> {
        read::hall::is_visiting(&self.database, player).await
    }

    async fn list_absent(&self, players: &[PlayerId], since: Millis) -> Result<Vec<PlayerId>> {
        read::hall::absent(&self.database, players, since).await
    }

    async fn set_watchers(&self, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()> {
        hall::set_watchers(&self.database, node, counts).await
    }

    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>> {
        read::hall::rooms(&self.database, games).await
    }
}

#[async_trait]
impl ChangeStore for PostgresStore {
    async fn versions(&self) -> Result<Versions> {
        read::hall::versions(&self.database).await
    }

    async fn announce_change(&self) -> Result<()> {
        hall::announce_change(&self.database).await
    }
}
