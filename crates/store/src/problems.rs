//! Problems that people have composed.

use adoube_vocabulary::{CommandId, Millis, PlayerId, ProblemId};
use async_trait::async_trait;

use crate::Result;

/// A problem that is to be shown to everybody.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewProblem {
    pub id: ProblemId,
    /// Who has an account.
    pub owner: PlayerId,
    /// By which it was published: a repeat is recognised.
    pub command: CommandId,
    /// The name of the game.
    pub variant: String,
    /// What no other problem of this game may have: text that only the server understands.
    pub position: String,
    pub title: Option<String>,
    /// Text that only the server understands.
    pub document: String,
    pub created_at: Millis,
    /// How many bytes the owner's analyses and problems may take together.
    pub most_bytes: u64,
}

/// The end of [`ProblemStore::add_problem`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Published {
    Done,
    /// This command has been sent before; the problem of then, which may have been withdrawn since.
    Repeated(ProblemId),
    /// Another problem has this position.
    Known(ProblemId),
    /// Another problem has that id already.
    IdTaken,
    /// The owner's analyses and problems would take too many bytes.
    NoRoom,
}

/// A problem as it is kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeptProblem {
    pub id: ProblemId,
    pub owner: PlayerId,
    /// Of the owner's account, as long as there is one.
    pub name: Option<String>,
    pub variant: String,
    pub title: Option<String>,
    pub document: String,
    pub created_at: Millis,
}

/// Where a page of a list of problems begins: after the one with these.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProblemCursor {
    pub at: Millis,
    pub id: ProblemId,
}

/// Which problems are listed.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ProblemFilter {
    pub variant: Option<String>,
    pub owner: Option<PlayerId>,
    pub after: Option<ProblemCursor>,
    pub limit: u32,
}

#[async_trait]
pub trait ProblemStore: Send + Sync {
    async fn add_problem(&self, new: NewProblem) -> Result<Published>;

    /// The problem that this player has published by that command, withdrawn or not.
    async fn lookup_publication(&self, owner: &PlayerId, command: CommandId) -> Result<Option<ProblemId>>;

    /// The problem that has a position.
    async fn lookup_problem_at(&self, variant: &str, position: &str) -> Result<Option<ProblemId>>;

    /// A problem that has not been withdrawn.
    async fn lookup_problem(&self, id: &ProblemId) -> Result<Option<KeptProblem>>;

    /// Problems that have not been withdrawn, newest first.
    async fn list_problems(&self, filter: &ProblemFilter) -> Result<Vec<KeptProblem>>;

    /// Forgets a problem of a player but that there was one; returns whether there was.
    async fn withdraw_problem(&self, owner: &PlayerId, id: &ProblemId) -> Result<bool>;
}
