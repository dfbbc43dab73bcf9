//! Request errors. Their variants, codes, statuses and arguments are kept together in one long file.

use std::{collections::BTreeMap, time::Instant};

use adoube_game::{CreateError, Refusal, ReplayError};
use adoube_protocol::{ErrorBody, ErrorDetail, GameId, Millis, ProblemId, ProofReport, Version};
use adoube_rules::shuffle::ShuffleError;
use adoube_store::StoreError;
use axum::{
    Json,
    extract::rejection::JsonRejection,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use thiserror::Error;

use crate::{
    administration::{RefusedNames, RefusedPupils, until_text},
    entropy::EntropyError,
    limits::Wait,
    log_throttle::LogThrottle,
    mail::MailError,
};

/// The value of `Retry-After` while the server is busy, in seconds.
const BUSY_SECONDS: u64 = 2;
/// The value of `Retry-After` while the disk or the hall is full, in seconds.
const FULL_SECONDS: u64 = 60;

/// The reason why a request or a command has failed. The messages are for visitors, and details are logged.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("not found")]
    NotFound,
    #[error("this path does not support this method")]
    Method,
    #[error("there is no such game")]
    GameNotFound,
    #[error("there is no such invitation")]
    InvitationNotFound,
    #[error("this invitation has already been used")]
    InvitationUsed(GameId),
    #[error("only the two players can do this")]
    NotAPlayer,
    #[error("this requires an account")]
    AccountNeeded,
    #[error("this belongs to another visitor")]
    NotYours,
    #[error("wrong user name or password")]
    SignInFailed,
    #[error("you are not signed in")]
    NotSignedIn,
    #[error("you are already signed in")]
    AlreadySignedIn,
    #[error("wrong password")]
    WrongPassword,
    #[error("this account also needs a code from the authenticator app, or a recovery code")]
    SecondFactorNeeded,
    #[error("wrong code, or a code that was already used")]
    SecondFactorWrong,
    #[error("sign in again: an account without a password must have signed in within the last ten minutes")]
    SignInAgain,
    #[error("this house has no identity provider")]
    OpenIdOff,
    #[error("the identity provider did not respond correctly; try again later")]
    OpenIdUnavailable,
    #[error("the identity provider has refused the sign-in; start again")]
    OpenIdRefused,
    #[error("the identity provider's response is not valid; tell the operator of this house")]
    OpenIdInvalid,
    #[error("the sign-in was declined at the identity provider")]
    OpenIdDenied,
    #[error("this sign-in has expired, or was started in another browser; start again")]
    SignInExpired,
    #[error("the proxy does not report your identity; sign in there first")]
    NoProxyIdentity,
    #[error("another account is linked to this identity")]
    IdentityTaken,
    #[error("this account is not linked to this identity")]
    IdentityNotFound,
    #[error("this is the only way to sign in to the account; choose a password first")]
    LastSignInMethod,
    #[error("`to` must be a path on this site")]
    ReturnPath,
    #[error("this must be done at the public address of the house")]
    OtherOrigin,
    #[error("the second factor is already on")]
    SecondFactorOn,
    #[error("the second factor is off")]
    SecondFactorOff,
    #[error("this name is taken")]
    NameTaken,
    #[error("another account has a name that looks like this one")]
    NameAlike,
    #[error("this is, or looks like, the name of a deleted account{until}", until = until_text(*.0))]
    NameRetired(Millis),
    #[error("this name is reserved; choose another one")]
    NameReserved,
    #[error("a name must have 3 to 20 characters: letters of one script, digits, and - _ . ' between them")]
    Name,
    #[error("a password must have 8 to 128 characters")]
    Password,
    #[error("this password is too common")]
    PasswordCommon,
    #[error("the password is a sequence, a repetition or a date")]
    PasswordSimple,
    #[error("the password consists of the name, the e-mail address, or words related to this site")]
    PasswordContext,
    #[error("not a valid e-mail address")]
    Email,
    #[error("there is no such session")]
    SessionNotFound,
    #[error("this link has been used or has expired")]
    RecoveryNotFound,
    #[error("the account has no unconfirmed e-mail address")]
    NothingToConfirm,
    #[error("unknown language {0:?}; use fr, en or es")]
    Language(String),
    #[error("this link has been used, has expired, or belongs to another address")]
    MailLinkNotFound,
    #[error("there is no such seek")]
    SeekNotFound,
    #[error("this seek is your own")]
    OwnSeek,
    #[error("the other player has left the site; a live game begins when both are present")]
    MakerAway,
    #[error("there is no such challenge")]
    ChallengeNotFound,
    #[error("this challenge is your own")]
    OwnChallenge,
    #[error("no player has this name")]
    PlayerNotFound,
    /// The same, for an administrative act, which can name several accounts.
    #[error("no player has this name: {0}")]
    AccountNotFound(String),
    #[error("this player does not accept challenges or messages from you")]
    Blocked,
    #[error("you have blocked this player; unblock the player first")]
    BlockedByYou,
    #[error("you cannot block yourself")]
    OwnBlock,
    #[error("an account can block at most {0} players")]
    TooManyBlocks(u32),
    #[error("{0:?} is not a push service that this server sends to")]
    PushService(String),
    #[error("the subscription's keys are not valid")]
    PushKeys,
    #[error("notifications are already off for this browser")]
    PushDeviceNotFound,
    #[error("at most {0} open seeks and challenges are allowed")]
    TooManySeeks(usize),
    #[error("the hall is full; try again later")]
    HallFull,
    #[error("this player already has {0} open challenges")]
    TooManyChallenges(usize),
    #[error("there are already {0} open seeks and challenges from your address")]
    TooManyFromHere(usize),
    #[error("an account can store at most {0} bytes of analyses and problems")]
    AccountFull(u64),
    #[error("not enough disk space for new data; games in progress continue")]
    LowDisk,
    #[error("there is no such problem")]
    ProblemNotFound,
    #[error("this account has no such analysis")]
    AnalysisNotFound,
    #[error("the analysis was changed elsewhere; it now has version {0}")]
    AnalysisChanged(Version),
    #[error("an account can keep at most {0} analyses")]
    TooManyAnalyses(u32),
    #[error("the name of an analysis must have 1 to {0} printable characters")]
    AnalysisName(usize),
    #[error(
        "not a valid preference: {0:?}; a name must have 1 to 40 characters (a-z, 0-9, . and -), and a value at most 100 printable characters"
    )]
    Preference(String),
    #[error("an account can keep at most {0} preferences")]
    TooManyPreferences(usize),
    #[error("line {line} of the PGN: {problem}")]
    Pgn { line: usize, problem: String },
    #[error("expected a PGN with exactly one game")]
    PgnGames,
    #[error("message not found")]
    LineNotFound,
    #[error("a message must have 1 to {0} printable characters")]
    ChatText(usize),
    #[error("too many messages; wait {wait} s", wait = .0.seconds())]
    ChatTooFast(Wait),
    #[error("problem {0} already has this position")]
    ProblemKnown(String),
    #[error("a title must have 1 to {0} printable characters")]
    ProblemTitle(usize),
    #[error("{text}", text = unproved_message(.0))]
    Unproved(Box<ProofReport>),
    #[error("a position is given twice: as FEN and as a shuffled start")]
    PositionTwice,
    #[error("{0}")]
    Shuffle(ShuffleError),
    #[error("a match must have 1 to {0} games")]
    Games(u8),
    #[error("unknown list {0:?}")]
    ListState(String),
    #[error("unknown cursor; use the `next` value of the previous page, or omit it")]
    Cursor,
    #[error("unknown game {0:?}")]
    UnknownVariant(String),
    #[error("{0}")]
    Diagram(String),
    #[error("{0}{cause}", cause = after_colon(&causes(.0)))]
    Create(CreateError),
    #[error("{0}")]
    Refused(Refusal),
    #[error("the message cannot be parsed: {0}")]
    Message(String),
    #[error("a request must have exactly one host")]
    HostHeader,
    #[error("this command id was already used for something else; use a new id")]
    CommandUsed,
    #[error("the body must be JSON, with the content type application/json")]
    JsonExpected,
    #[error("the message is longer than {0} bytes")]
    TooLarge(usize),
    #[error("this request comes from another site")]
    ForeignOrigin,
    #[error("unknown host {0:?}; the operator can set public_origin")]
    UnknownHost(String),
    #[error("this house is at {0}; the proxy must not remove the path from requests")]
    OutsidePath(String),
    #[error("this path expects a WebSocket")]
    SocketExpected,
    #[error("too many requests; wait {wait} s", wait = .0.seconds())]
    TooMany(Wait),
    #[error("this took too long; try again")]
    Timeout,
    #[error("the server is busy; try again")]
    Busy,
    #[error("your role does not allow this")]
    NotAllowed,
    #[error("the house needs an administrator; first give this role to another account")]
    LastAdministrator,
    #[error("this account is waiting for approval by an administrator")]
    AccountPending,
    #[error("this account was closed")]
    AccountClosed,
    #[error("this account is not waiting for approval")]
    NotPending,
    #[error("this account is already closed")]
    AlreadyClosed,
    #[error("this account is not closed")]
    NotClosed,
    #[error("this account is already silenced until that time")]
    AlreadySilenced,
    #[error("this account is not silenced")]
    NotSilenced,
    #[error("this account has no open sessions")]
    NoSessions,
    #[error("this account already has this role")]
    SameRole,
    #[error("this account already has this name")]
    SameName,
    #[error("the hall does not show this game; it is already hidden")]
    AlreadyHidden,
    #[error("this game is not hidden")]
    NotHidden,
    #[error("this report has already been handled; its outcome stays as recorded")]
    ReportHandled,
    #[error("registration is closed in this house")]
    RegistrationClosed,
    #[error("registration needs an invitation; open its link")]
    InvitationNeeded,
    #[error("this invitation has been used or has expired; ask for a new one")]
    HouseInvitationNotFound,
    #[error("no account was created; {0}")]
    PupilNames(RefusedNames),
    #[error("a class accepts 1 to {0} names at a time")]
    PupilCount(usize),
    #[error("{0}")]
    Pupils(RefusedPupils),
    #[error("the teacher must have an open account with the role of teacher or administrator")]
    NotATeacher,
    #[error("there is no such class; list the classes again, because it may have been given to someone else")]
    ClassNotFound,
    #[error("the teacher already has another class with this name; give the class a new name")]
    ClassNameTaken,
    #[error("this teacher already has this class")]
    SameClass,
    #[error("the {field} must be at most {limit} printable characters on one line")]
    HouseText { field: &'static str, limit: usize },
    #[error("a house can offer at most {0} time controls")]
    HouseClocks(usize),
    #[error("this house does not offer this game")]
    GameNotOffered,
    #[error("this house does not offer this time control")]
    ClockNotOffered,
    #[error("a page can have at most {0} printable characters")]
    PageText(usize),
    #[error("a page cannot contain the placeholder {name}; the placeholders are {known}")]
    PagePlaceholder { name: String, known: String },
    #[error("there is no such report")]
    ReportNotFound,
    #[error("this account cannot chat for the time being")]
    Silenced,
    #[error("the house has closed the chat")]
    ChatClosed,
    #[error("the e-mail could not be sent")]
    Mail(#[from] MailError),
    #[error("saving was not confirmed; try again")]
    Store(#[from] StoreError),
    #[error("internal error")]
    Log(#[from] LogError),
    #[error("internal error")]
    Entropy(#[from] EntropyError),
    #[error("internal error")]
    Internal(&'static str),
}

/// An error in a game's log or in a stored document.
#[derive(Debug, Error)]
pub(crate) enum LogError {
    #[error("event {version} of game {game} cannot be read")]
    Event { game: GameId, version: u64, source: serde_json::Error },
    #[error("the log of game {game} cannot be replayed")]
    Replay { game: GameId, source: ReplayError },
    #[error("the log of game {game} lacks event {version}")]
    Gap { game: GameId, version: u64 },
    #[error("the summary of game {game} cannot be read")]
    Summary { game: GameId, source: serde_json::Error },
    #[error("the summary of finished game {0} has no result")]
    NoResult(GameId),
    #[error("the match of game {game} cannot be read")]
    Match { game: GameId, source: serde_json::Error },
    #[error("a document cannot be serialized")]
    Write(#[source] serde_json::Error),
    #[error("a proposal cannot be read")]
    Proposal(#[source] serde_json::Error),
    #[error("{0:?} is not a proposal id")]
    ProposalId(String),
    #[error("a job or its result cannot be read")]
    Job(#[source] serde_json::Error),
    #[error("the house settings cannot be read")]
    House(#[source] serde_json::Error),
    #[error("an audit log entry cannot be read")]
    Audit(#[source] serde_json::Error),
    #[error("problem {id} cannot be read")]
    Problem { id: ProblemId, source: serde_json::Error },
}

/// Returns the chain of causes of an error on one line, without the error itself.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut messages: Vec<String> = Vec::new();
    for cause in std::iter::successors(error.source(), |cause| cause.source()) {
        let cause = cause.to_string();
        // Many errors repeat their cause in their own message.
        if !messages.last().is_some_and(|last| last.contains(&cause)) {
            messages.push(cause);
        }
    }
    messages.join(": ")
}

/// Returns the cause preceded by a colon and a space, or nothing if the cause is empty.
fn after_colon(cause: &str) -> String {
    if cause.is_empty() { String::new() } else { format!(": {cause}") }
}

/// Returns a sentence that explains why a problem cannot be published.
fn unproved_message(report: &ProofReport) -> String {
    match report {
        ProofReport::Proved { .. } => "the problem is proved".into(),
        ProofReport::SecondSolution { others, .. } => {
            format!("there is a second solution: {}", first_line(others))
        }
        ProofReport::Sooner { turns, line } => {
            format!("it can be done in {turns} turns: {}", line.join(" "))
        }
        ProofReport::Refuted { line, reply: Some(reply), .. } => {
            format!("{} is refuted by {reply}", line.join(" "))
        }
        ProofReport::Refuted { line, reply: None, .. } => {
            format!("after {}, the game ends without a winner", line.join(" "))
        }
        ProofReport::NoWin => "nothing reaches the goal in the given number of moves".into(),
        ProofReport::TooHard { nodes } => format!("nothing was proved within {nodes} positions"),
        ProofReport::Unfit { reasons } => {
            let codes = reasons.iter().map(|reason| reason.code.as_str()).collect::<Vec<_>>();
            format!("this composition cannot be proved: {}", codes.join(", "))
        }
    }
}

fn first_line(lines: &[Vec<String>]) -> String {
    lines.first().map(|line| line.join(" ")).unwrap_or_default()
}

impl Error {
    /// Returns the stable code that clients use to select the message in the user's language.
    pub(crate) fn code(&self) -> &'static str {
        self.status_and_code().1
    }

    #[expect(clippy::too_many_lines, reason = "a table with one line for each reason")]
    fn status_and_code(&self) -> (StatusCode, &'static str) {
        match self {
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed"),
            Self::GameNotFound => (StatusCode::NOT_FOUND, "game-not-found"),
            Self::InvitationNotFound => (StatusCode::NOT_FOUND, "invitation-not-found"),
            Self::InvitationUsed(_) => (StatusCode::CONFLICT, "invitation-used"),
            Self::NotAPlayer => (StatusCode::FORBIDDEN, "not-a-player"),
            Self::AccountNeeded => (StatusCode::FORBIDDEN, "account-needed"),
            Self::NotYours => (StatusCode::FORBIDDEN, "not-yours"),
            Self::SignInFailed => (StatusCode::UNAUTHORIZED, "sign-in-failed"),
            Self::NotSignedIn => (StatusCode::UNAUTHORIZED, "not-signed-in"),
            Self::AlreadySignedIn => (StatusCode::CONFLICT, "signed-in-already"),
            Self::WrongPassword => (StatusCode::FORBIDDEN, "wrong-password"),
            Self::SecondFactorNeeded => (StatusCode::UNAUTHORIZED, "second-factor-needed"),
            Self::SecondFactorWrong => (StatusCode::FORBIDDEN, "second-factor-wrong"),
            Self::SignInAgain => (StatusCode::FORBIDDEN, "sign-in-again"),
            Self::OpenIdOff => (StatusCode::NOT_FOUND, "openid-off"),
            Self::OpenIdUnavailable => (StatusCode::BAD_GATEWAY, "openid-unavailable"),
            Self::OpenIdRefused => (StatusCode::FORBIDDEN, "openid-refused"),
            Self::OpenIdInvalid => (StatusCode::BAD_GATEWAY, "openid-invalid"),
            Self::OpenIdDenied => (StatusCode::FORBIDDEN, "openid-denied"),
            Self::SignInExpired => (StatusCode::NOT_FOUND, "sign-in-expired"),
            Self::NoProxyIdentity => (StatusCode::FORBIDDEN, "proxy-names-nobody"),
            Self::IdentityTaken => (StatusCode::CONFLICT, "identity-taken"),
            Self::IdentityNotFound => (StatusCode::NOT_FOUND, "identity-not-found"),
            Self::LastSignInMethod => (StatusCode::CONFLICT, "last-means"),
            Self::ReturnPath => (StatusCode::UNPROCESSABLE_ENTITY, "bad-return"),
            Self::OtherOrigin => (StatusCode::CONFLICT, "other-origin"),
            Self::SecondFactorOn => (StatusCode::CONFLICT, "second-factor-on"),
            Self::SecondFactorOff => (StatusCode::CONFLICT, "second-factor-off"),
            Self::NameTaken => (StatusCode::CONFLICT, "name-taken"),
            Self::NameAlike => (StatusCode::CONFLICT, "name-alike"),
            Self::NameRetired(_) => (StatusCode::CONFLICT, "name-retired"),
            Self::NameReserved => (StatusCode::UNPROCESSABLE_ENTITY, "name-reserved"),
            Self::Name => (StatusCode::UNPROCESSABLE_ENTITY, "bad-name"),
            Self::Password => (StatusCode::UNPROCESSABLE_ENTITY, "bad-password"),
            Self::PasswordCommon => (StatusCode::UNPROCESSABLE_ENTITY, "password-common"),
            Self::PasswordSimple => (StatusCode::UNPROCESSABLE_ENTITY, "password-simple"),
            Self::PasswordContext => (StatusCode::UNPROCESSABLE_ENTITY, "password-context"),
            Self::Email => (StatusCode::UNPROCESSABLE_ENTITY, "bad-email"),
            Self::SessionNotFound => (StatusCode::NOT_FOUND, "session-not-found"),
            Self::RecoveryNotFound => (StatusCode::NOT_FOUND, "recovery-not-found"),
            Self::NothingToConfirm => (StatusCode::CONFLICT, "nothing-to-confirm"),
            Self::Language(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-language"),
            Self::MailLinkNotFound => (StatusCode::NOT_FOUND, "mail-link-not-found"),
            Self::SeekNotFound => (StatusCode::NOT_FOUND, "seek-not-found"),
            Self::OwnSeek => (StatusCode::CONFLICT, "own-seek"),
            Self::MakerAway => (StatusCode::CONFLICT, "maker-away"),
            Self::Blocked => (StatusCode::FORBIDDEN, "blocked"),
            Self::BlockedByYou => (StatusCode::CONFLICT, "blocked-by-you"),
            Self::OwnBlock => (StatusCode::UNPROCESSABLE_ENTITY, "own-block"),
            Self::TooManyBlocks(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many-blocks"),
            Self::PushService(_) => (StatusCode::UNPROCESSABLE_ENTITY, "push-service"),
            Self::PushKeys => (StatusCode::UNPROCESSABLE_ENTITY, "push-keys"),
            Self::PushDeviceNotFound => (StatusCode::NOT_FOUND, "push-device-not-found"),
            Self::ChallengeNotFound => (StatusCode::NOT_FOUND, "challenge-not-found"),
            Self::OwnChallenge => (StatusCode::CONFLICT, "own-challenge"),
            Self::PlayerNotFound | Self::AccountNotFound(_) => (StatusCode::NOT_FOUND, "player-not-found"),
            Self::TooManySeeks(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many-seeks"),
            Self::HallFull => (StatusCode::SERVICE_UNAVAILABLE, "hall-full"),
            Self::TooManyChallenges(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many-challenges"),
            Self::TooManyFromHere(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many-from-here"),
            Self::AccountFull(_) => (StatusCode::INSUFFICIENT_STORAGE, "account-full"),
            Self::LowDisk => (StatusCode::SERVICE_UNAVAILABLE, "low-disk"),
            Self::ProblemNotFound => (StatusCode::NOT_FOUND, "problem-not-found"),
            Self::AnalysisNotFound => (StatusCode::NOT_FOUND, "analysis-not-found"),
            Self::AnalysisChanged(_) => (StatusCode::CONFLICT, "analysis-changed"),
            Self::TooManyAnalyses(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many-analyses"),
            Self::AnalysisName(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-analysis-name"),
            Self::Preference(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-preference"),
            Self::TooManyPreferences(_) => (StatusCode::UNPROCESSABLE_ENTITY, "too-many-preferences"),
            Self::Pgn { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "bad-pgn"),
            Self::PgnGames => (StatusCode::UNPROCESSABLE_ENTITY, "pgn-games"),
            Self::LineNotFound => (StatusCode::NOT_FOUND, "chat-line-not-found"),
            Self::ChatText(_) => (StatusCode::UNPROCESSABLE_ENTITY, "chat-text"),
            Self::ChatTooFast(_) => (StatusCode::TOO_MANY_REQUESTS, "chat-too-fast"),
            Self::ProblemKnown(_) => (StatusCode::CONFLICT, "problem-known"),
            Self::ProblemTitle(_) => (StatusCode::UNPROCESSABLE_ENTITY, "problem-title"),
            Self::Unproved(report) => {
                let code = match &**report {
                    ProofReport::Proved { .. } => return (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
                    ProofReport::SecondSolution { .. } => "problem-second-solution",
                    ProofReport::Sooner { .. } => "problem-sooner",
                    ProofReport::Refuted { reply: Some(_), .. } => "problem-refuted",
                    ProofReport::Refuted { reply: None, .. } => "problem-no-winner",
                    ProofReport::NoWin => "problem-no-win",
                    ProofReport::TooHard { .. } => "problem-too-hard",
                    ProofReport::Unfit { .. } => "problem-unfit",
                };
                (StatusCode::UNPROCESSABLE_ENTITY, code)
            }
            Self::PositionTwice => (StatusCode::UNPROCESSABLE_ENTITY, "position-twice"),
            Self::Shuffle(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-shuffle"),
            Self::Games(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-games"),
            Self::ListState(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-state"),
            Self::Cursor => (StatusCode::UNPROCESSABLE_ENTITY, "bad-cursor"),
            Self::NotAllowed => (StatusCode::FORBIDDEN, "not-allowed"),
            Self::LastAdministrator => (StatusCode::CONFLICT, "last-administrator"),
            Self::AccountPending => (StatusCode::FORBIDDEN, "account-pending"),
            Self::AccountClosed => (StatusCode::FORBIDDEN, "account-closed"),
            Self::NotPending => (StatusCode::CONFLICT, "not-pending"),
            Self::AlreadyClosed => (StatusCode::CONFLICT, "closed-already"),
            Self::NotClosed => (StatusCode::CONFLICT, "not-closed"),
            Self::AlreadySilenced => (StatusCode::CONFLICT, "silenced-already"),
            Self::NotSilenced => (StatusCode::CONFLICT, "not-silenced"),
            Self::NoSessions => (StatusCode::CONFLICT, "no-sessions"),
            Self::SameRole => (StatusCode::CONFLICT, "same-role"),
            Self::SameName => (StatusCode::CONFLICT, "same-name"),
            Self::AlreadyHidden => (StatusCode::CONFLICT, "hidden-already"),
            Self::NotHidden => (StatusCode::CONFLICT, "not-hidden"),
            Self::ReportHandled => (StatusCode::CONFLICT, "report-handled"),
            Self::RegistrationClosed => (StatusCode::FORBIDDEN, "registration-closed"),
            Self::InvitationNeeded => (StatusCode::FORBIDDEN, "house-invitation-needed"),
            Self::HouseInvitationNotFound => (StatusCode::NOT_FOUND, "house-invitation-not-found"),
            Self::PupilNames(_) => (StatusCode::UNPROCESSABLE_ENTITY, "pupil-names"),
            Self::PupilCount(_) => (StatusCode::UNPROCESSABLE_ENTITY, "pupil-count"),
            Self::Pupils(refused) if !refused.unknown.is_empty() => {
                (StatusCode::NOT_FOUND, "player-not-found")
            }
            Self::Pupils(_) => (StatusCode::UNPROCESSABLE_ENTITY, "not-a-pupil"),
            Self::NotATeacher => (StatusCode::UNPROCESSABLE_ENTITY, "not-a-teacher"),
            Self::ClassNotFound => (StatusCode::NOT_FOUND, "class-not-found"),
            Self::ClassNameTaken => (StatusCode::CONFLICT, "class-name-taken"),
            Self::SameClass => (StatusCode::CONFLICT, "same-class"),
            Self::HouseText { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "house-text"),
            Self::HouseClocks(_) => (StatusCode::UNPROCESSABLE_ENTITY, "house-clocks"),
            Self::GameNotOffered => (StatusCode::UNPROCESSABLE_ENTITY, "game-not-offered"),
            Self::ClockNotOffered => (StatusCode::UNPROCESSABLE_ENTITY, "clock-not-offered"),
            Self::PageText(_) => (StatusCode::UNPROCESSABLE_ENTITY, "page-text"),
            Self::PagePlaceholder { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "page-placeholder"),
            Self::ReportNotFound => (StatusCode::NOT_FOUND, "report-not-found"),
            Self::Silenced => (StatusCode::FORBIDDEN, "silenced"),
            Self::ChatClosed => (StatusCode::FORBIDDEN, "chat-closed"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::Mail(_) => (StatusCode::SERVICE_UNAVAILABLE, "mail"),
            Self::Store(StoreError::Full { .. }) => (StatusCode::SERVICE_UNAVAILABLE, "no-room"),
            Self::Diagram(_) => (StatusCode::UNPROCESSABLE_ENTITY, "diagram"),
            Self::UnknownVariant(_) => (StatusCode::UNPROCESSABLE_ENTITY, "unknown-variant"),
            Self::Create(CreateError::Position(_)) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-position"),
            Self::Create(CreateError::Clock(error)) => (StatusCode::UNPROCESSABLE_ENTITY, error.code()),
            Self::Create(CreateError::Over(_)) => (StatusCode::UNPROCESSABLE_ENTITY, "position-over"),
            Self::Refused(refusal) => (StatusCode::CONFLICT, refusal.code()),
            Self::Message(_) | Self::HostHeader => (StatusCode::BAD_REQUEST, "bad-message"),
            Self::CommandUsed => (StatusCode::CONFLICT, "command-used"),
            Self::JsonExpected => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "json-expected"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            Self::ForeignOrigin => (StatusCode::FORBIDDEN, "foreign-origin"),
            Self::UnknownHost(_) => (StatusCode::MISDIRECTED_REQUEST, "unknown-host"),
            Self::OutsidePath(_) => (StatusCode::NOT_FOUND, "outside-path"),
            Self::SocketExpected => (StatusCode::UPGRADE_REQUIRED, "socket-expected"),
            Self::TooMany(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many"),
            Self::Timeout => (StatusCode::SERVICE_UNAVAILABLE, "timeout"),
            Self::Store(_) => (StatusCode::SERVICE_UNAVAILABLE, "not-saved"),
            Self::Log(_) | Self::Entropy(_) | Self::Internal(_) => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal")
            }
        }
    }

    /// Returns the arguments of the localized message, by name.
    pub(crate) fn args(&self) -> BTreeMap<String, String> {
        let args = match self {
            Self::InvitationUsed(id) => vec![("id", id.to_string())],
            Self::UnknownHost(host) | Self::PushService(host) => vec![("host", host.clone())],
            Self::OutsidePath(address) => vec![("address", address.clone())],
            Self::UnknownVariant(name) => vec![("variant", name.clone())],
            Self::Diagram(reason) => vec![("reason", reason.clone())],
            Self::Create(error @ (CreateError::Position(_) | CreateError::Clock(_))) => {
                vec![("problem", causes(error))]
            }
            Self::Create(CreateError::Over(ending)) => vec![("reason", ending.reason.name().to_owned())],
            Self::Refused(refusal) => refusal.args(),
            Self::Message(problem) => vec![("problem", problem.clone())],
            Self::Language(language) => vec![("language", language.clone())],
            Self::Games(limit) => vec![("limit", limit.to_string())],
            Self::ListState(text) => vec![("state", text.clone())],
            Self::Shuffle(error) => vec![
                ("number", error.number.to_string()),
                ("limit", adoube_rules::shuffle::count(error.variant).to_string()),
            ],
            Self::AnalysisChanged(version) => vec![("version", version.0.to_string())],
            Self::TooManyBlocks(limit) | Self::TooManyAnalyses(limit) => vec![("limit", limit.to_string())],
            Self::Pgn { line, problem } => vec![("line", line.to_string()), ("problem", problem.clone())],
            Self::AccountFull(limit) => vec![("limit", limit.to_string())],
            Self::PupilNames(names) => names.args(),
            Self::NameRetired(until) => vec![("until", until.0.to_string())],
            Self::Preference(name) => vec![("name", name.clone())],
            Self::PagePlaceholder { name, known } => vec![("name", name.clone()), ("known", known.clone())],
            Self::TooLarge(limit)
            | Self::TooManyPreferences(limit)
            | Self::TooManySeeks(limit)
            | Self::TooManyChallenges(limit)
            | Self::TooManyFromHere(limit)
            | Self::ChatText(limit)
            | Self::HouseText { limit, .. }
            | Self::PupilCount(limit)
            | Self::PageText(limit)
            | Self::HouseClocks(limit)
            | Self::ProblemTitle(limit)
            | Self::AnalysisName(limit) => vec![("limit", limit.to_string())],
            Self::TooMany(wait) | Self::ChatTooFast(wait) => vec![("seconds", wait.seconds().to_string())],
            Self::ProblemKnown(id) => vec![("id", id.clone())],
            Self::Unproved(report) => match &**report {
                ProofReport::SecondSolution { others, .. } => vec![("line", first_line(others))],
                ProofReport::Sooner { turns, line } => {
                    vec![("turns", turns.to_string()), ("line", line.join(" "))]
                }
                ProofReport::Refuted { line, reply, .. } => {
                    let reply = reply.iter().map(|reply| ("reply", reply.clone()));
                    [("line", line.join(" "))].into_iter().chain(reply).collect()
                }
                ProofReport::TooHard { nodes } => vec![("nodes", nodes.to_string())],
                ProofReport::Unfit { reasons } => {
                    let first = reasons.first().map(|reason| reason.code.clone());
                    vec![("reason", first.unwrap_or_default())]
                }
                ProofReport::Proved { .. } | ProofReport::NoWin => Vec::new(),
            },
            _ => Vec::new(),
        };
        args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the number of seconds to wait before another attempt, if known.
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany(wait) | Self::ChatTooFast(wait) => Some(wait.seconds()),
            Self::Busy | Self::Timeout => Some(BUSY_SECONDS),
            Self::Store(StoreError::Full { .. }) | Self::LowDisk | Self::HallFull => Some(FULL_SECONDS),
            _ => None,
        }
    }

    /// Logs the error if the operator must know about it.
    pub(crate) fn log(&self) {
        // The log lines are throttled because one failure can affect thousands of requests, and lines about a
        // full disk must not fill it further.
        static STORE: LogThrottle = LogThrottle::new();
        static LOG: LogThrottle = LogThrottle::new();
        static MAIL: LogThrottle = LogThrottle::new();
        static MISTAKE: LogThrottle = LogThrottle::new();
        let line = |throttle: &LogThrottle| throttle.line(Instant::now());
        match self {
            Self::Store(error) => {
                if let Some(suppressed) = line(&STORE) {
                    let cause = causes(error);
                    tracing::error!(%error, cause, suppressed, "the store failed");
                }
            }
            // The stored data is not at fault.
            Self::Log(LogError::Write(error)) => {
                if let Some(suppressed) = line(&MISTAKE) {
                    tracing::error!(%error, suppressed, "a document cannot be serialized");
                }
            }
            Self::Log(error) => {
                if let Some(suppressed) = line(&LOG) {
                    let cause = causes(error);
                    tracing::error!(%error, cause, suppressed, "stored data cannot be read");
                }
            }
            Self::Mail(error) => {
                if let Some(suppressed) = line(&MAIL) {
                    let cause = causes(error);
                    tracing::warn!(%error, cause, suppressed, "could not send an e-mail");
                }
            }
            Self::Entropy(error) => {
                if let Some(suppressed) = line(&MISTAKE) {
                    tracing::error!(%error, suppressed, "the system provides no randomness");
                }
            }
            Self::Internal(what) => {
                if let Some(suppressed) = line(&MISTAKE) {
                    tracing::error!(what, suppressed, "internal error");
                }
            }
            _ => {}
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let (status, code) = self.status_and_code();
        let retry_after = self.retry_after();
        let error = ErrorDetail { code: code.to_owned(), args: self.args(), message: self.to_string() };
        let mut response = (status, Json(ErrorBody { error })).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<Wait> for Error {
    fn from(wait: Wait) -> Self {
        Self::TooMany(wait)
    }
}

impl From<CreateError> for Error {
    fn from(error: CreateError) -> Self {
        Self::Create(error)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Self {
        match rejection {
            JsonRejection::MissingJsonContentType(_) => Self::JsonExpected,
            other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge(0),
            other => Self::Message(other.body_text()),
        }
    }
}
