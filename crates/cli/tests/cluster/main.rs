//! Tests several processes of one house on the loopback interface: nodes, workers, PostgreSQL, NATS and a
//! proxy.
#![cfg(target_os = "linux")]

mod house;
mod layout;
mod refusals;
mod walk;
mod workers;
