//! Messages to the service manager that started the process, such as systemd (see `sd_notify(3)`).
//!
//! Without a service manager, nothing is sent.

#[cfg(unix)]
use sd_notify::NotifyState;
use tokio_util::task::AbortOnDropHandle;

/// Reports to the service manager that the process is alive, until this is dropped.
#[derive(Debug)]
pub(crate) struct Service {
    _watchdog: Option<AbortOnDropHandle<()>>,
}

impl Service {
    /// Reports that the process is ready. After that, if the manager requests it (`WatchdogSec=`), reports
    /// twice per period that the process is alive. The reports are sent by a task on this runtime: if all its
    /// threads are stuck, the reports stop, and the manager restarts the process.
    #[cfg(unix)]
    pub(crate) fn ready(status: &str) -> Self {
        notify(&[NotifyState::Ready, NotifyState::Status(status)]);
        let watchdog = sd_notify::watchdog_enabled().map(|period| {
            let alive = async move {
                let mut ticks = tokio::time::interval(period / 2);
                ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
                loop {
                    ticks.tick().await;
                    notify(&[NotifyState::Watchdog]);
                }
            };
            AbortOnDropHandle::new(tokio::spawn(alive))
        });
        Self { _watchdog: watchdog }
    }

    #[cfg(not(unix))]
    pub(crate) fn ready(_: &str) -> Self {
        Self { _watchdog: None }
    }

    /// Waits until the process is told to stop, and reports that it is stopping. The liveness reports
    /// continue until this is dropped.
    pub(crate) async fn report_stopping_after(&self, stop_requested: impl Future<Output = ()>) {
        stop_requested.await;
        #[cfg(unix)]
        notify(&[NotifyState::Stopping]);
    }
}

/// Sends states to the service manager, if `NOTIFY_SOCKET` is set.
#[cfg(unix)]
fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager was not notified");
    }
}
