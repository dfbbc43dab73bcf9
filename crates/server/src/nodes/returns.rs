//! Pending refunds to players who have reconnected. A refund is pending if the store has failed, or as long
//! as it is not known whether the node that the player was connected to has died.
//!
//! A node is presumed dead once its renewal is overdue. Until then, a player who connects to another node
//! may merely have lost the connection to a live one, in which case there is no refund. So the decision is
//! postponed. If the player plays in the meantime, the clock must be corrected before the turn. The refund is
//! then granted without proof, but at most once per [`CLAIM_INTERVAL_MS`] for each player and node. Otherwise
//! a player could gain up to [`OVERDUE_LEASE_MS`] on every turn by leaving a connection open on purpose.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_protocol::{GameId, Millis};
use adoube_rules::Color;
use adoube_store::NodeId;
use tokio::time::sleep;

use super::{Nodes, OVERDUE_LEASE_MS};
use crate::{error::Error, games::Ledger};

/// The minimum time between two refunds without proof to the same player for the same node, in milliseconds.
const CLAIM_INTERVAL_MS: i64 = 10 * 60 * 1_000;
/// The delay before another attempt after a store failure.
const RETRY: Duration = Duration::from_millis(250);

/// The reconnection of a player who was connected to another node before.
#[derive(Clone, Debug)]
pub(super) struct Return {
    /// The other node, if it is not known to be dead.
    pub(super) node: Option<NodeId>,
    /// The last time at which the player is known to have been connected to the other node.
    pub(super) seen_at: Millis,
    /// The time at which the player connected to this node.
    pub(super) reconnected_at: Millis,
}

impl Return {
    /// Returns the time to wait before deciding: until the other node's next renewal is overdue, or until the
    /// next attempt if only the store has failed.
    fn decision_delay(&self) -> Duration {
        if self.node.is_none() {
            return RETRY;
        }
        let ms = self.seen_at.0 + OVERDUE_LEASE_MS + 1 - self.reconnected_at.0;
        Duration::from_millis(ms.max(0).unsigned_abs())
    }
}

/// The players who have reconnected to this node and whose refunds are pending, and the recent refunds
/// without proof.
#[derive(Debug, Default)]
pub(super) struct Reconnections(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    undecided: HashMap<(GameId, Color), Return>,
    /// The times of the refunds without proof, by player and node.
    accepted_claims: HashMap<(GameId, Color, NodeId), Millis>,
}

impl Reconnections {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if the player's return at this time has not been decided on yet.
    fn is_undecided(&self, game: &GameId, side: Color, back_at: Millis) -> bool {
        let state = self.state();
        let returned = state.undecided.get(&(game.clone(), side));
        returned.is_some_and(|returned| returned.reconnected_at == back_at)
    }

    /// Returns `true` if a player may get a refund without proof for a node now, and if so, records the
    /// refund.
    fn accept_claim(&self, game: &GameId, side: Color, node: &NodeId, now: Millis) -> bool {
        let claims = &mut self.state().accepted_claims;
        claims.retain(|_, at| now.0 - at.0 < CLAIM_INTERVAL_MS);
        let player = (game.clone(), side, node.clone());
        let is_new = !claims.contains_key(&player);
        if is_new {
            claims.insert(player, now);
        }
        is_new
    }
}

impl Nodes {
    /// Schedules the decision about a return for the earliest time at which it is possible.
    pub(super) fn schedule_decision(
        self: &Arc<Self>,
        game: &GameId,
        side: Color,
        returned: Return,
        ledger: &Arc<Ledger>,
    ) {
        let (wait, back_at) = (returned.decision_delay(), returned.reconnected_at);
        self.returns.state().undecided.insert((game.clone(), side), returned);
        let (nodes, game, ledger) = (Arc::clone(self), game.clone(), Arc::clone(ledger));
        self.tasks.spawn(async move {
            let stop = nodes.stop.clone();
            stop.run_until_cancelled(async {
                sleep(wait).await;
                // There is nothing left to decide if the player has since played or reconnected again.
                while nodes.returns.is_undecided(&game, side, back_at) {
                    if let Err(error) = nodes.settle_reconnection(&game, side, &ledger).await {
                        error.log();
                        tracing::warn!(%game, code = error.code(), "could not write a refund; will retry");
                    }
                    sleep(RETRY).await;
                }
            })
            .await;
        });
    }

    /// Refunds a reconnected player for the time without a connection, if the other node has not renewed its
    /// lease since. If its renewal is not overdue yet, the refund is one without proof, which may be refused.
    /// Must be called before the player's turn, because the clock cannot be corrected afterwards.
    ///
    /// # Errors
    ///
    /// If the store fails. The next call retries.
    pub(crate) async fn settle_reconnection(
        &self,
        game: &GameId,
        side: Color,
        ledger: &Arc<Ledger>,
    ) -> Result<(), Error> {
        let player = (game.clone(), side);
        let Some(returned) = self.returns.state().undecided.get(&player).cloned() else { return Ok(()) };
        match self.refund_return(game, side, &returned, ledger).await {
            Err(error @ Error::Store(_)) => return Err(error),
            // A game that cannot be read must not be retried forever.
            Err(error) => error.log(),
            Ok(()) => {}
        }
        if self.returns.is_undecided(game, side, returned.reconnected_at) {
            self.returns.state().undecided.remove(&player);
        }
        Ok(())
    }

    async fn refund_return(
        &self,
        game: &GameId,
        side: Color,
        returned: &Return,
        ledger: &Arc<Ledger>,
    ) -> Result<(), Error> {
        let Return { node, seen_at, reconnected_at: back_at } = returned;
        if let Some(node) = node {
            // A node that is no longer in the store has either stopped gracefully or been taken over.
            if self.store.last_renewal(node).await? != Some(*seen_at) {
                return Ok(());
            }
            let now = self.clock.now();
            if now.0 - seen_at.0 <= OVERDUE_LEASE_MS && !self.returns.accept_claim(game, side, node, now) {
                return Ok(());
            }
        }
        self.refund(game, side, *seen_at, *back_at, ledger).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refund_without_proof_is_granted_once_per_side_node_and_interval() {
        let returns = Reconnections::default();
        let claim = |side, node, ms| {
            returns.accept_claim(&GameId::from_random(1), side, &NodeId::from_random(node), Millis(ms))
        };
        assert!(claim(Color::White, 1, 1_500));
        assert!(!claim(Color::White, 1, 2_500));
        assert!(claim(Color::White, 2, 2_500));
        assert!(claim(Color::Black, 1, 2_500));
        assert!(!claim(Color::White, 1, 1_499 + CLAIM_INTERVAL_MS));
        assert!(claim(Color::White, 1, 1_500 + CLAIM_INTERVAL_MS));
        assert!(claim(Color::White, 3, 2_500 + CLAIM_INTERVAL_MS));
        assert_eq!(returns.state().accepted_claims.len(), 2, "old claims are still recorded");
    }

    #[test]
    fn the_decision_on_a_return_waits_until_the_renewal_is_overdue() {
        let node = Some(NodeId::from_random(1));
        let returned = Return { node, seen_at: Millis(1_000), reconnected_at: Millis(1_400) };
        assert_eq!(returned.decision_delay(), Duration::from_millis(1_101));
        assert_eq!(Return { node: None, ..returned }.decision_delay(), RETRY);
    }
}
