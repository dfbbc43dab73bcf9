//! Accounts, their names and their second factors.

use adoube_store::{
    Account, AccountStore, Credentials, Deleted, NameRetirement, NameStore, NewAccount, NewMail, NewSession,
    Recovered, Registered, Result, SecondFactor, SecondFactorStore, Session, TokenHash,
};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId, SessionId, Version};
use async_trait::async_trait;

use crate::{
    SqliteStore, read,
    write::{accounts, mail, preferences, recoveries, second_factor},
};

#[async_trait]
impl AccountStore for SqliteStore {
    async fn add_account(&self, new: NewAccount) -> Result<Registered> {
        self.writer.apply(accounts::AddAccount(new)).await
    }

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>> {
        read::accounts::account(&self.readers, player).await
    }

    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>> {
        read::accounts::account_by_name(&self.readers, name).await
    }

    async fn lookup_account_by_typed_name(&self, name: &str) -> Result<Option<Account>> {
        read::accounts::account_by_typed_name(&self.readers, name).await
    }

    async fn is_account(&self, player: &PlayerId) -> Result<bool> {
        read::accounts::is_account(&self.readers, player).await
    }

    async fn set_password(
        &self,
        player: &PlayerId,
        credentials: &Credentials,
        password: &str,
        keep: Option<&SessionId>,
    ) -> Result<Option<Vec<SessionId>>> {
        let (player, credentials, password, keep) =
            (player.clone(), credentials.clone(), password.to_owned(), keep.cloned());
        self.writer.apply(accounts::SetPassword { player, credentials, password, keep }).await
    }

    async fn set_email(
        &self,
        player: &PlayerId,
        credentials: &Credentials,
        email: Option<&str>,
    ) -> Result<bool> {
        let (player, credentials, email) = (player.clone(), credentials.clone(), email.map(Into::into));
        self.writer.apply(accounts::SetEmail { player, credentials, email }).await
    }

    async fn set_language(&self, player: &PlayerId, language: &str) -> Result<()> {
        self.writer.apply(mail::SetLanguage { player: player.clone(), language: language.to_owned() }).await
    }

    async fn set_reminders(&self, player: &PlayerId, enabled: bool) -> Result<()> {
        self.writer.apply(mail::SetReminders { player: player.clone(), enabled }).await
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
        self.writer.apply(preferences::SetPreferences { player, based_on, document }).await
    }

    async fn end_sessions(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        self.writer.apply(accounts::EndSessions(player.clone())).await
    }

    async fn delete_account(&self, player: &PlayerId, name: &NameRetirement) -> Result<Deleted> {
        let deletion = accounts::DeleteAccount { player: player.clone(), name: name.clone() };
        let deleted = self.writer.apply(deletion).await?;
        self.writer.truncate_wal();
        Ok(deleted)
    }

    async fn add_session(&self, new: NewSession) -> Result<Option<Vec<SessionId>>> {
        self.writer.apply(accounts::AddSession(new)).await
    }

    async fn lookup_session(&self, token: &TokenHash, now: Millis) -> Result<Option<Session>> {
        read::accounts::session(&self.readers, token, now).await
    }

    async fn set_session_used(&self, id: &SessionId, now: Millis, expires_at: Millis) -> Result<()> {
        self.writer.apply(accounts::SetSessionUsed { id: id.clone(), now, expires_at }).await
    }

    async fn list_sessions(&self, player: &PlayerId, now: Millis) -> Result<Vec<Session>> {
        read::accounts::sessions(&self.readers, player, now).await
    }

    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool> {
        self.writer.apply(accounts::DeleteSession { player: player.clone(), id: id.clone() }).await
    }

    async fn add_recovery(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.writer.apply(recoveries::AddRecovery { player, email, token, expires_at }).await
    }

    async fn lookup_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        read::accounts::recovery(&self.readers, token, now).await
    }

    async fn recover(&self, token: &TokenHash, password: &str, now: Millis) -> Result<Option<Recovered>> {
        self.writer.apply(recoveries::Recover { token: *token, password: password.to_owned(), now }).await
    }

    async fn add_confirmation(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.writer.apply(mail::AddConfirmation { player, email, token, expires_at }).await
    }

    async fn confirm_email(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        self.writer.apply(mail::ConfirmEmail { token: *token, now }).await
    }

    async fn count_mail(&self, new: NewMail) -> Result<Option<u32>> {
        self.writer.apply(mail::CountMail(new)).await
    }

    // Only this process can send the reminder.
    async fn add_reminder(&self, player: &PlayerId, game: &GameId, _: Option<&NodeId>) -> Result<bool> {
        self.writer.apply(mail::AddReminder { player: player.clone(), game: game.clone() }).await
    }

    async fn is_reminded(&self, player: &PlayerId, game: &GameId) -> Result<bool> {
        read::accounts::is_reminded(&self.readers, player, game).await
    }

    async fn delete_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()> {
        self.writer.apply(mail::DeleteReminder { player: player.clone(), game: game.clone() }).await
    }

    async fn add_warning(&self, game: &GameId, turn: u32) -> Result<bool> {
        self.writer.apply(mail::AddWarning { game: game.clone(), turn }).await
    }

    async fn delete_warning(&self, game: &GameId, turn: u32) -> Result<()> {
        self.writer.apply(mail::DeleteWarning { game: game.clone(), turn }).await
    }
}

#[async_trait]
impl SecondFactorStore for SqliteStore {
    async fn add_second_factor(&self, player: &PlayerId, secret: &[u8]) -> Result<bool> {
        self.writer.apply(second_factor::Add { player: player.clone(), secret: secret.to_owned() }).await
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
        self.writer.apply(second_factor::Confirm { player, secret, at, codes, keep }).await
    }

    async fn spend_time_step(&self, player: &PlayerId, at: Millis) -> Result<bool> {
        self.writer.apply(second_factor::SpendTimeStep { player: player.clone(), at }).await
    }

    async fn spend_recovery_code(&self, player: &PlayerId, code: &TokenHash) -> Result<bool> {
        self.writer.apply(second_factor::SpendCode { player: player.clone(), code: *code }).await
    }

    async fn set_recovery_codes(&self, player: &PlayerId, codes: &[TokenHash]) -> Result<bool> {
        self.writer.apply(second_factor::SetCodes { player: player.clone(), codes: codes.to_owned() }).await
    }

    async fn delete_second_factor(&self, player: &PlayerId) -> Result<bool> {
        self.writer.apply(second_factor::Delete(player.clone())).await
    }
}

#[async_trait]
impl NameStore for SqliteStore {
    async fn list_names_without_skeleton(&self, limit: u32) -> Result<Vec<(PlayerId, String)>> {
        read::accounts::names_without_skeleton(&self.readers, limit).await
    }

    async fn set_skeletons(&self, skeletons: Vec<(PlayerId, String)>) -> Result<()> {
        self.writer.apply(accounts::SetSkeletons(skeletons)).await
    }
}
