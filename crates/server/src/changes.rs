//! Changes that every process of a house must know of: ended sessions, and accounts that have begun or ended.
//!
//! They are published on the bus, and each process, the one where they happened included, does what follows. If a notice may be
//! lost, all that might have changed is looked up again in the store.

use std::sync::Arc;

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_protocol::{PlayerId, SessionId};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::{audience, auth::Ended, error::Error, names::Names};

/// The topic of changes. No game has an id of that length.
const TOPIC: &str = "changes";
/// Notices of ended sessions that a socket may leave unread before it has to look for itself.
const ENDED_KEPT: usize = 64;

/// Something that has changed in the store.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "change")]
pub(crate) enum Change {
    SessionsEnded {
        sessions: Vec<SessionId>,
    },
    /// An identity without an account has one now: a session alone speaks for it.
    Registered {
        player: PlayerId,
    },
    AccountDeleted {
        player: PlayerId,
    },
}

/// Publishes changes, and does what follows from those of all processes.
#[derive(Debug)]
pub(crate) struct Changes {
    bus: Arc<dyn Bus>,
    names: Arc<Names>,
    ended: broadcast::Sender<Ended>,
}

impl Changes {
    pub(crate) fn new(bus: Arc<dyn Bus>, names: Arc<Names>) -> Self {
        Self { bus, names, ended: broadcast::channel(ENDED_KEPT).0 }
    }

    /// Returns what sockets are told of sessions that end, from now on.
    pub(crate) fn ended(&self) -> broadcast::Receiver<Ended> {
        self.ended.subscribe()
    }

    /// Tells all processes of a change that is on the disk.
    pub(crate) async fn publish(&self, change: Change) {
        let body = match serde_json::to_vec(&change) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, "a change cannot be written");
                return self.take_in(change);
            }
        };
        let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
        if let Err(error) = self.bus.publish(TOPIC, notice).await {
            tracing::error!(%error, "other servers were not told of a change");
            self.take_in(change);
        }
    }

    /// Subscribes to the changes of all processes, for [`follow`](Self::follow).
    pub(crate) async fn subscribe(&self) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(TOPIC).await.map_err(|error| {
            tracing::error!(%error, "no subscription");
            Error::Internal("the bus does not answer")
        })
    }

    /// Does what follows from changes, until `stop`.
    pub(crate) async fn follow(self: Arc<Self>, mut changes: Box<dyn Subscription>, stop: CancellationToken) {
        loop {
            let delivery = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                delivery = changes.next() => delivery,
            };
            match delivery {
                Delivery::Notice(notice) => match serde_json::from_slice(&notice.body) {
                    Ok(change) => self.take_in(change),
                    Err(error) => {
                        // From a later release.
                        tracing::debug!(%error, "a change is unknown");
                        self.forget();
                    }
                },
                Delivery::Lost => self.forget(),
                Delivery::Closed => return,
            }
        }
    }

    fn take_in(&self, change: Change) {
        match change {
            Change::SessionsEnded { sessions } => {
                for session in sessions {
                    self.tell(Ended::Session(session));
                }
            }
            Change::Registered { player } => {
                self.names.forget(&player);
                self.tell(Ended::Identity(player));
            }
            Change::AccountDeleted { player } => self.names.forget(&player),
        }
    }

    /// Has everything looked up again.
    fn forget(&self) {
        self.names.forget_all();
        self.tell(Ended::Unknown);
    }

    fn tell(&self, ended: Ended) {
        // Without a socket there is no one to tell.
        let _ = self.ended.send(ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_as_they_are_written() {
        let player = PlayerId::from_random(1);
        for change in [
            Change::SessionsEnded { sessions: vec![SessionId::from_random(2)] },
            Change::Registered { player: player.clone() },
            Change::AccountDeleted { player },
        ] {
            let body = serde_json::to_vec(&change).unwrap();
            assert_eq!(serde_json::from_slice::<Change>(&body).unwrap(), change);
        }
    }
}
