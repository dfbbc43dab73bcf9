//! The traits of the store, by subject: each method is a query or a change of `read` and `write`.

mod accounts;
mod administration;
mod chat;
mod games;
mod hall;
mod nodes;
mod study;
