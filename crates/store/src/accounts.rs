//! Accounts, sessions and the tokens that give access to them. Tokens are stored only as hashes, so read
//! access to the database does not give access to any account.

use std::fmt;

use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId, PresenceAudience, SessionId, Version};
use async_trait::async_trait;

use crate::{
    AuditEntry, ExternalIdentity, Membership, NewAuditEntry, Result,
    columns::{name_key, unaccented_key},
};

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
    /// The visitor who registers, or a new player if a teacher creates the account. Games that the visitor
    /// played before remain the visitor's own.
    pub player: PlayerId,
    pub name: String,
    /// The skeletons by which the name is compared with others.
    pub skeleton: NameSkeleton,
    /// The password hash, including its parameters. Empty if the account has no password.
    pub password: String,
    /// The identity with which the owner signs in at a provider.
    pub identity: Option<ExternalIdentity>,
    pub email: Option<String>,
    /// The language of e-mails to this account.
    pub language: String,
    pub created_at: Millis,
    /// The basis on which the account is created.
    pub admission: Admission,
}

/// The basis on which an account is created.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Admission {
    /// Anyone may register.
    #[default]
    Open,
    /// Anyone may register, but the account waits for approval.
    Pending,
    /// The account is created with an invitation and gets the invitation's role. One use of the invitation is
    /// spent.
    Invited {
        token: TokenHash,
        /// The entry for the audit log if the invitation has a role.
        entry: Option<NewAuditEntry>,
    },
    /// A teacher creates the account for a pupil in a class.
    Pupil { teacher: PlayerId, class: String },
}

/// The visual skeletons of a name. They prevent other accounts from taking a name that is easily mistaken for
/// it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NameSkeleton {
    /// The skeleton that all similar names share. It is stored with the account.
    pub skeleton: String,
    /// Further skeletons that no other account may have.
    pub alternatives: Vec<String>,
    /// The hashes to look up among the retired names. If one is found, this name or one like it is retired.
    pub retired: Vec<TokenHash>,
}

impl NameSkeleton {
    /// Returns the skeletons that no other account may have.
    pub fn unavailable(&self) -> impl Iterator<Item = &String> {
        [&self.skeleton].into_iter().chain(&self.alternatives)
    }
}

/// Reserves the name of an account that is being deleted: it cannot be registered again before a given time.
/// The default reserves nothing.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct NameRetirement {
    /// The hashes of the name, as in [`NameSkeleton::retired`].
    pub skeleton_hashes: Vec<TokenHash>,
    pub until: Millis,
}

/// The outcome of [`AccountStore::delete_account`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Deleted {
    /// Contains the sessions that were ended.
    Done(Vec<SessionId>),
    /// Nothing was changed, because no administrator with an open account would be left.
    LastAdministrator,
}

/// The outcome of [`AccountStore::add_account`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Registered {
    Done,
    /// The account was added with an invitation. Contains the entry added to the audit log.
    DoneWithEntry(AuditEntry),
    /// Another account has this name, possibly in a different case.
    NameTaken,
    /// An account with this name, or one that looks like it, was deleted. The name becomes free at this time.
    NameRetired(Millis),
    /// Another account has a name that looks like the requested one.
    NameAlike,
    /// The visitor already has an account.
    PlayerTaken,
    /// The invitation is no longer valid.
    NotInvited,
    /// Another account has the identity.
    IdentityTaken,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Account {
    pub player: PlayerId,
    pub name: String,
    /// The password hash. Empty if the account has no password.
    pub password: String,
    pub email: Option<String>,
    /// Whether the owner of the address has confirmed that it belongs to the account.
    pub email_confirmed: bool,
    /// Whether the address was set before confirmation was required and has not been confirmed since.
    pub email_from_before: bool,
    /// The language of e-mails to this account.
    pub language: String,
    /// Whether the account gets an e-mail when it is its owner's turn.
    pub reminders: bool,
    /// Number of unused recovery codes; `None` if the account has no confirmed second factor.
    pub recovery_codes: Option<u32>,
    pub created_at: Millis,
    /// The audience that may see whether the player is online.
    pub shown_to: PresenceAudience,
    pub membership: Membership,
}

/// Returns the account that a typed name refers to: the exact match, or else the only account found. `found`
/// contains the accounts whose names differ from the typed name in nothing but accents. An exact match must
/// come first, and accounts after the second may be left out.
pub fn typed_account(name: &str, found: Vec<Account>) -> Option<Account> {
    let is_single = found.len() == 1;
    let is_meant = |account: &Account| {
        name_key(&account.name) == name_key(name)
            // Checked again in case an earlier version renamed the account and left the old key.
            || is_single && unaccented_key(&account.name) == unaccented_key(name)
    };
    found.into_iter().next().filter(is_meant)
}

/// An e-mail or push notification about to be sent. The store gets only a hash of its recipient. Pools and
/// kinds are opaque names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewMail {
    pub recipient: TokenHash,
    pub pool: &'static str,
    pub kind: &'static str,
    pub at: Millis,
    /// Only e-mails sent after this time count.
    pub since: Millis,
    /// The maximum number of e-mails from this pool that the recipient may get, including this one.
    pub max_of_pool: u32,
    /// The maximum number of e-mails of this kind that the recipient may get, including this one.
    pub max_of_kind: u32,
}

/// The outcome of [`AccountStore::recover`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recovered {
    pub player: PlayerId,
    /// The sessions that were ended.
    pub ended: Vec<SessionId>,
}

/// Credentials that were verified against an account. Because the account may change during verification,
/// which takes time, the store compares them again in the transaction that depends on them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Credentials {
    /// The stored hash that the password matched. Empty if the account has no password, in which case an
    /// identity at a provider was verified instead.
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

/// Maximum number of concurrent sessions for an account. The list in which the owner can end sessions shows
/// all of them.
pub const SESSIONS_PER_ACCOUNT: u32 = 100;

#[async_trait]
pub trait AccountStore: Send + Sync {
    async fn add_account(&self, new: NewAccount) -> Result<Registered>;

    async fn lookup_account(&self, player: &PlayerId) -> Result<Option<Account>>;

    /// Looks up an account by name. Names with the same [key](crate::columns::name_key) count as the same.
    async fn lookup_account_by_name(&self, name: &str) -> Result<Option<Account>>;

    /// Looks up an account by the name that its owner has typed, possibly without its accents, as
    /// [`typed_account`] does: an exact match, or else the only name that differs in nothing but accents. The
    /// lookup takes the same steps whatever it finds.
    async fn lookup_account_by_typed_name(&self, name: &str) -> Result<Option<Account>>;

    /// Returns `true` if a player has, or had, an account. Only a session can identify such a player.
    async fn is_account(&self, player: &PlayerId) -> Result<bool>;

    /// Replaces the password, ends all sessions except `keep` and revokes all recovery links. Returns the
    /// ended sessions, or `None`, without any change, if the credentials are out of date or the account is
    /// not open.
    async fn set_password(
        &self,
        player: &PlayerId,
        verified: &Credentials,
        password: &str,
        keep: Option<&SessionId>,
    ) -> Result<Option<Vec<SessionId>>>;

    /// Sets the e-mail address. If it is different from the current one, it is unconfirmed, and all
    /// confirmation and recovery links are revoked. Returns `false`, without any change, if the credentials
    /// are out of date or the account is not open.
    async fn set_email(&self, player: &PlayerId, verified: &Credentials, email: Option<&str>)
    -> Result<bool>;

    async fn set_language(&self, player: &PlayerId, language: &str) -> Result<()>;

    async fn set_reminders(&self, player: &PlayerId, enabled: bool) -> Result<()>;

    /// Returns the preferences of an account with their version; `None` before the first change.
    async fn lookup_preferences(&self, player: &PlayerId) -> Result<Option<(Version, String)>>;

    /// Sets the preferences of an account, a string that only the server interprets. Returns their new
    /// version, or `None`, without any change, if they no longer have the version that the change is based on
    /// (0 if there are none) or if the account was deleted.
    async fn set_preferences(
        &self,
        player: &PlayerId,
        based_on: Version,
        document: &str,
    ) -> Result<Option<Version>>;

    /// Ends all sessions of a player, revokes all recovery links, and deletes a second factor that is not
    /// confirmed. Returns the ended sessions.
    async fn end_sessions(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

    /// Deletes an account along with its attempts, analyses, chat messages and problem titles. Its games and
    /// problems remain, but no longer have a name. Only the id of the account, its state and the time when it
    /// was created are kept. The name is retired in the same transaction, so that no other account can take
    /// it in the meantime. The last administrator with an open account is not deleted.
    async fn delete_account(&self, player: &PlayerId, name: &NameRetirement) -> Result<Deleted>;

    /// Adds a session. If the account then has more than [`SESSIONS_PER_ACCOUNT`], the least recently used
    /// ones are ended and returned. Returns `None`, without adding a session, if the credentials are out of
    /// date or the account is not open.
    async fn add_session(&self, new: NewSession) -> Result<Option<Vec<SessionId>>>;

    /// Returns the session with this token, unless it has expired.
    async fn lookup_session(&self, token: &TokenHash, now: Millis) -> Result<Option<Session>>;

    /// Records that a session was used at `now`, and extends it to `expires_at`.
    async fn set_session_used(&self, id: &SessionId, now: Millis, expires_at: Millis) -> Result<()>;

    /// Lists a player's sessions that have not expired, newest first.
    async fn list_sessions(&self, player: &PlayerId, now: Millis) -> Result<Vec<Session>>;

    /// Ends a session of a player. Returns `false` if it did not exist.
    async fn delete_session(&self, player: &PlayerId, id: &SessionId) -> Result<bool>;

    /// Stores the hash of a token with which the owner can choose a new password, provided that the account
    /// still has the address to which it will be sent. Returns `false` if it does not. Of the account's
    /// earlier links, only the nine that expire last remain valid.
    async fn add_recovery(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool>;

    /// Returns the owner of a valid recovery token, without spending the token.
    async fn lookup_recovery(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>>;

    /// Spends a recovery token, sets the password and ends all sessions, in one transaction. Also confirms
    /// the address if the link was sent there. Returns `None` if the token is not valid.
    async fn recover(&self, token: &TokenHash, password: &str, now: Millis) -> Result<Option<Recovered>>;

    /// Stores the hash of a token that confirms an address. Returns `false`, without storing it, if the
    /// account no longer has that address. Only an account's newest links remain valid.
    async fn add_confirmation(
        &self,
        player: &PlayerId,
        email: &str,
        token: &TokenHash,
        expires_at: Millis,
    ) -> Result<bool>;

    /// Spends a confirmation token and all of the account's other confirmation tokens. Returns the player
    /// whose address is now confirmed, or `None` if the token is not valid.
    async fn confirm_email(&self, token: &TokenHash, now: Millis) -> Result<Option<PlayerId>>;

    /// Counts an e-mail if the recipient may get another one. Returns the number of further e-mails of this
    /// kind that the recipient may get, or `None`, without counting it, if a limit is reached.
    async fn count_mail(&self, new: NewMail) -> Result<Option<u32>>;

    /// Records that a player is to be reminded of a game, by the node or worker `by`, or by any node if `by`
    /// is `None`. Returns `false` if the player was already reminded and has not viewed the game since. With
    /// several nodes, the reminder stays due until it is [confirmed](crate::WorkStore::confirm_reminder).
    async fn add_reminder(&self, player: &PlayerId, game: &GameId, by: Option<&NodeId>) -> Result<bool>;

    /// Returns `true` if a player was reminded of a game and has not viewed it since.
    async fn is_reminded(&self, player: &PlayerId, game: &GameId) -> Result<bool>;

    /// Records that a player has viewed a game.
    async fn delete_reminder(&self, player: &PlayerId, game: &GameId) -> Result<()>;

    /// Records that the player to move in a game is being warned of this turn's deadline. `turn` is the
    /// number of turns before this one. Returns `false` if a warning for this turn is already recorded, or if
    /// the game does not exist.
    async fn add_warning(&self, game: &GameId, turn: u32) -> Result<bool>;

    /// Deletes the record of a warning that could not be sent.
    async fn delete_warning(&self, game: &GameId, turn: u32) -> Result<()>;
}

/// The skeletons and keys of names that earlier versions stored without them.
#[async_trait]
pub trait NameStore: Send + Sync {
    /// Lists at most `limit` accounts whose names do not yet have both a skeleton and an unaccented key.
    async fn list_names_without_skeleton(&self, limit: u32) -> Result<Vec<(PlayerId, String)>>;

    /// Sets the skeletons and the unaccented keys of account names. Existing accounts may share a skeleton.
    async fn set_skeletons(&self, skeletons: Vec<(PlayerId, String)>) -> Result<()>;
}
