use adoube_vocabulary::{Millis, PlayerId};
use async_trait::async_trait;

use crate::Result;

/// A wish to play, open to all or to one player.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Proposal {
    /// Among seeks and challenges alike there is no second one with this id.
    pub id: String,
    pub from: PlayerId,
    pub to: Option<PlayerId>,
    /// Text that only the server understands.
    pub body: String,
    pub created_at: Millis,
    pub expires_at: Millis,
}

/// What is wished for and has to survive a restart.
#[async_trait]
pub trait ProposalStore: Send + Sync {
    async fn add_proposal(&self, proposal: Proposal) -> Result<()>;

    /// Returns whether it was still there: of many who ask at once, one learns that it was.
    async fn delete_proposal(&self, id: &str) -> Result<bool>;

    /// All that have not expired, oldest first.
    async fn list_proposals(&self, now: Millis) -> Result<Vec<Proposal>>;
}
