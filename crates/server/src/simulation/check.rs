//! What must hold at the end, judged from the logs alone: nothing that was accepted is lost, nothing is in the
//! log twice or without a command, every turn is legal, and the clocks agree with a model of them.

use std::collections::BTreeMap;

use adoube_game::{EndReason, Event, EventKind, TimeControl, Times};
use adoube_protocol::{GameId, PlayerId};
use adoube_rules::{AnyPosition, ByColor, Color, Position as _, coordinate};
use adoube_store::{LEASE_MS, StoredEvent};

use super::{
    chance::Chance,
    line::LONGEST_MS,
    world::{Record, Sent, Wish, World},
};
use crate::wire;

/// Maximum delay of a flag: the interval of the deadline checks, and some trips to the disk.
const LATE_MS: i64 = 250 + 400;
/// Interval of heartbeats, and some trips to the disk.
const BEAT_MS: i64 = 1_000 + 300;
/// Delay of another attempt after a refusal.
const RETRY_MS: i64 = 1_100;
/// Time from a refused heartbeat until the next one is on the disk.
const UNWRITTEN_MS: i64 = 1_000 + 400;
/// Interval at which a process looks for pauses.
const PULSE_MS: i64 = 250 + 50;
/// Time after which another node has taken over from a dead one: a lease, a round, and some trips to the disk.
const TAKEOVER_MS: i64 = LEASE_MS + 1_000 + 1_000;
/// What the death of a node may give to a player.
const REFUND_MS: i64 = 5_000;
const LAG_PER_TURN_MS: i64 = 500;
const LAG_ALLOWANCE_MS: i64 = 2_000;
/// The longest round trip. The session may be waiting for the disk when the answer to a ping arrives.
const LONGEST_LAG_MS: i64 = LONGEST_MS as i64 + 2 * 60 + 10;
const LAG_REGAINED_MS: i64 = 100;

pub(super) async fn check(world: &World) {
    let logs = world.disk.logs();
    let chance = Chance::new(0);
    let alone = world.is_alone();
    let refusals = world.disk.refusals() as i64;
    if logs.len() != world.record().games.len() {
        world.blame(format!("{} games were created, not {}", logs.len(), world.record().games.len()));
    }
    for (id, stored) in &logs {
        let judged = {
            let record = world.record();
            judge(id, stored, &record, alone, refusals)
        };
        let model = match judged {
            Ok(model) => model,
            Err(what) => {
                let last: Vec<_> = stored.iter().rev().take(6).map(|event| event.body.as_str()).collect();
                world.blame(format!("game {id}: {what}; the last events: {last:#?}"));
                continue;
            }
        };
        // The game as a new visitor is shown it.
        let Some(node) = world.node(&chance) else { continue };
        let stranger = PlayerId::from_random(1);
        match world.ask(&node, node.app.games.snapshot(id, &stranger)).await {
            Some(Ok(game)) => {
                let left =
                    game.clock.map(|clock| ByColor { white: clock.left.white, black: clock.left.black });
                if game.version.0 != stored.len() as u64
                    || game.turns != model.turns
                    || left != Some(model.left)
                {
                    world.blame(format!("game {id} is shown differently from its log: {game:?}, {model:?}"));
                }
            }
            other => world.blame(format!("game {id} cannot be shown: {other:?}")),
        }
    }
}

fn judge(
    id: &GameId,
    stored: &[StoredEvent],
    record: &Record,
    alone: bool,
    refusals: i64,
) -> Result<Model, String> {
    let mut events = Vec::new();
    for (expected, event) in (1..).zip(stored) {
        if event.version.0 != expected {
            return Err(format!("version {} stands in the place of {expected}", event.version));
        }
        let event: Event = serde_json::from_str(&event.body).map_err(|error| error.to_string())?;
        events.push(event);
    }
    let (first, rest) = events.split_first().ok_or("the log is empty")?;
    let mut model = Model::new(first, record, alone, refusals)?;
    let mut asked = BTreeMap::new();
    for (version, event) in (2..).zip(rest) {
        if let Some(wish) = model.wish(event) {
            asked.insert(version, wish);
        }
        model
            .take(event)
            .map_err(|what| format!("version {version}: {what} in {event:?}, {}", model.told()))?;
        if let Some(told) = record.told.get(&(id.clone(), version)) {
            let expected = wire::event(version, event, wire::EventContext::default());
            let Some(adoube_protocol::ServerMessage::Event { event: expected, .. }) = expected else {
                return Err(format!("version {version} is never published"));
            };
            let expected = serde_json::to_string(&expected).unwrap();
            if *told != expected {
                return Err(format!("version {version} was published as {told}, but is {expected}"));
            }
        }
    }
    if let Some((_, version)) = record.told.keys().filter(|(game, _)| game == id).max()
        && *version > events.len() as u64
    {
        return Err(format!("version {version} was published, but the log ends before"));
    }
    attribute(&asked, &events, record.sent.values().filter(|sent| sent.game == *id))?;
    Ok(model)
}

type Asked = (Option<Color>, Wish);

/// Assigns to each event the command that asked for it, and to each accepted command its event.
fn attribute<'a>(
    asked: &BTreeMap<u64, Asked>,
    events: &[Event],
    sent: impl Iterator<Item = &'a Sent>,
) -> Result<(), String> {
    let mut open = asked.clone();
    let mut unanswered = Vec::new();
    let fits = |sent: &Sent, asked: Option<&Asked>| {
        asked.is_some_and(|(by, wish)| (by.is_none() || *by == sent.by) && *wish == sent.wish)
    };
    // Two proposals that cross are an agreement: the later one is the answer.
    let crosses = |sent: &Sent, asked: Option<&Asked>| {
        let asked = asked.filter(|(by, _)| *by == sent.by).map(|(_, wish)| wish);
        matches!(
            (&sent.wish, asked),
            (Wish::Other("draw-offered"), Some(Wish::Other("agreement")))
                | (Wish::Other("takeback-proposed"), Some(Wish::Other("taken-back")))
        )
    };
    // Exact matches first: of two equal proposals, the second of which came when the time was up, each then
    // finds its event.
    let mut sent = sent.collect::<Vec<_>>();
    sent.sort_by_key(|sent| !sent.accepted.is_some_and(|version| fits(sent, asked.get(&version))));
    for sent in sent {
        let Some(version) = sent.accepted else {
            // Refused as often as it was sent, so it is in no log.
            if sent.refused < sent.copies {
                unanswered.push(sent);
            }
            continue;
        };
        let Some(event) = events.get(version as usize - 1) else {
            return Err(format!("{sent:?} was accepted and is lost"));
        };
        let ended = match &event.kind {
            EventKind::Ended { reason, .. } => Some(*reason),
            _ => None,
        };
        let place = if fits(sent, asked.get(&version)) || crosses(sent, asked.get(&version)) {
            version
        } else if ended.is_some()
            && fits(sent, asked.get(&(version - 1)))
            && (open.contains_key(&(version - 1)) || !ended.is_some_and(is_lapse))
        {
            version - 1
        } else if ended.is_some_and(is_lapse) {
            // Its time was up when it arrived.
            continue;
        } else {
            return Err(format!("{sent:?} was accepted, and the log has {event:?}"));
        };
        if open.remove(&place).is_none() {
            return Err(format!("{sent:?} was accepted for an event of another command"));
        }
    }
    for (version, (by, wish)) in &open {
        let asked = Some((*by, wish.clone()));
        let place = unanswered.iter().position(|sent| fits(sent, asked.as_ref()));
        let crossed = || unanswered.iter().position(|sent| crosses(sent, asked.as_ref()));
        let Some(place) = place.or_else(crossed) else {
            return Err(format!("no command asked for version {version}, {by:?} {wish:?}, or not so often"));
        };
        unanswered.swap_remove(place);
    }
    Ok(())
}

fn is_lapse(reason: EndReason) -> bool {
    matches!(reason, EndReason::TimeOut | EndReason::TimeOutUnwinnable | EndReason::NoFirstTurn)
}

/// A game and its clocks, computed independently.
#[derive(Debug)]
struct Model {
    initial: AnyPosition,
    position: AnyPosition,
    turns: Vec<String>,
    control: TimeControl,
    started: bool,
    over: bool,
    left: ByColor<i64>,
    /// The clocks after each turn.
    after: Vec<ByColor<i64>>,
    allowance: ByColor<i64>,
    /// When the turn began, and how much of it was charged to neither side.
    began: i64,
    skipped: i64,
    at: i64,
    takeback: Option<Color>,
    draw: Option<Color>,
    down: Vec<(i64, i64)>,
    /// Maximum time that may be charged to neither side without a downtime.
    gift: i64,
    /// Maximum delay of a flag.
    late: i64,
    /// How much of a downtime may go unnoticed, because another node's lease covers it.
    unnoticed_ms: i64,
}

impl Model {
    fn new(first: &Event, record: &Record, alone: bool, refusals: i64) -> Result<Self, String> {
        let EventKind::Created { variant, initial_fen, options, .. } = &first.kind else {
            return Err("the log does not begin with the creation".into());
        };
        let position = AnyPosition::from_fen(*variant, initial_fen).map_err(|error| error.to_string())?;
        let initial_ms = match options.clock {
            TimeControl::Fischer { initial_ms, .. } | TimeControl::Delay { initial_ms, .. } => initial_ms,
            other => return Err(format!("no client creates a game with {other:?}")),
        };
        let both = |ms| ByColor { white: ms, black: ms };
        Ok(Self {
            initial: position.clone(),
            position,
            turns: Vec::new(),
            control: options.clock,
            started: false,
            over: false,
            left: both(i64::from(initial_ms)),
            after: vec![both(i64::from(initial_ms))],
            allowance: both(LAG_ALLOWANCE_MS),
            began: first.at_ms,
            skipped: 0,
            at: first.at_ms,
            takeback: None,
            draw: None,
            down: record.down.clone(),
            gift: record.starts as i64 * (BEAT_MS + if alone { 0 } else { REFUND_MS })
                + refusals * UNWRITTEN_MS
                + record.stalls as i64 * PULSE_MS,
            late: LATE_MS + refusals * RETRY_MS + if alone { 0 } else { TAKEOVER_MS },
            unnoticed_ms: if alone { 0 } else { LEASE_MS + BEAT_MS },
        })
    }

    /// Returns the command that must have asked for an event, if one is needed.
    fn wish(&self, event: &Event) -> Option<Asked> {
        let by_name = |by: Option<Color>| Some((by, Wish::Other(name_of(&event.kind))));
        match &event.kind {
            EventKind::Played { color, turn, .. } => Some((Some(*color), Wish::Play(turn.clone()))),
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
            EventKind::Ended { reason: EndReason::Aborted, .. } => by_name(None),
            _ => None,
        }
    }

    /// Describes the clocks, for debugging.
    fn told(&self) -> String {
        let Self { began, skipped, left, down, at, .. } = self;
        format!(
            "after {} turns; began {began}, skipped {skipped}, {left:?}, last {at}, down {down:?}",
            self.turns.len()
        )
    }

    fn is_running(&self) -> bool {
        self.started && !self.over && self.turns.len() >= 2
    }

    fn elapsed(&self, at: i64) -> i64 {
        (at - self.began - self.skipped).max(0)
    }

    fn delay(&self) -> i64 {
        if let TimeControl::Delay { delay_ms, .. } = self.control { delay_ms.into() } else { 0 }
    }

    fn shown(&self, at: i64) -> ByColor<i64> {
        let mut left = self.left;
        if self.is_running() {
            let turn = self.position.side_to_move();
            left[turn] = (left[turn] - (self.elapsed(at) - self.delay()).max(0)).max(0);
        }
        left
    }

    /// Returns the time at which the side to move runs out of time.
    fn due(&self) -> i64 {
        let turn = self.position.side_to_move();
        let limit = if self.is_running() {
            self.left[turn] + self.delay() + self.allowance[turn].min(LAG_PER_TURN_MS)
        } else {
            30_000
        };
        self.began + self.skipped + limit
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        let at = event.at_ms;
        if at < self.at {
            return Err("it is earlier than the event before".into());
        }
        if self.over {
            return Err("the game was over".into());
        }
        if !self.started && !matches!(event.kind, EventKind::Joined { .. } | EventKind::Ended { .. }) {
            return Err("the game had not begun".into());
        }
        let shown = self.shown(at);
        match &event.kind {
            EventKind::Joined { color, .. } => {
                if self.started || *color != Color::Black {
                    return Err("no player could join".into());
                }
                self.started = true;
                (self.began, self.skipped) = (at, 0);
            }
            EventKind::Played { color, turn, clock, lag_ms } => {
                self.played(*color, turn, *clock, i64::from(*lag_ms), at)?;
            }
            EventKind::TakenBack { plies, clock } => {
                let plies = usize::from(*plies);
                let left = self.turns.len().checked_sub(plies).ok_or("so many turns were not played")?;
                self.charged_fairly(at)?;
                self.turns.truncate(left);
                self.after.truncate(left + 1);
                self.left = self.after[left];
                hold(*clock, self.left)?;
                self.position = self.initial.clone();
                for turn in &self.turns {
                    let legal = coordinate::parse(&self.position, turn).map_err(|error| error.to_string())?;
                    self.position.play_turn_unchecked(&legal);
                }
                (self.began, self.skipped) = (at, 0);
                (self.takeback, self.draw) = (None, None);
            }
            EventKind::TimeGiven { color, ms, clock } => {
                if *ms != 15_000 {
                    return Err("the gift has the wrong size".into());
                }
                self.left[!*color] += ms;
                hold(Some(*clock), self.shown(at))?;
            }
            EventKind::Interrupted { from_ms, until_ms, clock } => {
                if *from_ms < self.at || until_ms <= from_ms || *until_ms > at {
                    return Err("the interruption is outside of its time".into());
                }
                self.skipped += until_ms - from_ms;
                hold(Some(*clock), self.shown(at))?;
            }
            EventKind::Ended { reason, .. } => {
                self.ended(*reason, at)?;
                self.charged_fairly(at)?;
                self.left = shown;
                self.over = true;
            }
            EventKind::DrawOffered { color } => self.draw = Some(*color),
            EventKind::DrawDeclined { .. } => self.draw = None,
            EventKind::TakebackProposed { color } => self.takeback = Some(*color),
            EventKind::TakebackDeclined { .. } => self.takeback = None,
            _ => return Err("no command asks for this".into()),
        }
        self.at = at;
        Ok(())
    }

    fn played(
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
        if at >= self.due() {
            return Err(format!("the time was up at {}", self.due()));
        }
        if self.is_running() {
            let most = LAG_PER_TURN_MS.min(self.allowance[by]).min(self.elapsed(at)).min(LONGEST_LAG_MS);
            if lag > most {
                return Err(format!("lag above {most} ms"));
            }
            self.left[by] -= (self.elapsed(at) - lag - self.delay()).max(0);
            if self.left[by] <= 0 {
                return Err("no time was left".into());
            }
            self.charged_fairly(at)?;
        } else if lag > 0 {
            return Err("lag without a clock".into());
        }
        if let TimeControl::Fischer { increment_ms, .. } = self.control {
            self.left[by] += i64::from(increment_ms);
        }
        hold(clock, self.left)?;
        self.allowance[by] = (self.allowance[by] - lag + LAG_REGAINED_MS).min(LAG_ALLOWANCE_MS);
        self.position.play_turn_unchecked(&legal);
        self.turns.push(turn.to_owned());
        self.after.push(self.left);
        (self.began, self.skipped) = (at, 0);
        self.takeback = None;
        if self.draw == Some(!by) {
            self.draw = None;
        }
        Ok(())
    }

    fn ended(&self, reason: EndReason, at: i64) -> Result<(), String> {
        let turn = self.position.side_to_move();
        let up = match reason {
            EndReason::TimeOut | EndReason::TimeOutUnwinnable => {
                // A turn that arrives too late need not wait for the allowance for lag.
                self.is_running() && self.elapsed(at) >= self.left[turn] + self.delay()
            }
            EndReason::NoFirstTurn => self.started && !self.is_running() && at >= self.due(),
            // By a turn, or by a command.
            _ => return Ok(()),
        };
        if !up {
            return Err(format!("the time is up at {}", self.due()));
        }
        if at > self.due() + self.late { Err(format!("the time was up at {}", self.due())) } else { Ok(()) }
    }

    /// Checks that all downtimes, and hardly more, were charged to neither side.
    fn charged_fairly(&self, at: i64) -> Result<(), String> {
        if !self.started {
            return Ok(());
        }
        let overlap = |(from, until): &(i64, i64)| (at.min(*until) - self.began.max(*from)).max(0);
        let down: i64 = self.down.iter().map(overlap).sum();
        let noticed = self.down.iter().map(|down| (overlap(down) - self.unnoticed_ms).max(0)).sum();
        if self.skipped < noticed || self.skipped > down + self.gift {
            return Err(format!("{} ms were charged to neither side, of {down}", self.skipped));
        }
        Ok(())
    }
}

fn hold(told: Option<Times>, expected: ByColor<i64>) -> Result<(), String> {
    if told.map(ByColor::from) == Some(expected) {
        Ok(())
    } else {
        Err(format!("the clocks should show {expected:?}"))
    }
}

/// Returns the name under which clients ask for an event.
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
