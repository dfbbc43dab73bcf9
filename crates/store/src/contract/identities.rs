//! Identities at providers.

use super::{accounts::account, player};
use crate::{ExternalIdentity, Linked, NameRetirement, NewAccount, Registered, Store, Unlinked};

fn identity(issuer: &str, subject: &str) -> ExternalIdentity {
    ExternalIdentity { issuer: issuer.into(), subject: subject.into() }
}

pub(super) async fn check(store: &dyn Store) {
    let (anna, bert) = (player(880), player(881));
    let (club, school) = (identity("https://club.example.org", "1"), identity("https://a.example.org", "1"));
    assert_eq!(store.lookup_identity(&club).await.unwrap(), None);
    assert_eq!(store.link_identity(&club, &anna).await.unwrap(), Linked::NoAccount);
    // An account without a password, created together with its identity.
    let new = NewAccount { password: String::new(), identity: Some(club.clone()), ..account(880, "Annette") };
    assert_eq!(store.add_account(new).await.unwrap(), Registered::Done);
    assert_eq!(store.lookup_identity(&club).await.unwrap(), Some(anna.clone()));
    let another = NewAccount { identity: Some(club.clone()), ..account(881, "Bertrand") };
    assert_eq!(store.add_account(another).await.unwrap(), Registered::IdentityTaken);
    assert!(!store.is_account(&bert).await.unwrap());
    assert_eq!(store.add_account(account(881, "Bertrand")).await.unwrap(), Registered::Done);
    assert_eq!(store.link_identity(&club, &bert).await.unwrap(), Linked::Taken);
    assert_eq!(store.lookup_identity(&club).await.unwrap(), Some(anna.clone()));
    // The same subject at another provider is a different person. So is a subject that differs in case.
    assert_eq!(store.lookup_identity(&school).await.unwrap(), None);
    let upper = identity("https://club.example.org", "A");
    assert_eq!(store.link_identity(&upper, &bert).await.unwrap(), Linked::Done);
    assert_eq!(store.link_identity(&upper, &bert).await.unwrap(), Linked::Done);
    assert_eq!(store.lookup_identity(&identity("https://club.example.org", "a")).await.unwrap(), None);
    // Neither another account's identity nor the only means of signing in can be removed.
    assert_eq!(store.unlink_identity(&upper, &anna).await.unwrap(), Unlinked::Missing);
    assert_eq!(store.unlink_identity(&club, &anna).await.unwrap(), Unlinked::LastSignInMethod);
    assert_eq!(store.link_identity(&school, &anna).await.unwrap(), Linked::Done);
    assert_eq!(store.list_identities(&anna).await.unwrap(), [school.clone(), club.clone()]);
    assert_eq!(store.unlink_identity(&club, &anna).await.unwrap(), Unlinked::Done);
    assert_eq!(store.unlink_identity(&school, &anna).await.unwrap(), Unlinked::LastSignInMethod);
    // An account with a password can lose its last identity.
    assert_eq!(store.unlink_identity(&upper, &bert).await.unwrap(), Unlinked::Done);
    // After the account is deleted, its identity can be linked to another account.
    store.delete_account(&anna, &NameRetirement::default()).await.unwrap();
    assert_eq!(store.list_identities(&anna).await.unwrap(), []);
    assert_eq!(store.link_identity(&school, &anna).await.unwrap(), Linked::NoAccount);
    assert_eq!(store.link_identity(&school, &bert).await.unwrap(), Linked::Done);
    store.delete_account(&bert, &NameRetirement::default()).await.unwrap();
}
