//! Applies events to a game. Checks only that they can be applied, because `decide` has already checked that
//! they are allowed.

use std::borrow::Cow;

use adoube_rules::{
    AnyPosition, ByColor, Color, Position as _, ReadPositionError, Variant, coordinate::TurnError,
};
use thiserror::Error;

use super::Game;
use crate::{
    asides::Asides,
    clock::{Clock, Times},
    conditions::{self, Conditions},
    ending::Ending,
    event::{DrawRules, Event, EventKind, Seat},
    offers::{DrawOffer, Takeback},
    options::Options,
    record::Record,
    rematch::Rematch,
    touch::Touches,
};

/// The reason why a log does not describe a game.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ReplayError {
    #[error("the log does not begin with the creation of the game")]
    NotCreated,
    #[error("event {version} creates the game again")]
    CreatedTwice { version: u64 },
    #[error("the initial position is not playable")]
    Position(#[from] ReadPositionError),
    #[error("event {version} is a turn that is not legal")]
    Turn { version: u64, source: TurnError },
    #[error("event {version} takes back more turns than there are")]
    TakenBack { version: u64 },
    #[error("event {version} sets clocks, but the game has none")]
    NoClock { version: u64 },
    #[error("event {version} comes after the end of the game")]
    AfterTheEnd { version: u64 },
    #[error("event {version} comes before the end of the game")]
    BeforeTheEnd { version: u64 },
}

impl Game {
    /// Returns the game that a log describes.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(ReplayError::NotCreated)?;
        let EventKind::Created { variant, initial_fen, draw_rules, seats, options } = &first.kind else {
            return Err(ReplayError::NotCreated);
        };
        let seats = seats.clone().into();
        let mut game =
            Self::from_first_event(first.at_ms, *variant, initial_fen, *draw_rules, seats, options.clone())?;
        for event in events {
            game.apply(event)?;
        }
        Ok(game)
    }

    /// Returns the game as its first event creates it.
    pub(super) fn from_first_event(
        at_ms: i64,
        variant: Variant,
        initial_fen: &str,
        draw_rules: DrawRules,
        seats: ByColor<Seat>,
        options: Options,
    ) -> Result<Self, ReadPositionError> {
        let position = AnyPosition::from_fen(variant, initial_fen)?;
        let initial_fen = if initial_fen == variant.initial_fen() {
            Cow::Borrowed(variant.initial_fen())
        } else {
            Cow::Owned(initial_fen.to_owned())
        };
        let mut game = Self {
            version: 1,
            position_version: 1,
            created_at_ms: at_ms,
            updated_at_ms: at_ms,
            initial_fen,
            seats,
            record: Record::new(position.key()),
            position,
            clock: Clock::new(options.clock),
            options,
            touches: Touches::default(),
            asides: Asides::default(),
            conditions: Conditions::default(),
            draw_offer: DrawOffer::default(),
            takeback: Takeback::default(),
            rematch: Rematch::default(),
            variant,
            draw_rules,
            ending: None,
        };
        game.begin_turn(at_ms);
        Ok(game)
    }

    /// Returns the game after these events. `self` does not change.
    pub(super) fn after<'a>(&self, events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut after = self.clone();
        for event in events {
            after.apply(event)?;
        }
        Ok(after)
    }

    /// Applies the next event of the log. After an error the game is unchanged.
    pub fn apply(&mut self, event: &Event) -> Result<(), ReplayError> {
        let version = self.version + 1;
        let after_the_end = matches!(
            event.kind,
            EventKind::RematchOffered { .. }
                | EventKind::RematchDeclined { .. }
                | EventKind::RematchAccepted { .. }
        );
        match (self.ending, after_the_end) {
            (Some(_), false) => return Err(ReplayError::AfterTheEnd { version }),
            (None, true) => return Err(ReplayError::BeforeTheEnd { version }),
            _ => {}
        }
        let at_ms = event.at_ms;
        match &event.kind {
            EventKind::Created { .. } => return Err(ReplayError::CreatedTwice { version }),
            EventKind::Joined { color, player } => {
                self.seats[*color] = Seat::Person { player: player.clone() };
                self.begin_turn(at_ms);
            }
            EventKind::Played { color, turn, clock, lag_ms } => {
                self.apply_turn(*color, turn, *clock, *lag_ms, event.at_ms)?;
            }
            EventKind::DrawOffered { color } => {
                let own_turn = self.own_turn(*color);
                self.draw_offer.offered(*color, own_turn);
            }
            EventKind::DrawDeclined { .. } => self.draw_offer.ended(),
            EventKind::TakebackProposed { color } => self.takeback.proposed(*color, self.record.len() as u32),
            EventKind::TakebackDeclined { .. } => self.takeback.ended(),
            EventKind::TakenBack { plies, clock } => self.taken_back(usize::from(*plies), *clock, at_ms)?,
            EventKind::TimeGiven { color, ms, .. } => {
                self.clock.as_mut().ok_or(ReplayError::NoClock { version })?.give(!*color, *ms);
            }
            EventKind::Touched { square, outcome, .. } => {
                let outcome = outcome.unwrap_or_else(|| self.touches.outcome(&self.position, *square));
                self.touches.touch(&self.position, *square, outcome);
            }
            EventKind::Adjusted { .. } => self.touches.adjust(),
            EventKind::ConditionsSet { color, tree } => {
                self.conditions = Conditions::new(*color, tree.clone());
            }
            EventKind::Interrupted { from_ms, until_ms, .. } => {
                let clock = self.clock.as_mut().ok_or(ReplayError::NoClock { version })?;
                clock.skip(*from_ms..*until_ms);
            }
            EventKind::Ended { result, reason } => {
                let (to_move, phase) = (self.side_to_move(), self.phase());
                if let Some(clock) = &mut self.clock {
                    clock.stop(to_move, phase, at_ms);
                }
                self.ending = Some(Ending { result: *result, reason: *reason });
                self.draw_offer.ended();
                self.takeback.ended();
                self.touches = Touches::default();
                self.conditions = Conditions::default();
            }
            EventKind::RematchOffered { color } => self.rematch.offered(*color),
            EventKind::RematchDeclined { .. } => self.rematch.declined(),
            EventKind::RematchAccepted { next, .. } => self.rematch.accepted(next),
        }
        self.asides.add(&event.kind);
        self.version = version;
        self.updated_at_ms = at_ms;
        Ok(())
    }

    /// Applies an event that is hidden from the viewer: another player has set conditional turns. This keeps
    /// the version correct in a viewer's copy of the game. The server's log contains the event, with the
    /// turns.
    pub fn apply_hidden(&mut self, at_ms: i64) -> Result<(), ReplayError> {
        let version = self.version + 1;
        if self.ending.is_some() {
            return Err(ReplayError::AfterTheEnd { version });
        }
        // Only one side has conditions at a time, so these replace the existing ones.
        self.conditions = Conditions::default();
        self.version = version;
        self.updated_at_ms = at_ms;
        Ok(())
    }

    fn apply_turn(
        &mut self,
        by: Color,
        text: &str,
        clock: Option<Times>,
        lag_ms: u32,
        at_ms: i64,
    ) -> Result<(), ReplayError> {
        let version = self.version + 1;
        let (turn, after) =
            conditions::read(&self.position, text).map_err(|source| ReplayError::Turn { version, source })?;
        self.position = after;
        self.position_version = version;
        self.record.push(&turn, self.position.key(), version, at_ms, clock);
        if let (Some(state), Some(times)) = (&mut self.clock, clock) {
            state.turn_played(by, times.into(), lag_ms, at_ms);
        }
        self.draw_offer.turn_played(by);
        self.takeback.ended();
        self.touches = Touches::default();
        self.conditions.turn_played(by, text);
        Ok(())
    }

    fn taken_back(&mut self, plies: usize, clock: Option<Times>, at_ms: i64) -> Result<(), ReplayError> {
        let version = self.version + 1;
        let left = self.record.len().checked_sub(plies).ok_or(ReplayError::TakenBack { version })?;
        let first = self.first_position()?;
        self.record.truncate(left);
        self.position = self.record.play_through(first).1;
        self.position_version = version;
        if let (Some(state), Some(times)) = (&mut self.clock, clock) {
            state.set(times.into());
        }
        self.begin_turn(at_ms);
        // Open offers were made in a different position.
        self.draw_offer = DrawOffer::default();
        self.takeback = Takeback::default();
        self.touches = Touches::default();
        self.conditions = Conditions::default();
        Ok(())
    }

    fn begin_turn(&mut self, at_ms: i64) {
        if let Some(clock) = &mut self.clock {
            clock.begin_turn(at_ms);
        }
    }
}
