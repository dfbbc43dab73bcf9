//! Accounts and sessions. Accounts have names and nothing else.

use adoube_protocol::{GameId, Millis, PlayerId, PresenceAudience, SessionId, Version};
use adoube_store::{
    Account, AccountStore, BlockStore, Blocked, Blocks, Credentials, Deleted, ExternalIdentity,
    IdentityStore, Linked, Membership, NameRetirement, NameStore, NewAccount, NewMail, NewSession, NodeId,
    PushDevice, PushStore, PushSubscription, Recovered, Registered, Result, SecondFactor, SecondFactorStore,
    Session, TokenHash, Unlinked,
};
use async_trait::async_trait;

use super::{SimStore, absent};

#[async_trait]
impl AccountStore for SimStore {
    async fn add_account(&self, _: NewAccount) -> Result<Registered> {
        absent()
    }

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>> {
        let account = |name: &String| Account {
            player: player.clone(),
            name: name.clone(),
            password: String::new(),
            email: None,
            email_confirmed: false,
            email_from_before: false,
            language: "fr".into(),
            reminders: false,
            recovery_codes: None,
            created_at: Millis(0),
            shown_to: PresenceAudience::default(),
            membership: Membership::default(),
        };
        self.read(|state| state.accounts.get(player).map(account)).await
    }

    async fn lookup_account_by_name(&self, _: &str) -> Result<Option<Account>> {
        Ok(None)
    }

    async fn lookup_account_by_typed_name(&self, _: &str) -> Result<Option<Account>> {
        Ok(None)
    }

    async fn is_account(&self, player: &PlayerId) -> Result<bool> {
        self.read(|state| state.accounts.contains_key(player)).await
    }

    async fn set_password(
        &self,
        _: &PlayerId,
        _: &Credentials,
        _: &str,
        _: Option<&SessionId>,
    ) -> Result<Option<Vec<SessionId>>> {
        absent()
    }

    async fn set_email(&self, _: &PlayerId, _: &Credentials, _: Option<&str>) -> Result<bool> {
        absent()
    }

    async fn set_language(&self, _: &PlayerId, _: &str) -> Result<()> {
        absent()
    }

    async fn set_reminders(&self, _: &PlayerId, _: bool) -> Result<()> {
        absent()
    }

    async fn lookup_preferences(&self, _: &PlayerId) -> Result<Option<(Version, String)>> {
        absent()
    }

    async fn set_preferences(&self, _: &PlayerId, _: Version, _: &str) -> Result<Option<Version>> {
        absent()
    }

    async fn end_sessions(&self, _: &PlayerId) -> Result<Vec<SessionId>> {
        absent()
    }

    async fn delete_account(&self, _: &PlayerId, _: &NameRetirement) -> Result<Deleted> {
        absent()
    }

    async fn add_session(&self, _: NewSession) -> Result<Option<Vec<SessionId>>> {
        absent()
    }

    async fn lookup_session(&self, _: &TokenHash, _: Millis) -> Result<Option<Session>> {
        Ok(None)
    }

    async fn set_session_used(&self, _: &SessionId, _: Millis, _: Millis) -> Result<()> {
        absent()
    }

    async fn list_sessions(&self, player: &PlayerId, _: Millis) -> Result<Vec<Session>> {
        let session = |(id, owner): (&SessionId, &PlayerId)| Session {
            id: id.clone(),
            player: owner.clone(),
            agent: String::new(),
            created_at: Millis(0),
            used_at: Millis(0),
        };
        let is_theirs = |(_, owner): &(&SessionId, &PlayerId)| *owner == player;
        self.read(|state| state.sessions.iter().filter(is_theirs).map(session).collect()).await
    }

    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool> {
        let (player, id) = (player.clone(), id.clone());
        self.change(move |state| {
            let is_theirs = state.sessions.get(&id) == Some(&player);
            is_theirs && state.sessions.remove(&id).is_some()
        })
        .await
    }

    async fn add_recovery(&self, _: &PlayerId, _: &str, _: &TokenHash, _: Millis) -> Result<bool> {
        Ok(false)
    }

    async fn lookup_recovery(&self, _: &TokenHash, _: Millis) -> Result<Option<PlayerId>> {
        Ok(None)
    }

    async fn recover(&self, _: &TokenHash, _: &str, _: Millis) -> Result<Option<Recovered>> {
        Ok(None)
    }

    async fn add_confirmation(&self, _: &PlayerId, _: &str, _: &TokenHash, _: Millis) -> Result<bool> {
        Ok(false)
    }

    async fn confirm_email(&self, _: &TokenHash, _: Millis) -> Result<Option<PlayerId>> {
        Ok(None)
    }

    async fn count_mail(&self, _: NewMail) -> Result<Option<u32>> {
        Ok(None)
    }

    async fn add_reminder(&self, _: &PlayerId, _: &GameId, _: Option<&NodeId>) -> Result<bool> {
        Ok(false)
    }

    async fn is_reminded(&self, _: &PlayerId, _: &GameId) -> Result<bool> {
        Ok(false)
    }

    async fn delete_reminder(&self, _: &PlayerId, _: &GameId) -> Result<()> {
        absent()
    }

    async fn add_warning(&self, _: &GameId, _: u32) -> Result<bool> {
        Ok(false)
    }

    async fn delete_warning(&self, _: &GameId, _: u32) -> Result<()> {
        absent()
    }
}

#[async_trait]
impl SecondFactorStore for SimStore {
    async fn add_second_factor(&self, _: &PlayerId, _: &[u8]) -> Result<bool> {
        absent()
    }

    async fn lookup_second_factor(&self, _: &PlayerId) -> Result<Option<SecondFactor>> {
        Ok(None)
    }

    async fn confirm_second_factor(
        &self,
        _: &PlayerId,
        _: &[u8],
        _: Millis,
        _: &[TokenHash],
        _: &SessionId,
    ) -> Result<Option<Vec<SessionId>>> {
        absent()
    }

    async fn spend_time_step(&self, _: &PlayerId, _: Millis) -> Result<bool> {
        absent()
    }

    async fn spend_recovery_code(&self, _: &PlayerId, _: &TokenHash) -> Result<bool> {
        absent()
    }

    async fn set_recovery_codes(&self, _: &PlayerId, _: &[TokenHash]) -> Result<bool> {
        absent()
    }

    async fn delete_second_factor(&self, _: &PlayerId) -> Result<bool> {
        absent()
    }
}

#[async_trait]
impl NameStore for SimStore {
    async fn list_names_without_skeleton(&self, _: u32) -> Result<Vec<(PlayerId, String)>> {
        Ok(Vec::new())
    }

    async fn set_skeletons(&self, _: Vec<(PlayerId, String)>) -> Result<()> {
        absent()
    }
}

#[async_trait]
impl BlockStore for SimStore {
    async fn add_block(&self, _: &PlayerId, _: &PlayerId, _: Millis) -> Result<Blocked> {
        absent()
    }

    async fn delete_block(&self, _: &PlayerId, _: &PlayerId) -> Result<bool> {
        absent()
    }

    async fn lookup_blocks(&self, _: &PlayerId) -> Result<Blocks> {
        Ok(Blocks::default())
    }

    async fn set_shown_to(&self, _: &PlayerId, _: PresenceAudience) -> Result<()> {
        absent()
    }
}

#[async_trait]
impl PushStore for SimStore {
    async fn set_push_subscription(&self, _: &PlayerId, _: PushSubscription) -> Result<bool> {
        absent()
    }

    async fn list_push_devices(&self, _: &PlayerId, _: Millis) -> Result<Vec<PushDevice>> {
        Ok(Vec::new())
    }

    async fn delete_push_subscription(&self, _: &PlayerId, _: &SessionId) -> Result<bool> {
        absent()
    }

    async fn delete_push_endpoint(&self, _: &str) -> Result<()> {
        absent()
    }
}

#[async_trait]
impl IdentityStore for SimStore {
    async fn link_identity(&self, _: &ExternalIdentity, _: &PlayerId) -> Result<Linked> {
        absent()
    }

    async fn unlink_identity(&self, _: &ExternalIdentity, _: &PlayerId) -> Result<Unlinked> {
        absent()
    }

    async fn lookup_identity(&self, _: &ExternalIdentity) -> Result<Option<PlayerId>> {
        Ok(None)
    }

    async fn list_identities(&self, _: &PlayerId) -> Result<Vec<ExternalIdentity>> {
        Ok(Vec::new())
    }
}
