//! Game deadlines. Each game computes its own deadline. The queue only determines which game to check next.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_protocol::GameId;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::{attendance::Attendance, clock::Clock, error::Error, games::Ledger, lease::Lease};

/// The longest interval between checks of the queue while any game has a deadline. Sleeping until the
/// deadline is not enough, because the server's clock may run at a different rate from tokio's.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// The maximum number of games ended at the same time: enough for them to share transactions, but few enough
/// not to delay turns.
const MAX_CONCURRENT: usize = 128;
/// The delay in milliseconds before a retry if the end of a game could not be stored.
const RETRY_MS: i64 = 1_000;
/// The delay in milliseconds before another check of a game if the player to move may be connected to a dead
/// node.
const RECHECK_MS: i64 = 250;

#[derive(Debug, Default)]
pub(crate) struct Deadlines {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    by_time: BTreeSet<(i64, GameId)>,
    by_game: HashMap<GameId, i64>,
    /// True if this process does not watch deadlines.
    is_disabled: bool,
}

impl Deadlines {
    /// Sets the deadline of a game, or removes it.
    pub(crate) fn set(&self, game: &GameId, at_ms: Option<i64>) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        self.set_in(queue, game, at_ms);
    }

    fn set_in(&self, mut queue: MutexGuard<'_, Queue>, game: &GameId, at_ms: Option<i64>) {
        let previous = queue.by_game.get(game).copied();
        if previous == at_ms || queue.is_disabled {
            return;
        }
        if let Some(previous) = previous {
            queue.by_time.remove(&(previous, game.clone()));
        }
        match at_ms {
            Some(at_ms) => {
                queue.by_game.insert(game.clone(), at_ms);
                queue.by_time.insert((at_ms, game.clone()));
                // Only a new earliest deadline changes the time to sleep.
                if queue.by_time.first().is_some_and(|(_, first)| first == game) {
                    self.changed.notify_one();
                }
            }
            None => {
                queue.by_game.remove(game);
            }
        }
    }

    /// Sets the deadline of a game, unless it already has an earlier one.
    pub(crate) fn set_if_earlier(&self, game: &GameId, at_ms: i64) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.by_game.get(game).is_none_or(|known| at_ms < *known) {
            self.set_in(queue, game, Some(at_ms));
        }
    }

    /// Drops all deadlines and ignores new ones. Called in processes that do not watch deadlines.
    pub(crate) fn disable(&self) {
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) =
            Queue { is_disabled: true, ..Queue::default() };
    }

    /// Returns the number of games in the queue.
    pub(crate) fn len(&self) -> usize {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).by_time.len()
    }

    /// Removes from the queue the game with the earliest deadline, if that has passed, and returns the game.
    fn pop_due(&self, now_ms: i64) -> Option<GameId> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.by_time.first().is_none_or(|(at_ms, _)| *at_ms > now_ms) {
            return None;
        }
        let (_, game) = queue.by_time.pop_first()?;
        queue.by_game.remove(&game);
        Some(game)
    }

    /// Returns the time until the next check, or `None` if the queue is empty.
    fn pause(&self, now_ms: i64) -> Option<Duration> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let (at_ms, _) = queue.by_time.first()?;
        let remaining = Duration::from_millis(at_ms.saturating_sub(now_ms).max(1).unsigned_abs());
        Some(remaining.min(CHECK_INTERVAL))
    }
}

/// Ends games whose deadlines have passed, whenever this node may judge flags, until `stop` is cancelled.
pub(crate) async fn watch(
    ledger: Arc<Ledger>,
    attendance: Arc<Attendance>,
    lease: Arc<Lease>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    loop {
        while lease.may_judge()
            && let Some(id) = ledger.deadlines().pop_due(clock.now().0)
        {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
            let (ledger, attendance, clock) =
                (Arc::clone(&ledger), Arc::clone(&attendance), Arc::clone(&clock));
            tokio::spawn(async move {
                if let Err(error) = end_if_due(&id, &ledger, &attendance, &*clock).await {
                    error.log();
                    tracing::warn!(game = %id, code = error.code(), "could not end a game whose time is up; will retry");
                    ledger.deadlines().set(&id, Some(clock.now().0 + RETRY_MS));
                }
                drop(permit);
            });
        }
        let pause = ledger.deadlines().pause(clock.now().0).map(|pause| {
            // If this node may not judge flags, a deadline in the past must not make the loop spin.
            if lease.may_judge() { pause } else { CHECK_INTERVAL }
        });
        let pause = async {
            match pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = ledger.deadlines().changed.notified() => {}
            () = pause => {}
        }
    }
}

/// Ends a game whose deadline has passed. If the player to move is connected to a node that may have died,
/// the game is checked again later.
async fn end_if_due(
    id: &GameId,
    ledger: &Arc<Ledger>,
    attendance: &Attendance,
    clock: &dyn Clock,
) -> Result<(), Error> {
    if attendance.is_shared() {
        let game = match ledger.load(id).await {
            Err(Error::GameNotFound) => return Ok(()),
            loaded => loaded?,
        };
        let Some(deadline) = game.next_deadline_ms() else { return Ok(()) };
        if deadline > clock.now().0 {
            ledger.deadlines().set(id, Some(deadline));
            return Ok(());
        }
        if attendance.is_uncertain(id, game.side_to_move(), deadline).await? {
            ledger.deadlines().set(id, Some(clock.now().0 + RECHECK_MS));
            return Ok(());
        }
    }
    ledger.tick(id).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_returned_in_the_order_of_their_deadlines() {
        let deadlines = Deadlines::default();
        let game = GameId::from_random;
        deadlines.set(&game(1), Some(300));
        deadlines.set(&game(2), Some(100));
        deadlines.set(&game(3), Some(200));
        deadlines.set(&game(1), Some(50));
        deadlines.set(&game(3), None);
        assert_eq!(deadlines.pop_due(49), None);
        assert_eq!(deadlines.pop_due(100), Some(game(1)));
        assert_eq!(deadlines.pop_due(100), Some(game(2)));
        assert_eq!((deadlines.pop_due(1000), deadlines.len()), (None, 0));
    }

    #[test]
    fn a_process_that_does_not_watch_deadlines_keeps_none() {
        let deadlines = Deadlines::default();
        deadlines.set(&GameId::from_random(1), Some(100));
        deadlines.disable();
        deadlines.set(&GameId::from_random(2), Some(200));
        deadlines.set_if_earlier(&GameId::from_random(3), 300);
        assert_eq!((deadlines.pop_due(1_000), deadlines.len()), (None, 0));
    }
}
