//! Accounts, and what opens them. A token is never kept, only its hash: who reads the database opens nothing.

use std::fmt;

use adoube_protocol::{Millis, PlayerId, SessionId};
use async_trait::async_trait;

use crate::Result;

/// The hash of a random token.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewAccount {
    /// The visitor who registers, with all that it has played.
    pub player: PlayerId,
    pub name: String,
    /// The hash, in a form that says how it was made.
    pub password: String,
    pub email: Option<String>,
    pub created_at: Millis,
}

/// The end of [`AccountStore::add_account`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Registered {
    Done,
    /// Somebody has that name, perhaps in other letter cases.
    NameTaken,
    /// This visitor has an account.
    PlayerTaken,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Account {
    pub player: PlayerId,
    pub name: String,
    pub password: String,
    pub email: Option<String>,
    pub created_at: Millis,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewSession {
    pub id: SessionId,
    pub player: PlayerId,
    pub token: TokenHash,
    pub agent: String,
    pub created_at: Millis,
    pub expires_at: Millis,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Session {
    pub id: SessionId,
    pub player: PlayerId,
    pub agent: String,
    pub created_at: Millis,
    pub used_at: Millis,
}

#[async_trait]
pub trait AccountStore: Send + Sync {
    async fn add_account(&self, new: NewAccount) -> Result<Registered>;

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>>;

    /// Without regard to the case of letters.
    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>>;

    /// Whether a player has, or had, an account: then nothing but a session speaks for it.
    async fn is_account(&self, player: &PlayerId) -> Result<bool>;

    /// Sets a password, ends all sessions but one, and makes all links to recover the account void. Returns the
    /// sessions that ended.
    async fn set_password(
        &self,
        player: &PlayerId,
        password: &str,
        keep: Option<&SessionId>,
    ) -> Result<Vec<SessionId>>;

    async fn set_email(&self, player: &PlayerId, email: Option<&str>) -> Result<()>;

    /// Forgets all of an account but that there was one: its studies too, and what the player has said: lines of chat, and the
    /// titles of problems. Games and problems stay, without a name. Returns the sessions that ended.
    async fn delete_account(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

    async fn add_session(&self, new: NewSession) -> Result<()>;

    /// The session that a token opens, unless it has expired.
    async fn lookup_session(&self, token: &TokenHash, now: Millis) -> Result<Option<Session>>;

    /// Says that a session was used, and lets it live until then.
    async fn set_session_used(&self, id: &SessionId, now: Millis, expires_at: Millis) -> Result<()>;

    /// Sessions of a player, newest first.
    async fn list_sessions(&self, player: &PlayerId, now: Millis) -> Result<Vec<Session>>;

    /// Ends a session of a player; returns whether there was one.
    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool>;

    /// Keeps a token that lets the owner of an account choose a new password.
    async fn add_recovery(&self, player: &PlayerId, token: &TokenHash, expires_at: Millis) -> Result<()>;

    /// Spends such a token; returns whose it was.
    async fn take_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>>;
}
