//! Who a visitor is: by a session, or else nobody but the same as last time.

mod accounts;
mod confirmation;
mod devices;
mod identity;
mod password;
mod password_rules;
mod recovery;
mod sign_in_limits;

pub(crate) use accounts::{Accounts, Asker, SignedIn};
pub(crate) use identity::{Visitor, devices, end_session, keep_device, recognise, start_session};
pub(crate) use password::Hasher;
pub(crate) use sign_in_limits::SignInLimits;
