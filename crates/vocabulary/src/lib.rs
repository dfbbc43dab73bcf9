//! Ids and names shared by the state machine, storage and the wire.
//!
//! The state machine, storage and clients refer to the same players, games and levels. The ids and names are
//! defined here rather than in any one of them, so that a change to the API does not rename
//! anything in storage, and the state machine contains only checked ids.
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
