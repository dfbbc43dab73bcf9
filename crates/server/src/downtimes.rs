//! Downtimes: periods in which no server ran, or the server stalled. They are charged to neither side.
//!
//! A stopped process, a paused host and an unresponsive disk keep players from playing, just as a server
//! that is down does. Therefore the process checks the clock every [`CHECK_INTERVAL`]. It detects a downtime
//! if a check comes more than [`MAX_DELAY_MS`] after the previous one, or if writing a heartbeat to the disk
//! has taken that long. Every decision about a game is preceded by a check, because after a pause the timer
//! for a flag may fire, or a turn may arrive, before the next regular check.
//!
//! If there are several nodes, a pause that one of them detects affects only the players connected to it, and
//! only for the time that they need to connect to another node ([`LONGEST_OWN_MS`]). It is not stored. A
//! period in which no node was running is detected and stored by the next node that starts, and affects all
//! games.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::Downtime;
use tokio::sync::Notify;

use crate::clock::Clock;

/// The interval between checks of the clock.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// The maximum time in milliseconds without a check, or without a response from the disk, that does not count
/// as a downtime.
pub(crate) const MAX_DELAY_MS: i64 = 1_000;
/// The maximum time in milliseconds that a player who was cut off by the server may take to reconnect without
/// being charged for it.
pub(crate) const RETURN_MS: i64 = 5_000;
/// The part of a node's pause, in milliseconds from its beginning, that is not charged to its players.
pub(crate) const LONGEST_OWN_MS: i64 = RETURN_MS;
/// The time in milliseconds after which a pause of this node is forgotten. By then it has long been recorded
/// in the logs of the games.
const OWN_PAUSE_RETENTION_MS: i64 = 10 * 60 * 1_000;

/// All known downtimes.
#[derive(Debug)]
pub(crate) struct Downtimes {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    own_pause: Notify,
}

#[derive(Debug)]
struct State {
    /// Whether there may be other nodes.
    is_shared: bool,
    /// This node's own pauses, in order. Used only if there may be other nodes.
    own: Vec<Downtime>,
    /// The downtimes that affect all games, in order. They do not touch each other.
    all: Vec<Downtime>,
    /// The length of the prefix of `all` that is stored in its current form.
    stored_count: usize,
    last_check: ClockReading,
    /// The time at which the current write of a heartbeat to the disk began, or, once the disk is stuck, the
    /// time of the last check.
    writing: Option<ClockReading>,
    /// True if the disk does not respond. All the time until it responds then counts as a downtime.
    is_stuck: bool,
    /// True if this process does not serve players, so its own pauses are not downtimes.
    serves_no_players: bool,
}

#[derive(Clone, Copy, Debug)]
struct ClockReading {
    at: Millis,
    /// The reading of [`Clock::steady_ms`], which advances during pauses.
    steady_ms: i64,
}

impl Downtimes {
    /// `known` contains the downtimes before this process started. `is_shared` says whether there may be
    /// other nodes.
    pub(crate) fn new(clock: Arc<dyn Clock>, known: Vec<Downtime>, is_shared: bool) -> Self {
        let last_check = read_clock(&*clock);
        let all = merged(known);
        let stored_count = all.len();
        let state = State {
            is_shared,
            own: Vec::new(),
            all,
            stored_count,
            last_check,
            writing: None,
            is_stuck: false,
            serves_no_players: false,
        };
        Self { clock, state: Mutex::new(state), own_pause: Notify::new() }
    }

    /// Configures the downtimes for a process that does not serve players and therefore ignores its own
    /// pauses.
    pub(crate) fn for_worker(self) -> Self {
        self.state().serves_no_players = true;
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Detects whether the server has stalled. Returns the current time, up to which all downtimes are known.
    pub(crate) fn check(&self) -> Millis {
        // The clock is read under the lock so that concurrent checks see increasing times.
        let mut state = self.state();
        self.detect_pause(&mut state).at
    }

    /// Reads the clock and detects whether the server has stalled since the last reading.
    fn detect_pause(&self, state: &mut State) -> ClockReading {
        let reading = read_clock(&*self.clock);
        if state.detect_pause(reading) {
            self.own_pause.notify_one();
        }
        reading
    }

    /// Waits until this node has detected a pause of its own or an extension of one.
    pub(crate) async fn wait_for_own(&self) {
        self.own_pause.notified().await;
    }

    /// Forgets this node's own pauses, because its lease has expired and the refunds that follow include
    /// them.
    pub(crate) fn clear_own(&self) {
        self.state().own.clear();
    }

    /// Calls `correct`, which corrects the clock. If this sets the clock forward by more than
    /// [`MAX_DELAY_MS`], the skipped time counts as a pause.
    pub(crate) fn correct_clock<T>(&self, correct: impl FnOnce() -> T) -> T {
        // The lock is held so that no decision uses the new time before the pause is recorded.
        let mut state = self.state();
        let before = self.detect_pause(&mut state);
        let result = correct();
        let after = read_clock(&*self.clock);
        if after.at.0 - before.at.0 > MAX_DELAY_MS && state.add_own(before.at, after.at) {
            self.own_pause.notify_one();
        }
        state.last_check = after;
        result
    }

    /// Records that a heartbeat is being written to the disk.
    pub(crate) fn begin_write(&self) {
        let mut state = self.state();
        let reading = self.detect_pause(&mut state);
        state.writing.get_or_insert(reading);
    }

    /// Records that the heartbeat is stored. Must not be called if the store has refused the write, for
    /// example because the disk is full: games cannot continue then, so the time counts as a downtime.
    pub(crate) fn end_write(&self) {
        let mut state = self.state();
        self.detect_pause(&mut state);
        state.writing = None;
        state.is_stuck = false;
    }

    /// Adds downtimes that other processes have detected and stored.
    pub(crate) fn merge_stored(&self, stored: &[Downtime]) {
        if stored.is_empty() {
            return;
        }
        let mut state = self.state();
        let all = state.all.iter().chain(stored).copied().collect();
        state.all = merged(all);
        state.stored_count = state.all.len();
    }

    /// Returns the downtimes that are not yet stored in their current form.
    pub(crate) fn unsaved(&self) -> Vec<Downtime> {
        let state = self.state();
        state.all.get(state.stored_count..).unwrap_or_default().to_vec()
    }

    /// Marks downtimes as stored.
    pub(crate) fn set_saved(&self, saved: &[Downtime]) {
        let mut state = self.state();
        for downtime in saved {
            // A downtime that has been extended in the meantime must be stored again.
            if state.all.get(state.stored_count) == Some(downtime) {
                state.stored_count += 1;
            }
        }
    }

    /// Returns the downtimes that affect all games and end after `at_ms`.
    pub(crate) fn after(&self, at_ms: i64) -> Vec<Downtime> {
        let state = self.state();
        let first = state.all.partition_point(|downtime| downtime.until.0 <= at_ms);
        state.all[first..].to_vec()
    }

    /// Returns the end of the latest downtime of all nodes, if players may still be reconnecting after it.
    pub(crate) fn ended_recently(&self, at_ms: i64) -> Option<Millis> {
        let last = self.after(at_ms - RETURN_MS).into_iter().rfind(|downtime| downtime.until.0 <= at_ms);
        last.map(|downtime| downtime.until)
    }

    /// Returns the time from which a player who was cut off at `at` could reconnect. This is `at` itself, or,
    /// if all nodes went down before the player had [`RETURN_MS`] to reconnect, the end of that downtime.
    pub(crate) fn end_of_outage(&self, at: Millis) -> Millis {
        let prevents = |at: Millis, down: &Downtime| down.from.0 <= at.0 + RETURN_MS;
        let later = self.after(at.0).into_iter();
        later.fold(at, |at, down| if prevents(at, &down) { down.until } else { at })
    }

    /// Returns the total downtime between two times, in milliseconds, including the uncharged parts of this
    /// node's own pauses.
    pub(crate) fn within_ms(&self, from_ms: i64, until_ms: i64) -> i64 {
        let overlap = |down: &Downtime| (down.until.0.min(until_ms) - down.from.0.max(from_ms)).max(0);
        let mut downtimes = self.after(from_ms);
        downtimes.extend(self.own_since(from_ms));
        merged(downtimes).iter().map(overlap).sum()
    }

    /// Returns those parts of this node's own pauses that are not charged to its players and end after
    /// `at_ms`.
    pub(crate) fn own_since(&self, at_ms: i64) -> impl Iterator<Item = Downtime> + use<> {
        let own = self.state().own.clone();
        own.into_iter().map(uncharged).filter(move |own| own.until.0 > at_ms)
    }
}

/// Returns the part of a node's own pause that is not charged to its players.
fn uncharged(own: Downtime) -> Downtime {
    Downtime { until: Millis(own.until.0.min(own.from.0 + LONGEST_OWN_MS)), ..own }
}

/// Sorts downtimes and merges those that touch. For example, a pause detected just before a crash touches the
/// downtime between the crash and the next start.
fn merged(mut downtimes: Vec<Downtime>) -> Vec<Downtime> {
    downtimes.sort_by_key(|downtime| downtime.from);
    let mut all: Vec<Downtime> = Vec::with_capacity(downtimes.len());
    for downtime in downtimes {
        match all.last_mut() {
            Some(last) if downtime.from <= last.until => last.until = last.until.max(downtime.until),
            _ => all.push(downtime),
        }
    }
    all
}

fn read_clock(clock: &dyn Clock) -> ClockReading {
    ClockReading { at: clock.now(), steady_ms: clock.steady_ms() }
}

impl State {
    /// Records a pause or an unresponsive disk, if there is one. Returns `true` if this node's players are
    /// now charged less time.
    fn detect_pause(&mut self, reading: ClockReading) -> bool {
        if self.serves_no_players {
            return false;
        }
        let is_late = |since: ClockReading| reading.steady_ms - since.steady_ms > MAX_DELAY_MS;
        let paused = Some(self.last_check).filter(|seen| is_late(*seen));
        let stuck = self.writing.filter(|writing| self.is_stuck || is_late(*writing));
        let from = [paused, stuck].into_iter().flatten().map(|since| since.at).min();
        let found_own = from.is_some_and(|from| self.add_own(from, reading.at));
        if stuck.is_some() {
            self.is_stuck = true;
            self.writing = Some(reading);
        }
        self.last_check = reading;
        found_own
    }

    /// Adds a downtime that this process has detected. Returns `true` if it is a pause of this node alone
    /// and its players are charged less time: a new pause, or an extension of the last one. Only the first
    /// [`LONGEST_OWN_MS`] of a pause go uncharged, so extending a longer pause makes no difference.
    fn add_own(&mut self, from: Millis, until: Millis) -> bool {
        if self.is_shared {
            self.own.retain(|own| own.until.0 > until.0 - OWN_PAUSE_RETENTION_MS);
            let before = self.own.last().copied().map(uncharged);
            add(&mut self.own, from, until);
            self.own.last().copied().map(uncharged) != before
        } else {
            let first_changed = add(&mut self.all, from, until);
            // A downtime that has been extended must be stored again.
            self.stored_count = self.stored_count.min(first_changed);
            false
        }
    }
}

/// Adds a downtime to an ordered list, or extends the last one if they touch. Returns the index of the first
/// downtime that has changed, or the length of the list if none has.
fn add(all: &mut Vec<Downtime>, from: Millis, until: Millis) -> usize {
    let last_end = all.last().map_or(i64::MIN, |last| last.until.0);
    let count = all.len();
    if let Some(last) = all.last_mut().filter(|_| from.0 <= last_end) {
        if until.0 > last_end {
            last.until = until;
            return count - 1;
        }
    } else if until > from {
        tracing::warn!(ms = until.0 - from.0, "the server stalled");
        all.push(Downtime { from, until });
    }
    count
}

#[cfg(test)]
mod tests;
