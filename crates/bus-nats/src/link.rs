//! The connection to NATS.

mod tasks;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{
            AtomicBool, AtomicU64, AtomicUsize,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use adoube_bus::{BusCounts, FanOut};
use async_nats::{Client, ConnectError, ConnectOptions, Event, ServerAddr, Subscriber, connection::State};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::{
    sync::{Notify, SetOnce, mpsc, oneshot},
    time::{Instant, timeout},
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    error::OpenError,
    settings::{ClientSettings, NatsSettings},
    subject::Subjects,
    topic::Upstream,
};

/// The maximum number of queued notices, and of their bytes.
const QUEUE_CAPACITY: usize = 4_096;
const QUEUE_BYTES: usize = 16 << 20;
/// The maximum number of queued calls to [`Link::round_trip`]; further calls wait for room.
const ROUND_TRIPS: usize = 1_024;
/// The maximum time for the first round trip.
const OPENING_TIME: Duration = Duration::from_secs(5);
/// The maximum time that the client takes to report a refusal that it has received.
const REFUSAL_TIME: Duration = Duration::from_millis(50);
/// The bounds of the maximum delay before an attempt to reconnect, which grows with each attempt. The actual
/// delay is between half of that maximum and the maximum.
const RECONNECT_MIN_MS: u64 = 100;
const RECONNECT_MAX_MS: u64 = 2_000;
/// The maximum time to wait for other processes to send the id of their house.
const HOUSE_TIMEOUT: Duration = Duration::from_millis(300);
/// The minimum interval between log lines about the same event.
const LOG_INTERVAL: Duration = Duration::from_mins(1);

/// The connection of a process.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) client: Client,
    pub(crate) address: String,
    prefix: String,
    pub(crate) subjects: Subjects,
    house: String,
    /// The random id of this process on the bus.
    pub(crate) node: u64,
    pub(crate) fan_out: FanOut<Upstream>,
    pub(crate) counts: Counts,
    queue: mpsc::Sender<QueueItem>,
    queued_bytes: AtomicUsize,
    round_trips: mpsc::Sender<oneshot::Sender<()>>,
    status: Arc<Status>,
    house_log: LogThrottle,
}

/// The state of the connection, as the client reports it.
#[derive(Debug, Default)]
struct Status {
    /// Notified when the connection is lost or opened.
    changed: Notify,
    /// Notified when local subscribers must be notified of a loss.
    loss_to_report: Notify,
    /// Notified when other processes must be notified of a loss.
    loss_to_publish: Notify,
    /// Whether the reason for failed attempts to reconnect has been logged.
    is_reason_logged: AtomicBool,
    /// The server's first refusal.
    refusal: SetOnce<String>,
    refusal_log: LogThrottle,
}

/// Limits the rate of a log line.
#[derive(Debug, Default)]
struct LogThrottle(Mutex<Option<Instant>>);

impl LogThrottle {
    /// Returns `true` if the line is due, and records that it is logged.
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= LOG_INTERVAL);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) published: AtomicU64,
    pub(crate) received: AtomicU64,
    pub(crate) dropped: AtomicU64,
    losses: AtomicU64,
    reconnects: AtomicU64,
}

/// A message to be sent.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) subject: String,
    pub(crate) message: Bytes,
}

#[derive(Debug)]
enum QueueItem {
    Notice(Outgoing),
    /// Notifies the other processes of a loss.
    Loss,
    /// Reports when everything before it has been written to the server.
    Flush(oneshot::Sender<()>),
}

impl Counts {
    pub(crate) fn read(&self) -> BusCounts {
        BusCounts {
            published: self.published.load(Relaxed),
            received: self.received.load(Relaxed),
            dropped: self.dropped.load(Relaxed),
            losses: self.losses.load(Relaxed),
            reconnects: self.reconnects.load(Relaxed),
        }
    }
}

/// Connects, and starts the tasks of the connection, which end when their handles are dropped.
pub(crate) async fn open(
    settings: &NatsSettings,
    house: &str,
) -> Result<(Arc<Link>, Vec<AbortOnDropHandle<()>>), OpenError> {
    // Without a default, the client would panic if a dependency brought in a second cryptography provider.
    let _ = async_nats::rustls::crypto::ring::default_provider().install_default();
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|problem| OpenError::Random { problem })?;
    let node = u64::from_ne_bytes(random);
    let status = Arc::new(Status::default());
    let ClientSettings { servers, address, prefix, options, is_anonymous } = settings.client_settings()?;
    let subjects = Subjects::new(&prefix, house);
    let client = connect(options, &servers, &subjects, node, &address, &status)
        .await
        .map_err(|error| OpenError::from_connect_error(&address, is_anonymous, &error))?;
    if !client.is_server_compatible(2, 2, 0) {
        return Err(OpenError::TooOld { address, version: client.server_info().version });
    }
    let (queue, queued) = mpsc::channel(QUEUE_CAPACITY);
    let (round_trips, requests) = mpsc::channel(ROUND_TRIPS);
    let link = Arc::new(Link {
        client,
        address,
        prefix,
        subjects,
        house: house.to_owned(),
        node,
        fan_out: FanOut::default(),
        counts: Counts::default(),
        queue,
        queued_bytes: AtomicUsize::new(0),
        round_trips,
        status,
        house_log: LogThrottle::default(),
    });
    let mut tasks = vec![
        AbortOnDropHandle::new(tokio::spawn(tasks::send_queued(Arc::clone(&link), queued))),
        AbortOnDropHandle::new(tokio::spawn(tasks::make_round_trips(Arc::clone(&link), requests))),
    ];
    let losses = link.subscribe(link.subjects.lost()).await?;
    let houses = link.subscribe(link.subjects.houses()).await?;
    // Subscribe to requests before sending our own, so that if two houses start at the same time, at least
    // one detects the other.
    tasks.push(AbortOnDropHandle::new(tokio::spawn(tasks::answer_house_queries(Arc::clone(&link), houses))));
    link.check_permissions().await?;
    link.check_house().await?;
    tasks.extend([
        AbortOnDropHandle::new(tokio::spawn(tasks::receive_losses(Arc::clone(&link), losses))),
        AbortOnDropHandle::new(tokio::spawn(tasks::report_losses(Arc::clone(&link)))),
        AbortOnDropHandle::new(tokio::spawn(tasks::publish_losses(Arc::clone(&link)))),
        AbortOnDropHandle::new(tokio::spawn(tasks::watch_connection(Arc::clone(&link)))),
        AbortOnDropHandle::new(tokio::spawn(tasks::watch_houses(Arc::clone(&link)))),
    ]);
    Ok((link, tasks))
}

async fn connect(
    options: ConnectOptions,
    servers: &[ServerAddr],
    subjects: &Subjects,
    node: u64,
    address: &str,
    status: &Arc<Status>,
) -> Result<Client, ConnectError> {
    let (status, address) = (Arc::clone(status), Arc::<str>::from(address));
    options
        .name(format!("adoube {node:016x}"))
        .custom_inbox_prefix(subjects.reply_prefix())
        .reconnect_delay_callback(move |attempts| reconnect_delay(node, attempts))
        .event_callback(move |event| {
            status.record(&address, &event);
            std::future::ready(())
        })
        .connect(servers)
        .await
}

/// Returns the delay before an attempt to reconnect. It grows with each attempt and differs between
/// processes.
fn reconnect_delay(node: u64, attempts: usize) -> Duration {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or(u32::MAX).min(10);
    let max_ms = (RECONNECT_MIN_MS << doublings).min(RECONNECT_MAX_MS);
    let spread = node.rotate_left(doublings * 6) % (max_ms / 2);
    Duration::from_millis(max_ms - spread)
}

impl Status {
    /// Records an event from the NATS client. An outage produces two log lines, and a third one if the server
    /// refuses the client.
    fn record(&self, address: &str, event: &Event) {
        match event {
            Event::Disconnected => {
                self.is_reason_logged.store(false, SeqCst);
                tracing::warn!(
                    address,
                    "the connection to the bus is lost: notices to and from other servers are dropped"
                );
                self.changed.notify_one();
            }
            Event::Connected => self.changed.notify_one(),
            Event::SlowConsumer(_) => self.loss_to_report.notify_one(),
            Event::ServerError(error) => {
                let error = error.to_string();
                if self.refusal_log.is_due() {
                    tracing::warn!(address, error, "the bus refuses a request");
                }
                let _ = self.refusal.set(error);
            }
            // A failed attempt to reconnect. Usually the server is still down, which has already been logged.
            Event::ClientError(error) => {
                let error = error.to_string();
                let is_expected = error.contains("IO error") || error.contains("timed out");
                if !is_expected && !self.is_reason_logged.swap(true, SeqCst) {
                    tracing::warn!(address, error, "reconnecting to the bus failed");
                }
            }
            Event::LameDuckMode => tracing::info!(address, "the NATS server is about to stop"),
            Event::Draining | Event::Closed => {}
        }
    }
}

impl Link {
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    async fn subscribe(&self, subject: String) -> Result<Subscriber, OpenError> {
        self.client.subscribe(subject).await.map_err(|error| self.denied(error.to_string()))
    }

    fn denied(&self, problem: String) -> OpenError {
        OpenError::Denied { address: self.address.clone(), prefix: self.prefix.clone(), problem }
    }

    /// Queues a notice. If that is impossible, drops it and reports a loss to the other processes.
    pub(crate) fn send(&self, outgoing: Outgoing) {
        // After an outage, every subscriber is notified of a loss anyway.
        let is_sent = self.is_connected() && self.enqueue(outgoing);
        if !is_sent {
            self.counts.dropped.fetch_add(1, Relaxed);
            self.status.loss_to_publish.notify_one();
        }
    }

    fn enqueue(&self, outgoing: Outgoing) -> bool {
        let bytes = outgoing.message.len();
        let before = self.queued_bytes.fetch_add(bytes, SeqCst);
        // An empty queue accepts a message of any length that the server accepts.
        let fits = before == 0 || before + bytes <= QUEUE_BYTES;
        let is_queued = fits && self.queue.try_send(QueueItem::Notice(outgoing)).is_ok();
        if !is_queued {
            self.queued_bytes.fetch_sub(bytes, SeqCst);
        }
        is_queued
    }

    /// Waits until everything in the queue has been written to the server.
    pub(crate) async fn flush(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.queue.send(QueueItem::Flush(sender)).await.is_ok() {
            // Fails only when the bus is closed.
            let _ = receiver.await;
        }
    }

    /// Waits until the server has processed everything sent before. Has no timeout: if the bus is closed,
    /// this never returns.
    pub(crate) async fn round_trip(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.round_trips.send(sender).await.is_err() || receiver.await.is_err() {
            // The bus is closed.
            std::future::pending::<()>().await;
        }
    }

    async fn check_permissions(&self) -> Result<(), OpenError> {
        let reached = tokio::select! {
            reached = timeout(OPENING_TIME, self.round_trip()) => reached.is_ok(),
            refusal = self.status.refusal.wait() => return Err(self.denied(refusal.clone())),
        };
        if !reached {
            let problem = "requests time out".to_owned();
            return Err(OpenError::Unreachable { address: self.address.clone(), problem });
        }
        // Any refusal has arrived before the reply, but the client reports it in another task.
        match timeout(REFUSAL_TIME, self.status.refusal.wait()).await {
            Ok(refusal) => Err(self.denied(refusal.clone())),
            Err(_) => Ok(()),
        }
    }

    /// Asks the other processes on this bus for the id of their house. Fails if the first reply names another
    /// house.
    async fn check_house(&self) -> Result<(), OpenError> {
        let inbox = self.client.new_inbox();
        let mut replies = self.subscribe(inbox.clone()).await?;
        let request = self.client.publish_with_reply(self.subjects.houses(), inbox, self.house_reply());
        request.await.map_err(|error| self.denied(error.to_string()))?;
        let reply = timeout(HOUSE_TIMEOUT, replies.next()).await;
        match reply {
            // The server itself replies if there is no other process.
            Ok(Some(reply)) if reply.status.is_none() && !self.is_of_house(&reply.payload) => {
                Err(OpenError::OtherHouse { address: self.address.clone(), prefix: self.prefix.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Returns this process's reply to a request for the id of its house.
    fn house_reply(&self) -> Bytes {
        Bytes::copy_from_slice(self.house.as_bytes())
    }

    fn is_of_house(&self, payload: &[u8]) -> bool {
        payload == self.house.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_bounded_and_differ_between_processes() {
        for node in [0, 1, 0xdead_beef_dead_beef, u64::MAX] {
            assert!(reconnect_delay(node, 0) <= Duration::from_millis(RECONNECT_MIN_MS));
            for attempts in [1, 2, 5, 60, usize::MAX] {
                let delay = reconnect_delay(node, attempts);
                assert!((50..=2_000).contains(&delay.as_millis()), "{node} {attempts}: {delay:?}");
            }
            assert!(reconnect_delay(node, 100) > Duration::from_secs(1) - Duration::from_millis(1));
        }
        assert_ne!(reconnect_delay(1, 100), reconnect_delay(2, 100));
    }
}
