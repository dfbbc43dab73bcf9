use async_trait::async_trait;

use crate::{Bus, BusError, Notice, Subscription, fan_out::FanOut};

/// A bus within one process.
#[derive(Debug, Default)]
pub struct LocalBus {
    fan_out: FanOut<()>,
}

impl LocalBus {
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl Bus for LocalBus {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        if let Some(topic) = self.fan_out.topic(topic) {
            topic.sender().notice(notice);
        }
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        Ok(Box::new(self.fan_out.subscribe(topic, |_| ())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delivery;

    #[tokio::test]
    async fn a_topic_without_subscribers_is_dropped() {
        let notice = |sequence| Notice { sequence, audience: 0, body: "body".into() };
        let bus = LocalBus::new();
        let subscription = bus.subscribe("topic").await.unwrap();
        drop(subscription);
        bus.publish("topic", notice(1)).await.unwrap();
        assert_eq!(bus.fan_out.topic_count(), 0);
        let mut later = bus.subscribe("topic").await.unwrap();
        bus.publish("topic", notice(2)).await.unwrap();
        assert_eq!(later.next().await, Delivery::Notice(notice(2)));
    }
}
