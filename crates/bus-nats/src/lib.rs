//! A bus between several server processes, over NATS.
//!
//! It uses core NATS only, so notices are not stored. Every loss that is detected is reported to the
//! subscribers. A process has:
//!
//! - one connection. After the client has reconnected, all subscribers are notified of a loss;
//! - one NATS subscription (about 8 KB of memory) for each topic that has local subscribers, however many
//!   there are;
//! - one queue of outgoing messages, bounded in messages and in bytes. Messages that do not fit are dropped,
//!   and the other processes are notified of a loss as soon as there is room again.
//!
//! Messages are numbered by sender and topic, so that receivers also detect losses between the servers of a
//! cluster. A process delivers its own notices directly, without NATS.
//!
//! Subjects contain the id of the house, so two houses never receive each other's notices. A server with the
//! wrong database would then go unnoticed. Therefore the processes on one bus also ask each other for this
//! id, and refuse to start if another house is present.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod envelope;
mod error;
mod link;
mod numbering;
mod settings;
mod subject;
mod topic;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering::Relaxed},
    time::Duration,
};

use adoube_bus::{Bus, BusCounts, BusError, Notice, Subscription};
use async_trait::async_trait;
use tokio_util::task::AbortOnDropHandle;

pub use error::OpenError;
pub use settings::NatsSettings;

use envelope::{Content, Envelope};
use link::{Link, Outgoing};
use numbering::Numbers;
use topic::Upstream;

/// The maximum time that a subscriber waits for the server to process its subscription. After that time the
/// subscriber continues, and is notified of a loss once the server has processed it.
const SUBSCRIPTION_TIME: Duration = Duration::from_secs(1);
/// The maximum time to wait for the queue when closing.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// A bus over NATS.
pub struct NatsBus {
    link: Arc<Link>,
    numbers: Mutex<Numbers>,
    _tasks: Vec<AbortOnDropHandle<()>>,
}

impl NatsBus {
    /// Connects a process to NATS. `house` identifies the house and can be any string.
    ///
    /// # Errors
    ///
    /// If the settings are malformed, no server can be reached or used, or another house uses the same bus.
    pub async fn open(settings: &NatsSettings, house: &str) -> Result<Self, OpenError> {
        let (link, tasks) = link::open(settings, house).await?;
        let numbers = Mutex::new(Numbers::new(link.node));
        Ok(Self { link, numbers, _tasks: tasks })
    }

    /// Returns the addresses of the servers, without passwords.
    pub fn address(&self) -> &str {
        &self.link.address
    }

    /// Returns the number of topics with subscribers in this process.
    pub fn topic_count(&self) -> usize {
        self.link.fan_out.topic_count()
    }
}

impl fmt::Debug for NatsBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsBus")
            .field("address", &self.link.address)
            .field("counts", &self.link.counts.read())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Bus for NatsBus {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        let subject = self.link.subjects.topic(topic)?;
        // Hold the lock while the notice is delivered here and queued for NATS, so that all receivers get the
        // notices of this process in the same order.
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(topic) = self.link.fan_out.topic(topic) {
            topic.sender().notice(notice.clone());
        }
        let stamp = numbers.next(topic);
        let mut message = Envelope { stamp, content: Content::Notice(notice) }.write();
        if message.len() > self.link.client.max_payload() {
            // Receivers that are notified of a loss read the store instead.
            self.link.counts.dropped.fetch_add(1, Relaxed);
            message = Envelope { stamp, content: Content::Lost }.write();
        }
        self.link.send(Outgoing { subject, message });
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        let subject = self.link.subjects.topic(topic)?;
        let subscription =
            self.link.fan_out.subscribe(topic, |sender| Upstream::open(&self.link, subject, sender));
        if self.link.is_connected() {
            subscription.shared().wait(SUBSCRIPTION_TIME).await;
        } else {
            // Once the connection is open again, all subscribers are notified of a loss.
            subscription.shared().wait(Duration::ZERO).await;
        }
        Ok(Box::new(subscription))
    }

    fn counts(&self) -> Option<BusCounts> {
        Some(self.link.counts.read())
    }

    async fn close(&self) {
        if tokio::time::timeout(CLOSING_TIME, self.link.flush()).await.is_err() {
            tracing::warn!("the last notices to other servers were not sent in time");
        }
    }
}
