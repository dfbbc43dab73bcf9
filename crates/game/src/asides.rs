//! Limits on what players may do in a game besides playing turns.
//!
//! A turn brings a game nearer to its end. A touch, an offer or a gift of time does not, so a game that
//! consisted only of these would never end. The number of these *asides* is therefore limited, both per turn
//! and per game. An answer (declining an offer, taking turns back) follows a proposal that has already been
//! counted, so it is always possible. Turns, resigning, claiming a draw and agreeing to one are always
//! possible too, so every game can be played to its end.
//!
//! Each side has its own limits, so that neither can use up the other's. A side can begin at most
//! [`ASIDES_PER_GAME`] + *n* × [`ASIDES_GAINED`] asides in a game of *n* turns. Each aside accounts for at
//! most three more events in the log (an answer, and two turns that are taken back and so do not count
//! towards *n*), so the length of the log is bounded too.

use adoube_rules::{ByColor, Color};

use crate::{event::EventKind, refusal::Refusal};

/// The maximum number of asides per side during one turn, its own or the opponent's: enough to touch and
/// adjust every man in the initial position.
pub const ASIDES_PER_TURN: u16 = 128;
/// The maximum number of asides per side in a game, before it grows with the turns.
pub const ASIDES_PER_GAME: u32 = 256;
/// The amount by which that maximum grows with each turn that was played and not taken back.
pub const ASIDES_GAINED: u32 = 4;
/// The maximum number of trees of conditional turns that a side may set during one turn. A tree can take up
/// several kilobytes.
pub const CONDITIONS_PER_TURN: u16 = 8;
/// The maximum number of trees of conditional turns per side in a game, before it grows with the turns.
pub const CONDITIONS_PER_GAME: u32 = 32;
/// The amount by which that maximum grows with each turn that was played and not taken back.
pub const CONDITIONS_GAINED: u32 = 2;

/// Counts asides of one kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Count {
    this_turn: u16,
    in_game: u32,
}

impl Count {
    fn add(&mut self) {
        self.this_turn = self.this_turn.saturating_add(1);
        self.in_game = self.in_game.saturating_add(1);
    }

    fn check_limits(self, per_turn: u16, per_game: u32) -> Result<(), Refusal> {
        if self.in_game >= per_game {
            Err(Refusal::GameLimitReached { limit: per_game })
        } else if self.this_turn >= per_turn {
            Err(Refusal::TurnLimitReached { limit: per_turn.into() })
        } else {
            Ok(())
        }
    }
}

/// Counts the asides of a game.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Asides {
    all: ByColor<Count>,
    conditions: ByColor<Count>,
}

impl Asides {
    /// Checks that another event of this kind is within the limits of a game of `plies` turns.
    pub(crate) fn may_add(&self, kind: &EventKind, plies: usize) -> Result<(), Refusal> {
        let Some(by) = initiator(kind) else { return Ok(()) };
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let per_game = |first: u32, gained: u32| plies.saturating_mul(gained).saturating_add(first);
        if matches!(kind, EventKind::ConditionsSet { .. }) {
            let max_per_game = per_game(CONDITIONS_PER_GAME, CONDITIONS_GAINED);
            self.conditions[by].check_limits(CONDITIONS_PER_TURN, max_per_game)?;
        }
        self.all[by].check_limits(ASIDES_PER_TURN, per_game(ASIDES_PER_GAME, ASIDES_GAINED))
    }

    /// Counts an event.
    pub(crate) fn add(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Played { .. } | EventKind::TakenBack { .. } => {
                for color in Color::ALL {
                    self.all[color].this_turn = 0;
                    self.conditions[color].this_turn = 0;
                }
            }
            kind => {
                let Some(by) = initiator(kind) else { return };
                self.all[by].add();
                if matches!(kind, EventKind::ConditionsSet { .. }) {
                    self.conditions[by].add();
                }
            }
        }
    }
}

/// Returns the side whose limits an event counts against; `None` if such events are bounded anyway.
fn initiator(kind: &EventKind) -> Option<Color> {
    match kind {
        EventKind::DrawOffered { color }
        | EventKind::TakebackProposed { color }
        | EventKind::TimeGiven { color, .. }
        | EventKind::Touched { color, .. }
        | EventKind::Adjusted { color }
        | EventKind::ConditionsSet { color, .. } => Some(*color),
        // These continue or end the game, answer a proposal that was counted, or can happen only a few times.
        EventKind::Created { .. }
        | EventKind::Joined { .. }
        | EventKind::Played { .. }
        | EventKind::DrawDeclined { .. }
        | EventKind::TakebackDeclined { .. }
        | EventKind::TakenBack { .. }
        | EventKind::Interrupted { .. }
        | EventKind::Ended { .. }
        | EventKind::RematchOffered { .. }
        | EventKind::RematchDeclined { .. }
        | EventKind::RematchAccepted { .. } => None,
    }
}
