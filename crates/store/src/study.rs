use adoube_vocabulary::{AnalysisId, CommandId, Millis, PlayerId, Version};
use async_trait::async_trait;

use crate::Result;

/// An account's first attempt at a problem. Later attempts at the same problem do not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attempt {
    /// The name of the variant, and the id of the problem in it.
    pub variant: String,
    pub problem: String,
    /// The number of this attempt among those that counted for the account in the variant, from 1 without
    /// gaps.
    pub number: u32,
    pub command: CommandId,
    pub solved: bool,
    /// The ratings before and after the attempt.
    pub before: u16,
    pub after: u16,
    /// The number of problems solved in a row, including this one.
    pub streak: u32,
    pub at: Millis,
}

/// The outcome of [`StudyStore::add_attempt`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AttemptOutcome {
    Done,
    /// This problem has already counted. Contains the earlier attempt.
    AlreadyCounted(Attempt),
    /// This is not the next number, so the attempt is not based on the latest rating.
    Conflict,
    /// The account does not exist, or was deleted.
    NoAccount,
}

/// An analysis saved by an account, without its text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Analysis {
    pub id: AnalysisId,
    pub name: String,
    /// The name of the variant.
    pub variant: String,
    /// 1 for a new analysis; each change adds one.
    pub version: Version,
    pub created_at: Millis,
    pub changed_at: Millis,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewAnalysis {
    pub id: AnalysisId,
    pub player: PlayerId,
    pub command: CommandId,
    pub name: String,
    pub text: AnalysisText,
    pub at: Millis,
    /// The maximum number of analyses that the account may have, including this one.
    pub max_analyses: u32,
    /// The maximum number of bytes that the account's analyses and problems may take together.
    pub max_bytes: u64,
}

/// The content of an analysis.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AnalysisText {
    /// The name of the variant.
    pub variant: String,
    /// Text that only the server interprets.
    pub body: String,
}

/// The outcome of [`StudyStore::add_analysis`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SaveOutcome {
    Done(Analysis),
    /// This command has already been sent. Contains the current analysis.
    Repeated(Analysis),
    /// The account has the maximum number of analyses.
    Full,
    /// The account's analyses and problems would take too many bytes.
    NoRoom,
    /// The account does not exist, or was deleted.
    NoAccount,
}

/// A change to an analysis. Fields that are `None` do not change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AnalysisChange {
    pub id: AnalysisId,
    pub player: PlayerId,
    /// The version that the change is based on.
    pub based_on: Version,
    pub name: Option<String>,
    pub text: Option<AnalysisText>,
    pub at: Millis,
    /// The maximum number of bytes that the account's analyses and problems may take together.
    pub max_bytes: u64,
}

/// The outcome of [`StudyStore::change_analysis`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ChangeOutcome {
    /// The analysis now has the requested content, whether from this change or an earlier one.
    Done(Analysis),
    /// The analysis has a different version with different content, so it was not changed.
    Conflict(Analysis),
    /// The player has no such analysis.
    Missing,
    /// The account's analyses and problems would take too many bytes.
    NoRoom,
}

/// The attempts and analyses that belong to accounts.
/// [`delete_account`](crate::AccountStore::delete_account) deletes them.
#[async_trait]
pub trait StudyStore: Send + Sync {
    /// Adds the first attempt at a problem, if its number is the next one.
    async fn add_attempt(&self, player: &PlayerId, new: Attempt) -> Result<AttemptOutcome>;

    /// Lists a player's attempts in one variant or in all, ordered by variant name, then by number.
    async fn list_attempts(&self, player: &PlayerId, variant: Option<&str>) -> Result<Vec<Attempt>>;

    async fn add_analysis(&self, new: NewAnalysis) -> Result<SaveOutcome>;

    async fn change_analysis(&self, change: AnalysisChange) -> Result<ChangeOutcome>;

    /// Looks up an analysis and its text. Returns `None` if it does not exist or belongs to another player.
    async fn lookup_analysis(&self, player: &PlayerId, id: &AnalysisId)
    -> Result<Option<(Analysis, String)>>;

    /// Lists a player's analyses, at most 1,000, most recently changed first.
    async fn list_analyses(&self, player: &PlayerId) -> Result<Vec<Analysis>>;

    /// Deletes a player's analysis. Returns `false` if it did not exist.
    async fn delete_analysis(&self, player: &PlayerId, id: &AnalysisId) -> Result<bool>;
}
