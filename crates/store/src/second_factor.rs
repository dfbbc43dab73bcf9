//! The second factor of an account: a secret that it shares with an app, and codes for the day on which the app is lost.

use adoube_protocol::{Millis, PlayerId, SessionId};
use async_trait::async_trait;

use crate::{Result, TokenHash};

#[derive(Clone, Eq, PartialEq)]
pub struct SecondFactor {
    /// What the codes of the app are computed from; as such, since no hash of it would do.
    pub secret: Vec<u8>,
    /// Whether a code of the app was seen. Until then the account opens without one.
    pub confirmed: bool,
}

impl std::fmt::Debug for SecondFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecondFactor").field("confirmed", &self.confirmed).finish_non_exhaustive()
    }
}

#[async_trait]
pub trait SecondFactorStore: Send + Sync {
    /// Keeps a secret that is not confirmed, in the place of another such one. Returns false, and keeps nothing, if the account has a
    /// confirmed one, or if there is no such account.
    async fn add_second_factor(&self, player: &PlayerId, secret: &[u8]) -> Result<bool>;

    async fn lookup_second_factor(&self, player: &PlayerId) -> Result<Option<SecondFactor>>;

    /// Confirms a secret, if the account has it and has not confirmed it: spends the code of that time, sets the recovery codes, and
    /// ends all sessions but one and all links to recover the account. Returns the sessions that ended.
    async fn confirm_second_factor(
        &self,
        player: &PlayerId,
        secret: &[u8],
        at: Millis,
        codes: &[TokenHash],
        keep: &SessionId,
    ) -> Result<Option<Vec<SessionId>>>;

    /// Spends the code of the app that is of that time: it opens once. Returns whether neither this one nor a later one was spent before.
    async fn spend_time(&self, player: &PlayerId, at: Millis) -> Result<bool>;

    /// Spends a recovery code; returns whether the account had it.
    async fn spend_recovery_code(&self, player: &PlayerId, code: &TokenHash) -> Result<bool>;

    /// Sets the recovery codes in the place of those of before; returns false if the account has no confirmed secret.
    async fn set_recovery_codes(&self, player: &PlayerId, codes: &[TokenHash]) -> Result<bool>;

    /// Forgets the secret and the recovery codes; returns whether a confirmed secret was there.
    async fn delete_second_factor(&self, player: &PlayerId) -> Result<bool>;
}
