//! The server's periodic work: storing heartbeats, detecting pauses, watching deadlines and free space,
//! evicting idle games from memory, and deleting old data.

use std::{sync::Arc, time::Duration};

use adoube_protocol::Millis;
use adoube_store::{Boot, Store, StoreError};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::{
    attendance::Attendance,
    clock::Clock,
    clock_check::ClockCheck,
    config::Config,
    deadlines,
    downtimes::{CHECK_INTERVAL, Downtimes},
    free_space::FreeSpace,
    games::Games,
    lease::Lease,
    tidy,
};

/// The interval between heartbeats. After a crash, up to this much time during which the server was still
/// running counts as downtime.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// The number of heartbeats between two evictions of idle games.
const FORGET_EVERY: u64 = 30;

/// Starts the tasks that watch deadlines, detect pauses of the process, store heartbeats and evict idle
/// games.
pub(crate) fn start_housekeeping(
    games: &Arc<Games>,
    (attendance, lease): (&Arc<Attendance>, &Arc<Lease>),
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    boot: (ClockCheck, Option<Boot>),
    stop: &CancellationToken,
) {
    let ledger = Arc::clone(&games.ledger);
    let (attendance, lease) = (Arc::clone(attendance), Arc::clone(lease));
    tokio::spawn(deadlines::watch(ledger, attendance, lease, Arc::clone(clock), stop.clone()));
    let (games, store, clock) = (Arc::clone(games), Arc::clone(store), Arc::clone(clock));
    tokio::spawn(check_regularly(Arc::clone(games.ledger.downtimes()), stop.clone()));
    tokio::spawn(housekeeping(games, store, clock, boot, stop.clone()));
}

/// Stores a heartbeat every second while any game has a deadline. Once every [`FORGET_EVERY`] seconds, evicts
/// idle games from memory and updates the stored boot time of the host.
async fn housekeeping(
    games: Arc<Games>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    (check, mut stored_boot): (ClockCheck, Option<Boot>),
    stop: CancellationToken,
) {
    let mut seconds = tokio::time::interval(HEARTBEAT);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for second in 0u64.. {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = seconds.tick() => {}
        }
        // If the store is shared, each node renews its lease instead.
        if !store.is_shared() && games.ledger.deadlines().len() > 0 {
            let downtimes = games.ledger.downtimes();
            downtimes.begin_write();
            match heartbeat(&*store, downtimes, clock.now()).await {
                Ok(()) => downtimes.end_write(),
                Err(error) => tracing::warn!(%error, "could not store the heartbeat"),
            }
        }
        if second % FORGET_EVERY == 0 {
            games.ledger.evict_idle();
            if let Some(boot) = clock.boot().filter(|boot| check.is_successor_of(boot, stored_boot.as_ref()))
            {
                match store.set_last_boot(&boot).await {
                    Ok(()) => stored_boot = Some(boot),
                    Err(error) => tracing::debug!(%error, "could not store the boot time"),
                }
            }
        }
    }
}

/// Detects pauses of the process until `stop` is cancelled.
async fn check_regularly(downtimes: Arc<Downtimes>, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        downtimes.check();
    }
}

/// Stores a heartbeat. Known downtimes are stored first, because until then the gap between
/// two heartbeats is the only trace of a downtime, and this heartbeat closes it.
async fn heartbeat(store: &dyn Store, downtimes: &Downtimes, now: Millis) -> Result<(), StoreError> {
    let unsaved = downtimes.unsaved();
    for downtime in &unsaved {
        store.add_downtime(*downtime).await?;
    }
    downtimes.set_saved(&unsaved);
    store.record_heartbeat(now).await
}

/// Stores the time at which this process stopped, then closes the store. All clocks stop at `stopped_at`,
/// because no player could play from then on. A process that is one of several nodes has already handed over,
/// so it only closes the store.
pub(crate) async fn finish(store: &dyn Store, downtimes: &Downtimes, stopped_at: Millis) {
    if !store.is_shared()
        && let Err(error) = heartbeat(store, downtimes, stopped_at).await
    {
        tracing::warn!(%error, "could not record that this process stopped");
    }
    store.close().await;
}

/// Starts deleting old data and monitoring the free space. Returns the monitor.
pub(crate) fn start_tidying(
    config: &Config,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    stop: &CancellationToken,
) -> Arc<FreeSpace> {
    let (measured_store, store, clock) = (Arc::clone(store), Arc::clone(store), Arc::clone(clock));
    tokio::spawn(tidy::sweep(store, clock, config.retention, config.first_sweep, stop.clone()));
    let free_space = FreeSpace::new(move || measured_store.free_bytes(), config.limits.low_disk_bytes);
    tokio::spawn(Arc::clone(&free_space).watch(stop.clone()));
    free_space
}
