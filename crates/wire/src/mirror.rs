//! A game as one visitor knows it, in the visitor's own program.

use adoube_game::{
    Act, ActContext, Command, Event, EventKind, Game, GameResult, LAG_PER_TURN_MS, LEFT_AFTER_MS, MatchGame,
    Options, Reason, Refusal, ReplayError, Schema, Seat,
};
use adoube_protocol as wire;
use adoube_protocol::{GameId, LogEntry, Millis, PlayerId};
use adoube_rules::{ByColor, Color, Square, Variant};
use serde::{Deserialize as _, de::IntoDeserializer as _};
use thiserror::Error;

use crate::{Names, View, clock, color_from, draw_rules, snapshot, time_control};

/// Why a message cannot be taken in by a mirror, which is as before.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum MirrorError {
    #[error("no game is called {0:?}")]
    Variant(String),
    #[error("{0:?} is not a square")]
    Square(String),
    #[error("no game ends by {0:?}")]
    Reason(String),
    #[error("version {found} was told where version {expected} comes next")]
    Gap { expected: u64, found: u64 },
    #[error("the log of the snapshot makes version {found}, and the snapshot is of version {expected}")]
    Incomplete { expected: u64, found: u64 },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Something that the visitor may ask of the game as it stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PossibleAct {
    /// The type of the message that asks for it, such as `offer-draw`.
    pub act: &'static str,
    /// How the game ends by it, if it does.
    pub ends: Option<GameResult>,
}

/// A game that follows the messages about it.
///
/// It is rebuilt from the log in a snapshot, and goes on with each event that is told. What the visitor may not know is missing
/// in it (who the other player is, the other side's conditional turns); all that the visitor is shown, and all that the
/// visitor may do, is what the server's own game says.
#[derive(Clone, Debug)]
pub struct Mirror {
    id: GameId,
    game: Game,
    you: Option<Color>,
    names: Names,
    in_match: Option<wire::MatchState>,
}

impl Mirror {
    /// Returns the game that a snapshot tells of, or what of it cannot be understood.
    pub fn new(told: wire::Game) -> Result<Self, MirrorError> {
        let created = Event {
            schema: Schema::default(),
            at_ms: told.created_at.0,
            kind: EventKind::Created {
                variant: told
                    .variant
                    .parse::<Variant>()
                    .map_err(|_| MirrorError::Variant(told.variant.clone()))?,
                initial_fen: told.initial_fen.clone(),
                draw_rules: draw_rules(told.draw_rules),
                seats: first_seats(&told).into(),
                options: Options {
                    clock: time_control(told.time_control),
                    touch_move: told.touch_move,
                    casual: told.casual,
                    in_match: told
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
            id: told.id,
            game: Game::replay([&created])?,
            you: told.you.map(color_from),
            names: Names { white: name(&told.players.white), black: name(&told.players.black) },
            in_match: told.in_match,
        };
        for entry in told.log {
            mirror.apply(entry)?;
        }
        let (expected, found) = (told.version.0, mirror.game.version());
        if expected == found { Ok(mirror) } else { Err(MirrorError::Incomplete { expected, found }) }
    }

    /// Takes in the event that comes next.
    pub fn apply(&mut self, entry: LogEntry) -> Result<(), MirrorError> {
        let (expected, found) = (self.game.version() + 1, entry.version.0);
        if expected != found {
            return Err(MirrorError::Gap { expected, found });
        }
        let at_ms = entry.at.0;
        let name = match &entry.event {
            wire::GameEvent::Joined { color, seat: wire::Seat::Person { name } } => {
                Some((color_from(*color), name.clone()))
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

    /// Takes in how the match stands that the game belongs to.
    pub fn match_stands(&mut self, state: wire::MatchState) {
        self.in_match = Some(state);
    }

    /// Returns the game itself.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the side of the visitor; none looks on.
    pub fn you(&self) -> Option<Color> {
        self.you
    }

    /// Returns what the server would send as a snapshot now, but for the log.
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

    /// Returns what there is to see of the clocks now; none in a game without.
    pub fn clock(&self, now: Millis) -> Option<wire::ClockState> {
        clock(&self.game, now)
    }

    /// Returns all that the visitor may do now, but for turns and touches. Whether the other side has been away for long
    /// enough ([`LEFT_AFTER_MS`](adoube_game::LEFT_AFTER_MS)) only the server knows: it is taken to be so.
    pub fn acts(&self, now: Millis) -> Vec<PossibleAct> {
        if self.is_time_up(now) {
            return Vec::new();
        }
        let seen = self.game.version();
        let acts = [
            Act::Resign,
            Act::OfferDraw,
            Act::AcceptDraw,
            Act::DeclineDraw,
            Act::ClaimDraw,
            Act::Abort,
            Act::ProposeTakeback,
            Act::AcceptTakeback,
            Act::DeclineTakeback,
            Act::GiveTime,
            Act::ClaimLeft,
            Act::OfferRematch,
            Act::AcceptRematch,
            Act::DeclineRematch,
            Act::Adjust { seen },
            Act::SetConditions { seen, tree: Vec::new() },
        ];
        let possible = |act: Act| {
            let name = act.name();
            let events = self.decide(act, now).ok()?;
            let ends = events.iter().find_map(|event| match event.kind {
                EventKind::Ended { result, .. } => Some(result),
                _ => None,
            });
            Some(PossibleAct { act: name, ends })
        };
        acts.into_iter().filter_map(possible).collect()
    }

    /// Returns the turn of the visitor as the game will write it, or why it is refused. How long it will be on its way is not known,
    /// so it is given as much time back as any turn may be.
    pub fn play(&self, text: &str, now: Millis) -> Result<String, Refusal> {
        let act = Act::Play { seen: self.game.version(), turn: text.to_owned() };
        let turn = self.decide(act, now)?.into_iter().find_map(|event| match event.kind {
            EventKind::Played { turn, .. } => Some(turn),
            _ => None,
        });
        // Where time is up by this clock, the server says so by its own.
        Ok(turn.unwrap_or_else(|| text.to_owned()))
    }

    /// Returns whether the visitor may touch the man on a square now (C13).
    pub fn may_touch(&self, square: Square, now: Millis) -> bool {
        let act = Act::Touch { seen: self.game.version(), square: square.to_string() };
        !self.is_time_up(now) && self.decide(act, now).is_ok()
    }

    /// Returns what follows from an act of the visitor. Of what only the server knows, the best is assumed.
    fn decide(&self, act: Act, now: Millis) -> Result<Vec<Event>, Refusal> {
        let Some(by) = self.you else {
            return Err(Refusal::NotYourTurn { turn: self.game.side_to_move() });
        };
        let context = ActContext {
            lag_ms: LAG_PER_TURN_MS,
            opponent_away_ms: LEFT_AFTER_MS,
            rematch: Some(self.id.clone()),
        };
        self.game.decide(&Command::Act { by, act, context }, now.0)
    }

    /// Returns whether the game is over by the clock, though the server has not said so yet: whatever is asked of it then ends it.
    fn is_time_up(&self, now: Millis) -> bool {
        self.game.next_deadline_ms().is_some_and(|deadline_ms| now.0 >= deadline_ms)
    }
}

/// The seats as they were when the game was created: who joined later was not there.
fn first_seats(told: &wire::Game) -> ByColor<Seat> {
    ByColor::new_with(|color| {
        let joined = |entry: &LogEntry| matches!(entry.event, wire::GameEvent::Joined { color: joined, .. } if color_from(joined) == color);
        let seat = if color == Color::White { &told.players.white } else { &told.players.black };
        match seat {
            wire::Seat::Person { .. } if !told.log.iter().any(joined) => person(color),
            wire::Seat::Person { .. } | wire::Seat::Open => Seat::Open,
            wire::Seat::Machine { level } => Seat::Machine { level: level.get() },
        }
    })
}

/// Who a player is, nobody else is told: each side gets an id that tells it from the other one and stands for nobody.
fn player(color: Color) -> PlayerId {
    PlayerId::from_random(color as u128)
}

fn person(color: Color) -> Seat {
    Seat::Person { player: player(color) }
}

/// Returns what has happened as the log has it; nothing if that is hidden.
fn kind(event: wire::GameEvent) -> Result<Option<EventKind>, MirrorError> {
    use wire::GameEvent as Told;
    Ok(Some(match event {
        Told::Hidden => return Ok(None),
        Told::Kept(kind) => kind,
        Told::Joined { color, .. } => {
            let color = color_from(color);
            EventKind::Joined { color, player: player(color) }
        }
        Told::Touched { color, square, outcome, .. } => EventKind::Touched {
            color: color_from(color),
            square: square.parse().map_err(|_| MirrorError::Square(square))?,
            outcome,
        },
        Told::Interrupted { from, until, clock } => {
            EventKind::Interrupted { from_ms: from.0, until_ms: until.0, clock }
        }
        Told::Ended { result: how, reason, .. } => {
            EventKind::Ended { result: result(how), reason: named(reason)? }
        }
    }))
}

fn result(result: wire::GameResult) -> GameResult {
    match result {
        wire::GameResult::WhiteWins => GameResult::WhiteWins,
        wire::GameResult::BlackWins => GameResult::BlackWins,
        wire::GameResult::Draw => GameResult::Draw,
        wire::GameResult::NoResult => GameResult::NoResult,
    }
}

/// Returns the reason of an ending by its name.
fn named(name: String) -> Result<Reason, MirrorError> {
    let read: Result<_, serde::de::value::Error> = Reason::deserialize(name.as_str().into_deserializer());
    read.map_err(|_| MirrorError::Reason(name))
}
