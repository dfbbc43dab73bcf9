use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use adoube_protocol::{Millis, People, PlayerId};

use crate::ambient::Clock;

/// Names that are told.
const NAMES: usize = 100;
/// Who has left the hall is remembered for so long, for the sake of its seeks.
const REMEMBERED_MS: i64 = 10 * 60 * 1000;

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
            inside.left_hall.retain(|_, left| now.0.saturating_sub(left.0) < REMEMBERED_MS);
            inside.left_hall.insert(self.player.clone(), now);
        }
    }
}
