//! This process as one of several nodes on one database.
//!
//! Every second, a node renews its lease, takes over from nodes that have died, and looks for games whose time is
//! up. With a database that only one process can open, a heartbeat takes the place of all this (`housekeeping`).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use adoube_protocol::{GameId, Millis};
use adoube_rules::Color;
use adoube_store::{DeadNode, Downtime, NodeId, Renewal, Store};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::{
    clock::{Clock, SharedClock},
    error::Error,
    games::Ledger,
    rooms::Rooms,
    wire,
};

/// Interval of renewals.
const RENEWAL: Duration = Duration::from_secs(1);
/// Maximum refund for the death of a node, in milliseconds: by then a client has connected to another one.
const REFUND_MS: i64 = 5_000;
/// Time after its deadline at which a game is looked for in the store, in milliseconds.
const OVERDUE_MS: i64 = 500;
/// Maximum number of such games in a round.
const PER_ROUND: u32 = 1_000;
/// A clock that differs by more from that of the database, in milliseconds, does not judge whose time is up.
const STEP_MS: i64 = 2_000;

/// This process among the others.
#[derive(Debug)]
pub(crate) struct Nodes {
    id: NodeId,
    address: String,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// The clock, if it follows that of the database.
    shared_clock: Option<Arc<SharedClock>>,
    in_step: AtomicBool,
}

/// The parts of the server that learn from other nodes.
#[derive(Clone, Debug)]
pub(crate) struct Concerned {
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) rooms: Arc<Rooms>,
}

impl Nodes {
    /// Adds this process to the nodes. Returns it with all known downtimes.
    pub(crate) async fn join(
        id: NodeId,
        address: String,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        shared_clock: Option<Arc<SharedClock>>,
    ) -> Result<(Self, Vec<Downtime>), Error> {
        let downtimes = if store.is_shared() {
            store.renew_lease(&id, &address, clock.now(), Millis(i64::MIN)).await?.downtimes
        } else {
            store.record_start(clock.now()).await?
        };
        Ok((Self { id, address, store, clock, shared_clock, in_step: AtomicBool::new(true) }, downtimes))
    }

    /// Starts the renewals, and the storing of who is connected to this node, until `stop`.
    pub(crate) fn start(self: &Arc<Self>, concerned: &Concerned, stop: &CancellationToken) {
        if !self.store.is_shared() {
            return;
        }
        let (rooms, store) = (Arc::clone(&concerned.rooms), Arc::clone(&self.store));
        tokio::spawn(rooms.store_players(store, self.id.clone(), stop.clone()));
        tokio::spawn(Arc::clone(self).keep(concerned.clone(), stop.clone()));
    }

    /// Returns whether this node may work on the machine's turn in a game: only one node does.
    pub(crate) async fn claim_machine_turn(&self, game: &GameId) -> Result<bool, Error> {
        if !self.store.is_shared() {
            return Ok(true);
        }
        Ok(self.store.claim_machine_turn(&self.id, game, self.clock.now()).await?)
    }

    /// Ends the lease of a node that stops.
    pub(crate) async fn leave(&self, stopped_at: Millis) {
        if self.store.is_shared()
            && let Err(error) = self.store.release_lease(&self.id, stopped_at).await
        {
            tracing::warn!(%error, "the end of this node was not stored; another one takes over from it");
        }
    }

    /// Renews the lease every second, until `stop`.
    async fn keep(self: Arc<Self>, concerned: Concerned, stop: CancellationToken) {
        let mut seconds = tokio::time::interval(RENEWAL);
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut since = self.clock.now();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = seconds.tick() => {}
            }
            let downtimes = concerned.ledger.downtimes();
            downtimes.begin_write();
            let now = self.clock.now();
            match self.store.renew_lease(&self.id, &self.address, now, since).await {
                Ok(renewal) => {
                    downtimes.end_write();
                    downtimes.learn(&renewal.downtimes);
                    if let Some(last) = renewal.downtimes.last() {
                        since = last.until;
                    }
                    self.renewed(&renewal, &concerned).await;
                }
                Err(error) => tracing::warn!(%error, "the lease of this node was not renewed"),
            }
        }
    }

    async fn renewed(&self, renewal: &Renewal, concerned: &Concerned) {
        if !renewal.was_valid {
            tracing::warn!(node = %self.id, "this node was taken for dead, and starts over");
            concerned.rooms.store_everyone_again();
        }
        logged("follow the clock of the database", self.follow_database_clock(&concerned.ledger).await);
        logged("take over from dead nodes", self.take_over_all(concerned).await);
        logged("look for games whose time is up", self.look_for_due_games(&concerned.ledger).await);
    }

    async fn take_over_all(&self, concerned: &Concerned) -> Result<(), Error> {
        for dead in self.store.take_over(&self.id, self.clock.now()).await? {
            self.take_over(&dead, concerned).await?;
        }
        Ok(())
    }

    /// Steers the clock towards that of the database. A clock that is far off judges no flags meanwhile.
    async fn follow_database_clock(&self, ledger: &Ledger) -> Result<(), Error> {
        let Some(clock) = &self.shared_clock else { return Ok(()) };
        let off_ms = clock.steer(&*self.store).await?;
        let in_step = off_ms.abs() <= STEP_MS;
        if in_step != self.in_step.swap(in_step, Relaxed) {
            if in_step {
                tracing::info!(off_ms, "the clock agrees with the database's again");
            } else {
                tracing::error!(
                    off_ms,
                    "the clock is too far from the database's: this node judges no flags"
                );
            }
        }
        ledger.deadlines().set_paused(!in_step);
        Ok(())
    }

    /// Gives the players of a dead node back the time that its death cost them. That they are away is stored last:
    /// if this node dies before, another one takes over again, and finds the refunds in the logs.
    async fn take_over(&self, dead: &DeadNode, concerned: &Concerned) -> Result<(), Error> {
        tracing::warn!(node = %dead.id, players = dead.players.len(), "a node has died; this one takes over from it");
        for (game, color) in &dead.players {
            let side = wire::color_from(*color);
            if let Err(error) = self.refund(game, side, dead.seen_at, &concerned.ledger).await {
                // Without the store, it is tried again. A game that cannot be read must not hold up the others.
                if matches!(error, Error::Store(_)) {
                    return Err(error);
                }
                error.log();
                tracing::warn!(%game, code = error.code(), "the time of a node's death was not given back");
            }
        }
        Ok(self.store.forget_node(&dead.id).await?)
    }

    async fn refund(
        &self,
        id: &GameId,
        side: Color,
        seen_at: Millis,
        ledger: &Arc<Ledger>,
    ) -> Result<(), Error> {
        let until = Millis(self.clock.now().0.min(seen_at.0 + REFUND_MS));
        match ledger.interrupt(id, side, Downtime { from: seen_at, until }).await {
            Ok(()) | Err(Error::GameNotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Finds the games whose time is up and which no node has looked at, because the one that knew them died.
    async fn look_for_due_games(&self, ledger: &Ledger) -> Result<(), Error> {
        let overdue = Millis(self.clock.now().0 - OVERDUE_MS);
        for game in self.store.list_due(overdue, PER_ROUND).await? {
            ledger.deadlines().set_if_earlier(&game.id, game.deadline.0);
        }
        Ok(())
    }
}

/// Logs what this node failed to do for the others; the next round tries again.
fn logged(what: &str, done: Result<(), Error>) {
    if let Err(error) = done {
        error.log();
        tracing::warn!(code = error.code(), "this node could not {what}");
    }
}
