//! The identities of accounts at identity providers.

use adoube_vocabulary::PlayerId;
use async_trait::async_trait;

use crate::Result;

/// The identity of a person at an identity provider.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct ExternalIdentity {
    /// The provider: an address, or `header:` followed by the name of the header in which a proxy identifies
    /// the user.
    pub issuer: String,
    /// The id of the person at the provider.
    pub subject: String,
}

/// The outcome of [`IdentityStore::link_identity`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Linked {
    Done,
    /// Another account has this identity.
    Taken,
    /// There is no such account.
    NoAccount,
}

/// The outcome of [`IdentityStore::unlink_identity`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unlinked {
    Done,
    /// The account does not have this identity.
    Missing,
    /// The account has no password and no other identity, so its owner could no longer sign in.
    LastSignInMethod,
}

/// Identities at providers, each linked to at most one account.
/// [`add_account`](crate::AccountStore::add_account) can add an account with an identity, and
/// [`delete_account`](crate::AccountStore::delete_account) deletes the identities of an account.
#[async_trait]
pub trait IdentityStore: Send + Sync {
    /// Links an identity to an account that exists. Linking it again changes nothing.
    async fn link_identity(&self, identity: &ExternalIdentity, player: &PlayerId) -> Result<Linked>;

    /// Removes an identity from an account, unless it is the only means of signing in.
    async fn unlink_identity(&self, identity: &ExternalIdentity, player: &PlayerId) -> Result<Unlinked>;

    /// Returns the player whose account has an identity.
    async fn lookup_identity(&self, identity: &ExternalIdentity) -> Result<Option<PlayerId>>;

    /// Lists the identities of a player, ordered by issuer.
    async fn list_identities(&self, player: &PlayerId) -> Result<Vec<ExternalIdentity>>;
}
