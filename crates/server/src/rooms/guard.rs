//! A visitor in a room.

use std::sync::Arc;

use adoube_protocol::GameId;
use adoube_rules::{ByColor, Color};

use super::{Change, RoomUpdate, Rooms, UpdateChannel};

/// A guard that keeps a visitor in a room until it is dropped.
#[derive(Debug)]
pub(crate) struct RoomGuard {
    pub(super) rooms: Arc<Rooms>,
    pub(super) game: GameId,
    pub(super) side: Option<Color>,
    pub(super) updates: Arc<UpdateChannel>,
    /// The number of the last change that [`next`](Self::next) has returned or need not return, or `None` if
    /// the next call must return the latest state immediately.
    pub(super) last_change: Option<u64>,
}

impl RoomGuard {
    /// Waits for the next state to send to the visitor's socket. For a new socket, returns the latest state
    /// immediately if the presence is already known. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> RoomUpdate {
        loop {
            // The future is created before the check so that no change in between is missed.
            let changed = self.updates.changed.notified();
            {
                let latest = self.updates.latest();
                let (number, update) = &*latest;
                if self.last_change != Some(*number) {
                    self.last_change = Some(*number);
                    return update.clone();
                }
            }
            changed.await;
        }
    }

    /// Returns the latest state that was sent to the sockets of the room.
    pub(crate) fn latest(&self) -> RoomUpdate {
        self.updates.latest().1.clone()
    }

    /// Makes [`next`](Self::next) return the latest state again.
    pub(crate) fn resend(&mut self) {
        self.last_change = None;
    }
}

impl Drop for RoomGuard {
    fn drop(&mut self) {
        let now = self.rooms.clock.now().0;
        let mut state = self.rooms.state();
        let Some(room) = state.rooms.get_mut(&self.game) else { return };
        let mut is_last = true;
        if let Some(side) = self.side {
            room.players[side] -= 1;
            is_last = room.players[side] == 0;
            if is_last {
                room.away_since[side] = now;
            }
        } else {
            room.spectators -= 1;
        }
        let since = self.side.map_or(now, |side| room.connected_since[side]);
        let is_empty = room.spectators == 0 && room.players == ByColor::default();
        if is_empty {
            state.rooms.remove(&self.game);
            state.changed.remove(&self.game);
        }
        self.rooms.record_change(
            &mut state,
            &self.game,
            self.side,
            is_last.then_some(Change { connected_since: since, away_since: Some(now) }),
        );
    }
}
