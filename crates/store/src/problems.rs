//! Composed problems.

use adoube_vocabulary::{CommandId, Millis, PlayerId, ProblemId};
use async_trait::async_trait;

use crate::Result;

/// A problem to be published.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewProblem {
    pub id: ProblemId,
    /// The author, who has an account.
    pub owner: PlayerId,
    /// The id of the command that publishes the problem. It identifies a repeated command.
    pub command: CommandId,
    /// The name of the variant.
    pub variant: String,
    /// Identifies the position: only one published problem of the variant may have it. Opaque to the store.
    pub position: String,
    pub title: Option<String>,
    /// Text that only the server interprets.
    pub document: String,
    pub created_at: Millis,
    /// The maximum number of bytes that the owner's analyses and problems may take together.
    pub max_bytes: u64,
}

/// The outcome of [`ProblemStore::add_problem`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Published {
    Done,
    /// This command has already been sent. Contains the id of its problem, which may have been withdrawn
    /// since.
    Repeated(ProblemId),
    /// Another problem has this position.
    Known(ProblemId),
    /// Another problem already has this id.
    IdTaken,
    /// The owner's analyses and problems would take too many bytes.
    NoRoom,
}

/// A published problem.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredProblem {
    pub id: ProblemId,
    pub owner: PlayerId,
    /// The name of the owner's account, while it exists.
    pub name: Option<String>,
    pub variant: String,
    pub title: Option<String>,
    pub document: String,
    pub created_at: Millis,
}

/// The last problem of a page in a list of problems, after which the next page starts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProblemCursor {
    pub at: Millis,
    pub id: ProblemId,
}

/// Selects problems for a list.
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

    /// Returns the id of the problem that a player has published with this command, withdrawn or not.
    async fn lookup_publication(&self, owner: &PlayerId, command: CommandId) -> Result<Option<ProblemId>>;

    /// Returns the id of the published problem with this position.
    async fn lookup_problem_at(&self, variant: &str, position: &str) -> Result<Option<ProblemId>>;

    /// Looks up a problem that has not been withdrawn.
    async fn lookup_problem(&self, id: &ProblemId) -> Result<Option<StoredProblem>>;

    /// Lists the problems that have not been withdrawn, newest first.
    async fn list_problems(&self, filter: &ProblemFilter) -> Result<Vec<StoredProblem>>;

    /// Withdraws a player's problem, deleting its position, title and document. Returns `false` if the player
    /// has no such problem.
    async fn withdraw_problem(&self, owner: &PlayerId, id: &ProblemId) -> Result<bool>;
}
