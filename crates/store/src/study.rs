use adoube_vocabulary::{AnalysisId, CommandId, Millis, PlayerId, Version};
use async_trait::async_trait;

use crate::Result;

/// The first try of a problem by an account: it counts, and no later one does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Try {
    /// The name of the game, and the id of the problem there.
    pub variant: String,
    pub problem: String,
    /// 1 for the first problem of the game that has counted for this account, then without gaps.
    pub number: u32,
    pub command: CommandId,
    pub solved: bool,
    /// The ratings before and after.
    pub before: u16,
    pub after: u16,
    /// How many were solved in a row, this one included.
    pub streak: u32,
    pub at: Millis,
}

/// The end of [`StudyStore::add_try`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Counted {
    Done,
    /// This problem has counted before; the try of then.
    Before(Try),
    /// Another problem has this number: the rating that this try is based on is not the last one.
    Conflict,
    /// There is no such account, or no more.
    NoAccount,
}

/// An analysis that an account keeps, without its text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Analysis {
    pub id: AnalysisId,
    pub name: String,
    /// The name of the game.
    pub variant: String,
    /// 1 when it is added, and one more with every change.
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
    /// How many this account may have, this one included.
    pub most: u32,
    /// How many bytes its analyses and problems may take together.
    pub most_bytes: u64,
}

/// What is analysed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AnalysisText {
    /// The name of the game.
    pub variant: String,
    /// Text that only the server understands.
    pub body: String,
}

/// The end of [`StudyStore::add_analysis`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Saved {
    Done(Analysis),
    /// This command has been sent before; the analysis as it is now.
    Repeated(Analysis),
    /// The account has as many as it may have.
    Full,
    /// The account's analyses and problems would take too many bytes.
    NoRoom,
    /// There is no such account, or no more.
    NoAccount,
}

/// A change of an analysis; what is `None` stays.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AnalysisChange {
    pub id: AnalysisId,
    pub player: PlayerId,
    /// The version that the change is based on.
    pub based_on: Version,
    pub name: Option<String>,
    pub text: Option<AnalysisText>,
    pub at: Millis,
    /// How many bytes the account's analyses and problems may take together.
    pub most_bytes: u64,
}

/// The end of [`StudyStore::change_analysis`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Changed {
    /// It is now as asked for, whether this change has made it so or it was before.
    Done(Analysis),
    /// It has another version, and is something else; nothing was written over.
    Conflict(Analysis),
    /// The player has no such analysis.
    Missing,
    /// The account's analyses and problems would take too many bytes.
    NoRoom,
}

/// What accounts keep of their studies; [`delete_account`](crate::AccountStore::delete_account) forgets it.
#[async_trait]
pub trait StudyStore: Send + Sync {
    /// Adds the first try of a problem, if its number is the next one.
    async fn add_try(&self, player: &PlayerId, new: Try) -> Result<Counted>;

    /// All tries of a player, of one game or of all, in the order of the games' names and of their numbers.
    async fn list_tries(&self, player: &PlayerId, variant: Option<&str>) -> Result<Vec<Try>>;

    async fn add_analysis(&self, new: NewAnalysis) -> Result<Saved>;

    async fn change_analysis(&self, change: AnalysisChange) -> Result<Changed>;

    /// An analysis of this player and its text; none also if it is somebody else's.
    async fn lookup_analysis(&self, player: &PlayerId, id: &AnalysisId)
    -> Result<Option<(Analysis, String)>>;

    /// The analyses of a player, the one changed last first.
    async fn list_analyses(&self, player: &PlayerId) -> Result<Vec<Analysis>>;

    /// Deletes an analysis of a player; returns whether there was one.
    async fn delete_analysis(&self, player: &PlayerId, id: &AnalysisId) -> Result<bool>;
}
