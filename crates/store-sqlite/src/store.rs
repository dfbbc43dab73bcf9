//! Implementations of the store's traits, by subject: nearly every method runs a query on a reader or sends a
//! change to the writer.

mod accounts;
mod administration;
mod chat;
mod games;
mod hall;
mod nodes;
mod study;
