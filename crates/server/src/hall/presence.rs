use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use adoube_protocol::{Millis, People, PlayerId};

use crate::clock::Clock;

/// Maximum number of names that are published.
const NAMES: usize = 100;
/// The time for which a player who has left the hall is remembered, for the sake of its seeks.
const REMEMBERED_MS: i64 = 10 * 60 * 1000;
/// Maximum number of such players: there are not more seeks and challenges.
const REMEMBERED: usize = 10_000;

/// The players who have a socket of the hall or of a game.
#[derive(Debug, Default)]
pub(super) struct Presence(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    people: HashMap<PlayerId, Person>,
    /// When players left the hall.
    left_hall: HashMap<PlayerId, Millis>,
    hall_sockets: usize,
    told: People,
}

#[derive(Debug, Default)]
struct Person {
    name: Option<String>,
    sockets: u32,
    hall_sockets: u32,
}

/// Where a socket belongs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Room {
    Hall,
    Game,
}

/// Keeps a player present until it is dropped.
#[derive(Debug)]
pub(crate) struct PresenceGuard {
    presence: Arc<Presence>,
    clock: Arc<dyn Clock>,
    player: PlayerId,
    room: Room,
}

impl Presence {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(
        self: &Arc<Self>,
        player: &PlayerId,
        name: Option<String>,
        room: Room,
        clock: Arc<dyn Clock>,
    ) -> PresenceGuard {
        let mut state = self.state();
        let person = state.people.entry(player.clone()).or_default();
        person.name = name;
        person.sockets += 1;
        person.hall_sockets += u32::from(room == Room::Hall);
        state.hall_sockets += usize::from(room == Room::Hall);
        PresenceGuard { presence: Arc::clone(self), clock, player: player.clone(), room }
    }

    pub(super) fn people(&self) -> People {
        self.state().people()
    }

    /// Returns the players who are present, if that has changed since the last call.
    pub(super) fn news(&self) -> Option<People> {
        let mut state = self.state();
        let people = state.people();
        if people == state.told {
            return None;
        }
        state.told = people.clone();
        Some(people)
    }

    pub(super) fn is_hall_empty(&self) -> bool {
        self.state().hall_sockets == 0
    }

    /// Returns for how long a player has had no socket of the hall, in milliseconds; `None` if it was not there lately.
    pub(super) fn away_from_hall_ms(&self, player: &PlayerId, now: Millis) -> Option<i64> {
        let state = self.state();
        if state.people.get(player).is_some_and(|person| person.hall_sockets > 0) {
            return Some(0);
        }
        state.left_hall.get(player).map(|left| now.0.saturating_sub(left.0))
    }
}

impl State {
    fn remember_leaving(&mut self, player: &PlayerId, now: Millis) {
        if self.left_hall.len() >= REMEMBERED && !self.left_hall.contains_key(player) {
            self.left_hall.retain(|_, left| now.0.saturating_sub(left.0) < REMEMBERED_MS);
            if self.left_hall.len() >= REMEMBERED {
                // An arbitrary choice is good enough. A seek whose maker is forgotten goes a little sooner.
                let some = self.left_hall.keys().take(REMEMBERED / 8).cloned().collect::<Vec<_>>();
                for player in some {
                    self.left_hall.remove(&player);
                }
            }
        }
        self.left_hall.insert(player.clone(), now);
    }

    fn people(&self) -> People {
        let mut names = self.people.values().filter_map(|person| person.name.clone()).collect::<Vec<_>>();
        names.sort_unstable_by_key(|name| name.to_lowercase());
        names.truncate(NAMES);
        People { count: u32::try_from(self.people.len()).unwrap_or(u32::MAX), names }
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let now = self.clock.now();
        let mut state = self.presence.state();
        let Some(person) = state.people.get_mut(&self.player) else { return };
        person.sockets -= 1;
        person.hall_sockets -= u32::from(self.room == Room::Hall);
        let (gone, out_of_hall) = (person.sockets == 0, self.room == Room::Hall && person.hall_sockets == 0);
        if gone {
            state.people.remove(&self.player);
        }
        state.hall_sockets -= usize::from(self.room == Room::Hall);
        if out_of_hall {
            state.remember_leaving(&self.player, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_of_departures_do_not_fill_the_memory() {
        let mut state = State::default();
        for number in 0..30_000 {
            state.remember_leaving(&PlayerId::from_random(number), Millis(0));
            assert!(state.left_hall.len() <= REMEMBERED);
        }
        assert!(state.left_hall.len() > REMEMBERED / 2);
        assert!(state.left_hall.contains_key(&PlayerId::from_random(29_999)));
        for number in 0..2_000 {
            state.remember_leaving(&PlayerId::from_random(40_000 + number), Millis(REMEMBERED_MS));
        }
        assert!(state.left_hall.len() < REMEMBERED / 2, "{}", state.left_hall.len());
    }
}
