//! A client's copy of a game. It contains only the data that the visitor may see.

use adoube_game::{
    Act, ActContext, Command, EndReason, Event, EventKind, Game, GameResult, LAG_PER_TURN_MS, LEFT_AFTER_MS,
    MatchGame, Options, Refusal, ReplayError, Schema, Seat,
};
use adoube_protocol as wire;
use adoube_protocol::{GameId, LogEntry, Millis, PlayerId};
use adoube_rules::{ByColor, Color, Square, Variant};
use serde::{Deserialize as _, de::IntoDeserializer as _};
use thiserror::Error;

use crate::{
    PlayerNames, View, clock, color_from_wire, draw_rules_from_wire, snapshot, time_control_from_wire,
};

/// The reason why a mirror cannot apply a message. The mirror is unchanged.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum MirrorError {
    #[error("unknown variant {0:?}")]
    Variant(String),
    #[error("{0:?} is not a square")]
    Square(String),
    #[error("unknown ending {0:?}")]
    EndReason(String),
    #[error("version {found} is out of order; version {expected} is next")]
    Gap { expected: u64, found: u64 },
    #[error("the snapshot has version {expected}, but its log has version {found}")]
    Incomplete { expected: u64, found: u64 },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// An act that is possible for the visitor in the current state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PossibleAct {
    /// The type of the message for the act, such as `offer-draw`.
    pub act: &'static str,
    /// The result of the game, if the act ends it; `None` for `claim-left`, whose result requires a search
    /// (C23) that would block the page.
    pub ends: Option<GameResult>,
}

/// A copy of a game, updated by the messages about it.
///
/// Built from the log in a snapshot, and updated with each event. It lacks the data that the visitor may not
/// see: the ids of both players, and any conditional turns but the visitor's own. Everything that the visitor
/// sees or may do is the same as in the server's game.
#[derive(Clone, Debug)]
pub struct Mirror {
    id: GameId,
    game: Game,
    you: Option<Color>,
    names: PlayerNames,
    in_match: Option<wire::MatchState>,
}

impl Mirror {
    /// Builds the copy from a snapshot. Fails if a part of it cannot be read, or if its log ends at a
    /// different version.
    pub fn new(snapshot: wire::Game) -> Result<Self, MirrorError> {
        let created = Event {
            schema: Schema::default(),
            at_ms: snapshot.created_at.0,
            kind: EventKind::Created {
                variant: snapshot
                    .variant
                    .parse::<Variant>()
                    .map_err(|_| MirrorError::Variant(snapshot.variant.clone()))?,
                initial_fen: snapshot.initial_fen.clone(),
                draw_rules: draw_rules_from_wire(snapshot.draw_rules),
                seats: first_seats(&snapshot).into(),
                options: Options {
                    clock: time_control_from_wire(snapshot.time_control),
                    touch_move: snapshot.touch_move,
                    casual: snapshot.casual,
                    in_match: snapshot
                        .in_match
                        .as_ref()
                        .map(|state| Box::new(MatchGame { id: state.id.clone(), number: state.number })),
                },
            },
        };
        let name = |seat: &wire::Seat| match seat {
            wire::Seat::Person { name } => name.clone(),
            wire::Seat::Open | wire::Seat::Machine { .. } => None,
        };
        let mut mirror = Self {
            id: snapshot.id,
            game: Game::replay([&created])?,
            you: snapshot.you.map(color_from_wire),
            names: PlayerNames { white: name(&snapshot.players.white), black: name(&snapshot.players.black) },
            in_match: snapshot.in_match,
        };
        for entry in snapshot.log {
            mirror.apply(entry)?;
        }
        let (expected, found) = (snapshot.version.0, mirror.game.version());
        if expected == found { Ok(mirror) } else { Err(MirrorError::Incomplete { expected, found }) }
    }

    /// Applies the next event.
    pub fn apply(&mut self, entry: LogEntry) -> Result<(), MirrorError> {
        let (expected, found) = (self.game.version() + 1, entry.version.0);
        if expected != found {
            return Err(MirrorError::Gap { expected, found });
        }
        let at_ms = entry.at.0;
        let name = match &entry.event {
            wire::GameEvent::Joined { color, seat: wire::Seat::Person { name } } => {
                Some((color_from_wire(*color), name.clone()))
            }
            _ => None,
        };
        match kind(entry.event)? {
            Some(kind) => self.game.apply(&Event { schema: Schema::default(), at_ms, kind })?,
            None => self.game.apply_hidden(at_ms)?,
        }
        if let Some((color, name)) = name {
            self.names[color] = name;
        }
        Ok(())
    }

    /// Updates the state of the match that the game belongs to.
    pub fn set_match_state(&mut self, state: wire::MatchState) {
        self.in_match = Some(state);
    }

    /// Returns the game itself.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the visitor's side; `None` for a spectator.
    pub fn you(&self) -> Option<Color> {
        self.you
    }

    /// Returns the snapshot that the server would send now, without the log.
    pub fn snapshot(&self, now: Millis) -> wire::Game {
        let view = View {
            you: self.you,
            names: self.names.clone(),
            in_match: self.in_match.clone(),
            log: Vec::new(),
            now,
        };
        snapshot(&self.id, &self.game, view)
    }

    /// Returns the clocks as they are now; `None` in a game without clocks.
    pub fn clock(&self, now: Millis) -> Option<wire::ClockState> {
        clock(&self.game, now)
    }

    /// Returns all acts that the visitor may perform now, except turns and touches. Only the server knows
    /// whether the opponent has been away for [`LEFT_AFTER_MS`](adoube_game::LEFT_AFTER_MS), so this assumes
    /// that they have.
    pub fn acts(&self, now: Millis) -> Vec<PossibleAct> {
        if self.is_time_up(now) {
            return Vec::new();
        }
        let version = self.game.version();
        let acts = Act::all_without_choice(version).filter(|act| *act != Act::ClaimLeft);
        let possible = |act: Act| {
            let name = act.name();
            let events = self.decide(act, now).ok()?;
            let ends = events.iter().find_map(|event| match event.kind {
                EventKind::Ended { result, .. } => Some(result),
                _ => None,
            });
            Some(PossibleAct { act: name, ends })
        };
        let left = self.may_claim_left(now).then_some(PossibleAct { act: Act::ClaimLeft.name(), ends: None });
        acts.filter_map(possible).chain(left).collect()
    }

    /// Returns `true` if a claim would be allowed once the opponent has been away for long enough. Deciding
    /// the claim itself would require a search for a helpmate after every event.
    fn may_claim_left(&self, now: Millis) -> bool {
        let context = ActContext { opponent_away_ms: 0, ..self.context() };
        matches!(self.decide_in(Act::ClaimLeft, context, now), Err(Refusal::OpponentNotAway))
    }

    /// Returns the visitor's turn as canonical text, or the reason why it is refused. The lag of the turn
    /// is not known yet, so the maximum compensation is assumed.
    pub fn play(&self, text: &str, now: Millis) -> Result<String, Refusal> {
        // The time may be up on this clock, but only the server's clock decides, and finding the result would
        // require a search.
        if self.is_time_up(now) {
            return Ok(text.to_owned());
        }
        let act = Act::Play { version: self.game.version(), turn: text.to_owned() };
        let turn = self.decide(act, now)?.into_iter().find_map(|event| match event.kind {
            EventKind::Played { turn, .. } => Some(turn),
            _ => None,
        });
        Ok(turn.unwrap_or_else(|| text.to_owned()))
    }

    /// Returns `true` if the visitor may touch the man on a square now (C13).
    pub fn may_touch(&self, square: Square, now: Millis) -> bool {
        let act = Act::Touch { version: self.game.version(), square: square.to_string() };
        !self.is_time_up(now) && self.decide(act, now).is_ok()
    }

    /// Returns the events that result from the visitor's act. Assumes the best case for facts that only the
    /// server knows.
    fn decide(&self, act: Act, now: Millis) -> Result<Vec<Event>, Refusal> {
        self.decide_in(act, self.context(), now)
    }

    fn context(&self) -> ActContext {
        ActContext {
            lag_ms: LAG_PER_TURN_MS,
            opponent_away_ms: LEFT_AFTER_MS,
            rematch: Some(self.id.clone()),
            ..ActContext::default()
        }
    }

    fn decide_in(&self, act: Act, context: ActContext, now: Millis) -> Result<Vec<Event>, Refusal> {
        let Some(by) = self.you else {
            return Err(Refusal::NotYourTurn { turn: self.game.side_to_move() });
        };
        self.game.decide(&Command::Act { by, act, context }, now.0)
    }

    /// Returns `true` if the time has run out according to this clock, although the server has not reported
    /// it yet. The next command will end the game.
    fn is_time_up(&self, now: Millis) -> bool {
        self.game.next_deadline_ms().is_some_and(|deadline_ms| now.0 >= deadline_ms)
    }
}

/// Returns the seats at the creation of the game, without players who joined later.
fn first_seats(snapshot: &wire::Game) -> ByColor<Seat> {
    ByColor::new_with(|color| {
        let joined = |entry: &LogEntry| matches!(entry.event, wire::GameEvent::Joined { color: joined, .. } if color_from_wire(joined) == color);
        let seat = if color == Color::White { &snapshot.players.white } else { &snapshot.players.black };
        match seat {
            wire::Seat::Person { .. } if !snapshot.log.iter().any(joined) => person(color),
            wire::Seat::Person { .. } | wire::Seat::Open => Seat::Open,
            wire::Seat::Machine { level } => Seat::Machine { level: level.get() },
        }
    })
}

/// Returns a placeholder id: a visitor never receives the ids of players, but each side needs a distinct one.
fn player(color: Color) -> PlayerId {
    PlayerId::from_random(color as u128)
}

fn person(color: Color) -> Seat {
    Seat::Person { player: player(color) }
}

/// Returns the event as it is in the log; `None` if it is hidden.
fn kind(event: wire::GameEvent) -> Result<Option<EventKind>, MirrorError> {
    use wire::GameEvent as Sent;
    Ok(Some(match event {
        Sent::Hidden => return Ok(None),
        Sent::Other(kind) => kind,
        Sent::Joined { color, .. } => {
            let color = color_from_wire(color);
            EventKind::Joined { color, player: player(color) }
        }
        Sent::Touched { color, square, outcome, .. } => EventKind::Touched {
            color: color_from_wire(color),
            square: square.parse().map_err(|_| MirrorError::Square(square))?,
            outcome,
        },
        Sent::Interrupted { from, until, clock } => {
            EventKind::Interrupted { from_ms: from.0, until_ms: until.0, clock }
        }
        Sent::Ended { result, reason, .. } => {
            EventKind::Ended { result: result_from_wire(result), reason: end_reason(reason)? }
        }
    }))
}

fn result_from_wire(result: wire::GameResult) -> GameResult {
    match result {
        wire::GameResult::WhiteWins => GameResult::WhiteWins,
        wire::GameResult::BlackWins => GameResult::BlackWins,
        wire::GameResult::Draw => GameResult::Draw,
        wire::GameResult::NoResult => GameResult::NoResult,
    }
}

/// Returns the end reason with this name.
fn end_reason(name: String) -> Result<EndReason, MirrorError> {
    let read: Result<_, serde::de::value::Error> = EndReason::deserialize(name.as_str().into_deserializer());
    read.map_err(|_| MirrorError::EndReason(name))
}
