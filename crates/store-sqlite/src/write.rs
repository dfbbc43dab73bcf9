//! Changes that the writer can apply. One transaction may contain many, from any number of games.

pub(crate) mod accounts;
pub(crate) mod administration;
pub(crate) mod append;
pub(crate) mod chat;
pub(crate) mod classes;
pub(crate) mod games;
pub(crate) mod hall;
pub(crate) mod house;
pub(crate) mod mail;
pub(crate) mod nodes;
pub(crate) mod preferences;
pub(crate) mod problems;
pub(crate) mod receipts;
pub(crate) mod recoveries;
pub(crate) mod second_factor;
pub(crate) mod study;
pub(crate) mod tidy;
