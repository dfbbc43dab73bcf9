use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use adoube_protocol::{Millis, People, PlayerId};

use crate::clock::Clock;

/// Names that are told.
const NAMES: usize = 100;
/// Who has left the hall is remembered for so long, for the sake of its seeks.
const REMEMBERED_MS: i64 = 10 * 60 * 1000;
/// And so many at most: more seeks and challenges there are not.
const REMEMBERED: usize = 10_000;

/// Who has a socket, of the hall or of a game.
#[derive(Debug, Default)]
pub(super) struct Crowd(Mutex<Inside>);

#[derive(Debug, Default)]
struct Inside {
    people: HashMap<PlayerId, Person>,
    /// When those left the hall who were in it.
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

/// Somebody who is here, until it is dropped.
#[derive(Debug)]
pub(crate) struct Here {
    crowd: Arc<Crowd>,
    clock: Arc<dyn Clock>,
    player: PlayerId,
    in_hall: bool,
}

impl Crowd {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(
        self: &Arc<Self>,
        player: &PlayerId,
        name: Option<String>,
        in_hall: bool,
        clock: Arc<dyn Clock>,
    ) -> Here {
        let mut inside = self.inside();
        let person = inside.people.entry(player.clone()).or_default();
        person.name = name;
        person.sockets += 1;
        person.hall_sockets += u32::from(in_hall);
        inside.hall_sockets += usize::from(in_hall);
        Here { crowd: Arc::clone(self), clock, player: player.clone(), in_hall }
    }

    pub(super) fn people(&self) -> People {
        self.inside().people()
    }

    /// Who is here, if that is not what was told last.
    pub(super) fn news(&self) -> Option<People> {
        let mut inside = self.inside();
        let people = inside.people();
        if people == inside.told {
            return None;
        }
        inside.told = people.clone();
        Some(people)
    }

    pub(super) fn is_hall_empty(&self) -> bool {
        self.inside().hall_sockets == 0
    }

    /// For how long a player has had no socket of the hall; none if it was not there lately.
    pub(super) fn away_from_hall_ms(&self, player: &PlayerId, now: Millis) -> Option<i64> {
        let inside = self.inside();
        if inside.people.get(player).is_some_and(|person| person.hall_sockets > 0) {
            return Some(0);
        }
        inside.left_hall.get(player).map(|left| now.0.saturating_sub(left.0))
    }
}

impl Inside {
    fn remember_leaving(&mut self, player: &PlayerId, now: Millis) {
        if self.left_hall.len() >= REMEMBERED && !self.left_hall.contains_key(player) {
            self.left_hall.retain(|_, left| now.0.saturating_sub(left.0) < REMEMBERED_MS);
            if self.left_hall.len() >= REMEMBERED {
                // As good as chance. A seek whose maker is forgotten goes a little sooner.
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

impl Drop for Here {
    fn drop(&mut self) {
        let now = self.clock.now();
        let mut inside = self.crowd.inside();
        let Some(person) = inside.people.get_mut(&self.player) else { return };
        person.sockets -= 1;
        person.hall_sockets -= u32::from(self.in_hall);
        let (gone, out_of_hall) = (person.sockets == 0, self.in_hall && person.hall_sockets == 0);
        if gone {
            inside.people.remove(&self.player);
        }
        inside.hall_sockets -= usize::from(self.in_hall);
        if out_of_hall {
            inside.remember_leaving(&self.player, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_who_leave_are_not_remembered_for_ever() {
        let mut inside = Inside::default();
        for number in 0..30_000 {
            inside.remember_leaving(&PlayerId::from_random(number), Millis(0));
            assert!(inside.left_hall.len() <= REMEMBERED);
        }
        assert!(inside.left_hall.len() > REMEMBERED / 2);
        assert!(inside.left_hall.contains_key(&PlayerId::from_random(29_999)));
        for number in 0..2_000 {
            inside.remember_leaving(&PlayerId::from_random(40_000 + number), Millis(REMEMBERED_MS));
        }
        assert!(inside.left_hall.len() < REMEMBERED / 2, "{}", inside.left_hall.len());
    }
}
