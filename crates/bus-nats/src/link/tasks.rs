//! The background tasks of a connection.

use std::{
    sync::{
        Arc,
        atomic::Ordering::{Relaxed, SeqCst},
    },
    time::Duration,
};

use async_nats::{Request, RequestErrorKind, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};

use super::{Link, Outgoing, QueueItem};
use crate::{
    envelope::{Content, Envelope, Stamp},
    error::OpenError,
};

/// Time after which a round trip is repeated.
const ROUND_TRIP_TIME: Duration = Duration::from_secs(2);
/// The minimum interval between reports of losses.
const LOSS_INTERVAL: Duration = Duration::from_millis(250);
/// Interval at which other processes are asked again for the id of their house, because a reply may have been
/// lost.
const HOUSE_INTERVAL: Duration = Duration::from_mins(1);

/// Sends the queued messages in order.
pub(super) async fn send_queued(link: Arc<Link>, mut queued: mpsc::Receiver<QueueItem>) {
    while let Some(next) = queued.recv().await {
        match next {
            QueueItem::Notice(Outgoing { subject, message }) => {
                link.queued_bytes.fetch_sub(message.len(), SeqCst);
                // Messages are dropped during an outage, because every subscriber reads the store after it.
                if link.is_connected() && link.client.publish(subject, message).await.is_ok() {
                    link.counts.published.fetch_add(1, Relaxed);
                } else {
                    link.counts.dropped.fetch_add(1, Relaxed);
                    link.status.loss_to_publish.notify_one();
                }
            }
            QueueItem::Loss => {
                // Receivers ignore the number.
                let stamp = Stamp { node: link.node, epoch: 0, number: 0 };
                let message = Envelope { stamp, content: Content::Lost }.write();
                if let Err(error) = link.client.publish(link.subjects.lost(), message).await {
                    tracing::warn!(%error, "a loss was not reported to other servers");
                }
            }
            QueueItem::Flush(done) => {
                if let Err(error) = link.client.flush().await {
                    tracing::debug!(%error, "not flushed");
                }
                let _ = done.send(());
            }
        }
    }
}

/// Makes round trips to the server, one at a time. Each serves all calls that are waiting when it begins.
pub(super) async fn make_round_trips(link: Arc<Link>, mut requests: mpsc::Receiver<oneshot::Sender<()>>) {
    while let Some(first) = requests.recv().await {
        let mut waiting = vec![first];
        while let Ok(next) = requests.try_recv() {
            waiting.push(next);
        }
        // Send only while connected, because during an outage the client would queue the request.
        while !(link.is_connected() && try_round_trip(&link).await) {
            sleep(Duration::from_millis(50)).await;
        }
        for waiting in waiting {
            // The caller may have been dropped.
            let _ = waiting.send(());
        }
    }
}

async fn try_round_trip(link: &Link) -> bool {
    let request = Request::new().payload(Bytes::new()).timeout(Some(ROUND_TRIP_TIME));
    let answered =
        timeout(ROUND_TRIP_TIME, link.client.send_request(link.subjects.without_subscribers(), request))
            .await;
    // The server itself replies that there are no subscribers.
    matches!(answered, Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders)
}

/// Detects reconnections, and reports a loss to all subscribers, here and in other processes.
pub(super) async fn watch_connection(link: Arc<Link>) {
    let connections = || link.client.statistics().connects.load(Relaxed);
    // The first connection was made by `open`.
    let mut seen = 1;
    loop {
        // Check without an event too, because the client drops events when there are too many.
        let _ = timeout(Duration::from_secs(1), link.status.changed.notified()).await;
        if connections() <= seen {
            continue;
        }
        // Wait until the server has all subscriptions again, so that subscribers that read the store after
        // the report do not miss any later notices.
        link.round_trip().await;
        let count = connections();
        tracing::info!(address = link.address, "reconnected to the bus");
        link.counts.reconnects.fetch_add(count - seen, Relaxed);
        seen = count;
        link.status.loss_to_report.notify_one();
        link.status.loss_to_publish.notify_one();
    }
}

/// Receives reports of losses from other processes.
pub(super) async fn receive_losses(link: Arc<Link>, mut losses: Subscriber) {
    while let Some(message) = losses.next().await {
        let is_own = Envelope::read(message.payload).is_some_and(|envelope| envelope.stamp.node == link.node);
        if !is_own {
            link.status.loss_to_report.notify_one();
        }
    }
}

/// Reports losses to the local subscribers.
pub(super) async fn report_losses(link: Arc<Link>) {
    loop {
        link.status.loss_to_report.notified().await;
        link.counts.losses.fetch_add(1, Relaxed);
        link.fan_out.lost();
        sleep(LOSS_INTERVAL).await;
    }
}

/// Reports losses to other processes as soon as the queue has room.
pub(super) async fn publish_losses(link: Arc<Link>) {
    loop {
        link.status.loss_to_publish.notified().await;
        while !link.is_connected() {
            sleep(Duration::from_millis(50)).await;
        }
        if link.queue.send(QueueItem::Loss).await.is_err() {
            return;
        }
        sleep(LOSS_INTERVAL).await;
    }
}

/// Replies to other processes that request the id of the house.
pub(super) async fn answer_house_queries(link: Arc<Link>, mut requests: Subscriber) {
    while let Some(request) = requests.next().await {
        if !link.is_of_house(&request.payload) && link.house_log.is_due() {
            tracing::warn!(
                address = link.address,
                prefix = link.prefix,
                "a server of another house tried to use the same bus"
            );
        }
        if let Some(reply) = request.reply
            && let Err(error) = link.client.publish(reply, link.house_reply()).await
        {
            tracing::debug!(%error, "the id of the house was not sent to another process");
        }
    }
}

/// Checks at intervals for another house. Its notices do no harm, but its presence on the bus means that a
/// server is misconfigured.
pub(super) async fn watch_houses(link: Arc<Link>) {
    loop {
        sleep(HOUSE_INTERVAL).await;
        if !link.is_connected() {
            continue;
        }
        match link.check_house().await {
            Ok(()) => {}
            Err(error @ OpenError::OtherHouse { .. }) => {
                tracing::error!(%error, "two houses use the same bus");
            }
            Err(error) => {
                tracing::warn!(%error, "could not check that only one house uses the bus");
            }
        }
    }
}
