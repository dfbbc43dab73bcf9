use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use async_trait::async_trait;
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{Bus, BusError, Delivery, Notice, Subscription};

/// Number of notices that are kept for a slow subscriber; one that falls further behind is told of the loss.
/// There is a topic for each game with a socket, so each slot counts ten thousand times.
const KEPT: usize = 16;

type Topics = Mutex<HashMap<Box<str>, Weak<Topic>>>;

/// A bus inside one process.
#[derive(Debug, Default)]
pub struct LocalBus {
    topics: Arc<Topics>,
}

/// A topic, which lives as long as it has subscribers.
#[derive(Debug)]
struct Topic {
    name: Box<str>,
    sender: broadcast::Sender<Notice>,
    topics: Weak<Topics>,
}

impl Drop for Topic {
    fn drop(&mut self) {
        let Some(topics) = self.topics.upgrade() else { return };
        let mut topics = topics.lock().unwrap_or_else(PoisonError::into_inner);
        // A new subscriber may have opened the topic again in the meantime.
        if topics.get(&self.name).is_some_and(|topic| topic.strong_count() == 0) {
            topics.remove(&self.name);
        }
    }
}

#[derive(Debug)]
struct LocalSubscription {
    receiver: broadcast::Receiver<Notice>,
    _topic: Arc<Topic>,
}

impl LocalBus {
    pub fn new() -> Self {
        Self::default()
    }

    fn topic(&self, name: &str) -> Option<Arc<Topic>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner).get(name).and_then(Weak::upgrade)
    }
}

#[async_trait]
impl Bus for LocalBus {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        if let Some(topic) = self.topic(topic) {
            // Without subscribers the notice is dropped.
            let _ = topic.sender.send(notice);
        }
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let topic = topics.get(topic).and_then(Weak::upgrade).unwrap_or_else(|| {
            let (sender, _) = broadcast::channel(KEPT);
            let new = Arc::new(Topic { name: topic.into(), sender, topics: Arc::downgrade(&self.topics) });
            topics.insert(topic.into(), Arc::downgrade(&new));
            new
        });
        Ok(Box::new(LocalSubscription { receiver: topic.sender.subscribe(), _topic: topic }))
    }
}

#[async_trait]
impl Subscription for LocalSubscription {
    async fn next(&mut self) -> Delivery {
        match self.receiver.recv().await {
            Ok(notice) => Delivery::Notice(notice),
            Err(RecvError::Lagged(_)) => Delivery::Lost,
            Err(RecvError::Closed) => Delivery::Closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(sequence: u64) -> Notice {
        Notice { sequence, audience: 0, body: "body".into() }
    }

    #[tokio::test]
    async fn notices_reach_those_who_subscribed_to_their_topic() {
        let bus = LocalBus::new();
        let mut one = bus.subscribe("one").await.unwrap();
        let mut again = bus.subscribe("one").await.unwrap();
        let mut two = bus.subscribe("two").await.unwrap();
        bus.publish("two", notice(7)).await.unwrap();
        bus.publish("one", notice(1)).await.unwrap();
        assert_eq!(one.next().await, Delivery::Notice(notice(1)));
        assert_eq!(again.next().await, Delivery::Notice(notice(1)));
        assert_eq!(two.next().await, Delivery::Notice(notice(7)));
    }

    #[tokio::test]
    async fn a_slow_subscriber_learns_of_its_loss_and_goes_on() {
        let bus = LocalBus::new();
        let mut slow = bus.subscribe("topic").await.unwrap();
        for sequence in 0..=KEPT as u64 {
            bus.publish("topic", notice(sequence)).await.unwrap();
        }
        assert_eq!(slow.next().await, Delivery::Lost);
        assert_eq!(slow.next().await, Delivery::Notice(notice(1)));
    }

    #[tokio::test]
    async fn a_topic_without_subscribers_is_forgotten() {
        let bus = LocalBus::new();
        let subscription = bus.subscribe("topic").await.unwrap();
        drop(subscription);
        bus.publish("topic", notice(1)).await.unwrap();
        assert!(bus.topics.lock().unwrap().is_empty());
        let mut later = bus.subscribe("topic").await.unwrap();
        bus.publish("topic", notice(2)).await.unwrap();
        assert_eq!(later.next().await, Delivery::Notice(notice(2)));
    }
}
