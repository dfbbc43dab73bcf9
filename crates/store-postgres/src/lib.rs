//! The store in a PostgreSQL database, which several nodes share.
//!
//! Each node has one connection that writes turns and new games, many of them in one transaction (`writer`),
//! and a pool for everything else and for turns that wait for a lock (`database`). The contract test and this
//! crate's other tests check the statements against a server. They are not checked at compile time, so the
//! build does not need a database.
//!
//! A commit waits for the server's disk (`synchronous_commit`): as with `SQLite`, acknowledged data survives
//! a power cut. If it is unknown whether a change was written, the caller gets an error and should retry
//! ([`StoreError::Unreachable`](adoube_store::StoreError)).
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod address;
mod append;
mod blocks;
mod copy;
mod create;
mod database;
mod error;
mod identities;
mod inspect;
mod open;
mod push;
mod read;
mod schema;
mod store;
mod text;
mod write;
mod writer;

use std::{sync::atomic::AtomicU64, time::Duration};

use adoube_store::{Result, StoreError};
use tokio::sync::watch;
use uuid::Uuid;

use crate::{
    database::{Connector, Database},
    writer::Writer,
};

pub use address::Address;
pub use copy::{PostgresSource, PostgresTarget};
pub use inspect::inspect;
pub use open::OpenError;

/// Limits on connections and waiting times.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum number of connections, not counting the writer's.
    pub connections: u32,
    /// The maximum wait for a connection.
    pub acquire_timeout: Duration,
    /// The time limit for a statement. A statement may wait for a lock for half of this time.
    pub statement_timeout: Duration,
    /// The time that a turn waits for an unreachable database before it is refused.
    pub reconnect_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 16,
            acquire_timeout: Duration::from_secs(3),
            statement_timeout: Duration::from_secs(5),
            reconnect_timeout: Duration::from_secs(2),
        }
    }
}

/// The store of one node, in a database that other nodes may share.
#[derive(Debug)]
pub struct PostgresStore {
    writer: Writer,
    database: Database,
    house: Uuid,
    /// The number of calls to `take`.
    take_calls: AtomicU64,
    /// The reason why nothing may be written any more, if there is one.
    broken: watch::Sender<Option<String>>,
}

impl PostgresStore {
    /// Opens a database, and creates its tables or applies missing migrations. Other nodes may have it open.
    pub async fn open(address: &str) -> Result<Self> {
        Self::open_with(address, Limits::default()).await
    }

    /// Opens a database as [`open`](Self::open) does, with the given limits.
    pub async fn open_with(address: &str, limits: Limits) -> Result<Self> {
        let address: Address =
            address.parse().map_err(|error: OpenError| error.into_store("the database"))?;
        let place = address.to_string();
        let connector = Connector::new(address, limits);
        let opened = open::open(&connector).await.map_err(|error| error.into_store(&place))?;
        copy::check_unfinished_copy(&mut connector.connect().await.map_err(error::translate)?, &place)
            .await?;
        tracing::info!(%place, house = %opened.house, schema = opened.found.number, "the database is open");
        let database = Database::new(&connector);
        let writer = Writer::start(connector, database.clone());
        Ok(Self {
            writer,
            database,
            house: opened.house,
            take_calls: AtomicU64::new(0),
            broken: watch::Sender::new(None),
        })
    }

    /// Returns the id of the database, which is the same for all its nodes and different for any other
    /// database.
    pub fn house(&self) -> Uuid {
        self.house
    }

    fn check_not_broken(&self) -> Result<()> {
        match &*self.broken.borrow() {
            Some(reason) => Err(StoreError::Broken(reason.clone())),
            None => Ok(()),
        }
    }
}
