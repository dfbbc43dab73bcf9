//! Models of the stored data, and the traits that a database implements.
//!
//! The log of a game, an append-only list of events with a version, is the source of truth. The seats, the
//! result, the summary and whether the machine has to act are a read model: they are derived from the log and
//! written in the same transaction, so that games need not be replayed for lists.
//!
//! The store does not interpret events. It gives two guarantees, the first of which the contract
//! test (behind the `contract-test` feature) checks for every database:
//!
//! 1. **Compare and append.** An append names the version that it is based on. If two appends name the same
//!    version, one succeeds and the other reports a conflict.
//! 2. **Done means durable.** A write is acknowledged after the commit, never before.
#![cfg_attr(
    not(any(test, feature = "contract-test")),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod accounts;
mod administration;
mod blocks;
pub mod chain;
mod changes;
mod chat;
pub mod columns;
#[cfg(feature = "contract-test")]
mod contract;
pub mod copy;
mod error;
mod identities;
mod inspection;
mod limits;
pub mod migrations;
mod models;
mod nodes;
mod problems;
mod proposals;
mod push;
mod second_factor;
mod study;
mod tidy;
mod visitors;
mod work;
mod write_counts;

use adoube_vocabulary::{CommandId, GameId, InvitationToken, MatchId, Millis, PlayerId, Version};
use async_trait::async_trait;

pub use accounts::{
    Account, AccountStore, Admission, Credentials, Deleted, NameRetirement, NameSkeleton, NameStore,
    NewAccount, NewMail, NewSession, Recovered, Registered, SESSIONS_PER_ACCOUNT, Session, TokenHash,
    typed_account,
};
pub use administration::{
    AUDIT, AccountChange, AccountStatus, AdminChange, AdminStore, Administered, AuditEntry, Class,
    ClassSummary, Handled, HandledReport, HouseInvitation, Member, MemberFilter, MemberSearch, Membership,
    NewAuditEntry, NewHouseInvitation, Statistics, check_audit, next_entry,
};
pub use adoube_vocabulary::NodeId;
pub use blocks::{BLOCKS_PER_ACCOUNT, BlockStore, Blocked, BlockedPlayer, Blocks};
pub use changes::{ChangeStore, Versions};
pub use chat::{CONTEXT_MESSAGES, ChatAdded, ChatMessage, ChatStore, NewChatMessage, NewReport, Report};
#[cfg(feature = "contract-test")]
pub use contract::{check_concurrency, check_contract};
pub use error::StoreError;
pub use identities::{ExternalIdentity, IdentityStore, Linked, Unlinked};
pub use inspection::Inspection;
pub use limits::{BucketKey, LimitStore, MemoryLimits, TakeOutcome, TokenRequest};
pub use models::{
    Append, Appended, Boot, CommandRecord, Created, Cursor, Downtime, Game, GameFilter, Invitation,
    ListedGame, Match, MatchedGame, NewEvent, NewGame, Phase, PlayerNames, ReadModel, RunningGame, Seat,
    StoredEvent,
};
pub use nodes::{
    CutOffPlayer, DeadNode, LEASE_MS, LeaseClock, LeaseRequest, Node, NodeStore, Presence, PresenceChange,
    PresenceRow, Renewal, STARTING_LEASE_MS,
};
pub use problems::{NewProblem, ProblemCursor, ProblemFilter, ProblemStore, Published, StoredProblem};
pub use proposals::{
    Proposal, ProposalAdded, ProposalCounts, ProposalLimit, ProposalLimits, ProposalList, ProposalStore,
};
pub use push::{PUSH_SUBSCRIPTIONS_PER_ACCOUNT, PushDevice, PushStore, PushSubscription};
pub use second_factor::{SecondFactor, SecondFactorStore};
pub use study::{
    Analysis, AnalysisChange, AnalysisText, Attempt, AttemptOutcome, ChangeOutcome, NewAnalysis, SaveOutcome,
    StudyStore,
};
pub use tidy::{Ages, Tidied};
pub use visitors::{RoomState, VisitorChange, VisitorList, VisitorName, VisitorStore};
pub use work::{JOB_ATTEMPTS, JOB_RETENTION_MS, Job, JobId, JobState, NewJob, WorkStore, WorkerRenewal};
pub use write_counts::{GROUP_SIZES, WriteCounter, WriteCounts};

/// The name of the secret that holds the id of the house: 16 random bytes, which are not confidential.
pub const HOUSE_ID: &str = "house-id";

pub type Result<T> = std::result::Result<T, StoreError>;

/// Everything that the server needs from a database.
pub trait Store:
    GameStore
    + AccountStore
    + IdentityStore
    + BlockStore
    + PushStore
    + AdminStore
    + SecondFactorStore
    + NodeStore
    + WorkStore
    + LimitStore
    + NameStore
    + ProposalStore
    + VisitorStore
    + ChangeStore
    + ChatStore
    + ProblemStore
    + StudyStore
{
}

impl<T> Store for T where
    T: GameStore
        + AccountStore
        + IdentityStore
        + BlockStore
        + PushStore
        + AdminStore
        + SecondFactorStore
        + NodeStore
        + WorkStore
        + LimitStore
        + NameStore
        + ProposalStore
        + VisitorStore
        + ChangeStore
        + ChatStore
        + ProblemStore
        + StudyStore
{
}

/// Games, and the database as a whole.
#[async_trait]
pub trait GameStore: Send + Sync + std::fmt::Debug {
    /// Returns the secret with this name. If there is none yet, stores and returns `fresh`.
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>>;

    /// Sets a secret, replacing any previous value.
    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()>;

    /// Adds a game with its first events. If the player has already sent the same command, adds nothing and
    /// returns the first answer.
    async fn add_game(&self, game: NewGame) -> Result<Created>;

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>>;

    /// Returns `true` if the hall shows a game while it is being played, and `false` if the game does not
    /// exist.
    async fn is_public(&self, id: &GameId) -> Result<bool>;

    /// Lists the events after the version `after`, in order. The list is empty if the game does not exist.
    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>>;

    /// Appends events to a game if it still has the version that they are based on.
    async fn append(&self, append: Append) -> Result<Appended>;

    /// Returns the answer to a command that this player has already sent.
    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>>;

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>>;

    /// Lists games in which a player has a seat. The state in the filter determines the order: by deadline
    /// for games in which it is the player's turn; by last event, most recent first, for games that are not
    /// over or for finished games; by age, newest first, for all games.
    async fn list_games(&self, filter: &GameFilter) -> Result<Vec<ListedGame>>;

    /// Lists the public games being played, newest first.
    async fn list_public(&self, limit: u32) -> Result<Vec<ListedGame>>;

    /// Lists one page of the games in which the machine has a task, longest wait first. The page starts after
    /// the game `after`.
    async fn list_awaiting_machine(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<Cursor>>;

    /// Lists the games that have a deadline.
    async fn list_running(&self) -> Result<Vec<RunningGame>>;

    /// Lists one page of the games whose deadline is not after `until`, earliest deadline first. The page
    /// starts after the game `after`. The time in this cursor is that game's deadline.
    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>>;

    async fn add_match(&self, new: Match) -> Result<()>;

    async fn lookup_match(&self, id: &MatchId) -> Result<Option<Match>>;

    /// Lists the games of a match in the order of their numbers.
    async fn list_match(&self, id: &MatchId) -> Result<Vec<MatchedGame>>;

    /// Records that a server is running at `now`.
    async fn record_heartbeat(&self, now: Millis) -> Result<()>;

    /// Records the start of a server, and a downtime since the last [heartbeat](Self::record_heartbeat) if
    /// that was before `now`. Returns all downtimes so far, in order.
    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>>;

    /// Records a downtime that the server has detected itself, for instance after its process was suspended.
    /// A downtime with the same start replaces a shorter one. From then on,
    /// [`record_start`](Self::record_start) returns it.
    async fn add_downtime(&self, downtime: Downtime) -> Result<()>;

    /// Returns the latest time of a [heartbeat](Self::record_heartbeat), of a node's last renewal, or of the
    /// last event in a game with a deadline; `None` if there is none.
    async fn latest_write(&self) -> Result<Option<Millis>>;

    /// Returns the value last written by [`set_last_boot`](Self::set_last_boot).
    async fn last_boot(&self) -> Result<Option<Boot>> {
        Ok(None)
    }

    /// Records when the server's host was booted, by the host's clock.
    async fn set_last_boot(&self, _: &Boot) -> Result<()> {
        Ok(())
    }

    /// Deletes data past its age limit, at most `limit` items of each kind. With `dry_run`, only counts the
    /// items, without the limit.
    async fn tidy(&self, before: &Ages, limit: u32, dry_run: bool) -> Result<Tidied>;

    /// Checks that the database responds, that it has not been moved or replaced, and that there is space
    /// left. This syncs the disk once.
    async fn check(&self) -> Result<()>;

    /// Returns the number of bytes that can still be written to the store's disk, if known. May block
    /// briefly.
    fn free_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns the size of the data in bytes, if known.
    async fn size(&self) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Completes when the store can no longer keep its guarantees, for instance because a sync failed. The
    /// process should then exit, because only a restart can determine the content of the disk.
    async fn wait_for_failure(&self) -> StoreError {
        std::future::pending().await
    }

    /// Returns the number and size of the transactions since the start, if the store counts them. Depending
    /// on the database, only those that write turns or new games are counted.
    fn write_counts(&self) -> Option<WriteCounts> {
        None
    }

    /// Stops all writing. Acknowledged data is already on the disk.
    async fn close(&self);
}
