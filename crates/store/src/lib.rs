//! What is kept of games and players.
//!
//! The log of a game is the truth: an append-only list of events with a version. All else here (seats, the result
//! and the summary of a game, whose turn it is for the machine) follows from the log and is written in the same
//! transaction, so that lists need not replay games.
//!
//! The store does not know what an event means. It promises two things, and `story` (behind the feature of that name) holds every
//! database to them:
//!
//! 1. **Compare and append.** An append names the version that it is based on. Of two that name the same one,
//!    one is done and the other is told of the conflict.
//! 2. **Done means durable.** An answer comes after the commit, never before.
#![cfg_attr(not(any(test, feature = "story")), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod accounts;
mod chat;
mod error;
mod models;
mod problems;
mod proposals;
mod second_factor;
#[cfg(feature = "story")]
mod story;
mod study;
mod tidy;

use adoube_vocabulary::{CommandId, GameId, InvitationToken, MatchId, Millis, PlayerId, Version};
use async_trait::async_trait;

pub use accounts::{
    Account, AccountStore, Credentials, NameLook, NameStore, NewAccount, NewMail, NewSession, Recovered,
    Registered, SESSIONS_PER_ACCOUNT, Session, TokenHash,
};
pub use chat::{ChatStore, KEPT_AROUND, Line, NewLine, NewReport, Report, Said};
pub use error::StoreError;
pub use models::{
    Append, Appended, Boot, Command, Created, Cursor, Downtime, Game, GameFilter, Invitation, ListedGame,
    Match, MatchedGame, Names, NewEvent, NewGame, Phase, RunningGame, Seat, Shadow, StoredEvent,
};
pub use problems::{KeptProblem, NewProblem, ProblemCursor, ProblemFilter, ProblemStore, Published};
pub use proposals::{Proposal, ProposalStore};
pub use second_factor::{SecondFactor, SecondFactorStore};
#[cfg(feature = "story")]
pub use story::story;
pub use study::{
    Analysis, AnalysisChange, AnalysisText, Changed, Counted, NewAnalysis, Saved, StudyStore, Try,
};
pub use tidy::{Ages, Tidied};

pub type Result<T> = std::result::Result<T, StoreError>;

/// Everything the server asks of a database.
pub trait Store:
    GameStore
    + AccountStore
    + SecondFactorStore
    + NameStore
    + ProposalStore
    + ChatStore
    + ProblemStore
    + StudyStore
{
}

impl<T> Store for T where
    T: GameStore
        + AccountStore
        + SecondFactorStore
        + NameStore
        + ProposalStore
        + ChatStore
        + ProblemStore
        + StudyStore
{
}

/// The games, and the database as a whole.
#[async_trait]
pub trait GameStore: Send + Sync + std::fmt::Debug {
    /// The secret of that name: the one that is kept, or else `fresh`, which is kept from now on.
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>>;

    /// Sets a secret, whatever it was before.
    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()>;

    /// Adds a game with its first events. If the same player has already sent that command, nothing is added and
    /// the answer of the first time comes back.
    async fn add_game(&self, game: NewGame) -> Result<Created>;

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>>;

    /// Whether the hall shows a game while it is played; false for a game that does not exist.
    async fn is_public(&self, id: &GameId) -> Result<bool>;

    /// Events after that version, in order. Empty also for a game that does not exist.
    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>>;

    /// Appends events to a game, if it still has the version that they are based on.
    async fn append(&self, append: Append) -> Result<Appended>;

    /// The answer to a command that this player has sent before.
    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>>;

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>>;

    /// Games in which a player has a seat: the waiting ones by their deadline, those that are played or finished by
    /// their last event, newest first, and all of them by their age, newest first.
    async fn list_games(&self, filter: &GameFilter) -> Result<Vec<ListedGame>>;

    /// Public games that are being played, newest first.
    async fn list_public(&self, limit: u32) -> Result<Vec<ListedGame>>;

    /// Games in which the machine is to move, those first that have waited longest: a page of them, after that one.
    async fn list_awaiting_machine(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<Cursor>>;

    /// Games that end if nothing happens.
    async fn list_running(&self) -> Result<Vec<RunningGame>>;

    async fn add_match(&self, new: Match) -> Result<()>;

    async fn lookup_match(&self, id: &MatchId) -> Result<Option<Match>>;

    /// The games of a match, in the order in which they were created.
    async fn list_match(&self, id: &MatchId) -> Result<Vec<MatchedGame>>;

    /// Says that a server is here, at that time.
    async fn beat(&self, now: Millis) -> Result<()>;

    /// Says that a server begins, and returns for how long none was there: since the last [`beat`](Self::beat), and
    /// all such times before.
    async fn wake(&self, now: Millis) -> Result<Vec<Downtime>>;

    /// Keeps a time in which the server stood still, found out by itself; one that begins at the same moment grows.
    /// [`wake`](Self::wake) returns it from then on.
    async fn add_downtime(&self, downtime: Downtime) -> Result<()>;

    /// The latest time that a server has written: by a [`beat`](Self::beat), or with an event of a game that runs.
    async fn newest(&self) -> Result<Option<Millis>>;

    /// What was last written by [`set_last_boot`](Self::set_last_boot).
    async fn last_boot(&self) -> Result<Option<Boot>> {
        Ok(None)
    }

    /// Notes when the machine of the server was booted, by its clock.
    async fn set_last_boot(&self, _: &Boot) -> Result<()> {
        Ok(())
    }

    /// Deletes what is older than it may become, at most `limit` of each kind; with `dry_run`, only counts it, all of it.
    async fn tidy(&self, before: &Ages, limit: u32, dry_run: bool) -> Result<Tidied>;

    /// Tells whether the database answers, is where it was, and has room for more. Costs a sync of the disk.
    async fn check(&self) -> Result<()>;

    /// Returns how many bytes can still be written where the data is, if that can be told. May block for a moment.
    fn free_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns when the store can no longer keep its promises, for instance because the disk refused to sync.
    /// The process should then end: what the disk holds is known again only after a restart.
    async fn failed(&self) -> StoreError {
        std::future::pending().await
    }

    /// Ends all writing; what was acknowledged is on the disk already.
    async fn close(&self);
}
