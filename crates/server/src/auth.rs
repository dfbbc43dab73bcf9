//! Who a visitor is: by a session, or else nobody but the same as last time.

mod accounts;
mod identity;
mod password;

pub(crate) use accounts::{Accounts, Agent, SignedIn};
pub(crate) use identity::{Visitor, end_session, recognise, start_session};
pub(crate) use password::Hasher;
