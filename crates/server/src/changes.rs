//! Changes that affect every process of a house: ended sessions, new and deleted accounts.
//!
//! They are published on the bus, and each process applies them, including the one where they happened. After a loss of notices,
//! everything that may have changed is looked up in the store again.

use std::sync::Arc;

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_protocol::{PlayerId, SessionId};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::{audience, auth::Ended, error::Error, names::Names};

/// The topic of changes. No game has an id of that length.
const TOPIC: &str = "changes";
/// Number of ended sessions that a socket may leave unread before it has to check its own credential.
const ENDED_KEPT: usize = 64;

/// A change that has been committed to the store.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "change")]
pub(crate) enum Change {
    SessionsEnded {
        sessions: Vec<SessionId>,
    },
    /// An anonymous identity has become an account: from now on only a session is valid.
    Registered {
        player: PlayerId,
    },
    AccountDeleted {
        player: PlayerId,
    },
}

/// Publishes changes, and applies those of all processes.
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

    /// Subscribes to the credentials that end from now on.
    pub(crate) fn ended(&self) -> broadcast::Receiver<Ended> {
        self.ended.subscribe()
    }

    /// Publishes a change to all processes, this one included.
    pub(crate) async fn publish(&self, change: Change) {
        let body = match serde_json::to_vec(&change) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, "a change cannot be written");
                return self.apply(change);
            }
        };
        let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
        if let Err(error) = self.bus.publish(TOPIC, notice).await {
            tracing::error!(%error, "a change was not published to other servers");
            self.apply(change);
        }
    }

    /// Subscribes to the changes of all processes, for [`follow`](Self::follow).
    pub(crate) async fn subscribe(&self) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(TOPIC).await.map_err(|error| {
            tracing::error!(%error, "no subscription");
            Error::Internal("the bus does not answer")
        })
    }

    /// Applies the changes of all processes until `stop`.
    pub(crate) async fn follow(self: Arc<Self>, mut changes: Box<dyn Subscription>, stop: CancellationToken) {
        loop {
            let delivery = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                delivery = changes.next() => delivery,
            };
            match delivery {
                Delivery::Notice(notice) => match serde_json::from_slice(&notice.body) {
                    Ok(change) => self.apply(change),
                    Err(error) => {
                        // A process of a later release published it.
                        tracing::debug!(%error, "an unknown change");
                        self.forget();
                    }
                },
                Delivery::Lost => self.forget(),
                Delivery::Closed => return,
            }
        }
    }

    fn apply(&self, change: Change) {
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

    /// Has everything looked up in the store again.
    fn forget(&self) {
        self.names.forget_all();
        self.tell(Ended::Unknown);
    }

    fn tell(&self, ended: Ended) {
        // Without sockets there are no subscribers.
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
