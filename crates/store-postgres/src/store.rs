//! Implementations of the store's traits, by subject: most methods run a query from `read` or a change from
//! `write`, or hand a turn or a new game to the writer.

mod accounts;
mod administration;
mod chat;
mod games;
mod hall;
mod nodes;
mod study;
