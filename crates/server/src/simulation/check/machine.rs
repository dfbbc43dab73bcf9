//! Checks of the machine's turns: only one process thinks about each, and another one takes over if it dies.

use adoube_game::{EndReason, Event, EventKind, Seat};
use adoube_protocol::GameId;
use adoube_rules::Color;

use super::super::{disruption::DisruptionKind, opponent::LONGEST_MS, world::Record};
use crate::machine::seed_of;

/// The time within which a turn is taken over after its process has abandoned it.
const TAKEOVER_MS: i64 = 5_000;
/// The duration of a few round trips to the disk and a refused attempt.
const TRIPS_MS: i64 = 1_500;
/// How long after a disruption a process may still lose a claim because of it.
const CLAIM_LOSS_MS: i64 = 4_500;

pub(super) fn check(id: &GameId, events: &[Event], record: &Record) -> Result<(), String> {
    let Some(EventKind::Created { seats, .. }) = events.first().map(|event| &event.kind) else {
        return Ok(());
    };
    let Some(machine) = side_of_machine(&seats.white, &seats.black) else { return Ok(()) };
    let mut since = events[0].at_ms;
    let mut has_draw_offer = false;
    for event in &events[1..] {
        let at = event.at_ms;
        let is_late =
            at > record.disruptions.undisturbed_since(since, at) + TAKEOVER_MS + LONGEST_MS as i64 + TRIPS_MS;
        match &event.kind {
            EventKind::Played { color, .. } if *color == machine && has_draw_offer => {
                return Err(format!("the machine played at {at} without answering a draw offer"));
            }
            EventKind::Played { color, .. } if *color == machine && is_late => {
                return Err(format!(
                    "it was the machine's turn from {since}, but it did not play until {at}"
                ));
            }
            EventKind::Ended { reason: EndReason::TimeOut, result }
                if result.winner() == Some(!machine) && is_late =>
            {
                return Err(format!("it was the machine's turn from {since}, but it had not played by {at}"));
            }
            EventKind::Played { .. } => since = at,
            // A draw offer stops the search for a turn, which starts again after the answer.
            EventKind::DrawOffered { color } if *color != machine => (since, has_draw_offer) = (at, true),
            EventKind::DrawDeclined { .. } => (since, has_draw_offer) = (at, false),
            // Taking turns back also ends an open offer.
            EventKind::TakenBack { .. } => has_draw_offer = false,
            _ => {}
        }
    }
    check_single_search(id, events, record)
}

/// Returns the side that the machine plays, if any.
pub(super) fn side_of_machine(white: &Seat, black: &Seat) -> Option<Color> {
    match (white, black) {
        (Seat::Machine { .. }, _) => Some(Color::White),
        (_, Seat::Machine { .. }) => Some(Color::Black),
        _ => None,
    }
}

/// Checks that no two processes think about the same turn, unless the first one may have lost its claim.
fn check_single_search(id: &GameId, events: &[Event], record: &Record) -> Result<(), String> {
    let searches = record.searches.iter().filter(|search| search.seed == seed_of(id)).collect::<Vec<_>>();
    for (number, second) in searches.iter().enumerate() {
        for first in &searches[..number] {
            let is_same = first.plies == second.plies && first.node != second.node;
            let mut disruptions = record.disruptions.overlapping(first.from - CLAIM_LOSS_MS, second.from);
            let mut lost_claim = || {
                disruptions.any(|it| {
                    it.node.is_none_or(|node| node == first.node) && it.kind != DisruptionKind::BusOutage
                })
            };
            // A claim ends with the next event of the game, even if that is not a turn.
            let mut events = events.iter().map(|event| event.at_ms);
            let is_over = events.any(|at| (first.from + 1..=second.from).contains(&at));
            if is_same && first.until > second.from && !is_over && !lost_claim() {
                return Err(format!("two processes searched for the same turn: {first:?}, {second:?}"));
            }
        }
    }
    Ok(())
}
