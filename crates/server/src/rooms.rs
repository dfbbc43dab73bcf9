//! Rooms: the sockets of each game. A room exists while it has sockets; nothing is stored.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_bus::{Bus, Notice};
use adoube_protocol::{GameId, Millis, ServerMessage};
use adoube_rules::{ByColor, Color};
use adoube_store::{NodeId, PresenceChange, Store};
use tokio::{sync::Notify, time::MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::{audience, clock::Clock, wire};

/// Interval at which changes of presence are published, so that thousands of arrivals are one change.
const PUBLISH_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(crate) struct Rooms {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Whether other nodes must know who is here.
    is_shared: bool,
    must_store: Notify,
}

#[derive(Debug, Default)]
struct State {
    rooms: HashMap<GameId, Room>,
    changed: BTreeSet<GameId>,
    /// Changes of players that other nodes must know of and that are not stored yet. Without other nodes, always empty.
    unstored: HashMap<(GameId, Color), Change>,
}

/// When a player has connected, and when the last connection ended; times in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Change {
    since: i64,
    away_since: Option<i64>,
}

#[derive(Debug)]
struct Room {
    /// Number of sockets of each player.
    players: ByColor<u32>,
    /// Time since when each player has had no socket, in milliseconds since 1970.
    away_since: ByColor<i64>,
    /// Time since when each player has had a socket, likewise.
    since: ByColor<i64>,
    watchers: u32,
}

/// Marks a visitor as present in a room until it is dropped.
#[derive(Debug)]
pub(crate) struct RoomGuard {
    rooms: Arc<Rooms>,
    game: GameId,
    side: Option<Color>,
}

impl Rooms {
    pub(crate) fn new(clock: Arc<dyn Clock>, is_shared: bool) -> Self {
        Self { clock, state: Mutex::default(), is_shared, must_store: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn enter(self: &Arc<Self>, game: &GameId, side: Option<Color>) -> RoomGuard {
        let now = self.clock.now().0;
        let mut state = self.state();
        let room = state.rooms.entry(game.clone()).or_insert_with(|| Room {
            players: ByColor::default(),
            // The room has no record of earlier absence.
            away_since: ByColor { white: now, black: now },
            since: ByColor { white: now, black: now },
            watchers: 0,
        });
        let comes = if let Some(side) = side {
            room.players[side] += 1;
            if room.players[side] == 1 {
                room.since[side] = now;
            }
            Some(side).filter(|_| room.players[side] == 1)
        } else {
            room.watchers += 1;
            None
        };
        if let Some(side) = comes.filter(|_| self.is_shared) {
            state.unstored.insert((game.clone(), side), Change { since: now, away_since: None });
            self.must_store.notify_one();
        }
        state.changed.insert(game.clone());
        RoomGuard { rooms: Arc::clone(self), game: game.clone(), side }
    }

    /// Returns since when a player has had no socket, in milliseconds since 1970; `None` if it has one, or if
    /// the room is empty.
    pub(crate) fn away_since_ms(&self, game: &GameId, side: Color) -> Option<i64> {
        let state = self.state();
        let room = state.rooms.get(game)?;
        (room.players[side] == 0).then(|| room.away_since[side])
    }

    pub(crate) fn is_here(&self, game: &GameId, side: Color) -> bool {
        self.state().rooms.get(game).is_some_and(|room| room.players[side] > 0)
    }

    /// Returns since when a player has had a socket, in milliseconds since 1970; `None` if it has none.
    pub(crate) fn connected_since_ms(&self, game: &GameId, side: Color) -> Option<i64> {
        let state = self.state();
        let room = state.rooms.get(game)?;
        (room.players[side] > 0).then(|| room.since[side])
    }

    /// Returns the games of the players who are here, in order.
    pub(crate) fn players(&self) -> BTreeSet<GameId> {
        let state = self.state();
        let rooms = state.rooms.iter().filter(|(_, room)| room.players != ByColor::default());
        rooms.map(|(game, _)| game.clone()).collect()
    }

    /// Stores all players who are here once more, because the store has taken this node for dead.
    pub(crate) fn store_everyone_again(&self) {
        let mut state = self.state();
        let here = |(game, room): (&GameId, &Room)| {
            let game = game.clone();
            let sides = Color::ALL.into_iter().filter(|&side| room.players[side] > 0);
            let change = |side| Change { since: room.since[side], away_since: None };
            sides.map(|side| ((game.clone(), side), change(side))).collect::<Vec<_>>()
        };
        let everyone = state.rooms.iter().flat_map(here).collect::<Vec<_>>();
        state.unstored.extend(everyone);
        self.must_store.notify_one();
    }

    /// Stores which players are connected to this node, for the other nodes, until `stop`.
    pub(crate) async fn store_players(
        self: Arc<Self>,
        store: Arc<dyn Store>,
        node: NodeId,
        stop: CancellationToken,
    ) {
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = self.must_store.notified() => {}
            }
            let unstored = std::mem::take(&mut self.state().unstored);
            let change = |((game, side), change): (&(GameId, Color), &Change)| PresenceChange {
                game: game.clone(),
                color: wire::color(*side),
                since: Millis(change.since),
                away_since: change.away_since.map(Millis),
            };
            let changes = unstored.iter().map(change).collect::<Vec<_>>();
            if changes.is_empty() {
                continue;
            }
            if let Err(error) = store.set_presence(&node, &changes).await {
                tracing::warn!(%error, "the presence of players was not stored; will retry");
                self.restore(unstored);
                tokio::time::sleep(PUBLISH_INTERVAL).await;
                self.must_store.notify_one();
            }
        }
    }

    /// Takes back changes that could not be stored, except where there are newer ones.
    fn restore(&self, unstored: HashMap<(GameId, Color), Change>) {
        let mut state = self.state();
        for (player, change) in unstored {
            state.unstored.entry(player).or_insert(change);
        }
    }

    /// Publishes changes of presence, until `stop`.
    pub(crate) async fn publish_presence(self: Arc<Self>, bus: Arc<dyn Bus>, stop: CancellationToken) {
        let mut rounds = tokio::time::interval(PUBLISH_INTERVAL);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
            }
            for (game, presence) in self.news() {
                let Ok(body) = serde_json::to_vec(&presence) else { continue };
                let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
                if let Err(error) = bus.publish(game.as_str(), notice).await {
                    tracing::warn!(%error, %game, "a change of presence was not published");
                }
            }
        }
    }

    fn news(&self) -> Vec<(GameId, ServerMessage)> {
        let mut state = self.state();
        let changed = std::mem::take(&mut state.changed);
        let presence = |game: GameId| {
            let room = state.rooms.get(&game)?;
            let here = |side| room.players[side] > 0;
            let presence = ServerMessage::Presence {
                white: here(Color::White),
                black: here(Color::Black),
                watchers: room.watchers,
            };
            Some((game, presence))
        };
        changed.into_iter().filter_map(presence).collect()
    }
}

impl Drop for RoomGuard {
    fn drop(&mut self) {
        let now = self.rooms.clock.now().0;
        let mut state = self.rooms.state();
        let Some(room) = state.rooms.get_mut(&self.game) else { return };
        let goes = if let Some(side) = self.side {
            room.players[side] -= 1;
            if room.players[side] == 0 {
                room.away_since[side] = now;
            }
            Some(side).filter(|_| room.players[side] == 0)
        } else {
            room.watchers -= 1;
            None
        };
        let is_empty = room.watchers == 0 && room.players == ByColor::default();
        let since = room.since;
        if let Some(side) = goes.filter(|_| self.rooms.is_shared) {
            let change = Change { since: since[side], away_since: Some(now) };
            state.unstored.insert((self.game.clone(), side), change);
            self.rooms.must_store.notify_one();
        }
        if is_empty {
            state.rooms.remove(&self.game);
            state.changed.remove(&self.game);
        } else {
            state.changed.insert(self.game.clone());
        }
    }
}
