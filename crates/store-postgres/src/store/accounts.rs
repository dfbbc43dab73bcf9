//! Accounts, their names and their second factors.

use adoube_store::{
    Account, AccountStore, Credentials, Deleted, NameRetirement, NameStore, NewAccount, NewMail, NewSession,
    Recovered, Registered, Result, SecondFactor, SecondFactorStore, Session, TokenHash,
};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId, SessionId, Version};
use async_trait::async_trait;

use crate::{
    PostgresStore, read,
    write::{accounts, mail, preferences, recoveries, second_factor},
};

#[async_trait]
impl AccountStore for PostgresStore {
    async fn add_account(&self, new: NewAccount) -> Result<Registered> {
        self.database.apply(accounts::AddAccount(new)).await
    }

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>> {
        read::accounts::account(&self.database, player).await
    }

    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>> {
        read::accounts::account_by_name(&self.database, name).await
    }

    async fn lookup_account_by_typed_name(&self, name: &str) -> Result<Option<Account>> {
        read::accounts::account_by_typed_name(&self.database, name).await
    }

    async fn is_account(&self, player: &PlayerId) -> Result<bool> {
        read::accounts::is_account(&self.database, player).await
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
        self.database.apply(accounts::SetPassword { player, credentials, password, keep }).await
    }

    async fn set_email(
        &self,
        player: &PlayerId,
        credentials: &Credentials,
        email: Option<&str>,
    ) -> Result<bool> {
        let (player, credentials, email) = (player.clone(), credentials.clone(), email.map(Into::into));
        self.database.apply(accounts::SetEmail { player, credentials, email }).await
    }

    async fn set_language(&self, player: &PlayerId, language: &str) -> Result<()> {
        mail::set_language(&self.database, player, language).await
    }

    async fn set_reminders(&self, player: &PlayerId, enabled: bool) -> Result<()> {
        mail::set_reminders(&self.database, player, enabled).await
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
        self.database.apply(preferences::SetPreferences { player, based_on, document }).await
    }

    async fn end_sessions(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        self.database.apply(accounts::EndSessions(player.clone())).await
    }

    async fn delete_account(&self, player: &PlayerId, name: &NameRetirement) -> Result<Deleted> {
        self.database.apply(accounts::DeleteAccount { player: player.clone(), name: name.clone() }).await
    }

    async fn add_session(&self, new: NewSession) -> Result<Option<Vec<SessionId>>> {
        self.database.apply(accounts::AddSession(new)).await
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
        self.database.apply(recoveries::AddRecovery { player, email, token, expires_at }).await
    }

    async fn lookup_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        read::accounts::recovery(&self.database, token, now).await
    }

    async fn recover(&self, token: &TokenHash, password: &str, now: Millis) -> Result<Option<Recovered>> {
        self.database.apply(recoveries::Recover { token: *token, password: password.to_owned(), now }).await
    }

    async fn add_confirmation(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool> {
        let (player, email, token) = (player.clone(), email.to_owned(), *token);
        self.database.apply(mail::AddConfirmation { player, email, token, expires_at }).await
    }

    async fn confirm_email(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>> {
        self.database.apply(mail::ConfirmEmail { token: *token, now }).await
    }

    async fn count_mail(&self, new: NewMail) -> Result<Option<u32>> {
        self.database.apply(mail::CountMail(new)).await
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

    async fn add_warning(&self, game: &GameId, turn: u32) -> Result<bool> {
        mail::add_warning(&self.database, game, turn).await
    }

    async fn delete_warning(&self, game: &GameId, turn: u32) -> Result<()> {
        mail::delete_warning(&self.database, game, turn).await
    }
}

#[async_trait]
impl SecondFactorStore for PostgresStore {
    async fn add_second_factor(&self, player: &PlayerId, secret: &[u8]) -> Result<bool> {
        self.database.apply(second_factor::Add { player: player.clone(), secret: secret.to_owned() }).await
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
        self.database.apply(second_factor::Confirm { player, secret, at, codes, keep }).await
    }

    async fn spend_time_step(&self, player: &PlayerId, at: Millis) -> Result<bool> {
        second_factor::spend_time_step(&self.database, player, at).await
    }

    async fn spend_recovery_code(&self, player: &PlayerId, code: &TokenHash) -> Result<bool> {
        second_factor::spend_code(&self.database, player, code).await
    }

    async fn set_recovery_codes(&self, player: &PlayerId, codes: &[TokenHash]) -> Result<bool> {
        self.database.apply(second_factor::SetCodes { player: player.clone(), codes: codes.to_owned() }).await
    }

    async fn delete_second_factor(&self, player: &PlayerId) -> Result<bool> {
        second_factor::delete(&self.database, player).await
    }
}

#[async_trait]
impl NameStore for PostgresStore {
    async fn list_names_without_skeleton(&self, limit: u32) -> Result<Vec<(PlayerId, String)>> {
        read::accounts::names_without_skeleton(&self.database, limit).await
    }

    async fn set_skeletons(&self, skeletons: Vec<(PlayerId, String)>) -> Result<()> {
        self.database.apply(accounts::SetSkeletons(skeletons)).await
    }
}
