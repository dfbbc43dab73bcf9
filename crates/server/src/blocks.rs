//! A cache of blocks between players. Every node has one.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_bus::{FanOut, Subscription};
use adoube_protocol::{HallServerMessage, PlayerId};
use adoube_store::Store;
use tokio::time::Instant;

use crate::error::Error;

/// The maximum number of cached players. Nearly all of them have no blocks, so an entry is small.
const MAX_CACHED: usize = 32_768;

/// The blocks that involve one player.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// The players whom this player has blocked.
    blocked: HashSet<PlayerId>,
    blocked_names: HashSet<String>,
    /// The players who have blocked this player.
    blockers: HashSet<PlayerId>,
    blocker_names: HashSet<String>,
}

impl Relations {
    /// Returns the relations of a player who has blocked only `other`.
    #[cfg(test)]
    pub(crate) fn with_blocked(other: &PlayerId) -> Self {
        Self { blocked: HashSet::from([other.clone()]), ..Self::default() }
    }

    /// Returns `true` if this player has blocked the other.
    pub(crate) fn has_blocked(&self, other: &PlayerId) -> bool {
        self.blocked.contains(other)
    }

    /// Returns `true` if the other player has blocked this one.
    pub(crate) fn is_blocked_by(&self, other: &PlayerId) -> bool {
        self.blockers.contains(other)
    }

    /// Returns `true` if either player has blocked the other.
    pub(crate) fn is_blocked_either_way(&self, other: &PlayerId) -> bool {
        self.has_blocked(other) || self.is_blocked_by(other)
    }

    pub(crate) fn blocked(&self) -> impl Iterator<Item = &PlayerId> {
        self.blocked.iter()
    }

    /// Returns `true` if this player must not see that the account with this name is online.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.blocker_names.contains(name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocked.is_empty() && self.blockers.is_empty()
    }

    /// Returns a hall message as this player may see it. A hidden seek is sent as a removal rather than
    /// omitted, because a client that has missed the latest version of the hall requests the whole hall
    /// again.
    pub(crate) fn as_shown(&self, message: HallServerMessage) -> HallServerMessage {
        match message {
            HallServerMessage::People { mut people } => {
                people.names.retain(|name| !self.hides(name));
                HallServerMessage::People { people }
            }
            HallServerMessage::SeekAdded { seek, version, .. }
                if seek.name.as_ref().is_some_and(|name| {
                    self.blocker_names.contains(name) || self.blocked_names.contains(name)
                }) =>
            {
                HallServerMessage::SeekRemoved { id: seek.id, version }
            }
            message => message,
        }
    }
}

#[derive(Debug)]
pub(crate) struct BlockCache {
    store: Arc<dyn Store>,
    /// The time after which a player's blocks are looked up again, in case the notice of a change was lost.
    lifetime: Duration,
    known: Mutex<KnownBlocks>,
    /// The hall sockets, which are notified of changes.
    subscribers: FanOut<()>,
}

#[derive(Debug, Default)]
struct KnownBlocks {
    relations: HashMap<PlayerId, (Arc<Relations>, Instant)>,
    /// The number of changes so far. If it changes during a lookup, the result may be out of date and is not
    /// cached.
    changes: u64,
}

impl BlockCache {
    pub(crate) fn new(store: Arc<dyn Store>, lifetime: Duration) -> Self {
        Self { store, lifetime, known: Mutex::default(), subscribers: FanOut::default() }
    }

    fn known(&self) -> MutexGuard<'_, KnownBlocks> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn of(&self, player: &PlayerId) -> Result<Arc<Relations>, Error> {
        let changes = {
            let known = self.known();
            if let Some((relations, until)) = known.relations.get(player)
                && Instant::now() < *until
            {
                return Ok(Arc::clone(relations));
            }
            known.changes
        };
        let blocks = self.store.lookup_blocks(player).await?;
        let mut found = Relations::default();
        for blocked in blocks.blocked {
            found.blocked.insert(blocked.player);
            found.blocked_names.insert(blocked.name);
        }
        for (blocker, name) in blocks.blockers {
            found.blockers.insert(blocker);
            found.blocker_names.insert(name);
        }
        let found = Arc::new(found);
        let mut known = self.known();
        if known.changes == changes {
            if known.relations.len() >= MAX_CACHED {
                // The dropped players are looked up again when they are needed.
                known.relations.clear();
            }
            let until = Instant::now() + self.lifetime;
            known.relations.insert(player.clone(), (Arc::clone(&found), until));
        }
        Ok(found)
    }

    /// Fails if either player has blocked the other. The error tells `player` which of the two has blocked
    /// the other.
    pub(crate) async fn check_contact(&self, player: &PlayerId, other: &PlayerId) -> Result<(), Error> {
        let relations = self.of(player).await?;
        if relations.is_blocked_by(other) {
            return Err(Error::Blocked);
        }
        if relations.has_blocked(other) {
            return Err(Error::BlockedByYou);
        }
        Ok(())
    }

    /// Forgets the blocks of these players because they have changed, and notifies the players' sockets.
    pub(crate) fn forget(&self, players: &[PlayerId]) {
        {
            let mut known = self.known();
            for player in players {
                known.relations.remove(player);
            }
            known.changes += 1;
        }
        for player in players {
            if let Some(topic) = self.subscribers.topic(player.as_str()) {
                topic.sender().lost();
            }
        }
    }

    /// Forgets all blocks because any of them, or any player's name, may have changed.
    pub(crate) fn forget_all(&self) {
        let mut known = self.known();
        known.relations.clear();
        known.changes += 1;
    }

    /// Forgets all blocks because changes to them may have been missed, and notifies the sockets of all players.
    pub(crate) fn lost(&self) {
        self.forget_all();
        self.subscribers.lost();
    }

    /// Subscribes to changes in the blocks that involve a player.
    pub(crate) fn watch(&self, player: &PlayerId) -> Box<dyn Subscription> {
        Box::new(self.subscribers.subscribe(player.as_str(), |_| ()))
    }
}

#[cfg(test)]
mod tests {
    use adoube_protocol::{ColorChoice, GameSettings, Millis, People, Seek, SeekId};

    use super::*;

    #[test]
    fn the_hall_hides_blockers_and_the_seeks_of_blocked_players() {
        let relations = Relations {
            blocker_names: HashSet::from(["Anna".to_owned()]),
            blocked_names: HashSet::from(["Eve".to_owned()]),
            ..Relations::default()
        };
        let people = People { count: 3, names: vec!["Anna".into(), "Bela".into(), "Eve".into()] };
        let HallServerMessage::People { people } = relations.as_shown(HallServerMessage::People { people })
        else {
            panic!("not a list of people");
        };
        // The hidden player is still counted, as guests are.
        assert_eq!((people.count, people.names), (3, vec!["Bela".to_owned(), "Eve".to_owned()]));
        let seek = |name: Option<&str>| HallServerMessage::SeekAdded {
            seek: Seek {
                id: SeekId::from_random(1),
                name: name.map(str::to_owned),
                color: ColorChoice::Random,
                settings: GameSettings::default(),
                created_at: Millis(0),
            },
            mine: false,
            version: 7,
        };
        for hidden in ["Anna", "Eve"] {
            let shown = relations.as_shown(seek(Some(hidden)));
            assert_eq!(shown, HallServerMessage::SeekRemoved { id: SeekId::from_random(1), version: 7 });
        }
        for shown in [Some("Bela"), None] {
            assert_eq!(relations.as_shown(seek(shown)), seek(shown));
        }
    }
}
