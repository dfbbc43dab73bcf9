//! A simulated process as seen from outside. It may crash, and it may be stopped for a while.

use std::{
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use adoube_protocol::Millis;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::Clock;

/// The connections of one process to everything outside of it: database, bus, clients and clock.
///
/// After a crash, nothing passes through them. While the process is stopped, as `SIGSTOP` would stop it,
/// nothing passes either, and its clock does not advance. Everything that its tasks do in the meantime takes
/// effect only when the process continues. The clock may be slow afterwards, until it is compared with
/// the database's.
#[derive(Clone, Debug)]
pub(super) struct Process(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    index: usize,
    crashed: CancellationToken,
    stopped: Mutex<Stopped>,
}

#[derive(Debug, Default)]
struct Stopped {
    since: Option<Instant>,
    /// Whether the clock loses the time of this stop, as it does when the computer is suspended.
    loses_time: bool,
    /// How far the clock is behind because of earlier stops.
    missed: Duration,
    waiting: Vec<Waker>,
}

impl Process {
    pub(super) fn new(index: usize) -> Self {
        Self(Arc::new(Inner { index, crashed: CancellationToken::new(), stopped: Mutex::default() }))
    }

    /// Returns the index of the process in its house.
    pub(super) fn index(&self) -> usize {
        self.0.index
    }

    pub(super) fn crash(&self) {
        self.0.crashed.cancel();
        self.resume();
    }

    pub(super) fn is_crashed(&self) -> bool {
        self.0.crashed.is_cancelled()
    }

    /// Completes when the process has crashed.
    pub(super) async fn crashed(&self) {
        self.0.crashed.cancelled().await;
    }

    fn stopped(&self) -> MutexGuard<'_, Stopped> {
        self.0.stopped.lock().unwrap()
    }

    /// Stops the process. Returns `false` if it had already been stopped or had crashed. If `loses_time`, the
    /// clock does not count the time of the stop, and is slow from then on.
    pub(super) fn suspend(&self, loses_time: bool) -> bool {
        let mut stopped = self.stopped();
        if stopped.since.is_some() || self.is_crashed() {
            return false;
        }
        stopped.since = Some(Instant::now());
        stopped.loses_time = loses_time;
        true
    }

    pub(super) fn resume(&self) {
        let waiting = {
            let mut stopped = self.stopped();
            if let Some(since) = stopped.since.take()
                && stopped.loses_time
            {
                stopped.missed += since.elapsed();
            }
            std::mem::take(&mut stopped.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Returns the current time of the process, which does not advance while it is stopped.
    fn now(&self) -> Instant {
        let stopped = self.stopped();
        stopped.since.unwrap_or_else(Instant::now) - stopped.missed
    }

    pub(super) fn poll_running(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut stopped = self.stopped();
        if stopped.since.is_none() {
            return Poll::Ready(());
        }
        if !stopped.waiting.iter().any(|waker| waker.will_wake(context.waker())) {
            stopped.waiting.push(context.waker().clone());
        }
        Poll::Pending
    }

    /// Completes as soon as the process is no longer stopped.
    pub(super) async fn running(&self) {
        std::future::poll_fn(|context| self.poll_running(context)).await;
    }
}

/// The start of every simulation, in milliseconds since 1970.
pub(super) const BEGIN_MS: i64 = 1_700_000_000_000;

/// A process's system clock. It follows the paused time of the runtime, with an offset of its own.
#[derive(Debug)]
pub(super) struct SimClock {
    pub(super) process: Process,
    pub(super) started: Instant,
    pub(super) offset_ms: i64,
    pub(super) reports_pauses: bool,
    /// The latest time returned. It is kept because this clock never goes backwards.
    pub(super) newest_ms: AtomicI64,
}

impl Clock for SimClock {
    fn now(&self) -> Millis {
        let elapsed = self.process.now().saturating_duration_since(self.started).as_millis() as i64;
        let now = BEGIN_MS + self.offset_ms + elapsed;
        Millis(self.newest_ms.fetch_max(now, Relaxed).max(now))
    }

    fn steady_ms(&self) -> i64 {
        if self.reports_pauses { self.now().0 } else { 0 }
    }
}
