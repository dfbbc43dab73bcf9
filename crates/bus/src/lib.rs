//! Notices between the processes of a server.
//!
//! A bus carries; it does not know what a notice means, and it promises little: notices of one topic may be lost
//! or come twice. Whoever needs all of them looks at their sequence numbers and reads what is missing from the
//! store. That is why a bus never stands between a turn and its acknowledgement.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod local;

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;

pub use local::LocalBus;

/// What goes over the bus. Cloning it copies no body.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    /// Place of this notice among those of its topic, given by the sender; 0 if it has none.
    pub sequence: u64,
    /// Whom it is for, as sender and receivers have agreed.
    pub audience: u8,
    pub body: Bytes,
}

#[derive(Debug, Error)]
pub enum BusError {
    /// The bus cannot be reached. Notices are lost meanwhile, which its users bear.
    #[error("the bus does not answer")]
    Unreachable { source: Box<dyn std::error::Error + Send + Sync> },
}

#[async_trait]
pub trait Bus: Send + Sync + Debug {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError>;

    /// Notices of the topic that are published from now on.
    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError>;
}

/// The next thing a subscriber learns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Delivery {
    Notice(Notice),
    /// Notices were lost, because this subscriber was too slow or the bus was away.
    Lost,
    /// There will be no more.
    Closed,
}

#[async_trait]
pub trait Subscription: Send + Debug {
    /// Waits for the next delivery. Losing the future loses no notice.
    async fn next(&mut self) -> Delivery;
}
