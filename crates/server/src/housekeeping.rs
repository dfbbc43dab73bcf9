//! What the server does by itself, all the time: it says that it is there, watches deadlines and free space, and forgets what is idle.

use std::{sync::Arc, time::Duration};

use adoube_protocol::Millis;
use adoube_store::{Boot, Store, StoreError};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::{
    clock::Clock,
    clock_check::ClockCheck,
    config::Config,
    deadlines,
    downtimes::{Downtimes, PULSE},
    free_space::FreeSpace,
    games::Games,
    tidy,
};

/// What a crash may cost at most: so long before it, time is charged to nobody although the server was there.
const BEAT: Duration = Duration::from_secs(1);
/// Beats.
const FORGET_EVERY: u64 = 30;

pub(crate) fn keep_house(
    games: &Arc<Games>,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    boot: (ClockCheck, Option<Boot>),
    stop: &CancellationToken,
) {
    tokio::spawn(deadlines::watch(Arc::clone(&games.ledger), Arc::clone(clock), stop.clone()));
    let (games, store, clock) = (Arc::clone(games), Arc::clone(store), Arc::clone(clock));
    tokio::spawn(pulse(Arc::clone(games.ledger.downtimes()), stop.clone()));
    tokio::spawn(housekeeping(games, store, clock, boot, stop.clone()));
}

/// Says every second that the server is here, as long as anybody's time runs; and forgets what is idle.
async fn housekeeping(
    games: Arc<Games>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    (check, mut noted): (ClockCheck, Option<Boot>),
    stop: CancellationToken,
) {
    let mut seconds = tokio::time::interval(BEAT);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for second in 0u64.. {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = seconds.tick() => {}
        }
        if games.ledger.deadlines().len() > 0 {
            let downtimes = games.ledger.downtimes();
            downtimes.begin_write();
            match beat(&*store, downtimes, clock.now()).await {
                Ok(()) => downtimes.end_write(),
                Err(error) => tracing::warn!(%error, "the server could not say that it is here"),
            }
        }
        if second % FORGET_EVERY == 0 {
            games.ledger.forget_idle();
            if let Some(boot) = clock.boot().filter(|boot| check.follows(boot, noted.as_ref())) {
                match store.set_last_boot(&boot).await {
                    Ok(()) => noted = Some(boot),
                    Err(error) => tracing::debug!(%error, "the time of the boot was not written down"),
                }
            }
        }
    }
}

/// Looks all the time whether the server still goes, until `stop`.
async fn pulse(downtimes: Arc<Downtimes>, stop: CancellationToken) {
    let mut pulses = tokio::time::interval(PULSE);
    pulses.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = pulses.tick() => {}
        }
        downtimes.look();
    }
}

/// Says that the server was here at that time. What is known of pauses goes first: after a beat, nothing else tells of them.
async fn beat(store: &dyn Store, downtimes: &Downtimes, now: Millis) -> Result<(), StoreError> {
    let unsaved = downtimes.unsaved();
    for downtime in &unsaved {
        store.add_downtime(*downtime).await?;
    }
    downtimes.set_saved(&unsaved);
    store.beat(now).await
}

/// Closes the store for good. Nobody's clock runs from when the server began to stop: since then nobody could play.
pub(crate) async fn finish(store: &dyn Store, downtimes: &Downtimes, stopped_at: Millis) {
    if let Err(error) = beat(store, downtimes, stopped_at).await {
        tracing::warn!(%error, "the end of this process was not written down");
    }
    store.close().await;
}

/// Deletes what is too old, and watches how much room there is.
pub(crate) fn keep_room(
    config: &Config,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    stop: &CancellationToken,
) -> Arc<FreeSpace> {
    let (measured, store, clock) = (Arc::clone(store), Arc::clone(store), Arc::clone(clock));
    tokio::spawn(tidy::sweep(store, clock, config.retention, config.first_sweep, stop.clone()));
    let free_space = FreeSpace::new(move || measured.free_bytes(), config.limits.low_disk_bytes);
    tokio::spawn(Arc::clone(&free_space).watch(stop.clone()));
    free_space
}
