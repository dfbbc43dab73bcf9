//! A bus that delays and reorders notices, delivers some twice, and loses some. It eventually reports every
//! loss, as the trait requires, except that in some runs it silently loses notices that concern all
//! processes. A process may be cut off from the bus for a while.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, ready},
};

use adoube_bus::{Bus, BusCounts, BusError, Delivery, Notice, Subscription};
use async_trait::async_trait;
use tokio::sync::mpsc;

use super::{fault::Fault, process::Process, rng::SeededRng};

/// The topic for changes that affect all processes, such as ended sessions.
const CHANGES: &str = "changes";
/// The topic for seeks and challenges.
const HALL: &str = "hall";

#[derive(Debug)]
struct Subscriber {
    /// The index of the process.
    index: usize,
    sender: mpsc::UnboundedSender<Delivery>,
}

#[derive(Debug, Default)]
struct State {
    topics: BTreeMap<String, Vec<Subscriber>>,
    /// The indexes of the processes that are cut off.
    cut_off: BTreeSet<usize>,
}

#[derive(Debug)]
pub(super) struct SimBus {
    state: Mutex<State>,
    rng: SeededRng,
    /// The percentage of notices that are lost, unless they concern all processes and are lost silently.
    loss_percent: u64,
    /// The percentage of notices that are delivered twice.
    duplicate_percent: u64,
    /// Whether lost notices about the hall, and about changes that affect all processes, go unreported.
    pub(super) loses_changes: bool,
    fault: Option<Fault>,
}

impl SimBus {
    pub(super) fn new(rng: SeededRng, fault: Option<Fault>) -> Self {
        let percent = if fault == Some(Fault::LoseNotices) { 20 } else { *rng.pick(&[0, 2, 10]) };
        let loses_changes = rng.percent(20) || fault == Some(Fault::RememberNames);
        Self {
            state: Mutex::default(),
            rng,
            loss_percent: percent,
            duplicate_percent: percent,
            loses_changes,
            fault,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Cuts a process off. Returns `false` if it was already cut off.
    pub(super) fn cut_off(&self, index: usize) -> bool {
        self.state().cut_off.insert(index)
    }

    /// Reconnects a process. All subscribers learn that notices were lost.
    pub(super) fn reconnect(&self, index: usize) {
        let mut state = self.state();
        state.cut_off.remove(&index);
        for subscriber in state.topics.values().flatten() {
            deliver_later(&subscriber.sender, Delivery::Lost, &self.rng, 1_000);
        }
    }

    /// Publishes a notice that a process sends.
    fn publish(&self, from: usize, topic: &str, notice: &Notice) {
        let mut state = self.state();
        let State { topics, cut_off } = &mut *state;
        let Some(of_topic) = topics.get_mut(topic) else { return };
        of_topic.retain(|subscriber| !subscriber.sender.is_closed());
        let stays_local = match self.fault {
            Some(Fault::KeepChangesLocal) => topic == CHANGES,
            Some(Fault::KeepEventsLocal) => topic != CHANGES,
            _ => false,
        };
        for Subscriber { index, sender } in of_topic {
            let is_local = *index == from;
            if !is_local && (stays_local || cut_off.contains(&from) || cut_off.contains(index)) {
                continue;
            }
            let concerns_all = topic == CHANGES || topic == HALL;
            let is_silent = self.fault == Some(Fault::LoseNotices) || (self.loses_changes && concerns_all);
            let loss_percent = if is_silent && concerns_all { 30 } else { self.loss_percent };
            if self.rng.percent(loss_percent) {
                if !is_silent {
                    deliver_later(sender, Delivery::Lost, &self.rng, 1_000);
                }
                continue;
            }
            for _ in 0..=u64::from(self.rng.percent(self.duplicate_percent)) {
                let max_ms = *self.rng.pick(&[0, 0, 5, 100]);
                deliver_later(sender, Delivery::Notice(notice.clone()), &self.rng, max_ms);
            }
        }
    }

    fn subscribe(&self, index: usize, topic: &str) -> mpsc::UnboundedReceiver<Delivery> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.state().topics.entry(topic.to_owned()).or_default().push(Subscriber { index, sender });
        receiver
    }
}

fn deliver_later(to: &mpsc::UnboundedSender<Delivery>, delivery: Delivery, rng: &SeededRng, max_ms: u64) {
    let delay = rng.ms(max_ms);
    // The subscriber may have been dropped in the meantime.
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

/// One process's end of the bus.
#[derive(Debug)]
pub(super) struct BusHandle {
    pub(super) bus: Arc<SimBus>,
    pub(super) process: Process,
}

#[async_trait]
impl Bus for BusHandle {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        self.process.running().await;
        if !self.process.is_crashed() {
            self.bus.publish(self.process.index(), topic, &notice);
        }
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        let receiver = self.bus.subscribe(self.process.index(), topic);
        Ok(Box::new(SimSubscription { receiver, process: self.process.clone() }))
    }

    fn counts(&self) -> Option<BusCounts> {
        Some(BusCounts::default())
    }
}

#[derive(Debug)]
struct SimSubscription {
    receiver: mpsc::UnboundedReceiver<Delivery>,
    process: Process,
}

impl SimSubscription {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Delivery>> {
        ready!(self.process.poll_running(context));
        self.receiver.poll_recv(context)
    }
}

#[async_trait]
impl Subscription for SimSubscription {
    async fn next(&mut self) -> Delivery {
        std::future::poll_fn(|context| self.poll(context)).await.unwrap_or(Delivery::Closed)
    }
}
