//! The second factor of an account: a TOTP secret and recovery codes.

use adoube_vocabulary::{Millis, PlayerId, SessionId};
use async_trait::async_trait;

use crate::{Result, TokenHash};

#[derive(Clone, Eq, PartialEq)]
pub struct SecondFactor {
    /// The TOTP secret. It is neither hashed nor encrypted, because verification needs the secret itself.
    pub secret: Vec<u8>,
    /// Whether the setup was completed with a valid code. The second factor takes effect only then.
    pub confirmed: bool,
}

impl std::fmt::Debug for SecondFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecondFactor").field("confirmed", &self.confirmed).finish_non_exhaustive()
    }
}

#[async_trait]
pub trait SecondFactorStore: Send + Sync {
    /// Stores an unconfirmed secret, replacing any earlier unconfirmed one. Returns `false`, without any
    /// change, if the account does not exist or has a confirmed secret.
    async fn add_second_factor(&self, player: &PlayerId, secret: &[u8]) -> Result<bool>;

    async fn lookup_second_factor(&self, player: &PlayerId) -> Result<Option<SecondFactor>>;

    /// Confirms an unconfirmed secret: spends the time step `at`, stores the recovery codes, ends all
    /// sessions except `keep` and revokes all recovery links. Returns the ended sessions, or `None` if the
    /// account has no such unconfirmed secret or `keep` has ended.
    async fn confirm_second_factor(
        &self,
        player: &PlayerId,
        secret: &[u8],
        at: Millis,
        codes: &[TokenHash],
        keep: &SessionId,
    ) -> Result<Option<Vec<SessionId>>>;

    /// Spends the time step that starts at `at`. Returns `false` if this step or a later one has already
    /// been spent, or if the account has no confirmed secret.
    async fn spend_time_step(&self, player: &PlayerId, at: Millis) -> Result<bool>;

    /// Spends a recovery code. Returns `false` if the account does not have this code.
    async fn spend_recovery_code(&self, player: &PlayerId, code: &TokenHash) -> Result<bool>;

    /// Replaces the recovery codes. Returns `false` if the account has no confirmed secret.
    async fn set_recovery_codes(&self, player: &PlayerId, codes: &[TokenHash]) -> Result<bool>;

    /// Deletes the secret and the recovery codes. Returns `true` if there was a confirmed secret.
    async fn delete_second_factor(&self, player: &PlayerId) -> Result<bool>;
}
