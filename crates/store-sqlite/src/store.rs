//! The traits of the store, by subject: each method is a query on a reader or a change for the writer.

mod accounts;
mod administration;
mod chat;
mod games;
mod hall;
mod nodes;
mod study;
