//! Delivery to the subscribers of one process.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use async_trait::async_trait;
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{Delivery, Notice, Subscription};

/// Number of deliveries buffered for a slow subscriber. A subscriber that falls further behind is notified of
/// the loss. The number is small because every game with a socket has a topic: ten thousand games have ten
/// thousand such buffers.
const CAPACITY: usize = 16;

type Topics<U> = Mutex<HashMap<Box<str>, Weak<Topic<U>>>>;

/// The subscribers of one process, by topic.
///
/// A topic exists as long as it has subscribers. They share one value of type `U`, such as the subscription
/// to a server, which is created for the first subscriber and dropped with the last.
pub struct FanOut<U> {
    topics: Arc<Topics<U>>,
}

/// A topic with at least one subscriber.
pub struct Topic<U> {
    name: Box<str>,
    sender: TopicSender,
    topics: Weak<Topics<U>>,
    shared: U,
}

/// Sends to the subscribers of one topic.
#[derive(Clone, Debug)]
pub struct TopicSender(broadcast::Sender<Item>);

/// An item in the buffer of a topic.
#[derive(Clone, Debug)]
enum Item {
    Notice(Notice),
    Lost,
}

/// A subscription to a topic of a [`FanOut`].
pub struct LocalSubscription<U> {
    receiver: broadcast::Receiver<Item>,
    topic: Arc<Topic<U>>,
}

impl TopicSender {
    /// Sends a notice to the current subscribers. Never waits.
    pub fn notice(&self, notice: Notice) {
        // Without subscribers the notice is dropped.
        let _ = self.0.send(Item::Notice(notice));
    }

    /// Reports a loss to the current subscribers.
    pub fn lost(&self) {
        let _ = self.0.send(Item::Lost);
    }
}

impl<U> Default for FanOut<U> {
    fn default() -> Self {
        Self { topics: Arc::default() }
    }
}

impl<U> FanOut<U> {
    fn topics(&self) -> MutexGuard<'_, HashMap<Box<str>, Weak<Topic<U>>>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a topic, if it has subscribers.
    pub fn topic(&self, name: &str) -> Option<Arc<Topic<U>>> {
        self.topics().get(name).and_then(Weak::upgrade)
    }

    /// Subscribes to a topic. For the first subscriber, `open` creates the value that all subscribers share.
    /// `open` runs under a lock, so it must not use this `FanOut`.
    pub fn subscribe(&self, name: &str, open: impl FnOnce(TopicSender) -> U) -> LocalSubscription<U> {
        let mut topics = self.topics();
        let topic = topics.get(name).and_then(Weak::upgrade).unwrap_or_else(|| {
            let sender = TopicSender(broadcast::channel(CAPACITY).0);
            let shared = open(sender.clone());
            let new =
                Arc::new(Topic { name: name.into(), sender, topics: Arc::downgrade(&self.topics), shared });
            topics.insert(name.into(), Arc::downgrade(&new));
            new
        });
        LocalSubscription { receiver: topic.sender.0.subscribe(), topic }
    }

    /// Reports a loss to all subscribers of all topics.
    pub fn lost(&self) {
        // Report outside the lock, because dropping a topic takes the lock.
        let topics: Vec<_> = self.topics().values().filter_map(Weak::upgrade).collect();
        for topic in topics {
            topic.sender.lost();
        }
    }

    /// Returns the number of topics with subscribers.
    pub fn topic_count(&self) -> usize {
        self.topics().len()
    }
}

impl<U> fmt::Debug for FanOut<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FanOut").field("topics", &self.topic_count()).finish()
    }
}

impl<U> fmt::Debug for Topic<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Topic").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<U> Topic<U> {
    pub fn sender(&self) -> &TopicSender {
        &self.sender
    }
}

impl<U> Drop for Topic<U> {
    fn drop(&mut self) {
        let Some(topics) = self.topics.upgrade() else { return };
        let mut topics = topics.lock().unwrap_or_else(PoisonError::into_inner);
        // A new subscriber may have opened the topic again in the meantime.
        if topics.get(&self.name).is_some_and(|topic| topic.strong_count() == 0) {
            topics.remove(&self.name);
        }
    }
}

impl<U> LocalSubscription<U> {
    /// Returns the value that the subscribers of the topic share.
    pub fn shared(&self) -> &U {
        &self.topic.shared
    }
}

impl<U> fmt::Debug for LocalSubscription<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalSubscription").field("topic", &self.topic.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl<U: Send + Sync> Subscription for LocalSubscription<U> {
    async fn next(&mut self) -> Delivery {
        match self.receiver.recv().await {
            Ok(Item::Notice(notice)) => Delivery::Notice(notice),
            Ok(Item::Lost) | Err(RecvError::Lagged(_)) => Delivery::Lost,
            Err(RecvError::Closed) => Delivery::Closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_subscriber_opens_a_topic_and_the_last_closes_it() {
        let fan_out = FanOut::<Arc<()>>::default();
        let shared = Arc::new(());
        let first = fan_out.subscribe("topic", |_| Arc::clone(&shared));
        let second = fan_out.subscribe("topic", |_| panic!("the topic is already open"));
        assert!(Arc::ptr_eq(second.shared(), &shared));
        drop(first);
        assert_eq!((fan_out.topic_count(), Arc::strong_count(&shared)), (1, 2));
        drop(second);
        assert_eq!((fan_out.topic_count(), Arc::strong_count(&shared)), (0, 1));
    }

    #[tokio::test]
    async fn a_loss_is_reported_on_every_topic_in_order() {
        let fan_out = FanOut::<()>::default();
        let mut one = fan_out.subscribe("one", |_| ());
        let mut two = fan_out.subscribe("two", |_| ());
        let notice = Notice { sequence: 1, audience: 0, body: "body".into() };
        fan_out.topic("one").unwrap().sender().notice(notice.clone());
        fan_out.lost();
        assert_eq!(one.next().await, Delivery::Notice(notice));
        assert_eq!(one.next().await, Delivery::Lost);
        assert_eq!(two.next().await, Delivery::Lost);
    }
}
