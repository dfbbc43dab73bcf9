//! Translates between a game and the messages about it: `adoube-game` applies the rules, and
//! `adoube-protocol` defines the messages.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod mirror;

use adoube_game::{Event, EventKind, Game, Seat};
use adoube_protocol as wire;
use adoube_protocol::{GameId, Level, LogEntry, Millis, ServerMessage, Version};
use adoube_rules::{ByColor, Color};

pub use mirror::{Mirror, MirrorError, PossibleAct};

/// The names of the two players' accounts.
pub type PlayerNames = ByColor<Option<String>>;

/// Converts a side to its protocol type.
pub fn color_to_wire(color: Color) -> wire::Color {
    match color {
        Color::White => wire::Color::White,
        Color::Black => wire::Color::Black,
    }
}

/// Converts a side from its protocol type.
pub fn color_from_wire(color: wire::Color) -> Color {
    match color {
        wire::Color::White => Color::White,
        wire::Color::Black => Color::Black,
    }
}

/// Converts draw rules from their protocol type.
pub fn draw_rules_from_wire(rules: wire::DrawRules) -> adoube_game::DrawRules {
    match rules {
        wire::DrawRules::Club => adoube_game::DrawRules::Club,
        wire::DrawRules::Fide => adoube_game::DrawRules::Fide,
    }
}

/// Converts draw rules to their protocol type.
pub fn draw_rules_to_wire(rules: adoube_game::DrawRules) -> wire::DrawRules {
    match rules {
        adoube_game::DrawRules::Club => wire::DrawRules::Club,
        adoube_game::DrawRules::Fide => wire::DrawRules::Fide,
    }
}

/// Converts a result to its protocol type.
pub fn result_to_wire(result: adoube_game::GameResult) -> wire::GameResult {
    match result {
        adoube_game::GameResult::WhiteWins => wire::GameResult::WhiteWins,
        adoube_game::GameResult::BlackWins => wire::GameResult::BlackWins,
        adoube_game::GameResult::Draw => wire::GameResult::Draw,
        adoube_game::GameResult::NoResult => wire::GameResult::NoResult,
    }
}

/// Converts a time control from its protocol type.
pub fn time_control_from_wire(control: wire::TimeControl) -> adoube_game::TimeControl {
    match control {
        wire::TimeControl::Unlimited => adoube_game::TimeControl::Unlimited,
        wire::TimeControl::Fischer { initial_ms, increment_ms } => {
            adoube_game::TimeControl::Fischer { initial_ms, increment_ms }
        }
        wire::TimeControl::Delay { initial_ms, delay_ms } => {
            adoube_game::TimeControl::Delay { initial_ms, delay_ms }
        }
        wire::TimeControl::Correspondence { days_per_turn } => {
            adoube_game::TimeControl::Correspondence { days_per_turn }
        }
    }
}

/// Converts a time control to its protocol type.
pub fn time_control_to_wire(control: adoube_game::TimeControl) -> wire::TimeControl {
    match control {
        adoube_game::TimeControl::Unlimited => wire::TimeControl::Unlimited,
        adoube_game::TimeControl::Fischer { initial_ms, increment_ms } => {
            wire::TimeControl::Fischer { initial_ms, increment_ms }
        }
        adoube_game::TimeControl::Delay { initial_ms, delay_ms } => {
            wire::TimeControl::Delay { initial_ms, delay_ms }
        }
        adoube_game::TimeControl::Correspondence { days_per_turn } => {
            wire::TimeControl::Correspondence { days_per_turn }
        }
    }
}

fn obligation(obligation: adoube_game::Obligation) -> wire::Obligation {
    match obligation {
        adoube_game::Obligation::MustMove(own) => wire::Obligation::MustMove { own: own.to_string() },
        adoube_game::Obligation::MustTake(enemy) => wire::Obligation::MustTake { enemy: enemy.to_string() },
        adoube_game::Obligation::MustTakeWith { own, enemy } => {
            wire::Obligation::MustTakeWith { own: own.to_string(), enemy: enemy.to_string() }
        }
    }
}

fn seat(seat: &Seat, name: Option<&String>) -> wire::Seat {
    match seat {
        Seat::Open => wire::Seat::Open,
        Seat::Person { .. } => wire::Seat::Person { name: name.cloned() },
        Seat::Machine { level } => machine(*level),
    }
}

/// Returns the machine's seat. A level that existed only in an older version becomes the nearest one that
/// still exists.
pub fn machine(level: u8) -> wire::Seat {
    Level::try_from(level.clamp(1, Level::MAX))
        .map_or(wire::Seat::Open, |level| wire::Seat::Machine { level })
}

fn players(game: &Game, names: &PlayerNames) -> wire::Players {
    wire::Players {
        white: seat(&game.seats().white, names.white.as_ref()),
        black: seat(&game.seats().black, names.black.as_ref()),
    }
}

fn status(game: &Game) -> wire::Status {
    match game.ending() {
        Some(ending) => wire::Status::Over {
            result: result_to_wire(ending.result),
            reason: ending.reason.name().to_owned(),
        },
        None if game.is_started() => wire::Status::Playing,
        None => wire::Status::Waiting,
    }
}

fn clock(game: &Game, now: Millis) -> Option<wire::ClockState> {
    let view = game.clock_view(now.0)?;
    Some(wire::ClockState {
        left: view.left_ms.into(),
        running: view.running.map(color_to_wire),
        delay_left_ms: view.delay_left_ms,
        first_turn_until: view.first_turn_until_ms.map(Millis),
    })
}

fn touch(game: &Game) -> wire::TouchState {
    wire::TouchState {
        squares: game.touched().into_iter().map(|square| square.to_string()).collect(),
        adjusting: game.is_adjusting(),
        obligation: game.obligation().map(obligation),
    }
}

/// The data that a snapshot contains in addition to the game: the viewer's side, the players' names, the
/// match, the log and the time.
#[derive(Clone, Debug)]
pub struct View {
    pub you: Option<Color>,
    pub names: PlayerNames,
    pub in_match: Option<wire::MatchState>,
    /// The part of the log that the viewer may see; may be empty.
    pub log: Vec<LogEntry>,
    pub now: Millis,
}

/// Returns the whole game, limited to what the viewer may see.
pub fn snapshot(id: &GameId, game: &Game, view: View) -> wire::Game {
    wire::Game {
        id: id.clone(),
        variant: game.variant().to_string(),
        initial_fen: game.initial_fen().to_owned(),
        draw_rules: draw_rules_to_wire(game.draw_rules()),
        turns: game.turn_texts(),
        version: Version(game.version()),
        players: players(game, &view.names),
        you: view.you.map(color_to_wire),
        status: status(game),
        draw_offer: game.draw_offer().map(color_to_wire),
        created_at: Millis(game.created_at_ms()),
        time_control: time_control_to_wire(game.options().clock),
        first_turn_ms: game.options().clock.first_turn_ms(),
        clock: clock(game, view.now),
        touch_move: game.options().touch_move,
        touch: touch(game),
        casual: game.options().casual,
        takeback: game.takeback_proposal().map(color_to_wire),
        rematch_offer: game.rematch_offer().map(color_to_wire),
        rematch: game.rematch().cloned(),
        conditions: view.you.map_or_else(Vec::new, |you| game.conditions(you).to_vec()),
        in_match: view.in_match,
        log: view.log,
        at: view.now,
    }
}

/// Data that is sent with an event but not contained in it.
#[derive(Clone, Debug, Default)]
pub struct EventContext {
    /// The name of the player who joined, for [`EventKind::Joined`].
    pub name: Option<String>,
    /// The obligation after a touch.
    pub obligation: Option<adoube_game::Obligation>,
    /// The time left on both clocks after the event.
    pub left_ms: Option<ByColor<i64>>,
}

impl EventContext {
    /// Returns the context of an event; `after` is the game with the event applied.
    pub fn of(event: &Event, after: &Game, names: &PlayerNames) -> Self {
        let mut context = Self::default();
        match &event.kind {
            EventKind::Touched { .. } => context.obligation = after.obligation(),
            EventKind::Ended { .. } => context.left_ms = after.clock_at(event.at_ms),
            EventKind::Joined { color, .. } => context.name.clone_from(&names[*color]),
            _ => {}
        }
        context
    }
}

/// Returns all events except the first, limited to what the viewer may see. Every snapshot already contains
/// the data of the first one.
///
/// Leaves out the obligation after a touch and the clocks at the end. They follow from earlier events, and
/// adding them would mean replaying a long game for each snapshot. Only the last tree of the viewer's
/// conditions is included; earlier ones are replaced by empty trees.
pub fn log(events: &[(u64, Event)], viewer: Option<Color>, names: &PlayerNames) -> Vec<LogEntry> {
    let events = events.get(1..).unwrap_or_default();
    let is_tree = |event: &Event| {
        matches!(event.kind, EventKind::ConditionsSet { .. }) && event.kind.visible_to(viewer)
    };
    let last_tree = events.iter().rposition(|(_, event)| is_tree(event));
    let entry = |(index, (version, event)): (usize, &(u64, Event))| {
        let shown_event = match &event.kind {
            kind if !kind.visible_to(viewer) => wire::GameEvent::Hidden,
            EventKind::ConditionsSet { color, .. } if Some(index) != last_tree => {
                wire::GameEvent::Other(EventKind::ConditionsSet { color: *color, tree: Vec::new() })
            }
            EventKind::Joined { color, .. } => {
                visible_event(event, EventContext { name: names[*color].clone(), ..EventContext::default() })?
            }
            _ => visible_event(event, EventContext::default())?,
        };
        Some(LogEntry { version: Version(*version), at: Millis(event.at_ms), event: shown_event })
    };
    events.iter().enumerate().filter_map(entry).collect()
}

/// Returns the message for an event. The creation of a game has none, because there can be no viewers yet.
pub fn event(version: u64, event: &Event, context: EventContext) -> Option<ServerMessage> {
    Some(message(version, event, visible_event(event, context)?))
}

fn visible_event(event: &Event, context: EventContext) -> Option<wire::GameEvent> {
    Some(match &event.kind {
        EventKind::Created { .. } => return None,
        EventKind::Joined { color: joined, .. } => wire::GameEvent::Joined {
            color: color_to_wire(*joined),
            seat: wire::Seat::Person { name: context.name },
        },
        EventKind::Touched { color: by, square, outcome } => wire::GameEvent::Touched {
            color: color_to_wire(*by),
            square: square.to_string(),
            obligation: context.obligation.map(obligation),
            outcome: *outcome,
        },
        EventKind::Interrupted { from_ms, until_ms, clock } => {
            wire::GameEvent::Interrupted { from: Millis(*from_ms), until: Millis(*until_ms), clock: *clock }
        }
        EventKind::Ended { result, reason } => wire::GameEvent::Ended {
            result: result_to_wire(*result),
            reason: reason.name().to_owned(),
            clock: context.left_ms.map(wire::Times::from),
        },
        kept => wire::GameEvent::Other(kept.clone()),
    })
}

/// Returns the message for viewers who may not see the event.
pub fn hidden(version: u64, event: &Event) -> ServerMessage {
    message(version, event, wire::GameEvent::Hidden)
}

fn message(version: u64, source: &Event, event: wire::GameEvent) -> ServerMessage {
    ServerMessage::Event { version: Version(version), at: Millis(source.at_ms), event }
}
