//! This process as one of several nodes on one database.
//!
//! A node renews its lease, follows the database's clock, takes over from dead nodes, finds games whose time
//! is up, refunds players for its own pauses and stores presence. Each of these duties has its own task, so
//! none of them delays the renewals. With a database that only one process can open, a heartbeat replaces all
//! of this (`housekeeping`).
//!
//! # Refunds
//!
//! A player whose node has ended, or who was cut off by a downtime of the whole house, is refunded the time
//! until the next connection, at most `RETURN_MS`. The refund is written to the game's log like a downtime,
//! and a log never counts a period twice. So several nodes may write it:
//!
//! - the node to which the player reconnects: immediately if the other node has ended or its renewal is
//!   overdue ([`Nodes::refund_absence`]), otherwise as soon as that is the case
//!   ([`Nodes::settle_reconnection`]);
//! - the node that takes over from the dead one;
//! - the player's own node, if it was slow rather than dead.

mod neighbours;
mod returns;
mod takeover;

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::{Cursor, Downtime, LeaseClock, LeaseRequest, Node, NodeId, Renewal, Store};
use futures_util::FutureExt as _;
use tokio::{
    sync::Notify,
    time::{Interval, MissedTickBehavior, sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    clock::{Clock, SharedClock},
    error::Error,
    games::Ledger,
    lease::Lease,
    metrics::{Metrics, NodeGauges},
    rooms::Rooms,
    serve_error::ServeError,
};

/// The interval between renewals, and between rounds of the other tasks.
const ROUND: Duration = Duration::from_secs(1);
/// The time after the last renewal of a lease, in milliseconds, at which the next one is overdue. It allows
/// for a round and a slow statement.
const OVERDUE_LEASE_MS: i64 = 1_500;
/// The time after a game's deadline at which the game is looked up in the store, in milliseconds.
const OVERDUE_MS: i64 = 500;
/// The maximum number of due games that one statement reads.
const PAGE: u32 = 1_000;
/// The maximum lead over the database's clock at which a node still decides whether flags have fallen, in
/// milliseconds.
const MAX_CLOCK_LEAD_MS: i64 = 2_000;
/// The maximum time that [`Nodes::stop`] waits for the tasks, and then for the store.
const STOP_TIME: Duration = Duration::from_secs(2);

/// This process's node.
#[derive(Debug)]
pub(crate) struct Nodes {
    id: NodeId,
    address: String,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// The clock, if it follows the database's.
    shared_clock: Option<Arc<SharedClock>>,
    has_bus: bool,
    lease: Arc<Lease>,
    metrics: Arc<Metrics>,
    /// Downtimes that end after this time, in milliseconds since 1970, are not known yet.
    known_until_ms: AtomicI64,
    /// The number of nodes with a valid lease, at the last renewal.
    alive: AtomicUsize,
    clock_off_ms: AtomicI64,
    taken_over: Notify,
    returns: returns::Reconnections,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// The dependencies of a node.
#[derive(Debug)]
pub(crate) struct NodeParts {
    pub(crate) id: NodeId,
    pub(crate) address: String,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) shared_clock: Option<Arc<SharedClock>>,
    /// Whether there is a bus to other processes.
    pub(crate) has_bus: bool,
    pub(crate) metrics: Arc<Metrics>,
    /// Cancelled when the tasks must end without a handover, as in a crash.
    pub(crate) stop: CancellationToken,
}

/// The services that a node's tasks use.
#[derive(Clone, Debug)]
pub(crate) struct NodeServices {
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) rooms: Arc<Rooms>,
}

impl Nodes {
    /// Registers this process as a node. Returns it with all known downtimes.
    ///
    /// # Errors
    ///
    /// If the store fails, or if another node is alive and there is no bus between them.
    pub(crate) async fn join(parts: NodeParts) -> Result<(Self, Vec<Downtime>), ServeError> {
        let NodeParts { id, address, store, clock, shared_clock, has_bus, metrics, stop } = parts;
        let now = clock.now();
        let (downtimes, alive, valid_until) = if store.is_shared() {
            let request = LeaseRequest {
                id: id.clone(),
                address: address.clone(),
                is_serving: false,
                now,
                clock: lease_clock(&clock),
            };
            let renewal = store.renew_lease(request.clone(), Millis(i64::MIN)).await?;
            if !has_bus {
                neighbours::check_none(&*store, &*clock, &request, &renewal).await?;
            }
            (renewal.downtimes, renewal.nodes.len(), Some(Millis(now.0 + request.duration_ms())))
        } else {
            (store.record_start(now).await?, 1, None)
        };
        let known_until_ms = downtimes.last().map_or(now.0, |last| last.until.0);
        let nodes = Self {
            id,
            address,
            store,
            lease: Arc::new(Lease::new(Arc::clone(&clock), valid_until)),
            clock,
            shared_clock,
            has_bus,
            metrics,
            known_until_ms: AtomicI64::new(known_until_ms),
            alive: AtomicUsize::new(alive),
            clock_off_ms: AtomicI64::new(0),
            taken_over: Notify::new(),
            returns: returns::Reconnections::default(),
            tasks: TaskTracker::new(),
            stop: stop.child_token(),
        };
        Ok((nodes, downtimes))
    }

    pub(crate) fn lease(&self) -> &Arc<Lease> {
        &self.lease
    }

    /// Returns the metrics of the nodes, or `None` if there cannot be several.
    pub(crate) fn gauges(&self) -> Option<NodeGauges> {
        self.store.is_shared().then(|| NodeGauges {
            alive: self.alive.load(Relaxed),
            clock_off_ms: self.clock_off_ms.load(Relaxed),
        })
    }

    /// Starts the tasks, which end with [`stop`](Self::stop). There are none if only one process can open the
    /// database.
    pub(crate) fn start(self: &Arc<Self>, services: &NodeServices) {
        if !self.store.is_shared() {
            return;
        }
        let (rooms, store, id) = (Arc::clone(&services.rooms), Arc::clone(&self.store), self.id.clone());
        let stop = self.stop.clone();
        self.keep_running("storing presence", move || {
            Arc::clone(&rooms).store_changes(Arc::clone(&store), id.clone(), stop.clone())
        });
        self.run_rounds("renewing the lease", services, Self::renew_leases);
        self.run_rounds("following the database's clock", services, Self::follow_clock);
        self.run_rounds("taking over from dead nodes", services, Self::take_over_all);
        self.run_rounds("finding games whose time is up", services, Self::find_due_games);
        self.run_rounds("refunding players for the pauses of this process", services, Self::refund_pauses);
    }

    /// Runs a task until the node stops.
    fn run_rounds<F>(
        self: &Arc<Self>,
        task_name: &'static str,
        services: &NodeServices,
        task: impl Fn(Arc<Self>, NodeServices) -> F + Send + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let (nodes, services) = (Arc::clone(self), services.clone());
        self.keep_running(task_name, move || {
            let (stop, running) = (nodes.stop.clone(), task(Arc::clone(&nodes), services.clone()));
            async move {
                stop.run_until_cancelled(running).await;
            }
        });
    }

    /// Runs a task, and restarts it after a panic, because the other nodes rely on it.
    fn keep_running<F>(&self, task_name: &'static str, task: impl Fn() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            while AssertUnwindSafe(task()).catch_unwind().await.is_err() {
                tracing::error!("the task for {task_name} panicked and will be restarted");
                sleep(ROUND).await;
                if stop.is_cancelled() {
                    return;
                }
            }
        });
    }

    /// Ends the tasks and hands over to the other nodes. From `stopped_at` on, the players of this node count
    /// as cut off. Must be called before their sockets are closed so that the nodes to which they reconnect
    /// refund the time in between.
    pub(crate) async fn stop(&self, stopped_at: Millis) {
        self.stop.cancel();
        self.tasks.close();
        if timeout(STOP_TIME, self.tasks.wait()).await.is_err() {
            tracing::warn!("the tasks of this node did not finish in time");
        }
        if !self.store.is_shared() {
            return;
        }
        if !self.lease.is_valid() {
            // The store must not record that this node served until now. The other nodes consider it to have
            // been dead since its last renewal, and its pending commands will not get a lease.
            tracing::warn!("this node is stopping without a valid lease; another one will take over");
            return;
        }
        match timeout(STOP_TIME, self.store.release_lease(&self.id, stopped_at)).await {
            // Pending commands are finished without a lease.
            Ok(Ok(())) => self.lease.renewed_at(Millis(i64::MAX)),
            Ok(Err(error)) => {
                tracing::warn!(%error, "could not record the end of this node; another one will take over");
            }
            Err(_) => {
                tracing::warn!("did not record the end of this node in time; another one will take over");
            }
        }
    }

    /// Returns the id under which this process claims work.
    pub(crate) fn id(&self) -> &NodeId {
        &self.id
    }

    /// Waits until this node has taken over from another one.
    pub(crate) async fn wait_for_takeover(&self) {
        self.taken_over.notified().await;
    }

    /// Renews the lease every second, and whenever a command is waiting for it.
    async fn renew_leases(self: Arc<Self>, services: NodeServices) {
        let mut rounds = interval(ROUND);
        let mut is_failing = false;
        // Whether the store may have granted a new lease whose confirmation was lost. That can happen even if
        // this node considered its lease valid, because another node with a faster clock may have taken over.
        let mut is_in_doubt = false;
        loop {
            tokio::select! {
                biased;
                _ = rounds.tick() => {}
                () = self.lease.renewal_requested() => {}
            }
            let downtimes = services.ledger.downtimes();
            downtimes.begin_write();
            let now = self.clock.now();
            let since = Millis(self.known_until_ms.load(Relaxed));
            match self.store.renew_lease(self.lease_request(now), since).await {
                Ok(renewal) => {
                    downtimes.end_write();
                    if is_failing {
                        tracing::info!("the lease of this node has been renewed again");
                    }
                    is_failing = false;
                    if std::mem::take(&mut is_in_doubt) {
                        // In the store, a node with a new lease has no connected players. The time that this
                        // node's players lost is covered by the pauses that it has recorded.
                        services.rooms.mark_all_unstored();
                    }
                    self.renewed(now, renewal, &services);
                }
                Err(error) => {
                    self.metrics.lease_failed();
                    if !is_failing {
                        tracing::warn!(%error, "could not renew the lease of this node; will retry");
                    }
                    is_failing = true;
                    is_in_doubt = true;
                }
            }
        }
    }

    fn lease_request(&self, now: Millis) -> LeaseRequest {
        LeaseRequest {
            id: self.id.clone(),
            address: self.address.clone(),
            is_serving: true,
            now,
            clock: lease_clock(&self.clock),
        }
    }

    fn renewed(self: &Arc<Self>, now: Millis, renewal: Renewal, services: &NodeServices) {
        let Renewal { was_valid, cut_off, nodes, downtimes } = renewal;
        services.ledger.downtimes().merge_stored(&downtimes);
        if let Some(last) = downtimes.last() {
            self.known_until_ms.fetch_max(last.until.0, Relaxed);
        }
        self.metrics.lease_renewed(was_valid);
        if !self.has_bus && nodes.len() > self.alive.load(Relaxed).max(1) {
            neighbours::warn(&self.id, &nodes);
        }
        self.alive.store(nodes.len(), Relaxed);
        if was_valid {
            self.lease.renewed_at(now);
            return;
        }
        tracing::warn!(node = %self.id, "other nodes considered this node dead; it starts over");
        // The refunds that follow, as for any dead node, cover the pauses that this node has itself detected.
        services.ledger.downtimes().clear_own();
        services.rooms.mark_all_unstored();
        let (nodes, ledger) = (Arc::clone(self), Arc::clone(&services.ledger));
        self.tasks.spawn(async move {
            if let Some(cut_off) = cut_off {
                nodes.refund_all(&cut_off, &ledger).await;
            }
            // The games continue after the refunds, or at the next renewal if the refunds take longer.
            nodes.lease.renewed_at(now);
        });
    }

    /// Corrects the clock towards the database's.
    async fn follow_clock(self: Arc<Self>, services: NodeServices) {
        let Some(clock) = &self.shared_clock else { return std::future::pending().await };
        let mut rounds = interval(ROUND);
        loop {
            rounds.tick().await;
            let offset = match clock.measure(&*self.store).await {
                Ok(Some(offset)) => offset,
                Ok(None) => return,
                // The renewal of the lease logs the error.
                Err(_) => continue,
            };
            let ahead_ms = services.ledger.downtimes().correct_clock(|| clock.correct(offset));
            self.clock_off_ms.store(offset.offset_ms, Relaxed);
            if offset.differs_by_more_than(MAX_CLOCK_LEAD_MS) && offset.offset_ms > 0 {
                tracing::error!(
                    behind_ms = offset.offset_ms,
                    "the clock was behind the database's and was set forward; no player on this node is \
                     charged for that time"
                );
            }
            let agrees = ahead_ms <= MAX_CLOCK_LEAD_MS;
            if agrees != self.lease.set_clock_agreement(agrees) {
                if agrees {
                    tracing::info!("the clock agrees with the database's again");
                } else {
                    tracing::error!(
                        ahead_ms,
                        "the clock is ahead of the database's, and stands still; until they agree, this node \
                         does not decide whether flags have fallen or take over from other nodes"
                    );
                }
            }
        }
    }

    /// Schedules the games whose time is up but whose deadline has not been handled, because the responsible
    /// node has died.
    async fn find_due_games(self: Arc<Self>, services: NodeServices) {
        let mut rounds = interval(ROUND);
        loop {
            rounds.tick().await;
            log_failure("find games whose time is up", self.schedule_due_games(&services.ledger).await);
        }
    }

    async fn schedule_due_games(&self, ledger: &Ledger) -> Result<(), Error> {
        let overdue = Millis(self.clock.now().0 - OVERDUE_MS);
        let mut after = None;
        loop {
            let due = self.store.list_due(after.as_ref(), overdue, PAGE).await?;
            for game in &due {
                ledger.deadlines().set_if_earlier(&game.id, game.deadline.0);
            }
            let Some(last) = due.last().filter(|_| due.len() >= PAGE as usize) else { return Ok(()) };
            after = Some(Cursor { at: last.deadline, game: last.id.clone() });
        }
    }
}

/// Returns the clock that the store uses to compute when a lease expires.
fn lease_clock(clock: &Arc<dyn Clock>) -> LeaseClock {
    let clock = Arc::clone(clock);
    LeaseClock(Arc::new(move || clock.now()))
}

fn interval(period: Duration) -> Interval {
    let mut rounds = tokio::time::interval(period);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    rounds
}

/// Logs the failure of a duty. Its task goes on.
fn log_failure(task_name: &str, done: Result<(), Error>) {
    if let Err(error) = done {
        error.log();
        tracing::warn!(code = error.code(), "this node could not {task_name}");
    }
}

/// Returns all nodes except the one with this id.
fn others<'a>(id: &'a NodeId, nodes: &'a [Node]) -> impl Iterator<Item = &'a Node> {
    nodes.iter().filter(move |node| node.id != *id)
}
