//! Helpers of the commands that work on the data.

use adoube_protocol::Millis;
use adoube_server::{Clock as _, SystemClock, maintenance};
use adoube_store_sqlite::{CheckLog, SetBack};
use anyhow::ensure;
use tokio::runtime;

use crate::settings::EARLIEST;

/// Lets the store check and correct logs.
pub(crate) struct Logs;

impl CheckLog for Logs {
    fn check(&self, bodies: &[String]) -> Result<(), String> {
        maintenance::check_log(bodies.iter().map(String::as_str))
    }
}

impl SetBack for Logs {
    fn log(&self, bodies: &mut [String], latest: Millis) -> Result<(), String> {
        maintenance::set_log_back(bodies, latest)
    }
}

/// Returns the system's time.
///
/// # Errors
///
/// If it cannot be right.
pub(crate) fn system_time() -> anyhow::Result<Millis> {
    let now = SystemClock::new().now();
    ensure!(now >= EARLIEST, "the system's clock shows a time before this program was written; set it first");
    Ok(now)
}

pub(crate) fn in_runtime<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    Ok(runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}
