//! Notices between server processes.
//!
//! A bus does not interpret notices, and it guarantees little: notices may be lost or delivered twice. A
//! receiver that needs all of them checks their sequence numbers and reads missing ones from the store. The
//! server can therefore acknowledge a turn without waiting for the bus.
//!
//! It does guarantee:
//!
//! - that the notices from one process on one topic arrive in the order in which they were published,
//! - that subscribers are notified of a loss ([`Delivery::Lost`]) as soon as the bus can detect it,
//! - that no call waits for another server process, and that no queue grows without bound.
//!
//! The contract test (behind the `contract-test` feature) checks every bus.
#![cfg_attr(
    not(any(test, feature = "contract-test")),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

#[cfg(feature = "contract-test")]
mod contract;
mod fan_out;
mod local;

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;

#[cfg(feature = "contract-test")]
pub use contract::check_contract;
pub use fan_out::{FanOut, LocalSubscription, Topic, TopicSender};
pub use local::LocalBus;

/// A message on the bus. Cloning it does not copy the body.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    /// Position of this notice among those on its topic, assigned by the sender; 0 if it has none.
    pub sequence: u64,
    /// The addressees, in a format that sender and receivers agree on.
    pub audience: u8,
    pub body: Bytes,
}

#[derive(Debug, Error)]
pub enum BusError {
    /// The name of a topic is too long for this bus.
    #[error("a topic of {length} bytes is too long for the bus, which accepts at most {limit}")]
    TopicTooLong { length: usize, limit: usize },
}

/// Counters of a bus since it was opened.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BusCounts {
    /// Notices sent to other processes.
    pub published: u64,
    /// Notices received from other processes.
    pub received: u64,
    /// Outgoing notices that were dropped because they were too long, or because the bus was disconnected or
    /// too slow.
    pub dropped: u64,
    /// Losses that were reported to all subscribers.
    pub losses: u64,
    /// Reconnections.
    pub reconnects: u64,
}

#[async_trait]
pub trait Bus: Send + Sync + Debug {
    /// Publishes a notice to all current subscribers of a topic, in this process and in others. Does not wait
    /// for them or for the network: if the notice cannot be queued, it is dropped, and the subscribers in
    /// other processes are notified of a loss.
    ///
    /// # Errors
    ///
    /// If the notice can never be sent, because its topic is too long.
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError>;

    /// Subscribes to the notices on a topic that are published from now on, in any process.
    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError>;

    /// Returns the counters; `None` for a bus within one process.
    fn counts(&self) -> Option<BusCounts> {
        None
    }

    /// Sends the notices that are still queued. Waits at most one second.
    async fn close(&self) {}
}

/// A delivery to a subscriber.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Delivery {
    Notice(Notice),
    /// Notices may have been lost, for example because this subscriber was too slow or the bus was
    /// disconnected.
    Lost,
    /// The subscription has ended.
    Closed,
}

#[async_trait]
pub trait Subscription: Send + Debug {
    /// Waits for the next delivery. Cancel-safe: no notice is lost if the future is dropped.
    async fn next(&mut self) -> Delivery;
}
