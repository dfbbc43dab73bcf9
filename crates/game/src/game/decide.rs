//! Determines which events a command produces, or why it is refused.

use adoube_rules::{Color, Position as _, Square};
use adoube_vocabulary::PlayerId;

use super::{Game, LEFT_AFTER_MS};
use crate::{
    clock::{GIFT_MS, MAX_GIVEN_MS, Span, Times},
    command::{Act, ActContext, Command},
    conditions::{self, Condition},
    ending::{EndReason, Ending},
    event::{Event, EventKind, Schema, Seat},
    refusal::Refusal,
};

impl Game {
    /// Returns the events that a command produces, or the reason why it is refused. The game itself does not
    /// change.
    ///
    /// Time comes first: if the side to move ran out of time before the command arrived, the events end the
    /// game instead, unless the command adjudicates it or reports that the server could not be reached. A
    /// turn that waited to be handled counts as played when it arrived; once the clocks are running, this
    /// holds only within the side's lag allowance.
    pub fn decide(&self, command: &Command, now_ms: i64) -> Result<Vec<Event>, Refusal> {
        if self.ending.is_none()
            && !matches!(
                command,
                Command::Interrupt { .. } | Command::CutOff { .. } | Command::Adjudicate { .. }
            )
            && let Some(ending) = self.ending_by_time(self.clamp_to_last_event(arrived_ms(command, now_ms)))
        {
            return Ok(vec![self.event(ended(ending), now_ms)]);
        }
        self.check_phase(command)?;
        let kind = match command {
            Command::Act { by, act, context } => return self.decide_act(*by, act, context, now_ms),
            Command::Join { color, player } => self.decide_join(*color, player)?,
            Command::Tick => return Err(Refusal::TimeNotUp),
            Command::Adjudicate { result } => {
                ended(Ending { result: *result, reason: EndReason::Adjudication })
            }
            Command::Interrupt { from_ms, until_ms } => {
                // The server was running when it wrote the latest event.
                let period = (*from_ms).max(self.updated_at_ms)..*until_ms;
                return self.decide_interrupt(period, now_ms);
            }
            Command::CutOff { color, from_ms, until_ms } => {
                if self.side_to_move() != *color {
                    return Err(Refusal::NoClockRunning);
                }
                return self.decide_interrupt(*from_ms..*until_ms, now_ms);
            }
        };
        Ok(vec![self.event(kind, now_ms)])
    }

    /// Returns the events that a player's act produces.
    fn decide_act(
        &self,
        by: Color,
        act: &Act,
        context: &ActContext,
        now_ms: i64,
    ) -> Result<Vec<Event>, Refusal> {
        let kind = match act {
            Act::Play { version, turn } => {
                return self.decide_play(by, turn, *version, context, now_ms);
            }
            Act::Resign => ended(Ending::win(!by, EndReason::Resignation)),
            // If two offers cross, the later one accepts the earlier one.
            Act::OfferDraw if self.draw_offer.standing() == Some(!by) => {
                return self.decide_act(by, &Act::AcceptDraw, context, now_ms);
            }
            Act::ProposeTakeback
                if self.takeback.standing() == Some(!by) && self.taken_back_plies(by).is_ok() =>
            {
                return self.decide_act(by, &Act::AcceptTakeback, context, now_ms);
            }
            Act::OfferDraw => {
                self.draw_offer.may_offer(by, self.own_turn(by))?;
                EventKind::DrawOffered { color: by }
            }
            Act::AcceptDraw => {
                self.draw_offer.may_answer(by)?;
                ended(Ending::draw(EndReason::Agreement))
            }
            Act::DeclineDraw => {
                self.draw_offer.may_answer(by)?;
                EventKind::DrawDeclined { color: by }
            }
            Act::ClaimDraw => {
                self.check_turn_of(by)?;
                ended(self.claimable().ok_or(Refusal::NothingToClaim)?)
            }
            Act::Abort => {
                if self.first_turns_played() {
                    return Err(Refusal::FirstTurnsPlayed);
                }
                ended(self.ending_without_first_turn(by, EndReason::Aborted))
            }
            Act::ProposeTakeback => {
                self.taken_back_plies(by)?;
                self.takeback.may_propose(by, self.record.len() as u32)?;
                EventKind::TakebackProposed { color: by }
            }
            Act::AcceptTakeback => {
                self.takeback.may_answer(by)?;
                let plies = self.taken_back_plies(!by)?;
                EventKind::TakenBack { plies, clock: self.clock_before(plies) }
            }
            Act::DeclineTakeback => {
                self.takeback.may_answer(by)?;
                EventKind::TakebackDeclined { color: by }
            }
            Act::GiveTime => self.decide_give_time(by, now_ms)?,
            Act::ClaimLeft => self.decide_claim_left(by, context.opponent_away_ms)?,
            Act::OfferRematch => {
                self.rematch.may_offer(by)?;
                EventKind::RematchOffered { color: by }
            }
            Act::AcceptRematch => {
                self.rematch.may_answer(by)?;
                let next = context.rematch.clone().ok_or(Refusal::RematchMissing)?;
                EventKind::RematchAccepted { color: by, next }
            }
            Act::DeclineRematch => {
                self.rematch.may_answer(by)?;
                EventKind::RematchDeclined { color: by }
            }
            Act::Touch { version, square } => self.decide_touch(by, square, *version)?,
            Act::Adjust { version } => self.decide_adjust(by, *version)?,
            Act::SetConditions { version, tree } => self.decide_conditions(by, tree, *version)?,
        };
        self.asides.may_add(&kind, self.plies())?;
        Ok(vec![self.event(kind, now_ms)])
    }

    /// Checks that the game is in the right phase for a command.
    fn check_phase(&self, command: &Command) -> Result<(), Refusal> {
        let started = || if self.is_started() { Ok(()) } else { Err(Refusal::NotStarted) };
        let not_over = || self.ending.map_or(Ok(()), |ending| Err(Refusal::Over(ending)));
        match command {
            // A rematch needs a game with two players.
            Command::Act { act: Act::OfferRematch | Act::AcceptRematch | Act::DeclineRematch, .. } => {
                started()?;
                self.ending.map(|_| ()).ok_or(Refusal::NotOver)
            }
            Command::Join { .. } | Command::Adjudicate { .. } | Command::Act { act: Act::Abort, .. } => {
                not_over()
            }
            Command::Act { .. } | Command::Tick | Command::Interrupt { .. } | Command::CutOff { .. } => {
                not_over().and_then(|()| started())
            }
        }
    }

    fn decide_join(&self, color: Color, player: &PlayerId) -> Result<EventKind, Refusal> {
        if let Some(color) = self.color_of(player) {
            return Err(Refusal::AlreadySeated { color });
        }
        if self.seats[color] != Seat::Open {
            return Err(Refusal::SeatTaken { color });
        }
        Ok(EventKind::Joined { color, player: player.clone() })
    }

    fn decide_give_time(&self, by: Color, now_ms: i64) -> Result<EventKind, Refusal> {
        if !self.options.clock.is_live() {
            return Err(Refusal::NoClock);
        }
        let mut after = self.clock.clone().ok_or(Refusal::NoClock)?;
        after.give(!by, GIFT_MS);
        let left_ms = after.at(self.side_to_move(), self.phase(), self.clamp_to_last_event(now_ms));
        if left_ms[!by] > MAX_GIVEN_MS {
            return Err(Refusal::ClockLimitReached);
        }
        Ok(EventKind::TimeGiven { color: by, ms: GIFT_MS, clock: left_ms.into() })
    }

    fn decide_claim_left(&self, by: Color, away_ms: i64) -> Result<EventKind, Refusal> {
        if self.options.clock.is_correspondence() {
            return Err(Refusal::Correspondence);
        }
        if self.side_to_move() == by {
            return Err(Refusal::YourTurn);
        }
        // Outside a match, the player can call the game off instead. In a match, that would lose the game.
        if !self.first_turns_played() && self.options.in_match.is_none() {
            return Err(Refusal::FirstTurnsPending);
        }
        if away_ms < LEFT_AFTER_MS {
            return Err(Refusal::OpponentNotAway);
        }
        Ok(ended(self.abandoned()))
    }

    fn decide_touch(&self, by: Color, square: &str, version: u64) -> Result<EventKind, Refusal> {
        let no_square = |_| Refusal::NoSquare(square.chars().take(8).collect());
        let square = square.parse::<Square>().map_err(no_square)?;
        self.may_touch(by, version)?;
        if self.position.piece_at(square).is_none() {
            return Err(Refusal::TouchEmptySquare(square));
        }
        if !self.touches.is_adjusting() && self.touches.squares().contains(square) {
            return Err(Refusal::AlreadyTouched(square));
        }
        let outcome = Some(self.touches.outcome(&self.position, square));
        Ok(EventKind::Touched { color: by, square, outcome })
    }

    fn decide_adjust(&self, by: Color, version: u64) -> Result<EventKind, Refusal> {
        self.may_touch(by, version)?;
        if self.touches.is_adjusting() {
            return Err(Refusal::AlreadyAdjusting);
        }
        if !self.touches.may_adjust() {
            return Err(Refusal::AdjustLimitReached);
        }
        Ok(EventKind::Adjusted { color: by })
    }

    /// Checks that a side may touch a man or adjust (C13, C14): only in a game with touch-move, and during
    /// its own turn.
    fn may_touch(&self, by: Color, version: u64) -> Result<(), Refusal> {
        if !self.options.touch_move {
            return Err(Refusal::NoTouchMove);
        }
        self.check_version(version)?;
        self.check_turn_of(by)
    }

    fn decide_conditions(&self, by: Color, tree: &[Condition], version: u64) -> Result<EventKind, Refusal> {
        if !self.options.clock.is_correspondence() {
            return Err(Refusal::NotCorrespondence);
        }
        self.check_version(version)?;
        if self.side_to_move() == by {
            return Err(Refusal::YourTurn);
        }
        Ok(EventKind::ConditionsSet { color: by, tree: conditions::validate_tree(&self.position, tree)? })
    }

    /// Returns an event for each part of a period that is still charged to the side to move.
    fn decide_interrupt(&self, period: Span, now_ms: i64) -> Result<Vec<Event>, Refusal> {
        let mut after = self.clock.clone().ok_or(Refusal::NoClockRunning)?;
        let parts = after.charged_parts(period.start..period.end.min(now_ms));
        if self.next_deadline_ms().is_none() || parts.is_empty() {
            return Err(Refusal::NoClockRunning);
        }
        let event = |part: Span| {
            after.skip(part.clone());
            let left_ms = after.at(self.side_to_move(), self.phase(), self.clamp_to_last_event(now_ms));
            let clock = left_ms.into();
            self.event(EventKind::Interrupted { from_ms: part.start, until_ms: part.end, clock }, now_ms)
        };
        Ok(parts.into_iter().map(event).collect())
    }

    /// Returns the number of turns to undo so that a side's last turn is taken back.
    fn taken_back_plies(&self, by: Color) -> Result<u8, Refusal> {
        if !self.options.casual {
            return Err(Refusal::NotCasual);
        }
        let plies = if self.side_to_move() == by { 2 } else { 1 };
        if self.plies() < usize::from(plies) { Err(Refusal::NothingToTakeBack) } else { Ok(plies) }
    }

    /// Returns the clocks before the last `plies` turns.
    fn clock_before(&self, plies: u8) -> Option<Times> {
        let initial_ms = self.options.clock.initial_ms()?;
        let before = self.record.left_ms(self.plies().saturating_sub(plies.into()));
        let first = Times { white: initial_ms, black: initial_ms };
        Some(before.map_or(first, Times::from))
    }

    /// Returns the number, from 1, of the turn that a side is about to play or has just played; 0 if it has
    /// not played and is not to move.
    pub(super) fn own_turn(&self, color: Color) -> u32 {
        let plies = self.record.len() as u32;
        let first = if plies.is_multiple_of(2) { self.side_to_move() } else { !self.side_to_move() };
        let played = if first == color { plies.div_ceil(2) } else { plies / 2 };
        if self.side_to_move() == color { played + 1 } else { played }
    }

    pub(super) fn event(&self, kind: EventKind, now_ms: i64) -> Event {
        Event { schema: Schema::default(), at_ms: self.clamp_to_last_event(now_ms), kind }
    }
}

pub(super) fn ended(ending: Ending) -> EventKind {
    EventKind::Ended { result: ending.result, reason: ending.reason }
}

/// Returns the time at which a command arrived, in milliseconds since 1970, as far as it is known.
fn arrived_ms(command: &Command, now_ms: i64) -> i64 {
    match command {
        Command::Act { act: Act::Play { .. }, context, .. } if !context.handled.is_empty() => {
            context.handled.start.min(now_ms)
        }
        _ => now_ms,
    }
}
