//! Ids and names that the state machine, the storage and the wire have in common.
//!
//! A game, a store and a client speak of the same players, games and levels, and none of them defines these for the others: a change
//! of the API renames nothing that is stored, and the state machine holds no id that was not checked.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod ids;
mod names;

pub use ids::{
    AnalysisId, ChallengeId, CommandId, GameId, IdError, InvitationToken, Level, LevelError, MatchId, Millis,
    PlayerId, ProblemId, RecoveryToken, SeekId, SessionId, Version,
};
pub use names::{ChatRoom, Color, GameResult, ListState};
