//! Takeover from dead nodes, and refunds to players for the time lost when a node died or this one paused.

use std::sync::Arc;

use adoube_protocol::{GameId, Millis};
use adoube_rules::Color;
use adoube_store::{CutOffPlayer, DeadNode, Downtime, Presence};
use futures_util::{StreamExt as _, stream};
use tokio::time::sleep;

use super::{NodeServices, Nodes, OVERDUE_LEASE_MS, ROUND, interval, log_failure, returns::Return};
use crate::{downtimes::RETURN_MS, error::Error, games::Ledger, wire};

/// The number of refunds written at the same time: enough for them to share transactions, but few enough not
/// to delay turns.
const CONCURRENT_REFUNDS: usize = 128;
/// How long the store remembers when a connection ended, in milliseconds: longer than a player can be away
/// from a live game.
const PRESENCE_RETENTION_MS: i64 = 24 * 60 * 60 * 1_000;
/// The number of rounds between deletions of old presence.
const TIDY_EVERY: u64 = 60;
/// The maximum number of rows of old presence deleted at a time.
const TIDY_ROWS: u32 = 1_000;

impl Nodes {
    /// Refunds the time since another node lost its connection to a player, or since the end of a downtime
    /// that cut everyone off. Called when the player connects to this node. If it is not known yet whether
    /// the other node has ended, schedules the decision. Returns the start of the absence if a refund was
    /// due, even if there was nothing to write.
    pub(crate) async fn refund_absence(
        self: &Arc<Self>,
        game: &GameId,
        side: Color,
        ledger: &Arc<Ledger>,
    ) -> Result<Option<Millis>, Error> {
        // Only a node with a lease knows all periods in which no node was running.
        if self.store.is_shared() {
            self.lease.wait().await?;
        }
        let now = self.clock.now();
        let downtimes = ledger.downtimes();
        let presence = if self.store.is_shared() {
            self.store.lookup_presence(game, wire::color_to_wire(side), now).await?
        } else {
            Presence::Unknown
        };
        let from = match presence {
            Presence::Lost { seen_at } => seen_at,
            Presence::Away { since, is_cut_off: true } => since,
            // The other node is not known to be dead yet, but its next renewal is overdue. A player who has
            // reconnected must not be charged for the time until the death is known.
            Presence::Connected { seen_at, .. } if now.0 - seen_at.0 > OVERDUE_LEASE_MS => seen_at,
            Presence::Connected { node, seen_at } if node != self.id => {
                self.schedule_decision(
                    game,
                    side,
                    Return { node: Some(node), seen_at, reconnected_at: now },
                    ledger,
                );
                return Ok(None);
            }
            // A store that only one process can open, or that has just been copied, has no record of who
            // was connected before the downtime.
            Presence::Unknown => match downtimes.ended_recently(now.0) {
                Some(end) => end,
                None => return Ok(None),
            },
            Presence::Connected { .. } | Presence::Away { .. } => return Ok(None),
        };
        let from = downtimes.end_of_outage(from);
        let refunded = self.refund(game, side, from, now, ledger).await;
        if let Err(Error::Store(_)) = refunded {
            self.schedule_decision(
                game,
                side,
                Return { node: None, seen_at: from, reconnected_at: now },
                ledger,
            );
        }
        refunded.map(|()| Some(from))
    }

    /// Takes over from dead nodes, and deletes old presence.
    pub(super) async fn take_over_all(self: Arc<Self>, services: NodeServices) {
        let mut rounds = interval(ROUND);
        for round in 1u64.. {
            rounds.tick().await;
            if self.lease.may_judge() {
                log_failure("take over from dead nodes", self.take_over_dead(&services).await);
            }
            if round.is_multiple_of(TIDY_EVERY) {
                log_failure("delete old presence", self.tidy_presence().await);
            }
        }
    }

    async fn take_over_dead(&self, services: &NodeServices) -> Result<(), Error> {
        for dead in self.store.take_over(&self.id, self.clock.now()).await? {
            tracing::warn!(node = %dead.id, players = dead.players.len(), "a node has died; this one takes over from it");
            // The dead node is forgotten last. If this node dies before that, another one takes over again,
            // and finds in the logs the refunds that are already written.
            let is_done = self.refund_all(&dead, &services.ledger).await;
            if is_done && self.store.forget_node(&self.id, &dead.id, self.clock.now()).await? {
                self.metrics.count_takeover();
                self.taken_over.notify_one();
            }
        }
        Ok(())
    }

    /// Refunds the players of a dead node for the time that its death cost them. Returns `false` if the store
    /// failed; a takeover is then retried in the next round.
    pub(super) async fn refund_all(&self, dead: &DeadNode, ledger: &Arc<Ledger>) -> bool {
        let refunds = stream::iter(dead.players.clone()).map(|player| {
            let CutOffPlayer { game, color, last_seen_at: lost_at, reconnected_at: back_at } = player;
            async move {
                let until = back_at.unwrap_or_else(|| self.clock.now());
                let side = wire::color_from_wire(color);
                let Err(error) = self.refund(&game, side, lost_at, until, ledger).await else {
                    return true;
                };
                error.log();
                tracing::warn!(%game, code = error.code(), "could not refund the time lost when a node died");
                // A game that cannot be read must not block the others.
                !matches!(error, Error::Store(_))
            }
        });
        let results = refunds.buffer_unordered(CONCURRENT_REFUNDS).collect::<Vec<_>>().await;
        results.into_iter().all(|is_done| is_done)
    }

    /// Refunds a player for the period from `from` to `until`, but at most [`RETURN_MS`]. Does nothing if the
    /// game is not live, if the player's clock was not running, if the log already has the period, or if the
    /// game no longer exists.
    pub(crate) async fn refund(
        &self,
        id: &GameId,
        side: Color,
        from: Millis,
        until: Millis,
        ledger: &Arc<Ledger>,
    ) -> Result<(), Error> {
        let until = Millis(until.0.min(from.0 + RETURN_MS));
        match ledger.interrupt(id, side, Downtime { from, until }).await {
            Ok(true) => self.metrics.refunded(),
            Ok(false) | Err(Error::GameNotFound) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    async fn tidy_presence(&self) -> Result<(), Error> {
        let before = Millis(self.clock.now().0 - PRESENCE_RETENTION_MS);
        while self.store.tidy_presence(before, TIDY_ROWS).await? >= u64::from(TIDY_ROWS) {
            sleep(ROUND).await;
        }
        Ok(())
    }

    /// Records the pauses of this process in the logs of its connected players' games, before another node
    /// decides whether their flags have fallen.
    pub(super) async fn refund_pauses(self: Arc<Self>, services: NodeServices) {
        let NodeServices { ledger, rooms } = services;
        loop {
            ledger.downtimes().wait_for_own().await;
            let games = rooms.games_with_players();
            let writes = stream::iter(games).map(|game| {
                let ledger = Arc::clone(&ledger);
                async move { ledger.write_pauses(&game).await }
            });
            let writes = writes.buffer_unordered(CONCURRENT_REFUNDS).for_each(|written| {
                log_failure("refund players for a pause", written);
                std::future::ready(())
            });
            writes.await;
        }
    }
}
