//! Changes that affect every process of a house: ended sessions, new and deleted accounts, replaced keys, new
//! settings, and blocks between players.
//!
//! They are published on the bus, and each process applies them, including the one that made them. If notices
//! are lost, everything that may have changed is read from the store again. An operator's command
//! does not necessarily share the servers' bus, so it also increments a counter in the store. Servers that
//! share a database poll this counter every second.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::SeqCst},
};

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_protocol::{PlayerId, SessionId};
use adoube_store::{Store, StoreError};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::{
    administration::HouseCache,
    audience,
    auth::{CredentialNotice, Keyring},
    blocks::BlockCache,
    error::Error,
    names::Names,
};

/// The topic of changes. It cannot be the topic of a game, because game ids have a different length.
const TOPIC: &str = "changes";
/// The number of notices of ended credentials that may queue up for a socket before it must check its own
/// credential.
const NOTICE_CAPACITY: usize = 64;

/// A change that has been committed to the store.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "change")]
pub(crate) enum Change {
    SessionsEnded {
        sessions: Vec<SessionId>,
    },
    /// An anonymous identity has become an account. From now on the player needs a session.
    Registered {
        player: PlayerId,
    },
    AccountDeleted {
        player: PlayerId,
    },
    /// An account has been renamed, or a change to it may have been committed without its notice being sent.
    /// Sessions may have ended, and the name may have changed.
    InDoubt {
        player: PlayerId,
    },
    /// The keys that sign cookies have been replaced.
    KeysReplaced,
    /// The settings of the house have changed.
    HouseChanged,
    /// One of two players has blocked or unblocked the other.
    BlocksChanged {
        players: Vec<PlayerId>,
    },
}

/// A change made by a process that is not a server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Announcement {
    SessionsEnded(Vec<SessionId>),
    KeysReplaced,
}

/// Notifies a house's servers that a change has been committed to the store. They learn of it immediately if
/// they share `bus`, otherwise when they next poll the store.
///
/// # Errors
///
/// If the store cannot be written to. A bus failure is only logged.
pub async fn announce(
    store: &dyn Store,
    bus: Option<&dyn Bus>,
    announcement: Announcement,
) -> Result<(), StoreError> {
    store.announce_change().await?;
    let Some(bus) = bus else { return Ok(()) };
    let change = match announcement {
        Announcement::SessionsEnded(sessions) => Change::SessionsEnded { sessions },
        Announcement::KeysReplaced => Change::KeysReplaced,
    };
    if let Err(error) = send(bus, &change).await {
        tracing::warn!(%error, "could not publish a change to the servers; they will find it in the store");
    }
    Ok(())
}

async fn send(bus: &dyn Bus, change: &Change) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let body = serde_json::to_vec(change)?;
    bus.publish(TOPIC, Notice { sequence: 0, audience: audience::ALL, body: body.into() }).await?;
    Ok(())
}

/// Publishes the changes made by this process, and applies those made by all processes.
#[derive(Debug)]
pub(crate) struct Changes {
    bus: Arc<dyn Bus>,
    names: Arc<Names>,
    keys: Arc<Keyring>,
    house: Arc<HouseCache>,
    blocks: Arc<BlockCache>,
    ended: broadcast::Sender<CredentialNotice>,
    /// The store's counter of announced changes, as of the last poll.
    announced: AtomicU64,
}

impl Changes {
    /// `announced` is the store's counter of announced changes, read before anything was cached.
    pub(crate) fn new(
        bus: Arc<dyn Bus>,
        (names, keys, house, blocks): (Arc<Names>, Arc<Keyring>, Arc<HouseCache>, Arc<BlockCache>),
        announced: u64,
    ) -> Self {
        let ended = broadcast::channel(NOTICE_CAPACITY).0;
        Self { bus, names, keys, house, blocks, ended, announced: AtomicU64::new(announced) }
    }

    /// Compares the store's counter of announced changes with its value at the last poll. If they differ,
    /// everything that may have changed is read from the store again.
    pub(crate) async fn compare(&self, announced: u64) {
        if self.announced.swap(announced, SeqCst) != announced {
            self.forget().await;
        }
    }

    /// Subscribes to notices of credentials that end from now on.
    pub(crate) fn subscribe_ended(&self) -> broadcast::Receiver<CredentialNotice> {
        self.ended.subscribe()
    }

    /// Publishes a change to all processes, including this one.
    pub(crate) async fn publish(&self, change: Change) {
        if let Err(error) = send(&*self.bus, &change).await {
            tracing::error!(%error, "could not publish a change to other servers");
            self.apply(change).await;
        }
    }

    /// Subscribes to the changes from all processes, for [`follow`](Self::follow).
    pub(crate) async fn subscribe(&self) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(TOPIC).await.map_err(|error| {
            tracing::error!(%error, "could not subscribe to changes from other servers");
            Error::Internal("the bus is not responding")
        })
    }

    /// Applies the changes from all processes until `stop` is cancelled.
    pub(crate) async fn follow(self: Arc<Self>, mut changes: Box<dyn Subscription>, stop: CancellationToken) {
        loop {
            let delivery = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                delivery = changes.next() => delivery,
            };
            match delivery {
                Delivery::Notice(notice) => match serde_json::from_slice(&notice.body) {
                    Ok(change) => self.apply(change).await,
                    Err(error) => {
                        // Published by a process that runs a newer version.
                        tracing::debug!(%error, "received an unknown change");
                        self.forget().await;
                    }
                },
                Delivery::Lost => self.forget().await,
                Delivery::Closed => return,
            }
        }
    }

    async fn apply(&self, change: Change) {
        match change {
            Change::SessionsEnded { sessions } => {
                for session in sessions {
                    self.notify_sockets(CredentialNotice::Session(session));
                }
            }
            Change::Registered { player } => {
                self.names.forget(&player);
                self.notify_sockets(CredentialNotice::Identity(player));
            }
            Change::AccountDeleted { player } => {
                self.names.forget(&player);
                self.blocks.forget_all();
            }
            Change::InDoubt { player } => {
                self.names.forget(&player);
                // The cached blocks contain names too.
                self.blocks.forget_all();
                self.notify_sockets(CredentialNotice::InDoubt(player));
            }
            Change::KeysReplaced => self.read_keys().await,
            Change::HouseChanged => self.read_house().await,
            Change::BlocksChanged { players } => self.blocks.forget(&players),
        }
    }

    /// Invalidates everything that is cached so that it is read from the store again.
    async fn forget(&self) {
        self.names.forget_all();
        self.blocks.lost();
        self.notify_sockets(CredentialNotice::Unknown);
        self.read_keys().await;
        self.read_house().await;
    }

    async fn read_house(&self) {
        if let Err(error) = self.house.reload().await {
            // This process keeps the old settings until the next change.
            error.log();
        }
    }

    async fn read_keys(&self) {
        if let Err(error) = self.keys.reload().await {
            // This process continues with the old keys until the next change.
            tracing::error!(%error, "could not reload the cookie keys");
        }
    }

    fn notify_sockets(&self, ended: CredentialNotice) {
        // Sending fails only if there are no subscribers, that is, no sockets.
        let _ = self.ended.send(ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_round_trip() {
        let player = PlayerId::from_random(1);
        for change in [
            Change::SessionsEnded { sessions: vec![SessionId::from_random(2)] },
            Change::Registered { player: player.clone() },
            Change::AccountDeleted { player: player.clone() },
            Change::InDoubt { player: player.clone() },
            Change::KeysReplaced,
            Change::HouseChanged,
            Change::BlocksChanged { players: vec![player] },
        ] {
            let body = serde_json::to_vec(&change).unwrap();
            assert_eq!(serde_json::from_slice::<Change>(&body).unwrap(), change);
        }
    }
}
