//! Rooms: the sockets of each game. A room exists while it has sockets on this node.
//!
//! With one node, presence is in memory. With several, each node stores the presence of its own visitors and
//! tells the others which games have changed. All nodes read the total from the store, so they show changes
//! in presence in the same order, although a node may skip short-lived ones. The rows of a dead node count
//! until another node has taken over from it. Exchanging presence over the bus instead would require a
//! snapshot protocol, and the store must know which players are connected anyway, because the players' clocks
//! depend on it.

mod guard;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_bus::{Bus, Delivery, Notice, Subscription};
use adoube_protocol::{GameId, Millis, ServerMessage, Version};
use adoube_rules::{ByColor, Color};
use adoube_store::{NodeId, PresenceChange, RoomState, Store};
use axum::body::Bytes;
use tokio::{
    sync::Notify,
    time::{Instant, MissedTickBehavior},
};
use tokio_util::sync::CancellationToken;

pub(crate) use self::guard::RoomGuard;
use crate::{audience, clock::Clock, error::Error, hall::Presence, wire};

/// The bus topic for changes to rooms. It cannot be a game's topic, because game ids have a different length.
const TOPIC: &str = "rooms";
/// The interval at which changes in presence are sent. Thousands of arrivals are thus sent as one change.
const PACE: Duration = Duration::from_millis(500);
/// The interval at which all rooms are reread, in case a notice was lost or a node has died. It is shorter
/// than the server's default ping interval.
const REFRESH: Duration = Duration::from_secs(5);
/// The maximum number of rooms that are read, or named in a notice, at once.
const BATCH_SIZE: usize = 1_000;

#[derive(Debug)]
pub(crate) struct Rooms {
    clock: Arc<dyn Clock>,
    bus: Arc<dyn Bus>,
    state: Mutex<State>,
    /// The visitors in the hall and in all games.
    visitors: Arc<Presence>,
    /// Whether presence is stored for other nodes.
    is_shared: bool,
    store_requested: Arc<Notify>,
}

#[derive(Debug, Default)]
struct State {
    rooms: HashMap<GameId, Room>,
    /// Rooms whose sockets must be notified.
    changed: BTreeSet<GameId>,
    /// Changes that have not been stored for other nodes yet. Always empty if there are no other nodes.
    unstored: PendingChanges,
}

#[derive(Debug, Default)]
struct PendingChanges {
    /// Changes in the presence of players.
    players: HashMap<(GameId, Color), Change>,
    /// Games whose number of spectators has changed.
    spectators_changed: HashSet<GameId>,
}

/// The times at which a player connected and at which the last connection ended, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Change {
    connected_since: i64,
    away_since: Option<i64>,
}

#[derive(Debug)]
struct Room {
    /// The number of sockets of each player.
    players: ByColor<u32>,
    /// The start of each player's absence, in milliseconds since 1970.
    away_since: ByColor<i64>,
    /// The start of each player's presence, in milliseconds since 1970.
    connected_since: ByColor<i64>,
    spectators: u32,
    /// The state that is sent to the sockets of this node.
    updates: Arc<UpdateChannel>,
}

/// The state that is sent to the sockets of a room.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoomUpdate {
    /// The presence in the room, as a message; `None` before it is known.
    pub(crate) presence: Option<Bytes>,
    /// The number of changes in presence.
    pub(crate) presence_version: u64,
    /// The latest version of the game that was found in the store.
    pub(crate) game_version: Version,
    state: Option<(bool, bool, u32)>,
}

/// The latest [`RoomUpdate`], with the number of changes. A change wakes the sockets in the order in which
/// they started waiting. With `tokio::sync::watch` the order would be random, and simulated runs would not be
/// reproducible.
#[derive(Debug, Default)]
struct UpdateChannel {
    latest: Mutex<(u64, RoomUpdate)>,
    changed: Notify,
}

impl UpdateChannel {
    fn latest(&self) -> MutexGuard<'_, (u64, RoomUpdate)> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rooms {
    /// Creates the rooms of this node. If `is_shared`, presence is stored for other nodes.
    pub(crate) fn new(clock: Arc<dyn Clock>, bus: Arc<dyn Bus>, is_shared: bool) -> Self {
        let store_requested = Arc::<Notify>::default();
        let visitors = Arc::new(Presence::new(is_shared, Arc::clone(&store_requested)));
        Self { clock, bus, state: Mutex::default(), visitors, is_shared, store_requested }
    }

    /// Returns the visitors in the hall and in all games on this node.
    pub(crate) fn visitors(&self) -> &Arc<Presence> {
        &self.visitors
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a socket of a player, or of a spectator if `side` is `None`, to a game's room until the guard is
    /// dropped.
    pub(crate) fn enter(self: &Arc<Self>, game: &GameId, side: Option<Color>) -> RoomGuard {
        let now = self.clock.now().0;
        let mut state = self.state();
        let room = state.rooms.entry(game.clone()).or_insert_with(|| Room {
            players: ByColor::default(),
            // The room has no record of earlier absence.
            away_since: ByColor { white: now, black: now },
            connected_since: ByColor { white: now, black: now },
            spectators: 0,
            updates: Arc::default(),
        });
        let updates = Arc::clone(&room.updates);
        let last_change = {
            let latest = updates.latest();
            latest.1.presence.is_none().then_some(latest.0)
        };
        let mut is_first = true;
        if let Some(side) = side {
            room.players[side] += 1;
            is_first = room.players[side] == 1;
            if is_first {
                room.connected_since[side] = now;
            }
        } else {
            room.spectators += 1;
        }
        self.record_change(
            &mut state,
            game,
            side,
            is_first.then_some(Change { connected_since: now, away_since: None }),
        );
        RoomGuard { rooms: Arc::clone(self), game: game.clone(), side, updates, last_change }
    }

    /// Records that the sockets of a room have changed. `stored` is the change to store for other nodes, if
    /// any; the sockets of all nodes are notified once it is stored.
    fn record_change(&self, state: &mut State, game: &GameId, side: Option<Color>, stored: Option<Change>) {
        let Some(change) = stored.filter(|_| self.is_shared) else {
            if state.rooms.contains_key(game) {
                state.changed.insert(game.clone());
            }
            return;
        };
        match side {
            Some(side) => {
                state.unstored.players.insert((game.clone(), side), change);
            }
            None => {
                state.unstored.spectators_changed.insert(game.clone());
            }
        }
        self.store_requested.notify_one();
    }

    /// Returns the start of a player's absence, in milliseconds since 1970, or `None` if the player has a
    /// socket or the room is empty.
    pub(crate) fn away_since_ms(&self, game: &GameId, side: Color) -> Option<i64> {
        let state = self.state();
        let room = state.rooms.get(game)?;
        (room.players[side] == 0).then(|| room.away_since[side])
    }

    pub(crate) fn is_here(&self, game: &GameId, side: Color) -> bool {
        self.state().rooms.get(game).is_some_and(|room| room.players[side] > 0)
    }

    /// Returns `true` if a player has a socket on any node, as far as this node knows.
    pub(crate) fn is_presumed_present(&self, game: &GameId, side: Color) -> bool {
        let state = self.state();
        let Some(room) = state.rooms.get(game) else { return false };
        let update = room.updates.latest().1.state;
        room.players[side] > 0
            || self.is_shared
                && update.is_some_and(|(white, black, _)| if side == Color::White { white } else { black })
    }

    /// Returns the start of a player's presence, in milliseconds since 1970, or `None` if the player has no
    /// socket.
    pub(crate) fn connected_since_ms(&self, game: &GameId, side: Color) -> Option<i64> {
        let state = self.state();
        let room = state.rooms.get(game)?;
        (room.players[side] > 0).then(|| room.connected_since[side])
    }

    /// Returns the games in which a player is connected to this node, in the order of their ids.
    pub(crate) fn games_with_players(&self) -> BTreeSet<GameId> {
        let state = self.state();
        let rooms = state.rooms.iter().filter(|(_, room)| room.players != ByColor::default());
        rooms.map(|(game, _)| game.clone()).collect()
    }

    /// Marks all presence on this node as not stored yet. Called when other nodes may have considered this
    /// node dead.
    pub(crate) fn mark_all_unstored(&self) {
        let mut state = self.state();
        let State { rooms, unstored, .. } = &mut *state;
        for (game, room) in rooms {
            for side in Color::ALL.into_iter().filter(|&side| room.players[side] > 0) {
                let change = Change { connected_since: room.connected_since[side], away_since: None };
                unstored.players.insert((game.clone(), side), change);
            }
            if room.spectators > 0 {
                unstored.spectators_changed.insert(game.clone());
            }
        }
        drop(state);
        self.visitors.mark_all_unstored();
        self.store_requested.notify_one();
    }

    /// Stores the changes in this node's presence, including visitors in the hall, and notifies the other
    /// nodes, until `stop` is cancelled.
    pub(crate) async fn store_changes(
        self: Arc<Self>,
        store: Arc<dyn Store>,
        node: NodeId,
        stop: CancellationToken,
    ) {
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = self.store_requested.notified() => {}
            }
            if let Err(error) = self.store_once(&*store, &node).await {
                tracing::warn!(%error, "could not store presence; will retry");
                tokio::time::sleep(PACE).await;
                self.store_requested.notify_one();
            }
        }
    }

    async fn store_once(&self, store: &dyn Store, node: &NodeId) -> Result<(), Error> {
        let unstored = std::mem::take(&mut self.state().unstored);
        let change = |((game, side), change): (&(GameId, Color), &Change)| PresenceChange {
            game: game.clone(),
            color: wire::color_to_wire(*side),
            since: Millis(change.connected_since),
            away_since: change.away_since.map(Millis),
        };
        let players = unstored.players.iter().map(change).collect::<Vec<_>>();
        let spectators = {
            let state = self.state();
            let count = |game| state.rooms.get(game).map_or(0, |room| room.spectators);
            unstored.spectators_changed.iter().map(|game| (game.clone(), count(game))).collect::<Vec<_>>()
        };
        let storing = async {
            if !players.is_empty() {
                store.set_presence(node, &players).await?;
            }
            if !spectators.is_empty() {
                store.set_watchers(node, &spectators).await?;
            }
            Ok::<_, Error>(())
        };
        if let Err(error) = storing.await {
            self.requeue(unstored);
            return Err(error);
        }
        let of_players = unstored.players.into_keys().map(|(game, _)| game);
        let games = of_players.chain(unstored.spectators_changed).collect::<BTreeSet<_>>();
        self.publish(&games.into_iter().collect::<Vec<_>>()).await;
        self.visitors.store(store, node, self.clock.now()).await
    }

    /// Requeues changes that could not be stored, except where there are newer ones.
    fn requeue(&self, unstored: PendingChanges) {
        let mut state = self.state();
        for (player, change) in unstored.players {
            state.unstored.players.entry(player).or_insert(change);
        }
        state.unstored.spectators_changed.extend(unstored.spectators_changed);
    }

    /// Notifies all nodes, including this one, of the rooms that have changed in the store.
    async fn publish(&self, games: &[GameId]) {
        for games in games.chunks(BATCH_SIZE) {
            let Ok(body) = serde_json::to_vec(games) else { continue };
            let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
            if let Err(error) = self.bus.publish(TOPIC, notice).await {
                tracing::warn!(%error, "could not publish changes in presence");
            }
        }
    }

    /// Subscribes to room changes on all nodes, for [`broadcast_changes`](Self::broadcast_changes).
    pub(crate) async fn subscribe(&self) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(TOPIC).await.map_err(|error| {
            tracing::error!(%error, "could not subscribe to the changes in rooms");
            Error::Internal("the bus is not responding")
        })
    }

    /// Sends changes in presence to the sockets of this node, until `stop` is cancelled.
    pub(crate) async fn broadcast_changes(
        self: Arc<Self>,
        store: Arc<dyn Store>,
        mut changes: Box<dyn Subscription>,
        stop: CancellationToken,
    ) {
        let mut rounds = tokio::time::interval(PACE);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut refresh = Instant::now() + REFRESH;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                delivery = changes.next(), if self.is_shared => {
                    match delivery {
                        Delivery::Notice(notice) => match serde_json::from_slice::<Vec<GameId>>(&notice.body) {
                            Ok(games) => self.mark_changed(&games),
                            Err(_) => self.mark_all_changed(),
                        },
                        Delivery::Lost => self.mark_all_changed(),
                        Delivery::Closed => return,
                    }
                    continue;
                }
                _ = rounds.tick() => {}
            }
            if !self.is_shared {
                self.broadcast_local();
                continue;
            }
            if Instant::now() >= refresh {
                refresh = Instant::now() + REFRESH;
                self.mark_all_changed();
            }
            if let Err(error) = self.broadcast_shared(&*store).await {
                error.log();
                tracing::warn!(code = error.code(), "could not read presence; will retry");
            }
        }
    }

    fn mark_changed(&self, games: &[GameId]) {
        let mut state = self.state();
        let State { rooms, changed, .. } = &mut *state;
        changed.extend(games.iter().filter(|game| rooms.contains_key(*game)).cloned());
    }

    fn mark_all_changed(&self) {
        let mut state = self.state();
        let State { rooms, changed, .. } = &mut *state;
        changed.extend(rooms.keys().cloned());
    }

    /// Sends changes in presence to the sockets, if there are no other nodes.
    fn broadcast_local(&self) {
        let mut state = self.state();
        for game in std::mem::take(&mut state.changed) {
            let Some(room) = state.rooms.get(&game) else { continue };
            let is_present = |side| room.players[side] > 0;
            room.broadcast(Version(0), (is_present(Color::White), is_present(Color::Black), room.spectators));
        }
    }

    /// Sends the stored state of the rooms that have changed on any node.
    async fn broadcast_shared(&self, store: &dyn Store) -> Result<(), Error> {
        let changed = std::mem::take(&mut self.state().changed).into_iter().collect::<Vec<_>>();
        let mut chunks = changed.chunks(BATCH_SIZE);
        while let Some(games) = chunks.next() {
            let rooms = match store.list_rooms(games).await {
                Ok(rooms) => rooms,
                Err(error) => {
                    self.mark_changed(games);
                    chunks.for_each(|games| self.mark_changed(games));
                    return Err(error.into());
                }
            };
            let state = self.state();
            for RoomState { game, version, white, black, watchers } in rooms {
                if let Some(room) = state.rooms.get(&game) {
                    room.broadcast(version, (white, black, watchers));
                }
            }
        }
        Ok(())
    }
}

impl Room {
    /// Sends the presence and the version of the game to the sockets, if either is new.
    fn broadcast(&self, version: Version, state: (bool, bool, u32)) {
        let mut latest = self.updates.latest();
        let (number, update) = &mut *latest;
        let is_newer = version > update.game_version;
        if is_newer {
            update.game_version = version;
        }
        if update.state != Some(state) {
            update.presence_version += 1;
            let (white, black, watchers) = state;
            let presence =
                ServerMessage::Presence { white, black, watchers, version: update.presence_version };
            update.presence = serde_json::to_vec(&presence).ok().map(Bytes::from);
            update.state = Some(state);
        } else if !is_newer {
            return;
        }
        *number += 1;
        drop(latest);
        self.updates.changed.notify_waiters();
    }
}
