//! A bus that delays notices, so that they overtake each other, delivers some twice, and loses some. It finally
//! reports a loss, as the trait requires of every bus.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use adoube_bus::{Bus, BusCounts, BusError, Delivery, Notice, Subscription};
use async_trait::async_trait;
use tokio::sync::mpsc;

use super::{chance::Chance, fault::Fault};

type Subscribers = Mutex<BTreeMap<String, Vec<mpsc::UnboundedSender<Delivery>>>>;

#[derive(Debug)]
pub(super) struct SimBus {
    subscribers: Subscribers,
    chance: Chance,
    /// Percentage of notices that are lost, and that are delivered twice.
    lost: u64,
    doubled: u64,
    fault: Option<Fault>,
}

impl SimBus {
    pub(super) fn new(chance: Chance, fault: Option<Fault>) -> Self {
        let trouble = if fault == Some(Fault::LoseNotices) { 20 } else { *chance.pick(&[0, 2, 10]) };
        Self { subscribers: Mutex::default(), chance, lost: trouble, doubled: trouble, fault }
    }
}

fn later(to: &mpsc::UnboundedSender<Delivery>, delivery: Delivery, chance: &Chance, most_ms: u64) {
    let delay = chance.ms(most_ms);
    // The subscriber may have gone in the meantime.
    if delay.is_zero() {
        let _ = to.send(delivery);
        return;
    }
    let to = to.clone();
    tokio::spawn(async move {
        tokio::time::sleep(delay).await;
        let _ = to.send(delivery);
    });
}

#[async_trait]
impl Bus for SimBus {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        let mut subscribers = self.subscribers.lock().unwrap();
        let Some(of_topic) = subscribers.get_mut(topic) else { return Ok(()) };
        of_topic.retain(|subscriber| !subscriber.is_closed());
        for subscriber in of_topic {
            if self.chance.percent(self.lost) {
                if self.fault != Some(Fault::LoseNotices) {
                    later(subscriber, Delivery::Lost, &self.chance, 1_000);
                }
                continue;
            }
            for _ in 0..=u64::from(self.chance.percent(self.doubled)) {
                let most_ms = *self.chance.pick(&[0, 0, 5, 100]);
                later(subscriber, Delivery::Notice(notice.clone()), &self.chance, most_ms);
            }
        }
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.subscribers.lock().unwrap().entry(topic.to_owned()).or_default().push(sender);
        Ok(Box::new(SimSubscription(receiver)))
    }
}

#[derive(Debug)]
struct SimSubscription(mpsc::UnboundedReceiver<Delivery>);

#[async_trait]
impl Subscription for SimSubscription {
    async fn next(&mut self) -> Delivery {
        self.0.recv().await.unwrap_or(Delivery::Closed)
    }
}

/// The end of the bus in one process. It is silent once the process has crashed.
#[derive(Debug)]
pub(super) struct End {
    pub(super) bus: Arc<SimBus>,
    pub(super) crashed: tokio_util::sync::CancellationToken,
}

#[async_trait]
impl Bus for End {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        if self.crashed.is_cancelled() { Ok(()) } else { self.bus.publish(topic, notice).await }
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        self.bus.subscribe(topic).await
    }

    fn counts(&self) -> Option<BusCounts> {
        Some(BusCounts::default())
    }
}
