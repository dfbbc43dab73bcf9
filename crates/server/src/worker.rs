//! A worker: a process that computes the machine's turns and proofs, and does not serve players. If it can
//! send e-mails, it also sends reminders.
//!
//! It holds its own kind of lease, because it has no players whose clocks would be affected if it died. Once
//! the lease has expired, other processes take over its claims. It does not decide whether flags have fallen,
//! and its own pauses are not downtimes.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use adoube_bus::Bus;
use adoube_protocol::Millis;
use adoube_store::{LEASE_MS, NodeId, Store};
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{net::TcpListener, sync::Notify, time::MissedTickBehavior};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::{Caches, Services, address, follow_changes, open_message_senders, startup_error},
    attendance::Attendance,
    claims::Claims,
    clock::{Clock, MonotonicClock, SharedClock},
    config::{Config, Thinking, Token},
    downtimes::Downtimes,
    games::{self, Games},
    handlers::operator::{health, require_token},
    jobs::JobWorker,
    lease::Lease,
    machine::{self, MachineNotifier},
    metrics::{Gauges, Metrics},
    proofs::Proofs,
    rooms::Rooms,
    serve::serve_metrics,
    serve_error::ServeError,
    work_notice,
};

/// The interval between renewals of the lease.
const RENEWAL: Duration = Duration::from_secs(1);
/// The number of renewals between successive evictions of idle games.
const FORGET_EVERY: u64 = 30;
/// The amount by which a worker's clock may be ahead of the database's, in milliseconds. Beyond that, it does
/// not claim work, because it would write wrong times to the logs.
const MAX_CLOCK_LEAD_MS: i64 = 2_000;

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    member: Arc<Member>,
    metrics: Option<(TcpListener, Router)>,
    config: Config,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// The registration of this process among the others.
#[derive(Debug)]
struct Member {
    id: NodeId,
    address: String,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    shared_clock: Arc<SharedClock>,
    lease: Arc<Lease>,
    claims: Arc<Claims>,
    games: Arc<Games>,
    bus: Arc<dyn Bus>,
    metrics: Arc<Metrics>,
}

impl Worker {
    /// Registers this process and begins to work.
    ///
    /// # Errors
    ///
    /// If the database serves only one process or cannot be read, or if the metrics address is taken.
    pub async fn start(config: Config, services: Services) -> Result<Self, ServeError> {
        let Services { store, bus, clock, entropy, opponent, mailer } = services.clone();
        if !store.is_shared() {
            return Err(ServeError::WorkerAlone);
        }
        let listener = match config.metrics {
            Some(address) => {
                let failed = |source| ServeError::Listen { address: address.to_string(), source };
                Some(TcpListener::bind(address).await.map_err(failed)?)
            }
            None => None,
        };
        let stop = CancellationToken::new();
        let shared_clock = SharedClock::of(&*store, clock).await?.ok_or(ServeError::WorkerAlone)?;
        // Unlike a server, a worker does not check whether the time is plausible. As on a server, the time
        // must not be earlier than the latest time in the data.
        let newest = store.latest_write().await?;
        let clock = MonotonicClock::from(Arc::clone(&shared_clock) as Arc<dyn Clock>, newest);
        let metrics = Arc::new(Metrics::new(config.version, clock.now()));
        let (emails, pushes) = open_message_senders(&services, &clock, &config, &metrics).await?;
        let Caches { names, house, .. } = follow_changes(&services, config.name_lifetime, &stop).await?;
        let id = NodeId::from_random(entropy.random()?);
        // A predecessor that is still running has a different process id. Only the first process in a
        // container always has the same id, and it starts only after its predecessor has ended.
        let address = address(&format!("worker-{}", std::process::id()), clock.boot().as_ref());
        let now = clock.now();
        let known = store.renew_worker(&id, &address, now, Millis(i64::MIN)).await?.downtimes;
        let lease = Arc::new(Lease::new(Arc::clone(&clock), Some(Millis(now.0 + LEASE_MS))));
        let downtimes = Downtimes::new(Arc::clone(&clock), known, true).for_worker();
        let (notifier, notifications) = MachineNotifier::new();
        let games = Arc::new(Games::new(games::Parts {
            store: Arc::clone(&store),
            bus: Arc::clone(&bus),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
            notifier: notifier.clone(),
            names,
            house,
            attendance: Arc::new(Attendance {
                rooms: Arc::new(Rooms::new(Arc::clone(&clock), Arc::clone(&bus), true)),
                store: Arc::clone(&store),
                clock: Arc::clone(&clock),
            }),
            metrics: Arc::clone(&metrics),
            emails,
            pushes,
            sender: mailer.is_connected().then(|| id.clone()),
            downtimes: Arc::new(downtimes),
            lease: Arc::clone(&lease),
        }));
        games.ledger.deadlines().disable();
        let claims = Arc::new(Claims::new(id.clone(), Arc::clone(&store), Arc::clone(&clock)));
        let tasks = TaskTracker::new();
        let jobs = Arc::new(Notify::new());
        let notices = work_notice::subscribe(&*bus).await.map_err(startup_error)?;
        tokio::spawn(work_notice::follow(notices, notifier.clone(), Arc::clone(&jobs), stop.clone()));
        let machine = machine::Parts {
            thinking: Thinking::InProcess,
            threads: config.worker_threads(),
            round: config.machine_round,
            games: Arc::clone(&games),
            nodes: None,
            claims: Arc::clone(&claims),
            bus: Arc::clone(&bus),
            entropy,
            metrics: Arc::clone(&metrics),
        };
        machine::start(machine, opponent, (notifier, notifications), tasks.clone(), stop.clone());
        let limits = &config.limits;
        let worker = JobWorker {
            claims: Arc::clone(&claims),
            bus: Arc::clone(&bus),
            proofs: Arc::new(Proofs::new(limits.proofs, limits.proof_nodes, limits.proof_time)),
            metrics: Arc::clone(&metrics),
            max_running: limits.proofs,
            waiting_ms: 0,
            wake: jobs,
        };
        tokio::spawn(Arc::new(worker).run(tasks.clone(), stop.clone()));
        let reminders = Arc::clone(&games.reminders);
        tokio::spawn(reminders.watch(Arc::clone(&games.ledger), Arc::clone(&clock), stop.clone()));
        let member =
            Arc::new(Member { id, address, store, clock, shared_clock, lease, claims, games, bus, metrics });
        tokio::spawn(Arc::clone(&member).renew_until_stopped(stop.clone()));
        let token = config.metrics_token.clone();
        let metrics = listener.map(|listener| (listener, router(Arc::clone(&member), token)));
        Ok(Self { member, metrics, config, stop, tasks })
    }

    /// Returns the address on which metrics are served, or `None` if they are not served.
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().and_then(|(listener, _)| listener.local_addr().ok())
    }

    /// Works until `shutdown` completes, or until the store can no longer keep its guarantees. Work in
    /// progress is stopped and left to other processes.
    pub async fn run(mut self, shutdown: impl Future<Output = ()> + Send) -> Result<(), ServeError> {
        tracing::info!(worker = %self.member.id, address = self.member.address, "working");
        if let Some((listener, router)) = self.metrics.take() {
            tokio::spawn(serve_metrics(listener, router, self.config.limits.clone(), self.stop.clone()));
        }
        let result = tokio::select! {
            () = shutdown => Ok(()),
            error = self.member.store.wait_for_failure() => Err(ServeError::Store(error)),
        };
        tracing::info!("stopping");
        self.stop.cancel();
        self.tasks.close();
        if tokio::time::timeout(self.config.limits.farewell, self.tasks.wait()).await.is_err() {
            tracing::warn!(count = self.tasks.len(), "aborted work that did not finish in time");
        }
        if let Err(error) = self.member.store.release_worker(&self.member.id).await {
            tracing::warn!(%error, "could not record that this worker ended; its lease will expire soon");
        }
        self.member.store.close().await;
        tracing::info!("stopped");
        result
    }
}

impl Member {
    /// Renews the lease every second, and whenever a command is waiting for it, until `stop` is cancelled.
    async fn renew_until_stopped(self: Arc<Self>, stop: CancellationToken) {
        let mut rounds = tokio::time::interval(RENEWAL);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut since = self.clock.now();
        for round in 0u64.. {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
                () = self.lease.renewal_requested() => {}
            }
            let now = self.clock.now();
            match self.store.renew_worker(&self.id, &self.address, now, since).await {
                Ok(renewal) => {
                    self.games.ledger.downtimes().merge_stored(&renewal.downtimes);
                    if let Some(last) = renewal.downtimes.last() {
                        since = last.until;
                    }
                    if !renewal.was_valid {
                        tracing::warn!(worker = %self.id, "other processes considered this worker dead");
                    }
                    self.lease.renewed_at(now);
                }
                Err(error) => {
                    tracing::warn!(%error, "could not renew this worker's lease; will retry");
                }
            }
            match self.shared_clock.measure(&*self.store).await {
                Ok(Some(measured)) => self.check_clock_agreement(self.shared_clock.correct(measured)),
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "could not read the database's clock"),
            }
            if round.is_multiple_of(FORGET_EVERY) {
                self.games.ledger.evict_idle();
            }
        }
    }

    /// Pauses claims while the clock is ahead of the database's by more than [`MAX_CLOCK_LEAD_MS`]. A clock
    /// that is behind has already been set forward.
    fn check_clock_agreement(&self, ahead_ms: i64) {
        let agrees = ahead_ms <= MAX_CLOCK_LEAD_MS;
        if agrees != self.lease.set_clock_agreement(agrees) {
            if agrees {
                tracing::info!("the clock agrees with the database's again");
            } else {
                tracing::error!(
                    ahead_ms,
                    "the clock is ahead of the database's, and stands still; this worker does not claim \
                     work until they agree"
                );
            }
        }
        self.claims.set_paused(!agrees);
    }

    /// Returns `true` if the lease is valid and this worker may claim work.
    fn is_ready(&self) -> bool {
        self.lease.may_judge()
    }
}

/// Returns the router for the metrics address, which also reports whether the worker is ready.
fn router(member: Arc<Member>, token: Token) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route_layer(middleware::from_fn_with_state(token, require_token))
        .route("/api/health", get(health))
        .route("/api/ready", get(ready))
        .with_state(member)
}

async fn ready(State(member): State<Arc<Member>>) -> Response {
    if member.is_ready() {
        "ok\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the database does not respond, or its clock differs\n")
            .into_response()
    }
}

async fn metrics(State(member): State<Arc<Member>>) -> Response {
    let gauges = Gauges {
        games_cached: member.games.ledger.cached_count(),
        deadlines: 0,
        seeks: 0,
        connections: 0,
        bus: member.bus.counts(),
        nodes: None,
        writes: member.store.write_counts(),
        free_bytes: None,
        // The servers report the size of the data.
        data_bytes: None,
    };
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, member.metrics.text(gauges)).into_response()
}
