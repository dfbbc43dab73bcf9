//! Ids and names shared by the state machine, the storage and the wire.
//!
//! The state machine, the storage and the clients refer to the same players, games and levels, but none of
//! them defines these for the others. A change to the API therefore renames nothing in storage, and the state
//! machine contains only checked ids.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod ids;
mod names;

pub use ids::{
    AnalysisId, ChallengeId, CommandId, GameId, IdError, InvitationToken, Level, LevelError, MatchId, Millis,
    NodeId, PlayerId, ProblemId, RecoveryToken, SeekId, SessionId, Version,
};
pub use names::{
    AccountState, ChatPolicy, ChatRoom, Color, GameResult, ListState, PresenceAudience, Registration,
    ReportOutcome, Role, RoleError,
};
