//! Messages of the HTTP API and of the sockets.
//!
//! Everything here is data; the crates `server` and `game` decide who may send what, and when. The acts of
//! players are listed only in the crate `game` ([`Act`]), not in the module of that name here. The types are
//! exported to TypeScript (`web/src/lib/api/`) by a test, so no type is written twice.
//!
//! The *version* of a game is the number of events in its log. A client that reconnects sends its version and
//! gets the events that it has missed. The client chooses an id for every command, so repeating a command is
//! harmless.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod account;
mod administration;
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
// Re-exported so that users of this crate do not need to depend on `adoube_vocabulary`.
pub use adoube_vocabulary::{
    AccountState, AnalysisId, ChallengeId, ChatPolicy, ChatRoom, Color, CommandId, GameId, GameResult,
    IdError, InvitationToken, Level, LevelError, ListState, MatchId, Millis, PlayerId, PresenceAudience,
    ProblemId, RecoveryToken, Registration, ReportOutcome, Role, RoleError, SeekId, SessionId, Version,
};

pub use account::{
    Account, BeginSecondFactor, Block, BlockList, BlockedPlayer, ChangeAccount, ChangeMail,
    ChangePreferences, ChangePresence, ChangeSecondFactor, CompleteIdentity, ConfirmSecondFactor,
    DeleteAccount, IdentityProvider, LinkIdentity, LinkStarted, LinkedIdentities, LinkedIdentity, Me,
    MissingPart, NewSecondFactor, Password, PendingIdentity, Preferences, PushDevice, PushDevices, Recover,
    RecoveryCodes, Register, RequestRecovery, SecondFactor, Session, SessionList, SignIn, SignInMethods,
    SubscribePush, UnlinkIdentity,
};
pub use administration::{
    AdminAct, AdminDone, AdminOverview, AdminQuery, AdminRequest, AuditCheck, AuditLine, AuditList,
    AuditQuery, ChatReport, ClassList, HandledReport, House, HouseClass, HouseInvitation, HousePage,
    HousePageName, HouseSettings, HouseStatistics, Member, MemberList, MemberQuery, PupilPassword,
    ReportList, ReportQuery, ReportedLine,
};
pub use chat::ChatLine;
pub use drills::{Difficulty, Drill, DrillList, DrillManner, DrillStage, Practice};
pub use game::{ClockState, DrawRules, Game, GameEvent, GameSummary, LogEntry, Players, Seat, Status};
pub use hall::{
    Challenge, ChallengeList, CreateChallenge, CreateSeek, CreatedChallenge, CreatedSeek, GameNews, Hall,
    HallClientMessage, HallServerMessage, OwnProposals, PairingResult, People, Seek,
};
pub use http::{
    ColorChoice, CreateGame, CreatedGame, ErrorBody, ErrorDetail, GameList, Invitation, JoinedGame,
    OpponentChoice,
};
pub use options::{
    GameSettings, HalfPoints, MatchState, Obligation, Shuffle, ShuffledSides, TimeControl, TouchState,
};
pub use problems::{
    ComposedList, ComposedProblem, Composition, ListedProblem, PrecedingTurn, Problem, ProblemGoal,
    ProblemList, ProblemTheme, ProofReason, ProofReport, PublishProblem, PublishedProblem, Solution,
    SolutionBranch, SolutionReply,
};
pub use rules::{RuleDiagram, RuleHeading, RuleMark, RulePage};
pub use socket::{ClientMessage, ServerMessage, SessionMessage};
pub use study::{
    AnalysisDocument, AnalysisList, AttemptResult, ChangeAnalysis, ProblemAttempt, ProblemStanding,
    RatingChange, SaveAnalysis, SavedAnalysis,
};

#[cfg(test)]
mod export;
