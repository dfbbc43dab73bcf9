//! Administration of the house. Web pages and the command line submit the same acts ([`AdminAct`]). Each act
//! is checked against the actor's role, and each change is recorded in the audit log.

mod actor;
mod audit;
mod classes;
mod command;
mod house;
#[cfg(unix)]
mod local_socket;
mod pages;
mod pupil_names;
mod pupils;
mod queries;
mod refusals;

use std::{collections::BTreeMap, sync::Arc};

use adoube_documents::{AuditDocument, Schema};
use adoube_game::Refusal;
use adoube_protocol::{
    AccountState, AdminAct, AdminDone, AdminRequest, GameId, GameResult, Millis, PlayerId, Role,
};
use adoube_store::{
    AccountChange, AdminChange, Administered, AuditEntry, Member, NameRetirement, NewAuditEntry,
    NewHouseInvitation, Store,
};
use serde_json::Value;
use thiserror::Error as ThisError;

#[cfg(unix)]
pub use self::local_socket::{LocalSocket, ask_server};
pub(crate) use self::{
    actor::Actor,
    house::HouseCache,
    pages::{Facts, page},
    pupil_names::{RefusedNames, until_text},
    pupils::RefusedPupils,
};
use crate::{
    app::Services,
    auth::{Hasher, checked_name, hash_of, name_skeleton, new_token},
    changes::{Change, Changes},
    clock::Clock,
    config::Config,
    entropy::Entropy,
    error::{Error, LogError},
    games::Games,
    names::Names,
    serve_error::ServeError,
    tidy::Retention,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// The lifetime of a link for choosing a new password.
const RECOVERY_MS: i64 = 3 * DAY_MS;
/// The lifetime of the registration link for the first administrator.
const REGISTRATION_LINK_MS: i64 = DAY_MS;
/// The longest lifetime of an invitation, in days.
const MAX_INVITATION_DAYS: u16 = 90;
/// The maximum number of uses of an invitation: registrations, or claims of its role.
const MAX_INVITATION_USES: u32 = 500;
/// The longest temporary silence, in days.
const MAX_SILENCE_DAYS: u16 = 3650;
/// The maximum length of a moderator's note about a report, in characters.
const MAX_NOTE_CHARS: usize = 500;

/// The act recorded when an account claims the role granted by an invitation.
const CLAIM: &str = "claim";

/// The services that the administration depends on.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) names: Arc<Names>,
    pub(crate) hasher: Arc<Hasher>,
    pub(crate) house: Arc<HouseCache>,
    pub(crate) games: Arc<Games>,
    /// The salt for hashing retired names.
    pub(crate) name_salt: Vec<u8>,
    /// The public origin's host name, which no account may take as its name.
    pub(crate) host: Option<String>,
    pub(crate) retention: Retention,
    /// True if this process is a command rather than a server, so changes must also be announced through the
    /// store.
    pub(crate) announces: bool,
}

/// The administration of a house.
#[derive(Debug)]
pub struct Administration {
    parts: Parts,
}

/// The reason why a request was refused or failed, for the operator.
#[derive(Debug, ThisError)]
#[error("{message}")]
pub struct AdminError {
    /// The stable code, as in the protocol.
    pub code: String,
    pub message: String,
}

impl From<Error> for AdminError {
    fn from(error: Error) -> Self {
        error.log();
        Self { code: error.code().to_owned(), message: error.to_string() }
    }
}

/// The change that an act makes.
#[derive(Debug, Eq, PartialEq)]
enum PlannedChange {
    /// The house already has these settings, or the page already has this text. Nothing is recorded.
    Nothing,
    Store(AdminChange),
    /// An event in a game's log.
    Adjudication {
        game: GameId,
        result: GameResult,
    },
}

/// The plan for carrying out an act: its change, its entry in the audit log, and its response.
#[derive(Debug)]
struct Plan {
    change: PlannedChange,
    accounts: Vec<PlayerId>,
    target: Option<String>,
    details: BTreeMap<String, String>,
    done: AdminDone,
    /// The notice for all processes.
    notice: Option<Change>,
}

impl Plan {
    fn new(change: AdminChange) -> Self {
        Self::with_change(PlannedChange::Store(change))
    }

    fn with_change(change: PlannedChange) -> Self {
        Self {
            change,
            accounts: Vec::new(),
            target: None,
            details: BTreeMap::new(),
            done: AdminDone::default(),
            notice: None,
        }
    }

    fn of(member: &Member, change: AccountChange) -> Self {
        let player = member.player.clone();
        Self { accounts: vec![player.clone()], ..Self::new(AdminChange::Account { player, change }) }
    }

    fn with_detail(mut self, name: &str, value: &(impl ToString + ?Sized)) -> Self {
        self.details.insert(name.to_owned(), value.to_string());
        self
    }

    fn with_target(self, target: &(impl ToString + ?Sized)) -> Self {
        Self { target: Some(target.to_string()), ..self }
    }

    fn with_link(mut self, path: String) -> Self {
        self.done.link = Some(path);
        self
    }

    fn with_notice(self, change: Change) -> Self {
        Self { notice: Some(change), ..self }
    }
}

impl Administration {
    pub(crate) fn new(parts: Parts) -> Self {
        Self { parts }
    }

    /// Opens the administration in a command's process, which is not a server.
    ///
    /// # Errors
    ///
    /// If the data cannot be read.
    pub async fn open(config: &Config, services: &Services) -> Result<Self, ServeError> {
        command::open(config, services).await
    }

    /// Carries out a request from the operator and returns the result as JSON.
    ///
    /// # Errors
    ///
    /// If the request is refused or fails. The error gives the reason.
    pub async fn request(&self, request: &AdminRequest) -> Result<Value, AdminError> {
        Ok(match request {
            AdminRequest::Act(act) => {
                let done = self.act_as(&Actor::Operator, act).await?;
                serde_json::to_value(done).map_err(|error| Error::from(LogError::Write(error)))?
            }
            AdminRequest::Query(query) => self.answer(&Actor::Operator, query).await?,
        })
    }

    /// Creates a registration link for the first administrator and returns its path, or `None` if the house
    /// already has an administrator. The store keeps only a hash of the link's secret.
    ///
    /// # Errors
    ///
    /// If the data cannot be read or written.
    pub async fn first_link(&self) -> Result<Option<String>, AdminError> {
        Ok(self.new_first_link().await?)
    }

    async fn new_first_link(&self) -> Result<Option<String>, Error> {
        let Parts { store, clock, entropy, .. } = &self.parts;
        if store.has_administrator().await? {
            return Ok(None);
        }
        let (secret, token) = new_token(&**entropy)?;
        let now = clock.now();
        let new = NewHouseInvitation {
            token,
            role: Some(Role::Administrator),
            uses: 1,
            is_first: true,
            created_at: now,
            expires_at: Millis(now.0 + REGISTRATION_LINK_MS),
        };
        store.add_first_invitation(new).await?;
        Ok(Some(format!("/join/{secret}")))
    }

    /// Carries out an act if the actor is allowed to.
    pub(crate) async fn act_as(&self, actor: &Actor, act: &AdminAct) -> Result<AdminDone, Error> {
        actor.may(act)?;
        let Plan { change, accounts, target: on, details, mut done, notice } = self.plan(actor, act).await?;
        let document = AuditDocument {
            schema: Schema::default(),
            by: actor.player().cloned(),
            act: audit::kind(act)?,
            accounts: accounts.clone(),
            on,
            details,
        };
        let entry = audit::entry(&document, self.parts.clock.now())?;
        let change = match change {
            PlannedChange::Nothing => {
                // An earlier attempt may have made the change, and its process may have failed before
                // announcing it.
                self.announce(notice).await?;
                return Ok(done);
            }
            PlannedChange::Store(change) => change,
            PlannedChange::Adjudication { game, result } => {
                let commands = &self.parts.games.commands;
                let entry = commands.adjudicate(&game, result_of(result), &entry).await?;
                audit::log(&document.act, document.by.as_ref(), &entry);
                return Ok(AdminDone { entry: Some(entry.number), ..done });
            }
        };
        let administered = self.parts.store.administer(change, entry).await;
        if administered.is_err() {
            // The change may have been committed despite the error.
            for player in &accounts {
                self.publish(Change::InDoubt { player: player.clone() }).await;
            }
        }
        match administered? {
            Administered::Done { entry, ended } => {
                audit::log(&document.act, document.by.as_ref(), &entry);
                done.entry = Some(entry.number);
                done.ended_sessions = u32::try_from(ended.len()).unwrap_or(u32::MAX);
                if !ended.is_empty() {
                    self.publish(Change::SessionsEnded { sessions: ended }).await;
                }
                self.announce(notice).await?;
            }
            refusal @ Administered::Unchanged => {
                // An earlier attempt may have made the change, and its process may have failed before it
                // notified the sockets.
                for player in accounts {
                    self.publish(Change::InDoubt { player }).await;
                }
                return Err(refusals::refused(act, refusal));
            }
            refusal => return Err(refusals::refused(act, refusal)),
        }
        Ok(done)
    }

    /// Checks an act and returns the plan for carrying it out.
    async fn plan(&self, actor: &Actor, act: &AdminAct) -> Result<Plan, Error> {
        let now = self.parts.clock.now();
        Ok(match act {
            AdminAct::Invite { role, uses, days } => self.plan_invitation(*role, *uses, *days)?,
            AdminAct::AddPupils { class, names, teacher } => {
                self.plan_pupils(actor, class, names, teacher.as_deref()).await?
            }
            AdminAct::ResetPupils { accounts } => self.plan_pupil_passwords(actor, accounts).await?,
            AdminAct::GiveClass { pupil, class, to, name } => {
                self.plan_class(pupil, class, to, name.as_deref()).await?
            }
            AdminAct::HandleReport { line, outcome, note } => {
                let note = house::line(note, MAX_NOTE_CHARS)
                    .ok_or(Error::HouseText { field: "note", limit: MAX_NOTE_CHARS })?;
                let change = AdminChange::Report {
                    line: *line,
                    by: actor.player().cloned(),
                    outcome: *outcome,
                    note: note.clone(),
                };
                Plan::new(change)
                    .with_target(line)
                    .with_detail("outcome", &audit::text(outcome)?)
                    .with_detail("note", &note)
            }
            AdminAct::HideGame { game, hidden } => {
                self.parts.games.ledger.load(game).await?;
                Plan::new(AdminChange::Game { id: game.clone(), public: !hidden })
                    .with_target(game)
                    .with_detail("hidden", &hidden)
            }
            AdminAct::Adjudicate { game, result } => {
                if let Some(ending) = self.parts.games.ledger.load(game).await?.ending() {
                    return Err(Refusal::Over(ending).into());
                }
                Plan::with_change(PlannedChange::Adjudication { game: game.clone(), result: *result })
                    .with_target(game)
                    .with_detail("result", &audit::text(result)?)
            }
            AdminAct::SetHouse { settings } => house::plan(&*self.parts.store, settings).await?,
            AdminAct::SetPage { page, language, text } => {
                pages::plan(&*self.parts.store, *page, language, text).await?
            }
            AdminAct::Approve { account }
            | AdminAct::Rename { account, .. }
            | AdminAct::Silence { account, .. }
            | AdminAct::Unsilence { account }
            | AdminAct::Close { account }
            | AdminAct::Reopen { account }
            | AdminAct::Delete { account }
            | AdminAct::ResetPassword { account }
            | AdminAct::EndSessions { account }
            | AdminAct::SecondFactorOff { account }
            | AdminAct::SetRole { account, .. }
            | AdminAct::ResetPupil { account } => {
                let member = self.parts.store.lookup_member(account, now).await?;
                let member = member.ok_or_else(|| Error::AccountNotFound(pupil_names::shortened(account)))?;
                actor.may_act_on(&member)?;
                self.plan_for(&member, act, now).await?
            }
        })
    }

    /// Checks an act on one account and returns the plan for carrying it out.
    async fn plan_for(&self, member: &Member, act: &AdminAct, now: Millis) -> Result<Plan, Error> {
        Ok(match act {
            AdminAct::Approve { .. } if member.membership.state != AccountState::Pending => {
                return Err(Error::NotPending);
            }
            AdminAct::Approve { .. } | AdminAct::Reopen { .. } => {
                Plan::of(member, AccountChange::State(AccountState::Open))
            }
            AdminAct::Close { .. } => Plan::of(member, AccountChange::State(AccountState::Closed)),
            AdminAct::Rename { name, .. } => {
                let name = checked_name(name, self.parts.host.as_deref())?;
                let skeleton = name_skeleton(&name, &self.parts.name_salt);
                Plan::of(member, AccountChange::Name { name: name.clone(), skeleton })
                    .with_detail("from", &member.name)
                    .with_detail("name", &name)
                    .with_notice(Change::InDoubt { player: member.player.clone() })
            }
            AdminAct::Silence { days, .. } => {
                let days = days.map(|days| days.clamp(1, MAX_SILENCE_DAYS));
                let until = days.map_or(i64::MAX, |days| now.0 + i64::from(days) * DAY_MS);
                let plan = Plan::of(member, AccountChange::SilencedUntil(Some(Millis(until))));
                match days {
                    Some(days) => plan.with_detail("days", &days),
                    None => plan,
                }
            }
            AdminAct::Unsilence { .. } => Plan::of(member, AccountChange::SilencedUntil(None)),
            AdminAct::Delete { .. } => {
                let name = NameRetirement {
                    skeleton_hashes: name_skeleton(&member.name, &self.parts.name_salt).retired,
                    until: self.parts.retention.names.expiry(now),
                };
                Plan::of(member, AccountChange::Delete(name))
                    .with_notice(Change::AccountDeleted { player: member.player.clone() })
            }
            AdminAct::ResetPassword { .. } => {
                let (secret, token) = new_token(&*self.parts.entropy)?;
                let expires_at = Millis(now.0 + RECOVERY_MS);
                Plan::of(member, AccountChange::Recovery { token, expires_at })
                    .with_link(format!("/recover/{secret}"))
            }
            AdminAct::SecondFactorOff { .. } => Plan::of(member, AccountChange::SecondFactorOff),
            AdminAct::SetRole { role, .. } => Plan::of(member, AccountChange::Role(*role))
                .with_detail("role", &role.map_or("none", Role::name)),
            AdminAct::ResetPupil { .. } => self.plan_pupil_password(member).await?,
            _ => Plan::of(member, AccountChange::EndSessions),
        })
    }

    fn plan_invitation(&self, role: Option<Role>, uses: u32, days: u16) -> Result<Plan, Error> {
        let (uses, days) = (uses.clamp(1, MAX_INVITATION_USES), days.clamp(1, MAX_INVITATION_DAYS));
        let (secret, token) = new_token(&*self.parts.entropy)?;
        let now = self.parts.clock.now();
        let new = NewHouseInvitation {
            token,
            role,
            uses,
            is_first: false,
            created_at: now,
            expires_at: Millis(now.0 + i64::from(days) * DAY_MS),
        };
        Ok(Plan::new(AdminChange::Invitation(new))
            .with_detail("role", &role.map_or("none", Role::name))
            .with_detail("uses", &uses)
            .with_detail("days", &days)
            .with_link(format!("/join/{secret}")))
    }

    /// Gives the player's account the role that an invitation grants. An administrator remains one, and the
    /// invitation can still be used.
    pub(crate) async fn claim(&self, player: &PlayerId, secret: &str) -> Result<Role, Error> {
        let Parts { store, clock, .. } = &self.parts;
        let token = hash_of(secret);
        let found = store.lookup_house_invitation(&token, clock.now()).await?;
        let role = found.and_then(|found| found.role).ok_or(Error::HouseInvitationNotFound)?;
        let account = store.lookup_account(player).await?;
        if account.is_some_and(|account| account.membership.role == Some(Role::Administrator)) {
            return Ok(Role::Administrator);
        }
        let entry = claim_entry(player, role, clock.now())?;
        let claimed = store.claim_role(player, &token, entry).await?;
        let (role, entry) = claimed.ok_or(Error::HouseInvitationNotFound)?;
        log_claim(player, &entry);
        tracing::info!(role = role.name(), by = player.as_str(), "a role was claimed");
        Ok(role)
    }

    /// Sends the notice of an act to all servers.
    async fn announce(&self, notice: Option<Change>) -> Result<(), Error> {
        let Some(notice) = notice else { return Ok(()) };
        // The actor must see the new settings immediately, but the notice arrives a little later.
        if notice == Change::HouseChanged {
            self.parts.house.reload().await?;
        }
        self.publish(notice).await;
        Ok(())
    }

    /// Notifies all servers of a change.
    async fn publish(&self, change: Change) {
        if self.parts.announces
            && let Err(error) = self.parts.store.announce_change().await
        {
            tracing::warn!(%error, "could not announce a change to the servers");
        }
        self.parts.changes.publish(change).await;
    }
}

/// Writes the audit entry for a claimed role to the server's own log. The account may have claimed the role
/// when it was registered, or later.
pub(crate) fn log_claim(player: &PlayerId, entry: &AuditEntry) {
    audit::log(CLAIM, Some(player), entry);
}

/// Returns the audit log entry for an account that claims the role granted by an invitation.
pub(crate) fn claim_entry(player: &PlayerId, role: Role, now: Millis) -> Result<NewAuditEntry, Error> {
    let document = AuditDocument {
        schema: Schema::default(),
        by: Some(player.clone()),
        act: CLAIM.to_owned(),
        accounts: vec![player.clone()],
        on: None,
        details: [("role".to_owned(), role.name().to_owned())].into(),
    };
    audit::entry(&document, now)
}

/// Converts a protocol result into a state machine result.
fn result_of(result: GameResult) -> adoube_game::GameResult {
    match result {
        GameResult::WhiteWins => adoube_game::GameResult::WhiteWins,
        GameResult::BlackWins => adoube_game::GameResult::BlackWins,
        GameResult::Draw => adoube_game::GameResult::Draw,
        GameResult::NoResult => adoube_game::GameResult::NoResult,
    }
}
