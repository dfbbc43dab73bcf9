//! Accounts, and what opens them. A token is never kept, only its hash: who reads the database opens nothing.

use std::fmt;

use adoube_vocabulary::{GameId, Millis, PlayerId, SessionId};
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
    /// How the name looks.
    pub look: NameLook,
    /// The hash, in a form that says how it was made.
    pub password: String,
    pub email: Option<String>,
    /// The language of its mails.
    pub language: String,
    pub created_at: Millis,
}

/// How a name looks, so that no other account gets one that can be mistaken for it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NameLook {
    /// What names that look alike have in common; kept with the account.
    pub skeleton: String,
    /// Further skeletons that no other account may have.
    pub also: Vec<String>,
    /// Marks under which a deleted account may have retired such a name.
    pub retired: Vec<TokenHash>,
}

/// The end of [`AccountStore::add_account`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Registered {
    Done,
    /// Another account has that name, perhaps in other letter cases, or had it until not long ago.
    NameTaken,
    /// Another account has a name that looks like it.
    NameAlike,
    /// This visitor has an account.
    PlayerTaken,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Account {
    pub player: PlayerId,
    pub name: String,
    pub password: String,
    pub email: Option<String>,
    /// Whether the owner of the address has said that it is the account's.
    pub email_confirmed: bool,
    /// Whether the address was there before confirmations were asked for.
    pub email_from_before: bool,
    /// The language of its mails.
    pub language: String,
    /// Whether it wants to be told by mail that it is to move.
    pub reminders: bool,
    /// Number of unused recovery codes; `None` if the account has no confirmed second factor.
    pub recovery_codes: Option<u32>,
    pub created_at: Millis,
}

/// A mail that is about to be sent. The store knows no addresses here, only hashes of them, and no more of pools and kinds than
/// that they are told apart.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewMail {
    pub recipient: TokenHash,
    pub pool: &'static str,
    pub kind: &'static str,
    pub at: Millis,
    /// Mails from then on count.
    pub since: Millis,
    /// So many of the pool may have gone to the recipient, this one included.
    pub most_of_pool: u32,
    /// So many of the kind.
    pub most_of_kind: u32,
}

/// The end of [`AccountStore::recover`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recovered {
    pub player: PlayerId,
    /// The sessions that ended.
    pub ended: Vec<SessionId>,
}

/// Credentials that were verified against an account. Verification takes time, so the store compares them with the account again in the
/// transaction that depends on them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Credentials {
    /// The stored hash that the password matched.
    pub password: String,
    /// Whether the second factor was verified too, if the account has one.
    pub second_factor: bool,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewSession {
    pub id: SessionId,
    pub player: PlayerId,
    /// The credentials that open the session.
    pub credentials: Credentials,
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

/// The most sessions that an account has at a time: as many as are listed for its owner to end.
pub const SESSIONS_PER_ACCOUNT: u32 = 100;

#[async_trait]
pub trait AccountStore: Send + Sync {
    async fn add_account(&self, new: NewAccount) -> Result<Registered>;

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>>;

    /// Returns the account of that name, whatever the case of its letters and however its accents were typed.
    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>>;

    /// Whether a player has, or had, an account: then nothing but a session speaks for it.
    async fn is_account(&self, player: &PlayerId) -> Result<bool>;

    /// Replaces the password, ends all sessions except one and revokes all recovery links. Returns the ended sessions; `None`, without
    /// any change, if the credentials are out of date.
    async fn set_password(
        &self,
        player: &PlayerId,
        shown: &Credentials,
        password: &str,
        keep: Option<&SessionId>,
    ) -> Result<Option<Vec<SessionId>>>;

    /// Sets the e-mail address, unconfirmed. A different address revokes all confirmation and recovery links sent to the old one. Returns
    /// false, without any change, if the credentials are out of date.
    async fn set_email(&self, player: &PlayerId, shown: &Credentials, email: Option<&str>) -> Result<bool>;

    async fn set_language(&self, player: &PlayerId, language: &str) -> Result<()>;

    async fn set_reminders(&self, player: &PlayerId, wanted: bool) -> Result<()>;

    /// Ends all sessions of a player and revokes all recovery links. Returns the ended sessions.
    async fn end_sessions(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

    /// Forgets all of an account but that there was one: its studies too, and what the player has said: lines of chat, and the
    /// titles of problems. Games and problems stay, without a name. Returns the sessions that ended.
    async fn delete_account(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

    /// Adds a session. An account has [`SESSIONS_PER_ACCOUNT`]: of more, those that were used longest ago end, and are returned.
    /// `None`, without a session, if the credentials are out of date.
    async fn add_session(&self, new: NewSession) -> Result<Option<Vec<SessionId>>>;

    /// The session that a token opens, unless it has expired.
    async fn lookup_session(&self, token: &TokenHash, now: Millis) -> Result<Option<Session>>;

    /// Says that a session was used, and lets it live until then.
    async fn set_session_used(&self, id: &SessionId, now: Millis, expires_at: Millis) -> Result<()>;

    /// Sessions of a player, newest first.
    async fn list_sessions(&self, player: &PlayerId, now: Millis) -> Result<Vec<Session>>;

    /// Ends a session of a player; returns whether there was one.
    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool>;

    /// Keeps a token that lets the owner of an account choose a new password, if the account still has that address, to which it is to
    /// be sent; returns whether it has.
    async fn add_recovery(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool>;

    /// Returns whose such a token is, and leaves it.
    async fn lookup_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>>;

    /// Spends such a token and sets the password, both or neither. All sessions end. The address is confirmed by that: the
    /// link has gone there.
    async fn recover(&self, token: &TokenHash, password: &str, now: Millis) -> Result<Option<Recovered>>;

    /// Keeps a token that confirms an address, if the account still has it; returns whether it has.
    async fn add_confirmation(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool>;

    /// Spends such a token, and all others of the account; returns whose address is confirmed now.
    async fn confirm_email(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>>;

    /// Counts a mail, if the recipient may get one more. Returns how many more of the pool may follow; none if this one is one
    /// too many, and then it is not counted.
    async fn count_mail(&self, new: NewMail) -> Result<Option<u32>>;

    /// Notes that a player is reminded of a game; returns false if it was already, and has not looked since.
    async fn add_reminder(&self, player: &PlayerId, game: &GameId) -> Result<bool>;

    /// Whether a player was reminded of a game and has not looked since.
    async fn is_reminded(&self, player: &PlayerId, game: &GameId) -> Result<bool>;

    /// Notes that a player has looked at a game.
    async fn delete_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()>;
}

/// Names that cannot be taken.
#[async_trait]
pub trait NameStore: Send + Sync {
    /// Returns some accounts of which it is not known yet how their names look.
    async fn list_unlooked_names(&self, limit: u32) -> Result<Vec<(PlayerId, String)>>;

    /// Sets how the names of accounts look. Accounts that are there already may share a look.
    async fn set_looks(&self, skeletons: Vec<(PlayerId, String)>) -> Result<()>;

    /// Keeps a name from being registered until then.
    async fn retire_name(&self, mark: &TokenHash, until: Millis) -> Result<()>;
}
