//! Identifies visitors by a session if they are signed in, otherwise by an anonymous id in a signed cookie.

mod accounts;
mod confirmation;
mod cookie_key;
mod devices;
mod identity;
mod name_rules;
mod password;
mod password_rules;
mod preferences;
mod providers;
mod recovery;
mod second_factor;
mod sign_in_limits;

pub(crate) use accounts::{Accounts, ClientInfo, CredentialNotice, SignedIn};
pub use cookie_key::rotate_cookie_key;
pub(crate) use cookie_key::{Keyring, random_bytes};
pub(crate) use identity::{
    Visitor, devices, end_session, hash_of, keep_pending, new_token, pending, recognise, set_device_cookie,
    start_session,
};
pub(crate) use name_rules::{NameFault, checked_name, fill_skeletons, name_skeleton, valid_name};
pub(crate) use password::Hasher;
pub(crate) use providers::{ProvedIdentity, Providers, openid_failed};
pub(crate) use sign_in_limits::SignInLimits;
