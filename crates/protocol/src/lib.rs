//! Messages of the HTTP API and of the sockets.
//!
//! Everything here is data: who may send what, and when, is decided by `server` and `game`. What a player may ask of a game
//! and what may happen in it is listed in `game` alone ([`Act`], [`EventKind`]); here is what the messages add. The same types are
//! exported to TypeScript (`web/src/lib/api/`) by the test at the end of this file, so nothing is typed twice.
//!
//! A game is followed by its *version*, the number of events of its log. A client that comes back says which
//! version it has and gets what it missed. Every command bears an id made by the client, so that a repeat is
//! harmless.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod account;
mod chat;
mod drills;
mod game;
mod hall;
mod http;
mod options;
mod problems;
mod rules;
mod socket;
mod study;

pub use adoube_game::{Act, Condition, EventKind, Times, TouchOutcome};
// Part of the messages, so that a client of this crate needs no other.
pub use adoube_vocabulary::{
    AnalysisId, ChallengeId, ChatRoom, Color, CommandId, GameId, GameResult, IdError, InvitationToken, Level,
    LevelError, ListState, MatchId, Millis, PlayerId, ProblemId, RecoveryToken, SeekId, SessionId, Version,
};

pub use account::{
    Account, AskRecovery, BeginSecondFactor, ChangeAccount, ChangeMail, ChangeSecondFactor,
    ConfirmSecondFactor, DeleteAccount, Me, NewSecondFactor, Password, Recover, RecoveryCodes, Register,
    SecondFactor, Session, SessionList, SignIn,
};
pub use chat::ChatLine;
pub use drills::{Drill, DrillList, DrillManner, DrillStage};
pub use game::{ClockState, DrawRules, Game, GameEvent, GameSummary, LogEntry, Players, Seat, Status};
pub use hall::{
    Challenge, ChallengeList, CreateChallenge, CreateSeek, CreatedChallenge, CreatedSeek, Hall,
    HallClientMessage, HallServerMessage, People, Seek,
};
pub use http::{
    ColorChoice, CreateGame, CreatedGame, ErrorBody, ErrorDetail, GameList, JoinedGame, OpponentChoice,
};
pub use options::{
    GameSettings, HalfPoints, MatchState, Obligation, Shuffle, ShuffledSides, TimeControl, TouchState,
};
pub use problems::{
    ComposedList, ComposedProblem, Composition, ListedProblem, Problem, ProblemGoal, ProblemList,
    ProofReason, ProofReport, PublishProblem, PublishedProblem, Solution, SolutionBranch, SolutionReply,
};
pub use rules::{RuleDiagram, RuleHeading, RuleMark, RulePage};
pub use socket::{ClientMessage, ServerMessage, SessionMessage};
pub use study::{
    AnalysisDocument, AnalysisList, ChangeAnalysis, JudgedTry, ProblemStanding, ProblemTry, RatedTry,
    SaveAnalysis, SavedAnalysis,
};

#[cfg(test)]
mod export;
