//! A model of a game and its clocks, computed from the log independently of the server.

use std::collections::BTreeMap;

use adoube_game::{EndReason, Event, EventKind, TimeControl, Times};
use adoube_protocol::GameId;
use adoube_rules::{AnyPosition, ByColor, Color, Position as _, coordinate};
use adoube_store::LEASE_MS;

use super::{
    super::{
        disruption::{Disruptions, merged},
        world::{ActName, Record, Span},
    },
    ExpectedCommand,
    connections::{Connections, Turn},
    machine::side_of_machine,
};

/// The maximum delay of a flag: the interval between deadline checks, plus a few round trips to the disk.
const MAX_FLAG_DELAY_MS: i64 = 250 + 400;
/// The interval between heartbeats, plus a few round trips to the disk.
const BEAT_MS: i64 = 1_000 + 300;
/// The delay before a retry after a refusal.
const RETRY_MS: i64 = 1_100;
/// The time from a refused heartbeat until the next one is on the disk.
const RENEWED_HEARTBEAT_MS: i64 = 1_000 + 400;
/// The interval at which a process checks for pauses, with a margin.
const PULSE_MS: i64 = 250 + 50;
/// The time after which another node has taken over from a dead one.
const TAKEOVER_MS: i64 = 5_000;
/// The maximum time that players may take to reconnect after a downtime without being charged for it.
const RETURN_MS: i64 = 5_000;
const LAG_PER_TURN_MS: i64 = 500;
const LAG_ALLOWANCE_MS: i64 = 2_000;
/// The maximum number of disk syncs in one process that can add to the lag of a turn: those that delay storing
/// the position, beginning the session, and handling the pong from which the round trip is measured.
const TRIPS: i64 = 14;
/// The rounding error of the times that make up a lag.
const ROUNDING_MS: i64 = 10;
const LAG_REGAINED_MS: i64 = 100;

/// A game and its clocks, after some of the events in its log.
#[derive(Debug)]
pub(super) struct Model {
    initial: AnyPosition,
    position: AnyPosition,
    machine: Option<Color>,
    pub(super) turns: Vec<String>,
    control: TimeControl,
    started: bool,
    is_over: bool,
    pub(super) remaining: ByColor<i64>,
    /// The clocks at the beginning and after each turn.
    after: Vec<ByColor<i64>>,
    allowance: ByColor<i64>,
    /// The time at which the turn began.
    began: i64,
    /// The part of the turn that was charged to neither side, in milliseconds.
    skipped: i64,
    at: i64,
    /// The periods of the turn that were charged to neither side.
    parts: Vec<(i64, i64)>,
    /// The version of the event that led to the position.
    position_version: u64,
    takeback: Option<Color>,
    draw: Option<Color>,
    downtimes: Vec<(i64, i64)>,
    limits: Limits,
}

/// Tolerances for the time charged to neither side and for the delay of a flag, given the disruptions.
#[derive(Debug)]
enum Limits {
    /// For a house with one process.
    Alone {
        /// The maximum time that may be charged to neither side without a downtime.
        max_uncharged_ms: i64,
        /// The maximum delay of a flag, apart from the time for reconnecting after a downtime.
        max_flag_delay_ms: i64,
        transit: Transit,
        /// The connections, and the times at which a start ended a downtime. `None` if the store has refused
        /// a write, which may have been a refund.
        reconnections: Option<(Connections, Vec<i64>)>,
    },
    Shared {
        disruptions: Disruptions,
        connections: Connections,
    },
}

/// The times that limit the lag of a turn in a house with one process.
#[derive(Debug)]
struct Transit {
    spans: Vec<Span>,
    /// The times at which versions of the game were stored.
    stored_at: BTreeMap<u64, i64>,
    longest_sync_ms: i64,
}

impl Transit {
    fn of(id: &GameId, record: &Record) -> Self {
        let spans = record.spans.iter().filter(|span| span.game == *id && span.side.is_some());
        let stored_at = record.stored_at.iter().filter(|((game, _), _)| game == id);
        Self {
            spans: spans.cloned().collect(),
            stored_at: stored_at.map(|((_, version), at)| (*version, *at)).collect(),
            longest_sync_ms: record.longest_sync_ms,
        }
    }

    /// Returns the maximum lag of the turn after a version: the time until the first of the side's clients
    /// received the version, plus the longest round trip, plus the delay in the process itself.
    fn longest_ms(&self, side: Color, version: u64) -> i64 {
        let Some(stored_at) = self.stored_at.get(&version) else { return LAG_ALLOWANCE_MS };
        let spans = || self.spans.iter().filter(|span| span.side == Some(side));
        let received = spans()
            .flat_map(|span| &span.received_versions)
            .filter(|(known, _)| *known >= version)
            .map(|(_, at)| at - stored_at)
            .min();
        let round_trip_ms = spans().map(|span| span.longest_round_trip_ms).max();
        received.unwrap_or(0) + round_trip_ms.unwrap_or(0) + TRIPS * self.longest_sync_ms + ROUNDING_MS
    }
}

impl Model {
    pub(super) fn new(
        id: &GameId,
        first: &Event,
        record: &Record,
        has_one_process: bool,
        refusals: i64,
    ) -> Result<Self, String> {
        let EventKind::Created { variant, initial_fen, options, seats, .. } = &first.kind else {
            return Err("the log does not begin with the creation".into());
        };
        let position = AnyPosition::from_fen(*variant, initial_fen).map_err(|error| error.to_string())?;
        let initial_ms = match options.clock {
            TimeControl::Fischer { initial_ms, .. } | TimeControl::Delay { initial_ms, .. } => initial_ms,
            other => return Err(format!("no client creates a game with {other:?}")),
        };
        let machine = side_of_machine(&seats.white, &seats.black);
        let limits = if has_one_process {
            Limits::Alone {
                max_uncharged_ms: record.starts as i64 * BEAT_MS
                    + refusals * RENEWED_HEARTBEAT_MS
                    + record.stalls as i64 * PULSE_MS,
                max_flag_delay_ms: MAX_FLAG_DELAY_MS + refusals * RETRY_MS,
                transit: Transit::of(id, record),
                reconnections: (refusals == 0)
                    .then(|| (Connections::of(id, record), record.restarted_at.clone())),
            }
        } else {
            Limits::Shared {
                disruptions: record.disruptions.clone(),
                connections: Connections::of(id, record),
            }
        };
        let both = |ms| ByColor { white: ms, black: ms };
        Ok(Self {
            initial: position.clone(),
            position,
            turns: Vec::new(),
            control: options.clock,
            started: machine.is_some(),
            is_over: false,
            remaining: both(i64::from(initial_ms)),
            after: vec![both(i64::from(initial_ms))],
            allowance: both(LAG_ALLOWANCE_MS),
            began: first.at_ms,
            skipped: 0,
            at: first.at_ms,
            parts: Vec::new(),
            position_version: 1,
            takeback: None,
            draw: None,
            downtimes: merged(&record.downtimes),
            machine,
            limits,
        })
    }

    /// Returns the command that must have caused an event, or `None` if the event needs no command.
    pub(super) fn expected_command(&self, event: &Event) -> Option<ExpectedCommand> {
        let by_name = |by: Option<Color>| Some((by, ActName::Other(name_of(&event.kind))));
        match &event.kind {
            EventKind::Played { color, .. } | EventKind::DrawDeclined { color }
                if self.machine == Some(*color) =>
            {
                None
            }
            EventKind::Ended { reason: EndReason::Agreement, .. }
                if self.machine.is_some() && self.draw == self.machine.map(|color| !color) =>
            {
                None
            }
            EventKind::Played { color, turn, .. } => Some((Some(*color), ActName::Play(turn.clone()))),
            EventKind::DrawOffered { color }
            | EventKind::DrawDeclined { color }
            | EventKind::TakebackProposed { color }
            | EventKind::TakebackDeclined { color }
            | EventKind::TimeGiven { color, .. } => by_name(Some(*color)),
            EventKind::TakenBack { .. } => by_name(self.takeback.map(|color| !color)),
            EventKind::Ended { reason: EndReason::Agreement, .. } => by_name(self.draw.map(|color| !color)),
            EventKind::Ended { reason: EndReason::Resignation, result } => {
                by_name(result.winner().map(|color| !color))
            }
            EventKind::Ended { reason: EndReason::Abandonment, .. } => {
                by_name(Some(!self.position.side_to_move()))
            }
            EventKind::Ended { reason: EndReason::Aborted, .. } => by_name(None),
            _ => None,
        }
    }

    /// Describes the clocks, for debugging.
    pub(super) fn describe(&self) -> String {
        let Self { began, skipped, remaining: left, downtimes, at, .. } = self;
        format!(
            "after {} turns; began {began}, skipped {skipped}, {left:?}, last {at}, downtimes {downtimes:?}",
            self.turns.len()
        )
    }

    fn is_running(&self) -> bool {
        self.started && !self.is_over && self.turns.len() >= 2
    }

    fn elapsed(&self, at: i64) -> i64 {
        (at - self.began - self.skipped).max(0)
    }

    fn delay(&self) -> i64 {
        if let TimeControl::Delay { delay_ms, .. } = self.control { delay_ms.into() } else { 0 }
    }

    fn clocks_at(&self, at: i64) -> ByColor<i64> {
        let mut left = self.remaining;
        if self.is_running() {
            let turn = self.position.side_to_move();
            left[turn] = (left[turn] - (self.elapsed(at) - self.delay()).max(0)).max(0);
        }
        left
    }

    /// Returns the time at which the side to move runs out of time.
    fn deadline_ms(&self) -> i64 {
        let turn = self.position.side_to_move();
        let limit = if self.is_running() {
            self.remaining[turn] + self.delay() + self.allowance[turn].min(LAG_PER_TURN_MS)
        } else {
            30_000
        };
        self.began + self.skipped + limit
    }

    /// Applies the event that produced a version.
    pub(super) fn apply(&mut self, version: u64, event: &Event) -> Result<(), String> {
        let at = event.at_ms;
        if at < self.at {
            return Err("it is earlier than the previous event".into());
        }
        if self.is_over {
            return Err("the game was over".into());
        }
        if !self.started && !matches!(event.kind, EventKind::Joined { .. } | EventKind::Ended { .. }) {
            return Err("the game had not begun".into());
        }
        let clocks = self.clocks_at(at);
        match &event.kind {
            EventKind::Joined { color, .. } => {
                if self.started || *color != Color::Black {
                    return Err("no player could join".into());
                }
                self.started = true;
                self.begin_turn(at);
            }
            EventKind::Played { color, turn, clock, lag_ms } => {
                self.apply_turn(*color, turn, *clock, i64::from(*lag_ms), at)?;
            }
            EventKind::TakenBack { plies, clock } => {
                let plies = usize::from(*plies);
                let left = self
                    .turns
                    .len()
                    .checked_sub(plies)
                    .ok_or("more turns were taken back than had been played")?;
                self.check_uncharged_time(at, false)?;
                self.turns.truncate(left);
                self.after.truncate(left + 1);
                self.remaining = self.after[left];
                check_clocks(*clock, self.remaining)?;
                self.position = self.initial.clone();
                for turn in &self.turns {
                    let legal = coordinate::parse(&self.position, turn).map_err(|error| error.to_string())?;
                    self.position.play_turn_unchecked(&legal);
                }
                self.begin_turn(at);
                (self.takeback, self.draw) = (None, None);
            }
            EventKind::TimeGiven { color, ms, clock } => {
                if *ms != 15_000 {
                    return Err("the gift has the wrong size".into());
                }
                self.remaining[!*color] += ms;
                check_clocks(Some(*clock), self.clocks_at(at))?;
            }
            EventKind::Interrupted { from_ms, until_ms, clock } => {
                let is_new = self.parts.iter().all(|(from, until)| until_ms <= from || until <= from_ms);
                if *from_ms < self.began || until_ms <= from_ms || *until_ms > at || !is_new {
                    return Err("the interruption is outside its turn, or counted twice".into());
                }
                self.parts.push((*from_ms, *until_ms));
                self.skipped += until_ms - from_ms;
                check_clocks(Some(*clock), self.clocks_at(at))?;
            }
            EventKind::Ended { reason, .. } => {
                self.check_end(*reason, at)?;
                self.check_uncharged_time(at, false)?;
                self.remaining = clocks;
                self.is_over = true;
            }
            EventKind::DrawOffered { color } => self.draw = Some(*color),
            EventKind::DrawDeclined { .. } => self.draw = None,
            EventKind::TakebackProposed { color } => self.takeback = Some(*color),
            EventKind::TakebackDeclined { .. } => self.takeback = None,
            _ => return Err("no command causes this".into()),
        }
        self.at = at;
        if matches!(event.kind, EventKind::Played { .. } | EventKind::TakenBack { .. }) {
            self.position_version = version;
        }
        Ok(())
    }

    fn begin_turn(&mut self, at: i64) {
        (self.began, self.skipped) = (at, 0);
        self.parts.clear();
    }

    fn apply_turn(
        &mut self,
        by: Color,
        turn: &str,
        clock: Option<Times>,
        lag: i64,
        at: i64,
    ) -> Result<(), String> {
        if by != self.position.side_to_move() {
            return Err("it was the other side's turn".into());
        }
        let legal = coordinate::parse(&self.position, turn).map_err(|error| error.to_string())?;
        // A first turn that arrived before its deadline counts even if the server handled it later, but not
        // after the latest time at which the flag can fall.
        if !self.is_running() && at > self.latest_flag_ms(at) {
            return Err(format!("the time was up at {}", self.deadline_ms()));
        }
        if self.is_running() {
            // `LAG_PER_TURN_MS` does not limit the time that the server took to handle the turn, so it does
            // not limit the lag as a whole.
            let max_lag = self.allowance[by].min(self.elapsed(at));
            // A shared database may be slow, so a session may still be waiting for it when a pong arrives.
            // The lag is then not limited by the network.
            let max_lag = match &self.limits {
                Limits::Alone { transit, .. } => max_lag.min(transit.longest_ms(by, self.position_version)),
                Limits::Shared { .. } => max_lag,
            };
            if lag > max_lag {
                return Err(format!("lag above {max_lag} ms"));
            }
            self.remaining[by] -= (self.elapsed(at) - lag - self.delay()).max(0);
            if self.remaining[by] <= 0 {
                return Err("no time was left".into());
            }
            self.check_uncharged_time(at, true)?;
        } else if lag > 0 {
            return Err("lag without a clock".into());
        }
        if let TimeControl::Fischer { increment_ms, .. } = self.control {
            self.remaining[by] += i64::from(increment_ms);
        }
        check_clocks(clock, self.remaining)?;
        self.allowance[by] = (self.allowance[by] - lag + LAG_REGAINED_MS).min(LAG_ALLOWANCE_MS);
        self.position.play_turn_unchecked(&legal);
        self.turns.push(turn.to_owned());
        self.after.push(self.remaining);
        self.begin_turn(at);
        self.takeback = None;
        if self.draw == Some(!by) {
            self.draw = None;
        }
        Ok(())
    }

    fn check_end(&self, reason: EndReason, at: i64) -> Result<(), String> {
        let turn = self.position.side_to_move();
        let is_up = match reason {
            EndReason::TimeOut | EndReason::TimeOutUnwinnable => {
                // A turn that arrives too late ends the game without waiting for the lag allowance.
                self.is_running() && self.elapsed(at) >= self.remaining[turn] + self.delay()
            }
            EndReason::NoFirstTurn => self.started && !self.is_running() && at >= self.deadline_ms(),
            // Ended by a turn or by a command.
            _ => return Ok(()),
        };
        if !is_up {
            return Err(format!("the time is not up until {}", self.deadline_ms()));
        }
        if at > self.latest_flag_ms(at) {
            Err(format!("the time was up at {}", self.deadline_ms()))
        } else {
            Ok(())
        }
    }

    /// Returns the latest time at which the flag can fall, for an event at `at`.
    fn latest_flag_ms(&self, at: i64) -> i64 {
        match &self.limits {
            Limits::Alone { max_flag_delay_ms, .. } => {
                // The flag of a player who may still be reconnecting after a downtime falls later.
                let ends = self.downtimes.iter().map(|(_, until)| until).filter(|until| **until <= at);
                let returned_at = ends.max().map_or(i64::MIN, |until| until + RETURN_MS);
                self.deadline_ms().max(returned_at) + max_flag_delay_ms
            }
            Limits::Shared { disruptions, .. } => {
                disruptions.undisturbed_since(self.deadline_ms(), at) + MAX_FLAG_DELAY_MS + TAKEOVER_MS
            }
        }
    }

    /// Checks that the time charged to neither side covers all downtimes, but not much more. `is_played`
    /// tells whether the side to move has just played.
    fn check_uncharged_time(&self, at: i64, is_played: bool) -> Result<(), String> {
        if !self.started {
            return Ok(());
        }
        let overlap = |(from, until): &(i64, i64)| (at.min(*until) - self.began.max(*from)).max(0);
        let down: i64 = self.downtimes.iter().map(overlap).sum();
        let absent = self.downtimes.iter().map(|(_, until)| overlap(&(*until, until + RETURN_MS)));
        let max_down = down + absent.sum::<i64>();
        let side = self.position.side_to_move();
        let turn = Turn { side, began: self.began, at, ended_by_playing: is_played };
        let (min_ms, max_ms) = match &self.limits {
            Limits::Alone { max_uncharged_ms, reconnections, .. } => {
                let refunds = reconnections.iter().flat_map(|(connections, restarted_at)| {
                    let refund = |at: &i64| connections.min_refund_after_start(&turn, *at, &self.downtimes);
                    restarted_at.iter().map(refund)
                });
                (down + refunds.sum::<i64>(), max_down + max_uncharged_ms)
            }
            Limits::Shared { disruptions, connections } => {
                // A downtime that is shorter than a lease may go unnoticed.
                let noticed = |down| (overlap(down) - LEASE_MS - BEAT_MS).max(0);
                // The death of the last process begins a downtime, so the two are not added.
                let min_ms = self.downtimes.iter().map(noticed).sum::<i64>();
                let min_ms = min_ms.max(connections.min_refund(&turn, disruptions));
                (min_ms, max_down + connections.max_refund(&turn, disruptions))
            }
        };
        if self.skipped < min_ms || self.skipped > max_ms {
            return Err(format!(
                "{} ms were charged to neither side; expected {min_ms} to {max_ms}; downtime: {down} ms",
                self.skipped
            ));
        }
        Ok(())
    }
}

fn check_clocks(shown: Option<Times>, expected: ByColor<i64>) -> Result<(), String> {
    if shown.map(ByColor::from) == Some(expected) {
        Ok(())
    } else {
        Err(format!("the clocks should show {expected:?}"))
    }
}

/// Returns the name that clients record for the act behind an event.
fn name_of(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::DrawOffered { .. } => "draw-offered",
        EventKind::DrawDeclined { .. } => "draw-declined",
        EventKind::TakebackProposed { .. } => "takeback-proposed",
        EventKind::TakebackDeclined { .. } => "takeback-declined",
        EventKind::TakenBack { .. } => "taken-back",
        EventKind::TimeGiven { .. } => "time-given",
        EventKind::Ended { reason, .. } => reason.name(),
        _ => "",
    }
}
