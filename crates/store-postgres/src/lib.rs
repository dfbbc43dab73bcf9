//! The store in a PostgreSQL database, which several nodes share.
//!
//! Each node has one connection that writes turns and new games, many of them in one transaction (`writer`),
//! and a pool for everything else (`database`). Statements are checked against the server by the contract
//! test and the tests here, and not at compile time, so the build needs no database.
//!
//! A commit waits for the disk of the server (`synchronous_commit`): as with `SQLite`, acknowledged data
//! survives a power cut. A change that is not known to be written is an error that asks the caller to retry
//! ([`StoreError::Unreachable`](adoube_store::StoreError)).
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod address;
mod append;
mod copy;
mod create;
mod database;
mod error;
mod open;
mod read;
mod schema;
mod text;
mod write;
mod writer;

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use adoube_store::{
    Account, AccountStore, Ages, Analysis, AnalysisChange, Append, Appended, Boot, ChangeStore, Changed,
    ChatAdded, ChatMessage, ChatStore, Counted, Created, Credentials, Cursor, DeadNode, Downtime, Game,
    GameFilter, GameStore, Invitation, Job, JobId, JobState, LeaseRequest, LimitStore, ListedGame, Match,
    MatchedGame, NameStore, NewAccount, NewAnalysis, NewChatMessage, NewGame, NewJob, NewMail, NewProblem,
    NewReport, NewSession, NodeStore, Presence, PresenceChange, ProblemFilter, ProblemStore, Proposal,
    ProposalAdded, ProposalLimits, ProposalList, ProposalStore, Published, Recovered, Registered, Renewal,
    Report, Result, RoomState, RunningGame, Saved, SecondFactor, SecondFactorStore, Session, StoreError,
    StoredEvent, StoredProblem, StudyStore, Take, Taken, Tidied, TokenHash, Try, Versions, VisitorChange,
    VisitorList, VisitorStore, WorkStore, WorkerRenewal, WriteCounts,
};
use adoube_vocabulary::{
    AnalysisId, ChatRoom, Color, CommandId, GameId, InvitationToken, MatchId, Millis, NodeId, PlayerId,
    ProblemId, SessionId, Version,
};
use async_trait::async_trait;
use tokio::sync::watch;
use uuid::Uuid;

use crate::{
    database::{Connector, Database},
    write::{
        accounts, chat, games, hall, house, limits, mail, nodes, preferences, problems, second_factor, study,
        tidy, work,
    },
    writer::Writer,
};

pub use address::Address;
pub use copy::{PostgresSource, PostgresTarget};
pub use open::OpenError;

/// Limits of connections and waiting times.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum number of connections, not counting that of the writer.
    pub connections: u32,
    /// The maximum wait for a connection.
    pub acquire_timeout: Duration,
    /// The time limit of a statement, and twice the time limit for a lock.
    pub statement_timeout: Duration,
    /// The time that a turn waits for an unreachable database before it is refused.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 16,
            acquire_timeout: Duration::from_secs(3),
            statement_timeout: Duration::from_secs(5),
            patience: Duration::from_secs(2),
        }
    }
}

#[derive(Debug)]
pub struct PostgresStore {
    writer: Writer,
    database: Database,
    house: Uuid,
    /// The number of times that tokens were taken.
    takes: AtomicU64,
    /// The reason why nothing more may be written.
    broken: watch::Sender<Option<String>>,
}

impl PostgresStore {
    /// Opens a database, and creates its tables or applies missing migrations. Other nodes may have it open.
    pub async fn open(address: &str) -> Result<Self> {
        Self::open_with(address, Limits::default()).await
    }

    /// Opens a database with limits other than the default.
    pub async fn open_with(address: &str, limits: Limits) -> Result<Self> {
        let address: Address =
            address.parse().map_err(|error: OpenError| error.into_store("the database"))?;
        let place = address.to_string();
        let connector = Connector::new(address, limits);
        let opened = open::open(&connector).await.map_err(|error| error.into_store(&place))?;
        copy::leave(&mut connector.connect().await.map_err(error::translate)?, &place).await?;
        tracing::info!(%place, house = %opened.house, schema = opened.found.number, "the database is open");
        let database = Database::new(&connector);
        let writer = Writer::start(connector, database.clone());
        Ok(Self {
            writer,
            database,
            house: opened.house,
            takes: AtomicU64::new(0),
            broken: watch::Sender::new(None),
        })
    }

    /// Returns the id of the database, which is the same for all its nodes and different for any other
    /// database.
    pub fn house(&self) -> Uuid {
        self.house
    }

    fn gone(&self) -> Result<()> {
        match &*self.broken.borrow() {
            Some(reason) => Err(StoreError::Broken(reason.clone())),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl GameStore for PostgresStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        games::secret(&self.database, name, fresh).await
    }

    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()> {
        games::set_secret(&self.database, name, value).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        self.gone()?;
        self.writer.create(game).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        read::games::game(&self.database, id).await
    }

    async fn is_public(&self, id: &GameId) -> Result<bool> {
        read::games::is_public(&self.database, id).await
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        read::games::events(&self.database, id, after).await
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.gone()?;
        self.writer.append(append).await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        read::games::command(&self.database, player, command).await
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        read::games::invitation(&self.database, token).await
    }

    async fn list_games(&self, filter: &GameFilter) -> Result<Vec<ListedGame>> {
        read::games::games_of(&self.database, filter).await
    }

    async fn list_public(&self, limit: u32) -> Result<Vec<ListedGame>> {
        read::games::public(&self.database, limit).await
    }

    async fn list_awaiting_machine(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<Cursor>> {
        read::games::awaiting_machine(&self.database, after, limit).await
    }

    async fn list_running(&self) -> Result<Vec<RunningGame>> {
        read::games::running(&self.database).await
    }

    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>> {
        read::games::due(&self.database, after, until, limit).await
    }

    fn write_counts(&self) -> Option<WriteCounts> {
        Some(self.writer.counts())
    }

    async fn add_match(&self, new: Match) -> Result<()> {
        games::add_match(&self.database, &new).await
    }

    async fn lookup_match(&self, id: &MatchId) -> Result<Option<Match>> {
        read::games::the_match(&self.database, id).await
    }

    async fn list_match(&self, id: &MatchId) -> Result<Vec<MatchedGame>> {
        read::games::games_of_match(&self.database, id).await
    }

    async fn record_heartbeat(&self, now: Millis) -> Result<()> {
        house::record_heartbeat(&self.database, now).await
    }

    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>> {
        self.database.ask(house::RecordStart(now)).await
    }

    async fn add_downtime(&self, downtime: Downtime) -> Result<()> {
        house::add_downtime(&self.database, downtime).await
    }

    async fn latest_write(&self) -> Result<Option<Millis>> {
        read::house::latest_write(&self.database).await
    }

    async fn last_boot(&self) -> Result<Option<Boot>> {
        read::house::last_boot(&self.database).await
    }

    async fn set_last_boot(&self, boot: &Boot) -> Result<()> {
        house::set_last_boot(&self.database, boot).await
    }

    async fn tidy(&self, before: &Ages, limit: u32, dry_run: bool) -> Result<Tidied> {
        if dry_run {
            return read::tidy::count(&self.database, before).await;
        }
        self.database.ask(tidy::Tidy { before: *before, limit }).await
    }

    async fn check(&self) -> Result<()> {
        self.writer.check()?;
        self.gone()?;
        // A transaction that changes nothing, whose commit waits for the disk.
        let probe = "SELECT pg_logical_emit_message(true, 'adoube', 'probe')";
        self.database.execute(sqlx::query(probe)).await?;
        let row = self.database.fetch_optional(sqlx::query("SELECT id FROM house")).await?;
        let found = row.as_ref().map(|row| text::get::<Uuid>(row, "id")).transpose()?;
        if found != Some(self.house) {
            let reason = "the database was replaced by another one while it was in use; start again";
            self.broken.send_replace(Some(reason.into()));
        }
        self.gone()
    }

    async fn failed(&self) -> StoreError {
        let mut broken = self.broken.subscribe();
        let reason = broken.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
        match reason {
            Some(reason) => StoreError::Broken(reason),
            None => std::future::pending().await,
        }
    }

    async fn close(&self) {
        // The pool closes last: appends that wait for a lock use it.
        self.writer.close().await;
        self.database.close().await;
    }
}

/// The number of calls of `take` after which full buckets are deleted; more are deleted at a time than can be
/// added meanwhile.
const FORGET_EVERY: u64 = 50;

#[async_trait]
impl LimitStore for PostgresStore {
    async fn take(&self, takes: &[Take], now: Millis) -> Result<Taken> {
        if self.takes.fetch_add(1, Relaxed).is_multiple_of(FORGET_EVERY) {
            limits::forget_full(&self.database, now).await?;
        }
        self.database.ask(limits::TakeAll::new(takes, now)).await
    }

    async fn give_back(&self, takes: &[Take], _: Millis) -> Result<()> {
        self.database.ask(limits::GiveBack(takes.to_vec())).await
    }
}

#[async_trait]
impl AccountStore for PostgresStore {
    async fn add_account(&self, new: NewAccount) -> Result<Registered> {
        self.database.ask(accounts::AddAccount(new)).await
    }

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>> {
        read::accounts::account(&self.database, player).await
    }

    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>> {
        read::accounts::account_by_name(&self.database, name).await
    }

    async fn is_account(&self, player: &PlayerId) -> Result<bool> {
        read::accounts::is_account(&self.database, player).await
    }

    async fn set_password(
        &self,
        player: &PlayerId,
        shown: &Credentials,
        password: &str,
        keep: Option<&SessionId>,
    ) -> Result<Option<Vec<SessionId>>> {
        let (player, shown, password, keep) =
            (player.clone(), shown.clone(), password.to_owned(), keep.cloned());
        self.database.ask(accounts::SetPassword { player, shown, password, keep }).await
    }

    async fn set_email(&self, player: &PlayerId, shown: &Credentials, email: Option<&str>) -> Result<bool> {
        let (player, shown, email) = (player.clone(), shown.clone(), email.map(Into::into));
        self.database.ask(accounts::SetEmail { player, shown, email }).await
    }

    async fn set_language(&self, player: &PlayerId, language: &str) -> Result<()> {
        mail::set_language(&self.database, player, language).await
    }

    async fn set_reminders(&self, player: &PlayerId, wanted: bool) -> Result<()> {
        mail::set_reminders(&self.database, player, wanted).await
    }

    async fn lookup_preferences(&self, player: &PlayerId) -> Result<Option<(Version, String)>> {
        read::accounts::preferences(&self.database, player).await
    }

    async fn set_preferences(
        &self,
        player: &PlayerId,
        based_on: Version,
        document: &str,
    ) -> Result<Option<Version>> {
        let (player, document) = (player.clone(), document.to_owned());
        self.database.ask(preferences::SetPreferences { player, based_on, document }).await
    }

    async fn end_sessions(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        self.database.ask(accounts::EndSessions(player.clone())).await
    }

    async fn delete_account(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        self.database.ask(accounts::DeleteAccount(player.clone())).await
    }

    async fn add_session(&self, new: NewSession) -> Result<Option<Vec<SessionId>>> {
        self.database.ask(accounts::AddSession(new)).await
    }

    async fn lookup_session(&self, token: &TokenHash, now: Millis) -> Result<Option<Session>> {
        read::accounts::session(&self.database, token, now).await
    }

    async fn set_session_used(&self, id: &SessionId, now: Millis, expires_at: Millis) -> Result<()> {
        accounts::set_session_used(&self.database, id, now, expires_at).await
    }

    async fn list_sessions(&self, player: &PlayerId, now: Millis) -> Result<Vec<Session>> {
        read::accounts::sessions(&self.database, player, now).await
    }

    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool> {
        accounts::delete_session(&self.database, player, id).await
    }

    async fn add_recovery(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.database.ask(accounts::AddRecovery { player, email, token, expires_at }).await
    }

    async fn lookup_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        read::accounts::recovery(&self.database, token, now).await
    }

    async fn recover(&self, token: &TokenHash, password: &str, now: Millis) -> Result<Option<Recovered>> {
        self.database.ask(accounts::Recover { token: *token, password: password.to_owned(), now }).await
    }

    async fn add_confirmation(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.database.ask(mail::AddConfirmation { player, email, token, expires_at }).await
    }

    async fn confirm_email(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        self.database.ask(mail::ConfirmEmail { token: *token, now }).await
    }

    async fn count_mail(&self, new: NewMail) -> Result<Option<u32>> {
        self.database.ask(mail::CountMail(new)).await
    }

    async fn add_reminder(&self, player: &PlayerId, game: &GameId, by: Option<&NodeId>) -> Result<bool> {
        mail::add_reminder(&self.database, player, game, by).await
    }

    async fn is_reminded(&self, player: &PlayerId, game: &GameId) -> Result<bool> {
        read::accounts::is_reminded(&self.database, player, game).await
    }

    async fn delete_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()> {
        mail::delete_reminder(&self.database, player, game).await
    }
}

#[async_trait]
impl SecondFactorStore for PostgresStore {
    async fn add_second_factor(&self, player: &PlayerId, secret: &[u8]) -> Result<bool> {
        self.database.ask(second_factor::Add { player: player.clone(), secret: secret.to_owned() }).await
    }

    async fn lookup_second_factor(&self, player: &PlayerId) -> Result<Option<SecondFactor>> {
        read::accounts::second_factor(&self.database, player).await
    }

    async fn confirm_second_factor(
        &self,
        player: &PlayerId,
        secret: &[u8],
        at: Millis,
        codes: &[TokenHash],
        keep: &SessionId,
    ) -> Result<Option<Vec<SessionId>>> {
        let (player, keep) = (player.clone(), keep.clone());
        let (secret, codes) = (secret.to_owned(), codes.to_owned());
        self.database.ask(second_factor::Confirm { player, secret, at, codes, keep }).await
    }

    async fn spend_time(&self, player: &PlayerId, at: Millis) -> Result<bool> {
        second_factor::spend_time(&self.database, player, at).await
    }

    async fn spend_recovery_code(&self, player: &PlayerId, code: &TokenHash) -> Result<bool> {
        second_factor::spend_code(&self.database, player, code).await
    }

    async fn set_recovery_codes(&self, player: &PlayerId, codes: &[TokenHash]) -> Result<bool> {
        self.database.ask(second_factor::SetCodes { player: player.clone(), codes: codes.to_owned() }).await
    }

    async fn delete_second_factor(&self, player: &PlayerId) -> Result<bool> {
        second_factor::delete(&self.database, player).await
    }
}

#[async_trait]
impl NodeStore for PostgresStore {
    fn is_shared(&self) -> bool {
        true
    }

    async fn time(&self) -> Result<Option<Millis>> {
        read::nodes::time(&self.database).await.map(Some)
    }

    async fn renew_lease(&self, request: LeaseRequest, since: Millis) -> Result<Renewal> {
        nodes::renew_lease(&self.database, request, since).await
    }

    async fn last_renewal(&self, id: &NodeId) -> Result<Option<Millis>> {
        read::nodes::last_renewal(&self.database, id).await
    }

    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()> {
        self.database.ask(nodes::ReleaseLease { id: id.clone(), now }).await
    }

    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
        nodes::take_over(&self.database, by, now).await
    }

    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool> {
        self.database.ask(nodes::ForgetNode { by: by.clone(), id: id.clone(), now }).await
    }

    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
        nodes::set_presence(&self.database, id, changes).await
    }

    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence> {
        read::nodes::presence(&self.database, game, color, now).await
    }

    async fn tidy_presence(&self, before: Millis, limit: u32) -> Result<u64> {
        nodes::tidy_presence(&self.database, before, limit).await
    }

    async fn claim_machine_turn(&self, id: &NodeId, game: &GameId, now: Millis) -> Result<bool> {
        work::claim_machine_turn(&self.database, id, game, now).await
    }
}

#[async_trait]
impl WorkStore for PostgresStore {
    async fn renew_worker(
        &self,
        id: &NodeId,
        address: &str,
        now: Millis,
        since: Millis,
    ) -> Result<WorkerRenewal> {
        let (id, address) = (id.clone(), address.to_owned());
        self.database.ask(work::RenewWorker { id, address, now, since }).await
    }

    async fn release_worker(&self, id: &NodeId) -> Result<()> {
        work::release_worker(&self.database, id).await
    }

    async fn list_unclaimed_turns(
        &self,
        by: &NodeId,
        now: Millis,
        waiting_since: Millis,
        limit: u32,
    ) -> Result<Vec<GameId>> {
        work::list_unclaimed_turns(&self.database, by, now, waiting_since, limit).await
    }

    async fn ask_job(&self, job: &NewJob) -> Result<JobState> {
        work::ask_job(&self.database, job).await
    }

    async fn claim_job(
        &self,
        by: &NodeId,
        kinds: &[&str],
        now: Millis,
        asked_before: Millis,
    ) -> Result<Option<Job>> {
        work::claim_job(&self.database, by, kinds, now, asked_before).await
    }

    async fn is_job_wanted(&self, id: &JobId, by: &NodeId, now: Millis) -> Result<bool> {
        work::is_job_wanted(&self.database, id, by, now).await
    }

    async fn finish_job(&self, id: &JobId, by: &NodeId, result: &str) -> Result<bool> {
        work::finish_job(&self.database, id, by, result).await
    }

    async fn release_job(&self, id: &JobId, by: &NodeId, failed: bool) -> Result<()> {
        work::release_job(&self.database, id, by, failed).await
    }

    async fn forget_jobs(&self, now: Millis) -> Result<u64> {
        work::forget_jobs(&self.database, now).await
    }

    async fn claim_reminders(&self, by: &NodeId, now: Millis, limit: u32) -> Result<Vec<(PlayerId, GameId)>> {
        work::claim_reminders(&self.database, by, now, limit).await
    }

    async fn confirm_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()> {
        work::confirm_reminder(&self.database, player, game).await
    }
}

#[async_trait]
impl NameStore for PostgresStore {
    async fn list_unlooked_names(&self, limit: u32) -> Result<Vec<(PlayerId, String)>> {
        read::accounts::unlooked_names(&self.database, limit).await
    }

    async fn set_looks(&self, skeletons: Vec<(PlayerId, String)>) -> Result<()> {
        self.database.ask(accounts::SetLooks(skeletons)).await
    }

    async fn retire_name(&self, mark: &TokenHash, until: Millis) -> Result<()> {
        accounts::retire_name(&self.database, mark, until).await
    }
}

#[async_trait]
impl ProposalStore for PostgresStore {
    async fn add_proposal(&self, proposal: Proposal, limits: &ProposalLimits) -> Result<ProposalAdded> {
        self.database.ask(hall::AddProposal { new: proposal, limits: *limits }).await
    }

    async fn delete_proposal(&self, id: &str) -> Result<bool> {
        self.database.ask(hall::DeleteProposal(id.to_owned())).await
    }

    async fn lookup_proposal(&self, id: &str, now: Millis) -> Result<Option<Proposal>> {
        read::hall::lookup_proposal(&self.database, id, now).await
    }

    async fn list_proposals(&self, now: Millis) -> Result<ProposalList> {
        read::hall::proposals(&self.database, now).await
    }
}

#[async_trait]
impl VisitorStore for PostgresStore {
    async fn set_visitors(
        &self,
        node: &NodeId,
        changes: &[VisitorChange],
        forget_before: Millis,
    ) -> Result<()> {
        hall::set_visitors(&self.database, node, changes, forget_before).await
    }

    async fn list_visitors(&self, names: u32) -> Result<VisitorList> {
        read::hall::visitors(&self.database, names).await
    }

    async fn list_absent(&self, players: &[PlayerId], since: Millis) -> Result<Vec<PlayerId>> {
        read::hall::absent(&self.database, players, since).await
    }

    async fn set_watchers(&self, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()> {
        hall::set_watchers(&self.database, node, counts).await
    }

    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>> {
        read::hall::rooms(&self.database, games).await
    }
}

#[async_trait]
impl ChangeStore for PostgresStore {
    async fn versions(&self) -> Result<Versions> {
        read::hall::versions(&self.database).await
    }

    async fn announce_change(&self) -> Result<()> {
        hall::announce_change(&self.database).await
    }
}

#[async_trait]
impl ChatStore for PostgresStore {
    async fn add_message(&self, new: NewChatMessage) -> Result<ChatAdded> {
        chat::add_message(&self.database, &new).await
    }

    async fn list_messages(&self, game: &GameId, room: ChatRoom, limit: u32) -> Result<Vec<ChatMessage>> {
        read::chat::messages(&self.database, game, room, limit).await
    }

    async fn list_messages_of(
        &self,
        player: &PlayerId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatMessage)>> {
        read::chat::messages_of(&self.database, player, after, limit).await
    }

    async fn add_report(&self, report: NewReport) -> Result<bool> {
        chat::add_report(&self.database, &report).await
    }

    async fn list_reports(&self, limit: u32) -> Result<Vec<Report>> {
        read::chat::reports(&self.database, limit).await
    }
}

#[async_trait]
impl ProblemStore for PostgresStore {
    async fn add_problem(&self, new: NewProblem) -> Result<Published> {
        self.database.ask(problems::AddProblem(new)).await
    }

    async fn lookup_publication(&self, owner: &PlayerId, command: CommandId) -> Result<Option<ProblemId>> {
        read::problems::publication(&self.database, owner, command).await
    }

    async fn lookup_problem_at(&self, variant: &str, position: &str) -> Result<Option<ProblemId>> {
        read::problems::problem_at(&self.database, variant, position).await
    }

    async fn lookup_problem(&self, id: &ProblemId) -> Result<Option<StoredProblem>> {
        read::problems::problem(&self.database, id).await
    }

    async fn list_problems(&self, filter: &ProblemFilter) -> Result<Vec<StoredProblem>> {
        read::problems::problems(&self.database, filter).await
    }

    async fn withdraw_problem(&self, owner: &PlayerId, id: &ProblemId) -> Result<bool> {
        problems::withdraw(&self.database, owner, id).await
    }
}

#[async_trait]
impl StudyStore for PostgresStore {
    async fn add_try(&self, player: &PlayerId, new: Try) -> Result<Counted> {
        self.database.ask(study::AddTry { player: player.clone(), new }).await
    }

    async fn list_tries(&self, player: &PlayerId, variant: Option<&str>) -> Result<Vec<Try>> {
        read::study::tries(&self.database, player, variant).await
    }

    async fn add_analysis(&self, new: NewAnalysis) -> Result<Saved> {
        self.database.ask(study::AddAnalysis(new)).await
    }

    async fn change_analysis(&self, change: AnalysisChange) -> Result<Changed> {
        self.database.ask(study::ChangeAnalysis(change)).await
    }

    async fn lookup_analysis(
        &self,
        player: &PlayerId,
        id: &AnalysisId,
    ) -> Result<Option<(Analysis, String)>> {
        read::study::analysis(&self.database, player, id).await
    }

    async fn list_analyses(&self, player: &PlayerId) -> Result<Vec<Analysis>> {
        read::study::analyses(&self.database, player).await
    }

    async fn delete_analysis(&self, player: &PlayerId, id: &AnalysisId) -> Result<bool> {
        study::delete_analysis(&self.database, player, id).await
    }
}
