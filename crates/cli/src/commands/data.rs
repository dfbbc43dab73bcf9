//! Helpers for the commands that work on the data.

use adoube_bus::Bus as _;
use adoube_bus_nats::NatsBus;
use adoube_protocol::Millis;
use adoube_server::{Announcement, Clock as _, SystemClock, SystemEntropy, announce, house_id, maintenance};
use adoube_store::Store;
use adoube_store_sqlite::{CheckLog, ClampTimes};
use anyhow::ensure;
use tokio::runtime;

use crate::settings::{BusSettings, EARLIEST};

/// Checks and corrects the logs of games for the store, which does not interpret them.
pub(crate) struct Logs;

impl CheckLog for Logs {
    fn check(&self, bodies: &[String]) -> Result<(), String> {
        maintenance::check_log(bodies.iter().map(String::as_str))
    }
}

impl ClampTimes for Logs {
    fn log(&self, bodies: &mut [String], latest: Millis) -> Result<(), String> {
        maintenance::set_log_back(bodies, latest)
    }
}

/// Returns the system time.
///
/// # Errors
///
/// If the time is before [`EARLIEST`].
pub(crate) fn system_time() -> anyhow::Result<Millis> {
    let now = SystemClock::new().now();
    ensure!(now >= EARLIEST, "the system clock shows a time before this program was written; set it first");
    Ok(now)
}

pub(crate) fn in_runtime<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    Ok(runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}

/// Notifies the servers of a change to their data. Without a bus, or if it cannot be reached, they detect the
/// change in the shared database themselves. If the data is a file, no notice is needed, because no server
/// uses it while a command changes it.
pub(crate) async fn announce_change(
    store: &dyn Store,
    bus: &BusSettings,
    change: Announcement,
) -> anyhow::Result<()> {
    let Some(settings) = bus.nats().filter(|_| store.is_shared()) else {
        return Ok(announce(store, None, change).await?);
    };
    match NatsBus::open(&settings, &house_id(store, &SystemEntropy).await?).await {
        Ok(bus) => {
            announce(store, Some(&bus), change).await?;
            bus.close().await;
        }
        Err(error) => {
            eprintln!("adoube: {error}; the servers will find the change in the database within seconds");
            announce(store, None, change).await?;
        }
    }
    Ok(())
}
