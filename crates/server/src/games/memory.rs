//! The games and tenants that this process remembers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_game::Game;
use adoube_protocol::{GameId, PlayerId};
use tokio::time::Instant;

use crate::limits::Tenant;

/// The maximum number of entries in each of these caches.
const MAX_ENTRIES: usize = 20_000;
/// The time without use after which a game is dropped from the cache.
const IDLE: Duration = Duration::from_mins(5);

/// A cache of games as last seen by this process. Games that are not cached are read from their logs, so
/// correctness does not depend on the cache.
#[derive(Debug, Default)]
pub(super) struct GameCache(Mutex<HashMap<GameId, CachedGame>>);

#[derive(Debug)]
struct CachedGame {
    game: Arc<Game>,
    used: Instant,
}

impl GameCache {
    fn games(&self) -> MutexGuard<'_, HashMap<GameId, CachedGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, id: &GameId) -> Option<Arc<Game>> {
        let mut games = self.games();
        let known = games.get_mut(id)?;
        known.used = Instant::now();
        Some(Arc::clone(&known.game))
    }

    /// Returns a game without marking it as used.
    pub(super) fn peek(&self, id: &GameId) -> Option<Arc<Game>> {
        self.games().get(id).map(|known| Arc::clone(&known.game))
    }

    /// Caches a game unless this version or a newer one is already cached. Returns the newer of the two.
    pub(super) fn insert_if_newer(&self, id: &GameId, game: Arc<Game>) -> Arc<Game> {
        let mut games = self.games();
        if let Some(known) = games.get_mut(id) {
            known.used = Instant::now();
            if known.game.version() < game.version() {
                known.game = game;
            }
            return Arc::clone(&known.game);
        }
        if games.len() >= MAX_ENTRIES {
            // An arbitrary choice is good enough, because a bad choice only means that a log is read again.
            let dropped = games.keys().take(MAX_ENTRIES / 8).cloned().collect::<Vec<_>>();
            for id in dropped {
                games.remove(&id);
            }
        }
        games.insert(id.clone(), CachedGame { game: Arc::clone(&game), used: Instant::now() });
        game
    }

    pub(super) fn evict_idle(&self) {
        let mut games = self.games();
        games.retain(|_, known| known.used.elapsed() < IDLE);
        if games.capacity() > 4 * games.len() {
            games.shrink_to_fit();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.games().len()
    }
}

/// The tenants to which players belonged when they last created a game or connected to one, used only to
/// divide the machine's thinking time fairly. Correctness does not depend on them.
#[derive(Debug, Default)]
pub(super) struct Tenants(Mutex<HashMap<PlayerId, Tenant>>);

impl Tenants {
    fn tenants(&self) -> MutexGuard<'_, HashMap<PlayerId, Tenant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn insert(&self, player: &PlayerId, tenant: Tenant) {
        let mut tenants = self.tenants();
        if tenants.len() >= MAX_ENTRIES && !tenants.contains_key(player) {
            // An arbitrary choice is good enough, because a player without an entry counts as a separate
            // tenant.
            let dropped = tenants.keys().take(MAX_ENTRIES / 8).cloned().collect::<Vec<_>>();
            for player in dropped {
                tenants.remove(&player);
            }
        }
        tenants.insert(player.clone(), tenant);
    }

    pub(super) fn get(&self, player: &PlayerId) -> Option<Tenant> {
        self.tenants().get(player).cloned()
    }
}
