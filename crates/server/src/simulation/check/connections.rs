//! Checks that follow from the visitors' connections: claims against absent players, refunds of time, and the
//! delivery of events.

use adoube_game::{EndReason, Event, EventKind};
use adoube_protocol::GameId;
use adoube_rules::Color;

use super::super::{
    disruption::{Disruption, DisruptionKind, Disruptions},
    world::{Record, Span},
};

/// The maximum refund to a player for the death of a process, in milliseconds.
const REFUND_MS: i64 = 5_000;
/// The time after which another process has taken over from a dead one and written the refunds, in
/// milliseconds.
const TAKEOVER_MS: i64 = 5_500;
/// The delay until a process has stored something: a few round trips to the disk.
const TRIPS_MS: i64 = 500;
/// The maximum difference between the clocks of two processes, in milliseconds.
const CLOCKS_MS: i64 = 250;
/// The time after which all processes know of a connection.
const PROPAGATION_MS: i64 = 2_000;
/// The time within which a connected client learns of an event: a second for a lost notice to be reported, a
/// few round trips to the disk, and the network delay.
const NOTIFY_MS: i64 = 2_500;
/// The time after which the opponent of an absent player may claim the game.
const AWAY_MS: i64 = 60_000;
/// The time after which a client has left a silent process.
const SILENCE_MS: i64 = 10_000;
/// The longest downtime that a process can detect between two renewals of its lease when there is no outage:
/// a heartbeat, and a few round trips to the disk.
const BEAT_MS: i64 = 1_500;

/// A side's turn, from its beginning to an event.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) side: Color,
    pub(super) began: i64,
    pub(super) at: i64,
    /// Whether the side has ended the turn by playing.
    pub(super) ended_by_playing: bool,
}

/// The connections of a game's players.
#[derive(Debug)]
pub(super) struct Connections {
    spans: Vec<Span>,
    /// The times at which processes admitted a player.
    admissions: Vec<(Color, i64)>,
}

impl Connections {
    pub(super) fn of(id: &GameId, record: &Record) -> Self {
        let spans = record.spans.iter().filter(|span| span.game == *id && span.side.is_some());
        let admissions =
            record.admissions.iter().filter(|(game, ..)| game == id).map(|(_, side, at)| (*side, *at));
        Self { spans: spans.cloned().collect(), admissions: admissions.collect() }
    }

    fn of_side(&self, side: Color) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(move |span| span.side == Some(side))
    }

    /// Returns the minimum refund to the side to move for the deaths of processes, in milliseconds: the time
    /// from each death until the player was connected again, if that happened soon enough. Only unambiguous
    /// deaths count: by the end of the turn, all processes must know of the death, or the player must have
    /// reconnected and played, and nothing else may have been wrong at the time.
    pub(super) fn min_refund(&self, turn: &Turn, disruptions: &Disruptions) -> i64 {
        let latest = if turn.ended_by_playing { turn.at } else { turn.at - TAKEOVER_MS };
        let deaths =
            disruptions.overlapping(turn.began, latest).filter(|it| it.kind == DisruptionKind::Crash);
        deaths.map(|death| self.min_refund_for(turn, death, disruptions)).sum()
    }

    fn min_refund_for(&self, turn: &Turn, death: &Disruption, disruptions: &Disruptions) -> i64 {
        let at = death.from;
        let others = disruptions.overlapping(at - SILENCE_MS, at + TAKEOVER_MS);
        let is_clear =
            others.filter(|it| !matches!(it.kind, DisruptionKind::Start | DisruptionKind::BusOutage)).count()
                == 1;
        let was_here = |span: &Span| {
            Some(span.node) == death.node
                && span.from <= at - PROPAGATION_MS
                && (at..at + TRIPS_MS).contains(&span.until)
        };
        let stayed =
            |span: &Span| Some(span.node) != death.node && span.from <= at && span.disconnected_at > at;
        if at < turn.began
            || !is_clear
            || !self.of_side(turn.side).any(was_here)
            || self.of_side(turn.side).any(stayed)
        {
            return 0;
        }
        // A player who does not return is refunded the time until the death was known. That may be short, so
        // there is no minimum.
        let returns =
            self.admissions.iter().filter(|(side, admitted_at)| *side == turn.side && *admitted_at > at);
        let returned_at = returns.map(|(_, admitted_at)| *admitted_at).min();
        let lost = returned_at.map_or(0, |returned_at| returned_at - at);
        // A player who has played must already have reconnected, even if the first recorded admission is
        // later.
        if lost > REFUND_MS || returned_at.is_some_and(|returned_at| returned_at > turn.at) {
            return 0;
        }
        let is_known = at + TAKEOVER_MS <= turn.at;
        // The refund begins at the last renewal before the death.
        let refunded = lost.min(REFUND_MS - BEAT_MS);
        (refunded - if is_known { 2 * TRIPS_MS } else { CLOCKS_MS }).max(0)
    }

    /// Returns the minimum refund to the side to move for reconnecting after the only process has started, in
    /// milliseconds: the time until the player was connected again, if that happened soon enough and no
    /// further downtime began in the meantime.
    pub(super) fn min_refund_after_start(
        &self,
        turn: &Turn,
        started_at: i64,
        downtimes: &[(i64, i64)],
    ) -> i64 {
        let returns = self.admissions.iter().filter(|(side, at)| *side == turn.side && *at > started_at);
        let is_clear = |at: &i64| !downtimes.iter().any(|(from, _)| (started_at + 1..=*at).contains(from));
        let returned_at = returns.map(|(_, at)| *at).min().filter(|at| *at <= turn.at && is_clear(at));
        let lost = returned_at.filter(|_| started_at >= turn.began).map_or(0, |at| at - started_at);
        if lost > REFUND_MS { 0 } else { (lost - TRIPS_MS).max(0) }
    }

    /// Returns the maximum time that may be charged to neither side, apart from downtimes.
    pub(super) fn max_refund(&self, turn: &Turn, disruptions: &Disruptions) -> i64 {
        let mut max_ms = BEAT_MS;
        for it in disruptions.overlapping(turn.began - REFUND_MS, turn.at) {
            let (from, until) = (it.from, it.until.min(turn.at));
            // A handshake with a suspended process is completed only when the process continues.
            let latest = if it.kind == DisruptionKind::Stall { until + TRIPS_MS } else { until };
            let was_here = |span: &Span| {
                it.node.is_none_or(|node| node == span.node)
                    && span.from <= latest
                    && span.disconnected_at.saturating_add(PROPAGATION_MS) >= from
            };
            let was_here = self.of_side(turn.side).any(was_here);
            max_ms += match it.kind {
                DisruptionKind::Crash | DisruptionKind::Leave if was_here => REFUND_MS,
                DisruptionKind::Stall if was_here => (until - from).max(REFUND_MS) + BEAT_MS,
                DisruptionKind::Slow => until - from + BEAT_MS,
                // The outage itself is a downtime. In addition, a process needs time to notice its end. A
                // renewal whose outcome is unknown is followed by a second one.
                DisruptionKind::Outage | DisruptionKind::UncertainCommit => 2 * BEAT_MS,
                // The start may end a period in which no process was running.
                DisruptionKind::Start => BEAT_MS,
                DisruptionKind::Crash
                | DisruptionKind::Leave
                | DisruptionKind::Stall
                | DisruptionKind::BusOutage => 0,
            };
        }
        max_ms
    }
}

pub(super) fn check(id: &GameId, events: &[Event], record: &Record) -> Result<(), String> {
    check_claim(id, events, record)?;
    check_informed(id, events, record)
}

/// Checks that no player loses by abandonment while connected to any process, or within a minute after the
/// end of the last connection.
fn check_claim(id: &GameId, events: &[Event], record: &Record) -> Result<(), String> {
    let Some(Event { at_ms: at, kind: EventKind::Ended { reason: EndReason::Abandonment, result }, .. }) =
        events.last()
    else {
        return Ok(());
    };
    // Without mating material the game is drawn, and either side may have left.
    let Some(side) = result.winner().map(|winner| !winner) else { return Ok(()) };
    let connections = Connections::of(id, record);
    let is_clear = |from, until| {
        let mut disruptions = record.disruptions.overlapping(from, until);
        !disruptions.any(|it| !matches!(it.kind, DisruptionKind::Start | DisruptionKind::BusOutage))
    };
    for span in connections.of_side(side).filter(|span| span.from <= at - PROPAGATION_MS) {
        let last = span.until.min(*at);
        // The end of a connection to a dead or suspended process is backdated to its last heartbeat.
        let is_sure = span.until > span.from + PROPAGATION_MS && is_clear(last - SILENCE_MS, last);
        if is_sure && at - last < AWAY_MS - PROPAGATION_MS {
            return Err(format!(
                "{side:?} lost at {at} for having left, but was connected until {last}: {span:?}"
            ));
        }
    }
    Ok(())
}

/// Checks that connected clients learn of events in time, whichever process has stored them.
fn check_informed(id: &GameId, events: &[Event], record: &Record) -> Result<(), String> {
    for (version, event) in (1..).zip(events) {
        // The time at which the event was stored is used if it is known. The event's own time can be earlier,
        // because an interruption that is detected late is backdated.
        let stored_at = record.stored_at.get(&(id.clone(), version));
        let at = stored_at.copied().unwrap_or(event.at_ms);
        let until = at + NOTIFY_MS;
        // All disruptions except the start of a process may delay notices.
        if record.disruptions.overlapping(at - NOTIFY_MS, until).any(|it| it.kind != DisruptionKind::Start) {
            continue;
        }
        let concerned = record.spans.iter().filter(|span| span.game == *id);
        for span in concerned.filter(|span| span.from <= at && span.until > until) {
            if !span.received_versions.iter().any(|(known, heard)| *known >= version && *heard <= until) {
                return Err(format!(
                    "client {} did not learn in time of version {version}, which was stored at {at}",
                    span.client
                ));
            }
        }
    }
    Ok(())
}
