//! Games that end because their time is up.

use std::sync::Arc;

use adoube_game::{Command, Game, Seat};
use adoube_protocol::{GameId, Millis};

use super::{Draft, Ledger};
use crate::{downtimes::RETURN_MS, error::Error};

impl Ledger {
    /// Ends a game if its deadline has passed. Does not yet end it if the player may still be reconnecting after
    /// a downtime.
    pub(crate) async fn tick(self: &Arc<Self>, id: &GameId) -> Result<(), Error> {
        let tick = |game: &Game, now: Millis| match Draft::new(id, game, &Command::Tick, now) {
            Ok(draft) => Ok(Some(draft)),
            Err(Error::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        };
        let game = match self.cached_or_loaded(id).await {
            Err(Error::GameNotFound) => return Ok(()),
            game => game?,
        };
        if let Some(deadline) = self.reconnection_deadline(id, &game) {
            self.deadlines.set(id, Some(deadline.0));
            return Ok(());
        }
        match self.append(id, game, &tick).await {
            Ok((game, None)) => self.deadlines.set(id, game.next_deadline_ms()),
            // An append has already updated the deadline, and a deleted game has none.
            Ok((_, Some(_))) | Err(Error::GameNotFound) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Returns the time until which the player to move may reconnect after a downtime, or `None` if that time
    /// has passed, the player is connected to this node, or no live clock is running.
    fn reconnection_deadline(&self, id: &GameId, game: &Game) -> Option<Millis> {
        let color = game.side_to_move();
        let is_person = matches!(game.seats()[color], Seat::Person { .. });
        if !is_person || !game.options().clock.is_live() || self.rooms.is_here(id, color) {
            return None;
        }
        let ended = self.downtimes.ended_recently(self.downtimes.check().0)?;
        Some(Millis(ended.0 + RETURN_MS))
    }
}
