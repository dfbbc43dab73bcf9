//! Administration: roles, the state of accounts, invitations to the house, its documents, and the audit log.
//!
//! A change and its entry in the audit log are written in one transaction. Like the log of a game, the
//! entries form a chain of hashes ([`chain`]), so [`check_audit`] detects an edited entry, and a removed one
//! if a later entry remains. The databases do not allow entries to be changed or deleted. Neither measure
//! protects against an attacker who controls the database and recomputes the whole chain, so the server also
//! writes the hash of each [administrative change](AdminStore::administer) to its own log.

use adoube_vocabulary::{AccountState, GameId, Millis, PlayerId, ReportOutcome, Role, SessionId};
use async_trait::async_trait;

use crate::{
    Append, Appended, NameRetirement, NameSkeleton, NewAccount, Registered, Report, Result, TokenHash, chain,
    columns::{name_contains, name_key, name_pattern, unaccented_key},
};

/// The name from which the hash chain of the audit log starts.
pub const AUDIT: &str = "audit";

/// The role and restrictions of an account in the house.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Membership {
    pub role: Option<Role>,
    pub state: AccountState,
    /// The time until which the account cannot chat.
    pub silenced_until: Option<Millis>,
    /// The teacher of the class, if the account belongs to a pupil.
    pub teacher: Option<PlayerId>,
    /// The name of the pupil's class.
    pub class: Option<String>,
}

/// A class: a teacher's pupils who share a class name. It exists as long as it has a pupil, even if the
/// teacher's account was deleted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Class {
    pub name: String,
    pub teacher: PlayerId,
}

/// A class as administrators see it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClassSummary {
    pub class: Class,
    pub pupils: u32,
    /// The name of one of the pupils.
    pub pupil: String,
}

/// An entry for the audit log. The store does not interpret its body.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewAuditEntry {
    pub at: Millis,
    pub body: String,
}

/// An entry in the audit log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AuditEntry {
    /// The number of the entry, counted from 1 without gaps.
    pub number: i64,
    pub at: Millis,
    pub body: String,
    /// The hash of the log up to this entry.
    pub head: chain::Head,
}

/// An administrative change to an account.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AccountChange {
    Role(Option<Role>),
    /// Any state other than open ends all sessions.
    State(AccountState),
    Name {
        name: String,
        skeleton: NameSkeleton,
    },
    SilencedUntil(Option<Millis>),
    /// Does the same as [`AccountStore::delete_account`](crate::AccountStore::delete_account).
    Delete(NameRetirement),
    /// Adds a link that lets the owner choose a new password, whether or not the account has an address.
    Recovery {
        token: TokenHash,
        expires_at: Millis,
    },
    /// Sets a new password and ends all sessions.
    Password(String),
    EndSessions,
    /// Removes the second factor and ends all sessions.
    SecondFactorOff,
}

/// The account data that determines whether a change would have any effect.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AccountStatus {
    pub name: String,
    pub role: Option<Role>,
    pub state: AccountState,
    pub silenced_until: Option<Millis>,
    /// Whether the account has sessions or recovery links.
    pub has_access: bool,
}

/// If an account is silenced again and the two end times differ by less than this, nothing changes: the
/// request counts as a repeat.
const SAME_SILENCE_MS: i64 = 60 * 60 * 1000;

impl AccountChange {
    /// Returns `true` if the change would have no effect on an account with this status.
    pub fn is_done(&self, status: &AccountStatus, now: Millis) -> bool {
        match self {
            Self::Role(role) => status.role == *role,
            Self::State(state) => status.state == *state,
            Self::Name { name, .. } => status.name == *name,
            Self::SilencedUntil(until) => match (until, status.silenced_until.filter(|until| *until > now)) {
                (None, current) => current.is_none(),
                (Some(until), Some(current)) => until.0.abs_diff(current.0) < SAME_SILENCE_MS.unsigned_abs(),
                (Some(_), None) => false,
            },
            Self::EndSessions => !status.has_access,
            Self::Delete(_) | Self::Recovery { .. } | Self::Password(_) | Self::SecondFactorOff => false,
        }
    }
}

/// An administrative change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AdminChange {
    /// Appends to the log of a game, as [`GameStore::append`](crate::GameStore::append) does.
    Append(Box<Append>),
    Account {
        player: PlayerId,
        change: AccountChange,
    },
    /// Adds either all accounts or none.
    Accounts(Vec<NewAccount>),
    /// Sets new passwords for these accounts and ends all their sessions: for all of them or for none.
    Passwords(Vec<(PlayerId, String)>),
    /// Gives a class to this teacher under this name. Either may stay the same.
    GiveClass {
        class: Class,
        to: PlayerId,
        name: String,
    },
    Invitation(NewHouseInvitation),
    /// Records the outcome for those reports of a chat message that have none yet.
    Report {
        line: i64,
        /// The handler, or `None` for the operator.
        by: Option<PlayerId>,
        outcome: ReportOutcome,
        note: String,
    },
    /// Sets whether the hall shows a game while it is being played.
    Game {
        id: GameId,
        public: bool,
    },
    /// Sets a document of the house, or deletes it.
    Document {
        name: String,
        body: Option<String>,
    },
}

/// The outcome of [`AdminStore::administer`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Administered {
    Done {
        entry: AuditEntry,
        /// The sessions that were ended.
        ended: Vec<SessionId>,
    },
    /// There is no such account, class, report or game.
    Missing,
    /// Nothing was changed, and no entry was added, because the change would have had no effect.
    Unchanged,
    /// The house would be left without an administrator.
    LastAdministrator,
    /// Another account has this name.
    NameTaken(String),
    /// Another account has a name that looks like this one.
    NameAlike(String),
    /// An account with this name, or one that looks like it, was deleted. The name becomes free at this time.
    NameRetired(String, Millis),
    /// The account that is to get the class does not exist or is not open, or its role does not allow it to
    /// teach.
    NotATeacher,
    /// The teacher already has another class with this name.
    ClassNameTaken,
    /// The account has no second factor.
    NoSecondFactor,
    /// The events were not appended, for the reason given here.
    NotAppended(Appended),
}

/// An invitation to the house: to register, or to claim its role with an existing account.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewHouseInvitation {
    pub token: TokenHash,
    /// The role that the invitation grants.
    pub role: Option<Role>,
    /// The number of times that the invitation can be used.
    pub uses: u32,
    /// Whether the invitation is valid only while the house has no administrator.
    pub is_first: bool,
    pub created_at: Millis,
    pub expires_at: Millis,
}

/// A valid invitation to the house.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HouseInvitation {
    pub role: Option<Role>,
    pub uses: u32,
    pub expires_at: Millis,
    pub is_first: bool,
}

/// An account as administrators see it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Member {
    pub player: PlayerId,
    pub name: String,
    pub membership: Membership,
    pub email: Option<String>,
    pub second_factor: bool,
    pub created_at: Millis,
    /// The last use of a session that has not ended.
    pub used_at: Option<Millis>,
    pub sessions: u32,
}

/// Selects the members to list, ordered by name.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct MemberFilter {
    /// A part of the name, regardless of case and accents.
    pub find: Option<String>,
    pub state: Option<AccountState>,
    /// Whether to list only accounts with a role.
    pub with_role: bool,
    /// Lists only the pupils of this teacher.
    pub teacher: Option<PlayerId>,
    /// Lists only the pupils whose class has this name.
    pub class: Option<String>,
    /// The name after which the page starts.
    pub after: Option<String>,
    pub limit: u32,
}

/// A search for members whose names contain a string, page by page. The database may return too many members:
/// the pattern also matches other names, and a name whose key has not been computed yet always matches.
/// Members whose names do not contain the string are left out here.
#[derive(Debug)]
pub struct MemberSearch<'a> {
    filter: &'a MemberFilter,
    pattern: Option<String>,
    after: Option<String>,
    found: Vec<Member>,
}

impl<'a> MemberSearch<'a> {
    /// Begins the search at its first page.
    pub fn new(filter: &'a MemberFilter) -> Self {
        let pattern = filter.find.as_deref().map(name_pattern);
        Self { filter, pattern, after: filter.after.clone(), found: Vec::new() }
    }

    /// Returns the `LIKE` pattern that the unaccented keys of names must match, if any.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// Returns the key of the name after which the next page starts, if any.
    pub fn after(&self) -> Option<String> {
        self.after.as_deref().map(name_key)
    }

    /// Returns the unaccented key of the name after which the next page starts, if any. Members are ordered
    /// by this key, then by the one that [`after`](Self::after) returns.
    pub fn after_unaccented(&self) -> Option<String> {
        self.after.as_deref().map(unaccented_key)
    }

    /// Adds the members of a page. Returns all members found so far if no further page is needed.
    pub fn add(&mut self, page: Vec<Member>) -> Option<Vec<Member>> {
        let limit = self.filter.limit as usize;
        let is_last = page.len() < limit;
        self.after = page.last().map(|member| member.name.clone());
        let find = self.filter.find.as_deref();
        let is_found = |member: &Member| find.is_none_or(|text| name_contains(&member.name, text));
        self.found.extend(page.into_iter().filter(is_found));
        self.found.truncate(limit);
        (is_last || self.found.len() == limit).then(|| std::mem::take(&mut self.found))
    }
}

/// The handling of a report.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Handled {
    pub at: Millis,
    /// The handler, or `None` for the operator.
    pub by: Option<PlayerId>,
    pub outcome: ReportOutcome,
    pub note: String,
}

/// A report and its handling.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HandledReport {
    pub report: Report,
    pub handled: Option<Handled>,
}

/// Statistics of a house.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Statistics {
    /// The open accounts.
    pub members: u64,
    pub pending: u64,
    pub closed: u64,
    pub pupils: u64,
    /// The accounts with a session that has been used since the given time.
    pub recent: u64,
    pub games: u64,
    pub playing: u64,
    /// The games created since the given time.
    pub new_games: u64,
    pub open_reports: u64,
}

/// Administration of the house.
#[async_trait]
pub trait AdminStore: Send + Sync {
    /// Makes a change and adds an entry to the audit log in one transaction.
    async fn administer(&self, change: AdminChange, entry: NewAuditEntry) -> Result<Administered>;

    /// Returns `true` if an open account has the administrator role.
    async fn has_administrator(&self) -> Result<bool>;

    /// Adds an invitation for the first administrator, as a server does when it starts. Deletes expired
    /// invitations, and all but the newest few of this kind.
    async fn add_first_invitation(&self, new: NewHouseInvitation) -> Result<()>;

    /// Returns an invitation if it is still valid, without spending it.
    async fn lookup_house_invitation(
        &self,
        token: &TokenHash,
        now: Millis,
    ) -> Result<Option<HouseInvitation>>;

    /// Gives an account the role of an invitation, and spends one use of the invitation. Returns the role and
    /// the entry in the audit log, or `None`, without any change, if the account is not open or already has
    /// the administrator role, which includes every right, or if the invitation is not valid or has no role.
    async fn claim_role(
        &self,
        player: &PlayerId,
        token: &TokenHash,
        entry: NewAuditEntry,
    ) -> Result<Option<(Role, AuditEntry)>>;

    /// Lists members, ordered by name without regard to accents.
    async fn list_members(&self, filter: &MemberFilter, now: Millis) -> Result<Vec<Member>>;

    /// Looks up a member by name, as
    /// [`lookup_account_by_name`](crate::AccountStore::lookup_account_by_name) does.
    async fn lookup_member(&self, name: &str, now: Millis) -> Result<Option<Member>>;

    /// Lists all classes, in any order.
    async fn list_classes(&self) -> Result<Vec<ClassSummary>>;

    /// Returns the reason, if any, why a new account cannot have this name: the outcome that
    /// [`add_account`](crate::AccountStore::add_account) would have.
    async fn check_name(
        &self,
        name: &str,
        skeleton: &NameSkeleton,
        now: Millis,
    ) -> Result<Option<Registered>>;

    /// Lists reports, newest first, skipping the first `skip` of them.
    async fn list_reports_with_outcomes(
        &self,
        only_open: bool,
        skip: u32,
        limit: u32,
    ) -> Result<Vec<HandledReport>>;

    /// Lists one page of the audit log: the entries before number `before`, newest first.
    async fn list_audit(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>>;

    /// Returns a document of the house.
    async fn lookup_document(&self, name: &str) -> Result<Option<String>>;

    /// Returns the statistics of the house. Recent activity is counted from `since`.
    async fn statistics(&self, since: Millis, now: Millis) -> Result<Statistics>;
}

/// Returns the entry to append to the audit log.
pub fn next_entry(last: Option<(i64, chain::Head)>, new: &NewAuditEntry) -> AuditEntry {
    let (number, before) = last.unwrap_or_else(|| (0, chain::begin(AUDIT)));
    let number = number + 1;
    let head = chain::extend(&before, number, new.at.0, &new.body);
    AuditEntry { number, at: new.at, body: new.body.clone(), head }
}

/// The number of entries to read at a time.
const AUDIT_PAGE: u32 = 500;

/// Checks the hash chain of the whole audit log. Returns the number of entries, or the number of the newest
/// entry that does not match its predecessor.
///
/// # Errors
///
/// If the log cannot be read.
pub async fn check_audit(store: &(impl AdminStore + ?Sized)) -> Result<std::result::Result<u64, i64>> {
    let mut count = 0;
    // The last entry read, which is the oldest so far. Checking its head requires the head of the entry that
    // precedes it in the log, which is read next.
    let mut later: Option<AuditEntry> = None;
    loop {
        let page = store.list_audit(later.as_ref().map(|entry| entry.number), AUDIT_PAGE).await?;
        if page.is_empty() {
            break;
        }
        for entry in page {
            if let Some(later) = later.replace(entry.clone())
                && !follows(Some((entry.number, entry.head)), &later)
            {
                return Ok(Err(later.number));
            }
            count += 1;
        }
    }
    match later {
        Some(first) if !follows(None, &first) => Ok(Err(first.number)),
        _ => Ok(Ok(count)),
    }
}

/// Returns `true` if an entry follows the one with this number and head.
fn follows(before: Option<(i64, chain::Head)>, entry: &AuditEntry) -> bool {
    next_entry(before, &NewAuditEntry { at: entry.at, body: entry.body.clone() }) == *entry
}
