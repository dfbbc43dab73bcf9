//! Changes other than turns and new games, each in its own transaction.
//!
//! A change to an account's data that takes several statements locks the account's row before it reads the
//! data it depends on. Such changes to one account are therefore serialized, whichever nodes request them.

pub(crate) mod accounts;
pub(crate) mod administration;
pub(crate) mod chat;
pub(crate) mod classes;
pub(crate) mod games;
pub(crate) mod hall;
pub(crate) mod house;
pub(crate) mod limits;
pub(crate) mod mail;
pub(crate) mod nodes;
pub(crate) mod preferences;
pub(crate) mod problems;
pub(crate) mod recoveries;
pub(crate) mod second_factor;
pub(crate) mod study;
pub(crate) mod tidy;
pub(crate) mod work;
