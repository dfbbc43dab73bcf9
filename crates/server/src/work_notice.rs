//! The notices that tell other processes that there is work. They only save time, because a process that
//! misses one finds the work in the store within a second.

use std::sync::Arc;

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_protocol::GameId;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{audience, error::Error, machine::MachineNotifier};

/// The bus topic of work notices. It cannot be the topic of a game, because game ids have a different length.
const TOPIC: &str = "work";

/// A kind of work for other processes.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "work")]
pub(crate) enum WorkNotice {
    /// The machine has a task in a game.
    MachineTurn { game: GameId },
    /// A job is waiting in the store.
    Job,
}

/// Publishes a notice that there is work.
pub(crate) async fn publish(bus: &dyn Bus, work: &WorkNotice) {
    let body = match serde_json::to_vec(work) {
        Ok(body) => body,
        Err(error) => return tracing::error!(%error, "a work notice cannot be serialized"),
    };
    let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
    if let Err(error) = bus.publish(TOPIC, notice).await {
        tracing::warn!(%error, "could not publish a work notice");
    }
}

/// Subscribes to the notices, for [`follow`].
pub(crate) async fn subscribe(bus: &dyn Bus) -> Result<Box<dyn Subscription>, Error> {
    bus.subscribe(TOPIC).await.map_err(|error| {
        tracing::error!(%error, "could not subscribe to the notices of new work");
        Error::Internal("the bus is not responding")
    })
}

/// Wakes the tasks that do the announced work, until `stop` is cancelled.
pub(crate) async fn follow(
    mut notices: Box<dyn Subscription>,
    machine: MachineNotifier,
    jobs: Arc<Notify>,
    stop: CancellationToken,
) {
    loop {
        let delivery = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            delivery = notices.next() => delivery,
        };
        match delivery {
            Delivery::Notice(notice) => match serde_json::from_slice(&notice.body) {
                Ok(WorkNotice::MachineTurn { game }) => machine.think(&game),
                Ok(WorkNotice::Job) => jobs.notify_one(),
                Err(error) => tracing::debug!(%error, "received an unknown kind of work"),
            },
            Delivery::Lost => jobs.notify_one(),
            Delivery::Closed => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_survive_a_round_trip_through_json() {
        for notice in [WorkNotice::MachineTurn { game: GameId::from_random(1) }, WorkNotice::Job] {
            let body = serde_json::to_vec(&notice).unwrap();
            assert_eq!(serde_json::from_slice::<WorkNotice>(&body).unwrap(), notice);
        }
    }
}
