//! A cache of account names, which most messages contain.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_game::{Game, Seat};
use adoube_protocol::{PlayerId, PresenceAudience};
use adoube_rules::Color;
use adoube_store::Store;
use tokio::time::Instant;

use crate::{error::Error, wire};

/// The maximum number of cached players, with or without a name.
const MAX_CACHED: usize = 32_768;

/// The part of an account that others can see.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Profile {
    pub(crate) name: String,
    /// The visitors who may see whether the owner is present.
    pub(crate) shown_to: PresenceAudience,
}

#[derive(Debug)]
pub(crate) struct Names {
    store: Arc<dyn Store>,
    /// The time after which a name is looked up again, in case the notice of a change was lost.
    lifetime: Duration,
    cache: Mutex<NameCache>,
}

#[derive(Debug, Default)]
struct NameCache {
    names: HashMap<PlayerId, (Option<Profile>, Instant)>,
    /// The number of changes so far. If it changes during a lookup, the name found may be out of date and is
    /// not cached.
    changes: u64,
}

impl Names {
    pub(crate) fn new(store: Arc<dyn Store>, lifetime: Duration) -> Self {
        Self { store, lifetime, cache: Mutex::default() }
    }

    fn cache(&self) -> MutexGuard<'_, NameCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn of(&self, player: &PlayerId) -> Result<Option<String>, Error> {
        Ok(self.profile(player).await?.map(|profile| profile.name))
    }

    pub(crate) async fn profile(&self, player: &PlayerId) -> Result<Option<Profile>, Error> {
        let changes = {
            let known = self.cache();
            if let Some((profile, until)) = known.names.get(player)
                && Instant::now() < *until
            {
                return Ok(profile.clone());
            }
            known.changes
        };
        let account = self.store.lookup_account(player).await?;
        let profile = account.map(|account| Profile { name: account.name, shown_to: account.shown_to });
        let mut known = self.cache();
        if known.changes == changes {
            if known.names.len() >= MAX_CACHED {
                // Dropped players are looked up again.
                known.names.clear();
            }
            known.names.insert(player.clone(), (profile.clone(), Instant::now() + self.lifetime));
        }
        Ok(profile)
    }

    /// Forgets the name of a player whose account has been created, changed or deleted.
    pub(crate) fn forget(&self, player: &PlayerId) {
        let mut known = self.cache();
        known.names.remove(player);
        known.changes += 1;
    }

    /// Forgets all names, because any of them may have changed.
    pub(crate) fn forget_all(&self) {
        let mut known = self.cache();
        known.names.clear();
        known.changes += 1;
    }

    pub(crate) async fn of_game(&self, game: &Game) -> Result<wire::PlayerNames, Error> {
        Ok(wire::PlayerNames {
            white: self.of_seat(&game.seats()[Color::White]).await?,
            black: self.of_seat(&game.seats()[Color::Black]).await?,
        })
    }

    async fn of_seat(&self, seat: &Seat) -> Result<Option<String>, Error> {
        match player_of(seat) {
            Some(player) => self.of(player).await,
            None => Ok(None),
        }
    }
}

/// Returns the player in a seat, if a person occupies it.
pub(crate) fn player_of(seat: &Seat) -> Option<&PlayerId> {
    match seat {
        Seat::Person { player } => Some(player),
        Seat::Open | Seat::Machine { .. } => None,
    }
}
