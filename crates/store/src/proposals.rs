use adoube_vocabulary::{Millis, PlayerId};
use async_trait::async_trait;

use crate::Result;

/// A seek, open to all, or a challenge to one player.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Proposal {
    /// Unique among seeks and challenges.
    pub id: String,
    pub from: PlayerId,
    pub to: Option<PlayerId>,
    /// Text that only the server can read.
    pub body: String,
    pub created_at: Millis,
    pub expires_at: Millis,
}

/// Open seeks and challenges, which survive a restart.
#[async_trait]
pub trait ProposalStore: Send + Sync {
    async fn add_proposal(&self, proposal: Proposal) -> Result<()>;

    /// Deletes a proposal. Returns `true` if it still existed: of several concurrent calls, one gets `true`.
    async fn delete_proposal(&self, id: &str) -> Result<bool>;

    /// Lists the proposals that have not expired, oldest first.
    async fn list_proposals(&self, now: Millis) -> Result<Vec<Proposal>>;
}
