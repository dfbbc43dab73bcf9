//! Notices between the processes of a server.
//!
//! A bus does not interpret notices, and it promises little: notices of a topic may be lost or delivered twice.
//! A receiver that needs all of them checks their sequence numbers and reads missing ones from the store. So a
//! bus never stands between a turn and its acknowledgement.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod local;

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;

pub use local::LocalBus;

/// A message on the bus. Cloning it does not copy the body.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    /// Position of this notice among those of its topic, given by the sender; 0 if it has none.
    pub sequence: u64,
    /// The addressees, in a form that sender and receivers agree on.
    pub audience: u8,
    pub body: Bytes,
}

#[derive(Debug, Error)]
pub enum BusError {
    /// The bus cannot be reached. Notices are lost in the meantime, which its users must tolerate.
    #[error("the bus does not answer")]
    Unreachable { source: Box<dyn std::error::Error + Send + Sync> },
}

#[async_trait]
pub trait Bus: Send + Sync + Debug {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError>;

    /// Subscribes to the notices of a topic that are published from now on.
    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError>;
}

/// What a subscriber receives next.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Delivery {
    Notice(Notice),
    /// Notices were lost, because this subscriber was too slow or the bus was away.
    Lost,
    /// The subscription has ended.
    Closed,
}

#[async_trait]
pub trait Subscription: Send + Debug {
    /// Waits for the next delivery. Dropping the future loses no notice.
    async fn next(&mut self) -> Delivery;
}
