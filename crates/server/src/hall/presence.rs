//! The presence of players on this node, in the hall and in games.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use adoube_protocol::{Millis, People, PlayerId, PresenceAudience};
use adoube_store::{NodeId, Store, VisitorChange, VisitorList, VisitorName};
use tokio::sync::Notify;

use crate::{clock::Clock, error::Error, names::Profile};

/// The maximum number of visitors who are listed by name.
pub(super) const NAMES: u32 = 100;
/// The age at which a player's departure from the hall may be forgotten, in milliseconds. Departures
/// determine when the players' seeks end.
const DEPARTURE_LIFETIME_MS: i64 = 10 * 60 * 1000;
/// The maximum number of remembered departures. The number of seeks and challenges never exceeds it.
const MAX_DEPARTURES: usize = 10_000;

/// The players who have a hall or game socket on this node.
#[derive(Debug)]
pub(crate) struct Presence {
    state: Mutex<State>,
    /// Whether presence is stored for other nodes.
    is_shared: bool,
    store_requested: Arc<Notify>,
}

#[derive(Debug, Default)]
struct State {
    people: HashMap<PlayerId, Person>,
    /// The times at which players closed their last hall sockets.
    departures: HashMap<PlayerId, Millis>,
    /// The players whose presence has changed since it was last stored. Always empty if presence is not
    /// stored for other nodes.
    unstored: HashSet<PlayerId>,
}

#[derive(Debug, Default)]
struct Person {
    profile: Option<Profile>,
    sockets: u32,
    hall_sockets: u32,
}

/// The kind of room that a socket belongs to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Room {
    Hall,
    Game,
}

/// A guard that marks a player as present until it is dropped.
#[derive(Debug)]
pub(crate) struct PresenceGuard {
    presence: Arc<Presence>,
    clock: Arc<dyn Clock>,
    player: PlayerId,
    room: Room,
}

impl Presence {
    /// Creates a `Presence` without players. It notifies `store_requested` when a player's presence changes
    /// and must be stored for other nodes.
    pub(crate) fn new(is_shared: bool, store_requested: Arc<Notify>) -> Self {
        Self { state: Mutex::default(), is_shared, store_requested }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(
        self: &Arc<Self>,
        player: &PlayerId,
        profile: Option<Profile>,
        room: Room,
        clock: Arc<dyn Clock>,
    ) -> PresenceGuard {
        let mut state = self.state();
        let person = state.people.entry(player.clone()).or_default();
        person.profile = profile;
        person.sockets += 1;
        person.hall_sockets += u32::from(room == Room::Hall);
        let is_first = person.sockets == 1 || room == Room::Hall && person.hall_sockets == 1;
        if is_first {
            self.mark_unstored(&mut state, player);
        }
        PresenceGuard { presence: Arc::clone(self), clock, player: player.clone(), room }
    }

    pub(super) fn visitors(&self) -> VisitorList {
        self.state().visitors()
    }

    /// Sets the audience that may see that a player is online. Does nothing if the player is not present.
    pub(super) fn set_shown_to(&self, player: &PlayerId, shown_to: PresenceAudience) {
        let mut state = self.state();
        if let Some(profile) = state.people.get_mut(player).and_then(|person| person.profile.as_mut()) {
            profile.shown_to = shown_to;
        }
    }

    /// Records that a player's presence has changed and must be stored.
    fn mark_unstored(&self, state: &mut State, player: &PlayerId) {
        if self.is_shared {
            state.unstored.insert(player.clone());
            self.store_requested.notify_one();
        }
    }

    /// Marks the presence of all players on this node as not stored.
    pub(crate) fn mark_all_unstored(&self) {
        let mut state = self.state();
        let State { people, unstored, .. } = &mut *state;
        unstored.extend(people.keys().cloned());
    }

    /// Stores the changes since the last call so that other nodes see them. If that fails, the next call
    /// tries again.
    pub(crate) async fn store(&self, store: &dyn Store, node: &NodeId, now: Millis) -> Result<(), Error> {
        let changes = {
            let mut state = self.state();
            let unstored = std::mem::take(&mut state.unstored);
            unstored.into_iter().map(|player| state.change(player)).collect::<Vec<_>>()
        };
        if changes.is_empty() {
            return Ok(());
        }
        let stored = store.set_visitors(node, &changes, Millis(now.0 - DEPARTURE_LIFETIME_MS)).await;
        if stored.is_err() {
            self.state().unstored.extend(changes.into_iter().map(|change| change.player));
        }
        Ok(stored?)
    }

    /// Returns `true` if a player has a hall or game socket on this node.
    pub(crate) fn is_here(&self, player: &PlayerId) -> bool {
        self.state().people.contains_key(player)
    }

    /// Returns `true` if a player has a hall socket on this node.
    pub(crate) fn is_in_hall(&self, player: &PlayerId) -> bool {
        self.state().people.get(player).is_some_and(|person| person.hall_sockets > 0)
    }

    /// Returns the time since a player last had a hall socket, in milliseconds, or `None` if no departure
    /// is remembered.
    pub(super) fn away_from_hall_ms(&self, player: &PlayerId, now: Millis) -> Option<i64> {
        if self.is_in_hall(player) {
            return Some(0);
        }
        self.state().departures.get(player).map(|left| now.0.saturating_sub(left.0))
    }
}

impl State {
    /// Returns a player's current presence as a change to store.
    fn change(&self, player: PlayerId) -> VisitorChange {
        let person = self.people.get(&player);
        VisitorChange {
            is_here: person.is_some(),
            is_in_hall: person.is_some_and(|person| person.hall_sockets > 0),
            left_hall_at: self.departures.get(&player).copied(),
            player,
        }
    }

    fn record_departure(&mut self, player: &PlayerId, now: Millis) {
        if self.departures.len() >= MAX_DEPARTURES && !self.departures.contains_key(player) {
            self.departures.retain(|_, left| now.0.saturating_sub(left.0) < DEPARTURE_LIFETIME_MS);
            if self.departures.len() >= MAX_DEPARTURES {
                // An arbitrary choice is good enough: the seeks of a forgotten player end a little sooner.
                let dropped = self.departures.keys().take(MAX_DEPARTURES / 8).cloned().collect::<Vec<_>>();
                for player in dropped {
                    self.departures.remove(&player);
                }
            }
        }
        self.departures.insert(player.clone(), now);
    }

    fn visitors(&self) -> VisitorList {
        let profiles = self.people.values().filter_map(|person| person.profile.as_ref());
        let names = profiles.filter(|profile| profile.shown_to != PresenceAudience::Nobody);
        let mut names = names
            .map(|Profile { name, shown_to }| VisitorName {
                name: name.clone(),
                members_only: *shown_to == PresenceAudience::Members,
            })
            .collect::<Vec<_>>();
        names.sort_unstable_by_key(|visitor| visitor.name.to_lowercase());
        names.truncate(NAMES as usize);
        VisitorList { count: u32::try_from(self.people.len()).unwrap_or(u32::MAX), names }
    }
}

/// Returns the list of visitors as shown to members, or to visitors who are not signed in.
pub(super) fn people_for(is_member: bool, visitors: &VisitorList) -> People {
    let names = visitors.names.iter().filter(|visitor| is_member || !visitor.members_only);
    People { count: visitors.count, names: names.map(|visitor| visitor.name.clone()).collect() }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let now = self.clock.now();
        let mut state = self.presence.state();
        let Some(person) = state.people.get_mut(&self.player) else { return };
        person.sockets -= 1;
        person.hall_sockets -= u32::from(self.room == Room::Hall);
        let (is_offline, out_of_hall) =
            (person.sockets == 0, self.room == Room::Hall && person.hall_sockets == 0);
        if is_offline {
            state.people.remove(&self.player);
        }
        if out_of_hall {
            state.record_departure(&self.player, now);
        }
        if is_offline || out_of_hall {
            self.presence.mark_unstored(&mut state, &self.player);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_remembered_departures_is_limited() {
        let mut state = State::default();
        for number in 0..30_000 {
            state.record_departure(&PlayerId::from_random(number), Millis(0));
            assert!(state.departures.len() <= MAX_DEPARTURES);
        }
        assert!(state.departures.len() > MAX_DEPARTURES / 2);
        assert!(state.departures.contains_key(&PlayerId::from_random(29_999)));
        for number in 0..2_000 {
            state.record_departure(&PlayerId::from_random(40_000 + number), Millis(DEPARTURE_LIFETIME_MS));
        }
        assert!(state.departures.len() < MAX_DEPARTURES / 2, "{}", state.departures.len());
    }
}
