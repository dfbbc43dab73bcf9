use async_trait::async_trait;

use crate::Result;

/// Version numbers that let a process detect that it has missed a notice.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Versions {
    /// The version of the proposals ([`ProposalList::version`](crate::ProposalList::version)).
    pub proposals: u64,
    /// The number of calls to [`announce_change`](ChangeStore::announce_change).
    pub house: u64,
}

/// Changes that concern all processes that use the database.
#[async_trait]
pub trait ChangeStore: Send + Sync {
    async fn versions(&self) -> Result<Versions>;

    /// Makes all processes discard their caches, such as those of sessions and keys. Meant for a process that
    /// changes the database but might not share a bus with the others.
    async fn announce_change(&self) -> Result<()>;
}
