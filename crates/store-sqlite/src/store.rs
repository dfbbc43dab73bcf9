//! The traits of the store: each method is a query on a reader or a change for the writer.

use adoube_store::{
    Account, AccountStore, Ages, Analysis, AnalysisChange, Append, Appended, Boot, ChangeStore, Changed,
    ChatAdded, ChatMessage, ChatStore, Counted, Created, Credentials, Cursor, DeadNode, Downtime, Game,
    GameFilter, GameStore, Invitation, LeaseRequest, LimitStore, ListedGame, Match, MatchedGame, NameStore,
    NewAccount, NewAnalysis, NewChatMessage, NewGame, NewMail, NewProblem, NewReport, NewSession, NodeStore,
    Presence, PresenceChange, ProblemFilter, ProblemStore, Proposal, ProposalAdded, ProposalLimits,
    ProposalList, ProposalStore, Published, Recovered, Registered, Renewal, Report, Result, RoomState,
    RunningGame, Saved, SecondFactor, SecondFactorStore, Session, StoreError, StoredEvent, StoredProblem,
    StudyStore, Take, Taken, Tidied, TokenHash, Try, Versions, VisitorChange, VisitorList, VisitorStore,
    WorkStore, WriteCounts,
};
use adoube_vocabulary::{
    AnalysisId, ChatRoom, Color, CommandId, GameId, InvitationToken, MatchId, Millis, NodeId, PlayerId,
    ProblemId, SessionId, Version,
};
use async_trait::async_trait;

use crate::{
    SqliteStore, read,
    write::{
        accounts, chat, games, hall, house, mail, nodes, preferences, problems, second_factor, study, tidy,
    },
};

#[async_trait]
impl GameStore for SqliteStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        self.writer.ask(games::Secret { name: name.to_owned(), fresh: fresh.to_owned() }).await
    }

    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()> {
        self.writer.ask(games::SetSecret { name: name.to_owned(), value: value.to_owned() }).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        self.writer.ask(games::AddGame(game)).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        read::games::game(&self.readers, id).await
    }

    async fn is_public(&self, id: &GameId) -> Result<bool> {
        read::games::is_public(&self.readers, id).await
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        read::games::events(&self.readers, id, after).await
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.writer.append(append).await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        read::games::command(&self.readers, player, command).await
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        read::games::invitation(&self.readers, token).await
    }

    async fn list_games(&self, filter: &GameFilter) -> Result<Vec<ListedGame>> {
        read::games::games_of(&self.readers, filter).await
    }

    async fn list_public(&self, limit: u32) -> Result<Vec<ListedGame>> {
        read::games::public(&self.readers, limit).await
    }

    async fn list_awaiting_machine(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<Cursor>> {
        read::games::awaiting_machine(&self.readers, after, limit).await
    }

    async fn list_running(&self) -> Result<Vec<RunningGame>> {
        read::games::running(&self.readers).await
    }

    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>> {
        read::games::due(&self.readers, after, until, limit).await
    }

    fn write_counts(&self) -> Option<WriteCounts> {
        Some(self.writer.counts())
    }

    async fn add_match(&self, new: Match) -> Result<()> {
        self.writer.ask(games::AddMatch(new)).await
    }

    async fn lookup_match(&self, id: &MatchId) -> Result<Option<Match>> {
        read::games::the_match(&self.readers, id).await
    }

    async fn list_match(&self, id: &MatchId) -> Result<Vec<MatchedGame>> {
        read::games::games_of_match(&self.readers, id).await
    }

    async fn record_heartbeat(&self, now: Millis) -> Result<()> {
        self.writer.ask(house::RecordHeartbeat(now)).await
    }

    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>> {
        self.writer.ask(house::RecordStart(now)).await
    }

    async fn add_downtime(&self, downtime: Downtime) -> Result<()> {
        self.writer.ask(house::AddDowntime(downtime)).await
    }

    async fn latest_write(&self) -> Result<Option<Millis>> {
        read::house::latest_write(&self.readers).await
    }

    async fn last_boot(&self) -> Result<Option<Boot>> {
        read::house::last_boot(&self.readers).await
    }

    async fn set_last_boot(&self, boot: &Boot) -> Result<()> {
        self.writer.ask(house::SetLastBoot(boot.clone())).await
    }

    async fn tidy(&self, before: &Ages, limit: u32, dry_run: bool) -> Result<Tidied> {
        if dry_run {
            return read::tidy::count(&self.readers, before).await;
        }
        self.writer.ask(tidy::Tidy { before: *before, limit }).await
    }

    async fn check(&self) -> Result<()> {
        self.writer.check()?;
        self.place.check()?;
        self.place.check_room().await?;
        read::games::check(&self.readers).await
    }

    fn free_bytes(&self) -> Option<u64> {
        self.place.free_bytes()
    }

    async fn failed(&self) -> StoreError {
        self.writer.failed().await
    }

    async fn close(&self) {
        // The writer closes last: closing its connection empties the log, and then the lock is released.
        self.readers.close().await;
        self.writer.close().await;
    }
}

#[async_trait]
impl NodeStore for SqliteStore {
    fn is_shared(&self) -> bool {
        // The lock file keeps other servers out.
        false
    }

    async fn time(&self) -> Result<Option<Millis>> {
        Ok(None)
    }

    async fn renew_lease(&self, request: LeaseRequest, since: Millis) -> Result<Renewal> {
        self.writer.ask(nodes::RenewLease { request, since }).await
    }

    async fn last_renewal(&self, id: &NodeId) -> Result<Option<Millis>> {
        read::nodes::last_renewal(&self.readers, id).await
    }

    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()> {
        self.writer.ask(nodes::ReleaseLease { id: id.clone(), now }).await
    }

    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
        self.writer.ask(nodes::TakeOver { by: by.clone(), now }).await
    }

    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool> {
        self.writer.ask(nodes::ForgetNode { by: by.clone(), id: id.clone(), now }).await
    }

    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
        self.writer.ask(nodes::SetPresence { id: id.clone(), changes: changes.to_vec() }).await
    }

    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence> {
        read::nodes::presence(&self.readers, game, color, now).await
    }

    async fn tidy_presence(&self, before: Millis, limit: u32) -> Result<u64> {
        self.writer.ask(nodes::TidyPresence { before, limit }).await
    }

    async fn claim_machine_turn(&self, id: &NodeId, game: &GameId, now: Millis) -> Result<bool> {
        self.writer.ask(nodes::ClaimMachineTurn { id: id.clone(), game: game.clone(), now }).await
    }
}

/// Kept in memory, because only one process can serve the file.
#[async_trait]
impl LimitStore for SqliteStore {
    async fn take(&self, takes: &[Take], now: Millis) -> Result<Taken> {
        Ok(self.limits.take(takes, now))
    }

    async fn give_back(&self, takes: &[Take], _: Millis) -> Result<()> {
        self.limits.give_back(takes);
        Ok(())
    }
}

#[async_trait]
impl AccountStore for SqliteStore {
    async fn add_account(&self, new: NewAccount) -> Result<Registered> {
        self.writer.ask(accounts::AddAccount(new)).await
    }

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>> {
        read::accounts::account(&self.readers, player).await
    }

    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>> {
        read::accounts::account_by_name(&self.readers, name).await
    }

    async fn is_account(&self, player: &PlayerId) -> Result<bool> {
        read::accounts::is_account(&self.readers, player).await
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
        self.writer.ask(accounts::SetPassword { player, shown, password, keep }).await
    }

    async fn set_email(&self, player: &PlayerId, shown: &Credentials, email: Option<&str>) -> Result<bool> {
        let (player, shown, email) = (player.clone(), shown.clone(), email.map(Into::into));
        self.writer.ask(accounts::SetEmail { player, shown, email }).await
    }

    async fn set_language(&self, player: &PlayerId, language: &str) -> Result<()> {
        self.writer.ask(mail::SetLanguage { player: player.clone(), language: language.to_owned() }).await
    }

    async fn set_reminders(&self, player: &PlayerId, wanted: bool) -> Result<()> {
        self.writer.ask(mail::SetReminders { player: player.clone(), wanted }).await
    }

    async fn lookup_preferences(&self, player: &PlayerId) -> Result<Option<(Version, String)>> {
        read::accounts::preferences(&self.readers, player).await
    }

    async fn set_preferences(
        &self,
        player: &PlayerId,
        based_on: Version,
        document: &str,
    ) -> Result<Option<Version>> {
        let (player, document) = (player.clone(), document.to_owned());
        self.writer.ask(preferences::SetPreferences { player, based_on, document }).await
    }

    async fn end_sessions(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        self.writer.ask(accounts::EndSessions(player.clone())).await
    }

    async fn delete_account(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        let ended = self.writer.ask(accounts::DeleteAccount(player.clone())).await?;
        self.writer.empty_log();
        Ok(ended)
    }

    async fn add_session(&self, new: NewSession) -> Result<Option<Vec<SessionId>>> {
        self.writer.ask(accounts::AddSession(new)).await
    }

    async fn lookup_session(&self, token: &TokenHash, now: Millis) -> Result<Option<Session>> {
        read::accounts::session(&self.readers, token, now).await
    }

    async fn set_session_used(&self, id: &SessionId, now: Millis, expires_at: Millis) -> Result<()> {
        self.writer.ask(accounts::SetSessionUsed { id: id.clone(), now, expires_at }).await
    }

    async fn list_sessions(&self, player: &PlayerId, now: Millis) -> Result<Vec<Session>> {
        read::accounts::sessions(&self.readers, player, now).await
    }

    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool> {
        self.writer.ask(accounts::DeleteSession { player: player.clone(), id: id.clone() }).await
    }

    async fn add_recovery(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.writer.ask(accounts::AddRecovery { player, email, token, expires_at }).await
    }

    async fn lookup_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        read::accounts::recovery(&self.readers, token, now).await
    }

    async fn recover(&self, token: &TokenHash, password: &str, now: Millis) -> Result<Option<Recovered>> {
        self.writer.ask(accounts::Recover { token: *token, password: password.to_owned(), now }).await
    }

    async fn add_confirmation(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.writer.ask(mail::AddConfirmation { player, email, token, expires_at }).await
    }

    async fn confirm_email(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        self.writer.ask(mail::ConfirmEmail { token: *token, now }).await
    }

    async fn count_mail(&self, new: NewMail) -> Result<Option<u32>> {
        self.writer.ask(mail::CountMail(new)).await
    }

    // Only this process can send it.
    async fn add_reminder(&self, player: &PlayerId, game: &GameId, _: Option<&NodeId>) -> Result<bool> {
        self.writer.ask(mail::AddReminder { player: player.clone(), game: game.clone() }).await
    }

    async fn is_reminded(&self, player: &PlayerId, game: &GameId) -> Result<bool> {
        read::accounts::is_reminded(&self.readers, player, game).await
    }

    async fn delete_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()> {
        self.writer.ask(mail::DeleteReminder { player: player.clone(), game: game.clone() }).await
    }
}

#[async_trait]
impl SecondFactorStore for SqliteStore {
    async fn add_second_factor(&self, player: &PlayerId, secret: &[u8]) -> Result<bool> {
        self.writer.ask(second_factor::Add { player: player.clone(), secret: secret.to_owned() }).await
    }

    async fn lookup_second_factor(&self, player: &PlayerId) -> Result<Option<SecondFactor>> {
        read::accounts::second_factor(&self.readers, player).await
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
        self.writer.ask(second_factor::Confirm { player, secret, at, codes, keep }).await
    }

    async fn spend_time(&self, player: &PlayerId, at: Millis) -> Result<bool> {
        self.writer.ask(second_factor::SpendTime { player: player.clone(), at }).await
    }

    async fn spend_recovery_code(&self, player: &PlayerId, code: &TokenHash) -> Result<bool> {
        self.writer.ask(second_factor::SpendCode { player: player.clone(), code: *code }).await
    }

    async fn set_recovery_codes(&self, player: &PlayerId, codes: &[TokenHash]) -> Result<bool> {
        self.writer.ask(second_factor::SetCodes { player: player.clone(), codes: codes.to_owned() }).await
    }

    async fn delete_second_factor(&self, player: &PlayerId) -> Result<bool> {
        self.writer.ask(second_factor::Delete(player.clone())).await
    }
}

impl WorkStore for SqliteStore {}

#[async_trait]
impl NameStore for SqliteStore {
    async fn list_unlooked_names(&self, limit: u32) -> Result<Vec<(PlayerId, String)>> {
        read::accounts::unlooked_names(&self.readers, limit).await
    }

    async fn set_looks(&self, skeletons: Vec<(PlayerId, String)>) -> Result<()> {
        self.writer.ask(accounts::SetLooks(skeletons)).await
    }

    async fn retire_name(&self, mark: &TokenHash, until: Millis) -> Result<()> {
        self.writer.ask(accounts::RetireName { mark: *mark, until }).await
    }
}

#[async_trait]
impl ProposalStore for SqliteStore {
    async fn add_proposal(&self, proposal: Proposal, limits: &ProposalLimits) -> Result<ProposalAdded> {
        self.writer.ask(hall::AddProposal { new: proposal, limits: *limits }).await
    }

    async fn delete_proposal(&self, id: &str) -> Result<bool> {
        self.writer.ask(hall::DeleteProposal(id.to_owned())).await
    }

    async fn lookup_proposal(&self, id: &str, now: Millis) -> Result<Option<Proposal>> {
        read::hall::lookup_proposal(&self.readers, id, now).await
    }

    async fn list_proposals(&self, now: Millis) -> Result<ProposalList> {
        read::hall::proposals(&self.readers, now).await
    }
}

#[async_trait]
impl VisitorStore for SqliteStore {
    async fn set_visitors(
        &self,
        node: &NodeId,
        changes: &[VisitorChange],
        forget_before: Millis,
    ) -> Result<()> {
        self.writer
            .ask(hall::SetVisitors { node: node.clone(), changes: changes.to_vec(), forget_before })
            .await
    }

    async fn list_visitors(&self, names: u32) -> Result<VisitorList> {
        read::hall::visitors(&self.readers, names).await
    }

    async fn list_absent(&self, players: &[PlayerId], since: Millis) -> Result<Vec<PlayerId>> {
        read::hall::absent(&self.readers, players, since).await
    }

    async fn set_watchers(&self, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()> {
        self.writer.ask(hall::SetWatchers { node: node.clone(), counts: counts.to_vec() }).await
    }

    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>> {
        read::hall::rooms(&self.readers, games).await
    }
}

#[async_trait]
impl ChangeStore for SqliteStore {
    async fn versions(&self) -> Result<Versions> {
        read::hall::versions(&self.readers).await
    }

    async fn announce_change(&self) -> Result<()> {
        self.writer.ask(hall::AnnounceChange).await
    }
}

#[async_trait]
impl ChatStore for SqliteStore {
    async fn add_message(&self, new: NewChatMessage) -> Result<ChatAdded> {
        self.writer.ask(chat::AddMessage(new)).await
    }

    async fn list_messages(&self, game: &GameId, room: ChatRoom, limit: u32) -> Result<Vec<ChatMessage>> {
        read::chat::messages(&self.readers, game, room, limit).await
    }

    async fn list_messages_of(
        &self,
        player: &PlayerId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(GameId, ChatMessage)>> {
        read::chat::messages_of(&self.readers, player, after, limit).await
    }

    async fn add_report(&self, report: NewReport) -> Result<bool> {
        self.writer.ask(chat::AddReport(report)).await
    }

    async fn list_reports(&self, limit: u32) -> Result<Vec<Report>> {
        read::chat::reports(&self.readers, limit).await
    }
}

#[async_trait]
impl ProblemStore for SqliteStore {
    async fn add_problem(&self, new: NewProblem) -> Result<Published> {
        self.writer.ask(problems::AddProblem(new)).await
    }

    async fn lookup_publication(&self, owner: &PlayerId, command: CommandId) -> Result<Option<ProblemId>> {
        read::problems::publication(&self.readers, owner, command).await
    }

    async fn lookup_problem_at(&self, variant: &str, position: &str) -> Result<Option<ProblemId>> {
        read::problems::problem_at(&self.readers, variant, position).await
    }

    async fn lookup_problem(&self, id: &ProblemId) -> Result<Option<StoredProblem>> {
        read::problems::problem(&self.readers, id).await
    }

    async fn list_problems(&self, filter: &ProblemFilter) -> Result<Vec<StoredProblem>> {
        read::problems::problems(&self.readers, filter).await
    }

    async fn withdraw_problem(&self, owner: &PlayerId, id: &ProblemId) -> Result<bool> {
        self.writer.ask(problems::WithdrawProblem { owner: owner.clone(), id: id.clone() }).await
    }
}

#[async_trait]
impl StudyStore for SqliteStore {
    async fn add_try(&self, player: &PlayerId, new: Try) -> Result<Counted> {
        self.writer.ask(study::AddTry { player: player.clone(), new }).await
    }

    async fn list_tries(&self, player: &PlayerId, variant: Option<&str>) -> Result<Vec<Try>> {
        read::study::tries(&self.readers, player, variant).await
    }

    async fn add_analysis(&self, new: NewAnalysis) -> Result<Saved> {
        self.writer.ask(study::AddAnalysis(new)).await
    }

    async fn change_analysis(&self, change: AnalysisChange) -> Result<Changed> {
        self.writer.ask(study::ChangeAnalysis(change)).await
    }

    async fn lookup_analysis(
        &self,
        player: &PlayerId,
        id: &AnalysisId,
    ) -> Result<Option<(Analysis, String)>> {
        read::study::analysis(&self.readers, player, id).await
    }

    async fn list_analyses(&self, player: &PlayerId) -> Result<Vec<Analysis>> {
        read::study::analyses(&self.readers, player).await
    }

    async fn delete_analysis(&self, player: &PlayerId, id: &AnalysisId) -> Result<bool> {
        self.writer.ask(study::DeleteAnalysis { player: player.clone(), id: id.clone() }).await
    }
}
