//! Several processes of one house: nodes, workers, PostgreSQL, NATS and a proxy, all on the loopback
//! interface.
#![cfg(target_os = "linux")]

mod house;
mod layout;
mod refusals;
mod walk;
mod workers;
