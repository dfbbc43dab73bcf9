//! The NATS subscription of a topic.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use adoube_bus::TopicSender;
use futures_util::StreamExt as _;
use tokio::sync::SetOnce;
use tokio_util::task::AbortOnDropHandle;

use crate::{
    envelope::{Content, Envelope},
    link::Link,
    numbering::{ReceivedNumbers, SequenceCheck},
};

/// The NATS subscription that all local subscribers of a topic share. Dropping it unsubscribes.
#[derive(Debug)]
pub(crate) struct Upstream {
    opened: Arc<OpeningState>,
    _task: AbortOnDropHandle<()>,
}

#[derive(Debug, Default)]
struct OpeningState {
    /// Set when the server has processed the subscription.
    done: SetOnce<()>,
    /// Whether a subscriber stopped waiting before that, and so must be notified of a loss.
    wait_timed_out: AtomicBool,
}

impl Upstream {
    pub(crate) fn open(link: &Arc<Link>, subject: String, sender: TopicSender) -> Self {
        let opened = Arc::<OpeningState>::default();
        let task = tokio::spawn(receive(Arc::clone(link), subject, sender, Arc::clone(&opened)));
        Self { opened, _task: AbortOnDropHandle::new(task) }
    }

    /// Waits until the server has processed the subscription, so that nothing published afterwards is missed.
    /// After `limit` it stops waiting, and the subscribers will be notified of a loss.
    pub(crate) async fn wait(&self, limit: Duration) {
        if tokio::time::timeout(limit, self.opened.done.wait()).await.is_err() {
            self.opened.wait_timed_out.store(true, SeqCst);
        }
    }
}

/// Delivers received messages until the task is aborted.
async fn receive(link: Arc<Link>, subject: String, sender: TopicSender, opened: Arc<OpeningState>) {
    let mut messages = match link.client.subscribe(subject).await {
        Ok(messages) => messages,
        Err(error) => {
            tracing::error!(%error, "could not subscribe to a topic on the bus");
            return;
        }
    };
    let mut received = ReceivedNumbers::default();
    let mut confirmed = std::pin::pin!(link.round_trip());
    let mut is_confirmed = false;
    loop {
        let message = tokio::select! {
            () = &mut confirmed, if !is_confirmed => {
                is_confirmed = true;
                // Set `done` first: a subscriber that stops waiting in the meantime need not be notified
                // of a loss.
                let _ = opened.done.set(());
                if opened.wait_timed_out.load(SeqCst) {
                    sender.lost();
                }
                continue;
            }
            message = messages.next() => message,
        };
        // The stream ends only when the bus is closed.
        let Some(message) = message else { return };
        let Some(envelope) = Envelope::read(message.payload) else {
            // It was sent by a process running a different release.
            sender.lost();
            continue;
        };
        if envelope.stamp.node == link.node {
            continue;
        }
        let arrival = received.check(envelope.stamp);
        if arrival == SequenceCheck::TooLate {
            continue;
        }
        if arrival == SequenceCheck::AfterLoss {
            sender.lost();
        }
        match envelope.content {
            Content::Notice(notice) => {
                link.counts.received.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                sender.notice(notice);
            }
            Content::Lost => sender.lost(),
        }
    }
}
