//! Ids and names shared by the state machine, the storage and the wire.
//!
//! The state machine, the storage and the clients refer to the same players, games and levels. Their names
//! are defined here rather than in one of these, so a change to the API renames nothing in storage, and the
//! state machine contains only checked ids.
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
