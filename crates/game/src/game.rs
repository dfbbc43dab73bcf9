//! The state of a game and queries on it. `decide` determines which events happen, and `apply` changes the
//! state accordingly.

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

/// The settings of a new game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewGame {
    pub variant: Variant,
    /// `None` for the initial position of the variant.
    pub fen: Option<String>,
    pub draw_rules: DrawRules,
    pub seats: ByColor<Seat>,
    pub options: Options,
}

/// The reason why a game cannot begin.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CreateError {
    #[error("the position cannot be played")]
    Position(#[from] ReadPositionError),
    #[error("the time control is out of range")]
    Clock(#[from] TimeControlError),
    #[error("the game would be over before it begins, by {}", .0.reason.name())]
    Over(Ending),
}

/// The reason why a game does not advance. The game is unchanged.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum AdvanceError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A bug in this crate: it decided on events that it cannot apply.
    #[error("the decided events cannot be applied")]
    Inconsistent(#[from] ReplayError),
}

/// The state of a game, derived from its events.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Game {
    version: u64,
    /// The version after the latest event that changed the position.
    position_version: u64,
    created_at_ms: i64,
    /// The time of the latest event.
    updated_at_ms: i64,
    /// Borrowed if the game begins with the variant's initial position, as most do.
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

/// The machine's current task in a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MachineTask {
    /// The side that the machine plays.
    pub color: Color,
    /// From 1, the weakest, to 10.
    pub level: u8,
    pub duty: MachineDuty,
}

/// The kind of a [`MachineTask`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MachineDuty {
    Play,
    /// Accept or decline the opponent's draw offer.
    AnswerDrawOffer,
}

impl Game {
    /// Creates a game. Returns it with its first event, or the reason why it cannot begin.
    ///
    /// If the position does not allow the castling rights or the en passant square in the FEN, they are
    /// dropped, as they are wherever a FEN is pasted; [`initial_fen`](Self::initial_fen) returns the
    /// corrected FEN.
    pub fn create(new: NewGame, now_ms: i64) -> Result<(Self, Vec<Event>), CreateError> {
        new.options.clock.check()?;
        let position = match &new.fen {
            Some(fen) => AnyPosition::from_fen_lenient(new.variant, fen)?.0,
            None => AnyPosition::initial(new.variant),
        };
        let initial_fen = position.fen();
        // Built from the stored text, so that reading it later gives the same position that is checked here.
        let game = Self::from_first_event(
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

    /// Returns the events that a command produces, and the game after them. `self` does not change, so the
    /// new game can be dropped if the events cannot be stored.
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

    /// Returns the time of the latest event.
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

    /// Returns the number of turns that were played and not taken back.
    pub fn plies(&self) -> usize {
        self.record.len()
    }

    /// Returns the turns that were played and not taken back.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = PlayedTurn> {
        self.record.turns(self.clock.is_some())
    }

    /// Returns the turns that were played and not taken back, in coordinate notation. This replays the game,
    /// because the turns are stored in a more compact form.
    pub fn turn_texts(&self) -> Vec<String> {
        self.first_position().map_or_else(|_| Vec::new(), |first| self.record.play_through(first).0)
    }

    /// Returns the version after the latest event that changed the position. A turn meant for an earlier
    /// version is refused.
    pub fn position_version(&self) -> u64 {
        self.position_version
    }

    /// Returns the side to move, even after the end of the game.
    pub fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns the side whose draw offer is open (C24).
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer.standing()
    }

    /// Returns the side whose takeback proposal is open.
    pub fn takeback_proposal(&self) -> Option<Color> {
        self.takeback.standing()
    }

    /// Returns the side whose rematch offer is open.
    pub fn rematch_offer(&self) -> Option<Color> {
        self.rematch.standing()
    }

    /// Returns the id of the next game, if a rematch has been agreed.
    pub fn rematch(&self) -> Option<&GameId> {
        self.rematch.next()
    }

    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns `true` if both seats are taken.
    pub fn is_started(&self) -> bool {
        self.seats.white != Seat::Open && self.seats.black != Seat::Open
    }

    /// Returns `true` if both sides have played their first turn. Until then, either may call the game off.
    pub fn first_turns_played(&self) -> bool {
        self.plies() >= 2
    }

    /// Returns the side of a player.
    pub fn color_of(&self, player: &PlayerId) -> Option<Color> {
        let sits = |seat: &Seat| matches!(seat, Seat::Person { player: sitting } if sitting == player);
        Color::ALL.into_iter().find(|&color| sits(&self.seats[color]))
    }

    /// Returns the machine's task, if it has one. Answering an open draw offer comes before playing.
    pub fn machine_task(&self) -> Option<MachineTask> {
        let task = |color: Color, duty| match self.seats[color] {
            Seat::Machine { level } if self.ending.is_none() && self.is_started() => {
                Some(MachineTask { color, level, duty })
            }
            _ => None,
        };
        let offer = self.draw_offer().and_then(|by| task(!by, MachineDuty::AnswerDrawOffer));
        offer.or_else(|| task(self.side_to_move(), MachineDuty::Play))
    }

    /// Returns the time at which the side to move runs out of time, in milliseconds since 1970, allowing for
    /// lag that may excuse the player; `None` if there is no deadline. A command that arrives from then on
    /// ends the game instead of being carried out, except [`Command::Interrupt`], [`Command::CutOff`] and
    /// [`Command::Adjudicate`].
    pub fn next_deadline_ms(&self) -> Option<i64> {
        self.clock.as_ref()?.deadline_ms(self.side_to_move(), self.phase())
    }

    /// Returns the start of the current turn, in milliseconds since 1970; `None` without clocks.
    pub fn turn_began_ms(&self) -> Option<i64> {
        Some(self.clock.as_ref()?.began_ms())
    }

    /// Returns the time left on both clocks, in milliseconds; `None` without clocks.
    pub fn clock_at(&self, now_ms: i64) -> Option<ByColor<i64>> {
        Some(self.clock.as_ref()?.at(self.side_to_move(), self.phase(), self.clamp_to_last_event(now_ms)))
    }

    /// Returns the clocks for display; `None` without clocks.
    pub fn clock_view(&self, now_ms: i64) -> Option<ClockView> {
        Some(self.clock.as_ref()?.view(self.side_to_move(), self.phase(), self.clamp_to_last_event(now_ms)))
    }

    /// Returns the obligation that the side to move has incurred by its touches (C13).
    pub fn obligation(&self) -> Option<Obligation> {
        self.touches.obligation()
    }

    /// Returns the men that the side to move has touched in this turn, except after *j'adoube*.
    pub fn touched(&self) -> SquareSet {
        self.touches.squares()
    }

    /// Returns `true` if the next touch of the side to move does not bind it (C14).
    pub fn is_adjusting(&self) -> bool {
        self.touches.is_adjusting()
    }

    /// Returns the legal turns that fulfil the obligation of the side to move, or all legal turns if it has
    /// none. They are generated lazily, and there may be very many (see [`Turns`](adoube_rules::Turns)).
    pub fn allowed_turns(&self) -> impl Iterator<Item = Turn> {
        let obligation = self.obligation();
        let allows = move |turn: &Turn| obligation.is_none_or(|owed| owed.allows(&self.position, turn));
        self.position.turns().filter(allows)
    }

    /// Returns the legal steps that can follow the steps of `prefix` in a turn that fulfils the obligation of
    /// the side to move.
    ///
    /// For chains, this looks at up to [`TOUCH_STEPS`](crate::TOUCH_STEPS) steps. Steps that are undecided by
    /// then are included.
    pub fn allowed_steps(&self, prefix: &Turn) -> Vec<Step> {
        let obligation = self.obligation();
        touch::allowed_steps(&self.position, prefix, obligation)
    }

    /// Returns a side's answers to the turns of the opponent, who is to move. Only that side may see them.
    pub fn conditions(&self, color: Color) -> &[Condition] {
        self.conditions.tree(color)
    }

    /// Returns the answer to the last turn, if the conditions of the side to move contain one. It is played
    /// immediately, so it exists only between the two turns.
    pub fn conditional_answer(&self) -> Option<&str> {
        let [expected] = self.conditions.tree(self.side_to_move()) else { return None };
        Some(&expected.answer)
    }

    fn phase(&self) -> Phase {
        if self.ending.is_some() || !self.is_started() {
            Phase::Stopped
        } else if self.first_turns_played() {
            Phase::Running
        } else {
            Phase::FirstTurn
        }
    }

    /// Returns `now_ms`, or the time of the latest event if that is later: the system clock may be set back,
    /// but time in a game never goes back.
    fn clamp_to_last_event(&self, now_ms: i64) -> i64 {
        now_ms.max(self.updated_at_ms)
    }

    fn first_position(&self) -> Result<AnyPosition, ReadPositionError> {
        AnyPosition::from_fen(self.variant, &self.initial_fen)
    }
}
