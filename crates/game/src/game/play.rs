//! Decides turns: checks that they are allowed, computes the time left, and determines which events follow.

use std::ops::Range;

use adoube_rules::{Color, coordinate};

use super::{Game, decide::ended};
use crate::{
    clock::{Cost, Lag},
    command::ActContext,
    conditions,
    event::{Event, EventKind},
    refusal::Refusal,
};

impl Game {
    /// Returns the events of a turn and of the conditional turn, if any, that answers it.
    pub(super) fn decide_play(
        &self,
        by: Color,
        text: &str,
        version: u64,
        context: &ActContext,
        now_ms: i64,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_version(version)?;
        self.check_turn_of(by)?;
        let mut events = self.turn_events(by, text, self.lag(context), now_ms)?;
        self.answer(&mut events, now_ms);
        Ok(events)
    }

    /// Returns the parts of a turn's time that are not the player's own.
    fn lag(&self, context: &ActContext) -> Lag {
        let charged_ms =
            |period: &Range<i64>| self.clock.as_ref().map_or(0, |clock| clock.charged_ms(period.clone()));
        Lag {
            transit_ms: context.lag_ms.saturating_add(charged_ms(&context.shown)),
            handling_ms: charged_ms(&context.handled),
        }
    }

    /// Returns the events of one turn.
    fn turn_events(&self, by: Color, text: &str, lag: Lag, now_ms: i64) -> Result<Vec<Event>, Refusal> {
        let (turn, after) = conditions::read(&self.position, text)?;
        if let Some(obligation) = self.obligation()
            && !obligation.allows(&self.position, &turn)
        {
            return Err(Refusal::Touched(obligation));
        }
        let (clock, lag_ms) = match self.clock.as_ref() {
            None => (None, 0),
            Some(clock) => match clock.cost(by, self.phase(), lag, self.clamp_to_last_event(now_ms)) {
                Cost::InTime { left_ms, lag_ms } => (Some(left_ms.into()), lag_ms),
                // The turn does not count, and the game is over: the flag has fallen (C23).
                Cost::TooLate => return Ok(vec![self.event(ended(self.ending_out_of_time()), now_ms)]),
            },
        };
        let text = coordinate::write(&self.position, &turn);
        let mut events = Vec::with_capacity(2);
        events.push(self.event(EventKind::Played { color: by, turn: text, clock, lag_ms }, now_ms));
        if let Some(ending) = self.ending_with(&turn, &after) {
            events.push(self.event(ended(ending), now_ms));
        }
        Ok(events)
    }

    /// Adds the conditional turn that answers the turn just decided, unless the game is over.
    ///
    /// The answer was checked in exactly this position when the tree was set. Should it be refused all the
    /// same, it is skipped, and the player has to move.
    fn answer(&self, events: &mut Vec<Event>, now_ms: i64) {
        let [played] = &events[..] else { return };
        let EventKind::Played { color, turn, .. } = &played.kind else { return };
        let Some(answer) = self.conditions.answer(!*color, turn) else { return };
        if let Ok(after) = self.after([played])
            && let Ok(more) = after.turn_events(after.side_to_move(), answer, Lag::default(), now_ms)
        {
            events.extend(more);
        }
    }

    /// Checks that the position has not changed since `version`.
    pub(super) fn check_version(&self, version: u64) -> Result<(), Refusal> {
        if (self.position_version..=self.version).contains(&version) {
            Ok(())
        } else {
            Err(Refusal::OtherPosition { seen: version, now: self.position_version })
        }
    }

    pub(super) fn check_turn_of(&self, color: Color) -> Result<(), Refusal> {
        if self.side_to_move() == color {
            Ok(())
        } else {
            Err(Refusal::NotYourTurn { turn: self.side_to_move() })
        }
    }
}
