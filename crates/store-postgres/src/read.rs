//! Queries. Most are a single statement, which sees one snapshot.

pub(crate) mod accounts;
pub(crate) mod administration;
pub(crate) mod chat;
pub(crate) mod games;
pub(crate) mod hall;
pub(crate) mod house;
pub(crate) mod names;
pub(crate) mod nodes;
pub(crate) mod problems;
pub(crate) mod study;
pub(crate) mod tidy;
