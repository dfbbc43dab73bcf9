//! Implementations of the store's traits, by subject: each method runs a query from `read` or a change from
//! `write`, or hands a turn or new game to the writer.

mod accounts;
mod administration;
mod chat;
mod games;
mod hall;
mod nodes;
mod study;
