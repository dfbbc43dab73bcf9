//! The state of a game, and what can be asked of it. What may happen to it is in `decide`, what it does to the
//! state in `apply`.

mod apply;
mod decide;
mod end;
mod play;

use std::borrow::Cow;

use adoube_rules::{
    AnyPosition, ByColor, Color, Position as _, ReadPositionError, SquareSet, Step, Turn, Variant,
};
use adoube_vocabulary::{GameId, PlayerId};
use thiserror::Error;

pub use apply::ReplayError;
pub use end::LEFT_AFTER_MS;

use crate::{
    asides::Asides,
    clock::{Clock, ClockView, Phase},
    command::Command,
    conditions::{Condition, Conditions},
    ending::Ending,
    event::{DrawRules, Event, EventKind, Schema, Seat},
    offers::{DrawOffer, Takeback},
    options::Options,
    record::{PlayedTurn, Record},
    refusal::Refusal,
    rematch::Rematch,
    time_control::TimeControlError,
    touch::{self, Obligation, Touches},
};

/// What a game begins with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewGame {
    pub variant: Variant,
    /// Without it, the initial position of the game.
    pub fen: Option<String>,
    pub draw_rules: DrawRules,
    pub seats: ByColor<Seat>,
    pub options: Options,
}

/// Why a game cannot begin.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CreateError {
    #[error("the position cannot be played")]
    Position(#[from] ReadPositionError),
    #[error("nobody can play with such a clock")]
    Clock(#[from] TimeControlError),
    #[error("the game would be over before it begins, by {}", .0.reason.name())]
    Over(Ending),
}

/// Why a game does not advance; it is as before.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum AdvanceError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A mistake of this crate: it has decided for events that it does not apply.
    #[error("the events that were decided cannot be applied")]
    Inconsistent(#[from] ReplayError),
}

/// A game as its events have made it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Game {
    version: u64,
    /// The version after the newest event that changed the position.
    position_version: u64,
    created_at_ms: i64,
    /// Time of the newest event.
    updated_at_ms: i64,
    /// Borrowed where the game begins as its variant does: most do.
    initial_fen: Cow<'static, str>,
    seats: ByColor<Seat>,
    position: AnyPosition,
    record: Record,
    options: Options,
    clock: Option<Clock>,
    touches: Touches,
    asides: Asides,
    conditions: Conditions,
    draw_offer: DrawOffer,
    takeback: Takeback,
    rematch: Rematch,
    variant: Variant,
    draw_rules: DrawRules,
    ending: Option<Ending>,
}

impl Game {
    /// Returns a new game with its first event, or why it cannot begin. A FEN is read as people paste it, without castling rights that
    /// the men do not allow, as everybody else reads it; the game tells the FEN that it has kept.
    pub fn create(new: NewGame, now_ms: i64) -> Result<(Self, Vec<Event>), CreateError> {
        new.options.clock.check()?;
        let position = match &new.fen {
            Some(fen) => AnyPosition::from_fen_lenient(new.variant, fen)?.0,
            None => AnyPosition::initial(new.variant),
        };
        let initial_fen = position.fen();
        // From the text that is kept, so that what is read back later is what was checked now.
        let game = Self::begun(
            now_ms,
            new.variant,
            &initial_fen,
            new.draw_rules,
            new.seats.clone(),
            new.options.clone(),
        )?;
        if let Some(ending) = game.ending_on_the_board() {
            return Err(CreateError::Over(ending));
        }
        let kind = EventKind::Created {
            variant: new.variant,
            initial_fen,
            draw_rules: new.draw_rules,
            seats: new.seats.into(),
            options: new.options,
        };
        Ok((game, vec![Event { schema: Schema::default(), at_ms: now_ms, kind }]))
    }

    /// Returns the events to which a command leads, and the game after them. This one stays as it is, so that the events can
    /// be written down first and lost if they are not.
    pub fn advance(&self, command: &Command, now_ms: i64) -> Result<(Vec<Event>, Self), AdvanceError> {
        let events = self.decide(command, now_ms)?;
        let after = self.after(&events)?;
        Ok((events, after))
    }

    /// Returns the number of events.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn created_at_ms(&self) -> i64 {
        self.created_at_ms
    }

    /// Returns the time of the newest event.
    pub fn updated_at_ms(&self) -> i64 {
        self.updated_at_ms
    }

    pub fn variant(&self) -> Variant {
        self.variant
    }

    pub fn initial_fen(&self) -> &str {
        &self.initial_fen
    }

    pub fn draw_rules(&self) -> DrawRules {
        self.draw_rules
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn seats(&self) -> &ByColor<Seat> {
        &self.seats
    }

    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// Returns the number of turns that have been played and not taken back.
    pub fn plies(&self) -> usize {
        self.record.len()
    }

    /// Returns the turns that have been played and not taken back.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = PlayedTurn> {
        self.record.turns(self.clock.is_some())
    }

    /// Returns the same turns in coordinate text. They are kept in a smaller form, so this plays them through.
    pub fn turn_texts(&self) -> Vec<String> {
        self.first_position().map_or_else(|_| Vec::new(), |first| self.record.play_through(first).0)
    }

    /// Returns the version after the newest event that changed the position. A turn that is meant for an earlier
    /// one is refused.
    pub fn position_version(&self) -> u64 {
        self.position_version
    }

    /// Returns the side to move; also after the end.
    pub fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns who offers a draw that is not yet answered (C24).
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer.standing()
    }

    /// Returns who proposes to take turns back and has no answer yet.
    pub fn takeback_proposal(&self) -> Option<Color> {
        self.takeback.standing()
    }

    /// Returns who offers a rematch that is not yet answered.
    pub fn rematch_offer(&self) -> Option<Color> {
        self.rematch.standing()
    }

    /// Returns the id of the game that is the rematch.
    pub fn rematch(&self) -> Option<&GameId> {
        self.rematch.next()
    }

    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns whether both seats are taken.
    pub fn is_started(&self) -> bool {
        self.seats.white != Seat::Open && self.seats.black != Seat::Open
    }

    /// Returns whether both sides have played their first turn. Before, either may call the game off.
    pub fn first_turns_played(&self) -> bool {
        self.plies() >= 2
    }

    /// Returns the side of a player.
    pub fn color_of(&self, player: &PlayerId) -> Option<Color> {
        let sits = |seat: &Seat| matches!(seat, Seat::Person { player: sitting } if sitting == player);
        Color::ALL.into_iter().find(|&color| sits(&self.seats[color]))
    }

    /// Returns the level of the machine, if it is to move.
    pub fn awaits_machine(&self) -> Option<u8> {
        match self.seats[self.side_to_move()] {
            Seat::Machine { level } if self.ending.is_none() && self.is_started() => Some(level),
            _ => None,
        }
    }

    /// Returns when the time of the side to move is up, in milliseconds since 1970: from then on
    /// [`Command::Tick`] ends the game, and any other command ends it instead of being done.
    /// As long as lag may excuse the player, the time is not up.
    pub fn next_deadline_ms(&self) -> Option<i64> {
        self.clock.as_ref()?.deadline_ms(self.side_to_move(), self.phase())
    }

    /// Returns what the clocks show, in milliseconds; none without clocks.
    pub fn clock_at(&self, now_ms: i64) -> Option<ByColor<i64>> {
        Some(self.clock.as_ref()?.at(self.side_to_move(), self.phase(), self.not_before(now_ms)))
    }

    /// Returns what there is to see of the clocks; none without clocks.
    pub fn clock_view(&self, now_ms: i64) -> Option<ClockView> {
        Some(self.clock.as_ref()?.view(self.side_to_move(), self.phase(), self.not_before(now_ms)))
    }

    /// Returns what the side to move is held to (C13).
    pub fn obligation(&self) -> Option<Obligation> {
        self.touches.obligation()
    }

    /// Returns the men that the side to move has touched in this turn, otherwise than to adjust them.
    pub fn touched(&self) -> SquareSet {
        self.touches.squares()
    }

    /// Returns whether the next touch of the side to move binds nobody (C14).
    pub fn is_adjusting(&self) -> bool {
        self.touches.is_adjusting()
    }

    /// Returns the legal turns that do what the side to move is held to: all of them, if it is free. They are found
    /// one by one, and may be very many (see [`Turns`](adoube_rules::Turns)).
    pub fn allowed_turns(&self) -> impl Iterator<Item = Turn> {
        let obligation = self.obligation();
        let allows = move |turn: &Turn| obligation.is_none_or(|owed| owed.allows(&self.position, turn));
        self.position.turns().filter(allows)
    }

    /// Returns the steps that go on with a turn of which `begun` has been played, in legal steps: those by which it does
    /// what the side to move is held to, or still can.
    ///
    /// Of chains, [`TOUCH_STEPS`](crate::TOUCH_STEPS) steps are looked at; a step of which is not known by then whether it leads to
    /// what is owed is among those returned.
    pub fn allowed_steps(&self, begun: &Turn) -> Vec<Step> {
        let obligation = self.obligation();
        touch::allowed_steps(&self.position, begun, obligation)
    }

    /// Returns what a side will answer to turns of the other one, which is to move. For its eyes only.
    pub fn conditions(&self, color: Color) -> &[Condition] {
        self.conditions.tree(color)
    }

    /// Returns the turn with which the conditions of the side to move answer the one played last, if it has set any for
    /// that one. It is played at once, so it can be asked only between the two.
    pub fn conditional_answer(&self) -> Option<&str> {
        let [expected] = self.conditions.tree(self.side_to_move()) else { return None };
        Some(&expected.answer)
    }

    fn phase(&self) -> Phase {
        if self.ending.is_some() || !self.is_started() {
            Phase::Still
        } else if self.first_turns_played() {
            Phase::Running
        } else {
            Phase::FirstTurn
        }
    }

    /// The clock of the machine may be set back; the game's is not.
    fn not_before(&self, now_ms: i64) -> i64 {
        now_ms.max(self.updated_at_ms)
    }

    fn first_position(&self) -> Result<AnyPosition, ReadPositionError> {
        AnyPosition::from_fen(self.variant, &self.initial_fen)
    }
}
