//! The checks at the end of a run: no accepted command is lost, no event is in the log twice or without the
//! command that it requires, every turn is legal, and the clocks agree with an independent model.

mod connections;
mod machine;
mod model;

use std::{collections::BTreeMap, time::Duration};

use adoube_game::{EndReason, Event, EventKind};
use adoube_protocol::{GameId, PlayerId};
use adoube_rules::{ByColor, Color};
use adoube_store::StoredEvent;

use self::model::Model;
use super::{
    disruption::DisruptionKind,
    rng::SeededRng,
    world::{ActName, NODES, Record, Sent, Span, World},
};
use crate::wire;

pub(super) async fn check(world: &World) {
    let logs = world.disk.logs();
    let rng = SeededRng::new(0);
    let has_one_process = world.has_one_process();
    let refusals = world.disk.refusals() as i64;
    for at in world.disk.uncertain_commits() {
        world.record().disruptions.add(DisruptionKind::UncertainCommit, None, at);
    }
    world.record().stored_at = world.disk.stored_at();
    if !has_one_process {
        let mut record = world.record();
        let unserved = record.disruptions.unserved(NODES);
        record.downtimes.extend(unserved);
    }
    if logs.len() != world.record().games.len() {
        world.report_violation(format!(
            "the store has {} games, but {} were created",
            logs.len(),
            world.record().games.len()
        ));
    }
    for (id, stored) in &logs {
        let judged = {
            let record = world.record();
            check_stored_game(id, stored, &record, has_one_process, refusals).and_then(|(model, events)| {
                if !has_one_process {
                    connections::check(id, &events, &record)?;
                    machine::check(id, &events, &record)?;
                }
                Ok(model)
            })
        };
        let model = match judged {
            Ok(model) => model,
            Err(message) => {
                let disruptions = world.record().disruptions.to_string();
                let last: Vec<_> = stored.iter().rev().take(6).map(|event| event.body.as_str()).collect();
                world.report_violation(format!(
                    "game {id}: {message}; the last events: {last:#?}; {disruptions}"
                ));
                continue;
            }
        };
        // A new visitor must be shown the game as it is in the log.
        let Some(node) = world.node(&rng) else { continue };
        let visitor = PlayerId::from_random(1);
        match world.ask(&node, node.app.games.snapshot(id, &visitor)).await {
            Some(Ok(game)) => {
                let left =
                    game.clock.map(|clock| ByColor { white: clock.left.white, black: clock.left.black });
                if game.version.0 != stored.len() as u64
                    || game.turns != model.turns
                    || left != Some(model.remaining)
                {
                    world.report_violation(format!(
                        "game {id} is shown differently from its log: {game:?}, {model:?}"
                    ));
                }
            }
            other => world.report_violation(format!("game {id} cannot be shown: {other:?}")),
        }
    }
}

fn check_stored_game(
    id: &GameId,
    stored: &[StoredEvent],
    record: &Record,
    has_one_process: bool,
    refusals: i64,
) -> Result<(Model, Vec<Event>), String> {
    let mut events = Vec::new();
    for (expected, event) in (1..).zip(stored) {
        if event.version.0 != expected {
            return Err(format!("version {} is where the log should have version {expected}", event.version));
        }
        let event: Event = serde_json::from_str(&event.body).map_err(|error| error.to_string())?;
        events.push(event);
    }
    let (first, rest) = events.split_first().ok_or("the log is empty")?;
    let mut model = Model::new(id, first, record, has_one_process, refusals)?;
    let mut expected_commands = BTreeMap::new();
    for (version, event) in (2..).zip(rest) {
        if let Some(act) = model.expected_command(event) {
            expected_commands.insert(version, act);
        }
        model
            .apply(version, event)
            .map_err(|message| format!("version {version}: {message} in {event:?}, {}", model.describe()))?;
        if let Some(published) = record.published.get(&(id.clone(), version)) {
            let expected = wire::event(version, event, wire::EventContext::default());
            let Some(adoube_protocol::ServerMessage::Event { event: expected, .. }) = expected else {
                return Err(format!("version {version} was published, but events of its kind never are"));
            };
            let expected = serde_json::to_string(&expected).unwrap();
            if *published != expected {
                return Err(format!("version {version} was published as {published}, but is {expected}"));
            }
        }
    }
    if let Some((_, version)) = record.published.keys().filter(|(game, _)| game == id).max()
        && *version > events.len() as u64
    {
        return Err(format!("version {version} was published, but the log ends before it"));
    }
    attribute(&expected_commands, &events, record.sent.values().filter(|sent| sent.game == *id))?;
    Ok((model, events))
}

/// Checks that every process knows the names of all accounts, once notices have arrived or cached names have
/// expired.
pub(super) async fn check_names(world: &World) {
    let names = world.disk.names();
    if names.is_empty() {
        return;
    }
    tokio::time::sleep(Duration::from_secs(if world.loses_changes() { 62 } else { 3 })).await;
    for node in world.all_nodes() {
        for (player, name) in &names {
            match world.ask(&node, node.app.names.of(player)).await {
                Some(Ok(Some(known))) if known == *name => {}
                known => world.report_violation(format!("the name {name} is known as {known:?}")),
            }
        }
    }
}

/// Checks that every client knows which players of its game are connected to any process, once there are no
/// more changes.
pub(super) async fn check_presence(world: &World) {
    if world.has_one_process() {
        return;
    }
    // Presence is reread every five seconds in case a notice was lost. Before that, processes need some time
    // to notice the end of a connection.
    tokio::time::sleep(Duration::from_secs(12)).await;
    let record = world.record();
    let is_open = |span: &&Span| span.until == i64::MAX;
    let mut violations = Vec::new();
    for span in record.spans.iter().filter(is_open) {
        let is_here = |color| {
            record.spans.iter().filter(is_open).any(|it| it.game == span.game && it.side == Some(color))
        };
        let expected = (is_here(Color::White), is_here(Color::Black));
        let announced = record.presence.get(&span.client);
        if announced != Some(&expected) {
            let client = span.client;
            violations
                .push(format!("client {client} was told that {announced:?} are connected, not {expected:?}"));
        }
    }
    drop(record);
    for violation in violations {
        world.report_violation(violation);
    }
}

/// Counts the events and the endings of all games, by name.
pub(super) fn count_events(logs: &[(GameId, Vec<StoredEvent>)]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let events = logs.iter().flat_map(|(_, log)| log);
    for event in events.filter_map(|event| serde_json::from_str::<Event>(&event.body).ok()) {
        let name = match &event.kind {
            EventKind::Ended { reason, .. } => reason.name().to_owned(),
            kind => kind.to_string(),
        };
        *counts.entry(name).or_default() += 1;
    }
    counts
}

pub(super) type ExpectedCommand = (Option<Color>, ActName);

/// Matches commands with the events that they caused. Fails if an accepted command has no event, or if an
/// event has no command that could have caused it.
fn attribute<'a>(
    expected: &BTreeMap<u64, ExpectedCommand>,
    events: &[Event],
    sent: impl Iterator<Item = &'a Sent>,
) -> Result<(), String> {
    let mut open = expected.clone();
    let mut unanswered = Vec::new();
    let fits = |sent: &Sent, expected: Option<&ExpectedCommand>| {
        expected.is_some_and(|(by, act)| (by.is_none() || *by == sent.by) && *act == sent.act)
    };
    // Two proposals that cross form an agreement: the later one counts as an acceptance.
    let crosses = |sent: &Sent, expected: Option<&ExpectedCommand>| {
        let expected = expected.filter(|(by, _)| *by == sent.by).map(|(_, act)| act);
        matches!(
            (&sent.act, expected),
            (ActName::Other("draw-offered"), Some(ActName::Other("agreement")))
                | (ActName::Other("takeback-proposed"), Some(ActName::Other("taken-back")))
        )
    };
    // Exact matches come first. Otherwise, if a player made the same proposal twice, and the second one
    // arrived when the time was up, it could be assigned the event of the first.
    let mut sent = sent.collect::<Vec<_>>();
    sent.sort_by_key(|sent| !sent.accepted.is_some_and(|version| fits(sent, expected.get(&version))));
    for sent in sent {
        let Some(version) = sent.accepted else {
            // A command that was refused every time it was sent has not caused an event.
            if sent.refused < sent.copies {
                unanswered.push(sent);
            }
            continue;
        };
        let Some(event) = events.get(version as usize - 1) else {
            return Err(format!("{sent:?} was accepted but is lost"));
        };
        let ended = match &event.kind {
            EventKind::Ended { reason, .. } => Some(*reason),
            _ => None,
        };
        let caused = if fits(sent, expected.get(&version)) || crosses(sent, expected.get(&version)) {
            version
        } else if ended.is_some()
            && fits(sent, expected.get(&(version - 1)))
            && (open.contains_key(&(version - 1)) || !ended.is_some_and(is_time_out))
        {
            version - 1
        } else if ended.is_some_and(is_time_out) {
            // The time was up when the command arrived.
            continue;
        } else {
            return Err(format!("{sent:?} was accepted, but the log has {event:?}"));
        };
        if open.remove(&caused).is_none() {
            return Err(format!("{sent:?} was accepted for an event that another command caused"));
        }
    }
    for (version, (by, act)) in &open {
        let expected = Some((*by, act.clone()));
        let index = unanswered.iter().position(|sent| fits(sent, expected.as_ref()));
        let crossed = || unanswered.iter().position(|sent| crosses(sent, expected.as_ref()));
        let Some(index) = index.or_else(crossed) else {
            return Err(format!("no command requested version {version}, {by:?} {act:?}, or too few did"));
        };
        unanswered.swap_remove(index);
    }
    Ok(())
}

fn is_time_out(reason: EndReason) -> bool {
    matches!(reason, EndReason::TimeOut | EndReason::TimeOutUnwinnable | EndReason::NoFirstTurn)
}
